import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { mayRefuseCompanyHeader } from '../platform/answer.ts';
import type { CouponSetting, PlatformClient, TokenSource } from '../platform/client.ts';
import type { Clock } from '../ports.ts';
import type { LeftReading } from '../queue/readings.ts';
import type { Sender } from '../queue/queue-ports.ts';
import type { Owner } from '../queue/rows.ts';
import { readSettings } from '../queue/settings-reader.ts';
import { freshForMs, type QueueRepository } from '../queue/repository.ts';
import { pause } from '../storage/pause.ts';
import type { AskedReading, CouponScope, CouponRepository } from './repository.ts';

/** Whether somebody waits for it, or nobody. */
export type ReadingLane = 'person' | 'catalogue';

export interface CouponRefreshPorts {
  readonly clock: Clock;
  readonly owner: () => Owner | null;
  /** Under whose sign-ins what waits goes out. */
  readonly senders: () => readonly Sender[];
  readonly client: Pick<PlatformClient, 'listCouponSettings' | 'listSettingsOfUnnamedCompany'>;
  /** Whether this terminal knows another company at this platform. */
  readonly hasOtherCompany: () => boolean;
  readonly queueRepository: Pick<QueueRepository, 'noteReading'>;
  readonly coupons: Pick<CouponRepository, 'replaceAll' | 'readAt' | 'isUnnamed' | 'forget'>;
  readonly onRefreshed: () => void;
  /** The kept settings came without the company, so that they may be another's; called once. */
  readonly onCompanyUnnamed: () => void;
}

interface Reader {
  readonly owner: Owner;
  /** Those of whoever is signed in, unless they are given. */
  readonly tokens?: TokenSource;
}

/** Makes what replaces the confirmed settings by the platform's; `closing` abandons it. */
export function createCouponRefresh(ports: CouponRefreshPorts, closing: AbortSignal) {
  const { clock, owner, senders, client, hasOtherCompany, queueRepository, coupons, onRefreshed, onCompanyUnnamed } =
    ports;
  let isUnnamedReported = false;
  /** When the kept settings were asked for; `keptMs` only where they are surely the company's. */
  let askedMs = Number.NEGATIVE_INFINITY;
  let keptMs = Number.NEGATIVE_INFINITY;

  function reportUnnamed(): void {
    if (!isUnnamedReported) {
      isUnnamedReported = true;
      onCompanyUnnamed();
    }
  }

  async function replace(scope: Owner, settings: readonly CouponSetting[], asked: AskedReading): Promise<boolean> {
    const leftAt = clock.now() - Math.ceil(clock.uptimeMs() - asked.leftMs);
    const isKept = await coupons.replaceAll(scope, settings, asked, leftAt, () => pause(clock, closing));
    askedMs = isKept ? Math.max(askedMs, asked.leftMs) : askedMs;
    return isKept;
  }

  async function keep(scope: Owner, settings: readonly CouponSetting[], asked: LeftReading): Promise<void> {
    if (await replace(scope, settings, asked)) {
      keptMs = Math.max(keptMs, asked.leftMs);
    }
  }

  function readerFor(email: string | undefined): Reader | null {
    const here = owner();
    const sender = senders().find((one) => one.owner.email === email && !one.isStuck && one.tokens.user() !== null);
    return sender ?? (here === null ? null : { owner: here });
  }

  /**
   * Of the company. Where its header may be refused, and this terminal knows no other company here, once more without
   * it; nothing is remembered, so that a platform which takes it later is asked for the company again.
   */
  async function read({ owner: { email: user }, tokens }: Reader, lane: ReadingLane) {
    const call = { lane, signal: closing, user, ...(tokens === undefined ? {} : { tokens }) };
    const ofCompany = await readSettings({ clock, client }, 'listCouponSettings', queueRepository.noteReading, call);
    // mutant: a company that refuses its name is read without it though this till knows another (I4)
    if (ofCompany.reading.ok || !mayRefuseCompanyHeader(ofCompany.reading.failure) || hasOtherCompany()) {
      return { ...ofCompany, isOfCompany: true };
    }
    const unnamed = await readSettings(
      { clock, client },
      'listSettingsOfUnnamedCompany',
      queueRepository.noteReading,
      call,
    );
    // Another company may have come to be known while it was under way.
    // mutant: what was told without a name is kept though another company has come to be known (I4)
    return unnamed.reading.ok && !hasOtherCompany()
      ? { ...unnamed, isOfCompany: false }
      : { ...ofCompany, isOfCompany: true };
  }

  return {
    /** Keeps a whole reading, `asked` as it was noted when it left. Throws StorageError. */
    keep,
    /** Whether a reading that left a moment ago is kept whole: as long as the queue trusts one. */
    isFresh: () => clock.uptimeMs() - keptMs <= freshForMs,
    /** Whether one that left in this run is kept whole and no older, in milliseconds, by both clocks: a machine may sleep. */
    isReadWithin: (scope: CouponScope, maxAgeMs: number): boolean => {
      const ageMs = clock.now() - (coupons.readAt(scope) ?? Number.NEGATIVE_INFINITY);
      return clock.uptimeMs() - askedMs <= maxAgeMs && ageMs >= 0 && ageMs <= maxAgeMs;
    },
    /**
     * Reads the settings and keeps them: under the sign-in of this user where what they ask for goes out, else of whoever
     * is signed in. Fails as the call does, or with `signInNeeded`. Throws StorageError.
     */
    refresh: async (lane: ReadingLane, email?: string): Promise<Result<void, Failure>> => {
      const reader = readerFor(email);
      if (reader === null) {
        return fail({ kind: 'signInNeeded' });
      }
      const { reading, asked, isOfCompany } = await read(reader, lane);
      if (!reading.ok) {
        return reading;
      }
      // The answer may come in the moment in which the store is closed.
      if (closing.aborted) {
        return fail({ kind: 'cancelled' });
      }
      if (isOfCompany) {
        await keep(reader.owner, reading.value, asked);
      } else {
        // Perhaps another company's: it is shown, and nothing is left out because of it.
        keptMs = Number.NEGATIVE_INFINITY;
        await replace(reader.owner, reading.value, { ...asked, isUnnamed: true });
      }
      onRefreshed();
      if (!isOfCompany) {
        reportUnnamed();
      }
      return succeed(undefined);
    },
    /**
     * Settings that an earlier run has kept without the company's name are reported as such, or forgotten once another
     * company is known. Throws StorageError.
     */
    judgeKept: (scope: CouponScope) => {
      try {
        // mutant: what an earlier run was told without a name stays though another company has come to be known (I4)
        if (coupons.isUnnamed(scope) && hasOtherCompany()) {
          coupons.forget(scope);
        }
      } finally {
        // Also where the disk keeps it from being forgotten.
        if (coupons.isUnnamed(scope)) {
          reportUnnamed();
        }
      }
    },
  };
}
