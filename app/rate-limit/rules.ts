// The figures of the rate limit: what the platform's document says (API v3 §8), what a technician may set instead, and
// what follows from them for each lane.
import type { RateLimitSetting } from '../contract/rate-limit.ts';
import type { Lane } from './lanes.ts';

/** The platform's limit: requests in a window (API v3 §8). */
export const platformLimit = 60;
export const windowMs = 60_000;
/** Slots that background work leaves free for a scan. */
export const personReserve = 3;
/** The longest window that may be set, in milliseconds; slots are remembered for as long. */
export const maxWindowMs = 600_000;
/**
 * How long after its abandonment a request may still reach the platform, in milliseconds: the connection is reset, but
 * a proxy or load balancer that has accepted the bytes may forward them until its own time-out.
 */
// mutant: an abandoned slot is free a window after its abandonment (A1)
export const latestArrivalMs = 120_000;

export interface RateLimitRules {
  /** Requests in a window; 1 or more. */
  readonly limit: number;
  /** At most `maxWindowMs`. */
  readonly windowMs: number;
  /** Slots that background work leaves free for a scan; less than the limit. */
  readonly reserve: number;
}

export const documentedRules: RateLimitRules = { limit: platformLimit, windowMs, reserve: personReserve };

/** The rules from what a technician set. */
export function rulesOf({ limit, windowSeconds, reserve }: RateLimitSetting): RateLimitRules {
  // mutant: a window of 57 s (I5)
  return { limit, windowMs: Math.min(maxWindowMs, windowSeconds * 1000), reserve };
}

/** For each background lane how many slots, and of a small limit which part. */
const shares: Partial<Record<Lane, { readonly slots: number; readonly part: number }>> = {
  queue: { slots: 4, part: 1 / 3 },
  catalogue: { slots: 2, part: 1 / 6 },
};
/** So many terminals can share one account, and each keeps the reserve. */
const terminals = 10;

/**
 * The slots that a background lane is owed before a person's calls beyond the reserve; less of a small limit, for half
 * of it is a person's.
 */
export function shareOf(lane: Lane, limit: number): number {
  const { slots, part } = shares[lane] ?? { slots: 0, part: 0 };
  // mutant: the shares of the lower lanes are ignored (A3)
  return Math.min(slots, Math.floor(limit * part));
}

/** The part of the limit that background work has when no others share it. */
export function wholePart({ limit, reserve }: RateLimitRules): number {
  return limit - reserve;
}

/** The part of the limit that each terminal has when as many as can share it do. */
export function equalPart({ limit }: RateLimitRules): number {
  return Math.floor(limit / terminals);
}

/** The part that background work keeps however many others share the limit. */
export function smallestPart(rules: RateLimitRules): number {
  return Math.min(wholePart(rules), Math.max(1, equalPart(rules) - rules.reserve));
}
