// How the columns of a shop's rows are read.
import { describe, expect, it } from 'vitest';
import { RowReader } from '../../../app/bridge/sources/row-reader.ts';

const reader = new RowReader('source.queries.batches', 'America/Sao_Paulo');
const read = (at: unknown): string | null => {
  const moment = reader.moment({ at }, 'at');
  return moment === null ? null : new Date(moment).toISOString();
};

describe('a date or a date-time', () => {
  it.each<[value: unknown, moment: string | null]>([
    ['2027-03-05', '2027-03-05T03:00:00.000Z'],
    ['2027-03-05 07:30', '2027-03-05T10:30:00.000Z'],
    ['2027-03-05T07:30:15.250', '2027-03-05T10:30:15.000Z'],
    ['2027-03-05T07:30:15Z', '2027-03-05T07:30:15.000Z'],
    ['2027-03-05 07:30:15+02', '2027-03-05T05:30:15.000Z'],
    ['2027-03-05T07:30-0300', '2027-03-05T10:30:00.000Z'],
    ['9999-12-31 23:59:59', '+010000-01-01T02:59:59.000Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    [new Date('2027-03-05T07:30:00Z'), '2027-03-05T07:30:00.000Z'],
    [1_804_215_600, '2027-03-05T03:00:00.000Z'],
    [1_804_215_600n, '2027-03-05T03:00:00.000Z'],
    ['0000-00-00 00:00:00', null],
    ['1804215600', '2027-03-05T03:00:00.000Z'],
    ['1804215600.250000', '2027-03-05T03:00:00.250Z'],
    [0, null],
    ['0', null],
    ['', null],
    [null, null],
  ])('%o is read', (value, moment) => {
    expect(read(value)).toBe(moment);
  });

  it.each([
    ['2026-09-06', 'America/Santiago', '2026-09-06T04:00'],
    ['2026-03-29', 'Atlantic/Azores', '2026-03-29T01:00'],
    ['2026-03-29', 'Asia/Beirut', '2026-03-28T22:00'],
    ['2026-03-29 02:30', 'Europe/Madrid', '2026-03-29T01:30'],
    ['2026-10-25 02:30', 'Europe/Madrid', '2026-10-25T01:30'],
  ])('%s in %s, where the clocks change, is that day', (at, zone, moment) => {
    const found = new RowReader('source.queries.batches', zone).moment({ at }, 'at');
    expect(new Date(found ?? 0).toISOString()).toContain(moment);
  });

  it.each<[value: unknown]>([
    ['12/01/2027'],
    ['05.12.2026'],
    ['2027/03/05'],
    ['2027-3-5'],
    ['2027-02-30'],
    ['2027-03-00'],
    ['2027-03-05 24:00'],
    ['20270305'],
    ['Lote 7'],
    ['12'],
    ['infinity'],
    [46_451],
    [20_270_305],
    [1_804_215_600_000],
    [9e15],
    [-1e15],
    [Infinity],
    [new Date('')],
    [new Date('+012027-01-01T00:00:00Z')],
  ])('%o is refused, with query, column and row', (value) => {
    expect(() => read(value)).toThrow('source.queries.batches: column at is no date (at=');
  });
});

it.each<[on: unknown, off: unknown]>([
  [true, false],
  [1, 0],
  [-1, 0n],
  ['t', 'f'],
  ['S', 'N'],
  ['Sí ', 'no'],
  ['Sim', 'NÃO'],
  ['V', 'F'],
])('a coupon of %o is on, and one of %o is off', (on, off) => {
  expect([on, off, ''].map((coupon) => reader.flag({ coupon }, 'coupon'))).toEqual([true, false, null]);
});

describe('an amount', () => {
  const listed = (amount: unknown) => reader.amount({ product: 'CAFE-1', stock: 'loja', amount }).amount;
  const alone = (...amounts: readonly unknown[]) =>
    reader.sum(
      amounts.map((amount) => ({ amount })),
      'amount',
    );

  it.each([1e200, '-1e303', 1e308, '1e400', 'NaN'])(
    'of %s is refused, as are prices, for none could be told',
    (amount) => {
      const words = /column (?:amount|price) is no number, or too large \(/;
      expect(() => listed(amount)).toThrow(words);
      expect(() => alone(amount, amount)).toThrow(words);
      expect(() => reader.product({ id: 'CAFE-1', name: 'Café', price: amount })).toThrow(words);
    },
  );
});
