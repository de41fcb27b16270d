import { z } from 'zod';
import { readStoreTime } from '../domain/date-time.ts';
import { codesSchema, count, idSchema, instant, nameSchema, shortText } from './basics.ts';
import { couponFilterSchema } from './coupons.ts';
import { maxCodesAtOnce } from './limits/codes.ts';
import { maxCouponPlans, maxCouponSets, maxSetNameLength } from './limits/coupon-sets.ts';
import { maxChosen } from './limits/coupons.ts';

const setNameSchema = nameSchema(maxSetNameLength);

const searchSchema = z.strictObject({
  kind: z.literal('search'),
  filter: couponFilterSchema,
  term: z.string().max(200),
});

/** Which products a set has: these, or whatever a search finds at the moment in which it is switched. */
export const couponSetHowSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('list'), productIds: z.array(idSchema).min(1).max(maxChosen) }),
  searchSchema,
]);
export type CouponSetHow = z.infer<typeof couponSetHowSchema>;

const daySchema = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}$/)
  .refine((day) => readStoreTime(day) !== null, 'a day of the calendar');
const timeSchema = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/)
  .nullable();

/**
 * When a set is switched, by the terminal's own local time: on that day, or every week from that day on. A time to
 * switch off that is not later than the one to switch on is the next day's.
 */
export const planTimesSchema = z
  .strictObject({ repeats: z.enum(['once', 'weekly']), day: daySchema, on: timeSchema, off: timeSchema })
  .refine(({ on, off }) => on !== off, 'a time, and not the same twice');
export type PlanTimes = z.infer<typeof planTimesSchema>;

const couponPlanSchema = z.strictObject({
  planId: count,
  times: planTimesSchema,
  /** Who planned it: the updates are theirs. */
  email: z.string().max(320),
  /** Other tills have it too: it left in a file of the shop's lists, or came in one. */
  isShared: z.boolean(),
});
export type CouponPlan = z.infer<typeof couponPlanSchema>;

export const couponSetSchema = z.strictObject({
  setId: count,
  name: z.string().max(maxSetNameLength),
  how: z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('list'), count }),
    /** With those of its stocks that the open profile does not have: there it is not looked up. */
    searchSchema.extend({ elsewhere: z.array(idSchema).max(50) }),
  ]),
  email: z.string().max(320),
  plans: z.array(couponPlanSchema).max(maxCouponPlans),
});
export type CouponSet = z.infer<typeof couponSetSchema>;

export const couponSetsSchema = z.strictObject({ sets: z.array(couponSetSchema).max(maxCouponSets) });

export const saveCouponSetSchema = z.strictObject({
  /** Null makes a new one. */
  setId: count.nullable(),
  name: setNameSchema,
  /** Null leaves it as it is. */
  how: couponSetHowSchema.nullable(),
});

export const matchSetCodesSchema = z.strictObject({ codes: codesSchema, areIds: z.boolean() });

/** The products that each code names, in the order of the codes: none, one, or two of several that share it. */
export const matchedSetCodesSchema = z.strictObject({
  matches: z.array(z.array(z.strictObject({ productId: idSchema, name: shortText })).max(2)).max(maxCodesAtOnce),
});

export const planCouponSetSchema = z.strictObject({ setId: count, times: planTimesSchema });

export const momentKeySchema = z.strictObject({ planId: count, day: daySchema, isEnabled: z.boolean() });

/**
 * One moment of a plan. `missed`: it was not made and a person must be told; `left`: they have been; `late`: this
 * terminal was off, asleep or at another company for longer than a plan waits; `overtaken`: a later moment of the plan
 * had come as well; `noRoom`: the queue was full; `unready`: what the search finds could not be read whole;
 * `otherStocks`: the open profile does not have the stocks of the search. One of these two with `planned`: its time has
 * come, and it is tried again until it is late.
 */
const plannedMomentSchema = momentKeySchema.extend({
  setId: count,
  setName: shortText,
  at: instant,
  state: z.enum(['planned', 'skipped', 'made', 'missed', 'left']),
  why: z.enum(['late', 'overtaken', 'noRoom', 'unready', 'otherStocks']).nullable(),
  /** Updates that were made, or products of the set where that is known before; else null. */
  count: count.nullable(),
  email: z.string().max(320),
  repeats: z.enum(['once', 'weekly']),
  isShared: z.boolean(),
  /** Its day was chosen while this machine's clock was so many days ahead; null where it was right, as far as is known. */
  clockAheadDays: count.nullable(),
});
export type PlannedMoment = z.infer<typeof plannedMomentSchema>;

export const plannedSchema = z.strictObject({
  /** The next moment of each plan to switch on and to switch off, and the one that waits; the soonest first. */
  next: z.array(plannedMomentSchema).max(3 * maxCouponPlans),
  /** The moments that a person has not answered, and those that were made lately; the newest first. */
  missed: z.array(plannedMomentSchema).max(500),
  made: z.array(plannedMomentSchema).max(200),
});
export type Planned = z.infer<typeof plannedSchema>;

/** The set or plan that a change was about. */
export const namedSetSchema = z.strictObject({ setId: count, name: shortText });
