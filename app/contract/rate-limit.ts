import { z } from 'zod';
import { count, instant, shortText } from './basics.ts';
import { rateLimitAccounts, rateLimitLanes, rateLimitSettingRange } from './limits/rate-limit.ts';

/** The limits that a technician may set; API v3 §8 says 60 requests a minute. */
export const rateLimitSettingSchema = z
  .strictObject({
    /** Requests in a window. */
    limit: z.number().int().min(rateLimitSettingRange.limit.min).max(rateLimitSettingRange.limit.max),
    windowSeconds: z
      .number()
      .int()
      .min(rateLimitSettingRange.windowSeconds.min)
      .max(rateLimitSettingRange.windowSeconds.max),
    /** Slots that background work leaves free for a scan. */
    reserve: z.number().int().min(rateLimitSettingRange.reserve.min).max(rateLimitSettingRange.reserve.max),
  })
  .refine(({ limit, reserve }) => reserve < limit);
export type RateLimitSetting = z.infer<typeof rateLimitSettingSchema>;

/** What the platform counts as one; API v3 §8 does not say. */
export const rateLimitAccountSchema = z.enum(rateLimitAccounts);

const byLaneSchema = z.strictObject({ session: count, person: count, queue: count, catalogue: count });
export type RateLimitByLane = z.infer<typeof byLaneSchema>;

const rateLimitPurposes = [
  'signIn',
  'connection',
  'balance',
  'batches',
  'question',
  'listing',
  'changes',
  'sweep',
  'coupons',
  'updates',
] as const;

/** Somebody or something that waits for a slot. */
const rateLimitWaiterSchema = z.strictObject({
  lane: z.enum(rateLimitLanes),
  purpose: z.enum(rateLimitPurposes),
  /** A product's name or id, a text that is asked for, or the number of a page; null when there is nothing to add. */
  subject: shortText.nullable(),
  since: instant,
});
export type RateLimitWaiter = z.infer<typeof rateLimitWaiterSchema>;

/** Ten seconds of the last ten minutes. */
const rateLimitPieceSchema = z.strictObject({
  /** Slots that counted at the fullest moment. */
  used: byLaneSchema,
  /** The limit that this terminal set itself. */
  limit: count,
  /** Answers of 429. */
  refusals: count,
});
export type RateLimitPiece = z.infer<typeof rateLimitPieceSchema>;

export const rateLimitReadingSchema = z.strictObject({
  limits: rateLimitSettingSchema,
  /**
   * Requests in a window that this terminal allows itself just now: less than was set while others share the account.
   */
  limit: count,
  used: byLaneSchema,
  /** The first fifty, in the order in which they came. */
  waiting: z.array(rateLimitWaiterSchema).max(50),
  waitingCount: count,
  /** When the pause after a 429 ends; null when there is none. */
  pausedUntil: instant.nullable(),
  /** Oldest first; the last one is not over yet. */
  history: z.array(rateLimitPieceSchema).max(60),
  pieceSeconds: count,
  readAt: instant,
});
export type RateLimitReading = z.infer<typeof rateLimitReadingSchema>;
