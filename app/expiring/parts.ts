import type { Id } from '../domain/int64.ts';
import type { Clock } from '../ports.ts';
import type { Circumstances, NightPorts } from './night.ts';
import type { Candidate } from './order.ts';
import type { Described, Place } from './store.ts';

export interface ExpiringParts extends Pick<NightPorts, 'clock' | 'asking' | 'offsetMinutes' | 'ask' | 'log'> {
  /** The file, usually `batches.db` in the data directory. */
  readonly path: string;
  /** The platform and the company. */
  readonly shop: string;
  readonly stockIds: readonly Id[];
  readonly clock: Clock;
  readonly circumstances: () => Circumstances;
  /** Requests that a minute of the night has left over. */
  readonly perMinute: () => number;
  /** The products with stock among the next of the copy; `next` is null after the last. */
  readonly stocked: (after: number) => { readonly products: readonly Candidate[]; readonly next: number | null };
  /** How many there are; null when that cannot be told. */
  readonly countStocked: () => Promise<number | null>;
  /** The copy's figure; null when nobody knows it, undefined for a product that the copy does not have. */
  readonly figureOf: (place: Place) => number | null | undefined;
  /** A text as `words` has it. */
  readonly fold: (text: string) => string;
  /** Null for a product that the copy does not have. */
  readonly describe: (place: Place) => Described | null;
  /** Lets everything else have its turn; false once the store is being closed. */
  readonly pause: () => Promise<boolean>;
}
