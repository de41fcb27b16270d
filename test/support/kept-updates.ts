import { join } from 'node:path';
import type { QueuedUpdate } from '../../app/contract/queue.ts';
import { parseId, type Id } from '../../app/domain/int64.ts';
import type { UpdateRow } from '../../app/queue/rows.ts';
import { Database } from '../../app/storage/database.ts';
import { queueMigrations } from '../../app/terminal/workspace/queue-migrations.ts';

type KeptUpdate = Pick<QueuedUpdate, 'id' | 'status' | 'parkedBecause'> &
  (
    | { readonly kind: 'coupon'; readonly productId: Id; readonly isEnabled: boolean }
    | { readonly kind: 'restoreUser'; readonly userId: Id }
  );

/** All updates in the real store of this data directory, oldest first. Throws StorageError. */
export async function readKeptUpdates(dataDirectory: string): Promise<readonly KeptUpdate[]> {
  const database = await Database.open(join(dataDirectory, 'store', 'queue.db'), {
    kind: 'precious',
    migrations: queueMigrations,
  });
  try {
    return database
      .prepare<UpdateRow>('SELECT * FROM updates ORDER BY id')
      .all()
      .map((row) => {
        const subject = parseId(row.subject_id) ?? ('0' as Id);
        const facts = {
          id: row.id,
          status: row.state === 'sealed' ? 'inFlight' : row.state,
          parkedBecause: row.state === 'parked' ? row.parked_because : null,
        } as const;
        return row.kind === 'restoreUser'
          ? { ...facts, kind: 'restoreUser', userId: subject }
          : { ...facts, kind: 'coupon', productId: subject, isEnabled: row.is_enabled === 1 };
      });
  } finally {
    database.close();
  }
}
