// What the copies of scenes hold.
import type { LookupAnswer } from '../../app/contract/lookup.ts';
import type { ProductCard, ProductHit } from '../../app/contract/products.ts';
import type { Id } from '../../app/domain/int64.ts';

/** Six products, the first of them in two stocks. */
export function createCards(nowMs: number): readonly ProductCard[] {
  const card = (
    number: string,
    name: string,
    unit: string,
    amount: number | null,
    more: Partial<ProductCard> = {},
  ) => ({
    stockId: '11' as Id,
    stockName: 'Loja',
    productId: number as Id,
    code: `A-${number}`,
    name,
    unit,
    barcodes: [`78900000${number.padStart(5, '0')}`],
    balance:
      amount === null
        ? { amount, asOf: null, source: null }
        : { amount, asOf: nowMs - 23 * 60_000, source: 'listing' as const },
    options: [],
    extra: [],
    coupon: { isEnabled: false, status: 'confirmed' as const, failure: null },
    minimum: null,
    ...more,
  });
  const colours = ['P azul', 'M azul', 'G azul', 'P verde', 'M verde', 'G verde'];
  const options = colours.map((name, place) => ({ name, amount: [4, 0, 7, 2, -1, 12][place] ?? null }));
  const coffee = 'Café torrado e moído Serra Clara 500 g';
  return [
    card('101', coffee, 'PACOTE', 148, {
      extra: [
        { name: 'brand', value: 'Serra Clara' },
        { name: 'category', value: 'Mercearia' },
        { name: 'minimum_stock', value: '24' },
      ],
      coupon: { isEnabled: true, status: 'confirmed', failure: null },
    }),
    card('101', coffee, 'PACOTE', 1320, { stockId: '12' as Id, stockName: 'Depósito' }),
    card('102', 'Queijo minas frescal', 'KG', 3.475),
    card('103', 'Camiseta básica de algodão', 'UNID', 24, { options }),
    card('104', 'Pão de queijo congelado tradicional 1 kg, pacote econômico para a família', 'PACOTE', 0),
    card('105', 'Água de coco 1 litro', 'CX10', -6),
    card('106', 'Açaí com guaraná 200 ml', 'POTE', null),
  ];
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

export const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

/** The cards with this code, else those whose name has it; null for none. */
export function findCards(
  cards: readonly ProductCard[],
  text: string,
  wanted: string,
): Extract<LookupAnswer, { kind: 'found' | 'several' }> | null {
  const exact = cards.filter((one) => one.code === wanted || one.barcodes.includes(wanted));
  const found = exact.length > 0 ? exact : cards.filter(({ name }) => plain(name).includes(plain(wanted)));
  const as = exact.length > 0 ? 'barcode' : 'search';
  if (found.length === 0) {
    return null;
  }
  const products = as === 'search' ? found : new Set(found.map(({ productId }) => productId));
  return [...products].length > 1
    ? {
        kind: 'several',
        text,
        read: { as, ofCase: null, layout: null, facts: [], fault: null },
        hits: found.map(hitOf),
      }
    : { kind: 'found', text, cards: [...found] };
}
