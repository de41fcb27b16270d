import { z } from 'zod';
import { productBatchesSchema } from './batches.ts';
import { idSchema, instant, shortText } from './basics.ts';

/** As many options as can be chosen at once. */
const maxChosenOptions = 50;

/** A figure of API v3 §4.4 by `movement_type`; null where the platform named the option for another type alone. */
const optionMovementsSchema = z.strictObject({
  name: shortText,
  /** The ids that stand for it in `option_ids`; empty when the platform does not say, and then it cannot be chosen. */
  ids: z.array(idSchema).max(20),
  in: z.number().nullable(),
  out: z.number().nullable(),
  all: z.number().nullable(),
});
export type OptionMovements = z.infer<typeof optionMovementsSchema>;

/** Entries, exits and what is left (API v3 §4.4); the signs are the platform's own. */
export const productMovementsSchema = z.strictObject({
  in: z.number(),
  out: z.number(),
  all: z.number(),
  options: z.array(optionMovementsSchema).max(400),
  /** When the platform answered. */
  asOf: instant,
});
export type ProductMovements = z.infer<typeof productMovementsSchema>;

/** The entry batches (API v3 §4.5) with the moment of the answer. */
export const readBatchesSchema = productBatchesSchema.extend({ asOf: instant });
export type ReadBatches = z.infer<typeof readBatchesSchema>;

/** Of which product, in which stock; an empty list of options means all of them together. */
export const detailsInputSchema = z.strictObject({
  stockId: idSchema,
  productId: idSchema,
  optionIds: z.array(idSchema).max(maxChosenOptions),
});

/** The platform's last answers about all options together, as far as this terminal has kept them. */
export const keptDetailsSchema = z.strictObject({
  movements: productMovementsSchema.nullable(),
  batches: readBatchesSchema.nullable(),
});
export type KeptDetails = z.infer<typeof keptDetailsSchema>;
