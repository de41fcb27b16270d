import { noPlan } from '../contract/catalogue-plan.ts';
import type { CatalogueState } from '../contract/terminal-state.ts';
import type { CopyAge } from '../contract/catalogue-age.ts';
import type { ListedFields } from '../contract/fields.ts';
import type { Failure } from '../domain/failure.ts';
import { foldText } from '../domain/fold.ts';
import type { Id } from '../domain/int64.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import type { Browse } from './browse/browse.ts';
import { orderKey } from './browse/order-keys.ts';
import type { Details } from './lookup/details.ts';
import type { CatalogueAnswer } from './lookup/answers.ts';
import type { Lookup } from './lookup/lookup.ts';
import { matchCodes } from './lookup/match-codes.ts';
import { takeAnswer } from './lookup/shared-answers.ts';
import { openCopy, type CatalogueOptions, type OpenCopy } from './open-copy.ts';
import type { CatalogueHit, ProductPlace } from './repository/product-reader.ts';
import type { Stocked } from './repository/stocked.ts';
import type { CatalogueRepository, StockRow } from './repository/repository.ts';
import type { UnreadableSample } from './repository/unreadable.ts';
import type { Sync } from './sync/sync.ts';

/** Both sides of the open copy. Where a lookup throws StorageError, this answers as an empty copy would, or fails. */
export interface Catalogue
  extends
    Omit<Lookup, 'whileWanted' | 'noticeShared'>,
    Details,
    Omit<Browse, 'close'>,
    Pick<Sync, 'start' | 'stop' | 'resume' | 'noticeRefused' | 'copyAgain' | 'state' | 'onChange'> {
  /** How old the copy's parts are. Fails with `notReady` while there is no copy, or as the storage does. */
  age(pause: Pause): Promise<Result<CopyAge, Failure>>;
  /** Which fields the listing's elements carry; fails as `age` does. */
  listFields(pause: Pause): Promise<Result<ListedFields, Failure>>;
  /** The figure; null when nobody knows it, or while there is no copy; undefined for a product that the copy does not have. */
  figure(place: ProductPlace): number | null | undefined;
  /** The line of a list; null for a product that the copy does not have. */
  hit(place: ProductPlace): CatalogueHit | null;
  /** By what the stock table orders and finds it; null likewise. */
  describe(place: ProductPlace): { readonly nameKey: string; readonly words: string } | null;
  /** The products with stock among the next rows of the copy; `next` is null after the last. */
  stocked: Stocked['slice'];
  /** How many products have stock, but for those stocks; fails as `age` does. */
  countStocked(pause: Pause, without: ReadonlySet<Id>): Promise<Result<number, Failure>>;
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
function notCopiedYet(...[text]: readonly [text: string, ...unknown[]]): CatalogueAnswer {
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

/** Lets everything else have its turn. Answers whether to go on. */
type Pause = () => Promise<boolean>;

const whileOpen =
  (repository: CatalogueRepository, pause: Pause): Pause =>
  async () =>
    (await pause()) && repository.isOpen();

const unreadableOf = (repository: CatalogueRepository): ReturnType<Catalogue['unreadable']> =>
  repository
    .stocks()
    .map((stock) => ({
      stockId: stock.stockId,
      count: stock.unreadable,
      samples: repository.unreadable.samples(stock),
    }));

function hitOf({ reader }: CatalogueRepository, { stockId, productId }: ProductPlace): CatalogueHit | null {
  const row = reader.find(stockId, productId);
  return row === null ? null : reader.hit(row);
}

/** A count that was not read to its end has no result. */
async function counted<Counted>(counting: Promise<Counted | null>): Promise<Result<Counted, Failure>> {
  const count = await counting;
  return count === null ? fail({ kind: 'notReady' }) : succeed(count);
}

async function ageOf(repository: CatalogueRepository, now: number, pause: Pause): Promise<Result<CopyAge, Failure>> {
  const ages = await counted(repository.ages.count(now, whileOpen(repository, pause)));
  return mapResult(ages, (age) => ({ ...age, stocks: repository.stocks().map(ageOfStock), readAt: now }));
}

/** A copy of nothing, at which nobody works. */
export const idleState: CatalogueState = {
  phase: 'idle',
  stocks: [],
  copied: 0,
  changes: 0,
  unreadable: 0,
  total: null,
  completeAt: null,
  plan: noPlan,
  failure: null,
};

/** A lookup by a person: what is copied by itself lets it pass. */
function noticed({ lookup, sync }: OpenCopy): Lookup {
  sync.noticeLookup();
  return lookup;
}

const nothing = (): undefined => undefined;
const none = (): null => null;
const noneOfThem = (): never[] => [];

/**
 * Opens the copy; nothing is sent before `start`. One that the disk refuses is a copy of nothing until it is open.
 */
export async function openCatalogue(options: CatalogueOptions): Promise<Catalogue> {
  const copy = await openCopy(options);
  const { reads, asks } = copy;
  const stopListening = options.texts?.listen(
    options.fingerprint,
    reads(
      ({ repository, sync, lookup }) =>
        (news) => {
          if (takeAnswer(repository, news, options.clock.now())) {
            sync.noticeStored();
            lookup.noticeShared();
          }
        },
      nothing,
    ),
  );
  const counts = <Counted>(of: (repository: CatalogueRepository, goesOn: Pause) => Promise<Counted | null>) =>
    asks(
      ({ repository }) =>
        (pause: Pause) =>
          counted(of(repository, whileOpen(repository, pause))),
    );
  const hit = reads(
    ({ repository }) =>
      (place: ProductPlace) =>
        hitOf(repository, place),
    none,
  );
  return {
    start: copy.start,
    stop: copy.stop,
    resume: () => copy.current()?.sync.resume(),
    noticeRefused: reads(({ sync }) => sync.noticeRefused, nothing),
    copyAgain: reads(({ sync }) => sync.copyAgain, nothing),
    state: () => copy.current()?.sync.state() ?? idleState,
    onChange: copy.onChange,
    find: reads((parts) => noticed(parts).find, notCopiedYet),
    findAgain: reads(({ lookup }) => lookup.findAgain, notCopiedYet),
    identify: reads((parts) => noticed(parts).identify, notCopiedYet),
    findChoices: reads(({ lookup }) => lookup.findChoices, notCopiedYet),
    choose: reads((parts) => noticed(parts).choose, none),
    peek: reads(({ lookup }) => lookup.peek, notCopiedYet),
    ask: asks(({ lookup }) => lookup.ask),
    search: reads(({ lookup }) => lookup.search, noneOfThem),
    findSimilar: asks(({ lookup }) => lookup.findSimilar),
    withdraw: reads(({ lookup }) => lookup.withdraw, nothing),
    recent: reads(({ lookup }) => lookup.recent, noneOfThem),
    noteOpened: reads((parts) => noticed(parts).noteOpened, nothing),
    read: reads(({ lookup }) => lookup.read, none),
    nameOf: reads(({ lookup }) => lookup.nameOf, none),
    refresh: asks(({ lookup }) => lookup.refresh),
    readMovements: asks(({ details }) => details.readMovements),
    readBatches: asks(({ details }) => details.readBatches),
    readKept: reads(
      ({ details }) => details.readKept,
      () => ({ movements: null, batches: null }),
    ),
    page: asks(({ browse }) => browse.page),
    exportPage: asks(({ browse }) => browse.exportPage),
    products: asks(({ browse }) => browse.products),
    figure: reads(
      ({ repository }) =>
        ({ stockId, productId }: ProductPlace) =>
          repository.reader.figure(stockId, productId),
      none,
    ),
    hit,
    describe: (place) => {
      const found = hit(place);
      return found === null
        ? null
        : { nameKey: orderKey(found.name), words: foldText(`${found.name} ${found.code ?? ''}`) };
    },
    stocked: reads(
      ({ repository }) => repository.stocked.slice,
      () => ({ products: [], next: null }),
    ),
    match: asks(
      ({ repository }) =>
        (stockId: Id | null, codes: readonly string[], areIds?: boolean) =>
          Promise.resolve(succeed(matchCodes(repository.reader, stockId, codes, areIds))),
    ),
    age: asks(
      ({ repository }) =>
        (pause: Pause) =>
          ageOf(repository, options.clock.now(), pause),
    ),
    listFields: counts(({ fields }, goesOn) => fields.read(goesOn)),
    countStocked: asks(
      ({ repository }) =>
        (pause: Pause, without: ReadonlySet<Id>) =>
          counted(repository.stocked.count(whileOpen(repository, pause), without)),
    ),
    tryWriting: copy.tryWriting,
    unreadable: reads(
      ({ repository }) =>
        () =>
          unreadableOf(repository),
      noneOfThem,
    ),
    close: () => {
      stopListening?.();
      copy.close();
    },
    released: copy.released,
  };
}
