import { z } from 'zod';
import { count, failureSchema, idSchema, shortText } from './basics.ts';
import { maxChosen } from './limits/coupons.ts';
import { maxUpdatesAtOnce } from './limits/queue.ts';

/**
 * A product's coupon setting as the person at the counter should see it: the fold of what is confirmed and what waits.
 */
export const couponStateSchema = z.strictObject({
  /** The setting that the switch shows; null when nobody knows yet. */
  isEnabled: z.boolean().nullable(),
  /**
   * `confirmed`: the platform has it so; `waiting`: on this terminal, to be sent; `sending`: under way; `parked`:
   * refused, needs a person; `unknown`.
   */
  status: z.enum(['confirmed', 'waiting', 'sending', 'parked', 'unknown']),
  /** The parked update's reason. */
  failure: failureSchema.nullable(),
  /**
   * The newest change of the same product that another user of this company has made here and that is still open;
   * absent when there is none.
   */
  ofOther: z
    .strictObject({
      email: z.string().max(320),
      isEnabled: z.boolean(),
      isParked: z.boolean(),
      /** It waits until its user signs in; else it goes out by itself. */
      isSignInNeeded: z.boolean(),
    })
    .optional(),
  /** The same of another till of this shop, by its name; absent where there is none, or no hub. */
  ofTill: z.strictObject({ till: z.string().max(200), isEnabled: z.boolean(), isParked: z.boolean() }).optional(),
});
export type CouponState = z.infer<typeof couponStateSchema>;

const couponRowSchema = z.strictObject({
  productId: idSchema,
  productName: shortText.nullable(),
  code: shortText.nullable(),
  coupon: couponStateSchema,
});
export type CouponRow = z.infer<typeof couponRowSchema>;

/** `all`: every product whose setting is known, or waits, or was refused. */
export const couponFilterSchema = z.enum(['all', 'enabled', 'disabled', 'waiting', 'refused']);
export type CouponFilter = z.infer<typeof couponFilterSchema>;

const query = {
  filter: couponFilterSchema,
  /** As the search as you type; `all` and `disabled` also show products without a setting. Empty: everything. */
  term: z.string().max(200).optional(),
  /** The view of the last answer, so that what it listed stays although it no longer fits; none: a new one. */
  view: count.optional(),
};

const found = {
  view: count,
  total: count,
  /** True when so many products fit the term that those without a setting were cut off. */
  isCut: z.boolean(),
};

export const couponPageInputSchema = z.strictObject({
  ...query,
  offset: count,
  limit: z.number().int().min(1).max(200),
});
export const couponPageSchema = z.strictObject({ ...found, rows: z.array(couponRowSchema).max(200) });
export type CouponPage = z.infer<typeof couponPageSchema>;

/** For choosing what is not in sight: the products of these places. */
export const couponIdsInputSchema = z.strictObject({
  ...query,
  offset: count,
  limit: z.number().int().min(1).max(maxChosen),
});
export const couponIdsSchema = z.strictObject({ ...found, productIds: z.array(idSchema).max(maxChosen) });

/** A slice; whoever has chosen more calls again. */
export const manyCouponsSchema = z.strictObject({
  productIds: z.array(idSchema).min(1).max(maxUpdatesAtOnce),
  isEnabled: z.boolean(),
});

/** The effect that switching them would have. */
export const manyCountedSchema = z.strictObject({
  /** By the last reading. */
  willChange: count,
  /** Were so at the last reading, which is old: they are asked for as well, and compared before anything is sent. */
  unsure: count,
  /** Are so already, or will be as soon as what waits is sent. */
  already: count,
  /** Of those that are asked for, so many take a new place in the queue. */
  needed: count,
  /** So many places the queue has left; when fewer than are needed, nothing can be switched. */
  room: count,
  /** For whom it was counted, by the queue's number. */
  ownerId: count,
});
export type ManyCounted = z.infer<typeof manyCountedSchema>;

export const switchManySchema = manyCouponsSchema.extend({
  /** Whoever else is signed in by now gets none of it. */
  ownerId: count,
  /** So many places must be free: those of all slices in the first one, then 0. */
  needed: count,
});
export type SwitchMany = z.infer<typeof switchManySchema>;

/** The number that is on disk when it answers; fewer than were asked for when the queue became full. */
export const manySwitchedSchema = z.strictObject({
  updateIds: z.array(count).max(maxUpdatesAtOnce),
  already: count,
  /** For so long nothing new is sent, in milliseconds. */
  undoForMs: count,
});
export type ManySwitched = z.infer<typeof manySwitchedSchema>;

/** `sent`: had left already. */
export const manyTakenBackSchema = z.strictObject({ takenBack: count, sent: count });
export type ManyTakenBack = z.infer<typeof manyTakenBackSchema>;
