// The reading of a product's entry batches (API v3 §4.5): `product`, `option_names` and `stock_movements` are
// documented, the fields of a batch are not. So every field is kept by its own name, and what merely looks like
// something says from which field that was read.
//
//   B1  A field is a date when its text is an ISO 8601 day, alone or with a time (API v3 §2 "Conventions"); nothing
//       else is one.
//   B2  The expiry is the first date whose name speaks of expiring, from 2000 on: what is older stands for no date at all
//       (0001-01-01, 1899-12-30, 1970-01-01), not for goods that a shop still has. The lot is the first text or number
//       under a lot's or batch's name; the quantity the first figure under a name of quantities, what remains before what
//       came in.
//   B3  Fields inside of a field are named "outer.inner", three levels deep; whatever lies deeper, and every list, is
//       one text.
//   B4  A field without a value (null, an empty text or list) is left out: there is nothing to show.
//   B5  Of more batches than are kept, those that expire last are: API v3 §4.5 shows no order, and what was used up long
//       ago may stand before what expires tomorrow.
import { z } from 'zod';
import type { BatchFact, ProductBatch, ProductBatches } from '../contract/batches.ts';
import { maxBatches } from '../contract/limits/batches.ts';
import { readStoreTime } from '../domain/date-time.ts';
import { withoutBinaryNoise } from '../domain/decimal.ts';
import { fieldsOf, isObject, joinNames, toAmount, toShownText, toText } from '../domain/loose-json.ts';
import { balanceKeys, readProduct } from './listing/stock-fields.ts';

const maxFacts = 100;
/** From the begin of a longer list and from its end so many are read, for either may be the newest. */
const maxReadFromEach = 2_000;
const earliestExpiry = '2000-01-01';
const deepest = 3;

const expiryName = /expir|validade|vencimento|valid_(?:until|to|thru|through)|best_before|use_by|sell_by/;
const lotName = /(?:^|\.)(?:lot|lote|batch)(?:[._](?:number|code|name|numero|codigo|no|nr))?$/;
const quantityKeys = [
  'remaining',
  'remaining_quantity',
  'remaining_amount',
  'quantidade_restante',
  'available',
  'quantity',
  'amount',
  ...balanceKeys,
];

interface Leaf {
  readonly name: string;
  /** The name as `fieldsOf` makes it comparable, with its outer fields' before it. */
  readonly key: string;
  readonly value: unknown;
}

function* leavesOf(value: unknown, name: string, key: string, depth: number): Generator<Leaf> {
  if (!isObject(value) || depth === deepest) {
    yield { name, key, value };
    return;
  }
  for (const field of fieldsOf(value).slice(0, maxFacts)) {
    yield* leavesOf(field.value, joinNames(name, field.name), joinNames(key, field.key), depth + 1);
  }
}

function factOf({ name: given, value }: Leaf): BatchFact | null {
  const name = toText(given);
  if (name === null) {
    return null;
  }
  const date = typeof value === 'string' ? readStoreTime(value) : null; // B1
  if (date !== null) {
    return { kind: 'date', name, value: date };
  }
  if (typeof value === 'number' && Number.isFinite(value)) {
    return { kind: 'number', name, value: withoutBinaryNoise(value) };
  }
  const text = toShownText(value);
  return text === null ? null : { kind: 'text', name, value: text }; // B4
}

function lastOf(key: string): string {
  return key.slice(key.lastIndexOf('.') + 1);
}

function readBatch(movement: unknown): ProductBatch {
  const read = leavesOf(movement, '', '', 0)
    .map((leaf) => ({ ...leaf, name: leaf.name === '' ? 'stock_movements' : leaf.name }))
    .flatMap((leaf) => {
      const fact = factOf(leaf);
      return fact === null ? [] : [{ fact, key: leaf.key, amount: toAmount(leaf.value) }];
    })
    .take(maxFacts)
    .toArray();
  const expiry = read.find(
    ({ fact, key }) => fact.kind === 'date' && fact.value >= earliestExpiry && expiryName.test(key),
  )?.fact;
  const lot = read.find(({ fact, key }) => fact.kind !== 'date' && lotName.test(key))?.fact;
  const [quantity] = quantityKeys.flatMap(
    (wanted) => read.find(({ key, amount }) => amount !== null && lastOf(key) === wanted) ?? [],
  );
  return {
    facts: read.map(({ fact }) => fact),
    expiresOn: expiry?.kind === 'date' ? { name: expiry.name, day: expiry.value.slice(0, 10) } : null, // B2
    quantity: typeof quantity?.amount === 'number' ? { name: quantity.fact.name, amount: quantity.amount } : null,
    lot: lot === undefined ? null : { name: lot.name, text: String(lot.value) },
  };
}

/** A list, or what becomes of one: its elements under keys, or the only one by itself. Null for anything else. */
function listOf(value: unknown): readonly unknown[] | null {
  if (Array.isArray(value)) {
    return value as readonly unknown[];
  }
  if (!isObject(value)) {
    return null;
  }
  const inner = Object.values(value);
  return inner.every(isObject) ? inner : [value];
}

function expiresBefore(left: ProductBatch, right: ProductBatch): number {
  const [one, other] = [left.expiresOn?.day ?? '~', right.expiresOn?.day ?? '~'];
  if (one === other) {
    return 0;
  }
  return one < other ? -1 : 1;
}

/** B5 */
function keptOf(movements: readonly unknown[]): ProductBatch[] {
  const batches = movements
    .filter((_, place) => place < maxReadFromEach || place >= movements.length - maxReadFromEach)
    .map(readBatch)
    .filter(({ facts }) => facts.length > 0)
    .toSorted(expiresBefore);
  const dated = batches.filter(({ expiresOn }) => expiresOn !== null).slice(-maxBatches);
  return [...dated, ...batches.filter(({ expiresOn }) => expiresOn === null)].slice(0, maxBatches);
}

const shape = z.object({ product: z.unknown(), option_names: z.unknown(), stock_movements: z.unknown() }).partial();

/**
 * API v3 §2 "Stock product batches response". Without a list of movements nobody knows whether there are batches: that
 * is malformed.
 */
export const batchesAnswerSchema = shape.transform((answer, context): ProductBatches => {
  const movements = listOf(answer.stock_movements);
  if (movements === null) {
    context.addIssue({ code: 'custom', message: 'no list of batches', path: ['stock_movements'] });
    return z.NEVER;
  }
  const optionNames = Array.isArray(answer.option_names)
    ? answer.option_names
        .slice(0, maxFacts)
        .flatMap((name) => toText(name) ?? [])
        .join(' ')
    : answer.option_names;
  return {
    product: readProduct(answer.product),
    optionNames: toText(optionNames) ?? '',
    total: movements.length,
    batches: keptOf(movements),
  };
});
