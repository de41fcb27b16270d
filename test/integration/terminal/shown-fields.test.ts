// Proves over real HTTP and real files that a manager sees what the listing really carries, that what is chosen stands
// on the card, in the table and in its file, also after a restart without a network, and that nothing does otherwise.
import { expect, test } from 'vitest';
import type { ShownField } from '../../../app/contract/fields.ts';
import { everyProduct } from '../../../app/contract/every-product.ts';
import type { ProductCard } from '../../../app/contract/products.ts';
import type { Id } from '../../../app/domain/int64.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { openCopied, openMachine, openPlatformForTest } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

const price: ShownField = { path: 'product.price', name: 'Preço', on: ['card', 'table'] };
const supplier: ShownField = { path: 'product.supplier.name', name: 'Fornecedor', on: ['label'] };

async function cardOf({ handlers }: Terminal, place: { readonly stockId: Id; readonly productId: Id }) {
  return valueOf(await handlers['product:read'](place));
}

test('what the listing carries is told, chosen, shown, and still shown after a restart without a network', async () => {
  const platform = await openPlatformForTest();
  platform.setVariants({ listedFields: 'more' });
  const { machine, terminal } = await openCopied(openMachine(), platform);
  const place = { stockId: platform.stockIds[0] as Id, productId: String(platform.products.idAt(0)) as Id };
  const { shop } = platform.products.at(0);

  const listed = await terminal.handlers['catalogue:listFields']({});
  const free = listed.ok ? listed.value.fields.filter(({ ownPlace }) => ownPlace === null) : [];
  expect(free.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['product.price', 'product.supplier.name', 'aisle', 'product.category.name']),
  );
  // Nothing is chosen yet.
  expect((await cardOf(terminal, place)).fields).toMatchObject([
    { usual: 'price', isPrice: true, value: String(shop.price), on: ['card', 'station'] },
    { usual: 'aisle', value: shop.aisle, on: ['card', 'station'] },
  ]);

  const changed: ProductCard[] = [];
  terminal.subscribe((name, payload) => {
    if (name === 'product:changed') {
      changed.push(payload as ProductCard);
    }
  });
  expect(await terminal.handlers['settings:update']({ shownFields: [price, supplier] })).toMatchObject({ ok: true });
  const fields = [
    { isPrice: true, name: 'Preço', value: String(shop.price), kind: 'number', on: ['card', 'table'] },
    { name: 'Fornecedor', value: shop.supplier, kind: 'text', on: ['label'] },
  ];
  // The card that is on the screen has them at once.
  await expect.poll(() => changed.at(-1)?.fields).toEqual(fields);
  const query = { ...everyProduct, stockId: place.stockId, productIds: [place.productId] };
  const rows = [{ fields: [fields[0]] }];
  expect(await terminal.handlers['stock:browse']({ query, offset: 0, limit: 1 })).toMatchObject({ value: { rows } });
  expect(await terminal.handlers['stock:export']({ query, after: 0 })).toMatchObject({ value: { rows } });

  await terminal.close();
  await platform.close();
  const again = await machine.start();
  expect((await cardOf(again, place)).fields).toEqual(fields);
});
