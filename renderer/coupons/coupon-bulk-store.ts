//     resting ─ask→ counting ─→ asking ─confirm→ working ─→ resting, with an outcome
//                      └──────────┴──cancel──────────────→ resting
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { ManyCounted, ManyProgress, ManySwitched } from '../../app/contract/coupons.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Wall } from '../bridge/bridge.ts';
import type { Later } from '../dom/clock.ts';

/** What was taken back is told for so long, in milliseconds. */
const takenBackToldForMs = 10_000;

/** What was asked and has not been done yet. */
export interface ManyQuestion {
  readonly productIds: readonly Id[];
  /** Of these, so many are not in the list that is shown. */
  readonly outside: number;
  readonly isEnabled: boolean;
  /** Null while it is being counted. */
  readonly counted: ManyCounted | null;
  readonly isWorking: boolean;
  /** How far it is; null before the first slice. */
  readonly progress: ManyProgress | null;
  readonly failure: Failure | null;
}

export type ManyOutcome =
  | {
      readonly kind: 'switched';
      readonly isEnabled: boolean;
      readonly answer: ManySwitched;
      readonly productIds: readonly Id[];
      readonly canUndo: boolean;
      readonly isWorking: boolean;
    }
  | { readonly kind: 'takenBack'; readonly takenBack: number; readonly sent: number }
  | { readonly kind: 'failed'; readonly failure: Failure };

export interface CouponMany {
  readonly question: ManyQuestion | null;
  readonly outcome: ManyOutcome | null;
  readonly ask: (productIds: readonly Id[], isEnabled: boolean, outside: number) => Promise<void>;
  readonly cancel: () => void;
  readonly confirm: () => Promise<void>;
  readonly takeProgress: (progress: ManyProgress) => void;
  /** After the slice that is under way; what is done stays done, and is told. */
  readonly stop: () => void;
  readonly undo: () => Promise<void>;
  /** The outcome has been read; or another person is here. */
  readonly forget: () => void;
}

/** Opens it; `onSwitched` hears of every switching and taking back, with what should be chosen from then on. */
export function createCouponMany(
  wall: Wall,
  later: Later,
  onSwitched: (chosen: readonly Id[]) => void,
): StoreApi<CouponMany> {
  let cancelExpiry: (() => void) | null = null;

  return createStore<CouponMany>((set, get) => {
    const setOutcome = (outcome: ManyOutcome | null): void => {
      cancelExpiry?.();
      cancelExpiry = null;
      set({ outcome });
    };

    // By then it has left, and may be refused: what was done here is no longer news. A failure stays until somebody has
    // read it.
    const setOutcomeFor = (forMs: number, outcome: ManyOutcome, afterwards: ManyOutcome | null): void => {
      setOutcome(outcome);
      cancelExpiry = later(forMs, () => set({ outcome: afterwards }));
    };

    return {
      question: null,
      outcome: null,
      async ask(productIds, isEnabled, outside) {
        const question: ManyQuestion = {
          productIds,
          outside,
          isEnabled,
          counted: null,
          isWorking: false,
          progress: null,
          failure: null,
        };
        setOutcome(null);
        set({ question });
        const counted = await wall.call('coupon:countMany', { productIds: [...productIds], isEnabled });
        if (get().question === question) {
          set({
            question: counted.ok ? { ...question, counted: counted.value } : { ...question, failure: counted.failure },
          });
        }
      },
      cancel() {
        if (get().question?.isWorking !== true) {
          set({ question: null });
        }
      },
      async confirm() {
        const { question } = get();
        if (question === null || question.isWorking) {
          return;
        }
        const { productIds, isEnabled } = question;
        set({ question: { ...question, isWorking: true, failure: null } });
        const switched = await wall.call('coupon:switchMany', { productIds: [...productIds], isEnabled });
        if (!switched.ok) {
          set({ question: { ...question, failure: switched.failure } });
          return;
        }
        const answer = switched.value;
        set({ question: null });
        const outcome: ManyOutcome = {
          kind: 'switched',
          isEnabled,
          answer,
          productIds,
          canUndo: answer.undo !== null,
          isWorking: false,
        };
        setOutcomeFor(answer.undoForMs, outcome, answer.failure === null ? null : { ...outcome, canUndo: false });
        // What was not accepted stays chosen, to be tried again.
        onSwitched(answer.failure === null ? [] : productIds);
      },
      takeProgress(progress) {
        const { question } = get();
        if (question?.isWorking === true) {
          set({ question: { ...question, progress } });
        }
      },
      stop() {
        void wall.call('coupon:stopMany', {});
      },
      async undo() {
        const { outcome } = get();
        if (outcome?.kind !== 'switched' || outcome.answer.undo === null || outcome.isWorking) {
          return;
        }
        setOutcome({ ...outcome, isWorking: true });
        const undone = await wall.call('coupon:undoMany', { undo: outcome.answer.undo });
        if (undone.ok) {
          setOutcomeFor(takenBackToldForMs, { kind: 'takenBack', ...undone.value }, null);
        } else {
          setOutcome({ kind: 'failed', failure: undone.failure });
        }
        onSwitched(undone.ok ? outcome.productIds : []);
      },
      forget() {
        setOutcome(null);
        set({ question: null });
      },
    };
  });
}
