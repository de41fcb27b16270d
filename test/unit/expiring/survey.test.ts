// The proof that a night goes on where the platform refuses one of the stocks, also from the middle of it.
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import type { ProductBatches } from '../../../app/contract/batches.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { createExpiring } from '../../../app/expiring/expiring.ts';
import type { ExpiringParts } from '../../../app/expiring/parts.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { calm } from './calm.ts';

const minuteMs = 60_000;
const [first, second] = ['11', '12'] as [Id, Id];
const nothing = { product: { id: null, name: null, sku: null, unit: null }, optionNames: '', total: 0, batches: [] };

/**
 * A night over two stocks of four products each, of which the second is refused from a moment on. `note` is known of
 * its third product four days before.
 */
async function openNight({
  isSeen,
  isRefused = isSeen,
  kind = 'forbidden',
  note = null,
}: {
  readonly isSeen: (asked: readonly string[]) => boolean;
  readonly isRefused?: (asked: readonly string[]) => boolean;
  readonly kind?: 'forbidden' | 'notFound';
  readonly note?: ProductBatches | null;
}) {
  const clock = createManualClock({ now: Date.UTC(2031, 0, 6, 23) });
  const asked: string[] = [];
  const stocked = [first, second].flatMap((stockId, at) =>
    [1, 2, 3, 4].map((one) => ({ stockId, productId: String(one) as Id, updatedAt: 10 * one + at })),
  );
  const parts = {
    path: join(temporaryDirectory(), 'batches.db'),
    shop: 'platform 7',
    stockIds: [first, second],
    clock,
    asking: () => ({ isOn: true, from: 22, to: 6 }),
    offsetMinutes: () => 0,
    circumstances: () => calm,
    perMinute: () => 30,
    catalogue: {
      state: () => ({
        stocks: [first, second].map((stockId) => ({
          stockId,
          refused: stockId === second && isSeen(asked) ? 'forbidden' : null,
        })),
      }),
      stocked: () => ({ products: stocked, next: null }),
      countStocked: (_pause: unknown, without: ReadonlySet<Id>) =>
        Promise.resolve(succeed(stocked.filter(({ stockId }) => !without.has(stockId)).length)),
      figure: () => 3,
      describe: ({ productId }: { readonly productId: Id }) => ({ nameKey: productId, words: productId }),
    },
    pause: () => Promise.resolve(true),
    ask: ({ stockId, productId }: { readonly stockId: Id; readonly productId: Id }) => {
      const isForbidden = stockId === second && isRefused(asked);
      asked.push(`${stockId} ${productId}`);
      return Promise.resolve(isForbidden ? fail({ kind }) : succeed(nothing));
    },
    log: () => undefined,
  } as unknown as ExpiringParts;
  const expiring = createExpiring(parts);
  onTestFinished(() => expiring.close());
  if (note !== null) {
    expiring.note({ stockId: second, productId: '3' as Id }, note);
    await clock.advance(4 * 24 * 60 * minuteMs);
  }
  expiring.reconsider();
  for (let minute = 0; minute < 20; minute += 1) {
    // The file answers by itself, whatever the clock says.
    for (let turn = 0; turn < 20; turn += 1) {
      await new Promise((resolve) => setImmediate(resolve));
      await clock.advance(minuteMs / 20);
    }
  }
  const days = await expiring.page('30', '', 0, 10);
  return { asked, days: days.ok ? days.value.total : null, coverage: await expiring.coverage() };
}

const ofFirst = ['11 4', '11 3', '11 2', '11 1'];

test('E1: a stock that the platform refuses is not asked about, and not counted', async () => {
  const { asked, coverage } = await openNight({ isSeen: () => true });
  expect(asked).toEqual(ofFirst);
  expect(coverage).toMatchObject({ value: { mayLack: ['refusedStock'], withStock: 4, asked: 4, night: 'done' } });
});

test('E1: one that is refused in the middle of the night stops it for one rest', async () => {
  const isSeen = (asked: readonly string[]): boolean => asked.length > 3;
  const { asked } = await openNight({ isSeen, isRefused: ({ length }) => length > 2 });
  expect(asked.filter((one) => one.startsWith('11'))).toEqual(ofFirst);
  expect(asked.filter((one) => one.startsWith('12'))).toHaveLength(2);
});

test('N4: what is known of a product without an answer stays, and is asked for once in a night', async () => {
  const expiresOn = { day: '2031-01-20', hasTime: false };
  const batch = { lot: null, quantity: null, expiresOn } as unknown as ProductBatches['batches'][number];
  const note = { ...nothing, total: 1, batches: [batch] };
  const { asked, days } = await openNight({ isSeen: () => false, isRefused: () => true, kind: 'notFound', note });
  expect([asked[0], asked.length, days]).toEqual(['12 3', 8, 1]);
});
