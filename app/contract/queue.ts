import { z } from 'zod';
import { count, failureSchema, idSchema, instant, shortText } from './basics.ts';
import { maxUpdatesAtOnce, maxUpdatesChosen } from './limits/queue.ts';

/** `inFlight`: in a request that is sent as it is until the platform has answered it; whether one is under way now, `isUnderWay` says. */
export const updateStatuses = ['pending', 'inFlight', 'delivered', 'parked', 'superseded', 'discarded'] as const;
export const updateStatusSchema = z.enum(updateStatuses);
export type UpdateStatus = z.infer<typeof updateStatusSchema>;

/**
 * Why a parked update waits for a person. `old`: it was made long ago and asks before it is sent; `maybeDone`: it may
 * have been done, and nothing tells.
 */
const parkedBecauseSchema = z.enum(['refused', 'conflict', 'damaged', 'old', 'maybeDone']);

const updateFacts = {
  id: count,
  status: updateStatusSchema,
  email: z.string().max(320),
  companyId: idSchema,
  /** False for an update that another user, or whoever is signed in made for another company. */
  isOwn: z.boolean(),
  /**
   * The event that it waits for before it goes out by itself: its user signs in, or a profile of its company is opened;
   * null for one's own, and where its user's sign-in is kept.
   */
  waitsFor: z.enum(['signIn', 'company']).nullable(),
  createdAt: instant,
  /** When it last changed its status: was delivered, or parked. */
  changedAt: instant,
  /** Its bytes are under way: an attempt has begun, and nothing has come of it yet. */
  isUnderWay: z.boolean(),
  attempts: count,
  /** Why it was parked, or how the last attempt failed. */
  failure: failureSchema.nullable(),
  /** More about a parked one. */
  parkedBecause: parkedBecauseSchema.nullable(),
};

/** A product's coupon on or off (API v3 §4.7). */
const couponUpdateSchema = z.strictObject({
  kind: z.literal('coupon'),
  ...updateFacts,
  productId: idSchema,
  productName: shortText.nullable(),
  isEnabled: z.boolean(),
  /** For a conflict: what the platform has now. */
  theirs: z.boolean().nullable(),
  /** The set whose plan made it; absent when a person did. */
  plan: shortText.optional(),
});
export type CouponUpdate = z.infer<typeof couponUpdateSchema>;

/** A deleted user back (API v3 §4.8). */
const restorationSchema = z.strictObject({ kind: z.literal('restoreUser'), ...updateFacts, userId: idSchema });

/** One update as the queue screen lists it. */
export const queuedUpdateSchema = z.discriminatedUnion('kind', [couponUpdateSchema, restorationSchema]);
export type QueuedUpdate = z.infer<typeof queuedUpdateSchema>;

/** For so long what was given up can be brought back, in milliseconds; a screen offers it for less. */
export const bringBackForMs = 60_000;

const query = {
  /** An empty list means all. */
  statuses: z.array(updateStatusSchema).max(updateStatuses.length),
  /** None: both kinds. */
  kind: z.enum(['coupon', 'restoreUser']).optional(),
  /**
   * A product's name, code or id, a user's id; or a part of an e-mail, when it has an "@". None, or empty: everything.
   */
  term: z.string().max(200).optional(),
};

export const queuePageInputSchema = z.strictObject({
  ...query,
  offset: count,
  limit: z.number().int().min(1).max(200),
});
export type QueueQuery = Pick<z.infer<typeof queuePageInputSchema>, keyof typeof query>;

const found = {
  total: count,
  /** Of each status, whichever of them are asked for. */
  counts: z.strictObject({
    pending: count,
    inFlight: count,
    delivered: count,
    parked: count,
    superseded: count,
    discarded: count,
  }),
  /** True when so many products fit the term that some were left out. */
  isCut: z.boolean(),
};
export type QueueCounts = z.infer<typeof found.counts>;

export const queuePageSchema = z.strictObject({ ...found, rows: z.array(queuedUpdateSchema).max(200) });

/** For choosing what is not in sight: those at these places that can be tried again or given up. */
export const queueIdsInputSchema = z.strictObject({
  ...query,
  offset: count,
  limit: z.number().int().min(1).max(maxUpdatesChosen),
});
export const queueIdsSchema = z.strictObject({ total: count, updateIds: z.array(count).max(maxUpdatesChosen) });

export const manyUpdatesSchema = z.strictObject({ updateIds: z.array(count).min(1).max(maxUpdatesAtOnce) });

/** How many of the chosen updates can be retried or given up now. */
export const updatesCountedSchema = z.strictObject({
  /** Wait to be sent already. */
  pending: count,
  /** Need a person, and can be tried again. */
  retryable: count,
  /** Of these, so many would overwrite what somebody else has set. */
  conflicts: count,
  /** Of these, so many wait until their user signs in, or a profile of their company is opened. */
  ofOthers: count,
  /** Need a person, and can only be given up. */
  damaged: count,
  /** Of all that can be given up, so many were sent before without a refusal, and may have taken effect. */
  attempted: count,
  /** Have left, or are over. */
  gone: count,
});
export type UpdatesCounted = z.infer<typeof updatesCountedSchema>;

/** One hour of the queue's last day. */
const queueHourSchema = z.strictObject({
  /** When it began. */
  at: instant,
  added: count,
  delivered: count,
  /** Superseded or discarded. */
  givenUp: count,
  /** Open at its end: waiting, under way, or waiting for a person. */
  open: count,
});
export type QueueHour = z.infer<typeof queueHourSchema>;

export const queueDaySchema = z.strictObject({
  /** Oldest first; the last one is not over yet. */
  hours: z.array(queueHourSchema).max(24),
  /** False when there was so much that the oldest of these hours are not told whole. */
  isWhole: z.boolean(),
  readAt: instant,
});
export type QueueDay = z.infer<typeof queueDaySchema>;
