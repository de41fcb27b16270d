// The proof of W7: what counts as a change of the listing, what does not, and on which day it was.
import { expect, onTestFinished, test } from 'vitest';
import { openBrowse } from '../../../../app/catalogue/browse/browse.ts';
import type { CatalogueRepository } from '../../../../app/catalogue/repository/repository.ts';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import { everyProduct } from '../../../../app/contract/every-product.ts';
import type { ShownField } from '../../../../app/contract/fields.ts';
import { createClock, id, openRepository, stockOne } from '../catalogue-fixture.ts';
import { listed } from '../../../support/listed.ts';

const minute = 60_000;
const price: ShownField = { path: 'price', name: 'Price', on: ['label'] };

interface Copy {
  readonly repository: CatalogueRepository;
  save(element: unknown, askedAt?: number, pass?: number): void;
  /** From now on a first listing has been read to its end. */
  complete(): void;
  /** The ids of the rows whose listing has changed since the beginning of 1970. */
  changed(): readonly string[];
}

async function openCopy(shown: readonly ShownField[] = [price]): Promise<Copy> {
  const { repository } = await openRepository({ shownFields: () => shown });
  const [stock = { number: 0, stockId: stockOne }] = repository.stocks();
  return {
    repository,
    save: (element, askedAt = 5, pass = 1) => {
      repository.writer.save(stock, listed([element]), { pass, seenSince: pass, askedAt });
    },
    complete: () => repository.saveProgress(stock, { ...noProgress, completeAsOf: 3 }),
    changed: () =>
      [...repository.browse.listedFrom(0, Infinity)].flat().map((row) => String(repository.reader.productOf(row))),
  };
}

const coffee = {
  id: 7,
  name: 'Café 500 g',
  code: 'C-7',
  unit: 'UNID',
  barcodes: ['9520000000011', '95200002'],
  balance: 4,
  price: 18.9,
  supplier: 'Serra Clara',
  updated_at: '2026-01-05T09:00:00-03:00',
  options: [{ name: 'P', balance: 1 }],
};

test.each([
  ['its name', { name: 'Café torrado 500 g' }],
  ['its code', { code: 'C-8' }],
  ['a second code', { sku: 'K-1' }],
  ['a barcode more', { barcodes: [...coffee.barcodes, '9520000000028'] }],
  ['another barcode', { barcodes: ['9520000000028', '95200002'] }],
  ['no barcode any more', { barcodes: [] }],
  ['its unit', { unit: 'KG' }],
  ['a field that the shop shows', { price: 17.9 }],
  ['a field that the shop shows and that has gone', { price: null }],
])('W7: %s is a change', async (_what, part) => {
  const copy = await openCopy();
  copy.save(coffee);
  expect(copy.changed()).toEqual([]);
  copy.save({ ...coffee, ...part });
  expect(copy.changed()).toEqual(['7']);
});

test.each([
  ['nothing', {}],
  ['its figure', { balance: 3 }],
  ['the figure of a size', { options: [{ name: 'P', balance: 0 }] }],
  ['when it was updated', { updated_at: '2026-01-06T09:00:00-03:00' }],
  ['the order of its barcodes', { barcodes: coffee.barcodes.toReversed() }],
  ['a field that the shop does not show', { supplier: 'Serra Alta' }],
  ['a date that the shop shows', { promotion: '2026-02-01' }],
  ['a moment that the shop shows', { counted: '2026-02-01T10:00:00-03:00' }],
])('W7: %s alone is none', async (_what, part) => {
  const copy = await openCopy([
    price,
    { path: 'balance', name: 'Balance', on: ['table'] },
    { path: 'promotion', name: 'Until', on: ['label'] },
    { path: 'counted', name: 'Counted', on: ['card'] },
  ]);
  copy.save(coffee);
  copy.save({ ...coffee, ...part });
  expect(copy.changed()).toEqual([]);
});

test('W7: a live figure is none', async () => {
  const copy = await openCopy();
  copy.save(coffee);
  const [stock = { number: 0, stockId: stockOne }] = copy.repository.stocks();
  copy.repository.writer.saveBalance(stock, id(7), { amount: 1, options: [], asOf: 9 });
  expect(copy.changed()).toEqual([]);
});

test('W7: a product of a first listing is none, in whichever way it comes; one that is new behind it is', async () => {
  const copy = await openCopy();
  const [stock = { number: 0, stockId: stockOne }] = copy.repository.stocks();
  copy.repository.writer.saveAhead(stock, listed([coffee]), 5);
  copy.save({ ...coffee, id: 8 });
  // Somebody asked for it.
  copy.save({ ...coffee, id: 9 }, 5, 0);
  copy.save({ ...coffee, id: 10 }, 6, 2);
  expect(copy.changed()).toEqual([]);
  copy.complete();
  copy.save({ ...coffee, id: 8 }, 7, 3);
  copy.repository.writer.saveAhead(stock, listed([{ ...coffee, id: 11 }]), 8);
  copy.save({ ...coffee, id: 12 }, 9, 0);
  expect(copy.changed()).toEqual(['11', '12']);
});

test('W7: of an element that is too long to be kept whole only what is kept counts', async () => {
  const copy = await openCopy();
  const long = { ...coffee, text: 'x'.repeat(70_000) };
  copy.save(long);
  copy.save({ ...long, balance: 3 });
  copy.save({ ...long, price: 1 });
  expect(copy.changed()).toEqual([]);
  copy.save({ ...long, name: 'Chá' });
  expect(copy.changed()).toEqual(['7']);
});

test('a change that is read again stays as old as it is', async () => {
  const copy = await openCopy();
  copy.save(coffee);
  copy.save({ ...coffee, name: 'Chá' }, 6);
  copy.save({ ...coffee, name: 'Chá' }, 9, 2);
  copy.save({ ...coffee, name: 'Chá', balance: 1 }, 10, 3);
  expect([...copy.repository.browse.listedFrom(7, Infinity)].flat()).toEqual([]);
  expect(copy.changed()).toEqual(['7']);
});

test('all of very many rows are found, though most have changed in one moment', async () => {
  const copy = await openCopy();
  const [stock = { number: 0, stockId: stockOne }] = copy.repository.stocks();
  const many = Array.from({ length: 4_500 }, (_unused, place) => ({ id: place + 1, name: `Produto ${place}` }));
  copy.complete();
  copy.repository.writer.save(stock, listed(many.slice(0, 4_100)), { pass: 1, seenSince: 1, askedAt: 5 });
  copy.repository.writer.save(stock, listed(many.slice(4_100)), { pass: 1, seenSince: 1, askedAt: 6 });
  expect(copy.changed()).toEqual(many.map((one) => String(one.id)));
});

test.each([
  // Midnight there is 03:00 in UTC.
  ['three hours west of UTC', '2026-03-10T13:30:00Z', () => -180, '2026-03-10T03:00:00Z'],
  ['UTC', '2026-03-10T13:30:00Z', () => 0, '2026-03-10T00:00:00Z'],
  // It is the next day there.
  ['thirteen hours east of UTC', '2026-03-10T13:30:00Z', () => 780, '2026-03-10T11:00:00Z'],
  [
    'where the clocks are put back in that night',
    '2026-10-25T09:00:00Z',
    (at: number) => (at < Date.parse('2026-10-25T01:00:00Z') ? 120 : 60),
    '2026-10-24T22:00:00Z',
  ],
])('today begins at midnight by the clock of the shop: %s', async (_where, now, offsetMinutes, midnight) => {
  const copy = await openCopy();
  const clock = createClock();
  clock.jumpWall(Date.parse(now) - clock.now());
  const browse = openBrowse({
    clock,
    reader: copy.repository.browse,
    stocks: copy.repository.stocks,
    watched: () => [],
    offsetMinutes,
  });
  onTestFinished(() => browse.close());
  for (const [productId, at] of [Date.parse(midnight) - 1, Date.parse(midnight), clock.now()].entries()) {
    copy.save({ ...coffee, id: productId }, at - minute);
    copy.save({ ...coffee, id: productId, price: 2 }, at);
  }
  const [page] = await Promise.all([
    browse.page({ query: { ...everyProduct, list: 'changedToday' }, offset: 0, limit: 9 }),
    clock.advance(1),
  ]);
  expect(page.ok && page.value.rows.map((row) => row?.productId)).toEqual(['1', '2']);
});
