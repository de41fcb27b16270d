import { z } from 'zod';
import { count, failureSchema, instant, shortText } from './basics.ts';

/** How many lines of the platform's document, and characters of a report, cross the bridge at most. */
const maxLines = 200;
const maxReportLength = 1_000_000;

/** The check of the open shop's platform, in the language that was asked for. */
export const platformCheckSchema = z.discriminatedUnion('state', [
  z.strictObject({ state: z.literal('none') }),
  /** `all` is 0 until the platform has answered. */
  z.strictObject({ state: z.literal('running'), done: count, all: count }),
  z.strictObject({ state: z.literal('failed'), failure: failureSchema }),
  z.strictObject({
    state: z.literal('ended'),
    endedAt: instant,
    lines: z
      .array(
        z.strictObject({
          id: shortText,
          verdict: z.enum(['kept', 'broken', 'untold']),
          title: shortText,
          why: shortText.nullable(),
        }),
      )
      .max(maxLines),
    /** The whole report, without secrets. */
    file: z.strictObject({ name: shortText, text: z.string().max(maxReportLength) }),
  }),
]);
export type PlatformCheck = z.infer<typeof platformCheckSchema>;
