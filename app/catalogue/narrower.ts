// A refusal of a narrower question (changes, ids, a later page) says nothing of its stock while the plain first
// page is answered (API v3 §4.3 says neither how an empty list is answered nor which bounds a filter has).
import type { Failure, FailureKind } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { succeed, type Result } from '../domain/result.ts';
import type { CallOptions, ListingPage, PlatformClient } from '../platform/client.ts';
import type { ListingQuery } from '../platform/query.ts';
import type { Clock } from '../ports.ts';

/** Failures by which a platform refuses a question. */
export const refusals: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'forbidden',
  'notFound',
  'badRequest',
  'unprocessable',
  'refused',
]);
/** Failures that may be of one question alone. */
export const perhapsOfQuestion: ReadonlySet<FailureKind> = new Set<FailureKind>([
  ...refusals,
  'platformFailed',
  'timedOut',
  'answerMalformed',
  'answerTooLarge',
]);

/** Asks for the first product of a stock, whichever it is. Fails as the client does. */
export function listFirst(
  client: PlatformClient,
  stockId: Id,
  options: CallOptions,
): Promise<Result<ListingPage, Failure>> {
  return client.listStockProducts(
    { stockId, page: 1, perPage: 1, orderByField: 'code', orderByType: 'asc', amountInStock: 'all' },
    options,
  );
}

/**
 * Lists products of a stock; a 404 to changes or to one id, twice, means that nothing fits it: a machine in between may
 * answer so once, and to several ids it may mean that one of them has gone. Fails as the client does.
 */
export async function listFitting(
  { client, clock }: { readonly client: PlatformClient; readonly clock: Clock },
  query: ListingQuery,
  options: CallOptions,
): Promise<Result<ListingPage, Failure>> {
  const askedAtMs = clock.uptimeMs();
  const answer = await client.listStockProducts(query, options);
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
