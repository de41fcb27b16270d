import type { StoreApi } from 'zustand/vanilla';
import type { BadgeScanned } from '../../app/contract/cashiers.ts';
import { readBadge } from '../../app/domain/codes/badge.ts';
import type { FailureKind } from '../../app/domain/failure.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { present, type Later } from '../dom/clock.ts';
import { makeLastingStore } from '../stores/make-store.ts';

const shownMs = 10_000;

/**
 * The outcome of the last badge; `notWhole`: the scanner lost a part of it; `typed`: it was typed into a field;
 * `keychain`: it could not be compared.
 */
export type BadgeOutcome =
  | BadgeScanned
  | { readonly outcome: 'notWhole' | 'typed' | 'notTaken' | 'keychain' }
  /** `waitUntil`: when the next one can be tried, in milliseconds since 1970. */
  | { readonly outcome: 'failed'; readonly kind: FailureKind; readonly waitUntil: number };

const shownAs: Partial<Record<FailureKind, 'notTaken' | 'keychain'>> = {
  notReady: 'notTaken',
  vaultLocked: 'keychain',
  vaultUnavailable: 'keychain',
};

/** Hands what a scanner has read of a badge to the main process, and keeps none of it. */
export interface BadgeStore {
  /** Shown, and forgotten after a while. */
  readonly shown: BadgeOutcome | null;
  /** A badge is being read: who is at the till may be another in a moment. */
  readonly isReading: boolean;
  /** Resolves when no badge is being read any more; null when none is. */
  readonly untilRead: () => Promise<void> | null;
  readonly scan: (text: string) => Promise<void>;
  readonly say: (shown: BadgeOutcome) => void;
}

/** Opens a store that has read no badge; over the plain bridge, so that no badge asks for the manager's PIN. */
export function createBadgeStore(bridge: Bridge, later: Later): StoreApi<BadgeStore> {
  let cancel = (): void => undefined;
  let underWay = 0;
  let waiting: (() => void)[] = [];
  const endReading = (): void => {
    const all = waiting;
    waiting = [];
    all.forEach((goOn) => goOn());
  };
  return makeLastingStore<BadgeStore>({}, (set, get) => ({
    shown: null,
    isReading: false,
    untilRead: () => (get().isReading ? new Promise((resolve) => waiting.push(resolve)) : null),
    async scan(text) {
      const code = readBadge(text);
      if (code === null) {
        get().say({ outcome: 'notWhole' });
        return;
      }
      underWay += 1;
      set({ isReading: true });
      const scanned = await bridge.call('cashier:scanBadge', { code });
      underWay -= 1;
      if (underWay === 0) {
        set({ isReading: false });
        endReading();
      }
      if (scanned.ok) {
        get().say(scanned.value);
      } else {
        const { failure } = scanned;
        if (failure.kind === 'locked') {
          // The customers' check station takes none, and says so to nobody.
          return;
        }
        const outcome = shownAs[failure.kind];
        get().say(
          outcome !== undefined
            ? { outcome }
            : { outcome: 'failed', kind: failure.kind, waitUntil: present() + (failure.retryAfterMs ?? 0) },
        );
      }
    },
    say(shown) {
      cancel();
      set({ shown });
      cancel = later(shownMs, () => set({ shown: null }));
    },
  }));
}
