import type { Failure } from '../../domain/failure.ts';
import type { Id } from '../../domain/int64.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { ScanReading } from '../../domain/codes/scan.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { ListedElement } from '../../platform/listing/listed-element.ts';
import type { Clock } from '../../ports.ts';
import type { RowNumber } from '../repository/product-reader.ts';
import type { CatalogueRepository } from '../repository/repository.ts';
import { askedStocks } from './asked-stocks.ts';
import type { SharedAnswers } from './shared-answers.ts';
import {
  carriesAsItCame,
  findCode,
  isItemTerm,
  isLearnable,
  isNamedBy,
  nearestTermsOf,
  termsOf,
} from './code-lookup.ts';

const termPageSize = 50;
export const maxTermLength = 200;

/**
 * The products that the platform found by one term; `isWhole` when none refuses or fails to answer, `isNamed` when
 * the term names all of them (C5), `unreadable` how many could not be read.
 */
interface Asked {
  readonly rows: readonly RowNumber[];
  readonly isWhole: boolean;
  readonly isNamed: boolean;
  readonly unreadable: number;
}

export interface QuestionPorts {
  readonly repository: CatalogueRepository;
  readonly client: PlatformClient;
  readonly clock: Clock;
  /** Absent where no other terminal is shown what comes. */
  readonly shared?: SharedAnswers | null;
  /** Called when an answer of the platform was stored. */
  readonly onStored: () => void;
}

type Page = { readonly stockId: Id; readonly elements: readonly ListedElement[]; readonly askedAt: number };

function elementsOf(pages: readonly Page[], productId: Id) {
  return pages.flatMap(({ stockId, elements }) =>
    elements.filter((element) => element.product?.productId === productId).map((element) => ({ stockId, element })),
  );
}

const closed: Result<never, Failure> = fail({ kind: 'notReady' });

/** What was asked, unless the copy was closed since it was kept; to be called right after it was waited for. */
export function whileOpen<Value>(
  repository: CatalogueRepository,
  asked: Result<Value, Failure>,
): Result<Value, Failure> {
  return asked.ok && !repository.isOpen() ? closed : asked;
}

/** Asks the platform for terms (API v3 §4.3), and keeps what comes. */
export function createQuestions({ repository, client, clock, shared, onStored }: QuestionPorts) {
  const { reader, writer } = repository;

  /** Keeps the stocks' answers to one term. */
  function keepAnswers(
    reading: ScanReading,
    term: string,
    pages: readonly Page[],
    { isAnswered, isOfAll }: { readonly isAnswered: boolean; readonly isOfAll: boolean },
    sharedAtMs: number | null,
  ): Omit<Asked, 'isWhole'> {
    return repository.transaction(() => {
      let unreadable = 0;
      for (const stock of repository.stocks()) {
        for (const { elements, askedAt } of pages.filter((page) => page.stockId === stock.stockId)) {
          // A term may name one of a product's rows, such as a size by its barcode.
          const found = { pass: 0, seenSince: 0, askedAt, isPart: true };
          unreadable += writer.save(stock, elements, found).unreadable;
        }
      }
      const rows = pages.flatMap(({ stockId, elements }) =>
        elements.flatMap(({ product }) => (product === null ? [] : (reader.find(stockId, product.productId) ?? []))),
      );
      // mutant: a fragment of a code is learnt as the code (I17)
      const isNamed =
        unreadable === 0 && pages.every(({ elements }) => elements.every((element) => isNamedBy(element, term)));
      const productIds = new Set(rows.flatMap((row) => reader.hit(row)?.productId ?? []));
      const [only] = productIds;
      const known = findCode(reader, reading, null);
      // An element that cannot be read may be the product that the term names.
      // mutant: a code is learned though a product that it may mean could not be read
      const isComplete = isAnswered && unreadable === 0;
      const isOfSeveral = productIds.size > 1 && isNamed;
      const stockIds = pages.map(({ stockId }) => stockId);
      if (isComplete && isLearnable(reading, term) && (known === null || known.alias === term)) {
        // K3
        if (only !== undefined && productIds.size === 1 && isNamed) {
          writer.saveAlias(term, only, clock.now(), stockIds);
          shared?.alias(term, only, elementsOf(pages, only), stockIds, sharedAtMs);
        } else if (isOfAll || isOfSeveral) {
          writer.removeAlias(term, clock.now());
          if (known !== null) {
            shared?.alias(term, null, [], isOfSeveral ? null : stockIds, sharedAtMs);
          }
        } else {
          // Of a stock that is refused, or not asked, nobody knows whether the product has left it.
          writer.noteAsked(term, stockIds);
        }
      }
      return { rows: [...new Set(rows)], isNamed, unreadable };
    });
  }

  /**
   * Asks each stock for one term and keeps what came; the rows of it. One that the platform refuses is not asked, unless
   * all are. Fails when nothing came and a stock could not be asked. Throws StorageError.
   */
  async function askFor(reading: ScanReading, term: string, whileWanted: AbortSignal): Promise<Result<Asked, Failure>> {
    const all = repository.stocks();
    const stocks = askedStocks(all);
    const [askedAt, sharedAtMs] = [clock.now(), shared?.nowMs() ?? null];
    const answers = await Promise.all(
      stocks.map(async ({ stockId }) => ({
        stockId,
        answer: await client.listStockProducts(
          {
            stockId,
            page: 1,
            perPage: termPageSize,
            term: term.slice(0, maxTermLength),
            orderByField: 'code',
            orderByType: 'asc',
            // Which products come without it is not said (API v3 §4.3).
            amountInStock: 'all',
          },
          { lane: 'person', whileWanted },
        ),
      })),
    );
    if (!repository.isOpen()) {
      return closed;
    }
    // What several rows say of a product stands in the place of each.
    const pages = answers.flatMap(({ stockId, answer }) =>
      answer.ok ? [{ stockId, elements: [...new Set(answer.value.elements)].slice(0, 100), askedAt }] : [],
    );
    const failed = answers.find(({ answer }) => !answer.ok)?.answer;
    const isAnswered = failed === undefined;
    const isWhole = isAnswered && all.every(({ progress }) => progress.refused === null);
    const isOfAll = isAnswered && stocks.length === all.length;
    const asked = { ...keepAnswers(reading, term, pages, { isAnswered, isOfAll }, sharedAtMs), isWhole };
    if (asked.rows.length > 0) {
      onStored();
    }
    return asked.rows.length === 0 && failed?.ok === false ? fail(failed.failure) : succeed(asked);
  }

  return {
    askFor,
    /**
     * Asks for the terms of a reading, the nearest first, until a product carries the code as it came; for what the copy
     * has found already. Fails as `askFor` does. Throws StorageError.
     */
    async askNearest(reading: ScanReading, whileWanted: AbortSignal): Promise<Result<Pick<Asked, 'isWhole'>, Failure>> {
      let isWhole = true;
      for (const term of nearestTermsOf(reading)) {
        const asked = whileOpen(repository, await askFor(reading, term, whileWanted));
        if (!asked.ok) {
          return asked;
        }
        isWhole &&= asked.value.isWhole;
        if (carriesAsItCame(reader, reading)) {
          break;
        }
      }
      return succeed({ isWhole });
    },
    /**
     * Asks for the terms of a reading, one after another, until one has found something; null where it has none. Fails
     * as `askFor` does. Throws StorageError.
     */
    async askForAll(reading: ScanReading, whileWanted: AbortSignal): Promise<Result<Asked | null, Failure>> {
      let last: Asked | null = null;
      let unreadable = 0;
      const terms = termsOf(reading);
      for (const [place, term] of terms.entries()) {
        const asked = whileOpen(repository, await askFor(reading, term, whileWanted));
        if (!asked.ok) {
          return asked;
        }
        unreadable = Math.max(unreadable, asked.value.unreadable);
        last = { ...asked.value, ...(isItemTerm(reading, term) ? { rows: [], isNamed: true } : {}), unreadable };
        // Another layout may lead to another product (C6).
        const isNextItem = isItemTerm(reading, terms[place + 1] ?? reading.text);
        if (last.rows.length > 0 || (!isNextItem && findCode(reader, reading, null) !== null)) {
          break;
        }
      }
      return succeed(last);
    },
  };
}
