import type { CardChannel } from '../../catalogue/calls.ts';
import type { CatalogueAnswer, LabelAnswer } from '../../catalogue/lookup/answers.ts';
import type { CatalogueProduct, ProductPlace } from '../../catalogue/repository/product-reader.ts';
import type { Handlers } from '../../contract/bridge.ts';
import type { LookupAnswer } from '../../contract/lookup.ts';
import type { ProductCard } from '../../contract/products.ts';
import { fail, mapResult, succeed } from '../../domain/result.ts';
import type { Clock } from '../../ports.ts';
import { onlyStorageError } from '../../storage/database.ts';
import type { OpenShop } from '../workspace/open-shop.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { toCard, type ShownCards } from './shown-cards.ts';

/** The contract's answer: the products with their coupons and minimums. */
function withCards(answer: CatalogueAnswer, cardOf: (product: CatalogueProduct) => ProductCard): LookupAnswer {
  return answer.kind === 'found' ? { ...answer, cards: answer.cards.map(cardOf) } : answer;
}

function cardAt(open: Workspace, { stockId, productId }: ProductPlace): ProductCard | null {
  const product = open.catalogue.read(stockId, productId);
  return product === null ? null : toCard(open, product);
}

/** The answer, which says that the choice is kept if it is. */
function keep(open: Workspace, { answer, choice, items }: LabelAnswer, at: number): CatalogueAnswer {
  const { email } = open.session.state();
  if (email === null) {
    return answer;
  }
  try {
    open.labelChoices.keep({ ...choice, at, email }, items);
  } catch (error) {
    // The product is shown all the same; such a label is asked about again.
    onlyStorageError(error);
    return answer;
  }
  return answer.read === undefined ? answer : { ...answer, read: { ...answer.read, chosenAt: at } };
}

/**
 * One handler for each call that answers a product with its coupon and its minimum. `isSomebodyHere`: whether somebody is
 * signed in and at the screen, for whoever only looks something up teaches the terminal nothing, and asks nothing.
 */
export function createCardHandlers(
  withWorkspace: OpenShop['withWorkspace'],
  cards: ShownCards,
  clock: Clock,
  isSomebodyHere: () => boolean,
): Pick<Handlers, CardChannel> {
  function withCoupons(open: Workspace, answer: CatalogueAnswer): LookupAnswer {
    return withCards(answer, (product) => cards.show(open, product));
  }

  return {
    'lookup:find': ({ text, source, isAgain, isChoosing }) =>
      withWorkspace((open) => {
        if (isChoosing === true) {
          return succeed(withCoupons(open, open.catalogue.findChoices(text)));
        }
        if (source === 'program') {
          return succeed(withCards(open.catalogue.peek(text), (product) => toCard(open, product)));
        }
        const { find, findAgain } = open.catalogue;
        return succeed(
          withCoupons(open, isAgain === true ? findAgain(text, source) : find(text, source, isSomebodyHere())),
        );
      }),
    'lookup:ask': ({ text }) =>
      withWorkspace(async (open) => {
        return mapResult(await open.catalogue.ask(text), (answer) => withCoupons(open, answer));
      }),
    'lookup:choose': ({ text, productId }) =>
      withWorkspace((open) => {
        const chosen = open.catalogue.choose(text, productId);
        if (chosen === null) {
          return fail({ kind: 'notFoundHere' });
        }
        const answer = isSomebodyHere() ? keep(open, chosen, clock.now()) : chosen.answer;
        return succeed(withCoupons(open, answer));
      }),
    'product:read': ({ stockId, productId, isOpened, text }) =>
      withWorkspace((open) => {
        const product = open.catalogue.read(stockId, productId);
        if (product !== null && isOpened === true) {
          open.catalogue.noteOpened(product, text);
        }
        return product === null ? fail({ kind: 'notFoundHere' }) : succeed(cards.show(open, product));
      }),
    'product:readMany': ({ places }) => withWorkspace((open) => succeed(places.map((place) => cardAt(open, place)))),
    'product:refresh': ({ stockId, productId }) =>
      withWorkspace(async (open) => {
        return mapResult(await open.catalogue.refresh(stockId, productId), (product) => cards.show(open, product));
      }),
  };
}
