import type { QueueState } from '../contract/terminal-state.ts';
import type { RateLimit } from '../rate-limit/rate-limit.ts';
import type { CouponSetting, PlatformClient, TokenSource } from '../platform/client.ts';
import type { Connection } from '../platform/connection.ts';
import type { Clock, Random } from '../ports.ts';
import type { StorageError } from '../storage/database.ts';
import type { LeftReading } from './readings.ts';
import type { Owner } from './rows.ts';
import type { QueueRepository } from './repository.ts';

/** The hold on the sending, as the engine knows it; null when there is none. */
export type Hold = Exclude<QueueState['heldBy'], 'noAnswer'>;

/** Somebody under whose sign-in updates go out. */
export interface Sender {
  readonly owner: Owner;
  readonly tokens: TokenSource;
  /** Whether a person is needed before there is a token: what they asked for waits. */
  readonly isStuck: boolean;
}

export interface QueuePorts {
  readonly clock: Clock;
  readonly random: Random;
  readonly repository: QueueRepository;
  readonly rateLimit: RateLimit;
  readonly client: Pick<PlatformClient, 'listCouponSettings' | 'write'>;
  readonly connection: Connection;
  /** The company whose updates go out here. */
  readonly shop: Omit<Owner, 'email'>;
  /** Who is signed in, even when the sign-in has ended and must be renewed; null when nobody is. */
  readonly owner: () => Owner | null;
  /**
   * The owner first, unless they must give the password first; then those whose sign-in is kept and may be used without
   * them (decision 63).
   */
  readonly senders: () => readonly Sender[];
  /** Tells what the platform had when it was asked. */
  readonly settingsRead: (owner: Owner, settings: readonly CouponSetting[], asked: LeftReading) => Promise<void>;
  /** True while nothing is to be sent by itself: a technician has started the app in safe mode. */
  readonly isCalm: boolean;
  /** The file refused; what was to be done is tried again. */
  readonly onStorageError?: (error: StorageError) => void;
  /** For how long nothing is to be sent yet, in milliseconds; absent where nothing is waited for (Q15). */
  readonly waitsMs?: (() => number) | undefined;
  readonly log: (message: string, details: Readonly<Record<string, unknown>>) => void;
}
