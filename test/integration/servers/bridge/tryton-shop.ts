// A demonstration shop on a Tryton server, made by the server's own interface, and a bridge over it.
import { temporaryDirectory } from '../../../support/temporary.ts';
import { trytonDatabase, trytonUser, type Tryton } from '../../../support/tryton.ts';
import { openBridge, type OpenBridge } from '../../bridge/shop.ts';

const decimal = (text: string) => ({ __class__: 'Decimal', decimal: text });
export const dateOf = (year: number, month: number, day: number) => ({ __class__: 'date', year, month, day });

export interface TrytonShop {
  /** Moves goods between places by the codes of these, with the lot. */
  move(product: number, quantity: number, from: string, to: string, lot?: number): Promise<void>;
  /** Ids, by code. */
  readonly products: ReadonlyMap<string, number>;
}

/** Makes three products, two warehouses, a lot with an expiry date, and what lies where. */
export async function makeTrytonShop({ call }: Tryton): Promise<TrytonShop> {
  const create = async (model: string, values: object, context: object = {}): Promise<number> => {
    const [id = 0] = (await call(`model.${model}.create`, [[values]], context)) as number[];
    return id;
  };
  const find = async (model: string, domain: readonly unknown[]): Promise<number> => {
    const [id = 0] = (await call(`model.${model}.search`, [domain], {})) as number[];
    return id;
  };
  const party = await create('party.party', { name: 'Mercearia de Exemplo' });
  const currency = await create('currency.currency', { name: 'Real', symbol: 'R$', code: 'BRL', digits: 2 });
  const company = await create('company.company', { party, currency });
  await call('model.res.user.write', [[1], { companies: [['add', [company]]], company }]);
  const context = { company };
  const [piece, kilo] = [
    await find('product.uom', [['symbol', '=', 'u']]),
    await find('product.uom', [['symbol', '=', 'kg']]),
  ];
  const drinks = await create('product.category', { name: 'Bebidas' });
  const addProduct = (name: string, code: string, uom: number, price: string, eans: readonly string[]) =>
    create(
      'product.template',
      {
        name,
        code,
        type: 'goods',
        default_uom: uom,
        list_price: decimal(price),
        categories: [['add', [drinks]]],
        ...(code === 'QUEIJO-1' ? { expiration_state: 'optional' } : {}),
        products: [['create', [{ identifiers: [['create', eans.map((ean) => ({ type: 'ean', code: ean }))]] }]]],
      },
      context,
    );
  await addProduct('Café moído', 'CAFE-1', piece, '18.90', ['9520000000011', '9520000000028']);
  await addProduct('Arroz integral', 'ARROZ-1', piece, '7.50', ['9520000000035']);
  await addProduct('Queijo fresco', 'QUEIJO-1', kilo, '42.00', []);
  const products = new Map<string, number>();
  for (const code of ['CAFE-1', 'ARROZ-1', 'QUEIJO-1']) {
    products.set(code, await find('product.product', [['code', '=', code]]));
  }
  const depot = await create('stock.location', { name: 'Deposit', code: 'DEP', type: 'storage', parent: null });
  const places: Readonly<Record<string, number>> = {
    SUP: await find('stock.location', [['code', '=', 'SUP']]),
    CUS: await find('stock.location', [['code', '=', 'CUS']]),
    STO: await find('stock.location', [['code', '=', 'STO']]),
    DEP: depot,
  };
  const move = async (product: number, quantity: number, from: string, to: string, lot?: number): Promise<void> => {
    const uom = product === products.get('QUEIJO-1') ? kilo : piece;
    const values = {
      product,
      quantity,
      uom,
      from_location: places[from],
      to_location: places[to],
      company,
      currency,
      unit_price: decimal('1.00'),
      ...(lot === undefined ? {} : { lot }),
    };
    const id = await create('stock.move', values, context);
    await call('model.stock.move.do', [[id]], context);
  };
  const [coffee = 0, cheese = 0] = [products.get('CAFE-1'), products.get('QUEIJO-1')];
  await move(coffee, 15, 'SUP', 'STO');
  await move(coffee, 3, 'STO', 'CUS');
  await move(coffee, 40, 'SUP', 'DEP');
  const lot = await create('stock.lot', { number: 'L-7', product: cheese, expiration_date: dateOf(2030, 12, 31) });
  await move(cheese, 3.5, 'SUP', 'STO', lot);
  return { move, products };
}

/** A bridge over the shop, closed when the test is over. */
export async function openTryton({ address }: Tryton, now: () => number = Date.now): Promise<OpenBridge> {
  const { user, password } = trytonUser;
  const source = {
    kind: 'tryton',
    address,
    database: trytonDatabase,
    user,
    password: { env: 'SHOP' },
    everySeconds: 86_400,
  };
  const stocks = [
    { id: '1', name: 'Loja', source: 'WH' },
    { id: '2', name: 'Depósito', source: 'Deposit' },
  ];
  const opened = await openBridge(temporaryDirectory(), { SHOP: password }, now, { source, stocks });
  return opened;
}
