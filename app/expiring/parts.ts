import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Id } from '../domain/int64.ts';
import type { Clock } from '../ports.ts';
import type { Circumstances, NightPorts } from './night.ts';

export interface ExpiringParts extends Pick<NightPorts, 'clock' | 'asking' | 'offsetMinutes' | 'ask' | 'log'> {
  /** The file, usually `batches.db` in the data directory. */
  readonly path: string;
  /** The platform and the company. */
  readonly shop: string;
  readonly stockIds: readonly Id[];
  readonly clock: Clock;
  /** By how much it is ahead of the platform's, as far as is known, in milliseconds. */
  readonly aheadMs?: () => number;
  readonly circumstances: () => Circumstances;
  /** Requests that a minute of the night has left over. */
  readonly perMinute: () => number;
  /** The products that have stock, and the copy's facts about them. */
  readonly catalogue: Pick<Catalogue, 'state' | 'stocked' | 'countStocked' | 'figure' | 'describe'>;
  /** Lets everything else have its turn; false once the shop is being closed. */
  readonly pause: () => Promise<boolean>;
}
