import { expect, it } from 'vitest';
import type { StockRow } from '../../../../app/contract/browse.ts';
import { everyProduct } from '../../../../app/contract/every-product.ts';
import { proposedFor, readOrderLines, supplierFieldOf } from '../../../../renderer/watch-list/order-lines.ts';
import { previewImport } from '../../../../renderer/watch-list/import-preview.ts';
import { setMinima } from '../../../../renderer/watch-list/set-minima.ts';
import { fakeBridge, heldId as id } from './watch-bridge.ts';

const row = (
  number: number,
  amount: number | null,
  minimum: number | null,
  more: Partial<StockRow> = {},
): StockRow => ({
  stockId: id(11),
  stockName: 'Loja',
  productId: id(number),
  code: `C${number}`,
  name: `Product ${number}`,
  unit: 'UNID',
  balance: { amount, asOf: amount === null ? null : 1_000, source: amount === null ? null : 'listing' },
  minimum,
  turnedAt: null,
  ...more,
});

it.each([
  [3, 10, 'UNID', 7],
  [-2, 10, 'UNID', 12],
  [9.2, 10, 'UNID', 1],
  [9.2, 10, 'KG', 0.8],
  [0.1, 0.3, null, 0.2],
  [null, 10, 'UNID', null],
])('of %s in stock and a minimum of %s, in %s, %s are proposed', (amount, minimum, unit, proposed) => {
  expect(proposedFor({ balance: { amount, asOf: null, source: null }, unit }, minimum)).toBe(proposed);
});

it.each([
  ['product.supplier.name', true],
  ['mainSupplier', true],
  ['fornecedor_nome', true],
  ['supplierCostPrice', false],
  ['supplier.id', false],
])('the field %s names the supplier: %s', (path, isOne) => {
  expect(supplierFieldOf([{ path, name: 'Field', on: ['table'] }])).toBe(isOne ? 'Field' : null);
});

it('what is below comes first, then what nobody knows; what has enough, or has gone, is left out', async () => {
  const rows = [
    row(1, 5, 5),
    row(2, null, 4),
    null,
    row(3, 1, 4),
    row(4, 9, null),
    ...Array.from({ length: 250 }, (_unused, index) => row(100 + index, 9, 1)),
  ];
  const asked: unknown[] = [];
  const bridge = fakeBridge({
    'stock:browse': ({ query, offset, limit, view }) => {
      asked.push([query.list, query.term, view]);
      const found = Math.min(rows.length, offset + limit);
      return { view: 7, total: rows.length, found, isWhole: found === rows.length, rows: rows.slice(offset, found) };
    },
  });
  const seen: unknown[] = [];
  const read = await readOrderLines(
    bridge,
    { ...everyProduct, list: 'below', term: 'pro' },
    (done, of) => seen.push([done, of]),
    new AbortController().signal,
  );
  expect(read.ok && read.value.map(({ productId, proposed }) => [productId, proposed])).toEqual([
    ['3', 3],
    ['2', null],
  ]);
  expect(asked).toEqual([
    ['watched', 'pro', undefined],
    ['watched', 'pro', 7],
  ]);
  expect(seen).toEqual([
    [200, 255],
    [255, 255],
  ]);
});

it('a view that was forgotten in between ends the reading, and so does closing', async () => {
  let view = 1;
  const rows = Array.from({ length: 200 }, (_unused, index) => row(index + 1, 1, 2));
  const bridge = fakeBridge({ 'stock:browse': () => ({ view: view++, total: 400, found: 400, isWhole: true, rows }) });
  const cancelled = { ok: false, failure: { kind: 'cancelled' } };
  expect(await readOrderLines(bridge, everyProduct, () => undefined, new AbortController().signal)).toEqual(cancelled);
  expect(await readOrderLines(bridge, everyProduct, () => undefined, AbortSignal.abort())).toEqual(cancelled);
});

it('a preview tells new, changed and unchanged minimums, and every line that is left out', async () => {
  const found = (number: number, minimum: number | null) => ({
    productId: id(number),
    code: `C${number}`,
    name: `P${number}`,
    unit: null,
    minimum,
  });
  const matches: Readonly<Record<string, ReturnType<typeof found>[]>> = {
    A: [found(1, null)],
    B: [found(2, 5)],
    C: [found(3, 7)],
    D: [found(4, 2)],
    B2: [found(2, 5)],
    TWO: [found(1, null), found(2, 5)],
  };
  const bridge = fakeBridge({
    'watchList:match': ({ codes }) => ({ matches: codes.map((code) => matches[code] ?? []) }),
  });
  const line = (number: number, code: string, minimum: number | null, stockId = '') => ({
    line: number,
    code,
    minimum,
    stockId,
  });
  const file = {
    lines: [
      line(1, 'A', 3, '11'),
      line(2, 'B', 5),
      line(3, 'C', 8),
      line(5, 'D', null),
      line(6, 'B2', 1),
      line(7, 'TWO', 1),
      line(8, 'X', 1),
      line(9, 'C', 1, '12'),
    ],
    blank: 2,
    unread: [{ line: 4, text: ';1', why: 'noCode' as const }],
  };
  const preview = await previewImport(bridge, id(11), file, () => undefined, new AbortController().signal);
  expect(preview.ok && preview.value).toMatchObject({
    unchanged: 1,
    blank: 2,
    removed: 1,
    changes: [
      { line: 5, before: 2, after: null },
      { line: 1, before: null, after: 3 },
      { line: 3, before: 7, after: 8 },
    ],
    leftOut: [
      { line: 4, why: 'noCode' },
      { line: 6, why: 'twice', earlier: 2 },
      { line: 7, why: 'several' },
      { line: 8, why: 'notFound' },
      { line: 9, why: 'otherStock' },
    ],
  });
});

it('many are set slice by slice, and stop between two of them', async () => {
  const controller = new AbortController();
  const sizes: number[] = [];
  const bridge = fakeBridge({
    'watchList:set': ({ minima }) => {
      sizes.push(minima.length);
      if (sizes.length === 2) {
        controller.abort();
      }
      return { kept: minima.length - 1 };
    },
  });
  const minima = Array.from({ length: 350 }, (_unused, index) => ({
    stockId: id(11),
    productId: id(index + 1),
    minimum: 1,
  }));
  const seen: number[] = [];
  expect(await setMinima(bridge, minima, (done) => seen.push(done), controller.signal)).toEqual({
    kept: 198,
    leftOut: 2,
    failure: { kind: 'cancelled' },
  });
  expect([sizes, seen]).toEqual([
    [100, 100],
    [100, 200],
  ]);
});
