// A bridge over a model of a made-up WooCommerce shop.
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../support/temporary.ts';
import { modelKey, startWoocommerceModel, type ModelProduct } from '../../support/woocommerce-model.ts';
import { openBridge } from './shop.ts';

export const shirts: ModelProduct = {
  id: 40,
  type: 'variable',
  name: 'T-shirt',
  stock_quantity: null,
  categories: [{ id: 3, name: 'Men &amp; women' }],
  variations: [
    {
      id: 41,
      name: 'T-shirt - Red, L',
      sku: 'SHIRT-RED-L',
      global_unique_id: '9520000000066',
      price: '49.90',
      stock_quantity: 4,
      attributes: [
        { name: 'Color', option: 'Red' },
        { name: 'Size', option: 'L' },
      ],
    },
    { id: 42, name: 'T-shirt - Blue', stock_quantity: null, attributes: [{ name: 'Color', option: 'Blue' }] },
  ],
};
export const products: readonly ModelProduct[] = [
  {
    id: 10,
    name: 'Caf&eacute; &#8220;Serra&#8221; &amp; more',
    sku: 'CAFE-1',
    global_unique_id: '9520000000011',
    price: '18.90',
    stock_quantity: 12,
    categories: [{ id: 2, name: 'Drinks' }],
  },
  { id: 11, name: 'Debt', stock_quantity: -2 },
  { id: 12, name: 'Unmanaged', stock_quantity: null },
  { id: 13, name: 'Draft', stock_quantity: 5, status: 'draft' },
  shirts,
];

/** A bridge over the model with these products; both are closed when the test is over. */
export async function openWoocommerce(
  shop: readonly ModelProduct[],
  now: () => number = Date.now,
  couponKey = '_coupon',
) {
  const model = await startWoocommerceModel(shop);
  const source = {
    kind: 'woocommerce',
    address: model.address,
    key: { env: 'SHOP' },
    secret: { env: 'SHOP_SECRET' },
    couponKey,
    everySeconds: 86_400,
  };
  onTestFinished(model.close);
  const stocks = [{ id: '1', name: 'Web shop', source: 'shop' }];
  const environment = { SHOP: modelKey.key, SHOP_SECRET: modelKey.secret };
  const opened = await openBridge(temporaryDirectory(), environment, now, { source, stocks });
  return { ...opened, model };
}
