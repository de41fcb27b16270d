//   M1  Nothing is accepted when the queue has no room for all of it.
//   M2  Each slice is one durable transaction; the answer counts what is on disk and no more, and names why the rest is not.
//   M3  A crash between two slices leaves whole slices: ordinary updates, each sent once.
//   M4  What has not left can be taken back for a few seconds, in which nothing new is sealed, and not after a minute, whatever waits; what gave way
//       to it stands again then, unless somebody else has asked for something of the same product since.
import { bringBackForMs } from '../contract/queue.ts';
import type { ManyCounted, ManyProgress, ManySwitched } from '../contract/coupons.ts';
import { couponFrom } from './coupon-state.ts';
import type { CouponScope, CouponStore } from './store.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Clock } from '../ports.ts';
import type { AcceptedUpdate, CouponWish } from '../queue/intake.ts';
import type { Queue } from '../queue/queue.ts';
import type { Owner } from '../queue/rows.ts';
import type { QueueStore } from '../queue/store.ts';
import { StorageError } from '../storage/database.ts';

/** Products of one slice. */
export const manyAtOnce = 200;
/** For so long after the answer nothing new is sealed. */
export const undoForMs = 8_000;
/** Longer than any switching takes. */
const longestSwitchingMs = 60_000;

export interface CouponManyPorts {
  readonly scope: CouponScope;
  readonly clock: Clock;
  readonly owner: () => Owner | null;
  readonly isOnline: () => boolean;
  readonly queue: Pick<Queue, 'rest' | 'noticeRows'>;
  readonly queueStore: Pick<
    QueueStore,
    'knownOwnerId' | 'ownerId' | 'openOfProduct' | 'enqueueMany' | 'takeBack' | 'room'
  >;
  readonly coupons: Pick<CouponStore, 'confirmed'>;
  /** Hears how far the switching is, after each slice. */
  readonly tell: (progress: ManyProgress) => void;
  /** Lets everything else have its turn. Answers whether to go on. */
  readonly pause: () => Promise<boolean>;
}

export interface CouponMany {
  /** Fails with `signInNeeded`, with `notReady` when the store is closed meanwhile, or as the storage does. */
  count(productIds: readonly Id[], isEnabled: boolean): Promise<Result<ManyCounted, Failure>>;
  /** Fails as `count` does, or with `queueFull`, with nothing accepted (M1). */
  switchAll(productIds: readonly Id[], isEnabled: boolean): Promise<Result<ManySwitched, Failure>>;
  /** Ends the switching that is under way after its present slice, which answers `cancelled` for the rest. */
  stop(): void;
  /** Fails with `notFoundHere` when it is too late or another's, or as the storage does. */
  takeBack(undo: number): Promise<Result<{ readonly takenBack: number; readonly sent: number }, Failure>>;
}

interface Undo {
  readonly id: number;
  readonly ownerId: number;
  readonly updates: readonly AcceptedUpdate[];
  readonly untilUptimeMs: number;
}

/** Makes the switching of one open store. */
export function createCouponMany({
  scope,
  clock,
  owner,
  isOnline,
  queue,
  queueStore,
  coupons,
  tell,
  pause,
}: CouponManyPorts): CouponMany {
  let lastUndo = 0;
  let undo: Undo | null = null;
  let isSwitching = false;
  let isStopped = false;

  function ownerIdNow(): number | null {
    const now = owner();
    return now === null ? null : queueStore.ownerId(now);
  }

  /** What is asked of those of a slice that are not so already, and how many of them take a new place in the queue. */
  function wishesOf(
    productIds: readonly Id[],
    isEnabled: boolean,
    ownerId: number,
  ): { readonly wishes: readonly CouponWish[]; readonly needed: number } {
    let needed = 0;
    const wishes = productIds.flatMap((productId) => {
      const open = queueStore.openOfProduct(ownerId, productId);
      const seen = couponFrom(coupons.confirmed(scope, productId), open).isEnabled;
      if (seen === isEnabled) {
        return [];
      }
      needed += open === undefined || open.state === 'sealed' ? 1 : 0;
      return [{ productId, isEnabled, seen }];
    });
    return { wishes, needed };
  }

  /** Goes through the products slice by slice, with a rest after each. Answers why it stopped early, or null. */
  async function inSlices(
    productIds: readonly Id[],
    isEnabled: boolean,
    each: (slice: ReturnType<typeof wishesOf>, size: number, ownerId: number) => Failure | null,
  ): Promise<Failure | null> {
    const all = [...new Set(productIds)];
    try {
      const ownerId = ownerIdNow();
      for (let place = 0; place < all.length; place += manyAtOnce) {
        if (ownerId === null || ownerIdNow() !== ownerId) {
          return { kind: 'signInNeeded' };
        }
        const slice = all.slice(place, place + manyAtOnce);
        const failure = each(wishesOf(slice, isEnabled, ownerId), slice.length, ownerId);
        if (failure !== null) {
          return failure;
        }
        if (!(await pause())) {
          return { kind: 'notReady' };
        }
      }
      return null;
    } catch (error) {
      if (error instanceof StorageError) {
        return error.failure;
      }
      throw error;
    }
  }

  async function count(productIds: readonly Id[], isEnabled: boolean): Promise<Result<ManyCounted, Failure>> {
    let [willChange, already, needed] = [0, 0, 0];
    const failure = await inSlices(productIds, isEnabled, (slice, size) => {
      willChange += slice.wishes.length;
      already += size - slice.wishes.length;
      needed += slice.needed;
      return null;
    });
    return failure === null ? succeed({ willChange, already, needed, room: queueStore.room() }) : fail(failure);
  }

  async function switchAll(productIds: readonly Id[], isEnabled: boolean): Promise<Result<ManySwitched, Failure>> {
    const counted = await count(productIds, isEnabled);
    if (!counted.ok) {
      return counted;
    }
    if (counted.value.needed > counted.value.room) {
      return fail({ kind: 'queueFull' }); // M1
    }
    const updates: AcceptedUpdate[] = [];
    let already = 0;
    let acceptedFor = 0;
    let done = 0;
    isStopped = false;
    queue.rest(longestSwitchingMs);
    const failure = await inSlices(productIds, isEnabled, ({ wishes }, size, ownerId) => {
      const accepted = queueStore.enqueueMany(wishes, { ownerId, isSeenFresh: isOnline(), now: clock.now() });
      updates.push(...accepted);
      already += size - wishes.length;
      acceptedFor = ownerId;
      done += size;
      tell({ done, of: counted.value.willChange + counted.value.already });
      return accepted.length < wishes.length
        ? { kind: 'queueFull' }
        : isStopped && done < counted.value.willChange + counted.value.already
          ? { kind: 'cancelled' }
          : null;
    });
    if (updates.length > 0) {
      lastUndo += 1;
      undo = { id: lastUndo, ownerId: acceptedFor, updates, untilUptimeMs: clock.uptimeMs() + bringBackForMs };
    }
    queue.rest(updates.length > 0 ? undoForMs : 0);
    queue.noticeRows();
    return succeed({
      accepted: updates.length,
      already,
      failure,
      undo: updates.length > 0 ? lastUndo : null,
      undoForMs,
    });
  }

  return {
    count,
    switchAll: async (productIds, isEnabled) => {
      // A second one at the same time would count the same room twice.
      if (isSwitching) {
        return fail({ kind: 'notReady' });
      }
      isSwitching = true;
      try {
        return await switchAll(productIds, isEnabled);
      } finally {
        isSwitching = false;
      }
    },
    stop: () => {
      isStopped = true;
    },
    takeBack: async (id) => {
      const [taking, reader] = [undo, owner()];
      if (
        taking === null ||
        taking.id !== id ||
        reader === null ||
        taking.ownerId !== queueStore.knownOwnerId(reader) ||
        clock.uptimeMs() > taking.untilUptimeMs
      ) {
        return fail({ kind: 'notFoundHere' });
      }
      undo = null;
      let [takenBack, sent] = [0, 0];
      queue.rest(longestSwitchingMs);
      try {
        for (let place = 0; place < taking.updates.length; place += manyAtOnce) {
          const slice = queueStore.takeBack(taking.updates.slice(place, place + manyAtOnce), clock.now());
          takenBack += slice.takenBack;
          sent += slice.sent;
          if (!(await pause())) {
            return fail({ kind: 'notReady' });
          }
        }
        return succeed({ takenBack, sent });
      } catch (error) {
        if (error instanceof StorageError) {
          // What is left of it can be taken back by another try.
          undo = taking;
          return fail(error.failure);
        }
        throw error;
      } finally {
        queue.rest(0);
        queue.noticeRows();
      }
    },
  };
}
