// The list of what expires as a file, read page by page while it changes.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ExpiringPlace } from '../../../app/contract/expiring.ts';
import { maxExpiringRows } from '../../../app/contract/limits/expiring.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { batchesMigrations } from '../../../app/expiring/migrations.ts';
import { openBatchesRepository } from '../../../app/expiring/repository.ts';
import { Database } from '../../../app/storage/database.ts';
import { expiringFile } from '../../../renderer/expiring/expiring-file.ts';
import { readRows } from '../../../renderer/files/write-list.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const stockId = '11' as Id;
const products = 600;
const numbers = Array.from({ length: products }, (_unused, place) => place + 1);

test.each([
  ['nothing changes', 0, 'name'],
  ['what was read goes out of it', 150, 'name'],
  ['what was read goes out of it, all of one name', 150, 'same'],
] as const)('every line is read once, with all batches, while %s', async (_what, out, naming) => {
  const path = join(temporaryDirectory(), 'batches.db');
  const database = await Database.open(path, { kind: 'disposable', migrations: batchesMigrations });
  onTestFinished(() => database.close());
  const repository = openBatchesRepository(database, 'shop', [stockId]);
  for (const number of numbers) {
    repository.keep({
      stockId,
      productId: String(number) as Id,
      askedAt: 1,
      isUnasked: true,
      batches: 3,
      expiries: ['a', 'b', 'c'].map((lot) => ({ day: '2031-01-05', quantity: 1, lot })),
      nameKey: naming === 'same' ? '' : String(number).padStart(4, '0'),
      words: '',
    });
  }
  interface Asked {
    readonly offset: number;
    readonly limit: number;
    readonly after?: ExpiringPlace;
  }
  const call = (_channel: string, { offset, limit, after }: Asked) => {
    const { rows, ...rest } = repository.page({ from: null, to: null }, '', offset, limit, after);
    // They have sold out since they were read.
    repository.products(0, out).forEach((product) => repository.setOut(product.id, true));
    return Promise.resolve(succeed({ ...rest, rows: rows.map(({ lot, productId }) => ({ hit: { productId }, lot })) }));
  };
  const list = expiringFile({ call } as never, { span: '7', term: '' }, ((key: string) => key) as never);
  const read = await readRows(list, { onProgress: () => undefined, signal: new AbortController().signal });
  const lines = read.ok ? read.value.map(({ hit, lot }) => `${hit.productId}${lot ?? ''}`) : [];
  expect(maxExpiringRows % 3).not.toBe(0);
  expect(lines).toEqual(numbers.flatMap((number) => ['a', 'b', 'c'].map((lot) => `${String(number)}${lot}`)));
});
