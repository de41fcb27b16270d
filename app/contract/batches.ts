import { z } from 'zod';
import { count, idSchema, shortText } from './basics.ts';
import { maxBatches } from './limits/batches.ts';

/** One field of a batch, by the name that the platform gave it; of a nested one "outer.inner". */
const batchFactSchema = z.discriminatedUnion('kind', [
  /** The shop's own calendar day and, where one was given, time: "2026-01-31" or "2026-01-31T10:00:00". */
  z.strictObject({ kind: z.literal('date'), name: shortText, value: z.string().max(19) }),
  z.strictObject({ kind: z.literal('number'), name: shortText, value: z.number() }),
  z.strictObject({ kind: z.literal('text'), name: shortText, value: shortText }),
]);
export type BatchFact = z.infer<typeof batchFactSchema>;

/**
 * An entry batch (API v3 §4.5, whose fields are not shown). What looks like something keeps the name of the field that
 * it was read from.
 */
const productBatchSchema = z.strictObject({
  facts: z.array(batchFactSchema).max(100),
  /** `day` is "YYYY-MM-DD". */
  expiresOn: z.strictObject({ name: shortText, day: z.string().length(10) }).nullable(),
  quantity: z.strictObject({ name: shortText, amount: z.number() }).nullable(),
  lot: z.strictObject({ name: shortText, text: shortText }).nullable(),
});
export type ProductBatch = z.infer<typeof productBatchSchema>;

export const productBatchesSchema = z.strictObject({
  product: z.strictObject({
    id: idSchema.nullable(),
    name: shortText.nullable(),
    sku: shortText.nullable(),
    unit: shortText.nullable(),
  }),
  /** With spaces between; empty for a product without options. */
  optionNames: shortText,
  /** How many the platform listed. */
  total: count,
  /**
   * Those of them that could be read. What expires first comes first, then those without a date in the platform's order.
   */
  batches: z.array(productBatchSchema).max(maxBatches),
});
export type ProductBatches = z.infer<typeof productBatchesSchema>;
