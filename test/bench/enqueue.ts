// Owns the measurement of what it costs to keep a coupon update for good: the queue's own enqueue beside a bare insert of the same
// size into a database that is opened in the same way, so that both wait for the disk. Never sends anything.
import { join } from 'node:path';
import type { Id } from '../../app/domain/int64.ts';
import { openQueueStore } from '../../app/queue/store.ts';
import { Database } from '../../app/storage/database.ts';
import { queueMigrations } from '../../app/storage/queue-migrations.ts';
import { spreadOf, type Spread } from './statistics.ts';

const updatesARound = 300;

function timesOf(action: (number: number) => void): number[] {
  return Array.from({ length: updatesARound }, (_unused, number) => {
    const startedAt = performance.now();
    action(number);
    return performance.now() - startedAt;
  });
}

async function enqueueRound(path: string): Promise<number[]> {
  const database = await Database.open(path, { kind: 'precious', migrations: queueMigrations });
  const store = openQueueStore(database, () => undefined);
  const ownerId = store.ownerId({ platform: 'https://platform.example.com', companyId: '4101' as Id, email: 'till@example.com' });
  const times = timesOf((number) => {
    if (!store.enqueue({ ownerId, productId: String(1_000_001 + number) as Id, isEnabled: true, seen: false, isSeenFresh: false, now: 1 })) {
      throw new Error('the queue is full');
    }
  });
  database.close();
  return times;
}

async function insertRound(path: string): Promise<number[]> {
  const migrations = [{ version: 1, sql: 'CREATE TABLE plain (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT' }];
  const database = await Database.open(path, { kind: 'precious', migrations });
  const insert = database.prepare('INSERT INTO plain (text) VALUES (?)');
  // As much text as a row of the queue holds.
  const text = 'x'.repeat(100);
  const times = timesOf(() => {
    insert.run(text);
  });
  database.close();
  return times;
}

/** Both, turn by turn, each round in a new file of this folder. */
export async function measureEnqueue(directory: string, rounds: number): Promise<{ readonly enqueue: Spread; readonly insert: Spread }> {
  const enqueued: number[][] = [];
  const inserted: number[][] = [];
  for (let round = 0; round < rounds; round += 1) {
    enqueued.push(await enqueueRound(join(directory, `queue-${round}.db`)));
    inserted.push(await insertRound(join(directory, `plain-${round}.db`)));
  }
  return { enqueue: spreadOf(enqueued), insert: spreadOf(inserted) };
}
