// Owns the referee's assortment: a small made-up stock, its listing with paging and filters, and balances (API v3 §4.3, §4.4).
// Written from the platform's document alone, apart from the training platform. Never knows of coupons.
import type { SeededRandom } from './seeded-random.ts';

interface StockProduct {
  readonly id: string;
  readonly code: string;
  readonly name: string;
  readonly barcode: string;
  balance: number;
  updatedAtMs: number;
}

export interface RefereeStock {
  readonly productIds: readonly string[];
  /** A product's barcode. */
  barcodeOf(productId: string): string;
  /** The body of API v3 §4.3, or null when a parameter is out of its bounds. */
  list(query: URLSearchParams, epochMs: number): string | null;
  /** The body of API v3 §4.4, or null for an unknown product. */
  balance(productId: string, stockId: string): string | null;
  /** Somebody sells one. */
  sell(): void;
}

/** The digits of an EAN-13 with its check digit (GS1 General Specifications §7.9). */
function ean13(digits: string): string {
  const sum = digits.split('').reduce((total, digit, place) => total + Number(digit) * (place % 2 === 0 ? 1 : 3), 0);
  return digits + String((10 - (sum % 10)) % 10);
}

/** Makes a stock of so many products; those of two stocks with places of their own are never the same. */
export function createRefereeStock(nowMs: () => number, random: SeededRandom, size: number, firstPlace = 0): RefereeStock {
  const products: StockProduct[] = Array.from({ length: size }, (_, index) => firstPlace + index).map((place) => ({
    // Beyond 2^53, so that a digit lost anywhere becomes an unknown product.
    id: String(9_007_199_254_740_993n + 2n * BigInt(place)),
    code: `S${String(place).padStart(4, '0')}`,
    name: `Sample product ${String(place)}`,
    barcode: ean13(`200${String(place).padStart(9, '0')}`),
    balance: random.integer(-2, 400),
    updatedAtMs: 0,
  }));
  const byId = new Map(products.map((product) => [product.id, product]));

  function element(product: StockProduct, epochMs: number): string {
    const rest = JSON.stringify({
      code: product.code,
      name: product.name,
      barcode: product.barcode,
      unit_of_measure: { code: 'UNID' },
      balance: product.balance,
      updated_at: new Date(epochMs + product.updatedAtMs).toISOString().replace(/\.\d+Z$/, '+00:00'),
    });
    return `{"id":${product.id},${rest.slice(1)}`;
  }

  return {
    productIds: products.map(({ id }) => id),
    barcodeOf: (productId) => byId.get(productId)?.barcode ?? '',
    list: (query, epochMs) => {
      const page = Number(query.get('page') ?? 1);
      const perPage = Number(query.get('per_page') ?? 30);
      const from = query.get('updated_from') === null ? Number.NEGATIVE_INFINITY : Date.parse(query.get('updated_from') ?? '') - epochMs;
      if (!Number.isInteger(page) || page < 1 || !Number.isInteger(perPage) || perPage < 1 || perPage > 100 || Number.isNaN(from)) {
        return null;
      }
      const term = query.get('term');
      const ids = query.get('product_ids')?.split(',');
      const chosen = products
        .filter((product) => product.updatedAtMs >= from && (ids === undefined || ids.includes(product.id)))
        .filter(({ name, code, barcode }) => term === null || name.includes(term) || code === term || barcode === term);
      if (query.get('order_by_type') !== 'asc') {
        chosen.reverse();
      }
      const shown = chosen.slice((page - 1) * perPage, page * perPage).map((product) => element(product, epochMs));
      const meta = { current_page: page, last_page: Math.max(1, Math.ceil(chosen.length / perPage)), per_page: perPage, total: chosen.length };
      return `{"data":{"stock_products":[${shown.join(',')}]},"meta":${JSON.stringify(meta)}}`;
    },
    balance: (productId, stockId) => {
      const product = byId.get(productId);
      if (product === undefined) {
        return null;
      }
      const { name, code, balance } = product;
      return `{"stock":{"id":${stockId},"name":"Shop floor"},"product":{"id":${productId},"name":"${name}","sku":"${code}","unit_of_measure":{"code":"UNID"}},"balance":${String(balance)},"balance_options":[]}`;
    },
    sell: () => {
      const product = random.pick(products);
      product.balance -= 1;
      product.updatedAtMs = nowMs();
    },
  };
}
