import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { StoredMemory } from '../../../app/hub/rate-share.ts';
import { openHubMemory } from '../../../app/hub/memory.ts';
import { createRateShare } from '../../../app/hub/rate-share.ts';
import { Database } from '../../../app/storage/database.ts';
import { queueMigrations } from '../../../app/terminal/workspace/queue-migrations.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const stored: StoredMemory = {
  own: 3,
  share: 30,
  answered: 7,
  memory: {
    version: 12,
    document: {
      format: 1,
      epoch: 'first',
      restored: null,
      serverMs: 1_700_000_000_000.5,
      loMs: 1,
      hiMs: 2,
      lendsFromMs: 0,
      refusal: null,
      catalogueMs: 0,
      figuresMs: 0,
      members: {},
    },
  },
};

async function openQueue(path = join(temporaryDirectory(), 'queue.db'), newest = Infinity): Promise<Database> {
  return Database.open(path, {
    kind: 'precious',
    migrations: queueMigrations.filter(({ version }) => version <= newest),
  });
}

test('keeps what is remembered of each account for the terminal that wrote it', async () => {
  const database = await openQueue();
  const memory = openHubMemory(database, 'https://platform.example.com', 'one', 'hub');
  expect(memory.read()).toBeNull();
  memory.write({ ...stored, own: 1 });
  memory.write(stored);
  expect(memory.read()).toMatchObject(stored);
  expect(openHubMemory(database, 'https://other.example.com', 'one', 'hub').read()).toBeNull();
  // Joined anew, under another id.
  expect(openHubMemory(database, 'https://platform.example.com', 'two', 'hub').read()).toBeNull();
  database.close();
});

test.each([
  'no JSON',
  '{}',
  JSON.stringify({ terminalId: 'one', ...stored, share: -1 }),
  JSON.stringify({ terminalId: 'one', ...stored, memory: { version: 12, document: { format: 2 } } }),
])('what cannot be read is as if nothing were remembered: %s', async (text) => {
  const database = await openQueue();
  database.prepare('INSERT INTO hub_memory (account, memory) VALUES (?, ?)').run('account', text);
  expect(openHubMemory(database, 'account', 'one', 'hub').read()).toBeNull();
  database.close();
});

test('a queue.db from before there were hubs opens, and remembers none', async () => {
  const path = join(temporaryDirectory(), 'queue.db');
  (await openQueue(path, 6)).close();
  const database = await openQueue(path);
  const memory = openHubMemory(database, 'account', 'one', 'hub');
  expect(memory.read()).toBeNull();
  memory.write(stored);
  expect(memory.read()).toMatchObject(stored);
  database.close();
});

test('who takes part by another id counts where it did before until that is over (H17)', async () => {
  const database = await openQueue();
  const memoryOf = (id: string) => openHubMemory(database, 'https://platform.example.com', id, 'hub');
  const countsAt = (isOver = false) =>
    createRateShare(memoryOf('two'), 0, 'other').accountsNow(undefined, isOver).countsAt;
  expect(countsAt()).toEqual(['other']);
  memoryOf('one').write({ ...stored, countsAt: ['one', 'other'] });
  expect([countsAt(), countsAt(true)]).toEqual([['one', 'other'], ['other']]);
  memoryOf('one').write(stored);
  expect(countsAt()).toBeNull();
});
