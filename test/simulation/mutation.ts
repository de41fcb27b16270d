import type { Shift } from './run-seed.ts';

/**
 * The change that a planted bug makes to the code marked with its name (planting.ts). `skip` leaves it out. A pair is
 * what must occur in it exactly once, and what stands there instead; in both, `$1` is the first name of something, `$2`
 * the second, and so on, and `…` all between what stands before and behind it. It repeats no name that the code gives.
 */
export type Change = 'skip' | readonly [pattern: string, replacement: string];

/** One planted bug. */
export interface PlantedBug {
  readonly change: Change;
  /**
   * Which simulation must catch it, where no test must: a shift of any phases unless it says otherwise. A rare mistake
   * is found sooner where a shift has nothing but the phases that lead to it.
   */
  readonly world?: 'counter' | 'hub' | Shift;
  /** Whether somebody makes every call in its seeds (calls/). */
  readonly isPressed?: boolean;
  /** Seeds that catch it where few do: they are tried before the others. */
  readonly seeds?: readonly number[];
  /** A test file that must catch it, where seeds seldom meet the moment in which it matters. */
  readonly test?: string;
}

/** The planted bugs of a folder by their names, which their markers have, with the rules that they break. */
export type PlantedBugs = Readonly<Record<string, PlantedBug>>;

/** A planted bug with its name. */
export interface Mutation extends PlantedBug {
  readonly name: string;
  /**
   * Those in brackets at the end of its name. Caught means: a violation of one of these, or where a test must catch it,
   * that one of theirs fails.
   */
  readonly rules: readonly string[];
}
