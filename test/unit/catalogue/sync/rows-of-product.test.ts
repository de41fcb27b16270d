// W9 of product-writer.ts: a platform that lists a row for each size of a product, three of each over pages of a hundred.
import { expect, test } from 'vitest';
import { ListedElement } from '../../../../app/platform/listing/listed-element.ts';
import { listed } from '../../../support/listed.ts';
import { id, stockOne } from '../catalogue-fixture.ts';
import { all, prepare, type SyncSetting } from './sync-fixture.ts';

const count = 120;
const hourMs = 3_600_000;

async function shopOfSizes(watch: (setting: SyncSetting) => void = () => undefined): Promise<SyncSetting> {
  const setting = await prepare();
  setting.platform.beforeListing = () => watch(setting);
  const { platform, clock, sync } = setting;
  const sizes = platform
    .fill(stockOne, count)
    .flatMap((product) =>
      ['P', 'M', 'G'].map((size, place) => ({
        ...product,
        barcode: `${String(product.id)}-${size}`,
        balance: place + 1,
      })),
    );
  platform.stocks.set(stockOne, sizes);
  // As the client answers them.
  platform.changePage = (page) => ({
    ...page,
    elements: ListedElement.combine(listed(page.elements)).map((element) => element.toJSON()),
  });
  sync.start();
  await clock.advance(600_000);
  return setting;
}

/** Those with a figure, which is that of a part. */
const figuresIn = ({ repository }: SyncSetting): number[] =>
  all(count).filter((product) => {
    const row = repository.reader.find(stockOne, id(product));
    return row !== null && repository.reader.card(row)?.balance.amount !== null;
  });

/** Products of which a part of the rows stands for all. */
function partsIn({ repository }: SyncSetting): number[] {
  return all(count).filter((product) => {
    const row = repository.reader.find(stockOne, id(product));
    const card = row === null ? null : repository.reader.card(row);
    return card?.balance.amount !== null || card.barcodes.length !== 3;
  });
}

test('none of its products has a figure of a part, nor after the next listing', async () => {
  const setting = await shopOfSizes();
  expect(partsIn(setting)).toEqual([]);
  const asked = setting.platform.listings.length;
  await setting.clock.advance(48 * hourMs);
  expect(setting.platform.listings.length).toBeGreaterThan(asked + 4);
  expect(partsIn(setting)).toEqual([]);
});

test('none has while the next listing is read, either', async () => {
  const setting = await shopOfSizes();
  const seen: number[] = [];
  setting.platform.beforeListing = () => seen.push(...partsIn(setting));
  setting.sync.copyAgain();
  await setting.clock.advance(600_000);
  expect(seen).toEqual([]);
});

test('none has while the first listing is read, either', async () => {
  const seen: number[] = [];
  await shopOfSizes((setting) => seen.push(...figuresIn(setting)));
  expect(seen).toEqual([]);
});

test('none has where a page of what people looked at ends within a product', async () => {
  const setting = await shopOfSizes();
  const { platform, repository, clock } = setting;
  repository.recent.remember({
    at: clock.now(),
    text: '5',
    answer: 'found',
    product: { stockId: stockOne, productId: id(5) },
  });
  const asked: (number | undefined)[] = [];
  platform.changePage = (page, { productIds }) => {
    asked.push(productIds?.length);
    return productIds === undefined ? page : { ...page, elements: page.elements.slice(0, 1) };
  };
  await clock.advance(1_800_000);
  expect(asked).toContain(1);
  expect(partsIn(setting)).toEqual([]);
});
