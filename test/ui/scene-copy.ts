// What the copies of scenes hold.
import type { ProductBatches } from '../../app/contract/batches.ts';
import type { ProductCard, ProductHit } from '../../app/contract/products.ts';
import type { Id } from '../../app/domain/int64.ts';
import type { Scene } from './fake-bridge.ts';

const minuteMs = 60_000;

/** A product in one stock, as the platform lists it. */
export interface SceneProduct {
  readonly stockId: Id;
  readonly productId: Id;
  readonly listing: {
    readonly code: string | null;
    readonly name: string;
    readonly unit: string;
    readonly barcodes?: readonly string[];
    readonly balance: number | null;
    readonly balance_options?: readonly { readonly name: string; readonly balance: number }[];
    readonly [field: string]: unknown;
  };
  readonly askedAt: number;
  /** How it was listed before that moment, where it differs. */
  readonly before?: { readonly until: number; readonly balance?: number; readonly name?: string };
}

/** Six products, the first of them in two stocks. */
function cardsOf(nowMs: number): readonly SceneProduct[] {
  const product = (
    productId: string,
    name: string,
    unit: string,
    balance: number | null,
    more: Readonly<Record<string, unknown>> = {},
    stockId = '11',
  ): SceneProduct => ({
    stockId: stockId as Id,
    productId: productId as Id,
    listing: {
      code: `A-${productId}`,
      name,
      unit,
      barcodes: [`78900000${productId.padStart(5, '0')}`],
      balance,
      ...more,
    },
    askedAt: nowMs - 23 * minuteMs,
  });
  const sizes = ['P azul', 'M azul', 'G azul', 'P verde', 'M verde', 'G verde'];
  const options = sizes.map((name, place) => ({ name, balance: [4, 0, 7, 2, -1, 12][place] }));
  const coffee = 'Café torrado e moído Serra Clara 500 g';
  const extra = { brand: 'Serra Clara', category: 'Mercearia', minimum_stock: '24' };
  return [
    product('101', coffee, 'PACOTE', 148, extra),
    product('101', coffee, 'PACOTE', 1320, {}, '12'),
    product('102', 'Queijo minas frescal', 'KG', 3.475),
    product('103', 'Camiseta básica de algodão', 'UNID', 24, { balance_options: options }),
    product('104', 'Pão de queijo congelado tradicional 1 kg, pacote econômico para a família', 'PACOTE', 0),
    product('105', 'Água de coco 1 litro', 'CX10', -6),
    product('106', 'Açaí com guaraná 200 ml', 'POTE', null),
  ];
}

/** In both stocks in turn; every ninth has run out or come back, and every fourth has been renamed today. */
export function exampleOf(number: number, nowMs: number): SceneProduct {
  const balance = [number, number, number, null, -2.5][number % 5] ?? null;
  const name = `Produto de exemplo ${number}`;
  const until = nowMs - (number % 9 === 1 ? 20 * 60 : 60) * minuteMs;
  return {
    stockId: (number % 2 === 0 ? '11' : '12') as Id,
    productId: String(2000 + number) as Id,
    listing: { code: number % 7 === 6 ? null : `S-${number}`, name, unit: 'UNID', balance },
    askedAt: number % 9 === 1 ? until : nowMs - minuteMs * (number + 1) * (number % 6 === 1 ? 300 : 1),
    ...(number % 9 === 1 && balance !== null && { before: { until, balance: balance > 0 ? 0 : 3 } }),
    ...(number % 9 !== 1 && number % 4 === 1 && { before: { until, name: `${name} (antigo)` } }),
  };
}

/** More rows than this are not written, but made up as they are shown. */
export const maxWritten = 1000;

/** Lines of both stocks, as many as the scene asks for. */
export function listingOf({ nowMs, stockRows = 40 }: Scene): readonly SceneProduct[] {
  const products = cardsOf(nowMs);
  const examples = stockRows > maxWritten ? 0 : Math.max(0, stockRows - products.length);
  return [...products, ...Array.from({ length: examples }, (_, place) => exampleOf(place + 1, nowMs))].slice(
    0,
    stockRows,
  );
}

export const hitOf = ({ stockId, stockName, productId, code, name, unit, balance }: ProductCard): ProductHit => ({
  stockId,
  stockName,
  productId,
  code,
  name,
  unit,
  balance,
});

/** Five of every product, or so many. */
export function batchesOf(productId: Id, count = 5): ProductBatches {
  const batch = (
    lot: string | null,
    day: string | null,
    amount: number,
    more: ProductBatches['batches'][number]['facts'] = [],
  ): ProductBatches['batches'][number] => ({
    facts: [
      { kind: 'number', name: 'id', value: 80_000_123 },
      ...(lot === null ? [] : [{ kind: 'text' as const, name: 'lot_number', value: lot }]),
      { kind: 'number', name: 'quantity', value: amount },
      ...(day === null ? [] : [{ kind: 'date' as const, name: 'expires_at', value: `${day}T23:59:59` }]),
      { kind: 'date', name: 'created_at', value: '2025-12-01T08:30:00' },
      ...more,
    ],
    expiresOn: day === null ? null : { name: 'expires_at', day },
    quantity: { name: 'quantity', amount },
    lot: lot === null ? null : { name: 'lot_number', text: lot },
  });
  const listed = [
    batch('L-0042', '2026-03-07', 12),
    batch('L-0043', '2026-03-10', 3),
    batch('L-0051', '2026-03-13', 48, [
      { kind: 'text', name: 'supplier.name', value: 'Torrefação Exemplo Ltda.' },
      { kind: 'number', name: 'unit_cost', value: 12.3456 },
    ]),
    batch('L-0077', '2026-09-30', 85),
    batch(null, null, 0.5),
  ];
  const batches = Array.from(
    { length: count },
    (_, place) => listed[place] ?? batch(`L-${1000 + place}`, '2027-01-31', place),
  );
  return { product: { id: productId, name: null, sku: null, unit: null }, optionNames: '', total: count, batches };
}
