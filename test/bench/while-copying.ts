import { join } from 'node:path';
import { setImmediate, setTimeout } from 'node:timers/promises';
import { openLookup } from '../../app/catalogue/lookup/lookup.ts';
import { storeInSlices } from '../../app/catalogue/repository/slices.ts';
import { openCatalogueRepository, type CatalogueRepository } from '../../app/catalogue/repository/repository.ts';
import { parseJson } from '../../app/domain/json.ts';
import { createNodeClock } from '../../app/hosts/node/node-ports.ts';
import type { PlatformClient } from '../../app/platform/client.ts';
import { createCheckpointThread } from '../../app/storage/checkpoint-thread.ts';
import { pick, stockId, type ProductData } from './fixtures.ts';
import { spreadOf, type Spread } from './statistics.ts';
import { typings } from './store-figures.ts';
import { pageOf } from './sync.ts';
import { listed } from '../support/listed.ts';

/** Ten times as often as the platform's limit allows. */
const pageEveryMs = 100;
const keyEveryMs = 10;
const scanEveryMs = 20;
const scans = 500;
/** At one scan a second, those of which each still has a slot of the rate limit for its live figure. */
const firstScans = 30;
const hits = 20;
/** Far from the pages that the other measurements store. */
const firstPage = 50_000;

interface WhileCopying {
  /** From the moment a key was due until its answer. */
  readonly typed: Spread;
  readonly firstScans: Spread;
  readonly laterScans: Spread;
}

/** Shops page after page until told to stop, with the rests that the app takes. */
async function copyUntil(
  repository: CatalogueRepository,
  productData: ProductData,
  isOver: () => boolean,
): Promise<void> {
  const [stock] = repository.stocks();
  if (stock === undefined) {
    throw new Error('the store has no stock');
  }
  for (let page = firstPage; !isOver(); page += 1) {
    const dueMs = performance.now() + pageEveryMs;
    const elements = listed(pageOf(productData, page).map(parseJson));
    await setImmediate();
    const askedAt = Date.now();
    await storeInSlices(
      repository,
      stock,
      elements,
      askedAt,
      () => performance.now(),
      async () => {
        await setImmediate();
        return true;
      },
    );
    repository.writer.save(stock, elements, { pass: 1, seenSince: 1, askedAt });
    await setTimeout(Math.max(0, dueMs - performance.now()));
  }
}

async function atEach<Value>(
  all: readonly Value[],
  everyMs: number,
  action: (value: Value) => unknown,
): Promise<readonly number[]> {
  const times: number[] = [];
  for (const value of all) {
    const dueMs = performance.now() + everyMs;
    await setTimeout(everyMs);
    // A timer is late by up to a millisecond even when nothing else is to be done.
    const fromMs = Math.min(performance.now(), dueMs + 1);
    action(value);
    times.push(performance.now() - fromMs);
  }
  return times;
}

/** Types and scans at this copy while pages of a listing are stored in it. */
export async function measureWhileCopying(
  path: string,
  fingerprint: string,
  productData: ProductData,
): Promise<WhileCopying> {
  const checkpoints = createCheckpointThread({
    workerPath: join(import.meta.dirname, '../../app/storage/checkpoint-worker.ts'),
    clock: createNodeClock(),
    log: () => undefined,
  });
  const { repository } = await openCatalogueRepository({
    path,
    fingerprint,
    stockIds: [stockId],
    now: () => Date.now(),
    checkpoint: (file) => checkpoints.checkpoint(file),
  });
  let isOver = false;
  const copying = copyUntil(repository, productData, () => isOver);
  try {
    const lookup = openLookup({
      repository,
      // The lookup asks nobody here.
      client: {} as PlatformClient,
      clock: createNodeClock(),
      completeAt: () => null,
      onStored: () => undefined,
      scaleLayouts: () => [],
    });
    const codes = pick(productData, scans, 0).map(({ code }) => code);
    const scanned = await atEach(codes, scanEveryMs, (code) => lookup.find(code, 'scan'));
    const typed = await atEach(typings(productData, 1), keyEveryMs, (text) => lookup.search(text, hits));
    return {
      typed: spreadOf([[...typed]]),
      firstScans: spreadOf([scanned.slice(0, firstScans)]),
      laterScans: spreadOf([scanned.slice(firstScans)]),
    };
  } finally {
    isOver = true;
    await copying;
    repository.close();
    await checkpoints.close();
  }
}
