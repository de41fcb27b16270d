import { isCopied } from '../../contract/copied.ts';
import type { CataloguePlan } from '../../contract/catalogue-plan.ts';
import type { CatalogueState } from '../../contract/terminal-state.ts';
import { keyOf, nextChangesAt, type Work } from './plan.ts';
import { pagesLeftOf } from './progress.ts';
import { nextListing, type Circumstances } from './quiet-hours.ts';
import { awaitedStocks, stockStateOf, totalOf, type StockRow } from '../repository/repository.ts';

/** The copying as it goes just now. */
export interface SyncActivity {
  readonly isStarted: boolean;
  readonly working: Work | null;
  /** Something waits after a failure. */
  readonly isWaiting: boolean;
}

const kinds = { looked: 'looked', full: 'listing', changes: 'changes', sweep: 'sweep' } as const;

/** The keys of the work that the copy waits for. */
export function awaitedWork(stocks: readonly StockRow[]): ReadonlySet<string> {
  const kindsOfWork = Object.keys(kinds) as Work['kind'][];
  return new Set(awaitedStocks(stocks).flatMap((stock) => kindsOfWork.map((kind) => keyOf({ stock, kind }))));
}

/** Pages until every stock that is being listed is complete; null while that is not known, or when none is. */
export function pagesUntilComplete(stocks: readonly StockRow[]): number | null {
  const listing = awaitedStocks(stocks).filter(
    ({ progress }) => progress.full !== null || progress.completeAsOf === null,
  );
  const pages = listing.map(({ progress: { full, ended, changes } }) => {
    if (full !== null) {
      const left = pagesLeftOf(full);
      // The changes since its start follow.
      return left === null ? null : left + 1;
    }
    if (ended === null) {
      return null;
    }
    return changes === null ? 1 : (pagesLeftOf(changes) ?? 1);
  });
  return listing.length === 0 || pages.includes(null)
    ? null
    : pages.reduce<number>((sum, left) => sum + (left ?? 0), 0);
}

/** The phase that a screen shows. */
export function phaseOf(
  stocks: readonly StockRow[],
  { isStarted, working, isWaiting }: SyncActivity,
): CatalogueState['phase'] {
  if (!isStarted) {
    return 'idle';
  }
  const isFirstCopy = !isCopied(stocks.map(({ progress }) => progress));
  const waited = awaitedStocks(stocks);
  const isListing = waited.some(({ progress }) => progress.full !== null);
  const isOfWaited = waited.some(({ number }) => number === working?.stock.number);
  // While one is listed, a try of a stock that is refused comes between its pages.
  if (working !== null && (isOfWaited || isListing)) {
    const isCopying = isListing || isFirstCopy || working.kind === 'full' || working.kind === 'sweep';
    return isCopying ? 'copying' : 'updating';
  }
  if (isWaiting) {
    return 'waiting';
  }
  return isFirstCopy ? 'copying' : 'complete';
}

function readSoFar({ kind, stock }: Work): { readonly read?: number; readonly of?: number | null } {
  const { full } = stock.progress;
  // Rows that moved while it was read may have come twice.
  return kind === 'full' && full !== null
    ? { read: Math.min(full.received, full.total ?? full.received), of: full.total }
    : {};
}

/** The reading that goes on now and the one that comes next. */
export function planOf(all: readonly StockRow[], working: Work | null, place: Circumstances): CataloguePlan {
  const stocks = awaitedStocks(all);
  const changes = stocks.flatMap(({ progress }) => nextChangesAt(progress, place.now) ?? []);
  const listings = stocks.flatMap(({ progress }) =>
    progress.full === null && progress.ended === null ? [nextListing(progress, place)] : [],
  );
  const [first] = listings.toSorted((one, other) => (one.at ?? 0) - (other.at ?? 0));
  const isListing = stocks.some(({ progress }) => progress.full !== null || progress.ended !== null);
  return {
    doing:
      working === null
        ? null
        : {
            kind: kinds[working.kind],
            stockId: working.stock.stockId,
            stockName: working.stock.name,
            ...readSoFar(working),
          },
    nextChangesAt: changes.length === 0 ? null : Math.round(Math.min(...changes)),
    nextListing:
      isListing || first === undefined ? null : { ...first, at: first.at === null ? null : Math.round(first.at) },
  };
}

/** The counts of all stocks together: one row a product and stock. */
export function countsOf(
  stocks: readonly StockRow[],
): Pick<CatalogueState, 'stocks' | 'copied' | 'unreadable' | 'total'> {
  const states = stocks.map(stockStateOf);
  const sumOf = (figure: 'copied' | 'unreadable'): number => states.reduce((sum, state) => sum + state[figure], 0);
  return { stocks: states, copied: sumOf('copied'), unreadable: sumOf('unreadable'), total: totalOf(stocks) };
}
