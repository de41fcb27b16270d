import type { Id } from '../domain/int64.ts';
import type { ByLane } from './lanes.ts';
import { nextInTurn, type RateState, type Turn } from './scheduler.ts';

/** Who says which waiter may go. */
export interface Turns {
  /** The waiter that may go now, or undefined; it is granted a slot at once. */
  next<Waiter extends Turn>(waiters: readonly Waiter[], state: RateState): Waiter | undefined;
  /** Slots that count at the whole account, of which this terminal has these. */
  used(held: ByLane): ByLane;
  /** Products of this scope whose figures other terminals wait for. */
  readonly wantedFigures: (scope: string) => readonly Id[];
  /** A 429 has come, and the rate limit has taken it in. */
  refused(): void;
  /** A slot that was granted leaves within so many milliseconds, or not at all; infinite where nobody else counts on it. */
  readonly leaveWithinMs: number;
}

/** One terminal alone: its own scheduler. */
export const ownTurns: Turns = {
  next: nextInTurn,
  used: (held) => held,
  wantedFigures: () => [],
  refused: () => undefined,
  leaveWithinMs: Number.POSITIVE_INFINITY,
};
