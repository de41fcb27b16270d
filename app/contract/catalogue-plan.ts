import { z } from 'zod';
import { count, idSchema, instant, shortText } from './basics.ts';

const hour = z.number().int().min(0).max(23);

/** The hours, by local time, in which the daily full listing begins; from and to the same: every hour is quiet. */
export const quietHoursSchema = z.strictObject({ from: hour, to: hour });
export type QuietHours = z.infer<typeof quietHoursSchema>;

export const cataloguePlanSchema = z.strictObject({
  /**
   * The reading that goes on; null while none does. `looked`: products that people looked at lately; `sweep`: those
   * that may have vanished.
   */
  doing: z
    .strictObject({
      kind: z.enum(['looked', 'listing', 'changes', 'sweep']),
      stockId: idSchema,
      stockName: shortText.nullable(),
      /** Of a listing: rows read so far, of so many; null when the platform has not told. */
      read: count.optional(),
      of: count.nullable().optional(),
    })
    .nullable(),
  /** When changes are asked for next; null before the first copy. */
  nextChangesAt: instant.nullable(),
  /**
   * When a full listing begins at the latest; null while one is read. `quietHours`: then they begin; `overdue`: it
   * cannot wait for them; `due`: the last one was poor and is read again; `now`: as soon as the platform answers, and no
   * moment, which would be another each time.
   */
  nextListing: z
    .strictObject({ at: instant.nullable(), why: z.enum(['now', 'due', 'quietHours', 'overdue']) })
    .nullable(),
});
export type CataloguePlan = z.infer<typeof cataloguePlanSchema>;

/** While nothing is copied. */
export const noPlan: CataloguePlan = { doing: null, nextChangesAt: null, nextListing: null };
