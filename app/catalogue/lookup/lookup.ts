//   text ─▶ read (domain/codes/scan.ts) ─▶ as it came, then each meaning (code-lookup.ts) ─▶ typed: name and code ─▶ a miss
//
//   K1  The first step that finds anything answers, and says how it read the text; a scan is exact and never searched in names.
//   K2  A miss says which it is: not readable and why, not copied yet, or unknown. One with a wrong check digit may still be a number of
//       the shop's own, and is asked for like the others.
//   K3  A code that the platform resolved to one product is remembered as an alias of it when it names that product (C5): the GTIN in it, never a
//       lot or a figure. It answers only what no element carries, goes with the last row of its product, and once it is `aliasOldMs` old it is shown
//       and asked for anew.
//   K4  The same balance or the same question asked twice at a time is one request.
//   K5  What a person has turned away from, by the next scan or by opening another product, no longer waits for the rate limit: a
//       question that has not left costs no slot, and fails with `cancelled`. One that has left is finished and kept.
//   K6  An answer never waits until the file can be written to: it is remembered in memory at once, and in the file afterwards.
import { maxHits } from '../../contract/limits.ts';
import type { LookupAnswer, RecentLookup } from '../../contract/lookup.ts';
import type { ScanRead } from '../../contract/scan.ts';
import { hasWrongCheckDigit } from '../../domain/codes/barcode.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Id } from '../../domain/int64.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { ScaleLayout } from '../../domain/codes/scale-label.ts';
import { readScan, type ScanReading } from '../../domain/codes/scan.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { Clock } from '../../ports.ts';
import { onlyStorageError } from '../../storage/database.ts';
import { findCode, isItemTerm, isLearnable, isNamedBy, looksScanned, readOfMiss, termsOf } from './code-lookup.ts';
import { readElement } from '../store/element.ts';
import { keepBalance } from './live-balance.ts';
import type { CatalogueHit, CatalogueProduct, RowNumber } from '../store/product-reader.ts';
import type { CatalogueStore } from '../store/store.ts';

const maxCards = 50;
/** Stocks that one question to the platform goes to; each costs a request of the rate limit. */
const maxStocksAsked = 5;
const termPageSize = 50;
const maxTermLength = 200;
/** Whoever moves the write-ahead log into the file is done by then. */
const recentRetryMs = 1_000;
/** The platform may have given an alias to another product since. */
const aliasOldMs = 30 * 24 * 3_600_000;
const searched: ScanRead = { as: 'search', ofCase: null, layout: null, facts: [], fault: null };

type Miss = Exclude<LookupAnswer, { kind: 'found' | 'several' }>;
/** What the platform found by one term; `isNamed` when the term names all of it (C5). */
interface Asked {
  readonly rows: readonly RowNumber[];
  readonly isNamed: boolean;
}
/** The contract's answer before the coupons are put onto its cards. */
export type CatalogueAnswer =
  | {
      readonly kind: 'found';
      readonly text: string;
      readonly read?: ScanRead | undefined;
      readonly cards: readonly CatalogueProduct[];
    }
  | Extract<LookupAnswer, { kind: 'several' }>
  | Miss;

export interface LookupPorts {
  readonly store: CatalogueStore;
  readonly client: PlatformClient;
  readonly clock: Clock;
  /** When the running full listing will be complete, in milliseconds since 1970; null when unknown. */
  readonly completeAt: () => number | null;
  /** The layouts of the store's scales, asked anew each time. */
  readonly scaleLayouts: () => readonly ScaleLayout[];
  /** Called when an answer of the platform was stored. */
  readonly onStored: () => void;
}

export interface Lookup {
  /** Answers from the copy alone and remembers it among the recent ones. Throws StorageError. */
  find(text: string, source: 'scan' | 'typed'): CatalogueAnswer;
  /**
   * The same for an answer that is on the screen, after the copy has grown: no new lookup, and turns nothing away.
   * Throws StorageError.
   */
  findAgain(text: string, source: 'scan' | 'typed'): CatalogueAnswer;
  /**
   * Asks the platform (API v3 §4.3 `term`), keeps what came, and answers. Fails as the client does. Throws
   * StorageError.
   */
  ask(text: string): Promise<Result<CatalogueAnswer, Failure>>;
  /** Search as you type in the copy. Throws StorageError. */
  search(text: string, limit: number): readonly CatalogueHit[];
  /** Forgets the newest lookup if it was of this text. Throws nothing. */
  withdraw(text: string): void;
  /** The last 100 lookups, newest first. Throws StorageError. */
  recent(): readonly RecentLookup[];
  /** One product from the copy; null when it is not there. Throws StorageError. */
  read(stockId: Id, productId: Id): CatalogueProduct | null;
  /** A person has opened this product from a list: it joins the recent ones. Throws StorageError. */
  noteOpened(product: CatalogueProduct): void;
  /** The name and code of a product in whatever stock has it; null when none does. Throws StorageError. */
  nameOf(productId: Id): { readonly name: string; readonly code: string | null } | null;
  /**
   * Reads a balance from the platform (API v3 §4.4) and keeps it. Fails as the client does, or with `notFoundHere` or
   * `notReady`. Throws StorageError.
   */
  refresh(stockId: Id, productId: Id): Promise<Result<CatalogueProduct, Failure>>;
  /**
   * Stands until the next lookup: whoever asks the platform for the person who looks at this one gives up with it (K5).
   */
  whileWanted(): AbortSignal;
}

/** Opens the lookup over a store and a client. */
export function openLookup({ store, client, clock, completeAt, scaleLayouts, onStored }: LookupPorts): Lookup {
  const { reader, writer, recent } = store;
  // In the profile's order, which stays the same while the store is open.
  const places = store.stocks().map((stock) => stock.stockId);
  const refreshing = new Map<string, Promise<Result<CatalogueProduct, Failure>>>();
  const asking = new Map<string, Promise<Result<CatalogueAnswer, Failure>>>();
  const confirming = new Map<string, Promise<void>>();
  let wanted = new AbortController();
  let isWriting = false;

  function read(given: string): ScanReading {
    return readScan(given, { year: new Date(clock.now()).getUTCFullYear(), layouts: scaleLayouts() });
  }

  function found(text: string, rows: readonly RowNumber[], how: ScanRead | undefined): CatalogueAnswer | null {
    const cards = rows.slice(0, maxCards).flatMap((row) => reader.card(row) ?? []);
    // The recent lookups keep the first card.
    cards.sort((one, other) => places.indexOf(one.stockId) - places.indexOf(other.stockId));
    return cards.length === 0 ? null : { kind: 'found', text, read: how, cards };
  }

  /**
   * The products of these rows, the lines of one beside each other and in the profile's order: every stock that has it,
   * not only those whose row was found.
   */
  function linesOf(rows: readonly RowNumber[], most: number): CatalogueHit[] {
    const byProduct = Map.groupBy(
      rows.flatMap((row) => reader.hit(row) ?? []),
      (hit) => hit.productId,
    );
    const lines: CatalogueHit[] = [];
    for (const [productId, hits] of byProduct) {
      if (lines.length >= most) {
        break;
      }
      const all =
        hits.length === places.length ? hits : reader.findById(productId).flatMap((row) => reader.hit(row) ?? []);
      lines.push(...all.toSorted((one, other) => places.indexOf(one.stockId) - places.indexOf(other.stockId)));
    }
    return lines.slice(0, most);
  }

  /** The lines to choose from, also of a single product. */
  function listed(text: string, rows: readonly RowNumber[], how: ScanRead | undefined): CatalogueAnswer | null {
    const hits = linesOf(rows, maxHits);
    return hits.length === 0 ? null : { kind: 'several', text, read: how, hits };
  }

  function several(text: string, rows: readonly RowNumber[], how: ScanRead | undefined): CatalogueAnswer | null {
    const list = listed(text, rows, how);
    const isOneProduct = list?.kind === 'several' && new Set(list.hits.map((hit) => hit.productId)).size === 1;
    return isOneProduct ? found(text, rows, how) : list;
  }

  function miss(reading: ScanReading, asked: boolean): Miss {
    const { text, code, meanings, fault } = reading;
    if (fault !== null && meanings.length === 0) {
      return { kind: 'unreadable', text, why: fault.why, about: fault.about };
    }
    if (code !== null && hasWrongCheckDigit(code)) {
      return { kind: 'unreadable', text, why: 'checkDigit', asked }; // K2
    }
    const how = readOfMiss(reading);
    const stocks = store.stocks();
    if (stocks.every((stock) => stock.progress.completeAsOf !== null)) {
      return { kind: 'unknown', text, read: how, asked };
    }
    const totals = stocks.map((stock) => stock.progress.full?.total ?? stock.progress.total);
    const total = totals.some((known) => known === null)
      ? null
      : totals.reduce<number>((sum, known) => sum + (known ?? 0), 0);
    return {
      kind: 'notCopied',
      text,
      read: how,
      copied: stocks.reduce((sum, stock) => sum + stock.copied, 0),
      total,
      completeAt: completeAt(),
      asked,
    };
  }

  function answerTo(reading: ScanReading, source: 'scan' | 'typed', asked: boolean): CatalogueAnswer {
    const { text, code } = reading;
    const finding = findCode(reader, reading);
    const show = finding?.isAmbiguous === true ? listed : found;
    const exact = finding === null ? null : show(text, finding.rows, finding.read);
    if (exact !== null) {
      confirmOld(reading, finding?.alias ?? null);
      return exact;
    }
    const named =
      source === 'typed' && code !== null ? several(text, store.search.search(code, maxHits), searched) : null;
    return named ?? miss(reading, asked); // K1, K2
  }

  function productOf(answer: CatalogueAnswer): CatalogueProduct | null {
    return answer.kind === 'found' ? (answer.cards[0] ?? null) : null;
  }

  function remember(answer: CatalogueAnswer): CatalogueAnswer {
    recent.remember({ at: clock.now(), text: answer.text, answer: answer.kind, product: productOf(answer) });
    writeRecent();
    return answer;
  }

  /**
   * K6: in a later turn, and once more when another thread holds the file; then with the next lookup, or when the store
   * is closed.
   */
  function writeRecent(): void {
    if (!isWriting) {
      isWriting = true;
      clock.after(0, () => {
        if (writeRecentNow()) {
          isWriting = false;
          return;
        }
        clock.after(recentRetryMs, () => {
          writeRecentNow();
          isWriting = false;
        });
      });
    }
  }

  /** False when it could not. */
  function writeRecentNow(): boolean {
    try {
      if (store.isOpen()) {
        recent.write('now');
      }
      return true;
    } catch (error) {
      // A full disk is nothing that a person need know of; damage is met by the next lookup as well.
      onlyStorageError(error);
      return false;
    }
  }

  /** What stocks answered to one term, `isWhole` when all that were asked did. */
  function keepAnswers(
    reading: ScanReading,
    term: string,
    pages: readonly { readonly stockId: Id; readonly elements: readonly unknown[]; readonly askedAt: number }[],
    isWhole: boolean,
  ): Asked {
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
      const isNamed = pages.every(({ elements }) => elements.every((element) => isNamedBy(element, term)));
      const productIds = new Set(rows.flatMap((row) => reader.hit(row)?.productId ?? []));
      const [only] = productIds;
      const known = findCode(reader, reading);
      if (isWhole && isLearnable(reading, term) && (known === null || known.alias === term)) {
        // K3
        if (only !== undefined && productIds.size === 1 && isNamed) {
          writer.saveAlias(term, only, clock.now());
        } else {
          writer.removeAlias(term);
        }
      }
      return { rows: [...new Set(rows)], isNamed };
    });
  }

  /**
   * Asks each stock for one term and keeps what came; the rows of it. Fails when nothing came and a stock could not be
   * asked.
   */
  async function askFor(reading: ScanReading, term: string, whileWanted: AbortSignal): Promise<Result<Asked, Failure>> {
    const stocks = store.stocks().slice(0, maxStocksAsked);
    const askedAt = clock.now();
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
          },
          { lane: 'person', whileWanted },
        ),
      })),
    );
    if (!store.isOpen()) {
      return fail({ kind: 'notReady' });
    }
    const pages = answers.flatMap(({ stockId, answer }) =>
      answer.ok ? [{ stockId, elements: answer.value.elements.slice(0, 100), askedAt }] : [],
    );
    const failed = answers.find(({ answer }) => !answer.ok)?.answer;
    const asked = keepAnswers(reading, term, pages, failed === undefined);
    if (asked.rows.length > 0) {
      onStored();
    }
    return asked.rows.length === 0 && failed?.ok === false ? fail(failed.failure) : succeed(asked);
  }

  function turnAway(): void {
    wanted.abort(); // K5
    wanted = new AbortController();
  }

  /** The answer that is under way already, or a new one. */
  function once<Value>(running: Map<string, Promise<Value>>, key: string, start: () => Promise<Value>): Promise<Value> {
    const before = running.get(key);
    if (before !== undefined) {
      return before; // K4
    }
    const started = start().finally(() => running.delete(key));
    running.set(key, started);
    return started;
  }

  /**
   * Asks anew when all that was wrong is that it joined a question of an earlier lookup, which has been turned away
   * since.
   */
  async function whileShown<Value>(askOnce: () => Promise<Result<Value, Failure>>): Promise<Result<Value, Failure>> {
    const whileWanted = wanted.signal;
    const answer = await askOnce();
    return !answer.ok && answer.failure.kind === 'cancelled' && !whileWanted.aborted && store.isOpen()
      ? askOnce()
      : answer;
  }

  /**
   * K3: what the platform says now counts from the next lookup on; what cannot be asked now is asked at another one.
   */
  async function confirm(reading: ScanReading, alias: string): Promise<void> {
    try {
      await askFor(reading, alias, wanted.signal);
    } catch (error) {
      // The next lookup meets it as well, and whoever asked for that one handles it.
      onlyStorageError(error);
    }
  }

  function confirmOld(reading: ScanReading, alias: string | null): void {
    const ageMs = alias === null ? 0 : clock.now() - (reader.aliasLearnedAt(alias) ?? 0);
    // One that was learned ahead of now was learned before the clock was set back.
    if (alias !== null && (ageMs >= aliasOldMs || ageMs < 0)) {
      void once(confirming, alias, () => confirm(reading, alias));
    }
  }

  async function askPlatform(given: string): Promise<Result<CatalogueAnswer, Failure>> {
    const whileWanted = wanted.signal;
    const reading = read(given);
    let last: Asked = { rows: [], isNamed: true };
    const terms = termsOf(reading);
    for (const [place, term] of terms.entries()) {
      const asked = await askFor(reading, term, whileWanted);
      if (!asked.ok) {
        return asked;
      }
      last = isItemTerm(reading, term) ? { rows: [], isNamed: true } : asked.value;
      // Another layout may lead to another product (C6).
      const isNextItem = isItemTerm(reading, terms[place + 1] ?? reading.text);
      if (last.rows.length > 0 || (!isNextItem && findCode(reader, reading) !== null)) {
        break;
      }
    }
    if (terms.length === 0) {
      return succeed(answerTo(reading, 'typed', false));
    }
    const { text, code, meanings } = reading;
    const own = answerTo(reading, meanings.length > 0 || looksScanned(code ?? '') ? 'scan' : 'typed', true);
    // What the platform found by a field that this app does not search is shown as it came: of a label, then, not as
    // the scale's.
    const how = meanings.some(({ as }) => as === 'scaleLabel') ? undefined : readOfMiss(reading);
    const byPlatform = last.isNamed ? several(text, last.rows, how) : listed(text, last.rows, searched); // C5
    return succeed(remember(own.kind === 'found' || own.kind === 'several' ? own : (byPlatform ?? own)));
  }

  async function readLive(stockId: Id, productId: Id): Promise<Result<CatalogueProduct, Failure>> {
    // All that is known of the figure's age: however late the answer comes, what was asked for meanwhile is newer (W2
    // of product-writer.ts).
    const askedAt = clock.now();
    const answer = await client.readBalance({ stockId, productId }, { lane: 'person', whileWanted: wanted.signal });
    if (!answer.ok) {
      return answer;
    }
    if (!store.isOpen() || !store.stocks().some((stock) => stock.stockId === stockId)) {
      return fail({ kind: 'notReady' });
    }
    const isKept = keepBalance(store, stockId, productId, answer.value, askedAt);
    onStored();
    const row = isKept ? reader.find(stockId, productId) : null;
    const card = row === null ? null : reader.card(row);
    return card === null ? fail({ kind: 'notFoundHere' }) : succeed(card);
  }

  return {
    find: (text, source) => {
      turnAway();
      return remember(answerTo(read(text), source, false));
    },

    findAgain: (text, source) => {
      const answer = answerTo(read(text), source, false);
      if (
        answer.kind !== 'notCopied' &&
        answer.kind !== 'unreadable' &&
        recent.correct({ text: answer.text, answer: answer.kind, product: productOf(answer) })
      ) {
        writeRecent();
      }
      return answer;
    },

    ask: (text) => whileShown(() => once(asking, text, () => askPlatform(text))),

    search: (text, limit) => linesOf(store.search.search(text.slice(0, maxTermLength), limit), limit),

    withdraw: (text) => {
      recent.withdraw(read(text).text);
      writeRecent();
    },

    recent: () => recent.list(),

    noteOpened: (product) => {
      turnAway();
      remember({ kind: 'found', text: product.code ?? product.name, cards: [product] });
    },
    read: (stockId, productId) => {
      const row = reader.find(stockId, productId);
      return row === null ? null : reader.card(row);
    },

    nameOf: (productId) => reader.nameOf(productId),

    whileWanted: () => wanted.signal,

    refresh: (stockId, productId) =>
      whileShown(() => once(refreshing, `${stockId}/${productId}`, () => readLive(stockId, productId))),
  };
}
