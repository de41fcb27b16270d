// Where the pages of a pass come from when several terminals copy the same stock: one of them, the reader, asks the
// platform and shows the others what it was answered. Each goes on with its own pass.
//
//   P1  Pages of one pass are taken in the order in which they were asked for: one that was asked for before the page
//       before it is not taken.
//   P2  A full listing takes nothing that was asked for before the last one came to its end; the first of a stock takes
//       what is about a day old at most, a later one what is an hour old. Changes are taken when they were asked for
//       after all that was taken in before, and from no later than this terminal wants them.
//   P3  Whoever waits for the reader's page for `patienceMs` asks the platform, and at once whoever cannot read it.
//       So does whoever the stock is refused to, or may be, until it is not: what others may read says nothing of that.
//   P4  The moment of a page is in the hub's time, so that no figure looks younger than it is.
import { z } from 'zod';
import type { Id } from '../../domain/int64.ts';
import { parseJsonWithin, writeJsonOrNull } from '../../domain/json.ts';
import { mostAnswerValues } from '../../platform/answer.ts';
import type { ListingPage } from '../../platform/client.ts';
import { listedElementSchema } from '../../platform/listing/listed-element.ts';
import type { ListingQuery } from '../../platform/query.ts';
import type { Clock, SharedTexts } from '../../ports.ts';
import { wait } from '../../storage/pause.ts';
import type { PassKind } from './page-store.ts';
import type { StockRow } from '../repository/repository.ts';

/** How old a page of the first listing may be, and of a later one. */
const maxAgeMs = { first: 26 * 3_600_000, later: 3_600_000 };
const patienceMs = 30_000;
const lookEveryMs = 1_000;

/** As many as are read of the platform: each costs some microseconds. One of more each asks for. */
const maxValues = mostAnswerValues;

/** Beyond that, a page of which elements stand in several places is not written: a hub keeps no text of that length. */
const maxWrittenLength = 4_194_304;

const count = z.number().int().nonnegative();
const sharedPageSchema = z.object({
  format: z.literal(1),
  /** From when on changes were asked for, by the platform's clock; null for a full listing. */
  sinceMs: z.number().nullable(),
  page: z.object({
    elements: z.array(listedElementSchema),
    currentPage: count,
    lastPage: count,
    perPage: count,
    total: count,
    platformTime: z.number().nullable(),
  }),
});

/** A page that another terminal was given. */
export interface TakenPage {
  readonly page: ListingPage;
  /** When it was asked for, by this machine's wall clock. */
  readonly askedAt: number;
  /** The same in the hub's time. */
  readonly atMs: number;
  /** From when on changes were asked for, by the platform's clock. */
  readonly sinceMs: number | null;
}

/** One pass over one stock, as its pages are shared. */
export interface SharedPass {
  /** The page as another terminal was given it; null when this one is to ask the platform. */
  take(query: ListingQuery, signal: AbortSignal): Promise<TakenPage | null>;
  /** The hub's time, when it is known: of a page that is asked for now. */
  nowMs(): number | null;
  /** Shows the others what the platform has answered to what was asked for at this moment of the hub. */
  publish(query: ListingQuery, page: ListingPage, atMs: number): void;
  /** This was taken in; null where the hub's time was not known. */
  takenIn(atMs: number | null): void;
  /** The page that was asked for ahead is not wanted. */
  dropped(): void;
}

export type SharedPages = ReturnType<typeof createSharedPages>;

function sinceOf({ updatedFrom }: ListingQuery): number | null {
  return updatedFrom === undefined ? null : Date.parse(updatedFrom);
}

/** A moment that lies ahead is of the time before the hub lost everything, and says nothing. */
function knownOf(atMs: number | null, nowMs: number): number | null {
  return atMs === null || atMs > nowMs ? null : atMs;
}

/** Whether changes from then on are all that the query asks for; a pass goes on as it began. */
function isEnough(sinceMs: number | null, query: ListingQuery): boolean {
  const wanted = sinceOf(query);
  return sinceMs === wanted || (query.page === 1 && sinceMs !== null && wanted !== null && sinceMs < wanted);
}

/**
 * A page for the other terminals; null for one that is too long, or nested too deep. What several rows say of a product
 * stands in the place of each: if all were written, the square of their number.
 */
function writePage(query: ListingQuery, page: ListingPage): string | null {
  const places = Map.groupBy(page.elements, (element) => element);
  const repeated = places.size < page.elements.length ? [...places] : [];
  const length = repeated.reduce(
    (sum, [element, all]) => sum + (writeJsonOrNull(element)?.length ?? Infinity) * all.length,
    0,
  );
  return length > maxWrittenLength ? null : writeJsonOrNull({ format: 1, sinceMs: sinceOf(query), page });
}

/** Makes the sharing of one copy; `scope` says of what it is a copy. */
export function createSharedPages(texts: SharedTexts, clock: Clock, scope: string) {
  /** By stock and kind: when the last page that was taken in was asked for, in the hub's time. */
  const takenIn = new Map<string, number | null>();
  const passes = new Map<string, { readonly name: string; readonly pass: SharedPass }>();
  /** Stocks of which the platform has refused something since it last gave this terminal a page. */
  const doubted = new Set<Id>();
  /** Pages are looked for one after another. */
  let looking: Promise<unknown> = Promise.resolve();
  /** Null until the hub's time is known again. */
  let notBeforeMs: number | null = 0;

  const placeOf = ({ stockId }: StockRow, kind: PassKind): string => `${scope} ${stockId} ${kind}`;
  const nameOf = (query: ListingQuery): string =>
    `${scope} ${JSON.stringify({ ...query, updatedFrom: query.updatedFrom !== undefined })}`;

  /** A pass that begins takes nothing that was asked for before this (P2). */
  function firstFloorOf(stock: StockRow, kind: PassKind, nowMs: number): number {
    const { listedAt, full, ended } = stock.progress;
    const notBefore = knownOf(notBeforeMs, nowMs) ?? 0;
    if (kind === 'full' && listedAt === null && (full?.pagesRead ?? 0) === 0) {
      return Math.max(nowMs - maxAgeMs.first, notBefore);
    }
    const [ofFull = null, ofChanges = null] = (['full', 'changes'] as const).map((one) =>
      knownOf(takenIn.get(placeOf(stock, one)) ?? null, nowMs),
    );
    // Changes that follow a listing come after it; others after the changes before them.
    const before = kind === 'full' || ended !== null ? ofFull : ofChanges;
    return before === null
      ? nowMs
      : Math.max(nowMs - maxAgeMs.later, notBefore, before + 1, kind === 'full' ? 0 : (ofChanges ?? 0) + 1);
  }

  function createPass(stock: StockRow, kind: PassKind): SharedPass {
    const place = placeOf(stock, kind);
    /** When the last page was asked for that was taken in, and that was asked for ahead; null when that is not known. */
    let last: { readonly atMs: number | null } | null = null;
    let ahead: { readonly atMs: number | null } | null = null;

    async function look(query: ListingQuery, signal: AbortSignal): Promise<TakenPage | null> {
      for (let waitedMs = 0; !signal.aborted; waitedMs += lookEveryMs) {
        const nowMs = texts.nowMs();
        if (nowMs === null) {
          break;
        }
        notBeforeMs ??= nowMs;
        const before = ahead ?? last;
        const floorMs = before === null ? firstFloorOf(stock, kind, nowMs) : (knownOf(before.atMs, nowMs) ?? nowMs); // P1
        const found = await texts.read(nameOf(query));
        if (found === 'newer') {
          break; // P3
        }
        // One that is too old is looked at each second until the reader's comes: it is not read.
        if (found !== null && found.atMs >= floorMs) {
          const { text, atMs, ageMs } = found;
          const shown = sharedPageSchema.safeParse(parseJsonWithin(text, maxValues)).data;
          if (shown === undefined || !isEnough(shown.sinceMs, query)) {
            // It cannot be read (P3), or the reader asks for a page that does not serve this pass.
            break;
          }
          const { page, sinceMs } = shown;
          ahead = { atMs };
          return { page, atMs, sinceMs, askedAt: clock.now() - Math.ceil(ageMs) }; // P4
        }
        if (waitedMs >= patienceMs || (await texts.lease(`reader ${place}`))) {
          break; // P3
        }
        await wait(clock, lookEveryMs, signal);
      }
      ahead = { atMs: texts.nowMs() };
      return null;
    }

    return {
      take: (query, signal) => {
        const taken = looking.then(() => look(query, signal));
        looking = taken;
        return taken;
      },
      nowMs: () => texts.nowMs(),
      publish: (query, page, atMs) => {
        doubted.delete(query.stockId);
        const text = writePage(query, page);
        if (text !== null) {
          void texts.write(nameOf(query), { text, atMs });
        }
      },
      takenIn: (atMs) => {
        last = { atMs };
        takenIn.set(place, atMs);
      },
      dropped: () => {
        ahead = null;
      },
    };
  }

  return {
    /** The pass of this name; another one of its kind and stock is over then. */
    pass: (name: string, stock: StockRow, kind: PassKind): SharedPass => {
      const place = placeOf(stock, kind);
      const known = passes.get(place);
      const pass = known?.name === name ? known.pass : createPass(stock, kind);
      passes.set(place, { name, pass });
      // mutant: a stock that is refused here is taken from the others
      return stock.progress.refused === null && !doubted.has(stock.stockId)
        ? pass
        : // P3; it looks for nothing, but notes the page's place in the order (P1).
          { ...pass, take: (query) => pass.take(query, AbortSignal.abort()) };
    },
    /** Something of this stock was refused to this terminal. */
    doubt: (stockId: Id) => {
      doubted.add(stockId);
    },
    /** A person wants everything to be asked for anew. */
    forget: () => {
      notBeforeMs = texts.nowMs();
    },
  };
}
