import type { ListingPage } from '../../platform/client.ts';
import type { Clock } from '../../ports.ts';
import type { CatalogueRepository, StockRow } from '../repository/repository.ts';
import { afterChanges, afterFull, isListedToEnd, sinceAnew, sinceOf } from './plan.ts';
import { advance, type Pass } from './progress.ts';
import type { Stocks } from './stocks.ts';

export type PassKind = 'full' | 'changes';
export type Log = (message: string, details?: Readonly<Record<string, unknown>>) => void;

interface PageStorePorts {
  readonly repository: CatalogueRepository;
  readonly stocks: Stocks;
  readonly clock: Clock;
  readonly log: Log;
}

/**
 * Shops a page, and how far its pass has got with it, in one transaction (S1). What another terminal asked for may be
 * older than what this one has: then the pass began earlier, and the next changes do, too.
 */
export function createPageStore({ repository, stocks, clock, log }: PageStorePorts) {
  return (
    stock: StockRow,
    kind: PassKind,
    before: Pass,
    page: ListingPage,
    askedAt: number,
    isTaken: boolean,
  ): void => {
    const again = sinceAnew(before.since, page.platformTime, askedAt);
    if (again !== null) {
      stocks.keep(stock, { ...stock.progress, changes: null, since: again }); // S3
      return;
    }
    const now = isTaken ? Math.min(clock.now(), askedAt) : clock.now();
    repository.transaction(() => {
      const { progress } = stock;
      const full = progress.full ?? progress.ended;
      const outcome = repository.writer.save(stock, page.elements, {
        pass: before.pass,
        seenSince: full?.pass ?? before.pass,
        askedAt,
        isPart: kind === 'changes',
        goesOn: page.currentPage < page.lastPage,
        place: { kind, first: before.offset },
      });
      if (outcome.newlyUnreadable.length > 0) {
        log('elements of the listing could not be read', {
          stockId: stock.stockId,
          page: page.currentPage,
          count: outcome.unreadable,
          samples: outcome.newlyUnreadable,
        });
      }
      const { pass: next, isOver } = advance(before, { ...page, ...outcome, elements: page.elements.length });
      const pageSince = sinceOf(page.platformTime, askedAt);
      const pass = {
        ...next,
        nextSince: before.nextSince ?? pageSince,
        startedAt: isTaken ? Math.min(next.startedAt, askedAt) : next.startedAt,
      };
      const seen = {
        ...progress,
        since: isTaken ? Math.min(progress.since ?? pageSince, pageSince) : (progress.since ?? pass.nextSince),
        refused: null,
        changesAt: progress.changesAt ?? now,
        offsetMinutes: outcome.offsetMinutes ?? progress.offsetMinutes,
      };
      if (kind === 'full') {
        stocks.keep(stock, isOver ? afterFull(seen, pass) : { ...seen, full: pass });
      } else {
        // Rows that only the changes show count for the full listing that is under way or just over; but not those of
        // changes that began before it, for it will come by them again.
        const credited = (other: Pass | null): Pass | null =>
          other === null || other.pass > before.pass ? other : { ...other, seen: other.seen + outcome.newlySeen };
        const withCredit = { ...seen, full: credited(seen.full), ended: credited(seen.ended) };
        if (isOver && progress.ended !== null && isListedToEnd(progress.ended)) {
          // mutant: what could not be read counts for ever (I16)
          repository.unreadable.forgetBefore(stock, progress.ended.pass); // X2
        }
        const copied = repository.stocks().find((candidate) => candidate.number === stock.number)?.copied ?? 0;
        // Most of the time nothing has changed, and nothing is lost when that is asked again.
        const keep =
          page.elements.length === 0 && seen.full === null && seen.ended === null ? stocks.note : stocks.keep;
        // mutant: a pass over changes ends with its first page (I15)
        keep(stock, isOver ? afterChanges(withCredit, pass, copied, now) : { ...withCredit, changes: pass });
      }
    });
  };
}
