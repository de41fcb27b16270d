import { z } from 'zod';
import { idSchema, instant, shortText } from './basics.ts';
import { labelItemSchema } from './scan.ts';

/** Products that people have chosen for the labels of a scale; then the oldest goes. */
export const maxLabelChoices = 500;

/** A product that a person has chosen for the labels of a scale's item. */
const labelChoiceSchema = labelItemSchema.extend({
  productId: idSchema,
  /** Null when the copy does not have it. */
  name: shortText.nullable(),
  code: shortText.nullable(),
  at: instant,
  /** Who chose it. */
  email: z.string().max(320),
});
export type LabelChoiceLine = z.infer<typeof labelChoiceSchema>;

export const labelChoicesSchema = z.array(labelChoiceSchema).max(maxLabelChoices);
