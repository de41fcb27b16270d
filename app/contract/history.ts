import { z } from 'zod';
import { failureKinds } from '../domain/failure.ts';
import { count, instant, maxExported, shortText } from './basics.ts';
import { queueLimitsRange } from './limits/queue.ts';
import { queuedUpdateSchema } from './queue.ts';

/** A person's choices about the queue; see app/queue/repository.ts. */
export const queueLimitsSchema = z.strictObject({
  /** The days for which finished updates are kept. */
  historyDays: z.number().int().min(queueLimitsRange.historyDays.min).max(queueLimitsRange.historyDays.max),
  /** An update older than so many hours asks before it is sent; 0: none ever asks. */
  askAfterHours: z.number().int().min(queueLimitsRange.askAfterHours.min).max(queueLimitsRange.askAfterHours.max),
});
export type QueueLimitsChoice = z.infer<typeof queueLimitsSchema>;

/** One sending of the request that an update was in, and what came back. */
export const updateAttemptSchema = z.strictObject({
  sentAt: instant,
  /** Null while it is under way. */
  settledAt: instant.nullable(),
  /** The `Idempotency-Key` it was sent under. */
  key: z.string().max(100),
  /** `abandoned`: this terminal stopped before an answer came. */
  outcome: z.enum(['answered', 'noAnswer', 'abandoned', 'underWay']),
  status: z.number().int().nullable(),
  /** The platform's `code`, as it came. */
  code: shortText.nullable(),
  /** Whether the platform called it a replay of an earlier answer (API v3 §8 rule 5); null when it did not say. */
  isReplayed: z.boolean().nullable(),
  /** The kind of failure; null when there was none. */
  failure: z.enum(failureKinds).nullable(),
});
export type UpdateAttempt = z.infer<typeof updateAttemptSchema>;

/** An update with what became of each attempt at it, oldest first. */
const exportedUpdateSchema = z.strictObject({ update: queuedUpdateSchema, attempts: z.array(updateAttemptSchema) });
export type ExportedUpdate = z.infer<typeof exportedUpdateSchema>;

/** Oldest first, and the update after which the next ones begin; null after the last. */
export const queueExportPageSchema = z.strictObject({
  rows: z.array(exportedUpdateSchema).max(maxExported),
  next: count.nullable(),
});
