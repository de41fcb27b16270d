import { z } from 'zod';
import { count, instant, shortText } from './basics.ts';
import { allowanceLanes, allowanceLimitsRange } from './limits.ts';

/** What a technician may set; API v3 §8 says 60 requests a minute. */
export const allowanceLimitsSchema = z
  .strictObject({
    /** Requests in a window. */
    limit: z.number().int().min(allowanceLimitsRange.limit.min).max(allowanceLimitsRange.limit.max),
    windowSeconds: z
      .number()
      .int()
      .min(allowanceLimitsRange.windowSeconds.min)
      .max(allowanceLimitsRange.windowSeconds.max),
    /** Slots that background work leaves free for a scan. */
    reserve: z.number().int().min(allowanceLimitsRange.reserve.min).max(allowanceLimitsRange.reserve.max),
  })
  .refine(({ limit, reserve }) => reserve < limit);
export type AllowanceLimits = z.infer<typeof allowanceLimitsSchema>;

const byLaneSchema = z.strictObject({ session: count, person: count, queue: count, catalogue: count });
export type AllowanceByLane = z.infer<typeof byLaneSchema>;

const allowancePurposes = [
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
const allowanceWaiterSchema = z.strictObject({
  lane: z.enum(allowanceLanes),
  purpose: z.enum(allowancePurposes),
  /** A product's name or id, a text that is asked for, or the number of a page; null when there is nothing to add. */
  subject: shortText.nullable(),
  since: instant,
});
export type AllowanceWaiter = z.infer<typeof allowanceWaiterSchema>;

/** Ten seconds of the last ten minutes. */
const allowancePieceSchema = z.strictObject({
  /** Slots that counted at the fullest moment. */
  used: byLaneSchema,
  /** What this terminal allowed itself. */
  limit: count,
  /** Answers of 429. */
  refusals: count,
});
export type AllowancePiece = z.infer<typeof allowancePieceSchema>;

export const allowanceReadingSchema = z.strictObject({
  limits: allowanceLimitsSchema,
  /**
   * Requests in a window that this terminal allows itself just now: less than was set while others share the account.
   */
  limit: count,
  used: byLaneSchema,
  /** The first fifty, in the order in which they came. */
  waiting: z.array(allowanceWaiterSchema).max(50),
  waitingCount: count,
  /** When the pause after a 429 ends; null when there is none. */
  pausedUntil: instant.nullable(),
  /** Oldest first; the last one is not over yet. */
  history: z.array(allowancePieceSchema).max(60),
  pieceSeconds: count,
  readAt: instant,
});
export type AllowanceReading = z.infer<typeof allowanceReadingSchema>;
