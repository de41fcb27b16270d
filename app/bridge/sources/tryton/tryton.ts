// A Tryton server as a source, by its JSON-RPC.
import { z } from 'zod';
import { secret, type WithSecrets } from '../../secrets.ts';
import { ServerError, serverAddress } from '../json-http.ts';
import { roundAmount, RowReader, type Row } from '../row-reader.ts';
import { everySeconds } from '../every-seconds.ts';
import type { ShopSource, SourceKey, SourceRows } from '../shop-source.ts';
import { connectTryton } from './rpc.ts';

/** A Tryton server in the configuration. */
export const trytonSchema = z.strictObject({
  kind: z.literal('tryton'),
  address: serverAddress,
  database: z.string().min(1).max(200),
  user: z.string().min(1).max(200),
  password: secret,
  everySeconds: everySeconds.default(60),
});
type TrytonSettings = WithSecrets<z.infer<typeof trytonSchema>>;

const pageSize = 500;
/** Far more than a shop has of anything; a list without end would fill the disk. */
const maxListed = 20_000_000;
/** Of one product: what is asked while a till waits. */
const maxLots = 10_000;
const maxMoves = 1_000_000;
/** The till is told by then that there is no answer (sourcePatienceMs of snapshot/source.ts): pages would go on unheard. */
const questionPatienceMs = 12_000;
const place = z.object({ id: z.int(), type: z.string(), storage_location: z.int().nullable() });
const row = z.record(z.string(), z.unknown());
const withId = z.looseObject({ id: z.int() });
const rows = z.array(withId);
/** The one text of an object; null for anything else. */
const textUnder = (name: string) =>
  z
    .object({ [name]: z.string() })
    .transform((value) => value[name] ?? null)
    .nullable()
    .catch(null);
const decimal = textUnder('decimal');
const unit = textUnder('symbol');
const ids = z.array(z.int()).catch([]);
const day = z.object({ year: z.int(), month: z.int(), day: z.int() });
const twoDigits = (value: number): string => String(value).padStart(2, '0');
const dateOf = (at: z.infer<typeof day>): string =>
  `${String(at.year).padStart(4, '0')}-${twoDigits(at.month)}-${twoDigits(at.day)}`;
/** No date, so that the row is refused: a lot without one never expires. */
const unreadable = 'unreadable';
/** "2026-12-31" of a date as Tryton writes it. */
const date = day.transform(dateOf).nullish().catch(unreadable);
/** Tryton keeps date-times in UTC. */
const moment = day
  .extend({ hour: z.int(), minute: z.int(), second: z.int() })
  .transform((at) => `${dateOf(at)}T${[at.hour, at.minute, at.second].map(twoDigits).join(':')}Z`)
  .nullish()
  .catch(unreadable);

/** No more rows than were asked for: to say what is wrong with each of a million would hold up all tills. */
function rowsOf(answer: unknown, most: number): z.infer<typeof rows> {
  if (Array.isArray(answer) && answer.length > most) {
    throw new RangeError(`Tryton answers ${answer.length} rows where ${most} were asked for`);
  }
  return rows.parse(answer);
}

/** Whether the server lacks the model: it then answers a KeyError of Python's, which is the name in quotes. */
const isMissing = (error: unknown, model: string): boolean =>
  error instanceof ServerError && error.message.includes(`["'${model}'"`);

/** What is asked of the server; locations are named by code or name, a warehouse stands for its storage zone. */
function createQueries(call: ReturnType<typeof connectTryton>['call']) {
  const search = async (model: string, domain: readonly unknown[], fields: readonly string[], context: Row = {}) =>
    rowsOf(await call(`model.${model}.search_read`, [domain, 0, pageSize, [['id', 'ASC']], fields], context), pageSize);

  /** Everything that the domain lets through, a page at a time; by ids, so that no page moves. */
  async function* list(
    model: string,
    domain: readonly unknown[],
    fields: readonly string[],
    {
      context = {},
      most = maxListed,
      patienceMs = Infinity,
    }: { readonly context?: Row; readonly most?: number; readonly patienceMs?: number } = {},
  ) {
    const until = performance.now() + patienceMs;
    let last = 0;
    for (let listed = 0; listed <= most; listed += pageSize) {
      const page = await search(model, [['id', '>', last], ...domain], fields, context);
      if (page.some(({ id }, index) => id <= (page[index - 1]?.id ?? last))) {
        throw new RangeError(`Tryton lists ${model} in no order`);
      }
      yield page;
      if (page.length < pageSize) {
        return;
      }
      if (performance.now() > until) {
        throw new RangeError(`Tryton has not listed all of ${model} within ${patienceMs} ms`);
      }
      last = page.at(-1)?.id ?? last;
    }
    throw new RangeError(`Tryton lists more than ${most} of ${model}`);
  }
  const findLocation = async (stock: string): Promise<number> => {
    const domain = [
      ['OR', ['code', '=', stock], ['name', '=', stock]],
      ['type', 'in', ['warehouse', 'storage']],
    ];
    const found = z.array(place).parse(await search('stock.location', domain, ['type', 'storage_location']));
    const [only] = found;
    if (only === undefined || found.length > 1) {
      throw new RangeError(`Tryton has ${found.length} locations with the code or name ${JSON.stringify(stock)}`);
    }
    return only.storage_location ?? only.id;
  };
  const inLocation = async (stock: string): Promise<Row> => ({
    locations: [await findLocation(stock)],
    with_childs: true,
  });

  return { list, findLocation, inLocation };
}

/** Opens a Tryton server; `stocks` are locations, and dates without a zone are of this one. */
export function createTrytonSource(
  settings: TrytonSettings,
  stocks: readonly string[],
  timeZone: string,
  patienceMs = questionPatienceMs,
): ShopSource {
  const { call, bare, close } = connectTryton(settings);
  const reader = new RowReader('Tryton', timeZone, bare);
  const { list, findLocation, inLocation } = createQueries(call);
  async function readNames(): Promise<ReadonlyMap<number, string>> {
    const names = new Map<number, string>();
    for await (const page of list('product.category', [], ['name'])) {
      for (const one of page) {
        names.set(one.id, String(one['name']));
      }
    }
    return names;
  }
  const readQuantities = async (productIds: readonly number[], context: Row) =>
    rowsOf(await call('model.product.product.read', [productIds, ['quantity']], context), productIds.length);
  async function* read(): AsyncIterable<SourceRows> {
    const departments = await readNames();
    const contexts = await Promise.all(stocks.map(async (stock) => ({ stock, context: await inLocation(stock) })));
    const fields = ['name', 'code', 'list_price', 'default_uom.symbol', 'categories'];
    for await (const page of list('product.product', [['type', '!=', 'service']], fields)) {
      const products = page.map((one) => {
        const [department = 0] = ids.parse(one['categories']);
        const columns = {
          id: one.id,
          name: one['name'],
          code: one['code'],
          unit: unit.parse(one['default_uom.']),
          price: decimal.parse(one['list_price']),
          department: departments.get(department) ?? null,
        };
        return reader.product(columns);
      });
      const productIds = page.map(({ id }) => id);
      const amounts = [];
      for (const { stock, context } of contexts) {
        const found = await readQuantities(productIds, context);
        amounts.push(...found.map((one) => reader.amount({ product: one.id, stock, amount: one['quantity'] })));
      }
      yield { products, amounts };
    }
    for await (const page of list('product.identifier', [], ['product', 'code'])) {
      const named = page.filter(({ product }) => product !== null);
      yield { barcodes: named.map((one) => reader.barcode({ product: one['product'], barcode: one['code'] })) };
    }
  }
  const sumMoves = async (product: SourceKey, to: readonly unknown[], from: readonly unknown[]): Promise<number> => {
    let sum = 0;
    const domain = [['product', '=', Number(product)], ['state', '=', 'done'], to, from];
    for await (const page of list('stock.move', domain, ['internal_quantity'], { most: maxMoves, patienceMs })) {
      sum = page.reduce((before, one) => before + reader.needNumber(one, 'internal_quantity'), sum);
    }
    return roundAmount(sum);
  };
  return {
    read,
    readAmount: async (product, stock) => {
      const [found] = await readQuantities([Number(product)], await inLocation(stock));
      if (found?.id !== Number(product)) {
        const answered = found === undefined ? 'no product' : `the product ${found.id}`;
        throw new RangeError(`Tryton answers ${answered} for ${product}`);
      }
      return reader.needNumber(found, 'quantity');
    },
    readMovements: async (product, stock) => {
      const location = await findLocation(stock);
      const [inside, outside] = ['child_of', 'not child_of'].map((operator) => [operator, [location], 'parent']);
      return {
        entered: await sumMoves(product, ['to_location', ...(inside ?? [])], ['from_location', ...(outside ?? [])]),
        exited: await sumMoves(product, ['to_location', ...(outside ?? [])], ['from_location', ...(inside ?? [])]),
      };
    },
    listBatches: async (product, stock) => {
      const known = await call('model.stock.lot.fields_get', [[]], {}).catch((error: unknown) => {
        if (isMissing(error, 'stock.lot')) {
          return null;
        }
        throw error;
      });
      if (known === null) {
        return [];
      }
      const expiry = 'expiration_date' in row.parse(known) ? ['expiration_date'] : [];
      const domain = [['product', '=', Number(product)]];
      const fields = ['number', 'quantity', 'create_date', ...expiry];
      const lots = [];
      const bounds = { context: await inLocation(stock), most: maxLots, patienceMs };
      for await (const page of list('stock.lot', domain, fields, bounds)) {
        lots.push(...page);
      }
      return lots
        .map((lot) => ({
          name: reader.text(lot, 'number'),
          amount: roundAmount(reader.needNumber(lot, 'quantity')),
          enteredAt: reader.moment({ create_date: moment.parse(lot['create_date']) }, 'create_date'),
          expiresAt: reader.moment({ expiration_date: date.parse(lot['expiration_date']) }, 'expiration_date'),
        }))
        .filter(({ amount }) => amount !== 0);
    },
    writeCoupon: null,
    close,
  };
}
