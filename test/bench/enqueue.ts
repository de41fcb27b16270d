import { join } from 'node:path';
import type { Id } from '../../app/domain/int64.ts';
import { openQueueRepository } from '../../app/queue/repository.ts';
import { Database } from '../../app/storage/database.ts';
import { queueMigrations } from '../../app/terminal/workspace/queue-migrations.ts';
import { spreadOf, type Spread } from './statistics.ts';

const updatesARound = 600;
/**
 * SQLite writes its log over again from here on, in pages; until then the file grows with each commit, for which the
 * disk takes longer.
 */
const firstPages = 1000;

function timed(action: () => void): number {
  const startedAt = performance.now();
  action();
  return performance.now() - startedAt;
}

/** Both, one update and one insert by turns, so that a busy moment of the machine meets both alike. */
async function measureRound(
  directory: string,
  round: number,
): Promise<{ readonly enqueued: number[]; readonly inserted: number[] }> {
  const queue = await Database.open(join(directory, `queue-${round}.db`), {
    kind: 'precious',
    migrations: queueMigrations,
  });
  const repository = openQueueRepository(queue, () => undefined);
  const ownerId = repository.ownerId({
    platform: 'https://platform.example.com',
    companyId: '4101' as Id,
    email: 'till@example.com',
  });
  const migrations = [{ version: 1, sql: 'CREATE TABLE plain (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT' }];
  const plain = await Database.open(join(directory, `plain-${round}.db`), { kind: 'precious', migrations });
  const statement = plain.prepare('INSERT INTO plain (text) VALUES (?)');
  // As much text as a row of the queue holds.
  const text = 'x'.repeat(100);
  const enqueued: number[] = [];
  const inserted: number[] = [];
  const enqueue = (number: number): void => {
    const update = {
      ownerId,
      productId: String(1_000_001 + number) as Id,
      isEnabled: true,
      seen: false,
      isSeenFresh: false,
      now: 1,
    };
    enqueued.push(
      timed(() => {
        if (!repository.enqueue(update)) {
          throw new Error('the queue is full');
        }
      }),
    );
  };
  const insert = (): void => {
    inserted.push(timed(() => statement.run(text)));
  };
  for (let number = 0; number < firstPages + updatesARound; number += 2) {
    enqueue(number);
    insert();
    insert();
    enqueue(number + 1);
  }
  queue.close();
  plain.close();
  return { enqueued: enqueued.slice(firstPages), inserted: inserted.slice(firstPages) };
}

/** Each round in new files of this folder. */
export async function measureEnqueue(
  directory: string,
  rounds: number,
): Promise<{ readonly enqueue: Spread; readonly insert: Spread }> {
  const measured: Awaited<ReturnType<typeof measureRound>>[] = [];
  for (let round = 0; round < rounds; round += 1) {
    measured.push(await measureRound(directory, round));
  }
  return {
    enqueue: spreadOf(measured.map(({ enqueued }) => enqueued)),
    insert: spreadOf(measured.map(({ inserted }) => inserted)),
  };
}
