import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { ProductHit } from '../../app/contract/products.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Bridge } from '../bridge/bridge.ts';

/** The part of the lookup's store that this file owns. */
export interface LabelChoosing {
  /** A person chooses one of several products; what a scale's label says stays, and what it means is remembered. */
  readonly choose: (hit: ProductHit, stockIds: readonly Id[]) => Promise<void>;
  /** All that a scale's label may mean, whatever was chosen for it before. */
  readonly chooseAgain: () => Promise<void>;
}

interface LabelParts {
  readonly bridge: Bridge;
  readonly get: () => {
    readonly answer: LookupAnswer | null;
    readonly open: LabelChoosing['choose'];
    readonly readRecent: () => Promise<void>;
  };
  /** The number of a new lookup, with this text in the field. */
  readonly begin: (text: string) => number;
  readonly show: (
    sequence: number,
    answer: LookupAnswer,
    isFresh: boolean,
    chosen?: { readonly chosenStockId: Id; readonly chosenOf: number },
  ) => Promise<void>;
  readonly fail: (sequence: number, failure: Failure) => void;
}

/** Choosing what a scale's label means: what the label says stays on the card. */
export function createLabelChoice({ bridge, get, begin, show, fail }: LabelParts): LabelChoosing {
  return {
    async choose(hit, stockIds) {
      const { answer, open, readRecent } = get();
      if (answer?.kind !== 'several' || answer.read?.as !== 'scaleLabel') {
        await open(hit, stockIds);
        return;
      }
      const sequence = begin(answer.text);
      const chosen = await bridge.call('lookup:choose', { text: answer.text, productId: hit.productId });
      void readRecent();
      if (chosen.ok) {
        // The card itself says that it was chosen, and leads back.
        await show(sequence, chosen.value, false, { chosenStockId: hit.stockId, chosenOf: 0 });
      } else {
        fail(sequence, chosen.failure);
      }
    },

    async chooseAgain() {
      const { answer } = get();
      if (answer?.kind !== 'found') {
        return;
      }
      const sequence = begin(answer.text);
      const found = await bridge.call('lookup:find', { text: answer.text, source: 'scan', isChoosing: true });
      if (found.ok) {
        await show(sequence, found.value, false);
      } else {
        fail(sequence, found.failure);
      }
    },
  };
}
