import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { ProductHit } from '../../app/contract/products.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { asksWhich, choiceOf, groupHits, type Question } from '../formats/products.ts';

/** The part of the lookup's store that this file owns. */
export interface Choosing {
  /** Opens a product from elsewhere than a list that asks: it is no answer to a question that may still stand. */
  readonly open: (hit: ProductHit, stockIds: readonly Id[]) => Promise<void>;
  /** A person takes a line of the answer's list: of several that a code names, what the code said besides stays. */
  readonly choose: (hit: ProductHit, stockIds: readonly Id[]) => Promise<void>;
  /** The list of which this product was chosen; a scale's label with all that it may mean, whatever was chosen before. */
  readonly chooseAgain: () => Promise<void>;
  /** Shows the product that was shown to whoever is here again. */
  readonly bringBack: (shown: Shown) => void;
}

interface Shown {
  readonly answer: LookupAnswer | null;
  readonly chosenStockId: Id | null;
  readonly chosenOf: number;
}

interface ChoosingParts {
  readonly bridge: Bridge;
  readonly get: () => {
    readonly answer: LookupAnswer | null;
    readonly answered: number;
    readonly find: (text: string, source: 'typed') => Promise<void>;
    readonly readRecent: () => Promise<void>;
  };
  /** Whether nothing was asked after this. */
  readonly isCurrent: (sequence: number) => boolean;
  /** The number of a new lookup, with this text in the field. */
  readonly begin: (text: string) => number;
  readonly show: (
    sequence: number,
    answer: LookupAnswer,
    isFresh: boolean,
    chosen?: Omit<Shown, 'answer'>,
  ) => Promise<void>;
  readonly fail: (sequence: number, failure: Failure) => void;
}

interface Asked {
  readonly answer: LookupAnswer | null;
  readonly answered: number;
  readonly sequence: number;
  readonly text: string;
}

/** Whether the answer asks which product is meant, and nothing has been typed since. */
export function isUntouchedQuestion({ answer, answered, sequence, text }: Asked): boolean {
  return asksWhich(answer) && answered === sequence && text === answer.text;
}

/** How a product is chosen from a list: what a code or a scale's label said besides stays on the card. */
export function createChoosing({ bridge, get, isCurrent, begin, show, fail }: ChoosingParts): Choosing {
  /** `asking`: the question that the product answers; null when it was opened from elsewhere. */
  async function openFor(asking: Question | null, hit: ProductHit, stockIds: readonly Id[]): Promise<void> {
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
      // The code's other facts, such as a date that has passed, are true of whichever product was meant.
      const facts = asking?.read === undefined ? {} : { read: asking.read };
      const chosenOf = asking === null ? 0 : groupHits(asking.hits).length;
      await show(sequence, { kind: 'found', text, ...facts, cards }, false, { chosenStockId: hit.stockId, chosenOf });
    } else if (!first.ok) {
      fail(sequence, first.failure);
    }
  }

  return {
    open: (hit, stockIds) => openFor(null, hit, stockIds),

    bringBack({ answer, chosenStockId, chosenOf }) {
      if (answer?.kind === 'found') {
        void show(begin(answer.text), answer, true, { chosenStockId, chosenOf });
      }
    },

    async choose(hit, stockIds) {
      const { answer, answered, readRecent } = get();
      if (!isCurrent(answered)) {
        // Another code was scanned since: its answer is on its way, and this list is gone.
        return;
      }
      const asking = choiceOf(answer, hit);
      if (asking?.read?.as !== 'scaleLabel') {
        await openFor(asking, hit, stockIds);
        return;
      }
      const sequence = begin(asking.text);
      const chosen = await bridge.call('lookup:choose', { text: asking.text, productId: hit.productId });
      void readRecent();
      if (!chosen.ok) {
        fail(sequence, chosen.failure);
        return;
      }
      // A card that says when it was chosen leads back by itself; one that is remembered nowhere does not.
      const isKept = chosen.value.kind === 'found' && chosen.value.read?.chosenAt !== undefined;
      await show(sequence, chosen.value, false, {
        chosenStockId: hit.stockId,
        chosenOf: isKept ? 0 : groupHits(asking.hits).length,
      });
    },

    async chooseAgain() {
      const { answer, find } = get();
      if (answer?.kind !== 'found') {
        return;
      }
      if (answer.read?.as !== 'scaleLabel') {
        await find(answer.text, 'typed');
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
