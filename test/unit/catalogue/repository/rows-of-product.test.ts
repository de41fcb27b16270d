// W9 of product-writer.ts: what is kept of a product that a page of the listing has several rows of.
import { expect, test } from 'vitest';
import { storeInSlices } from '../../../../app/catalogue/repository/slices.ts';
import { ListedElement } from '../../../../app/platform/listing/listed-element.ts';
import { id, openRepository, stockOne } from '../catalogue-fixture.ts';

const [ofP, ofM, ofG] = ['9520000000011', '9520000000028', '9520000000035'];
const row = (size: string, balance: number, ean: string) =>
  new ListedElement({ id: 7, name: 'Camiseta', balance, size, ean });
const next = { place: { kind: 'full', first: 100 } };
/** By this, its page is one of a platform that lists products with several rows. */
const other = () =>
  ['P', 'M'].map((size) => new ListedElement({ id: 8, name: 'Calça', balance: 1, size, ean: `95200000010${size}` }));
const both = () => [row('P', 3, ofP), row('M', 4, ofM)];

async function open() {
  let told = 0;
  const { repository } = await openRepository({ onFigure: () => (told += 1) });
  const [stock] = repository.stocks();
  if (stock === undefined) throw new Error('no stock');
  return {
    save: (elements: readonly ListedElement[], pass: number, more: object = {}) =>
      repository.writer.save(stock, ListedElement.combine(elements), {
        pass,
        seenSince: pass,
        askedAt: 1_000 * pass,
        ...more,
      }),
    saveAhead: (elements: readonly ListedElement[]) => repository.writer.saveAhead(stock, elements, 9_000),
    storeAhead: (elements: readonly ListedElement[]) =>
      storeInSlices(
        repository,
        stock,
        elements,
        9_000,
        () => 0,
        () => Promise.resolve(true),
      ),
    saveLive: (amount: number) => repository.writer.saveBalance(stock, id(7), { amount, options: [], asOf: 1_500 }),
    /** How often a figure has become another, or none. */
    told: () => told,
    seen: () => {
      const found = repository.reader.find(stockOne, id(7));
      const card = found === null ? null : repository.reader.card(found);
      return [card?.balance.amount, card?.barcodes];
    },
  };
}

test('it has no figure of the listing, and loses none of its rows to some of them that have changed', async () => {
  const { save, saveAhead, seen } = await open();
  save(both(), 1);
  expect(seen()).toEqual([null, [ofP, ofM]]);
  save([row('M', 2, ofM)], 2, { isPart: true });
  expect(seen()).toEqual([null, [ofP, ofM]]);
  saveAhead([row('M', 2, ofM)]);
  expect(seen()).toEqual([null, [ofP, ofM]]);
});

test('a row of it that stands on the next page of the same listing joins it', async () => {
  const { save, storeAhead, seen } = await open();
  for (const first of [row('P', 3, ofP), row('M', 4, ofM), row('G', 5, ofG)]) {
    const page = [first, ...other()];
    await storeAhead(ListedElement.combine(page));
    save(page, 3, next);
  }
  expect(seen()).toEqual([null, [ofP, ofM, ofG]]);
  // It has come again, further down.
  save([row('M', 2, ofM), ...other()], 3, next);
  expect(seen()).toEqual([null, [ofP, ofG, ofM]]);
});

test('its rows at the end of a page are not taken for all, and those of the next page end it', async () => {
  const { save, seen, told } = await open();
  save(both(), 1);
  const before = told();
  save([row('P', 2, ofP)], 2, { goesOn: true });
  expect(seen()).toEqual([null, [ofP, ofM]]);
  save([row('M', 1, ofM)], 2, next);
  expect([seen(), told()]).toEqual([[null, [ofP, ofM]], before]);
});

test('a product of one row that moves to the next page has the figure of that', async () => {
  const { save, seen } = await open();
  save([row('P', 3, ofP)], 3);
  save([row('P', 2, ofP)], 3, next);
  expect(seen()).toEqual([2, [ofP]]);
});

test('a product of one row that has changed and moved to the next page is as that lists it', async () => {
  const { save, seen } = await open();
  save([row('P', 3, ofP)], 3);
  save([row('P', 3, ofM)], 3, next);
  expect(seen()).toEqual([3, [ofM]]);
});

test('the figure of one row that an earlier version kept goes, and a live one stays', async () => {
  const { save, saveLive, seen, told } = await open();
  save([row('M', 4, ofM)], 1);
  expect([...seen(), told()]).toEqual([4, [ofM], 1]);
  save(both(), 2);
  // The watch list looks at it anew.
  expect([...seen(), told()]).toEqual([null, [ofP, ofM], 2]);
  saveLive(7);
  save([...both(), row('G', 0, ofG)], 3);
  expect(seen()).toEqual([7, [ofP, ofM, ofG]]);
});

test('one that the next listing has with a single row is a product like any other', async () => {
  const { save, seen } = await open();
  save(both(), 1);
  save([row('M', 6, ofM)], 2);
  expect(seen()).toEqual([6, [ofM]]);
});

test('its rows are kept together though they are too long to be kept whole', async () => {
  const long = (size: string, balance: number, ean: string) =>
    new ListedElement({ id: 7, name: 'Camiseta', balance, size, ean, note: 'x'.repeat(40_000) });
  const { save, seen } = await open();
  save([long('P', 3, ofP), long('M', 4, ofM)], 1);
  save([long('M', 2, ofM)], 2, { isPart: true });
  expect(seen()).toEqual([null, [ofP, ofM]]);
});

test('a single row of it at the end of a page has no figure, nor before the page is saved', async () => {
  const { save, storeAhead, seen } = await open();
  const page = [...other(), row('P', 3, ofP)];
  await storeAhead(ListedElement.combine(page));
  expect(seen()).toEqual([undefined, undefined]);
  save(page, 3, { goesOn: true });
  expect(seen()).toEqual([null, [ofP]]);
});

test('its rows on one page are stored in proportion to them', async () => {
  const { save, storeAhead } = await open();
  const rows = Array.from({ length: 6_000 }, (_, place) => row(`T${place}`, 1, ofP));
  const page = ListedElement.combine([...other(), ...rows, ...other()]);
  const begun = performance.now();
  await storeAhead(page);
  save(rows, 1);
  // Where each row stores all of them, it takes minutes.
  expect(performance.now() - begun).toBeLessThan(10_000);
});
