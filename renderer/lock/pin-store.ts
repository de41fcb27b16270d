import type { StoreApi } from 'zustand/vanilla';
import type { HeldKind } from '../../app/contract/lock.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import type { MakeStore } from '../stores/make-store.ts';
import { dropLateDigits } from './late-digits.ts';
import type { PinPurpose } from './pin-purpose.ts';

/** The kind of lock that a refused call belongs to. */
export type AskedRule = HeldKind;

/**
 *      ask                tryPin                 right: every call that waits is made again
 *  closed ───→ asking ─────────────→ trying ─────────────────────────────────────────────→ closed
 *                ↑  │ give up: they fail as they did │ wrong
 *                │  └──────────→ closed              │
 *                └───────────────────────────────────┘
 *
 * 1. However many calls ask, there is one question, and one answer to all.
 * 2. What a PIN has opened after its question had gone is locked again, before another is tried.
 * 3. On a page that has no dialog for it, a call fails at once instead of waiting for ever.
 * 4. Where the question, or any field with a part of a PIN, goes with who was here, the digits that are still typed are
 *    nobody else's.
 */
export interface PinStore {
  /** The kind of lock whose PIN is asked for; null while none is. */
  readonly asked: AskedRule | null;
  /** What the first call that waits would do, where that is to be said. */
  readonly purpose: PinPurpose | null;
  readonly isTrying: boolean;
  /** A field has a part of a PIN, whosever. */
  readonly isTyped: boolean;
  readonly failure: Failure | null;
  /** Answers true once the PIN was right, false when a person has given up. */
  readonly ask: (rule: AskedRule, purpose: PinPurpose | null) => Promise<boolean>;
  readonly tryPin: (pin: string) => Promise<void>;
  readonly giveUp: () => void;
  readonly noteTyped: (isTyped: boolean) => void;
  /** A dialog is there to ask, until the answered function is called. */
  readonly attach: () => () => void;
}

/** Opens it with the calls that try a PIN for what is asked for, and lock again what it has opened. */
export function createPinStore(
  make: MakeStore,
  unlock: (pin: string, opens: HeldKind) => Promise<Result<unknown, Failure>>,
  lockAgain: (opened: HeldKind) => void,
): StoreApi<PinStore> {
  let waiting: ((isOpen: boolean) => void)[] = [];
  let dialogs = 0;
  const end = ({ asked, isTyped, giveUp }: PinStore): void => {
    if (asked !== null || isTyped) {
      dropLateDigits(); // 4
    }
    giveUp();
  };
  return make<PinStore>({ end }, (set, get) => {
    const close = (isOpen: boolean): void => {
      const all = waiting;
      waiting = [];
      set({ asked: null, purpose: null, failure: null });
      all.forEach((answer) => answer(isOpen));
    };
    return {
      asked: null,
      purpose: null,
      isTrying: false,
      isTyped: false,
      failure: null,
      ask(rule, purpose) {
        if (dialogs === 0) {
          return Promise.resolve(false);
        }
        if (get().asked === null) {
          set({ asked: rule, purpose, failure: null });
        }
        return new Promise((resolve) => waiting.push(resolve));
      },
      async tryPin(pin) {
        const { asked, isTrying } = get();
        if (asked === null || isTrying) {
          return;
        }
        set({ isTrying: true, failure: null });
        const mine = waiting;
        const tried = await unlock(pin, asked);
        if (mine !== waiting) {
          // Of an answer that was lost nobody knows whether it was right.
          if (tried.ok || tried.failure.kind === 'effectUnknown') {
            lockAgain(asked); // 2
          }
        } else if (tried.ok) {
          close(true);
        } else {
          set({ failure: tried.failure });
        }
        set({ isTrying: false });
      },
      giveUp() {
        close(false);
      },
      noteTyped: (isTyped) => set({ isTyped }),
      attach() {
        dialogs += 1;
        return () => {
          dialogs -= 1;
          if (dialogs === 0) {
            close(false);
          }
        };
      },
    };
  });
}
