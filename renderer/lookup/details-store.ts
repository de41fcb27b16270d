//   1. Only what belongs to the newest opening or choice is ever shown.
//   2. What this terminal has kept is shown at once; the platform's answer takes its place.
//   3. An answer about chosen options never stands for the whole.
import type { StoreApi } from 'zustand/vanilla';
import type { ProductMovements, ReadBatches } from '../../app/contract/details.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { MakeStore } from '../stores/make-store.ts';

/** One of the two things that are asked for. */
export interface DetailsPart<Answer> {
  /** About all options together; null when nobody knows yet. */
  readonly whole: Answer | null;
  /** About the chosen options alone; null while none are chosen, and until the answer comes. */
  readonly chosen: Answer | null;
  readonly isReading: boolean;
  readonly failure: Failure | null;
}

export interface DetailsStore {
  readonly productId: Id | null;
  readonly stockId: Id | null;
  /** The ids of the options that a person has chosen; empty for all together. */
  readonly optionIds: readonly Id[];
  readonly movements: DetailsPart<ProductMovements>;
  readonly batches: DetailsPart<ReadBatches>;

  readonly open: (stockId: Id, productId: Id) => Promise<void>;
  readonly choose: (optionIds: readonly Id[]) => Promise<void>;
  readonly readAgain: () => Promise<void>;
  readonly close: () => void;
}

const nothing = { whole: null, chosen: null, isReading: false, failure: null };
const closed = { productId: null, stockId: null, optionIds: [], movements: nothing, batches: nothing };

/** Begins closed; `cannotAsk` says that the platform may not be asked just now. */
export function createDetailsStore(make: MakeStore, bridge: Bridge, cannotAsk: () => boolean): StoreApi<DetailsStore> {
  return make<DetailsStore>({ end: ({ close }) => close(), passesOn: true }, (set, get) => {
    let newest = 0;

    function taken<Answer>(
      part: DetailsPart<Answer>,
      answer: Result<Answer, Failure>,
      isWhole: boolean,
    ): DetailsPart<Answer> {
      const read = answer.ok ? { [isWhole ? 'whole' : 'chosen']: answer.value } : {};
      return { ...part, ...read, isReading: false, failure: answer.ok ? null : answer.failure };
    }

    const ask = async (): Promise<void> => {
      newest += 1;
      const mine = newest;
      const { stockId, productId, optionIds, movements, batches } = get();
      if (stockId === null || productId === null || cannotAsk()) {
        return;
      }
      const begun = { chosen: null, isReading: true, failure: null };
      set({ movements: { ...movements, ...begun }, batches: { ...batches, ...begun } });
      const input = { stockId, productId, optionIds: [...optionIds] };
      const isWhole = optionIds.length === 0;
      await Promise.all([
        bridge.call('product:readMovements', input).then((answer) => {
          if (mine === newest) {
            set({ movements: taken(get().movements, answer, isWhole) });
          }
        }),
        bridge.call('product:readBatches', input).then((answer) => {
          if (mine === newest) {
            set({ batches: taken(get().batches, answer, isWhole) });
          }
        }),
      ]);
    };

    return {
      ...closed,

      async open(stockId, productId) {
        newest += 1;
        const mine = newest;
        set({ ...closed, stockId, productId });
        const kept = await bridge.call('product:readKept', { stockId, productId });
        if (mine !== newest) {
          return;
        }
        if (kept.ok) {
          set({
            movements: { ...nothing, whole: kept.value.movements },
            batches: { ...nothing, whole: kept.value.batches },
          });
        }
        await ask();
      },

      async choose(optionIds) {
        set({ optionIds });
        await ask();
      },

      readAgain: ask,

      close() {
        if (get().productId !== null) {
          newest += 1;
          set(closed);
        }
      },
    };
  });
}
