import { z } from 'zod';
import { count, idSchema, instant, shortText } from './basics.ts';
import { productFieldsSchema } from './fields.ts';
import { maxExported } from './basics.ts';
import { stockLists, stockOrders } from './limits/browse.ts';
import { productHitSchema } from './products.ts';

/** The platform's own filters of a stock's listing (API v3 §4.3), answered from this terminal's copy. */
export const stockQuerySchema = z.strictObject({
  /**
   * `below`: products whose figure is known and below their minimum; `watched`: all that have one; `ranOut` and
   * `cameBack`: what has none, or some, since the beginning of yesterday, and was otherwise before;
   * `changedToday`: what the listing has named, coded or priced otherwise since this day began, and what is new in it.
   */
  list: z.enum(stockLists),
  /** Null: all stocks of this terminal. */
  stockId: idSchema.nullable(),
  /** A product whose balance nobody knows is in `all` alone. */
  amount: z.enum(['all', 'positive', 'negative', 'zero']),
  /** By balance, the name comes second; by the moment of the figure or by stock, too. What nobody knows comes last. */
  orderBy: z.enum(stockOrders),
  direction: z.enum(['asc', 'desc']),
  /** As the search as you type finds: beginnings of words, fragments of codes, whole barcodes. Empty: everything. */
  term: z.string().max(200),
  /** Null: all. */
  productIds: z.array(idSchema).min(1).max(1000).nullable(),
  /**
   * Products updated from this moment on: by the listing's own date, or, where it has none, since this terminal saw
   * them new or changed.
   */
  updatedFrom: instant.nullable(),
});
export type StockQuery = z.infer<typeof stockQuerySchema>;

const place = {
  query: stockQuerySchema,
  /** The view of the last answer, so that no row moves between two pages; none, or one no longer kept: a new one. */
  view: count.optional(),
};

export const stockPageInputSchema = z.strictObject({
  ...place,
  offset: count,
  limit: z.number().int().min(1).max(200),
});

/** Facts of the view that a page was read from. */
const viewFacts = {
  view: count,
  /** How many products fit; null while they are still being counted. */
  total: count.nullable(),
  /** So many of them can be read already; the rest in a moment. */
  found: count,
  /** True once all have been found. */
  isWhole: z.boolean(),
};

/** Null for a product without one. */
const minimum = z.number().nullable();

export const stockRowSchema = productHitSchema.extend({
  minimum,
  /** When this terminal's copy last saw it run out or come back; null when never. */
  turnedAt: instant.nullable(),
  /** Those for the table. */
  fields: productFieldsSchema,
});
export type StockRow = z.infer<typeof stockRowSchema>;

/** A row is null for a product that has gone since the view was opened. */
export const stockPageSchema = z.strictObject({ ...viewFacts, rows: z.array(stockRowSchema.nullable()).max(200) });

export const stockExportInputSchema = z.strictObject({ ...place, after: count });
export type StockExportInput = z.infer<typeof stockExportInputSchema>;

const exportedProductSchema = z.strictObject({
  hit: productHitSchema,
  barcodes: z.array(shortText),
  minimum,
  /** Those for the table. */
  fields: productFieldsSchema,
  updatedAt: instant.nullable(),
  /** Whose date that is. */
  updatedBy: z.enum(['platform', 'terminal']),
});
export type ExportedProduct = z.infer<typeof exportedProductSchema>;

/** The row after which the next ones begin is null after the last. */
export const stockExportPageSchema = z.strictObject({
  ...viewFacts,
  rows: z.array(exportedProductSchema).max(maxExported),
  next: count.nullable(),
});
export type StockExportPage = z.infer<typeof stockExportPageSchema>;
