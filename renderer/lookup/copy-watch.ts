import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { ProductCard } from '../../app/contract/products.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { isMiss } from '../formats/products.ts';
import { areOfSame, namedSince, withStocks } from './merge-cards.ts';

export interface CopyWatchPorts {
  readonly bridge: Bridge;
  /** The stocks of the profile, in its order. */
  readonly stockIds: () => readonly Id[];
  /** Whether a dialog is open, and when none is any more. */
  readonly dialogs: { readonly isOpen: () => boolean; readonly closed: () => Promise<void> };
}

/** What the watch uses of the lookup's store. */
interface Watched {
  readonly set: (change: { readonly answer: LookupAnswer }) => void;
  readonly get: () => {
    readonly answer: LookupAnswer | null;
    readonly answered: number;
    readonly chosenStockId: Id | null;
    readonly takeCard: (card: ProductCard) => void;
    readonly readRecent: () => Promise<void>;
  };
}

interface Turns {
  readonly newest: number;
  readonly given: { readonly text: string; readonly source: 'scan' | 'typed' } | null;
  readonly isCurrent: (sequence: number) => boolean;
}

interface Change {
  readonly chosenStockId?: null;
  readonly chosenOf?: number;
  readonly scanned?: number;
}

/** Looks again when the copy has grown: invariants 6 and 9 of lookup-store.ts. */
export function createCopyWatch(
  { bridge, dialogs, stockIds }: CopyWatchPorts,
  { set, get }: Watched,
  turns: Turns,
  show: (sequence: number, answer: LookupAnswer, isFresh: boolean, more: Change) => Promise<void>,
) {
  let isLooking = false;
  let isDue = false;

  /** The product that is shown, in all stocks; changes of what is read so are told from then on. */
  const read = async (): Promise<readonly ProductCard[]> => {
    const { answer } = get();
    const productId = answer?.kind === 'found' ? answer.cards[0]?.productId : undefined;
    const places = productId === undefined ? [] : stockIds().map((stockId) => ({ stockId, productId }));
    const cards = await Promise.all(places.map((place) => bridge.call('product:read', place)));
    // One that could not be read may be there.
    return cards.some((card) => !card.ok && card.failure.kind !== 'notFoundHere')
      ? []
      : cards.flatMap((card) => (card.ok ? [card.value] : []));
  };

  const look = async (): Promise<void> => {
    const { newest: sequence, given } = turns;
    const stands = (): boolean => turns.isCurrent(sequence) && get().answered === sequence && get().answer !== null;
    if (!stands()) {
      return;
    }
    const found = given === null ? null : await bridge.call('lookup:find', { ...given, isAgain: true });
    const cards = await read();
    if (!stands()) {
      return;
    }
    if (dialogs.isOpen()) {
      isDue = true; // 9
      return;
    }
    const { answer: shown, readRecent } = get();
    if (isMiss(shown) && found?.ok === true && isMiss(found.value)) {
      set({ answer: { ...found.value, asked: shown.asked === true } });
      if (found.value.kind !== shown.kind) {
        void readRecent();
      }
      return;
    }
    cards.forEach(get().takeCard);
    const named = isMiss(shown) || found?.ok !== true ? null : namedSince(shown, found.value);
    const next =
      isMiss(shown) && found?.ok === true
        ? found.value
        : (named ?? withStocks(get().answer, cards, get().chosenStockId));
    if (next !== null) {
      void readRecent();
      // Another product is told as a scan's is, however the code came.
      const isNews = !isMiss(shown) && !areOfSame(shown, next);
      await show(sequence, next, false, {
        ...(isMiss(shown) || named !== null ? { chosenStockId: null, chosenOf: 0 } : {}),
        ...(isNews ? { scanned: sequence } : {}),
      });
    }
  };

  return {
    readAgain: async (): Promise<void> => (await read()).forEach(get().takeCard),
    noticeCopy: async (): Promise<void> => {
      isDue = true;
      if (isLooking) {
        return;
      }
      isLooking = true;
      while (isDue) {
        if (dialogs.isOpen()) {
          await dialogs.closed();
        }
        isDue = false;
        await look();
      }
      isLooking = false;
    },
  };
}
