import type { Failure } from '../../domain/failure.ts';
import type { Id } from '../../domain/int64.ts';
import type { PlatformClient } from '../../platform/client.ts';
import type { Clock } from '../../ports.ts';
import { pause } from '../../storage/pause.ts';
import type { RecentlyViewed } from './recently-viewed.ts';
import type { Pace } from './pace.ts';
import { perhapsOfQuestion } from '../refusals.ts';
import { listFirst, listFitting } from './narrow-questions.ts';
import { removeInSlices } from '../repository/slices.ts';
import type { CatalogueRepository, StockRow } from '../repository/repository.ts';
import type { Stocks } from './stocks.ts';

const sweepSize = 50;
/** Failures in a row before ids are asked for in smaller parts, or one alone is left. */
const triesBeforeParting = 3;
/** With so many ids in a row that fail alone, it is the filter that fails. */
const idsBeforeGivingUp = 5;

export interface ByIdsPorts {
  readonly repository: CatalogueRepository;
  readonly client: PlatformClient;
  readonly clock: Clock;
  readonly pace: Pace;
  readonly recentlyViewed: RecentlyViewed;
  readonly stocks: Stocks;
}

/** The requests themselves, and what they say of one stock. */
function createAsking({ client, clock, pace }: Pick<ByIdsPorts, 'client' | 'clock' | 'pace'>) {
  /** Null when the answer no longer matters. */
  async function ask(stock: StockRow, productIds: readonly Id[], signal: AbortSignal) {
    const askedAt = clock.now();
    pace.depart(clock.uptimeMs());
    const answer = await listFitting(
      { client, clock },
      { stockId: stock.stockId, page: 1, perPage: 100, productIds, amountInStock: 'all' },
      { lane: 'catalogue', signal },
    );
    return signal.aborted ? null : { answer, askedAt };
  }

  /** Whether these ids alone fail: the stock is listed all the same (S7). */
  async function areFailing(stock: StockRow, { kind }: Failure, signal: AbortSignal): Promise<boolean> {
    if (!perhapsOfQuestion.has(kind)) {
      return false;
    }
    pace.depart(clock.uptimeMs());
    return (await listFirst(client, stock.stockId, { lane: 'catalogue', signal })).ok && !signal.aborted;
  }

  return { ask, areFailing };
}

export type ByIds = ReturnType<typeof createByIds>;

/** Opens the asking by ids. */
export function createByIds(ports: ByIdsPorts) {
  const { repository, clock, recentlyViewed, stocks } = ports;
  let granted = sweepSize;
  let atOnce = granted;
  let failuresInRow = 0;
  let leftInRow = 0;

  const { ask, areFailing } = createAsking(ports);

  return {
    /** Reads what people looked at in a stock. Answers the failure, or null. Throws StorageError. */
    readLooked: async (stock: StockRow, signal: AbortSignal): Promise<Failure | null> => {
      const productIds = recentlyViewed.of(stock);
      recentlyViewed.noteAsked(stock, productIds);
      const asked = await ask(stock, productIds, signal);
      if (asked?.answer.ok !== true) {
        return asked?.answer.failure ?? null;
      }
      const { elements, total } = asked.answer.value;
      const { productIds: shown } = repository.writer.save(stocks.current(stock), elements, {
        pass: 0,
        seenSince: 0,
        askedAt: asked.askedAt,
        isPart: total > elements.length,
      });
      if (!shown.every((shownId) => productIds.includes(shownId))) {
        recentlyViewed.giveUp();
      }
      return null;
    },

    /** Asks for a part of what a full listing did not show. Answers the failure, or null. Throws StorageError. */
    sweep: async (stock: StockRow, signal: AbortSignal): Promise<Failure | null> => {
      const { sweep: plan } = stock.progress;
      if (plan === null) {
        return null;
      }
      const { productIds, position, isEnd } = repository.unseen(stock, plan.pass, plan.position, atOnce);
      const next = isEnd ? null : { ...plan, position };
      if (productIds.length === 0) {
        stocks.keep(stock, { ...stock.progress, sweep: next });
        // Walking through many rows lets others have their turn.
        await new Promise<void>((resolve) => {
          clock.after(0, resolve);
        });
        return null;
      }
      const asked = await ask(stock, productIds, signal);
      const now = stocks.current(stock);
      if (asked === null || now.progress.sweep?.pass !== plan.pass) {
        return null;
      }
      if (!asked.answer.ok) {
        const { failure } = asked.answer;
        failuresInRow += 1;
        const isCertain = failure.kind === 'notFound' || failuresInRow >= triesBeforeParting;
        if (!isCertain || !(await areFailing(now, failure, signal))) {
          return failure;
        }
        failuresInRow = 0;
        if (productIds.length > 1) {
          atOnce = Math.ceil(productIds.length / 2);
          return null;
        }
        const left = stocks.current(now);
        leftInRow += 1;
        if (left.progress.sweep?.pass === plan.pass) {
          stocks.keep(left, { ...left.progress, sweep: leftInRow < idsBeforeGivingUp ? next : null });
        }
        return null;
      }
      failuresInRow = 0;
      leftInRow = 0;
      const { elements, total, perPage } = asked.answer.value;
      if (perPage > 0 && perPage < productIds.length) {
        // It grants smaller pages: what is not on the first one has not vanished for that.
        granted = perPage;
        atOnce = perPage;
        return null;
      }
      const { productIds: shown, unreadable } = repository.writer.save(now, elements, {
        pass: 0,
        seenSince: 0,
        askedAt: asked.askedAt,
        isPart: total > elements.length,
      });
      const isAnswered = shown.every((shownId) => productIds.includes(shownId)) && total <= elements.length;
      if (isAnswered && unreadable > 0 && productIds.length > 1) {
        // Which of them it is that cannot be read is known where they are asked for one by one (S4).
        atOnce = Math.ceil(productIds.length / 2);
        return null;
      }
      atOnce = Math.min(granted, 2 * atOnce);
      // One that is shown so that it cannot be read has not vanished. A platform that does not filter by ids leaves the
      // full listing as the only word, which must have been steady then (S4).
      // mutant: a product that became unreadable is taken for one that vanished
      const isKnown = isAnswered ? unreadable === 0 : plan.trustsPass;
      // mutant: what a listing did not show is removed without asking for it (I15)
      const vanished = isKnown ? productIds.filter((productId) => !shown.includes(productId)) : [];
      const isRemoved = await removeInSlices(repository, now, vanished, () => pause(clock, signal));
      const after = stocks.current(stock);
      // Cut off before this, it asks for the rest of them again.
      if (isRemoved && after.progress.sweep?.pass === plan.pass) {
        stocks.keep(after, { ...after.progress, sweep: next });
      }
      return null;
    },
  };
}
