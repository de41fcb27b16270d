import type { ExportFormat } from '../../app/contract/history.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';

/** Far more than the queue can hold in ten years of a busy shop. */
const maxPages = 2_000;

/** How far a file is: updates that are in it, and how many there were when it was begun. */
export interface ExportProgress {
  readonly done: number;
  readonly of: number;
}

/**
 * The file's parts in their order; `onProgress` hears how far it has got. Fails as `queue:export` does, with
 * `answerTooLarge`, or with `cancelled` by the signal.
 */
export async function readQueueExport(
  bridge: Bridge,
  format: ExportFormat,
  onProgress: (progress: ExportProgress) => void,
  signal: AbortSignal,
): Promise<Result<readonly string[], Failure>> {
  const parts: string[] = [];
  let [after, done] = [0, 0];
  const all = await bridge.call('queue:list', { standings: [], offset: 0, limit: 1 });
  while (parts.length < maxPages) {
    const page = await bridge.call('queue:export', { format, after });
    if (signal.aborted) {
      return fail({ kind: 'cancelled' });
    }
    if (!page.ok) {
      return page;
    }
    parts.push(page.value.text);
    done += page.value.rows;
    if (page.value.next === null) {
      return succeed(parts);
    }
    onProgress({ done, of: Math.max(done, all.ok ? all.value.total : 0) });
    after = page.value.next;
  }
  return fail({ kind: 'answerTooLarge' });
}
