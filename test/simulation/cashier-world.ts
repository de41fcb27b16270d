import type { InvokeInput } from '../../app/contract/contract.ts';
import type { QueueLimitsChoice } from '../../app/contract/history.ts';
import type { Profile } from '../../app/contract/profiles.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import type { CopyWatch } from './copy-watch.ts';
import type { Evidence } from './evidence.ts';
import type { Machine } from './machine.ts';
import type { RefereeStock } from './referee-stock.ts';
import type { UserAccount } from './referee-tokens.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import type { Till } from './till.ts';
import type { Trace } from './trace.ts';
import type { World } from './virtual-clock.ts';

/** One company, as its people see it. */
export interface Shop {
  readonly profile: Profile;
  readonly stock: RefereeStock;
  /** The products that each user switches, by e-mail; the first ones most often. */
  readonly products: ReadonlyMap<string, readonly string[]>;
  /** The products over which the users of this till contend. */
  readonly shared: readonly string[];
  /** The products that nobody but their one user switches. */
  readonly quiet: ReadonlySet<string>;
  /** Users whom somebody may ask back. */
  readonly userIds: readonly string[];
}

export interface CashierWorld {
  readonly world: World;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly till: Till;
  readonly machine: Machine;
  readonly evidence: Evidence;
  readonly watch: CopyWatch;
  readonly users: readonly UserAccount[];
  /** The first one is where they begin. */
  readonly shops: readonly [Shop, ...Shop[]];
  /** The clients that they may be given; each has the same secret. */
  readonly clientIds: readonly string[];
  readonly clientSecret: string;
  /** The codes of the users' badges, by e-mail; empty where nobody has one. */
  readonly badges: Map<string, string>;
  /** The limits that somebody chooses for the queue when they are not so; null: nobody chooses anything. */
  readonly queueLimits: QueueLimitsChoice | null;
  /** Whether somebody else has the till for themselves. */
  readonly isTillTaken?: () => boolean;
  /** The settings that somebody must put right before the end; null for none. */
  readonly leftSettings?: (state: TerminalState) => InvokeInput<'settings:update'> | null;
}
