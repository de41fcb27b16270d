// W9 of product-writer.ts, where a term names one of a product's rows: what is kept of the others.
import { expect, test } from 'vitest';
import { takeAnswer } from '../../../../app/catalogue/lookup/shared-answers.ts';
import { mapResult } from '../../../../app/domain/result.ts';
import { ListedElement } from '../../../../app/platform/listing/listed-element.ts';
import { settlePromises } from '../../../support/manual-clock.ts';
import { id, stockOne } from '../catalogue-fixture.ts';
import { prepare } from './lookup-fixture.ts';

const [ofP, ofM] = ['9520000000011', '9520000000028'];
const rowOfM = { id: 7, name: 'Camiseta', balance: 4, size: 'M', ean: ofM };
const both = ListedElement.combine([{ ...rowOfM, balance: 3, size: 'P', ean: ofP }, rowOfM].map(toListed));
const whole = [null, [ofP, ofM]];

function toListed(row: object): ListedElement {
  return new ListedElement(row);
}

async function till(isComplete: boolean) {
  const setting = await prepare([], { isComplete });
  const { repository, platform, lookup, clock } = setting;
  for (const stock of repository.stocks()) {
    repository.writer.save(stock, both, { pass: 1, seenSince: 1, askedAt: clock.now() });
  }
  clock.sleep(60_000);
  platform.changePage = (page) => ({ ...page, total: 1, elements: [rowOfM] });
  const seen = (): unknown[] => {
    const card = lookup.read(stockOne, id(7));
    return [card?.balance.amount, card?.barcodes];
  };
  return { ...setting, seen };
}

test('a person asks the platform for its barcode', async () => {
  const { lookup, platform, seen } = await till(true);
  await lookup.ask(ofM);
  expect([platform.listings.length, seen()]).toEqual([1, whole]);
});

test('it is scanned while the copy is not whole', async () => {
  const { lookup, platform, seen } = await till(false);
  lookup.find(ofM, 'scan');
  await settlePromises();
  expect([platform.listings.length, seen()]).toEqual([1, whole]);
});

test('another till has asked for it', async () => {
  const { repository, clock, seen } = await till(true);
  const elements = [{ stockId: stockOne, element: rowOfM }];
  const text = JSON.stringify({ kind: 'alias', term: ofM, productId: '7', stockIds: [stockOne], elements });
  expect(takeAnswer(repository, { by: 'other', text, atMs: 0, ageMs: 10 }, clock.now())).toBe(true);
  expect(seen()).toEqual(whole);
});

test('rows in which a term is looked for are gone through once, not once for each', async () => {
  const { lookup, platform } = await prepare([]);
  const list = platform.listStockProducts.bind(platform);
  platform.listStockProducts = async (...given) =>
    mapResult(await list(...given), (page) => ({ ...page, elements: ListedElement.combine(page.elements) }));
  const more = Array.from({ length: 300 }, (_, place) => `Loja ${place}`);
  const elements = Array.from({ length: 600 }, (_, size) => ({ ...rowOfM, size, more }));
  platform.changePage = (page) => ({ ...page, total: 600, elements });
  const begun = performance.now();
  await lookup.ask('9520000000035');
  expect(platform.listings).toHaveLength(1);
  expect(performance.now() - begun).toBeLessThan(1_500);
});
