import { z } from 'zod';
import { count, idSchema, instant, nameSchema, shortText } from './basics.ts';
import { stockQuerySchema } from './browse.ts';
import { maxHits } from './limits/lookup.ts';
import { lineStates, maxCounted, maxStocktakeLines } from './limits/stocktakes.ts';
import { productHitSchema } from './products.ts';

const email = z.string().max(320).nullable();
const stateSchema = z.enum(lineStates);
export type LineState = z.infer<typeof stateSchema>;

/** The products that a count is to cover, as the stock table narrows them; null: whatever is scanned. */
export const stocktakeFilterSchema = stockQuerySchema.pick({ term: true, amount: true }).nullable();
export type StocktakeFilter = z.infer<typeof stocktakeFilterSchema>;

const quantitySchema = z.number().min(0).max(maxCounted);

/** A counting of a shelf, or of the products that a filter fits. */
export const stocktakeSchema = z.strictObject({
  id: count,
  name: z.string().min(1).max(100),
  stockId: idSchema,
  /** Null when the platform had not told it. */
  stockName: shortText.nullable(),
  filter: stocktakeFilterSchema,
  startedAt: instant,
  startedBy: email,
  /** Null while it is open. */
  closedAt: instant.nullable(),
  /** How many lines stand so. */
  lines: z.record(stateSchema, count),
});
export type Stocktake = z.infer<typeof stocktakeSchema>;

/** The count of one product, or of one code that names no product. */
export const stocktakeLineSchema = z.strictObject({
  id: count,
  /** The number of the step that it shows, among all steps of all counts; null where none stands. */
  step: count.nullable(),
  /** Null for a code that names no product. */
  productId: idSchema.nullable(),
  /** The product's code, or what was scanned. */
  code: shortText.nullable(),
  name: shortText.nullable(),
  unit: shortText.nullable(),
  /** Null while it has not been counted. */
  quantity: quantitySchema.nullable(),
  /** The copy's figure at the newest scan; null when the copy had none. */
  figure: z.number().nullable(),
  figureAsOf: instant.nullable(),
  /** The copy's figure was another one at an earlier scan of this line. */
  hasFigureMoved: z.boolean(),
  state: stateSchema,
  /** Why the code names no product; null for a product. */
  miss: z.enum(['unknown', 'notCopied', 'unreadable', 'several']).nullable(),
  /** When it was last counted, and by whom. */
  countedAt: instant.nullable(),
  countedBy: email,
});
export type StocktakeLine = z.infer<typeof stocktakeLineSchema>;

export const stocktakePageSchema = z.strictObject({ total: count, rows: z.array(stocktakeSchema).max(200) });

export const startStocktakeSchema = z.strictObject({
  name: nameSchema(100),
  stockId: idSchema,
  filter: stocktakeFilterSchema,
});
export type StartStocktake = z.infer<typeof startStocktakeSchema>;

export const linesInputSchema = z.strictObject({
  stocktakeId: count,
  /** Null: all. */
  state: stateSchema.nullable(),
  offset: z.number().int().min(0).max(maxStocktakeLines),
  limit: z.number().int().min(1).max(200),
});
/** The line that was counted last comes first, those not counted last. */
export const linesPageSchema = z.strictObject({ total: count, rows: z.array(stocktakeLineSchema).max(200) });

/** A page of the file, in the order in which the lines came, and the line after which the next one begins. */
export const stocktakeExportPageSchema = z.strictObject({
  rows: z.array(stocktakeLineSchema).max(1000),
  next: count.nullable(),
});

/** The quantity that a person says was counted; null takes the line out. */
export const countedQuantitySchema = quantitySchema.nullable();

export const scanCountedSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('counted'),
    line: stocktakeLineSchema,
    stocktake: stocktakeSchema,
    /**
     * The reason why the quantity is a guess: the code is a case's and does not say of how many, no weight stands in it,
     * or what it says is no certain figure of the product's unit.
     */
    doubt: z.enum(['case', 'weight', 'figure']).nullable(),
  }),
  /** The typed text fits several products; nothing was counted. */
  z.strictObject({ kind: z.literal('several'), text: shortText, hits: z.array(productHitSchema).min(1).max(maxHits) }),
  /** The typed text fits no product; nothing was counted. */
  z.strictObject({ kind: z.literal('none'), text: shortText }),
]);
export type ScanCounted = z.infer<typeof scanCountedSchema>;

/** The line as it is now. */
export const changedLineSchema = z.strictObject({ line: stocktakeLineSchema, stocktake: stocktakeSchema });

export const takenBackSchema = z.strictObject({
  /** The step that was taken back; null: none was. */
  undone: count.nullable(),
  /**
   * Its line as it is now. Where none was taken back, the line whose newest step stands before that, or the one that was
   * counted last if no step was named; null while nothing is counted.
   */
  line: stocktakeLineSchema.nullable(),
  stocktake: stocktakeSchema,
});
export type TakenBack = z.infer<typeof takenBackSchema>;
