import { closeSync, mkdirSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { createBatchesFile } from '../../../app/expiring/batches-file.ts';
import type { ExpiringParts } from '../../../app/expiring/parts.ts';
import { StorageError } from '../../../app/storage/database.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const pageBytes = 4096;
const asked = {
  stockId: '1' as Id,
  productId: '2' as Id,
  nameKey: '',
  words: '',
  askedAt: 1,
  isUnasked: false,
  batches: 0,
  expiries: [],
};

/** Opens the file in this folder, which is made when it is missing. */
const openIn = (folder: string) =>
  createBatchesFile({
    path: join(folder, 'batches.db'),
    clock: createManualClock(),
    shop: 'a',
    stockIds: ['1'],
    log: () => undefined,
  } as unknown as ExpiringParts);

test('damage that shows at the opening makes way for an empty file', async () => {
  const folder = temporaryDirectory();
  const first = openIn(folder);
  await first.use((repository) => repository.keep(asked));
  await first.close();
  const path = join(folder, 'batches.db');
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(statSync(path).size - pageBytes), 0, undefined, pageBytes);
  closeSync(file);
  const batches = openIn(folder);
  await batches.use((repository) => repository.keep(asked));
  expect(await batches.use((repository) => repository.products(0, 10))).toHaveLength(1);
  await batches.close();
});

test('who reads on while another one meets damage ends in silence, and leaves the new file alone', async () => {
  const batches = openIn(temporaryDirectory());
  const gate = Promise.withResolvers<void>();
  const sliced = batches.use(async (repository) => {
    await gate.promise;
    return repository.products(0, 10);
  });
  const damaged = batches.use(() => {
    throw new StorageError({ kind: 'storageFailed' }, true);
  });
  await expect(damaged).rejects.toMatchObject({ isDamage: true });
  await batches.use((repository) => repository.keep(asked));
  gate.resolve();
  expect(await sliced).toBeNull();
  expect(await batches.use((repository) => repository.products(0, 10))).toHaveLength(1);
  await batches.close();
});

test('a damaged file that cannot be removed is told as what the disk refuses, and opened again later', async () => {
  const folder = temporaryDirectory();
  const batches = openIn(folder);
  await batches.use((repository) => repository.keep(asked));
  const inTheWay = join(folder, 'batches.db-journal');
  mkdirSync(inTheWay);
  const damaged = batches.use(() => {
    throw new StorageError({ kind: 'storageFailed' }, true);
  });
  await expect(damaged).rejects.toSatisfy((error) => error instanceof StorageError && !error.isDamage);
  rmSync(inTheWay, { recursive: true });
  expect(await batches.use((repository) => repository.products(0, 10))).toEqual([]);
  await batches.close();
});
