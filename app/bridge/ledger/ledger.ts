// What a bridge keeps for ever: the service's ledger, the settings of coupons, those that the source must still be told,
// and the numbers of the source's ids. It lies in the bridge's own folder, or in a PostgreSQL that several bridges share.
import type { Id } from '../../domain/int64.ts';
import type { Eventually, Ledger } from '../../service/ports.ts';
import { StorageError } from '../../storage/database.ts';

/** A change of a coupon that the source has not been told. */
export interface Pending {
  readonly sourceId: string;
  readonly isEnabled: boolean;
  /** In the order of the changes, whatever a damaged row has for it. */
  readonly number: bigint;
}

/** Comes before all of them. */
export const beforeFirst = -(2n ** 63n);

/** What waits for the source. */
export interface Outbox {
  /** The first one after this number. */
  next(after: bigint): Eventually<Pending | null>;
  /** It has been told, unless the product has changed meanwhile. */
  remove(number: bigint): Eventually<void>;
}

export interface BridgeLedger extends Ledger {
  /** Only the settings that somebody made, by product id. */
  listCoupons(companyId: Id): Eventually<ReadonlyMap<string, boolean>>;
  /** Part of an effect. `sourceId` names the product to the source that must be told; null where none must. */
  writeCoupon(companyId: Id, productId: Id, isEnabled: boolean, sourceId: string | null): void;
  /** How settings are left to the source; null where other bridges may not have read it since it was told. */
  readonly leaving: {
    /** Of the source's ids, those of which it must still be told. */
    listPending(): ReadonlySet<string>;
    forgetCoupons(companyId: Id, productIds: readonly Id[]): void;
  } | null;
  countPending(): Promise<number>;
  /**
   * Runs the action while no other bridge of this ledger runs its own; not at all while one does, or nothing waits. Throws
   * where the ledger cannot be written.
   */
  withOutbox(action: (outbox: Outbox) => Promise<void>): Promise<void>;
  close(): Eventually<void>;
}

/** The numbers that were given to ids of the source, each for ever the same (API v3 §2: ids are int64). */
export interface Ids {
  /** Gives a number to what has none. */
  idsOf(sourceIds: readonly string[]): Eventually<readonly number[]>;
  /** Without it, none that was given since the opening stays given: it would fill the ledger for good. */
  keep(): Eventually<void>;
  close(): Eventually<void>;
}

/**
 * From here on numbers are given, and none below the moment in milliseconds since 1970: what an older backup has
 * forgotten is never given to another product. An id of the source that is a number below stays what it is.
 */
export const firstGiven = 1_000_000_000_000;

/** Null for an id that must be given a number. */
export const ownNumberOf = (sourceId: string): number | null =>
  /^[1-9]\d{0,11}$/.test(sourceId) ? Number(sourceId) : null;

/** The shared ledger does not answer as it should. */
export class LedgerError extends Error {
  override readonly name = 'LedgerError';
}

/** Whether the ledger cannot be read or written: the shared one, or the bridge's own folder. */
export const isOfLedger = (error: unknown): boolean => error instanceof LedgerError || error instanceof StorageError;
