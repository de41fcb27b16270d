import { z } from 'zod';
import { count, idSchema, instant, shortText } from './basics.ts';
import { planTimesSchema } from './coupon-sets.ts';
import { maxListsChanges, maxListsLength } from './limits/shop-lists.ts';

/** A file of the shop's lists: minimums, sets and their plans. */
export const listsFileSchema = z.strictObject({ name: shortText, text: z.string().max(maxListsLength) });
export const listsTextSchema = z.strictObject({ text: z.string().max(maxListsLength) });

/** What the file would make otherwise here. `over`: no moment of the plan is still to come, and it is left out. */
const listsChangeSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('minimum'),
    stockId: idSchema,
    productId: idSchema,
    /** Null where the copy has no such product. */
    name: shortText.nullable(),
    from: z.number().nullable(),
    to: z.number().nullable(),
  }),
  z.strictObject({ kind: z.literal('set'), did: z.enum(['added', 'changed', 'removed']), name: shortText }),
  z.strictObject({
    kind: z.literal('plan'),
    /** `changed`: it is here, and is from now on as at the other till, also what is left out of it. */
    did: z.enum(['added', 'changed', 'removed', 'over']),
    name: shortText,
    times: planTimesSchema,
  }),
]);
export type ListsChange = z.infer<typeof listsChangeSchema>;

const countsSchema = z.strictObject({ minimum: count, set: count, plan: count });

/**
 * What taking a file would change. `fault`: it cannot be taken, for it is no such file, is of a newer version, of
 * another company, or was saved by a clock that is ahead of this till's.
 */
export const foreseenListsSchema = z.strictObject({
  fault: z.enum(['unreadable', 'newer', 'otherShop', 'ahead']).nullable(),
  /** When it was saved, by the clock of the till that did; null for one that cannot be read. */
  savedAt: instant.nullable(),
  /** A file that was saved later has been taken here: when it was saved. */
  takenSavedAt: instant.nullable(),
  counts: countsSchema,
  /** Minimums of stocks that the open profile does not have; they are left out. */
  ofOtherStocks: count,
  /** Sets whose search is of such stocks; they come, and are not switched here. */
  setsOfOtherStocks: count,
  /** The first of them. */
  changes: z.array(listsChangeSchema).max(maxListsChanges),
});
export type ForeseenLists = z.infer<typeof foreseenListsSchema>;

/** How many of each kind have changed. */
export const takenListsSchema = z.strictObject({ counts: countsSchema });
