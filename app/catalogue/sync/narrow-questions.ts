// A refusal of a narrower question (changes, ids, a later page) says nothing of its stock while the plain first
// page is answered (API v3 §4.3 says neither how an empty list is answered nor which bounds a filter has). A 404 may
// mean that nothing fits, or that a filter is answered so whatever fits, as by a machine in between: a witness, a
// question of the same kind that must find something, tells which.
import { formatDateTime, parseDateTime } from '../../domain/date-time.ts';
import type { Failure } from '../../domain/failure.ts';
import type { Id } from '../../domain/int64.ts';
import { succeed, type Result } from '../../domain/result.ts';
import type { CallOptions, ListingPage, PlatformClient } from '../../platform/client.ts';
import type { ListedElement } from '../../platform/listing/listed-element.ts';
import type { ListingQuery } from '../../platform/query.ts';
import type { Clock } from '../../ports.ts';
import { perhapsOfQuestion } from '../refusals.ts';

/** Of so many products, one has changed not long ago. */
const firstFew = 20;
const minuteMs = 60_000;
/** All that is listed has been updated since. */
const longAgo = Date.UTC(2000, 0);

/**
 * Asks for the first products of a stock, whichever they are, and where one of them fails all, for the first alone.
 * Fails as the client does.
 */
export async function listFirst(
  client: PlatformClient,
  stockId: Id,
  options: CallOptions,
): Promise<Result<ListingPage, Failure>> {
  const ask = (perPage: number): Promise<Result<ListingPage, Failure>> =>
    client.listStockProducts(
      { stockId, page: 1, perPage, orderByField: 'code', orderByType: 'asc', amountInStock: 'all' },
      options,
    );
  const few = await ask(firstFew);
  return few.ok || !perhapsOfQuestion.has(few.failure.kind) ? few : ask(1);
}

/** Since when each stock has surely changed: the newest question for changes that found some. */
export type ChangedSince = Map<Id, string>;

/** Filters like this one that fit some of what was listed just now, the nearest first; none where that tells none. */
function witnessesOf(
  { stockId, updatedFrom }: ListingQuery,
  listed: readonly ListedElement[],
  changedSince: ChangedSince,
): readonly Pick<ListingQuery, 'productIds' | 'updatedFrom'>[] {
  if (updatedFrom === undefined) {
    const [first] = listed.flatMap(({ product }) => product ?? []);
    return first === undefined ? [] : [{ productIds: [first.productId] }];
  }
  const offsetMinutes = parseDateTime(updatedFrom)?.offsetMinutes ?? 0;
  const told = listed.flatMap(({ updatedAt }) => updatedAt ?? []);
  // The platform may tell changes of the last days alone, or tell no date, or another than it filters by.
  const moments = [...(told.length === 0 ? [] : [Math.max(...told) - minuteMs]), longAgo].map((time) =>
    formatDateTime({ time, offsetMinutes }),
  );
  // What was found then has changed since then, whatever has changed after it.
  // mutant: changes of the last days alone are taken for refused while nothing changes
  const seen = changedSince.get(stockId);
  const all = seen === undefined ? moments : [seen, ...moments];
  return listed.length === 0 ? [] : all.map((from) => ({ updatedFrom: from }));
}

/**
 * Whether every witness is answered with 404, too. One that is refused otherwise proves nothing; fails as one does that
 * has no answer.
 */
async function isFilterRefused(
  client: PlatformClient,
  query: ListingQuery,
  witnesses: ReturnType<typeof witnessesOf>,
  options: CallOptions,
): Promise<Result<boolean, Failure>> {
  for (const witness of witnesses) {
    const answer = await client.listStockProducts({ ...query, ...witness, perPage: 1 }, options);
    if (!answer.ok && (answer.failure.kind === 'timedOut' || !perhapsOfQuestion.has(answer.failure.kind))) {
      return answer;
    }
    if (answer.ok || answer.failure.kind !== 'notFound') {
      return succeed(false);
    }
  }
  return succeed(witnesses.length > 0);
}

/**
 * Lists products of a stock; a 404 to changes or to one id, twice, means that nothing fits it, where a witness is found:
 * a machine in between may answer so once, and to several ids it may mean that one of them has gone. Fails as the
 * client does.
 */
export async function listFitting(
  { client, clock }: { readonly client: PlatformClient; readonly clock: Clock },
  query: ListingQuery,
  options: CallOptions,
  changedSince: ChangedSince = new Map(),
): Promise<Result<ListingPage, Failure>> {
  const askedAtMs = clock.uptimeMs();
  const answer = await client.listStockProducts(query, options);
  if (answer.ok && query.updatedFrom !== undefined && answer.value.elements.length > 0) {
    changedSince.set(query.stockId, query.updatedFrom);
  }
  const isFiltered = query.updatedFrom !== undefined || query.productIds?.length === 1;
  if (answer.ok || answer.failure.kind !== 'notFound' || !isFiltered || query.page > 1) {
    return answer;
  }
  const first = await listFirst(client, query.stockId, options);
  if (!first.ok) {
    return first;
  }
  const { platformTime } = first.value;
  const tookMs = clock.uptimeMs() - askedAtMs;
  const again = await client.listStockProducts(query, options);
  if (again.ok || again.failure.kind !== 'notFound') {
    return again;
  }
  // mutant: a filter that is always answered with 404 is taken for one that nothing fits
  const witnesses = witnessesOf(query, first.value.elements, changedSince);
  const refused = await isFilterRefused(client, query, witnesses, options);
  if (!refused.ok || refused.value) {
    return refused.ok ? again : refused;
  }
  return succeed({
    elements: [],
    currentPage: 1,
    lastPage: 1,
    perPage: query.perPage,
    total: 0,
    // As of the question, not of the one that followed it.
    platformTime: platformTime === null ? null : platformTime - tookMs,
  });
}
