import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { mayRefuseCompanyHeader } from '../platform/answer.ts';
import type { CouponSetting, PlatformClient } from '../platform/client.ts';
import type { Clock } from '../ports.ts';
import type { ReadingNote } from '../queue/readings.ts';
import type { Owner } from '../queue/rows.ts';
import { readSettings } from '../queue/settings-reader.ts';
import type { QueueStore } from '../queue/store.ts';
import type { Lane } from '../rate-limit/lanes.ts';
import { pause } from '../storage/pause.ts';
import type { CouponStore } from './store.ts';

export interface CouponRefreshPorts {
  readonly clock: Clock;
  readonly owner: () => Owner | null;
  readonly client: Pick<PlatformClient, 'listCouponSettings' | 'listSettingsOfUnnamedCompany'>;
  /** Whether this terminal knows another company at this platform. */
  readonly hasOtherCompany: () => boolean;
  readonly queueStore: Pick<QueueStore, 'noteReading'>;
  readonly coupons: Pick<CouponStore, 'replaceAll'>;
  readonly onRefreshed: () => void;
  /** What is kept was told without the company, so that it may be another's; called once. */
  readonly onCompanyUnnamed: () => void;
}

export interface CouponRefresh {
  /** Keeps a whole reading, `asked` as it was noted when it left. Throws StorageError. */
  readonly keep: (owner: Owner, settings: readonly CouponSetting[], asked: ReadingNote) => Promise<void>;
  /** Reads the settings and keeps them. Fails as the call does, or with `signInNeeded`. Throws StorageError. */
  readonly refresh: (lane: Lane) => Promise<Result<void, Failure>>;
}

/** Makes what replaces the confirmed settings by the platform's; `closing` abandons it. */
export function createCouponRefresh(ports: CouponRefreshPorts, closing: AbortSignal): CouponRefresh {
  const { clock, owner, client, hasOtherCompany, queueStore, coupons, onRefreshed, onCompanyUnnamed } = ports;
  let isUnnamedTold = false;

  function keep(scope: Owner, settings: readonly CouponSetting[], asked: ReadingNote): Promise<void> {
    return coupons.replaceAll(scope, settings, asked, clock.now(), () => pause(clock, closing));
  }

  /**
   * Of the company. Where its header may be refused, and this terminal knows no other company here, once more without
   * it; nothing is remembered, so that a platform which takes it later is asked for the company again.
   */
  async function read(user: string, lane: Lane) {
    const call = { lane, signal: closing, user };
    const ofCompany = await readSettings(client, 'listCouponSettings', queueStore.noteReading, call);
    if (ofCompany.reading.ok || !mayRefuseCompanyHeader(ofCompany.reading.failure) || hasOtherCompany()) {
      return { ...ofCompany, isOfCompany: true };
    }
    const unnamed = await readSettings(client, 'listSettingsOfUnnamedCompany', queueStore.noteReading, call);
    return unnamed.reading.ok ? { ...unnamed, isOfCompany: false } : { ...ofCompany, isOfCompany: true };
  }

  return {
    keep,
    refresh: async (lane) => {
      const reader = owner();
      if (reader === null) {
        return fail({ kind: 'signInNeeded' });
      }
      const { reading, asked, isOfCompany } = await read(reader.email, lane);
      if (!reading.ok) {
        return reading;
      }
      // The answer may come in the moment in which the store is closed.
      if (closing.aborted) {
        return fail({ kind: 'cancelled' });
      }
      await keep(reader, reading.value, asked);
      onRefreshed();
      if (!isOfCompany && !isUnnamedTold) {
        isUnnamedTold = true;
        onCompanyUnnamed();
      }
      return succeed(undefined);
    },
  };
}
