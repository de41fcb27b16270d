// The proof of the catalogue over real HTTP and a real file: the training platform in each of its shapes, a restart in
// the middle, changes, what vanished, and a file that is damaged while it is in use.
import { randomUUID } from 'node:crypto';
import { closeSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { openRateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import { openCatalogue, type Catalogue } from '../../../app/catalogue/catalogue.ts';
import { everyProduct } from '../../../app/contract/every-product.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { createNodeClock, createNodeRandom } from '../../../app/hosts/node/node-ports.ts';
import { createPlatformClient, type PlatformClient } from '../../../app/platform/client.ts';
import { createConnection } from '../../../app/platform/connection.ts';
import { createExchange } from '../../../app/platform/exchange.ts';
import { createAxiosHttp } from '../../../app/platform/http-axios.ts';
import { createTokenKeys } from '../../../app/platform/token-keys.ts';
import { createTokenRequest } from '../../../app/platform/tokens.ts';
import { createCheckpointThread } from '../../../app/storage/checkpoint-thread.ts';
import type { ElementShape } from '../../../app/service/readings.ts';
import { startTrainingPlatform, type TrainingPlatform } from '../../../app/training/server.ts';
import { turnIntoSixthVersion } from '../../support/former-copy.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { tokenOf, tokenUser } from '../../support/tokens.ts';
import { valueOf } from '../../support/value-of.ts';

const productCount = 430;
// The first stock holds every product, the second every fourth.
const rowCount = productCount + Math.ceil(productCount / 4);
const waiting = { timeout: 15_000, interval: 20 };

interface Shop {
  readonly platform: TrainingPlatform;
  readonly client: PlatformClient;
  readonly directory: string;
  readonly rebuilt: () => number;
  /** Moves the catalogue's wall clock on. */
  skip(ms: number): void;
  open(): Promise<Catalogue>;
}

async function openShop(elementShape: ElementShape): Promise<Shop> {
  const platform = await startTrainingPlatform({ directory: null, port: 0, productCount, elementShape });
  const directory = temporaryDirectory();
  const database = await openQueueDatabase(directory);
  const clock = createNodeClock();
  const random = createNodeRandom();
  const rateLimit = openRateLimit(clock, openSendLog(database, 'https://platform.example.com'));
  const connection = createConnection({ clock, random }, () => undefined);
  const closing = new AbortController();
  const exchange = createExchange(
    createAxiosHttp({ userAgent: 'test' }),
    platform.platformUrl,
    connection,
    closing.signal,
    () => clock.now(),
  );
  const requestToken = createTokenRequest(exchange, rateLimit, createTokenKeys(randomUUID));
  const token = await requestToken(platform, {
    grant_type: 'password',
    username: platform.email,
    password: platform.password,
  });
  const accessToken = (): ReturnType<Parameters<typeof createPlatformClient>[0]['tokens']['accessToken']> =>
    Promise.resolve(token.ok ? succeed(tokenOf(token.value.access_token)) : token);
  const client = createPlatformClient({
    exchange,
    rateLimit,
    tokens: { user: () => tokenUser, accessToken, renew: () => Promise.resolve(fail({ kind: 'signInNeeded' })) },
    companyId: platform.companyId,
  });
  const checkpoints = createCheckpointThread({
    workerPath: join(import.meta.dirname, '../../../app/storage/checkpoint-worker.ts'),
    clock,
    log: () => undefined,
  });
  const catalogues: Catalogue[] = [];
  let rebuilt = 0;
  let skippedMs = 0;
  onTestFinished(async () => {
    closing.abort();
    catalogues.forEach((catalogue) => catalogue.close());
    connection.close();
    rateLimit.close();
    await platform.close();
    database.close();
    await checkpoints.close();
  });
  return {
    platform,
    client,
    directory,
    rebuilt: () => rebuilt,
    skip: (ms) => {
      skippedMs += ms;
    },
    open: async () => {
      const catalogue = await openCatalogue({
        path: join(directory, 'catalogue.db'),
        fingerprint: platform.companyId,
        stockIds: platform.stockIds,
        clock: { ...clock, now: () => clock.now() + skippedMs },
        random,
        client,
        // No even pace here, for time is real: the rate limit itself has room for all that a test asks.
        planning: {
          quietHours: () => ({ from: 22, to: 6 }),
          offsetMinutes: () => 0,
          perMinute: () => 600,
          forecastMs: (requests) => requests * 100,
        },
        scaleLayouts: () => [],
        log: () => undefined,
        checkpoint: (path) => checkpoints.checkpoint(path),
        onRebuilt: () => {
          rebuilt += 1;
        },
      });
      catalogues.push(catalogue);
      return catalogue;
    },
  };
}

async function complete(catalogue: Catalogue): Promise<void> {
  await vi.waitFor(() => {
    expect(catalogue.state()).toMatchObject({ phase: 'complete', failure: null });
  }, waiting);
}

/** The id of a product, as the platform writes it. */
function idAt(platform: TrainingPlatform, index: number): Id {
  return String(platform.products.idAt(index)) as Id;
}

/** The first product that every stock holds and that has a barcode. */
function placeWithBarcode(platform: TrainingPlatform): number {
  return (
    Array.from({ length: productCount }, (_, index) => index).find(
      (index) => index % 4 === 0 && platform.products.at(index).barcodes.length > 0,
    ) ?? 0
  );
}

describe.each(['nested', 'flat', 'bare'] as const)('elements that are %s', (shape) => {
  test('the whole listing of every stock is copied, ids to the byte', async () => {
    const { platform, open } = await openShop(shape);
    const catalogue = await open();
    catalogue.start();
    await complete(catalogue);
    expect(catalogue.state()).toMatchObject({ copied: rowCount, total: rowCount });
    for (let index = 0; index < productCount; index += 1) {
      const product = platform.products.at(index);
      const answer = catalogue.find(idAt(platform, index), 'scan');
      expect(answer, `product ${index}`).toMatchObject({ kind: 'found' });
      expect(
        answer.kind === 'found' &&
          answer.cards.some((card) => card.productId === String(product.id) && card.name === product.name),
      ).toBe(true);
    }
  });

  test('a scanned barcode is answered, by the copy or after asking once', async () => {
    const { platform, open } = await openShop(shape);
    const catalogue = await open();
    catalogue.start();
    await complete(catalogue);
    const product = platform.products.at(placeWithBarcode(platform));
    const [barcode = ''] = product.barcodes;
    if (shape === 'bare') {
      expect(catalogue.find(barcode, 'scan').kind).toBe('unknown');
      expect(await catalogue.ask(barcode)).toMatchObject({ ok: true, value: { kind: 'found' } });
    }
    const answer = catalogue.find(barcode, 'scan');
    expect(answer.kind === 'found' && new Set(answer.cards.map((card) => card.productId))).toEqual(
      new Set([String(product.id)]),
    );
    expect(answer.kind === 'found' && new Set(answer.cards.map((card) => card.stockId)).size).toBe(
      platform.stockIds.length,
    );
  });

  test('a live balance is read and kept', async () => {
    const { platform, open } = await openShop(shape);
    const catalogue = await open();
    catalogue.start();
    await complete(catalogue);
    const [stockId] = platform.stockIds;
    const productId = idAt(platform, 0);
    platform.changeBalance(String(stockId), productId, -3.5);
    const refreshed = await catalogue.refresh(stockId as Id, productId);
    expect(refreshed).toMatchObject({ ok: true, value: { balance: { amount: -3.5, source: 'live' } } });
    expect(catalogue.read(stockId as Id, productId)?.stockName).not.toBeNull();
  });
});

test('a restart in the middle goes on from the next page', async () => {
  const { platform, open } = await openShop('nested');
  const first = await open();
  first.onChange(() => {
    if (first.state().copied >= 200) {
      first.close();
    }
  });
  first.start();
  await vi.waitFor(() => {
    expect(first.state().phase).toBe('idle');
  }, waiting);
  const arrivals = platform.arrivals().length;
  const second = await open();
  const { copied } = second.state();
  expect(copied).toBeGreaterThanOrEqual(200);
  second.start();
  await complete(second);
  const pages = rowCount / 100;
  expect(platform.arrivals().length - arrivals).toBeLessThan(pages - copied / 100 + 2 * platform.stockIds.length + 2);
  expect(second.state().copied).toBe(rowCount);
});

test('a renamed product comes with the changes; a removed one goes with the next full listing', async () => {
  const { platform, open, skip } = await openShop('nested');
  const catalogue = await open();
  catalogue.start();
  await complete(catalogue);
  platform.renameProduct(idAt(platform, 5), 'Produto renomeado');
  platform.removeProduct(idAt(platform, 6));
  skip(180_000);
  catalogue.resume();
  await vi.waitFor(() => {
    expect(catalogue.search('renomeado', 5).map((hit) => hit.productId)).toContain(idAt(platform, 5));
  }, waiting);
  catalogue.copyAgain();
  await vi.waitFor(() => {
    expect(catalogue.nameOf(idAt(platform, 6))).toBeNull();
  }, waiting);
  expect(catalogue.nameOf(idAt(platform, 7))).not.toBeNull();
});

test('a page that is being read when the copy is closed fails with notReady, at whichever turn that comes', async () => {
  const { open } = await openShop('nested');
  const first = await open();
  first.start();
  await complete(first);
  first.close();
  for (let turns = 0; turns < 40; turns += 1) {
    const catalogue = await open();
    const request = { query: everyProduct, offset: 0, limit: 100 };
    const { view } = valueOf(await catalogue.exportPage(request));
    const reading = catalogue.exportPage({ ...request, view });
    for (let turn = 0; turn < turns; turn += 1) {
      await Promise.resolve();
    }
    catalogue.close();
    expect(await reading, String(turns)).toMatchObject({ failure: { kind: 'notReady' } });
  }
});

test('a file that is damaged while it is in use is rebuilt by itself', async () => {
  const { platform, open, directory, rebuilt } = await openShop('nested');
  const first = await open();
  first.start();
  await complete(first);
  first.close();
  const path = join(directory, 'catalogue.db');
  const catalogue = await open();
  expect(rebuilt()).toBe(0);
  const file = openSync(path, 'r+');
  // All pages but the first, which holds the schema.
  writeSync(file, Buffer.alloc(statSync(path).size - 4096, 0xa5), 0, undefined, 4096);
  closeSync(file);
  catalogue.start();
  await vi.waitFor(() => {
    catalogue.find(idAt(platform, 3), 'scan');
    expect(rebuilt()).toBe(1);
  }, waiting);
  await complete(catalogue);
  expect(catalogue.find(idAt(platform, 3), 'scan').kind).toBe('found');
  expect(catalogue.state().copied).toBe(rowCount);
});

test('a copy with the former words opens whole and at once, and is updated by itself without a request', async () => {
  const { platform, directory, rebuilt, open } = await openShop('flat');
  const first = await open();
  first.start();
  await complete(first);
  first.close();
  await first.released();
  await turnIntoSixthVersion(join(directory, 'catalogue.db'), 'Maisena 200g');
  await platform.close();
  const catalogue = await open();
  expect(catalogue.state().copied).toBe(rowCount);
  expect(catalogue.find(idAt(platform, 0), 'scan')).toMatchObject({ kind: 'found' });
  await vi.waitFor(() => {
    expect(catalogue.search('maisena 200g', 50).map(({ name }) => name)).toContain('Maisena 200g');
  }, waiting);
  expect(rebuilt()).toBe(0);
});
