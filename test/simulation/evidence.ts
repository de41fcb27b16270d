import type { AuditEntry } from '../../app/contract/audit.ts';
import type { Planned } from '../../app/contract/coupon-sets.ts';
import type { CouponUpdate, QueuedUpdate } from '../../app/contract/queue.ts';
import type { InvokeInput } from '../../app/contract/contract.ts';
import { createCopyEvidence, type CopyEvidence } from './copy-evidence.ts';
import type { Damage } from './disk.ts';
import { createReportedEvidence, type ReportedEvidence } from './reported-evidence.ts';

/**
 * One switch of a coupon. `asked`: not answered yet; `accepted`: the terminal said that it is kept; `refused`: it said
 * that it is not; `unknown`: the process died before it could say.
 */
export interface Intent {
  /** Who was signed in, and at which company; reported by the terminal in the same instant. */
  email: string;
  companyId: string;
  readonly productId: string;
  readonly isEnabled: boolean;
  readonly atMs: number;
  readonly life: number;
  status: 'asked' | 'accepted' | 'refused' | 'unknown';
}

/** One wish to have a deleted user back. */
export interface RestorationIntent {
  email: string;
  companyId: string;
  readonly userId: string;
  readonly atMs: number;
  readonly life: number;
  status: Intent['status'];
}

/** A parked update that a person sent again. */
interface Again {
  readonly email: string;
  readonly companyId: string;
  readonly productId: string;
  readonly isEnabled: boolean;
  readonly atMs: number;
}

interface Incident {
  readonly atMs: number;
  readonly what: string;
}

/** Somebody who was asked to sign in again. */
export interface Ending {
  readonly atMs: number;
  readonly email: string;
}

/** A sign-in that was asked for, or a sign-out that the terminal said was done. */
type Sitting =
  | { readonly what: 'in'; readonly email: string; readonly startedAtMs: number }
  | {
      readonly what: 'out';
      readonly email: string;
      /** Their sign-in at another one stays. */
      readonly client: string | null;
      readonly startedAtMs: number;
      readonly doneAtMs: number;
    };

interface Drain {
  readonly email: string;
  readonly companyId: string;
  /** Null when it did not end within the bound. */
  readonly tookMs: number | null;
}

/** A set that somebody had switched by the clock on the wall; its times by that clock, in milliseconds since 1970. */
interface PlanIntent {
  readonly email: string;
  readonly companyId: string;
  readonly name: string;
  readonly productIds: readonly string[];
  readonly on: number;
  readonly off: number;
  readonly repeats: 'once' | 'weekly';
  /** The set is a search for a product, instead of a list. */
  readonly isSearch: boolean;
  /** The clock was weeks ahead when it was made, and was set back at once. */
  readonly isAhead: boolean;
  readonly atMs: number;
  /** The terminal said that it is kept. */
  isSure: boolean;
}

export interface Evidence {
  readonly plans: PlanIntent[];
  /** The moments as they were last shown, and the wall clock's time then. */
  planned: (Planned & { readonly wallMs: number }) | null;
  /** The states of the connection that were reported. */
  readonly reported: ReportedEvidence;
  readonly intents: Intent[];
  readonly again: Again[];
  readonly restorations: RestorationIntent[];
  /** Parked restorations that a person sent again: whose. */
  readonly restoredAgain: {
    readonly email: string;
    readonly companyId: string;
    readonly userId: string;
    readonly atMs: number;
  }[];
  /** Products of which somebody has given up an update: who knows what they show. */
  readonly givenUp: Set<string>;
  /** Settings that somebody chose, whether they were kept or not. */
  readonly chosen: { readonly atMs: number; readonly chosen: InvokeInput<'settings:update'> }[];
  /** When somebody joined a hub: the till asks it for slots, and waits for it, from then on. */
  readonly joins: number[];
  /** Whether the age at which an update asks is judged, so that nobody may change it. */
  keepsAskingAge: boolean;
  /** An answer that the contract does not document. */
  readonly strangeAnswers: Incident[];
  /** The changes of the terminal's own settings in practice. */
  readonly practised: Incident[];
  /** Updates that a person gave up. */
  readonly discarded: Set<number>;
  /** Parked updates that a person let go again. */
  readonly retried: Set<number>;
  /**
   * When an update was sent for the first time, by the machine's clock; of tills that ask before they send old ones.
   */
  readonly firstSent: { readonly update: QueuedUpdate; readonly sentAt: number }[];
  readonly parkedSeen: { readonly atMs: number; readonly update: QueuedUpdate }[];
  /** When a run began. */
  readonly starts: number[];
  /** The limit that the terminal set itself when it had opened a store. */
  readonly limits: { readonly atMs: number; readonly limit: number }[];
  /** When a run died: its number and the time. */
  readonly deaths: { readonly life: number; readonly atMs: number }[];
  readonly clockShifts: number[];
  /** By how much the machine's clock was off from then on. */
  readonly wallClock: { readonly atMs: number; readonly offMs: number }[];
  /** When the machine started with an empty battery, after it was off. */
  readonly lostClocks: number[];
  readonly sittings: Sitting[];
  /** While these last, the terminal closes one store and opens another. */
  readonly connections: { readonly startedAtMs: number; doneAtMs: number }[];
  /** When somebody left a store for another one, or for none: nobody notes there that the clock is set. */
  readonly departures: number[];
  readonly endings: Ending[];
  /**
   * While these last, a sign-in may be lost without anybody's doing: the keychain or the disk does not answer, or all
   * tokens are revoked.
   */
  readonly sessionTroubles: { readonly fromMs: number; readonly toMs: number }[];
  /** While these last, an answer may find no room on the disk. */
  readonly fullDisks: { readonly fromMs: number; readonly toMs: number }[];
  readonly damages: { readonly atMs: number; readonly damage: Damage }[];
  readonly drains: Drain[];
  /** Where a secret was seen. */
  readonly leaks: Incident[];
  /** Sound data that made way. */
  readonly lostFiles: Incident[];
  /** The calls that threw, and stores that did not open, did not close, or did not fit the contract. */
  readonly breakdowns: Incident[];
  /** A switch that showed something else than it must. */
  readonly untrueAnswers: Incident[];
  /** Somebody who was taken for another. */
  readonly wrongNames: Incident[];
  /** The entries about coupons in the list of who did what at the end. */
  readonly entries: AuditEntry[];
  /** All updates at the end, oldest first. */
  rows: readonly CouponUpdate[];
  restorationRows: readonly Restoration[];
  /** The sightings of the copy. */
  readonly copy: CopyEvidence;
}

/** One restoration as the queue lists it. */
export type Restoration = Extract<QueuedUpdate, { kind: 'restoreUser' }>;

/** The coupons among these updates; restorations have judges of their own. */
export function couponsOf(updates: readonly QueuedUpdate[]): readonly CouponUpdate[] {
  return updates.filter((update) => update.kind === 'coupon');
}

/** Makes evidence of a run that has not begun. */
export function createEvidence(): Evidence {
  return {
    plans: [],
    planned: null,
    reported: createReportedEvidence(),
    intents: [],
    again: [],
    restorations: [],
    restoredAgain: [],
    discarded: new Set(),
    givenUp: new Set(),
    chosen: [],
    joins: [],
    keepsAskingAge: false,
    strangeAnswers: [],
    practised: [],
    retried: new Set(),
    firstSent: [],
    parkedSeen: [],
    starts: [],
    limits: [],
    deaths: [],
    clockShifts: [],
    wallClock: [],
    lostClocks: [],
    sittings: [],
    connections: [],
    departures: [],
    endings: [],
    sessionTroubles: [],
    fullDisks: [],
    damages: [],
    drains: [],
    leaks: [],
    lostFiles: [],
    breakdowns: [],
    untrueAnswers: [],
    wrongNames: [],
    entries: [],
    rows: [],
    restorationRows: [],
    copy: createCopyEvidence(),
  };
}
