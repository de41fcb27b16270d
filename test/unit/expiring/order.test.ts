// Checks the rules E1 to E5 of app/expiring/order.ts, and what of an answer is kept.
import { expect, test } from 'vitest';
import type { ProductBatch } from '../../../app/contract/batches.ts';
import { dayAt } from '../../../app/domain/days.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { daysOf } from '../../../app/expiring/expiring.ts';
import { keptOf } from '../../../app/expiring/kept.ts';
import { compareTurns, createShortlist, turnOf, type Known, type Turn } from '../../../app/expiring/order.ts';
import { batchesAnswerSchema } from '../../../app/platform/batches.ts';

const dayMs = 86_400_000;
const now = Date.UTC(2031, 0, 10, 12);
const product = { stockId: '11' as Id, productId: '101' as Id, updatedAt: null };
const known = (askedDaysAgo: number, nearestDay: string | null, batches = 2): Known => ({
  askedAt: now - askedDaysAgo * dayMs,
  batches,
  nearestDay,
});
const stepOf = (before: Known | null, updatedDaysAgo: number | null = null): number | null =>
  turnOf({ ...product, updatedAt: updatedDaysAgo === null ? null : now - updatedDaysAgo * dayMs }, before, now, 0)
    ?.step ?? null;

test.each([
  ['never asked for', null, null, 2],
  ['near, asked yesterday', known(1, '2031-01-20'), null, null],
  ['near, asked three days ago', known(3, '2031-01-20'), null, 1],
  ['near, changed since yesterday', known(1.5, '2031-01-20'), 1, 1],
  ['lately over', known(3, '2031-01-01'), null, 1],
  ['long over', known(7, '2030-10-01'), null, 3],
  ['far, asked three days ago', known(3, '2031-06-01'), null, null],
  ['far, asked a week ago', known(7, '2031-06-01'), null, 3],
  ['far, changed since', known(3, '2031-06-01'), 2, 3],
  ['without a day, asked a week ago', known(8, null), null, null],
  ['without a day, changed since', known(8, null), 2, 4],
  ['no batches, asked a month ago', known(30, null, 0), null, 4],
  ['noted before the clock was set back', known(-3, '2031-06-01'), null, 3],
] as const)('%s', (_name, before, updated, step) => {
  expect(stepOf(before, updated)).toBe(step);
});

test('the nearest day goes first, then what moved last, then the oldest answer', () => {
  const turns: readonly [string, Turn | null][] = [
    ['far', turnOf(product, known(9, '2031-06-01'), now, 0)],
    ['farther back', turnOf(product, known(12, '2031-06-01'), now, 0)],
    ['tomorrow', turnOf(product, known(4, '2031-01-11'), now, 0)],
    ['in two weeks', turnOf(product, known(9, '2031-01-24'), now, 0)],
    ['new, moved today', turnOf({ ...product, updatedAt: now }, null, now, 0)],
    ['new', turnOf(product, null, now, 0)],
    ['nothing', turnOf(product, known(40, null, 0), now, 0)],
  ];
  const shortlist = createShortlist<{ readonly name: string; readonly turn: Turn }>(5);
  turns.forEach(([name, turn]) => turn !== null && shortlist.offer({ name, turn }));
  expect(shortlist.inOrder().map(({ name }) => name)).toEqual([
    'tomorrow',
    'in two weeks',
    'new, moved today',
    'new',
    'farther back',
  ]);
  expect(compareTurns({ step: 1, by: 5 }, { step: 2, by: 0 })).toBeLessThan(0);
});

const batch = (day: string | null, amount: number | null = 5): ProductBatch => ({
  facts: [],
  expiresOn: day === null ? null : { name: 'expires_at', day },
  quantity: amount === null ? null : { name: 'quantity', amount },
  lot: null,
});

test('kept are the next four days and the last two that are over, of which something may be left', () => {
  const days = ['2031-03-01', '2030-01-01', '2031-01-10', null, '2031-02-01', '2030-12-31', '2031-01-09'] as const;
  const batches = [
    ...days.map((day) => batch(day)),
    batch('2031-04-01', null),
    batch('2031-01-11', 0),
    batch('2032-01-01'),
  ];
  expect(keptOf({ batches }, '2031-01-10').map(({ day, quantity }) => `${day} ${String(quantity)}`)).toEqual([
    '2030-12-31 5',
    '2031-01-09 5',
    '2031-01-10 5',
    '2031-02-01 5',
    '2031-03-01 5',
    '2031-04-01 null',
  ]);
});

test('a day is the one the platform writes, whatever its offset; another shape of answer keeps nothing', () => {
  const read = (movements: unknown) =>
    keptOf(batchesAnswerSchema.parse({ product: {}, option_names: '', stock_movements: movements }), '2031-01-10').map(
      ({ day }) => day,
    );
  expect(
    read([
      { expires_at: '2031-02-01T00:30:00-03:00' },
      { validade: '2031-02-02T23:30:00+09:00', quantidade: '3' },
      { expiry: { date: '2031-02-03' } },
    ]),
  ).toEqual(['2031-02-01', '2031-02-02', '2031-02-03']);
  expect(read([{ expires_at: null }, { expires_at: 'soon' }, 'a text', 7])).toEqual([]);
  expect(read({})).toEqual([]);
});

test('today is the day of the machine, and a span begins with it', () => {
  const late = Date.UTC(2031, 0, 11, 1, 30);
  expect(dayAt(late, -180)).toBe('2031-01-10');
  expect(daysOf('7', late, -180)).toEqual({ from: '2031-01-10', to: '2031-01-17' });
  expect(daysOf('30', late, 540)).toEqual({ from: '2031-01-11', to: '2031-02-10' });
  expect(daysOf('past', late, -180)).toEqual({ from: null, to: '2031-01-09' });
});
