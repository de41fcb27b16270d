// Answers that the platform gave one terminal of a shop while a person looked; the others take it in like an answer of
// their own: what was asked for later wins, for a start hears the last ones again, and one may come late.
import { z } from 'zod';
import { idSchema } from '../../contract/basics.ts';
import { parseJsonWithin, writeJsonOrNull } from '../../domain/json.ts';
import type { Id } from '../../domain/int64.ts';
import type { BalanceAnswer } from '../../platform/client.ts';
import { listedElementSchema, type ListedElement } from '../../platform/listing/listed-element.ts';
import type { SharedNews, SharedTexts } from '../../ports.ts';
import type { CatalogueRepository } from '../repository/repository.ts';
import { isNewerBy } from '../repository/row-writer.ts';
import { areAllAsked } from './asked-stocks.ts';
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
    elements: z.array(z.object({ stockId: idSchema, element: listedElementSchema })).max(50),
    /** Those that were asked; absent where it holds for whoever has others, and from former versions. */
    stockIds: z.array(idSchema).max(50).optional(),
  }),
  z.object({
    /** What one listing says of products for which several terminals have waited; former versions pass over it. */
    kind: z.literal('figures'),
    stockId: idSchema,
    elements: z.array(listedElementSchema).max(100),
  }),
]);
/** So that the hub's news keep others beside it. */
const maxFiguresLength = 100_000;
/** Of so many values: each costs whoever hears it some microseconds. */
const maxValues = 25_000;
type Answer = z.infer<typeof answerSchema>;

export type SharedAnswers = ReturnType<typeof createSharedAnswers>;

/** Makes what publishes this terminal's answers; `scope` says of what the catalogue is a copy. */
export function createSharedAnswers(texts: SharedTexts, scope: string) {
  function publish(answer: Answer, atMs: number | null): void {
    const text = writeJsonOrNull(answer);
    if (atMs !== null && text !== null) {
      void texts.publish(scope, { text, atMs });
    }
  }
  return {
    /** The hub's time now, to be noted when something is asked for; null while the hub does not answer. */
    nowMs: (): number | null => texts.nowMs(),
    /** A balance that was asked for at this moment of the hub; nothing is published without one. */
    balance: (stockId: Id, productId: Id, { balance, options, stock }: BalanceAnswer, atMs: number | null) => {
      const copied = options.map((option) => ({ ...option, ids: [...option.ids] }));
      publish({ kind: 'balance', stockId, productId, balance, options: copied, stock }, atMs);
    },
    /** Of a listing by ids. What is too long for the hub, or nested too deep, is left out: whoever waits for it asks. */
    figures: (stockId: Id, elements: readonly ListedElement[], atMs: number | null) => {
      let left = maxFiguresLength;
      // What several rows say of a product stands in the place of each.
      const shown = [...new Set(elements)].filter((element) => {
        const text = writeJsonOrNull(element);
        return text !== null && (left -= text.length) >= 0;
      });
      publish({ kind: 'figures', stockId, elements: shown }, atMs);
    },
    /**
     * An alias that was learned, with the elements of its product; null when one was forgotten. Of the stocks that were
     * asked; null where it holds whichever a terminal has.
     */
    alias: (
      term: string,
      productId: Id | null,
      elements: readonly { readonly stockId: Id; readonly element: ListedElement }[],
      stockIds: readonly Id[] | null,
      atMs: number | null,
    ) => {
      const asked = stockIds === null ? {} : { stockIds: [...stockIds] };
      publish({ kind: 'alias', term, productId, elements: elements.slice(0, 50), ...asked }, atMs);
    },
  };
}

/**
 * Takes in what another terminal has published; `now` is this machine's wall clock. False when it changes nothing, or
 * this version cannot read it. Throws StorageError.
 */
export function takeAnswer(repository: CatalogueRepository, { text, ageMs }: SharedNews, now: number): boolean {
  // Before its beginning lies what no till has asked for: so early a moment could not be read from the copy again.
  const asOf = Math.max(0, now - Math.ceil(ageMs));
  const answer = answerSchema.safeParse(parseJsonWithin(text, maxValues)).data;
  if (answer === undefined) {
    return false;
  }
  if (answer.kind === 'balance') {
    return keepBalance(repository, answer.stockId, answer.productId, answer, asOf);
  }
  return repository.transaction(() => {
    const listed =
      answer.kind === 'alias'
        ? answer.elements
        : answer.elements.map((element) => ({ stockId: answer.stockId, element }));
    // A copy that is complete as of later has what was so then.
    for (const stock of repository.stocks().filter(({ progress }) => !isNewerBy(now, progress.completeAsOf, asOf))) {
      const elements = listed.filter(({ stockId }) => stockId === stock.stockId).map(({ element }) => element);
      const isPart = answer.kind === 'alias'; // As in questions.ts.
      repository.writer.save(stock, elements, { pass: 0, seenSince: 0, askedAt: asOf, isPart });
    }
    if (answer.kind === 'figures') {
      return true;
    }
    const { term, productId, stockIds } = answer;
    const isWhole = stockIds !== undefined && areAllAsked(repository.stocks(), stockIds);
    if (isNewerBy(now, repository.reader.aliasOrigin(term).learnedAt, asOf)) {
      return true;
    }
    if (productId === null && (isWhole || stockIds === undefined)) {
      repository.writer.removeAlias(term, asOf);
    } else if (productId !== null && isWhole) {
      repository.writer.saveAlias(term, productId, asOf, stockIds);
    }
    return true;
  });
}
