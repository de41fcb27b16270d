import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createSync, type Planning, type Sync, type SyncPorts } from '../../../../app/catalogue/sync/sync.ts';
import type { SharedPages } from '../../../../app/catalogue/sync/shared-pages.ts';
import type { CatalogueRepository } from '../../../../app/catalogue/repository/repository.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import type { Failure } from '../../../../app/domain/failure.ts';
import { fail } from '../../../../app/domain/result.ts';
import type { PlatformClient } from '../../../../app/platform/client.ts';
import type { Clock } from '../../../../app/ports.ts';
import type { StorageError } from '../../../../app/storage/database.ts';
import { temporaryRoot } from '../../../simulation/temporary-root.ts';
import type { ManualClock } from '../../../support/manual-clock.ts';
import { createClock, FakePlatform, id, openRepository, stockOne } from '../catalogue-fixture.ts';

export interface SyncSetting {
  readonly clock: ManualClock;
  readonly platform: FakePlatform;
  readonly repository: CatalogueRepository;
  readonly sync: Sync;
  readonly path: string;
  readonly logs: string[];
}

/**
 * In memory where that can be had: hundreds of stores are opened here, and what dies is the process and never the disk.
 */
function newPath(): string {
  const directory = mkdtempSync(join(temporaryRoot, 'tillside-sync-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return join(directory, 'catalogue.db');
}

/** Opens the copying over a file and a platform in memory; `from` reopens the file of an earlier one. */
export async function prepare(
  options: {
    readonly stockIds?: (typeof stockOne)[];
    /** How many products the platform has in the first stock, where that is not empty. */
    readonly products?: number;
    readonly from?: SyncSetting;
    readonly planning?: Partial<Planning>;
    /** A terminal beside that of another setting: a copy of its own, of the same platform. */
    readonly beside?: SyncSetting;
    readonly shared?: (clock: Clock) => SharedPages;
    /** Absent where nobody knows the connection. */
    readonly outage?: SyncPorts['outage'];
    /** How the platform refuses a stock to its user alone. */
    readonly refusal?: (stockId: Id) => Failure | null;
    /** By how much its wall clock is ahead, in milliseconds. */
    readonly aheadMs?: number;
  } = {},
): Promise<SyncSetting> {
  const first = options.from ?? options.beside;
  const clock = first?.clock ?? createClock();
  const platform = first?.platform ?? new FakePlatform(clock);
  if (options.products !== undefined) platform.fill(stockOne, options.products);
  const { aheadMs = 0 } = options;
  const ownClock: Clock = {
    now: () => clock.now() + aheadMs,
    uptimeMs: () => clock.uptimeMs(),
    after: (delayMs, callback) => clock.after(delayMs, callback),
  };
  const { repository, path } = await openRepository({
    stockIds: options.stockIds ?? [stockOne],
    path: options.from?.path ?? newPath(),
    now: () => ownClock.now(),
  });
  const logs: string[] = [];
  const client: PlatformClient = Object.create(platform, {
    listStockProducts: {
      value: (...given: Parameters<PlatformClient['listStockProducts']>) => {
        const refusal = options.refusal?.(given[0].stockId) ?? null;
        return refusal === null ? platform.listStockProducts(...given) : Promise.resolve(fail(refusal));
      },
    },
  });
  const sync = createSync({
    repository,
    client,
    clock: ownClock,
    random: { uuid: () => '', fraction: () => 0.5 },
    planning: {
      quietHours: () => ({ from: 22, to: 6 }),
      offsetMinutes: () => 0,
      perMinute: () => 57,
      forecastMs: (requests) => (requests * 60_000) / 57,
      ...options.planning,
    },
    ...(options.shared === undefined ? {} : { shared: options.shared(ownClock) }),
    outage: options.outage,
    log: (message) => logs.push(message),
    onStorageError: (error: StorageError) => logs.push(error.failure.kind),
  });
  return { clock, platform, repository, sync, path, logs };
}

/** Which of the products 1 to count are in the copy. */
export function copiedIds({ repository }: SyncSetting, count: number, stockId = stockOne): number[] {
  return Array.from({ length: count }, (_, place) => place + 1).filter(
    (product) => repository.reader.find(stockId, id(product)) !== null,
  );
}

/** The numbers 1 to count. */
export function all(count: number): number[] {
  return Array.from({ length: count }, (_, place) => place + 1);
}
