import { z } from 'zod';
import { count, idSchema, instant, shortText } from './basics.ts';

/** Figures are counted by their age: up to each of these, in milliseconds, and beyond the last. */
export const ageBandsMs = [600_000, 3_600_000, 6 * 3_600_000, 86_400_000, 7 * 86_400_000] as const;

export const copyAgeSchema = z.strictObject({
  stocks: z
    .array(
      z.strictObject({
        stockId: idSchema,
        /** Null until the platform has told it. */
        name: shortText.nullable(),
        /** When the last full listing that came to its end began; null when none has. */
        listedAt: instant.nullable(),
        /** When changes were last asked for and read to their end; null when never. */
        changesAt: instant.nullable(),
      }),
    )
    .max(50),
  /** Products by the age of their figure: one count for each of `ageBandsMs`, and one for what is older. */
  bands: z.array(count).length(ageBandsMs.length + 1),
  /** Products whose figure nobody has told yet. */
  withoutFigure: count,
  /** Products that were looked at, in all. */
  counted: count,
  /** True when these are some of very many, spread evenly. */
  isSample: z.boolean(),
  readAt: instant,
});
export type CopyAge = z.infer<typeof copyAgeSchema>;
