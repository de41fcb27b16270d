// Owns what a simulated run leaves for its judges: what people asked for, what the terminal said, and what happened to it.
// Never judges.
import type { CouponUpdate, QueuedUpdate } from '../../app/contract/contract.ts';

/**
 * One switch of a coupon. `asked`: not answered yet; `accepted`: the terminal said that it is kept; `refused`: it said that it is
 * not; `unknown`: the process died before it could say.
 */
export interface Intent {
  /** Who was signed in; told by the terminal in the same instant. */
  email: string;
  readonly productId: string;
  readonly isEnabled: boolean;
  readonly atMs: number;
  readonly life: number;
  standing: 'asked' | 'accepted' | 'refused' | 'unknown';
}

/** A parked update that a person sent again. */
export interface Again {
  readonly email: string;
  readonly productId: string;
  readonly isEnabled: boolean;
  readonly atMs: number;
}

export interface Incident {
  readonly atMs: number;
  readonly what: string;
}

export interface Drain {
  readonly email: string;
  /** Null when it did not end within the bound. */
  readonly tookMs: number | null;
}

export interface Evidence {
  readonly intents: Intent[];
  readonly again: Again[];
  readonly parkedSeen: { readonly atMs: number; readonly update: CouponUpdate }[];
  /** When a run died: its number and the time. */
  readonly deaths: { readonly life: number; readonly atMs: number }[];
  readonly clockShifts: number[];
  readonly drains: Drain[];
  /** Where a secret was seen. */
  readonly leaks: Incident[];
  /** What threw, did not open, did not close, or did not fit the contract. */
  readonly breakdowns: Incident[];
  /** A switch that was accepted but showed something else. */
  readonly untrueAnswers: Incident[];
  /** All updates at the end, oldest first. */
  rows: readonly CouponUpdate[];
}

/** The coupons among these updates; restorations have judges of their own. */
export function couponsOf(updates: readonly QueuedUpdate[]): readonly CouponUpdate[] {
  return updates.filter((update) => update.kind === 'coupon');
}

export function createEvidence(): Evidence {
  return { intents: [], again: [], parkedSeen: [], deaths: [], clockShifts: [], drains: [], leaks: [], breakdowns: [], untrueAnswers: [], rows: [] };
}
