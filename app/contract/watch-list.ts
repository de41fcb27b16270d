import { z } from 'zod';
import { codesSchema, count, idSchema, shortText } from './basics.ts';
import { maxCodesAtOnce } from './limits/codes.ts';
import { maxMinimaAtOnce, maxMinimum } from './limits/watch-list.ts';

/** In the product's unit; a product with less is below its minimum. */
const minimumSchema = z.number().positive().max(maxMinimum);

/** Null where there is no minimum. */
const watchedMinimumSchema = z.strictObject({
  stockId: idSchema,
  productId: idSchema,
  minimum: minimumSchema.nullable(),
});
export type WatchedMinimum = z.infer<typeof watchedMinimumSchema>;

export const setMinimaSchema = z.strictObject({ minima: z.array(watchedMinimumSchema).min(1).max(maxMinimaAtOnce) });

/** How many products have a minimum, and what this terminal's copy says of them. */
export const watchListStateSchema = z.strictObject({
  watched: count,
  /** Their figure is known, and below the minimum. */
  below: count,
  /** Nobody knows their figure yet. */
  unknown: count,
  /** The copy does not have them. */
  absent: count,
});
export type WatchListState = z.infer<typeof watchListStateSchema>;

export const matchCodesSchema = z.strictObject({ stockId: idSchema, codes: codesSchema });

/** The products of a stock that a code names, in the order of the codes: none, one, or several that share it. */
export const matchedCodesSchema = z.strictObject({
  matches: z
    .array(
      z
        .array(
          z.strictObject({
            productId: idSchema,
            code: shortText.nullable(),
            name: shortText,
            unit: shortText.nullable(),
            minimum: minimumSchema.nullable(),
          }),
        )
        .max(2),
    )
    .max(maxCodesAtOnce),
});
