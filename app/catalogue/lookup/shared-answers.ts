// What the platform has answered one terminal of a shop while a person looked; the others take it in like an answer of
// their own (W2 of product-writer.ts: what was asked for later wins).
import { z } from 'zod';
import { idSchema } from '../../contract/basics.ts';
import { parseJson, writeJson } from '../../domain/json.ts';
import type { Id } from '../../domain/int64.ts';
import type { BalanceAnswer } from '../../platform/client.ts';
import type { Clock, SharedNews, SharedTexts } from '../../ports.ts';
import type { CatalogueStore } from '../store/store.ts';
import { keepBalance } from './live-balance.ts';

const answerSchema = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('balance'),
    stockId: idSchema,
    productId: idSchema,
    balance: z.number(),
    options: z.array(z.object({ name: z.string(), amount: z.number().nullable(), ids: z.array(idSchema) })),
    stock: z.object({ id: idSchema.nullable(), name: z.string().nullable() }),
  }),
  z.object({
    /** The platform names this product for the term; null when it no longer names the one that was known. */
    kind: z.literal('alias'),
    term: z.string().max(200),
    productId: idSchema.nullable(),
    elements: z.array(z.object({ stockId: idSchema, element: z.unknown() })).max(50),
  }),
]);
type Answer = z.infer<typeof answerSchema>;

export interface SharedAnswers {
  /** A balance that was asked for at this uptime. */
  balance(stockId: Id, productId: Id, answer: BalanceAnswer, askedMs: number): void;
  /** An alias that was learned, with the elements of its product; null when one was forgotten. */
  alias(
    term: string,
    productId: Id | null,
    elements: readonly { readonly stockId: Id; readonly element: unknown }[],
    askedMs: number,
  ): void;
}

/** Makes what publishes this terminal's answers; `scope` says of what the catalogue is a copy. */
export function createSharedAnswers(texts: SharedTexts, clock: Pick<Clock, 'uptimeMs'>, scope: string): SharedAnswers {
  function publish(answer: Answer, askedMs: number): void {
    const nowMs = texts.nowMs();
    if (nowMs !== null) {
      void texts.publish(scope, { text: writeJson(answer), atMs: nowMs - (clock.uptimeMs() - askedMs) });
    }
  }
  return {
    balance: (stockId, productId, { balance, options, stock }, askedMs) => {
      const copied = options.map((option) => ({ ...option, ids: [...option.ids] }));
      publish({ kind: 'balance', stockId, productId, balance, options: copied, stock }, askedMs);
    },
    alias: (term, productId, elements, askedMs) => {
      publish({ kind: 'alias', term, productId, elements: elements.slice(0, 50) }, askedMs);
    },
  };
}

/** Calls back with what others publish of this copy, and when it was asked for by this machine's wall clock. */
export function listenToAnswers(
  {
    texts,
    clock,
    fingerprint,
  }: { readonly texts?: SharedTexts | null; readonly clock: Clock; readonly fingerprint: string },
  listener: (news: SharedNews, asOf: number) => void,
): () => void {
  const stop = texts?.listen(fingerprint, (news) => {
    const nowMs = texts.nowMs();
    if (nowMs !== null) {
      listener(news, clock.now() - Math.ceil(nowMs - news.atMs));
    }
  });
  return () => stop?.();
}

/**
 * Takes in what another terminal has published; `asOf` is when it was asked for, by this machine's wall clock. False
 * when it changes nothing, or this version cannot read it. Throws StorageError.
 */
export function takeAnswer(store: CatalogueStore, { text }: SharedNews, asOf: number): boolean {
  const answer = answerSchema.safeParse(parseJson(text)).data;
  if (answer === undefined) {
    return false;
  }
  if (answer.kind === 'balance') {
    return keepBalance(store, answer.stockId, answer.productId, answer, asOf);
  }
  return store.transaction(() => {
    for (const stock of store.stocks()) {
      const elements = answer.elements.filter(({ stockId }) => stockId === stock.stockId).map(({ element }) => element);
      store.writer.save(stock, elements, { pass: 0, seenSince: 0, askedAt: asOf });
    }
    if (answer.productId === null) {
      store.writer.removeAlias(answer.term);
    } else {
      store.writer.saveAlias(answer.term, answer.productId, asOf);
    }
    return true;
  });
}
