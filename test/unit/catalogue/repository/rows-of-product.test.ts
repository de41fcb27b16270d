// W9 of product-writer.ts: what is kept of a product that a page of the listing has several rows of.
import { expect, test } from 'vitest';
import { ListedElement } from '../../../../app/platform/listing/listed-element.ts';
import { id, openRepository, stockOne } from '../catalogue-fixture.ts';

const [ofP, ofM] = ['9520000000011', '9520000000028'];
const row = (size: string, balance: number, ean: string) =>
  new ListedElement({ id: 7, name: 'Camiseta', balance, size, ean });
const both = () => [row('P', 3, ofP), row('M', 4, ofM)];

async function open() {
  let told = 0;
  const { repository } = await openRepository({ onFigure: () => (told += 1) });
  const [stock] = repository.stocks();
  if (stock === undefined) throw new Error('no stock');
  return {
    save: (elements: readonly ListedElement[], pass: number, isPart = false) =>
      repository.writer.save(stock, ListedElement.combine(elements), {
        pass,
        seenSince: pass,
        askedAt: 1_000 * pass,
        isPart,
      }),
    saveAhead: (elements: readonly ListedElement[]) => repository.writer.saveAhead(stock, elements, 9_000),
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
  save([row('M', 2, ofM)], 2, true);
  expect(seen()).toEqual([null, [ofP, ofM]]);
  saveAhead([row('M', 2, ofM)]);
  expect(seen()).toEqual([null, [ofP, ofM]]);
});

test('a row of it that stands on the next page of the same listing takes nothing from it', async () => {
  const { save, seen } = await open();
  save(both(), 3);
  save([row('G', 5, '9520000000035')], 3);
  expect(seen()).toEqual([null, [ofP, ofM]]);
});

test('the figure of one row that an earlier version kept goes, and a live one stays', async () => {
  const { save, saveLive, seen, told } = await open();
  save([row('M', 4, ofM)], 1);
  expect([...seen(), told()]).toEqual([4, [ofM], 1]);
  save(both(), 2);
  // The watch list looks at it anew.
  expect([...seen(), told()]).toEqual([null, [ofP, ofM], 2]);
  saveLive(7);
  save([...both(), row('G', 0, '9520000000035')], 3);
  expect(seen()).toEqual([7, [ofP, ofM, '9520000000035']]);
});

test('one that the next listing has with a single row is a product like any other', async () => {
  const { save, seen } = await open();
  save(both(), 1);
  save([row('M', 6, ofM)], 2);
  expect(seen()).toEqual([6, [ofM]]);
});
