import { join } from 'node:path';
import { Database } from '../../app/storage/database.ts';
import { queueMigrations } from '../../app/terminal/workspace/queue-migrations.ts';

/** Opens or creates queue.db in the folder; without waiting for the disk, because these tests cut no power. */
export async function openQueueDatabase(directory: string): Promise<Database> {
  const database = await Database.open(join(directory, 'queue.db'), { kind: 'precious', migrations: queueMigrations });
  database.exec('PRAGMA synchronous = OFF');
  return database;
}

/** Lets the database grow no further, as on a full disk, by filling what is left; answers how to make room again. */
export function fillDisk(database: Database): () => void {
  const { page_count: pages } = database.prepare<{ page_count: number }>('PRAGMA page_count').get() ?? {
    page_count: 1,
  };
  database.exec('CREATE TABLE IF NOT EXISTS filler (bytes BLOB)');
  database.exec(`PRAGMA max_page_count = ${pages + 8}`);
  for (const size of [4000, 400, 40]) {
    try {
      for (;;) {
        database.exec(`INSERT INTO filler VALUES (zeroblob(${size}))`);
      }
    } catch {
      // Full for rows of this size.
    }
  }
  return () => {
    database.exec('PRAGMA max_page_count = 1073741823');
  };
}
