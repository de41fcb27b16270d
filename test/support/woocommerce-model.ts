// A model of a WooCommerce shop's REST API, written from its public documentation: products, variations, paging, meta
// data, Basic authentication. No WooCommerce has answered these tests.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { listenLocally } from './listen.ts';

export interface ModelProduct {
  readonly id: number;
  readonly type?: 'simple' | 'variable';
  readonly name: string;
  readonly sku?: string;
  readonly global_unique_id?: string;
  readonly price?: string;
  readonly status?: 'publish' | 'draft';
  readonly stock_quantity: number | null;
  readonly categories?: readonly { readonly id: number; readonly name: string }[];
  readonly attributes?: readonly { readonly name: string; readonly option?: string }[];
  readonly meta_data?: readonly { readonly key: string; readonly value: unknown }[];
  readonly variations?: readonly ModelProduct[];
}

/** Of the model's one application. */
export const modelKey = { key: 'ck_made_up_0001', secret: 'cs_made_up_0001' } as const;

export interface WoocommerceModel {
  readonly address: string;
  products: readonly ModelProduct[];
  /** "GET /wp-json/wc/v3/products 200", in order. */
  readonly asked: readonly string[];
  /** Called before each answer. */
  before: (path: string) => void;
  /** While set, every answer has this status. */
  status: number | null;
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly document: unknown;
}

const refuse = (status: number, code: string, message: string): Answer => ({
  status,
  document: { code, message, data: { status } },
});

function answerPage(products: readonly ModelProduct[], query: URLSearchParams): Answer {
  const perPage = Number(query.get('per_page') ?? 10);
  if (!(perPage >= 1 && perPage <= 100)) {
    return refuse(400, 'rest_invalid_param', 'Invalid parameter(s): per_page');
  }
  const status = query.get('status') ?? 'any';
  const direction = query.get('order') === 'asc' ? 1 : -1;
  const fitting = products
    .filter((product) => status === 'any' || (product.status ?? 'publish') === status)
    .toSorted((one, other) => direction * (one.id - other.id));
  const offset = Number(query.get('offset') ?? (Number(query.get('page') ?? 1) - 1) * perPage);
  const fields = query.get('_fields')?.split(',') ?? null;
  // WordPress takes a list as text apart at its blanks and commas, and one in brackets as it is.
  const listed = query.getAll('include_meta[]');
  const meta = listed.length > 0 ? listed : (query.get('include_meta')?.split(/[\s,]+/) ?? null);
  const elements = fitting.slice(offset, offset + perPage).map(({ variations, ...product }) => {
    const whole = {
      type: 'simple',
      sku: '',
      global_unique_id: '',
      price: '',
      status: 'publish',
      categories: [],
      attributes: [],
      ...product,
      manage_stock: product.stock_quantity !== null,
      meta_data: (product.meta_data ?? []).filter(({ key }) => meta === null || meta.includes(key)),
      variations: (variations ?? []).map(({ id }) => id),
    };
    return Object.fromEntries(Object.entries(whole).filter(([name]) => fields === null || fields.includes(name)));
  });
  const headers = {
    'x-wp-total': String(fitting.length),
    'x-wp-totalpages': String(Math.ceil(fitting.length / perPage)),
  };
  return { status: 200, headers, document: elements };
}

async function readBody(request: IncomingMessage): Promise<Partial<ModelProduct>> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) {
    text += String(chunk);
  }
  return text === '' ? {} : (JSON.parse(text) as Partial<ModelProduct>);
}

/** Starts the model on a free port of this machine. */
export async function startWoocommerceModel(products: readonly ModelProduct[]): Promise<WoocommerceModel> {
  const asked: string[] = [];
  const change = (id: number, body: Partial<ModelProduct>): void => {
    const changed = (product: ModelProduct): ModelProduct => {
      const metaData = [
        ...(product.meta_data ?? []).filter(({ key }) => body.meta_data?.every((one) => one.key !== key) ?? true),
        ...(body.meta_data ?? []),
      ];
      return product.id === id
        ? { ...product, ...body, meta_data: metaData }
        : { ...product, variations: product.variations?.map(changed) ?? [] };
    };
    model.products = model.products.map(changed);
  };
  const answer = (method: string, url: URL, body: Partial<ModelProduct>): Answer => {
    const [, parentId, isNested, childId] =
      /^\/wp-json\/wc\/v3\/products(?:\/(\d+)(\/variations(?:\/(\d+))?)?)?$/.exec(url.pathname) ?? [];
    if (!url.pathname.startsWith('/wp-json/wc/v3/products')) {
      return refuse(404, 'rest_no_route', 'No route was found matching the URL and request method.');
    }
    if (parentId === undefined) {
      return answerPage(model.products, url.searchParams);
    }
    const parent = model.products.find(({ id }) => id === Number(parentId));
    if (isNested !== undefined && childId === undefined) {
      return answerPage(parent?.variations ?? [], url.searchParams);
    }
    const product = childId === undefined ? parent : parent?.variations?.find(({ id }) => id === Number(childId));
    if (product === undefined) {
      return refuse(404, 'woocommerce_rest_product_invalid_id', 'Invalid ID.');
    }
    if (method === 'PUT') {
      change(product.id, body);
    }
    return { status: 200, document: product };
  };
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '', 'http://model');
    void readBody(request).then((body) => {
      const { method = '' } = request;
      model.before(url.pathname);
      const expected = `Basic ${Buffer.from(`${modelKey.key}:${modelKey.secret}`).toString('base64')}`;
      const forced = model.status === null ? null : refuse(model.status, 'internal_error', 'Not now.');
      const isKnown = request.headers.authorization === expected;
      const unknown = refuse(401, 'woocommerce_rest_cannot_view', 'Sorry, you cannot list resources.');
      const { status, headers = {}, document } = forced ?? (isKnown ? answer(method, url, body) : unknown);
      asked.push(`${method} ${url.pathname} ${status}`);
      response.writeHead(status, { 'content-type': 'application/json; charset=UTF-8', ...headers });
      response.end(JSON.stringify(document));
    });
  });
  const port = await listenLocally(server);
  const model: WoocommerceModel = {
    address: `http://127.0.0.1:${port}`,
    products,
    asked,
    before: () => {},
    status: null,
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return model;
}
