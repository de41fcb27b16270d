// Owns the reading of the queue's whole history as a file, page by page. Never saves it, and never looks into it.
import type { ExportFormat } from '../../app/contract/history.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import type { Wall } from '../bridge.ts';

/** Far more than the queue can hold in ten years of a busy shop. */
const mostPages = 2_000;

/** The file's parts in their order. Fails as `queue:export` does, or with `answerTooLarge`. */
export async function readQueueExport(wall: Wall, format: ExportFormat): Promise<Result<readonly string[], Failure>> {
  const parts: string[] = [];
  let after = 0;
  while (parts.length < mostPages) {
    const page = await wall.call('queue:export', { format, after });
    if (!page.ok) {
      return page;
    }
    parts.push(page.value.text);
    if (page.value.next === null) {
      return succeed(parts);
    }
    after = page.value.next;
  }
  return fail({ kind: 'answerTooLarge' });
}
