// The proof that what a part of the copy does not have is not taken for gone.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ProductBatches } from '../../../app/contract/batches.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { createExpiring } from '../../../app/expiring/expiring.ts';
import type { ExpiringParts } from '../../../app/expiring/parts.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { calm } from './calm.ts';

const stockId = '11' as Id;
const expiresOn = { day: '2031-01-09', hasTime: false };
const batch = { lot: null, quantity: null, expiresOn } as unknown as ProductBatches['batches'][number];
const one: ProductBatches = {
  product: { id: null, name: null, sku: null, unit: null },
  optionNames: '',
  total: 1,
  batches: [batch],
};
const all = [1, 2, 3, 4, 5];

/** Batches of five products, of which the copy has these numbers. */
async function open() {
  const clock = createManualClock({ now: Date.UTC(2031, 0, 6, 12) });
  const copy: { copied: readonly number[]; isWhole: boolean; isOpen: boolean; refused: string | null } = {
    copied: all,
    isWhole: true,
    isOpen: true,
    refused: null,
  };
  const parts = {
    path: join(temporaryDirectory(), 'batches.db'),
    shop: 'platform 7',
    stockIds: [stockId],
    clock,
    asking: () => ({ isOn: false, from: 22, to: 6 }),
    offsetMinutes: () => 0,
    circumstances: () => calm,
    perMinute: () => 30,
    catalogue: {
      state: () => ({
        stocks: copy.isOpen ? [{ stockId, refused: copy.refused, completeAsOf: copy.isWhole ? 1 : null }] : [],
      }),
      countStocked: () =>
        Promise.resolve(copy.isOpen ? succeed(copy.copied.length) : fail({ kind: 'notReady' } as const)),
      figure: ({ productId }: { readonly productId: Id }) => {
        const figure = copy.copied.includes(Number(productId)) ? 3 : undefined;
        return copy.isOpen ? figure : null;
      },
      describe: ({ productId }: { readonly productId: Id }) => ({ nameKey: productId, words: productId }),
    },
    pause: () => Promise.resolve(true),
    log: () => undefined,
  } as unknown as ExpiringParts;
  const expiring = createExpiring(parts);
  onTestFinished(() => expiring.close());
  const listed = async (): Promise<number | null> => {
    const page = await expiring.page('7', '', 0, 10);
    return page.ok ? page.value.total : null;
  };
  for (const number of all) {
    expiring.note({ stockId, productId: String(number) as Id }, one);
  }
  await expect.poll(listed).toBe(all.length);
  return {
    copy,
    /** A minute later. */
    read: async () => {
      await clock.advance(60_000);
      const coverage = await expiring.coverage();
      return { coverage: coverage.ok ? coverage.value : coverage.failure, listed: await listed() };
    },
  };
}

test('what is not copied again yet stays on the list, and the coverage says what it may lack', async () => {
  const { copy, read } = await open();
  expect(await read()).toMatchObject({ coverage: { mayLack: [], withStock: 5, asked: 5 }, listed: 5 });
  Object.assign(copy, { copied: [1, 2], isWhole: false });
  expect(await read()).toMatchObject({ coverage: { mayLack: ['notCopied'], withStock: 2, asked: 2 }, listed: 5 });
  // The listing is over, and two of them have gone.
  Object.assign(copy, { copied: [1, 2, 3], isWhole: true });
  expect(await read()).toMatchObject({ coverage: { mayLack: [], withStock: 3, asked: 3 }, listed: 3 });
  Object.assign(copy, { copied: [1], isWhole: false });
  expect(await read()).toMatchObject({ coverage: { mayLack: ['notCopied'] }, listed: 3 });
});

test('a refused stock that is not copied yet lists nothing that nobody can name, and all once it is copied', async () => {
  const { copy, read } = await open();
  Object.assign(copy, { copied: [1], isWhole: false, refused: 'forbidden' });
  expect(await read()).toMatchObject({ coverage: { mayLack: ['refusedStock'], asked: 0 }, listed: 1 });
  Object.assign(copy, { copied: [1, 2], refused: null });
  expect(await read()).toMatchObject({ coverage: { mayLack: ['notCopied'] }, listed: 2 });
  Object.assign(copy, { copied: all, isWhole: true });
  expect(await read()).toMatchObject({ coverage: { mayLack: [] }, listed: 5 });
});

test('while the file of the copy cannot be read, all stays on the list', async () => {
  const { copy, read } = await open();
  copy.isOpen = false;
  expect(await read()).toMatchObject({
    coverage: { mayLack: ['notCopied'], withStock: 0, asked: 0, since: null },
    listed: 5,
  });
});
