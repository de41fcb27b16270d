import type { QueueLimitsChoice } from '../contract/history.ts';

export interface QueueLimits {
  /** What is delivered, superseded or discarded is kept for this long after it became so, in milliseconds. */
  readonly historyMs: number;
  /** An update older than this, in milliseconds, asks before it is sealed; 0: none ever asks. */
  readonly askAfterMs: number;
}

const hourMs = 3_600_000;

/** Limits from what a person chooses. */
export function limitsOf(choice: QueueLimitsChoice): QueueLimits {
  return { historyMs: choice.historyDays * 24 * hourMs, askAfterMs: choice.askAfterHours * hourMs };
}

export const defaultLimits: QueueLimits = limitsOf({ historyDays: 30, askAfterHours: 72 });
