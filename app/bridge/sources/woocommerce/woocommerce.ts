// A WooCommerce shop as a source, by its REST API wc/v3.
import { z } from 'zod';
import { secret, type WithSecrets } from '../../secrets.ts';
import { takeOut } from '../../../domain/redact.ts';
import { askJson, serverAddress, ServerError } from '../json-http.ts';
import { RowError, RowReader, type Row } from '../row-reader.ts';
import { everySeconds } from '../every-seconds.ts';
import type { ShopSource, SourceKey, SourceRows } from '../shop-source.ts';

/** WooCommerce has one stock; this is its name. */
export const onlyStock = 'shop';

/** A WooCommerce shop in the configuration. */
export const woocommerceSchema = z.strictObject({
  kind: z.literal('woocommerce'),
  address: serverAddress,
  key: secret,
  secret,
  /** The key of the meta data in which a product's coupon stands as "yes" or "no". */
  couponKey: z.string().min(1).max(200).optional(),
  everySeconds: everySeconds.default(300),
});
type WoocommerceSettings = WithSecrets<z.infer<typeof woocommerceSchema>>;

const perPage = 100;
const fields = 'id,type,name,sku,global_unique_id,price,stock_quantity,categories,attributes';

/** Far more than a shop has; a list without end would fill the disk. */
const maxListed = 2_000_000;
/** So it answers, with 400 or 404, for a product or variation that it has deleted; a wrong address has another code. */
const deleted = /^PUT \S+ answered 40[04]: \{"code":"woocommerce_rest_product(?:_variation)?_invalid_id"/;
const row = z.looseObject({ id: z.int().positive() });
const rows = z.array(row);
const metas = z.array(z.object({ key: z.string(), value: z.unknown() })).catch([]);
const named = z.array(z.object({ name: z.string().optional(), option: z.string().optional() })).catch([]);

const entities = new Map(Object.entries({ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }));
/** WordPress keeps names as HTML. */
const plain = (text: string): string =>
  text
    .replaceAll(/&(?:#(\d{1,6})|([a-z]+));/g, (entity, code: string | undefined, name: string | undefined) =>
      code === undefined ? (entities.get(name ?? '') ?? entity) : String.fromCodePoint(Number(code)),
    )
    .toWellFormed();

/** What is wrong, where a row cannot be read. */
function attempt<Read>(read: () => Read): Read | string {
  try {
    return read();
  } catch (error) {
    if (error instanceof RowError) {
      return error.message;
    }
    throw error;
  }
}

/** Those whose stock is managed: of the others WooCommerce has no figure. What one has wrong takes no other along. */
function readManaged(reader: RowReader, found: readonly Row[], columnsOf: (one: Row) => Row): SourceRows {
  const tried = found.map((one) =>
    attempt(() => {
      const columns = columnsOf(one);
      return reader.number(columns, 'stock_quantity') === null
        ? null
        : {
            product: reader.product(columns),
            amount: reader.amount({ product: columns['id'], stock: onlyStock, amount: columns['stock_quantity'] }),
          };
    }),
  );
  const managed = tried.filter((one) => one !== null && typeof one !== 'string');
  return {
    products: managed.map(({ product }) => product),
    amounts: managed.map(({ amount }) => amount),
    unreadable: tried.filter((one) => typeof one === 'string'),
  };
}

/** Opens a WooCommerce shop. A product with variations is one product for each of them, "PRODUCT/VARIATION" by its id. */
export function createWoocommerceSource({
  address,
  key,
  secret: password,
  couponKey,
}: WoocommerceSettings): ShopSource {
  const basic = Buffer.from(`${key}:${password}`).toString('base64');
  const bare = takeOut([key, password, basic]);
  const request = { headers: { authorization: `Basic ${basic}` }, bare };
  const base = address.endsWith('/') ? address : `${address}/`;
  const reader = new RowReader('WooCommerce', 'UTC', bare);
  const urlOf = (path: string): URL => new URL(`wp-json/wc/v3/products${path}`, base);

  // Others keep whole pages in meta data, which are larger than an answer may be. In brackets, for WordPress takes a list
  // as text apart at the blanks and commas of a key.
  const asked =
    couponKey === undefined ? { _fields: fields } : { _fields: `${fields},meta_data`, 'include_meta[]': couponKey };

  /** Each page begins with the last product of the one before: where it does not, the list has moved meanwhile. */
  async function* list(path: string): AsyncIterable<readonly Row[]> {
    let last = 0;
    for (let offset = 0; offset < maxListed; offset += perPage - 1) {
      const url = urlOf(path);
      const query = { orderby: 'id', order: 'asc', status: 'publish', per_page: perPage, offset, ...asked };
      url.search = new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();
      const answer = await askJson(url, request);
      const page = rows.parse(answer.document);
      const total = Number(answer.headers.get('x-wp-total') ?? 'none');
      const isLast = offset + page.length >= total;
      const isInOrder = page.every(({ id }, place) => id > (page[place - 1]?.id ?? 0));
      const hasMoved = offset > 0 && page[0]?.id !== last;
      if (!Number.isInteger(total) || !isInOrder || hasMoved || (!isLast && page.length < perPage)) {
        throw new RangeError(`${url.pathname} changed while it was read, or does not say X-WP-Total`);
      }
      yield offset === 0 ? page : page.slice(1);
      if (isLast) {
        return;
      }
      last = page.at(-1)?.id ?? 0;
    }
    throw new RangeError(`${urlOf(path).pathname} lists more than ${maxListed}`);
  }
  /** One that says neither is off. */
  const couponOf = (one: Row): boolean | null =>
    couponKey === undefined
      ? null
      : metas.parse(one['meta_data']).some(({ key: name, value }) => name === couponKey && value === 'yes');
  const columnsOf = (one: Row, more: Row): Row => ({
    id: one['id'],
    name: plain(reader.text(one, 'name') ?? ''),
    code: one['sku'],
    barcode: one['global_unique_id'],
    department: plain(named.parse(one['categories'])[0]?.name ?? ''),
    price: one['price'],
    coupon: couponOf(one),
    stock_quantity: one['stock_quantity'],
    ...more,
  });
  async function* readVariations(parent: Row): AsyncIterable<SourceRows> {
    // An option without its product's name would name any product.
    const columns = attempt(() => columnsOf(parent, { name: plain(reader.needText(parent, 'name')) }));
    if (typeof columns === 'string') {
      yield { unreadable: [columns] };
      return;
    }
    const { id, name, department } = columns;
    for await (const page of list(`/${String(id)}/variations`)) {
      yield readManaged(reader, page, (one) => {
        const options = named.parse(one['attributes']).map(({ option = '' }) => plain(option));
        return columnsOf(one, {
          id: `${String(id)}/${reader.needText(one, 'id')}`,
          name: [name, ...options.filter((option) => option !== '')].join(' - '),
          department,
        });
      });
    }
  }
  async function* read(): AsyncIterable<SourceRows> {
    for await (const page of list('')) {
      yield readManaged(
        reader,
        page.filter(({ type }) => type !== 'variable'),
        (one) => columnsOf(one, {}),
      );
      for (const parent of page.filter(({ type }) => type === 'variable')) {
        yield* readVariations(parent);
      }
    }
  }
  const urlOfProduct = (product: SourceKey): URL =>
    urlOf(`/${String(product).replace('/', '/variations/')}?_fields=id,stock_quantity`);
  return {
    read,
    readAmount: async (sourceId) => {
      const { document } = await askJson(urlOfProduct(sourceId), request);
      const found = row.parse(document);
      // As where a cache in between takes two addresses for one.
      if (String(found.id) !== String(sourceId).split('/').at(-1)) {
        throw new RangeError(`WooCommerce answers the product ${found.id} for ${sourceId}`);
      }
      return reader.needNumber(found, 'stock_quantity');
    },
    readMovements: null,
    listBatches: null,
    writeCoupon:
      couponKey === undefined
        ? null
        : async (sourceId, isEnabled) => {
            const body = { meta_data: [{ key: couponKey, value: isEnabled ? 'yes' : 'no' }] };
            try {
              await askJson(urlOfProduct(sourceId), { ...request, method: 'PUT', body });
              return true;
            } catch (error) {
              if (error instanceof ServerError && deleted.test(error.message)) {
                return false;
              }
              throw error;
            }
          },
    close: () => Promise.resolve(),
  };
}
