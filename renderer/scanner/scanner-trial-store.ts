import type { StoreApi } from 'zustand/vanilla';
import { defaultScanner } from '../../app/contract/limits/scanner.ts';
import { isLikeBadge } from '../../app/domain/codes/badge.ts';
import type { ScannerSettings } from '../../app/contract/scanner.ts';
import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Later } from '../dom/clock.ts';
import type { RecordedKey } from './scanner-keys.ts';
import { readBurst, type ScannerReport } from './scanner-report.ts';
import type { MakeStore } from '../stores/make-store.ts';

/** After so much rest the burst is over, also for one that pauses or a terminator that comes late. */
const burstRestMs = 700;
/** More keys than any barcode has. */
const maxKeys = 600;
const maxTextLength = 4096;

/**
 *     closed ⇄ open: listening ──key──→ receiving ──rest──→ shown ──key──→ receiving
 *
 * 1. What a person types into a field is theirs: a burst of which nothing was recognised is forgotten where one of its keys
 *    came in a field. Nothing comes here of what is typed into a dialog or beside a secret.
 * 2. A cashier's badge is a key, and is not shown.
 * 3. A trial is no lookup: it does not join the recent ones.
 */
export interface ScannerTrialStore {
  readonly isOpen: boolean;
  readonly isReceiving: boolean;
  readonly report: ScannerReport | null;
  /** The copy's answer; null until there is one, or when it could not answer. */
  readonly answer: LookupAnswer | null;
  /** Looks from now on, until the answered function is called. */
  readonly open: () => () => void;
  readonly takeKey: (key: RecordedKey) => void;
}

/** Opens a trial that nobody looks at; `settings` answers the present ones. */
export function createScannerTrialStore(
  make: MakeStore,
  bridge: Bridge,
  settings: () => ScannerSettings | undefined,
  later: Later,
): StoreApi<ScannerTrialStore> {
  let keys: RecordedKey[] = [];
  let cancel: () => void = () => undefined;
  let trial = 0;
  const end = (): void => {
    cancel();
    keys = [];
    trial += 1;
  };
  return make<ScannerTrialStore>({ end, keeps: ['isOpen'] }, (set, get) => {
    const publish = (): void => {
      const burst = keys;
      keys = [];
      const isTyped = burst.every(({ verdict }) => verdict === 'pass') && burst.some(({ isInField }) => isInField); // 1
      const isNothing = burst.every(({ key }) => key.length > 1);
      if (isTyped || isNothing) {
        set({ isReceiving: false });
        return;
      }
      trial += 1;
      const mine = trial;
      const report = readBurst(burst, settings() ?? defaultScanner);
      if (isLikeBadge(report.text)) {
        set({ isReceiving: false }); // 2
        return;
      }
      set({ isReceiving: false, report, answer: null });
      void bridge
        .call('lookup:find', { text: report.text.slice(0, maxTextLength), source: 'scan', isAgain: true })
        .then((found) => {
          if (mine === trial && found.ok) {
            set({ answer: found.value });
          }
        });
    };
    return {
      isOpen: false,
      isReceiving: false,
      report: null,
      answer: null,
      open() {
        set({ isOpen: true });
        return () => {
          cancel();
          keys = [];
          set({ isOpen: false, isReceiving: false, report: null, answer: null });
        };
      },
      takeKey(key) {
        if (!get().isOpen) {
          return;
        }
        if (keys.length < maxKeys) {
          keys.push(key);
        }
        if (key.verdict !== 'pass' && !get().isReceiving) {
          set({ isReceiving: true });
        }
        cancel();
        cancel = later(burstRestMs, publish);
      },
    };
  });
}
