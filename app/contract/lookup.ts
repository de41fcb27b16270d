import { z } from 'zod';
import { count, instant, shortText } from './basics.ts';
import { maxHits } from './limits/lookup.ts';
import { productCardSchema, productHitSchema } from './products.ts';
import { scanFaultSchema, scanReadSchema } from './scan.ts';

/** How the text was read; absent when a person opened the product from a list. */
const read = { read: scanReadSchema.optional() };

/** How much of what the platform answered when it was asked could not be read; absent for nothing of it. */
const answered = { unreadAnswered: count.min(1).optional() };

export const lookupAnswerSchema = z.discriminatedUnion('kind', [
  /** One product; in several stocks it is several cards. */
  z.strictObject({
    kind: z.literal('found'),
    text: shortText,
    ...read,
    cards: z
      .array(productCardSchema)
      .min(1)
      .max(50)
      .refine((cards) => cards.every(({ productId }) => productId === cards[0]?.productId)),
  }),
  /**
   * A code that several products share, or a part of a name or code that fits several: the stocks of one beside each
   * other, all of them unless the lines are cut off.
   */
  z.strictObject({
    kind: z.literal('several'),
    text: shortText,
    ...read,
    ...answered,
    hits: z.array(productHitSchema).min(1).max(maxHits),
  }),
  /**
   * Nothing is to come any more and the copy does not have it, but it may be among the products that the platform listed
   * and this terminal could not read (`unreadListed`), or be in the stocks that the platform refuses (`refusedStocks`;
   * both absent for none). `asked`: the platform was asked too and does not have it either, unless something of its
   * answer could not be read; it is not asked for the stocks that it refuses.
   */
  z.strictObject({
    kind: z.literal('unknown'),
    text: shortText,
    ...read,
    ...answered,
    unreadListed: count.min(1).optional(),
    refusedStocks: count.min(1).optional(),
    asked: z.boolean(),
  }),
  /** Not in what has been copied so far: more is to come, or the platform refuses all stocks. */
  z.strictObject({
    kind: z.literal('notCopied'),
    text: shortText,
    ...read,
    ...answered,
    copied: count,
    total: count.nullable(),
    completeAt: instant.nullable(),
    asked: z.boolean(),
  }),
  /**
   * Not a code that could be right, or one that names no product; `about` names what is wrong within it. `asked` stands
   * only with a wrong check digit: a shop may have numbered the product so itself, and the platform can be asked.
   */
  z.strictObject({
    kind: z.literal('unreadable'),
    text: shortText,
    ...answered,
    why: scanFaultSchema,
    about: shortText.nullable().optional(),
    asked: z.boolean().optional(),
  }),
]);
export type LookupAnswer = z.infer<typeof lookupAnswerSchema>;

export const recentLookupSchema = z.strictObject({
  id: count,
  at: instant,
  text: shortText,
  /** `answer` is what was shown then; a found product can be opened again. */
  answer: z.enum(['found', 'several', 'unknown', 'notCopied', 'unreadable']),
  hit: productHitSchema.nullable(),
});
export type RecentLookup = z.infer<typeof recentLookupSchema>;
