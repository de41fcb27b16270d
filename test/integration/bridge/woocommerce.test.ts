// A bridge over a model of a WooCommerce shop.
import { expect, it } from 'vitest';
import { couponsPath, readListing } from '../../support/training-caller.ts';
import { idOf, type OpenBridge } from './shop.ts';
import { openWoocommerce, products, shirts } from './woocommerce-shop.ts';

const listNames = async ({ caller }: OpenBridge): Promise<readonly unknown[]> =>
  readListing(await caller.list('order_by_field=name&order_by_type=asc')).elements.map(({ name }) => name);

it('lists products and variations with figures, barcodes and prices, and none whose stock is not managed', async () => {
  const { caller } = await openWoocommerce(products);
  const listed = readListing(await caller.list('order_by_field=name&order_by_type=asc')).elements;
  expect(listed).toMatchObject([
    { name: 'Caf&eacute; “Serra” & more', code: 'CAFE-1', barcodes: ['9520000000011'], price: 18.9, amount: 12 },
    { name: 'Debt', barcodes: [], amount: -2, product_id: 11 },
    { name: 'T-shirt - Red - L', code: 'SHIRT-RED-L', barcodes: ['9520000000066'], price: 49.9, amount: 4 },
  ]);
});

it('reads pages of a hundred, each product once', async () => {
  const many = Array.from({ length: 350 }, (_, place) => ({ id: place + 1, name: `P${place}`, stock_quantity: place }));
  const { caller, model } = await openWoocommerce(many);
  expect(readListing(await caller.list()).meta.total).toBe(350);
  expect(model.asked).toEqual(Array.from({ length: 4 }, () => 'GET /wp-json/wc/v3/products 200'));
});

it('asks of meta data for the coupon alone: what others keep there would be more than an answer may have', async () => {
  const pages = [
    { key: '_page', value: 'x'.repeat(50_000) },
    { key: '_coupon', value: 'yes' },
  ];
  const many = Array.from({ length: 100 }, (_, place) => ({
    id: place + 1,
    name: `P${place}`,
    stock_quantity: 1,
    meta_data: pages,
  }));
  const { caller } = await openWoocommerce(many);
  expect(readListing(await caller.list()).meta.total).toBe(100);
  expect((await caller.send(`${couponsPath}?product_id=1`)).body['items']).toMatchObject([{ is_enabled: true }]);
});

it('leaves out a product that cannot be read, says so, and reads the others', async () => {
  const shirt = { id: 50, type: 'variable', name: 'x'.repeat(2001), stock_quantity: null } as const;
  const unreadable = [
    { id: 1, name: '', stock_quantity: 1 },
    { id: 2, name: 'Comma', price: '12,50', stock_quantity: 1 },
    { ...shirt, variations: [{ id: 51, name: 'Red', stock_quantity: 1 }] },
  ];
  const { caller, log } = await openWoocommerce([...products, ...unreadable]);
  expect(readListing(await caller.list()).meta.total).toBe(3);
  const read = log.map((line): unknown => JSON.parse(line)).find((line) => JSON.stringify(line).includes('sourceRead'));
  const firstUnreadable = expect.stringContaining('column name is missing or empty (id=1') as unknown;
  expect(read).toMatchObject({ level: 'warning', products: 3, unreadable: 3, firstUnreadable });
});

it('keeps the former reading where more cannot be read than ten products and a tenth of the others', async () => {
  const priced = (price: string) =>
    Array.from({ length: 11 }, (_, place) => ({ id: 50 + place, name: 'P', price, stock_quantity: 1 }));
  const { caller, model, bridge } = await openWoocommerce([...products, ...priced('12.50')]);
  model.products = [...products, ...priced('12,50')];
  await expect(bridge.update()).rejects.toThrow('11 products cannot be read');
  expect(readListing(await caller.list()).meta.total).toBe(14);
});

it('leaves out the variations of a product without a name: an option names none', async () => {
  const variations = [{ id: 51, name: 'Red', attributes: [{ name: 'Colour', option: 'Red' }], stock_quantity: 1 }];
  const nameless = { id: 50, type: 'variable', name: ' ', stock_quantity: null, variations } as const;
  expect(await listNames(await openWoocommerce([...products, nameless]))).not.toContain('Red');
});

it('finds the coupon under a key with blanks and commas', async () => {
  const key = 'Coupon, of consumption';
  const product = { id: 1, name: 'P', stock_quantity: 1, meta_data: [{ key, value: 'yes' }] };
  const { caller } = await openWoocommerce([product], Date.now, key);
  expect((await caller.send(`${couponsPath}?product_id=1`)).body['items']).toMatchObject([{ is_enabled: true }]);
});

it.each(['first', 'last of the page'])('keeps the former reading where the %s goes while it reads', async (which) => {
  const many = Array.from({ length: 150 }, (_, place) => ({ id: place + 1, name: `P${place}`, stock_quantity: 1 }));
  const { caller, model, bridge } = await openWoocommerce(many);
  const before = model.asked.length;
  const leaving = which === 'first' ? 1 : 100;
  model.before = () => {
    if (model.asked.length > before) {
      const added = { id: 500, name: 'New', stock_quantity: 1 };
      model.products = [...many.filter(({ id }) => id !== leaving), added];
    }
  };
  await expect(bridge.update()).rejects.toThrow('changed while it was read');
  expect(readListing(await caller.list('product_ids=1,100,500')).meta.total).toBe(2);
  await bridge.update();
  expect(readListing(await caller.list('product_ids=1,100,500')).meta.total).toBe(2);
  expect(readListing(await caller.list()).meta.total).toBe(150);
});

it('asks the shop itself for a balance, of a variation too', async () => {
  const opened = await openWoocommerce(products);
  const { caller, model } = opened;
  const sold = { ...shirts, variations: shirts.variations?.map((one) => ({ ...one, stock_quantity: 3 })) ?? [] };
  model.products = [...products.slice(0, -1), sold];
  const path = `/api/v3/stocks/1/products/${await idOf(opened, '9520000000066')}`;
  expect((await caller.send(`${path}/balance`)).body).toMatchObject({
    balance: 3,
    product: { sku: 'SHIRT-RED-L', unit_of_measure: {} },
  });
  const debt = `/api/v3/stocks/1/products/${await idOf(opened, 'debt')}/balance`;
  expect((await caller.send(debt)).body).toMatchObject({ balance: -2, product: { sku: '' } });
  model.status = 503;
  expect((await caller.send(`${path}/balance`)).status).toBe(500);
});

it('sets a coupon as meta data, of a product and of a variation, in order', async () => {
  const opened = await openWoocommerce(products);
  const [coffee, shirt] = [await idOf(opened, '9520000000011'), await idOf(opened, '9520000000066')];
  await opened.caller.put('key-1', [[coffee, true]]);
  await opened.caller.put('key-2', [[shirt, true]]);
  opened.model.status = 500;
  await expect(opened.bridge.deliver()).rejects.toThrow('answered 500');
  opened.model.status = null;
  await opened.caller.put('key-3', [[coffee, false]]);
  await opened.bridge.deliver();
  expect(opened.model.asked.slice(-2)).toEqual([
    'PUT /wp-json/wc/v3/products/40/variations/41 200',
    'PUT /wp-json/wc/v3/products/10 200',
  ]);
  const [first, last] = [opened.model.products[0], opened.model.products.at(-1)?.variations?.[0]];
  expect([first?.meta_data, last?.meta_data]).toEqual([
    [{ key: '_coupon', value: 'no' }],
    [{ key: '_coupon', value: 'yes' }],
  ]);
  // What the shop has switched by itself since is read.
  opened.model.products = opened.model.products.map((one) => ({
    ...one,
    meta_data: [{ key: '_coupon', value: 'yes' }],
  }));
  await opened.bridge.update();
  const listed = (await opened.caller.send(`${couponsPath}?product_id=${coffee}`)).body['items'];
  expect(listed).toMatchObject([{ is_enabled: true }]);
});

it('says the coupon of a product that is back as the shop does, and not as it was switched before', async () => {
  const opened = await openWoocommerce(products);
  const coffee = await idOf(opened, '9520000000011');
  await opened.caller.put('key-1', [[coffee, true]]);
  await opened.bridge.deliver();
  opened.model.products = products.filter(({ id }) => id !== 10);
  await opened.bridge.update();
  opened.model.products = products;
  await opened.bridge.update();
  const listed = (await opened.caller.send(`${couponsPath}?product_id=${coffee}`)).body['items'];
  expect(listed).toMatchObject([{ is_enabled: false }]);
});

it('a coupon that waits to be written is as it was switched, also of a product that was gone', async () => {
  const opened = await openWoocommerce(products);
  const coffee = await idOf(opened, '9520000000011');
  const listed = async () => (await opened.caller.send(`${couponsPath}?product_id=${coffee}`)).body['items'];
  await opened.caller.put('key-1', [[coffee, true]]);
  await opened.bridge.update();
  expect(await listed()).toMatchObject([{ is_enabled: true }]);
  opened.model.products = products.filter(({ id }) => id !== 10);
  await opened.bridge.update();
  opened.model.products = products;
  await opened.bridge.update();
  expect(await listed()).toMatchObject([{ is_enabled: true }]);
  await opened.bridge.deliver();
  await opened.bridge.update();
  expect(await listed()).toMatchObject([{ is_enabled: true }]);
});

it('a coupon of a product that the shop has deleted waits no longer', async () => {
  const opened = await openWoocommerce(products);
  const coffee = await idOf(opened, '9520000000011');
  await opened.caller.put('key-1', [[coffee, true]]);
  opened.model.products = products.filter(({ id }) => id !== 10);
  await opened.bridge.deliver();
  expect(opened.log.join('')).toContain('couponChangedNothing');
  const before = opened.model.asked.length;
  await opened.bridge.deliver();
  expect(opened.model.asked.slice(before)).toEqual([]);
});

it('goes on with what it read where the shop is down, refuses or answers no JSON, and logs no secret', async () => {
  const opened = await openWoocommerce(products);
  opened.model.status = 401;
  await expect(opened.bridge.update()).rejects.toThrow('GET http://127.0.0.1');
  opened.model.status = null;
  opened.model.products = [{ id: 1, name: '', stock_quantity: 1 }];
  await expect(opened.bridge.update()).rejects.toThrow('WooCommerce: column name is missing or empty (id=1');
  await opened.model.close();
  await expect(opened.bridge.update()).rejects.toThrow('ECONNREFUSED');
  expect(await listNames(opened)).toHaveLength(3);
  expect(opened.log.join('')).not.toMatch(/c[ks]_made_up/);
});
