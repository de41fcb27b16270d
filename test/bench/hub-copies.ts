import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createSharedPages } from '../../app/catalogue/sync/shared-pages.ts';
import { createSync, type Sync } from '../../app/catalogue/sync/sync.ts';
import { openCatalogueRepository, type CatalogueRepository } from '../../app/catalogue/repository/repository.ts';
import type { Id } from '../../app/domain/int64.ts';
import { openRateLimit } from '../../app/rate-limit/rate-limit.ts';
import { createSharedAccount } from '../simulation/account/shared-account.ts';
import { clockOf, openClient } from '../simulation/account/sharing-terminal.ts';
import { createSharingHub } from '../simulation/hub/sharing-hub.ts';
import { createMemoryLog } from '../simulation/memory-log.ts';
import { temporaryRoot } from '../simulation/temporary-root.ts';
import { createWorld } from '../simulation/virtual-clock.ts';
import { createSeededRandom } from '../support/seeded-random.ts';

const pageSize = 100;
/** All have joined the hub by then. */
const joinedMs = 90_000;
const maxMs = 7 * 24 * 3_600_000;
const page = Array.from({ length: pageSize }, () => '0').join(',');

/** The platform's answer to a listing of so many products: pages of the right length, in which nothing is said. */
function listingOf(products: number): (url: string) => string {
  return (url) => {
    const { searchParams } = new URL(url);
    const total = searchParams.has('updated_from') ? 0 : products;
    return `{"data":{"stock_products":[${total === 0 ? '' : page}]},"meta":{"current_page":${searchParams.get('page')},"last_page":${Math.max(1, total / pageSize)},"per_page":${pageSize},"total":${total}}}`;
  };
}

/** A copy that keeps how far its listing has got, and of its products the number alone. */
async function openCountingStore(directory: string, now: () => number): Promise<CatalogueRepository> {
  const { repository } = await openCatalogueRepository({
    path: join(directory, 'catalogue.db'),
    fingerprint: '',
    stockIds: ['1' as Id],
    now,
  });
  let copied = 0;
  return {
    ...repository,
    stocks: () => repository.stocks().map((stock) => ({ ...stock, copied })),
    writer: {
      ...repository.writer,
      saveAhead: (_, { length }) => length,
      index: () => undefined,
      save: (_, { length }) => {
        copied += length;
        return {
          fresh: length,
          newlySeen: length,
          skipped: 0,
          newlyUnreadable: [],
          unreadable: 0,
          productIds: [],
          offsetMinutes: 0,
        };
      },
    },
  };
}

/**
 * How long until every terminal has all products, in simulated milliseconds, while nobody scans: the app's own sync,
 * rate limit and hub. Storing takes no simulated time, and is left out.
 */
export async function measureCopies(
  products: number,
  terminals: number,
  hasHub: boolean,
  callMs: number,
): Promise<number> {
  const world = createWorld();
  const clock = clockOf(world);
  const random = createSeededRandom('copies');
  const account = createSharedAccount(world, { window: 'sliding', countsRefused: false, retryAfter: 'seconds' });
  const joinHub = createSharingHub(world, callMs);
  const root = mkdtempSync(join(temporaryRoot, 'tillside-copies-'));
  const opened: { readonly repository: CatalogueRepository; readonly sync: Sync; readonly close: () => void }[] = [];
  try {
    for (let number = 0; number < terminals; number += 1) {
      const directory = join(root, String(number));
      mkdirSync(directory);
      const own = random.fork(`terminal ${number}`);
      const repository = await openCountingStore(directory, () => clock.now());
      const hub = hasHub ? joinHub({ number, random: own }) : null;
      const rateLimit = hub?.rateLimit ?? openRateLimit(clock, createMemoryLog());
      const sync = createSync({
        repository,
        client: openClient({ world, account, random: own, number }, rateLimit, listingOf(products)),
        clock,
        random: own,
        planning: {
          quietHours: () => ({ from: 22, to: 6 }),
          offsetMinutes: () => 0,
          perMinute: () => rateLimit.state().limit - rateLimit.state().reserve,
          forecastMs: (requests) => rateLimit.forecastMs(requests),
        },
        shared: hub === null ? null : createSharedPages(hub.texts, clock, 'copies'),
        log: () => undefined,
        onStorageError: (error) => {
          throw error;
        },
      });
      opened.push({ repository, sync, close: () => rateLimit.close() });
      // The others begin within a minute of the first.
      world.after(joinedMs + (number === 0 ? 0 : own.integer(0, 60_000)), () => {
        sync.start();
      });
    }
    const isLeft = new Set(opened.map(({ sync }) => sync));
    const isOver = (): boolean => {
      const [sync] = isLeft;
      if (sync?.state().stocks.every(({ completeAsOf }) => completeAsOf !== null) === true) {
        isLeft.delete(sync);
      }
      return isLeft.size === 0;
    };
    await world.runUntil(maxMs, isOver);
    return isLeft.size === 0 ? world.nowMs() - joinedMs : Number.POSITIVE_INFINITY;
  } finally {
    for (const { repository, sync, close } of opened) {
      sync.stop();
      close();
      repository.close();
    }
    rmSync(root, { recursive: true, force: true });
  }
}
