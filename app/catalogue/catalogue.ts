import { noPlan } from '../contract/catalogue-plan.ts';
import type { CatalogueState } from '../contract/terminal-state.ts';
import type { CopyAge } from '../contract/catalogue-age.ts';
import type { ListedFields } from '../contract/fields.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Browse } from './browse/browse.ts';
import { orderKey } from './browse/order-keys.ts';
import type { Details } from './lookup/details.ts';
import type { CatalogueAnswer } from './lookup/answers.ts';
import type { Lookup } from './lookup/lookup.ts';
import { matchCodes } from './lookup/match-codes.ts';
import { takeAnswer } from './lookup/shared-answers.ts';
import { openCopy, type CatalogueOptions, type OpenCopy } from './open-copy.ts';
import type { CatalogueHit, ProductPlace } from './store/product-reader.ts';
import type { Stocked } from './store/stocked.ts';
import type { CatalogueStore, StockRow } from './store/store.ts';
import type { UnreadableSample } from './store/unreadable.ts';
import { foldText } from './search/words.ts';
import type { Sync } from './sync/sync.ts';

/**
 * Both sides of the open copy. What says "Throws StorageError" in a lookup answers here as an empty copy would, or
 * fails.
 */
export interface Catalogue
  extends
    Omit<Lookup, 'whileWanted'>,
    Details,
    Omit<Browse, 'close'>,
    Pick<Sync, 'start' | 'stop' | 'resume' | 'copyAgain' | 'state' | 'onChange'> {
  /**
   * How old the copy's parts are; `pause` lets everything else have its turn. Fails with `notReady` while there is no
   * copy, or as the storage does.
   */
  age(pause: () => Promise<boolean>): Promise<Result<CopyAge, Failure>>;
  /** Which fields the listing's elements carry; fails as `age` does. */
  listFields(pause: () => Promise<boolean>): Promise<Result<ListedFields, Failure>>;
  /** How many products the copy has; fails as `age` does. */
  countProducts(pause: () => Promise<boolean>): Promise<Result<number, Failure>>;
  /** The figure; null when nobody knows it, undefined for a product that the copy does not have. */
  figure(place: ProductPlace): number | null | undefined;
  /** The line of a list; null for a product that the copy does not have. */
  hit(place: ProductPlace): CatalogueHit | null;
  /** By what the stock table orders and finds it; null likewise. */
  describe(place: ProductPlace): { readonly nameKey: string; readonly words: string } | null;
  /** The products with stock among the next rows of the copy; `next` is null after the last. */
  stocked: Stocked['slice'];
  /** How many products have stock; fails as `age` does. */
  countStocked(pause: () => Promise<boolean>): Promise<Result<number, Failure>>;
  /** As `matchCodes`; fails with `notReady` while there is no copy, or as the storage does. */
  match(
    stockId: Id | null,
    codes: readonly string[],
    areIds?: boolean,
  ): Promise<Result<readonly (readonly CatalogueHit[])[], Failure>>;
  /** Writes what changes nothing. Throws StorageError, also while the disk refuses the file. */
  tryWriting(): void;
  /** Of each stock what the platform listed and this terminal could not read: how much, and a few samples. */
  unreadable(): readonly {
    readonly stockId: Id;
    readonly count: number;
    readonly samples: readonly UnreadableSample[];
  }[];
  close(): void;
  /** Resolves when, after `close`, no other thread has the file open. */
  released(): Promise<void>;
}

/** While the copy cannot be read at all. */
function notCopiedYet(text: string): CatalogueAnswer {
  return {
    kind: 'notCopied',
    text: text.slice(0, 500).toWellFormed(),
    copied: 0,
    total: null,
    completeAt: null,
    asked: false,
  };
}

const wholeMs = (at: number | null): number | null => (at === null ? null : Math.round(at));

const ageOfStock = ({ stockId, name, progress }: StockRow): CopyAge['stocks'][number] => ({
  stockId,
  name,
  listedAt: wholeMs(progress.listedAt),
  changesAt: wholeMs(progress.changesAt),
});

const whileOpen = (store: CatalogueStore, pause: () => Promise<boolean>) => async (): Promise<boolean> =>
  (await pause()) && store.isOpen();

const readUnreadable = ({ store }: OpenCopy): ReturnType<Catalogue['unreadable']> =>
  store
    .stocks()
    .map((stock) => ({ stockId: stock.stockId, count: stock.unreadable, samples: store.unreadable.samples(stock) }));

/** What was not read to its end has no result. */
async function counted<Counted>(counting: Promise<Counted | null>): Promise<Result<Counted, Failure>> {
  const count = await counting;
  return count === null ? fail({ kind: 'notReady' }) : succeed(count);
}

/** What other lists read of the products with stock. */
function readStocked({
  query,
  ask,
}: Awaited<ReturnType<typeof openCopy>>): Pick<Catalogue, 'hit' | 'describe' | 'stocked' | 'countStocked'> {
  const hit = ({ stockId, productId }: ProductPlace): CatalogueHit | null =>
    query(
      ({ store }) => {
        const row = store.reader.find(stockId, productId);
        return row === null ? null : store.reader.hit(row);
      },
      () => null,
    );
  return {
    hit,
    describe: (place) => {
      const found = hit(place);
      return found === null
        ? null
        : { nameKey: orderKey(found.name), words: foldText(`${found.name} ${found.code ?? ''}`) };
    },
    stocked: (after) =>
      query(
        ({ store }) => store.stocked.slice(after),
        () => ({ products: [], next: null }),
      ),
    countStocked: (pause) => ask(({ store }) => counted(store.stocked.count(whileOpen(store, pause)))),
  };
}

/** What a person does with a scale's label. */
function chooseLabels({ query }: Awaited<ReturnType<typeof openCopy>>): Pick<Catalogue, 'findChoices' | 'choose'> {
  return {
    findChoices: (text) =>
      query<CatalogueAnswer>(
        ({ lookup }) => lookup.findChoices(text),
        () => notCopiedYet(text),
      ),
    choose: (text, productId) =>
      query(
        ({ lookup, sync }) => {
          sync.noticeLookup();
          return lookup.choose(text, productId);
        },
        () => null,
      ),
  };
}

/** A copy of nothing, at which nobody works. */
export const idleState: CatalogueState = {
  phase: 'idle',
  stocks: [],
  copied: 0,
  unreadable: 0,
  total: null,
  completeAt: null,
  plan: noPlan,
  failure: null,
};

/**
 * Opens the copy; nothing is sent before `start`. One that the disk refuses is a copy of nothing until it is open.
 */
export async function openCatalogue(options: CatalogueOptions): Promise<Catalogue> {
  const copy = await openCopy(options);
  const { query, ask } = copy;
  const stopListening = options.texts?.listen(options.fingerprint, (news) => {
    query(
      ({ store, sync }) => (takeAnswer(store, news, options.clock.now()) ? sync.noticeStore() : undefined),
      () => undefined,
    );
  });
  const answerBy = (how: 'find' | 'identify', text: string, source: 'scan' | 'typed'): CatalogueAnswer =>
    query<CatalogueAnswer>(
      ({ lookup, sync }) => {
        sync.noticeLookup();
        return lookup[how](text, source);
      },
      () => notCopiedYet(text),
    );
  return {
    start: copy.start,
    stop: copy.stop,
    resume: () => copy.current()?.sync.resume(),
    copyAgain: () => {
      query(
        ({ sync }) => sync.copyAgain(),
        () => undefined,
      );
    },
    state: () => copy.current()?.sync.state() ?? idleState,
    onChange: copy.onChange,
    find: (text, source) => answerBy('find', text, source),
    findAgain: (text, source) =>
      query<CatalogueAnswer>(
        ({ lookup }) => lookup.findAgain(text, source),
        () => notCopiedYet(text),
      ),
    identify: (text, source) => answerBy('identify', text, source),
    ...chooseLabels(copy),
    peek: (text) =>
      query<CatalogueAnswer>(
        ({ lookup }) => lookup.peek(text),
        () => notCopiedYet(text),
      ),
    ask: (text) => ask(({ lookup }) => lookup.ask(text)),
    search: (text, limit) =>
      query(
        ({ lookup }) => lookup.search(text, limit),
        () => [],
      ),
    findSimilar: (text) => ask(({ lookup }) => lookup.findSimilar(text)),
    withdraw: (text) => {
      query(
        ({ lookup }) => lookup.withdraw(text),
        () => undefined,
      );
    },
    recent: () =>
      query(
        ({ lookup }) => lookup.recent(),
        () => [],
      ),
    noteOpened: (product, text) => {
      query(
        ({ lookup, sync }) => {
          sync.noticeLookup();
          lookup.noteOpened(product, text);
        },
        () => undefined,
      );
    },
    read: (stockId, productId) =>
      query(
        ({ lookup }) => lookup.read(stockId, productId),
        () => null,
      ),
    nameOf: (productId) =>
      query(
        ({ lookup }) => lookup.nameOf(productId),
        () => null,
      ),
    refresh: (stockId, productId) => ask(({ lookup }) => lookup.refresh(stockId, productId)),
    readMovements: (stockId, productId, optionIds) =>
      ask(({ details }) => details.readMovements(stockId, productId, optionIds)),
    readBatches: (stockId, productId, optionIds) =>
      ask(({ details }) => details.readBatches(stockId, productId, optionIds)),
    readKept: (stockId, productId) =>
      query(
        ({ details }) => details.readKept(stockId, productId),
        () => ({ movements: null, batches: null }),
      ),
    page: (request) => ask(({ browse }) => browse.page(request)),
    exportPage: (request) => ask(({ browse }) => browse.exportPage(request)),
    products: (term, most) => ask(({ browse }) => browse.products(term, most)),
    figure: ({ stockId, productId }) =>
      query(
        ({ store }) => store.reader.figure(stockId, productId),
        () => undefined,
      ),
    ...readStocked(copy),
    match: (stockId, codes, areIds) =>
      ask(({ store }) => Promise.resolve(succeed(matchCodes(store.reader, stockId, codes, areIds)))),
    age: (pause) =>
      ask(async ({ store }) => {
        const now = options.clock.now();
        const ages = await store.ages.count(now, whileOpen(store, pause));
        if (ages === null) {
          return fail({ kind: 'notReady' });
        }
        return succeed({ ...ages, stocks: store.stocks().map(ageOfStock), readAt: now });
      }),
    listFields: (pause) => ask(({ store }) => counted(store.fields.read(whileOpen(store, pause)))),
    countProducts: (pause) => ask(({ store }) => counted(store.products.count(whileOpen(store, pause)))),
    tryWriting: copy.tryWriting,
    unreadable: () => query(readUnreadable, () => []),
    close: () => {
      stopListening?.();
      copy.close();
    },
    released: copy.released,
  };
}
