// Owns the answer to a scanned or typed text: first from this terminal's copy, at once; then, when a person wants more, from the
// platform in the lane of a waiting person. Never copies a listing, and never waits where the copy can answer.
//
//   text ─▶ unreadable? ─▶ barcode ─▶ alias ─▶ product code ─▶ id ─▶ UPC-E of six digits ─▶ typed: name and code ─▶ a miss
//
//   K1  The first step that finds anything answers; a scan is exact and never searched in names.
//   K2  A miss says which it is: a wrong check digit, not copied yet, or unknown.
//   K3  A code that the platform resolved to one product is remembered as an alias of it.
//   K4  The same balance asked for twice at a time is one request.
import type { LookupAnswer, RecentLookup } from '../contract/contract.ts';
import { cleanCode, expandUpcE, hasWrongCheckDigit } from '../domain/barcode.ts';
import type { Failure } from '../domain/failure.ts';
import { parseId, type Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { PlatformClient } from '../platform/client.ts';
import type { Clock } from '../ports.ts';
import { StorageError } from '../storage/database.ts';
import { readElement } from './element.ts';
import type { CatalogueHit, CatalogueProduct, RowNumber } from './product-reader.ts';
import type { CatalogueStore } from './store.ts';

const mostCards = 50;
const mostHits = 200;
/** Stocks that one question to the platform goes to; each costs a request of the allowance. */
const mostStocksAsked = 5;
const termPageSize = 50;
const longestTerm = 200;

type Miss = Exclude<LookupAnswer, { kind: 'found' | 'several' }>;
/** The contract's answer before the coupons are put onto its cards. */
export type CatalogueAnswer = { readonly kind: 'found'; readonly text: string; readonly cards: readonly CatalogueProduct[] } | Extract<LookupAnswer, { kind: 'several' }> | Miss;

export interface LookupPorts {
  readonly store: CatalogueStore;
  readonly client: PlatformClient;
  readonly clock: Clock;
  /** When the running full listing will be complete, in milliseconds since 1970; null when unknown. */
  readonly completeAt: () => number | null;
  /** Called when an answer of the platform was stored. */
  readonly onStored: () => void;
}

export interface Lookup {
  /** Answers from the copy alone and remembers it among the recent ones. Throws StorageError. */
  find(text: string, source: 'scan' | 'typed'): CatalogueAnswer;
  /** Asks the platform (API v3 §4.3 `term`), keeps what came, and answers. Fails as the client does. Throws StorageError. */
  ask(text: string, signal?: AbortSignal): Promise<Result<CatalogueAnswer, Failure>>;
  /** Search as you type in the copy. Throws StorageError. */
  search(text: string, limit: number): readonly CatalogueHit[];
  /** The last 100 lookups, newest first. Throws StorageError. */
  recent(): readonly RecentLookup[];
  /** One product from the copy; null when it is not there. Throws StorageError. */
  read(stockId: Id, productId: Id): CatalogueProduct | null;
  /** A person has opened this product from a list: it joins the recent ones. Throws StorageError. */
  noteOpened(product: CatalogueProduct): void;
  /** The name and code of a product in whatever stock has it; null when none does. Throws StorageError. */
  nameOf(productId: Id): { readonly name: string; readonly code: string | null } | null;
  /** Reads a balance from the platform (API v3 §4.4) and keeps it. Fails as the client does, or with `notFoundHere` or `notReady`. Throws StorageError. */
  refresh(stockId: Id, productId: Id): Promise<Result<CatalogueProduct, Failure>>;
}

/** Six characters or more, four of them digits, no blanks: what a label carries rather than what a person calls a thing. */
function looksScanned(text: string): boolean {
  return /^[!-~]{6,100}$/.test(text) && text.replaceAll(/\D/g, '').length >= 4 && !hasWrongCheckDigit(text);
}

/** Opens the lookup over a store and a client. */
export function openLookup({ store, client, clock, completeAt, onStored }: LookupPorts): Lookup {
  const { reader, writer, recent } = store;
  // In the profile's order, which stays the same while the store is open.
  const places = store.stocks().map((stock) => stock.stockId);
  const refreshing = new Map<string, Promise<Result<CatalogueProduct, Failure>>>();

  function found(text: string, rows: readonly RowNumber[]): CatalogueAnswer | null {
    const cards = rows.slice(0, mostCards).flatMap((row) => reader.card(row) ?? []);
    // The recent lookups keep the first card.
    cards.sort((one, other) => places.indexOf(one.stockId) - places.indexOf(other.stockId));
    return cards.length === 0 ? null : { kind: 'found', text, cards };
  }

  function several(text: string, rows: readonly RowNumber[]): CatalogueAnswer | null {
    const hits = rows.slice(0, mostHits).flatMap((row) => reader.hit(row) ?? []);
    const isOneProduct = new Set(hits.map((hit) => hit.productId)).size === 1;
    return hits.length === 0 ? null : isOneProduct ? found(text, rows) : { kind: 'several', text, hits };
  }

  function exactRows(text: string): readonly RowNumber[] {
    const id = parseId(text);
    const upcE = text.length === 6 ? expandUpcE(text) : null;
    const steps: (() => readonly RowNumber[])[] = [
      () => reader.findByBarcode(text),
      () => reader.findByAlias(text),
      () => reader.findByCode(text),
      () => (id === text ? reader.findById(id) : []),
      () => (upcE === null ? [] : reader.findByBarcode(upcE)),
    ];
    for (const step of steps) {
      const rows = step();
      if (rows.length > 0) {
        return rows; // K1
      }
    }
    return [];
  }

  function miss(text: string, asked: boolean): Miss {
    if (hasWrongCheckDigit(text) && !asked) {
      return { kind: 'unreadable', text, why: 'checkDigit' };
    }
    const stocks = store.stocks();
    if (stocks.every((stock) => stock.progress.completeAsOf !== null)) {
      return { kind: 'unknown', text, asked };
    }
    const totals = stocks.map((stock) => stock.progress.full?.total ?? stock.progress.total);
    const total = totals.some((known) => known === null) ? null : totals.reduce<number>((sum, known) => sum + (known ?? 0), 0);
    return { kind: 'notCopied', text, copied: stocks.reduce((sum, stock) => sum + stock.copied, 0), total, completeAt: completeAt(), asked };
  }

  function answerTo(given: string, source: 'scan' | 'typed', asked: boolean): CatalogueAnswer {
    const { text, unreadable } = cleanCode(given);
    if (unreadable !== null) {
      return { kind: 'unreadable', text: text.replaceAll(/\p{Cc}/gu, '�'), why: unreadable };
    }
    const exact = found(text, exactRows(text));
    if (exact !== null) {
      return exact;
    }
    return (source === 'typed' ? several(text, store.search.search(text, mostHits)) : null) ?? miss(text, asked); // K1, K2
  }

  function remember(answer: CatalogueAnswer): CatalogueAnswer {
    const product = answer.kind === 'found' ? (answer.cards[0] ?? null) : null;
    try {
      recent.remember({ at: clock.now(), text: answer.text, answer: answer.kind, product });
    } catch (error) {
      // A full disk must not stand between a person and an answer that is already there.
      if (!(error instanceof StorageError) || error.isDamage) {
        throw error;
      }
    }
    return answer;
  }

  function keepAnswers(text: string, pages: readonly { readonly stockId: Id; readonly elements: readonly unknown[]; readonly askedAt: number }[]): readonly RowNumber[] {
    return store.transaction(() => {
      for (const stock of store.stocks()) {
        for (const { elements, askedAt } of pages.filter((page) => page.stockId === stock.stockId)) {
          writer.save(stock, elements, { pass: 0, seenSince: 0, askedAt });
        }
      }
      const rows = pages.flatMap(({ stockId, elements }) =>
        elements.flatMap((element) => {
          const productId = readElement(element)?.productId;
          return productId === undefined ? [] : (reader.find(stockId, productId) ?? []);
        }),
      );
      const productIds = new Set(rows.flatMap((row) => reader.hit(row)?.productId ?? []));
      const [only] = productIds;
      if (only !== undefined && productIds.size === 1 && looksScanned(text) && exactRows(text).length === 0) {
        writer.saveAlias(text, only); // K3
      }
      return [...new Set(rows)];
    });
  }

  async function readLive(stockId: Id, productId: Id): Promise<Result<CatalogueProduct, Failure>> {
    const answer = await client.readBalance({ stockId, productId }, { lane: 'person' });
    if (!answer.ok) {
      return answer;
    }
    const stock = store.isOpen() ? store.stocks().find((candidate) => candidate.stockId === stockId) : undefined;
    if (stock === undefined) {
      return fail({ kind: 'notReady' });
    }
    const { balance, options, stock: described } = answer.value;
    const isKept = store.transaction(() => {
      if (described.name !== null) {
        store.nameStock(stock, described.name);
      }
      return writer.saveBalance(stock, productId, { amount: balance, options, asOf: clock.now() });
    });
    onStored();
    const row = isKept ? reader.find(stockId, productId) : null;
    const card = row === null ? null : reader.card(row);
    return card === null ? fail({ kind: 'notFoundHere' }) : succeed(card);
  }

  return {
    find: (text, source) => remember(answerTo(text, source, false)),

    ask: async (given, signal) => {
      const { text, unreadable } = cleanCode(given);
      if (unreadable !== null) {
        return succeed(answerTo(given, 'typed', false));
      }
      const stocks = store.stocks().slice(0, mostStocksAsked);
      const askedAt = clock.now();
      const answers = await Promise.all(
        stocks.map(async ({ stockId }) => ({
          stockId,
          answer: await client.listStockProducts(
            { stockId, page: 1, perPage: termPageSize, term: text.slice(0, longestTerm), orderByField: 'code', orderByType: 'asc' },
            { lane: 'person', ...(signal === undefined ? {} : { signal }) },
          ),
        })),
      );
      if (!store.isOpen()) {
        return fail({ kind: 'notReady' });
      }
      const pages = answers.flatMap(({ stockId, answer }) => (answer.ok ? [{ stockId, elements: answer.value.elements.slice(0, 100), askedAt }] : []));
      const rows = keepAnswers(text, pages);
      if (rows.length > 0) {
        onStored();
      }
      const failed = answers.find(({ answer }) => !answer.ok)?.answer;
      if (rows.length === 0 && failed?.ok === false) {
        return fail(failed.failure);
      }
      const own = answerTo(text, looksScanned(text) ? 'scan' : 'typed', true);
      // What the platform found by a field that this app does not search is shown as it came.
      return succeed(remember(own.kind === 'found' || own.kind === 'several' ? own : (several(text, rows) ?? own)));
    },

    search: (text, limit) => store.search.search(text.slice(0, longestTerm), limit).flatMap((row) => reader.hit(row) ?? []),

    recent: () => recent.list(),

    noteOpened: (product) => {
      remember({ kind: 'found', text: product.code ?? product.name, cards: [product] });
    },
    read: (stockId, productId) => {
      const row = reader.find(stockId, productId);
      return row === null ? null : reader.card(row);
    },

    nameOf: (productId) => reader.nameOf(productId),

    refresh: (stockId, productId) => {
      const key = `${stockId}/${productId}`;
      const running = refreshing.get(key);
      if (running !== undefined) {
        return running; // K4
      }
      const started = readLive(stockId, productId).finally(() => refreshing.delete(key));
      refreshing.set(key, started);
      return started;
    },
  };
}
