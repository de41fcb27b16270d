import type { HubReport } from '../contract/hub.ts';
import type { Result } from '../domain/result.ts';
import type { HubServer } from './address.ts';

/** Every way in which a call to the hub can fail, whatever the document says. */
export type HubFailureKind = Exclude<
  NonNullable<HubReport['failure']>,
  'otherKey' | 'newerDocument' | 'contended' | 'storage'
>;

/** A sign-in of one terminal alone. */
export interface HubSignIn extends Pick<HubServer, 'user' | 'password'> {
  /** Says that it is kept. Until then the next one of the same name takes its place; false where that has happened. */
  readonly arrive: () => Promise<boolean>;
}

/** A failure at the hub; `detail` is the server's own code, never a secret. */
export interface HubFailure {
  readonly kind: HubFailureKind;
  readonly detail?: string;
}

/** A member's sealed record, beside the account's text. */
export interface HubRow {
  readonly member: string;
  /** Of the account when it was written. */
  readonly version: number;
  readonly record: string;
}

/** A member's next record; null when it is forgotten. */
export type HubRowChange = Pick<HubRow, 'member'> & { readonly record: string | null };

/** The shared text of one account, as it is now. */
export interface HubReading {
  /** Rises by one with each write; 0 when there is no document. */
  readonly version: number;
  /** Null when there is none. */
  readonly document: string | null;
  /** The hub has lost nothing since it was set up: where there is no document, there has never been one. */
  readonly isIntact: boolean;
  /**
   * Another one whenever something may have been lost before: after each start of the server, removal and restoration.
   * Null where the hub does not say.
   */
  readonly life: string | null;
  /** The records that are newer than was asked for; null where the hub keeps none. */
  readonly rows: readonly HubRow[] | null;
  /** The server's clock, in milliseconds since 1970; may jump. */
  readonly serverMs: number;
}

/**
 * One text for each account, and a record for each of its members, that all its terminals read and replace. A write takes
 * place as a whole, only when nobody has written since, and is on the server's disk when it is answered.
 */
export interface HubLink {
  /**
   * `since`: the records of later versions are wanted, too. Fails with `noAnswer` after `timeoutMs`, waiting for earlier calls included; the connection that did not answer is
   * then thrown away.
   */
  read(account: string, timeoutMs: number, since?: number): Promise<Result<HubReading, HubFailure>>;
  /**
   * Replaces the text that `reading` showed, and with it these records. Answers false when somebody else has written since, or the reading is
   * older than `maxReadingAgeMs` by the server's clock, or younger than that clock. After `noAnswer` it is unknown whether it took place.
   */
  write(
    account: string,
    reading: Pick<HubReading, 'version' | 'serverMs'>,
    document: string,
    timeoutMs: number,
    rows?: readonly HubRowChange[],
  ): Promise<Result<boolean, HubFailure>>;
  /**
   * Calls back when a register is written whose name begins with `newsPrefix`, by this terminal or another. Only a bell:
   * while there is no connection it does not ring.
   */
  readonly onBell: (listener: (account: string) => void) => void;
  /**
   * Makes the sign-in of this terminal alone, and tries it. Null where the hub gives none or does not let it in. Absent
   * where a hub has none.
   */
  readonly makeSignIn?: (terminalName: string) => Promise<HubSignIn | null>;
  /**
   * The shop's key after the one of this id, sealed with it; null where the hub has none. It learns by this that the
   * terminal has that one. Absent where a hub has no others.
   */
  readonly findNextKey?: (keyId: string) => Promise<string | null>;
  /**
   * Lets nobody sign in any more as this terminal alone does; false where that is to be tried again, for the hub did not
   * answer. Absent where a hub has no such sign-ins.
   */
  readonly endSignIn?: () => Promise<boolean>;
  /** Waits for the calls that have been made; later ones fail. */
  close(): Promise<void>;
}

/** A text that is written to a register of such a name rings at every terminal. */
export const newsPrefix = 'news ';
/** So begin the names of registers of texts that no bell rings for. */
export const textPrefix = 'shared ';

/** A write that comes later than this after its reading is refused, in milliseconds of the server's clock. */
export const maxReadingAgeMs = 5_000;
/** A longer document is refused with `failed`, in characters. None may hold the character 0. */
export const maxDocumentLength = 400_000;
/** A longer record is refused in the same way. */
export const maxRecordLength = 2_000;
/** And more records for one account. */
export const maxRows = 800;
/** Of all records together: a reading of them is one message (app/hosts/hub/server-guard.ts). */
export const maxRecordsLength = 600_000;

/** A role writes no further texts than these; what it has written last counts as its own. A copy's page is about 6 kB. */
export const maxTextsOfTill = 20_000;
export const maxBytesOfTill = 200_000_000;
/** And records for so many accounts. */
export const maxAccountsOfTill = 50;
