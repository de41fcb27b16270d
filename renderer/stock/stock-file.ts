import type { StockQuery } from '../../app/contract/browse.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';

/** Five times as many as the largest copy has. */
const maxPages = 10_000;

/**
 * The file's parts in their order, each outside of this page's memory. `onProgress` hears how many rows are in them, of
 * how many; null while those are still being counted. Fails as `stock:export` does, with `answerTooLarge`, or with
 * `cancelled` by the signal.
 */
export async function readStockFile(
  bridge: Bridge,
  query: StockQuery,
  onProgress: (done: number, of: number | null) => void,
  signal: AbortSignal,
): Promise<Result<readonly Blob[], Failure>> {
  const parts: Blob[] = [];
  let view: number | undefined;
  let after = 0;
  while (parts.length < maxPages) {
    const page = await bridge.call('stock:export', { query, ...(view === undefined ? {} : { view }), after });
    if (signal.aborted) {
      return fail({ kind: 'cancelled' });
    }
    if (!page.ok) {
      return page;
    }
    parts.push(new Blob([page.value.text]));
    if (page.value.next === null) {
      return succeed(parts);
    }
    ({ view, next: after } = { ...page.value, next: page.value.next });
    onProgress(after, page.value.total);
  }
  return fail({ kind: 'answerTooLarge' });
}
