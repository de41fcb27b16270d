import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { ProductHit } from '../../app/contract/products.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { choiceOf, groupHits } from '../formats/products.ts';

/** The part of the lookup's store that this file owns. */
export interface Choosing {
  /** Opens a product; of several that a code names, it keeps what the code said. */
  readonly open: (hit: ProductHit, stockIds: readonly Id[]) => Promise<void>;
  /** A person chooses one of several products; what a scale's label says stays, and what it means is remembered. */
  readonly choose: (hit: ProductHit, stockIds: readonly Id[]) => Promise<void>;
  /** All that a scale's label may mean, whatever was chosen for it before. */
  readonly chooseAgain: () => Promise<void>;
}

interface ChoosingParts {
  readonly bridge: Bridge;
  readonly get: () => {
    readonly answer: LookupAnswer | null;
    readonly open: Choosing['open'];
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

/** How a product is chosen from a list: what a code or a scale's label said besides stays on the card. */
export function createChoosing({ bridge, get, begin, show, fail }: ChoosingParts): Choosing {
  return {
    async open(hit, stockIds) {
      const asking = choiceOf(get().answer, hit);
      const text = asking?.text ?? hit.name;
      const sequence = begin(text);
      const others = stockIds.filter((stockId) => stockId !== hit.stockId);
      const { productId } = hit;
      const read = await Promise.all([
        bridge.call('product:read', {
          stockId: hit.stockId,
          productId,
          isOpened: true,
          ...(asking === null ? {} : { text }),
        }),
        ...others.map((stockId) => bridge.call('product:read', { stockId, productId })),
      ]);
      const cards = read.flatMap((one) => (one.ok ? [one.value] : []));
      const first = read[0];
      void get().readRecent();
      if (cards.length > 0) {
        // What the code said besides, such as a date that has passed, is true of whichever was meant.
        const said = asking?.read === undefined ? {} : { read: asking.read };
        const chosenOf = asking === null ? 0 : groupHits(asking.hits).length;
        await show(sequence, { kind: 'found', text, ...said, cards }, false, { chosenStockId: hit.stockId, chosenOf });
      } else if (!first.ok) {
        fail(sequence, first.failure);
      }
    },

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
