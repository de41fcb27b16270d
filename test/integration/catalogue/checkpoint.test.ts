// The proof that it does not matter to the copy who empties its write-ahead log: the store itself, another thread, or
// one after the other when the thread is lost in the middle.
import { statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openCatalogue } from '../../../app/catalogue/catalogue.ts';
import { storeInSlices } from '../../../app/catalogue/repository/slices.ts';
import { openCatalogueRepository, type CatalogueRepository } from '../../../app/catalogue/repository/repository.ts';
import { createNodeClock, createNodeRandom } from '../../../app/hosts/node/node-ports.ts';
import { createCheckpointThread, type CheckpointThread } from '../../../app/storage/checkpoint-thread.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { createClock, FakePlatform, stockOne } from '../../unit/catalogue/catalogue-fixture.ts';
import { listed } from '../../support/listed.ts';

const pageSize = 100;
const pages = 30;
/** The bytes that the catalogue writes for a page, and as much again. */
const maxLogBytes = 3_000_000;

function startThread(): CheckpointThread {
  const thread = createCheckpointThread({
    workerPath: join(import.meta.dirname, '../../../app/storage/checkpoint-worker.ts'),
    clock: createNodeClock(),
    log: () => undefined,
  });
  onTestFinished(() => thread.close());
  return thread;
}

function pageOf(page: number): Record<string, unknown>[] {
  return Array.from({ length: pageSize }, (_unused, place) => {
    const number = page * pageSize + place;
    return {
      id: number + 1,
      name: `Biscoito ${number}`,
      code: `C${number}`,
      balance: number,
      description: 'd'.repeat(500),
    };
  });
}

async function open(path: string, thread: CheckpointThread | null): Promise<CatalogueRepository> {
  const { repository } = await openCatalogueRepository({
    path,
    fingerprint: 'https://platform.example.com 1',
    stockIds: [stockOne],
    now: () => 0,
    ...(thread === null ? {} : { checkpoint: (file) => thread.checkpoint(file) }),
  });
  onTestFinished(() => repository.close());
  return repository;
}

test.each([
  ['the store itself', false, null],
  ['another thread', true, null],
  ['a thread that is lost in the middle', true, pages / 2],
])('emptied by %s, the log stays short and the copy is whole', async (_by, hasThread, lostAt) => {
  const path = join(temporaryDirectory(), 'catalogue.db');
  const thread = hasThread ? startThread() : null;
  const repository = await open(path, thread);
  const [stock] = repository.stocks();
  if (stock === undefined) {
    throw new Error('no stock');
  }
  let longest = 0;
  for (let page = 0; page < pages; page += 1) {
    const stored = storeInSlices(
      repository,
      stock,
      listed(pageOf(page)),
      1,
      () => 0,
      () => Promise.resolve(true),
    );
    if (page === lostAt) {
      void thread?.close();
    }
    expect(await stored).toBe(true);
    repository.writer.save(stock, listed(pageOf(page)), { pass: 1, seenSince: 1, askedAt: 1 });
    longest = Math.max(longest, statSync(`${path}-wal`).size);
  }
  expect(longest).toBeLessThan(maxLogBytes);
  repository.close();
  const again = await open(path, null);
  expect(again.stocks()[0]?.copied).toBe(pages * pageSize);
  expect([...again.search.all('biscoito')].flat()).toHaveLength(pages * pageSize);
});

test('products that come one by one are left in the log until there are twenty', async () => {
  let asked = 0;
  const { repository } = await openCatalogueRepository({
    path: join(temporaryDirectory(), 'catalogue.db'),
    fingerprint: 'https://platform.example.com 1',
    stockIds: [stockOne],
    now: () => 0,
    checkpoint: () => {
      asked += 1;
      return Promise.resolve(true);
    },
  });
  const [stock] = repository.stocks();
  const asksAt: number[] = [];
  for (const [place, element] of pageOf(0).slice(0, 45).entries()) {
    const before = asked;
    if (stock !== undefined) {
      await storeInSlices(
        repository,
        stock,
        listed([element]),
        1,
        () => 0,
        () => Promise.resolve(true),
      );
    }
    if (asked > before) {
      asksAt.push(place + 1);
    }
  }
  expect(asksAt).toEqual([20, 40]);
  repository.close();
});

test('a copy that is closed while another thread has it open is released when that has let it go', async () => {
  const clock = createClock();
  const platform = new FakePlatform(clock);
  platform.fill(stockOne, 50);
  const path = join(temporaryDirectory(), 'catalogue.db');
  const asked: string[] = [];
  let letGo: (isDone: boolean) => void = () => undefined;
  const catalogue = await openCatalogue({
    path,
    fingerprint: 'https://platform.example.com 1',
    stockIds: [stockOne],
    clock,
    random: createNodeRandom(),
    client: platform,
    planning: {
      quietHours: () => ({ from: 22, to: 6 }),
      offsetMinutes: () => 0,
      perMinute: () => 57,
      forecastMs: (requests) => (requests * 60_000) / 57,
    },
    scaleLayouts: () => [],
    log: () => undefined,
    checkpoint: (file) => {
      asked.push(file);
      return new Promise((resolve) => {
        letGo = resolve;
      });
    },
    onRebuilt: () => undefined,
  });
  catalogue.start();
  await clock.advance(5_000);
  expect(asked).toEqual([path]);
  catalogue.close();
  let isReleased = false;
  const released = catalogue.released().then(() => {
    isReleased = true;
  });
  await settlePromises();
  expect(isReleased).toBe(false);
  // Not done, and the store is closed by now: nobody touches it any more.
  letGo(false);
  await released;
  expect(isReleased).toBe(true);
});
