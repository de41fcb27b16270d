import type { Rule } from './judging.ts';
import type { Shift } from './run-seed.ts';

/** One mutation: `find` occurs exactly once in the file, and `replace` stands in its place. */
export interface Mutation {
  readonly name: string;
  /** From the top of the tree on. */
  readonly file: string;
  readonly find: string;
  readonly replace: string;
  /** Caught means: a violation of one of these, or where a test must catch it, that one of theirs fails. */
  readonly rules: readonly (
    | Rule
    | `B${number}`
    | `C${number}`
    | `H${number}`
    | `K${number}`
    | `M${number}`
    | `P${number}`
    | `Q${number}`
    | `S${number}`
    | `W${number}`
  )[];
  /**
   * Which simulation must catch it: a shift of any phases unless it says otherwise. A rare mistake is found sooner
   * where a shift has nothing but the phases that lead to it.
   */
  readonly world?: 'counter' | 'hub' | Shift;
  /** Whether somebody makes every call in its seeds (calls/). */
  readonly isPressed?: boolean;
  /** Seeds that catch it where few do: they are tried before the others. */
  readonly seeds?: readonly number[];
  /** A test file that must catch it, where seeds seldom meet the moment in which it matters. */
  readonly test?: string;
}
