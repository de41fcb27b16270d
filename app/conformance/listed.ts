// The kit's own reading of what API v3 §2 does not show: by the usual names of a field, or not at all.
import { z } from 'zod';
import { at, type Exchange } from './probe.ts';

/** A page has a hundred at most; what has ten times as many is none. */
const maxElements = 1000;

/** An integer of 64 bits that is not below zero. */
export const int = z.union([
  z.int().min(0),
  z
    .bigint()
    .min(0n)
    .max(2n ** 63n - 1n),
]);

export const metaSchema = z.object({ current_page: int, last_page: int, per_page: int, total: int });
export const listSchema = z.object({
  data: z.object({ stock_products: z.array(z.unknown()).max(maxElements) }),
  meta: metaSchema,
});
const productSchema = z.object({ id: int, name: z.string(), sku: z.string(), unit_of_measure: z.looseObject({}) });
export const balanceSchema = z.object({
  stock: z.object({ id: int, name: z.string() }),
  product: productSchema,
  balance: z.number(),
  balance_options: z.array(z.unknown()),
});
export const batchesSchema = z.object({
  product: productSchema,
  option_names: z.string(),
  stock_movements: z.array(z.unknown()),
});
export const couponsSchema = z.object({ items: z.array(z.object({ product_id: int, is_enabled: z.boolean() })) });

/** The first field of one of these names, in the element itself or in its `product`. */
function field(element: unknown, ...names: readonly string[]): unknown {
  const product = at(element, 'product');
  for (const name of names) {
    const own = at(element, name);
    const value = own === undefined ? at(product, name) : own;
    if (value !== undefined) return value;
  }
  return undefined;
}

/** A text, or a number as text; null for all else. */
export const textOf = (value: unknown): string | null =>
  ['string', 'number', 'bigint'].includes(typeof value) ? String(value) : null;

export interface Element {
  readonly raw: unknown;
  /** Its id, or all of it where it has none. */
  readonly id: string;
  readonly hasId: boolean;
  readonly name: string | null;
  readonly code: string | null;
  readonly barcodes: readonly string[];
  readonly amount: number | null;
  readonly updatedAt: string | null;
  readonly hasOptions: boolean;
}

function readElement(raw: unknown): Element {
  const id = textOf(field(raw, 'product_id') ?? at(raw, 'product', 'id') ?? at(raw, 'id'));
  const amount = field(raw, 'balance', 'amount', 'quantity', 'amount_in_stock', 'stock');
  const options = field(raw, 'options', 'balance_options', 'variations');
  return {
    raw,
    id: id ?? JSON.stringify(raw, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part)),
    hasId: id !== null,
    name: textOf(field(raw, 'name', 'product_name', 'description')),
    code: textOf(field(raw, 'code', 'sku', 'product_code', 'reference')),
    barcodes: [field(raw, 'barcodes', 'barcode', 'ean', 'gtin')].flat().flatMap((one) => textOf(one) ?? []),
    amount: typeof amount === 'number' ? amount : null,
    updatedAt: textOf(field(raw, 'updated_at', 'updatedAt', 'modified_at')),
    hasOptions: Array.isArray(options) && options.length > 0,
  };
}

export interface Listing {
  readonly elements: readonly Element[];
  readonly total: number;
  readonly lastPage: number;
}

/** The listing of an answer; null when it is none. */
export function readListing({ answer, json }: Exchange): Listing | null {
  const read = answer.status === 200 ? listSchema.safeParse(json).data : undefined;
  return read === undefined
    ? null
    : {
        elements: read.data.stock_products.map(readElement),
        total: Number(read.meta.total),
        lastPage: Number(read.meta.last_page),
      };
}

/** The names of an object's fields, and of its objects': "id, product.name". */
export function fieldsOf(value: unknown, prefix = ''): string {
  return Object.entries(value ?? {})
    .map(([name, part]: [string, unknown]) =>
      typeof part === 'object' && part !== null && !Array.isArray(part)
        ? fieldsOf(part, `${prefix}${name}.`)
        : prefix + name,
    )
    .join(', ');
}

const collators = [{ numeric: true }, { numeric: false }, { ignorePunctuation: true }].map(
  (options) => new Intl.Collator('pt', { sensitivity: 'base', ...options }),
);

/**
 * Whether the texts ascend by some usual order; null where too few are there to tell. Databases sort in many ways, so
 * one pair in ten may be out of order by all that are tried.
 */
export function ascends(texts: readonly (string | null)[]): boolean | null {
  const known = texts.filter((text) => text !== null);
  if (known.length < 3 || known.length < texts.length) return null;
  const strays = known.slice(1).filter((text, place) => {
    const before = known[place] ?? '';
    return before > text && collators.every((collator) => collator.compare(before, text) > 0);
  });
  return strays.length * 10 < known.length;
}
