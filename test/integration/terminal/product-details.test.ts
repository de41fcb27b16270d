// Proves over real HTTP that a product's details come from the platform only when they are asked for, by option and by
// batch, that the next scan turns them away before they cost a slot, and that the last answers are there without a
// network.
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { openPracticeTerminal } from '../../support/practice-terminal.ts';

test('entries and exits add up, chosen options are asked for alone, and last answers outlive the network', async () => {
  const { platform, terminal, close } = await openPracticeTerminal();
  onTestFinished(close);
  const { handlers } = terminal;
  const [stockId] = platform.stockIds as [Id];
  const index =
    Array.from({ length: 50 }, (_, place) => place).find((place) => platform.products.optionsAt(place).length > 1) ??
    -1;
  const productId = String(platform.products.idAt(index)) as Id;
  await expect
    .poll(async () => (await handlers['product:read']({ stockId, productId })).ok, { timeout: 15_000 })
    .toBe(true);
  const detailCalls = () => platform.arrivals().filter(({ path }) => path.includes(`/products/${productId}/`));
  expect(detailCalls()).toEqual([]);
  expect(await handlers['product:readKept']({ stockId, productId })).toEqual(
    succeed({ movements: null, batches: null }),
  );

  const whole = await handlers['product:readMovements']({ stockId, productId, optionIds: [] });
  const batches = await handlers['product:readBatches']({ stockId, productId, optionIds: [] });
  if (!whole.ok || !batches.ok) {
    expect.fail('not answered');
  }
  expect(detailCalls()).toHaveLength(4);
  expect(whole.value.in + whole.value.out).toBeCloseTo(whole.value.all, 3);
  expect(whole.value.options.map(({ ids }) => ids)).toEqual(
    platform.products.optionsAt(index).map(({ id }) => [String(id)]),
  );
  for (const option of whole.value.options) {
    expect((option.in ?? 0) + (option.out ?? 0)).toBeCloseTo(option.all ?? Number.NaN, 3);
  }
  expect(batches.value.batches.reduce((sum, { quantity }) => sum + (quantity?.amount ?? 0), 0)).toBeCloseTo(
    whole.value.in,
    3,
  );
  expect(await handlers['product:read']({ stockId, productId })).toMatchObject(
    succeed({ balance: { amount: whole.value.all, source: 'live' } }),
  );

  const [first] = whole.value.options;
  const chosen = await handlers['product:readMovements']({ stockId, productId, optionIds: first?.ids ?? [] });
  expect(chosen).toMatchObject(
    succeed({ all: first?.all, in: first?.in, out: first?.out, options: [{ name: first?.name }] }),
  );

  platform.setNetworkDown(true);
  expect(await handlers['product:readBatches']({ stockId, productId, optionIds: [] })).toMatchObject({ ok: false });
  expect(await handlers['product:readKept']({ stockId, productId })).toEqual(
    succeed({ movements: whole.value, batches: batches.value }),
  );
});
