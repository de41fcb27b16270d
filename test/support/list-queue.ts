import type { InvokeInput, InvokeOutput } from '../../app/contract/contract.ts';
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';

type List = (page: InvokeInput<'queue:list'>) => Promise<Result<InvokeOutput<'queue:list'>, Failure> | null>;

/** All updates of the queue's list, oldest first, read page by page. Throws when it cannot be read. */
export async function listQueue(list: List): Promise<readonly QueuedUpdate[]> {
  const rows: QueuedUpdate[] = [];
  for (;;) {
    const page = await list({ statuses: [], offset: rows.length, limit: 200 });
    if (page?.ok !== true) {
      throw new Error(`the queue cannot be listed: ${JSON.stringify(page)}`);
    }
    rows.push(...page.value.rows);
    if (page.value.rows.length === 0 || rows.length >= page.value.total) {
      return rows.toReversed();
    }
  }
}
