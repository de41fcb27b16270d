// The coupon changes that the tills of a shop show one another: which wait at a till, and which it has delivered.
//
//   V1  For the eyes alone: what is read before sending stays each till's own, no till sends another's change, and what
//       another has said keeps none from sending its own. No plan goes by it.
//   V2  What another till has delivered counts as confirmed here, unless this till has read the settings since: by a
//       reading that left after it; nor what this till has itself delivered since, or yet another.
import { z } from 'zod';
import { idSchema } from '../contract/basics.ts';
import type { CouponState } from '../contract/coupons.ts';
import type { Id } from '../domain/int64.ts';
import { parseJsonWithin } from '../domain/json.ts';
import type { Clock, SharedNews, SharedTexts } from '../ports.ts';
import type { QueueRepository } from '../queue/repository.ts';
import { createTiming } from '../queue/timing.ts';
import { onlyStorageError } from '../storage/database.ts';
import type { CouponScope, CouponSettingRow, CouponRepository } from './repository.ts';

/** So many changes of a till are shown to the others: the newest. */
const maxWaiting = 500;
const maxDelivered = 200;
/**
 * So many tills that take no part are known, those that were heard last: their records may come later than their news,
 * of which the hub keeps as many.
 */
export const maxStrangers = 200;
/** One after another, changes are published together. */
const gatherMs = 200;
/** A hub that has lost them, or did not answer, has them again after so long. */
const publishAgainMs = { lost: 600_000, unanswered: 10_000 };
/** The hub's time falls behind this machine's uptime by no more than this, in milliseconds. */
const sameTimeMs = 60_000;

const stateSchema = z.object({
  format: z.literal(1),
  till: z.string(),
  waiting: z.array(z.object({ productId: idSchema, isEnabled: z.boolean(), isParked: z.boolean() })).max(maxWaiting),
  delivered: z.array(z.object({ productId: idSchema, isEnabled: z.boolean(), atMs: z.number() })).max(maxDelivered),
});
/** Of so many values, whatever a later version adds to each. */
const maxValues = 20 * (maxWaiting + maxDelivered);
type TillState = z.infer<typeof stateSchema>;
type Delivered = TillState['delivered'][number];
/** What this till has delivered, at which uptime; the hub's time of it is known once the hub answers. */
type Noted = CouponSettingRow & { readonly uptimeMs: number; readonly atMs: number | null };

export interface SharedCouponsPorts {
  readonly texts: SharedTexts;
  readonly clock: Clock;
  readonly scope: CouponScope;
  /** This till's name. */
  readonly till: string;
  /** Whether a till of this id still takes part. */
  readonly isMember: (id: string) => boolean;
  readonly queueRepository: Pick<QueueRepository, 'openCouponsOfOthers' | 'noteReading' | 'settledAt'>;
  readonly coupons: Pick<CouponRepository, 'hear' | 'hearsay' | 'confirmed' | 'markOf' | 'readAt'>;
  /** Called when another till has changed something. */
  readonly onChange: () => void;
}

export type SharedCoupons = ReturnType<typeof openSharedCoupons>;

/** Whether this till has itself delivered a change of this product since that moment. */
function hasDeliveredSince(
  {
    clock,
    scope,
    coupons,
    queueRepository,
  }: Pick<SharedCouponsPorts, 'clock' | 'scope' | 'coupons' | 'queueRepository'>,
  productId: Id,
  at: number,
): boolean {
  const mark = coupons.markOf(scope, productId);
  const settledAt = mark === null ? null : queueRepository.settledAt(mark);
  // mutant: what another till delivered earlier takes the place of what this one has delivered
  return settledAt !== null && settledAt >= at && settledAt <= clock.now();
}

/** The moment, in the hub's time as it is now, at which this was delivered. */
function momentOf({ atMs, uptimeMs }: Noted, nowMs: number, nowUptimeMs: number): number {
  const byUptimeMs = nowMs - (nowUptimeMs - uptimeMs);
  // As it was told before, for a later moment is a new delivery to the others, and the hub's time leaps as tills join it;
  // unless the hub counts its time anew.
  const toldMs = atMs ?? byUptimeMs;
  // mutant: what was delivered before a loss of the hub lies in its time that begins anew
  return toldMs - byUptimeMs < sameTimeMs ? toldMs : byUptimeMs;
}

/** Those than which nothing later was heard of their products. */
function latestOf(
  settings: Parameters<CouponRepository['hear']>[1],
  hearsay: ReturnType<CouponRepository['hearsay']>,
): typeof settings {
  // mutant: of what two tills have delivered the one that is heard last counts
  return settings.filter(({ productId, atMs }) => (hearsay.get(productId)?.atMs ?? atMs) <= atMs);
}

/** Opens the view of the other tills. */
export function openSharedCoupons(ports: SharedCouponsPorts) {
  const { texts, clock, scope, till, isMember, queueRepository, coupons, onChange } = ports;
  const name = `${scope.platform} ${scope.companyId} coupons`;
  const others = new Map<
    string,
    { readonly till: string; readonly waiting: ReadonlyMap<Id, TillState['waiting'][number]> }
  >();
  /** By till: what it delivered last of what is known here. */
  const known = new Map<string, number>();
  let delivered: readonly Noted[] = [];
  let published: { readonly text: string; readonly uptimeMs: number } | null = null;
  let changes = 0;

  function ownState(nowMs: number): TillState {
    const waiting = queueRepository
      .openCouponsOfOthers(0, scope)
      .slice(-maxWaiting)
      .map(({ subject_id: productId, is_enabled: isEnabled, state }) => ({
        productId,
        isEnabled: isEnabled === 1,
        isParked: state === 'parked',
      }));
    const uptimeMs = clock.uptimeMs();
    const dated = delivered.map((one) => ({ ...one, atMs: momentOf(one, nowMs, uptimeMs) }));
    delivered = dated;
    // A delivery that was rolled back, or no longer holds, is not shared.
    const settled = dated
      .filter(({ productId, isEnabled }) => coupons.confirmed(scope, productId) === isEnabled)
      .map(({ productId, isEnabled, atMs }) => ({ productId, isEnabled, atMs }));
    return { format: 1, till, waiting, delivered: settled };
  }

  /** Null where the disk, or the hub's time, does not say. */
  function ownText(nowMs: number | null): string | null {
    try {
      return nowMs === null ? null : JSON.stringify(ownState(nowMs));
    } catch (error) {
      onlyStorageError(error);
      return null;
    }
  }

  async function publish(): Promise<void> {
    const [atMs, uptimeMs] = [texts.nowMs(), clock.uptimeMs()];
    const text = ownText(atMs);
    if (text === null || text !== published?.text || uptimeMs - published.uptimeMs >= publishAgainMs.lost) {
      const isShown = text !== null && atMs !== null && (await texts.publish(name, { text, atMs }, 'replaces'));
      published = isShown ? { text, uptimeMs } : null;
    }
    timing.plan(published === null ? publishAgainMs.unanswered : publishAgainMs.lost);
  }

  /** V2 */
  function confirm({ by, atMs: publishedMs, ageMs }: SharedNews, settings: readonly Delivered[]): void {
    const now = clock.now();
    const readAt = coupons.readAt(scope) ?? Number.NEGATIVE_INFINITY;
    // One of a moment still to come is from before the clock was set back.
    const sinceAt = readAt > now ? Number.NEGATIVE_INFINITY : readAt;
    const knownMs = known.get(by) ?? Number.NEGATIVE_INFINITY;
    // A hub that has lost everything counts its time anew, and what was delivered before lies before its beginning.
    const sinceMs = knownMs > publishedMs ? Number.NEGATIVE_INFINITY : knownMs;
    const past = settings.filter(({ atMs }) => atMs <= publishedMs);
    const fresh = past
      .filter(({ atMs }) => atMs > sinceMs)
      .map((setting) => ({ ...setting, agoMs: ageMs + publishedMs - setting.atMs }))
      .filter(({ productId, agoMs }) => now - agoMs > sinceAt && !hasDeliveredSince(ports, productId, now - agoMs))
      .map(({ agoMs, ...setting }) => ({ ...setting, atMs: clock.uptimeMs() - agoMs }));
    known.set(by, Math.max(sinceMs, ...past.map(({ atMs }) => atMs)));
    const latest = latestOf(fresh, coupons.hearsay(scope));
    if (latest.length > 0) {
      coupons.hear(scope, latest, queueRepository.noteReading().mark);
    }
  }

  function forget(id: string): void {
    others.delete(id);
    known.delete(id);
  }

  function hear(news: SharedNews): void {
    const { by, text } = news;
    const state = stateSchema.safeParse(parseJsonWithin(text, maxValues)).data;
    if (state === undefined) {
      return;
    }
    others.delete(by);
    // Whoever has the shop's key may write any id, and each that is known is asked for each product that is shown.
    const strangers = [...others.keys()].filter((id) => !isMember(id));
    strangers.slice(0, Math.max(0, strangers.length - maxStrangers + 1)).forEach(forget);
    others.set(by, { till: state.till, waiting: new Map(state.waiting.map((one) => [one.productId, one])) });
    changes += 1;
    try {
      confirm(news, state.delivered);
    } catch (error) {
      // The next reading of the settings says the same.
      onlyStorageError(error);
    }
    onChange();
  }

  const timing = createTiming(clock, publish);
  const stop = texts.listen(name, hear);
  timing.plan(gatherMs);
  return {
    /** The change of another till that waits for this product; undefined when none does. */
    waitingFor: (productId: Id): CouponState['ofTill'] => {
      for (const [id, { till: other, waiting }] of others) {
        const change = waiting.get(productId);
        if (change !== undefined && isMember(id)) {
          return { till: other.slice(0, 200), isEnabled: change.isEnabled, isParked: change.isParked };
        }
      }
      return undefined;
    },
    /** The same as long as no other till's changes have. */
    version: () => changes,
    /** The changes that wait here may have changed. */
    noteQueue: () => {
      timing.plan(gatherMs);
    },
    /** These were delivered by this till. */
    noteDelivered: (settings: readonly CouponSettingRow[]) => {
      const [uptimeMs, atMs] = [clock.uptimeMs(), texts.nowMs()];
      delivered = [...delivered, ...settings.map((setting) => ({ ...setting, uptimeMs, atMs }))].slice(-maxDelivered);
      timing.plan(gatherMs);
    },
    close: () => {
      timing.end();
      stop();
    },
  };
}
