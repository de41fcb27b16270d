import type { Rule } from './judging.ts';

/** One mutation: `find` occurs exactly once in the file, and `replace` stands in its place. */
export interface Mutation {
  readonly name: string;
  /** From the top of the tree on. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Caught means: a violation of one of these. */
  readonly rules: readonly Rule[];
  /**
   * Which simulation must catch it: a whole shift unless it says otherwise; `turns`: a shift in which people relieve
   * one another.
   */
  readonly world?: 'counter' | 'turns';
  /** Seeds that catch it where few do: they are tried before the others. */
  readonly seeds?: readonly number[];
}
