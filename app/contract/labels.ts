import { z } from 'zod';
import { labelSizes, maxLabelCopies } from './limits.ts';

export const shelfLabelSchema = z.strictObject({
  size: z.enum(labelSizes),
  copies: z.number().int().min(1).max(maxLabelCopies),
  /** Whether the stock figure of the moment is on it. */
  withBalance: z.boolean(),
});
export type ShelfLabelChoice = z.infer<typeof shelfLabelSchema>;
export type LabelSize = ShelfLabelChoice['size'];
