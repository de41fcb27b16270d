// The live figure of a product on the screen: asked for by itself, or by one listing with those for which other tills
// wait; or another till has asked for it (H15 of app/hub/document.ts).
import type { Failure } from '../../domain/failure.ts';
import type { Id } from '../../domain/int64.ts';
import { fail, mapResult, succeed, type Result } from '../../domain/result.ts';
import type { FiguresAnswer } from '../../platform/client.ts';
import type { ListedElement } from '../../platform/listing/listed-element.ts';
import { perhapsOfQuestion } from '../refusals.ts';
import type { CatalogueProduct, ProductPlace } from '../repository/product-reader.ts';
import type { StockRow } from '../repository/repository.ts';
import { keepBalance } from './live-balance.ts';
import type { QuestionPorts } from './questions.ts';

/** Two terminals read the time apart by less than this, in milliseconds. */
const sameMomentMs = 1_000;

/** A platform that lists nothing by ids is asked for figures alone for so long. */
const restMs = 3_600_000;

type ListedFigures = Extract<FiguresAnswer, { readonly kind: 'listing' }>;

/** When a request left: in milliseconds since 1970, and in the hub's time. */
interface Moments {
  readonly asked: number;
  readonly shared: number | null;
}

interface Waiting {
  readonly place: ProductPlace;
  readonly askedAt: number;
  readonly heard: AbortController;
}

/** What is of all that was asked for, and has a figure. */
function withFigure(elements: readonly ListedElement[], productIds: readonly Id[]): readonly ListedElement[] {
  return elements.filter(
    ({ product }) => product !== null && product.balance !== null && productIds.includes(product.productId),
  );
}

/** Asks for live figures over a store and a client. */
export function createLiveFigures({ repository, client, clock, shared, onStored }: QuestionPorts) {
  const waiting = new Set<Waiting>();
  /** The platform has listed nothing by ids: until then each figure is asked for by itself, by uptime. */
  let restsUntilMs = -Infinity;

  const stockOf = (place: ProductPlace) => repository.stocks().find(({ stockId }) => stockId === place.stockId);

  function cardOf({ stockId, productId }: ProductPlace): CatalogueProduct | null {
    const row = repository.reader.find(stockId, productId);
    return row === null ? null : repository.reader.card(row);
  }

  /** Who is refused the stock asks for itself, lest it be shown what its user may not see (decision 40). */
  function mayJoin(place: ProductPlace): boolean {
    // mutant: a till that is refused a stock joins others' questions (H15)
    const isAllowed = stockOf(place)?.progress.refused === null;
    return shared !== null && shared !== undefined && isAllowed && clock.uptimeMs() >= restsUntilMs;
  }

  function keepListed(stock: StockRow, { productIds, elements }: ListedFigures, atMs: Moments): readonly Id[] {
    const listed = withFigure(elements.ok ? elements.value : [], productIds);
    if (listed.length === 0) {
      // mutant: a platform that lists nothing by ids is asked for a listing each time (H15)
      restsUntilMs = clock.uptimeMs() + restMs;
    }
    repository.writer.save(stock, listed, { pass: 0, seenSince: 0, askedAt: atMs.asked });
    // mutant: what others wait for is not shared with them (H15)
    shared?.figures(stock.stockId, listed, atMs.shared);
    return listed.flatMap(({ product }) => product?.productId ?? []);
  }

  /** Keeps the answer. Answers false where it says nothing of this product, which is then to be asked for by itself. */
  async function ask(place: ProductPlace, joins: boolean, whileWanted: AbortSignal): Promise<Result<boolean, Failure>> {
    // All that is known of a figure's age: however late the answer comes, what was asked for since the request left is
    // newer (W2 of product-writer.ts).
    let atMs: Moments = { asked: clock.now(), shared: shared?.nowMs() ?? null };
    const onLeaving = (): void => {
      atMs = { asked: clock.now(), shared: shared?.nowMs() ?? null };
    };
    const options = { lane: 'person', whileWanted, onLeaving } as const;
    const answer: Result<FiguresAnswer, Failure> = joins
      ? await client.readFigures(place, options)
      : mapResult(await client.readBalance(place, options), (balance) => ({ kind: 'balance', balance }));
    const stock = repository.isOpen() ? stockOf(place) : undefined;
    if (!answer.ok || stock === undefined) {
      return answer.ok ? fail({ kind: 'notReady' }) : answer;
    }
    if (answer.value.kind === 'listing') {
      const { elements } = answer.value;
      if (!elements.ok && !perhapsOfQuestion.has(elements.failure.kind)) {
        return elements;
      }
      const kept = keepListed(stock, answer.value, atMs);
      onStored();
      return succeed(kept.includes(place.productId));
    }
    const { balance } = answer.value;
    keepBalance(repository, place.stockId, place.productId, balance, atMs.asked);
    shared?.balance(place.stockId, place.productId, balance, atMs.shared);
    onStored();
    return succeed(true);
  }

  return {
    /** Fails as the client does, or with `notFoundHere` or `notReady`. Throws StorageError. */
    read: async (place: ProductPlace, whileWanted: AbortSignal): Promise<Result<CatalogueProduct, Failure>> => {
      const one: Waiting = { place, askedAt: clock.now(), heard: new AbortController() };
      const joins = mayJoin(place);
      if (joins) {
        waiting.add(one);
      }
      const signal = AbortSignal.any([whileWanted, one.heard.signal]);
      try {
        const answer = await ask(place, joins, signal);
        const last = answer.ok && !answer.value ? await ask(place, false, signal) : answer;
        if (!last.ok && !one.heard.signal.aborted) {
          return last;
        }
      } finally {
        waiting.delete(one);
      }
      const card = repository.isOpen() ? cardOf(place) : null;
      return card === null ? fail({ kind: 'notFoundHere' }) : succeed(card);
    },
    /** Another terminal has shared something: who waits for a figure that has come is answered. Throws StorageError. */
    noticeShared: (): void => {
      for (const { place, askedAt, heard } of waiting) {
        const asOf = cardOf(place)?.balance.asOf ?? null;
        // One of a moment still to come is from before the clock was set back (W2).
        // mutant: a figure from before it was asked for answers a scan (H15)
        if (asOf !== null && asOf >= askedAt - sameMomentMs && asOf <= clock.now()) {
          heard.abort();
        }
      }
    },
  };
}
