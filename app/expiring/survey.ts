import { dayAt } from '../domain/days.ts';
import type { WhyLacking } from '../contract/expiring.ts';
import type { Id } from '../domain/int64.ts';
import type { BatchesFile } from './batches-file.ts';
import type { ExpiringParts } from './parts.ts';
import type { Planned } from './night.ts';
import { createShortlist, turnOf, type Turn } from './order.ts';
import type { BatchesRepository, Place } from './repository.ts';

const plannedAtOnce = 300;
const surveyedAtOnce = 200;

/** Of how much of the stocks that are not refused something is known; `since` is the oldest answer, null without any. */
export interface Survey {
  readonly mayLack: WhyLacking[];
  readonly withStock: number;
  readonly asked: number;
  readonly since: number | null;
}

/** Nothing is asked about those. */
function refusedStocks({ catalogue }: ExpiringParts): ReadonlySet<Id> {
  return new Set(catalogue.state().stocks.flatMap(({ stockId, refused }) => (refused === null ? [] : [stockId])));
}

/**
 * What these do not have has gone, or cannot be known while the platform refuses them; of the others, and while the copy
 * cannot be read, it may still come.
 */
function settledStocks({ catalogue }: ExpiringParts): ReadonlySet<Id> {
  return new Set(
    catalogue
      .state()
      .stocks.flatMap(({ stockId, completeAsOf, refused }) =>
        completeAsOf === null && refused === null ? [] : [stockId],
      ),
  );
}

/**
 * The products to ask for next, the most likely first, but for those that were `left` for now; null when it was closed.
 * Throws StorageError.
 */
export function planNight(
  parts: ExpiringParts,
  file: BatchesFile,
  isLeft: (place: Place) => boolean,
): Promise<readonly Planned[] | null> {
  const { catalogue, clock, offsetMinutes, pause } = parts;
  const now = clock.now();
  const today = dayAt(now, offsetMinutes(now));
  const refused = refusedStocks(parts);
  return file.use(async (repository) => {
    const shortlist = createShortlist<{ readonly turn: Turn; readonly place: Planned }>(plannedAtOnce);
    for (let after: number | null = 0; after !== null;) {
      const slice = catalogue.stocked(after);
      for (const candidate of slice.products) {
        const { stockId, productId } = candidate;
        const known = repository.known(candidate, today);
        const turn =
          refused.has(stockId) || isLeft(candidate) ? null : turnOf(candidate, known, now, offsetMinutes(now));
        if (turn !== null) {
          shortlist.offer({ turn, place: { stockId, productId, askedAt: known?.askedAt ?? null } });
        }
      }
      after = slice.next;
      if (!(await pause()) || file.isClosed()) {
        return null;
      }
    }
    return shortlist.inOrder().map(({ place }) => place);
  });
}

/** Whether the platform may be asked, there is some, and nobody has asked for it since it was planned. Throws StorageError. */
export async function isStillWanted(
  parts: ExpiringParts,
  file: BatchesFile,
  { askedAt, ...place }: Planned,
): Promise<boolean> {
  // mutant: the night asks about a stock that was refused since it was planned
  if (refusedStocks(parts).has(place.stockId)) {
    return false;
  }
  const wanted = await file.use(
    (repository) =>
      (parts.catalogue.figure(place) ?? 0) > 0 && (repository.known(place, '')?.askedAt ?? null) === askedAt,
  );
  return wanted === true;
}

/** Looks at what the copy says of all that is known; null when it was closed. Throws StorageError. */
export async function survey(
  parts: ExpiringParts,
  repository: BatchesRepository,
  isClosed: () => boolean,
): Promise<Survey | null> {
  const { catalogue, pause, stockIds } = parts;
  const refused = refusedStocks(parts);
  let [asked, since] = [0, Number.POSITIVE_INFINITY];
  for (let rows = repository.products(0, surveyedAtOnce); rows.length > 0;) {
    const settled = settledStocks(parts);
    for (const { id, isOut, askedAt, ...place } of rows) {
      const figure = catalogue.figure(place);
      const isThere = typeof figure === 'number' && figure > 0;
      const isGone = !isThere && figure !== null;
      // mutant: what is not copied yet is taken for gone
      const isKnown = typeof figure === 'number' || settled.has(place.stockId);
      if (isKnown && isGone !== (isOut === 1)) {
        repository.setOut(id, isGone);
      }
      if (isThere && !refused.has(place.stockId)) {
        asked += 1;
        since = Math.min(since, askedAt);
      }
    }
    if (!(await pause()) || isClosed()) {
      return null;
    }
    rows = repository.products(rows.at(-1)?.id ?? 0, surveyedAtOnce);
  }
  const withStock = await catalogue.countStocked(pause, refused);
  if (isClosed()) {
    return null;
  }
  const settled = settledStocks(parts);
  const isWhole = withStock.ok && stockIds.every((stockId) => settled.has(stockId));
  return {
    mayLack: [...(isWhole ? [] : ['notCopied' as const]), ...(refused.size > 0 ? ['refusedStock' as const] : [])],
    withStock: Math.max(withStock.ok ? withStock.value : 0, asked),
    asked,
    since: asked === 0 ? null : since,
  };
}
