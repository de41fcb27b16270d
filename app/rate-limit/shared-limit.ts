//   whole ──429──▶ shrunk ──grows──▶ where it was refused ──waits there──▶ beyond it, ever faster ──▶ whole
//                    ▲                                                        │
//                    └──────────────────────────429───────────────────────────┘
//
// The curve is like that of TCP CUBIC (RFC 9438 §4.2), flatter around the level at which it was refused: fast at first,
// then long near that level, then faster and faster. It takes the same time whatever the level, and beyond it all grow
// by the same number of slots, while a refusal costs whoever has more a larger share: so terminals that never talk
// settle to equal parts.
//
//   C1  A 429 shrinks the part at once, and never below the smallest part.
//   C2  The first 429 after a while may be a stray one: it costs a quarter of what was allowed. A later one shows that
//       others are there: then nobody is due more than half, and what counts is what was used, for that is what was to
//       be had.
//   C3  Without a further 429 the part is whole again within nineteen windows, and after a stray one nine tenths of it
//       within two.
//   C4  Whoever has the whole part and is refused shares with somebody new. For three windows it keeps a quarter of the
//       limit whatever is refused: one of the two may be refused often before the other is once, and that one hears of
//       nobody and gives up nothing. Who uses less than half of the limit is the newcomer, and aims at half.
import { smallestPart, wholePart, type RateLimitRules } from './rules.ts';

const defaultPauseMs = 5_000;
const shortestPauseMs = 1_000;
/** No 429 asks for a longer pause. */
export const maxPauseMs = 300_000;
/** The factor that a stray 429 leaves of the part. */
const leftAfterStray = 0.75;
/** The factor that a refusal by others leaves to whoever has next to nothing, and how much less to whoever has half. */
const leftToSmall = 0.85;
const lessToLarge = 0.15;
/** It is back where it was refused after so many windows. */
// mutant: the rate limit is back within a minute after a 429 (A8)
const windowsToPeak = 6.8;
/** As long again and it is so much of the limit above that. */
// mutant: the rate limit never grows beyond where it was refused (A9)
const riseBeyond = 1 / 20;
const bendBefore = 3;
const bendBeyond = 5;
/** A 429 within so many windows of the one before is no stray one. */
const windowsInDoubt = 15;
/** For how many windows after a first 429 which part of the limit is kept (C4). */
const firstWindows = 3;
const firstPart = 1 / 4;
/** A forecast looks at the growth so many times in a window. */
const looksAWindow = 10;
/** The growth is looked at no more often than this. */
const shortestLookMs = 1_000;

/** The growth after a 429, relative to the moment in which it is noted, in milliseconds. */
export interface SharingState {
  readonly from: number;
  /** Where it was refused. */
  readonly peak: number;
  /** Negative when it has begun. */
  readonly growsInMs: number;
  readonly refusedForMs: number;
}

/**
 * The state that a 429 left behind; times are relative to the moment in which it is written or read, in milliseconds.
 */
export interface Refusal {
  readonly pauseMs: number;
  readonly sharing: SharingState | null;
}

interface Curve {
  readonly from: number;
  /** Where it was refused. */
  readonly peak: number;
  readonly sinceMs: number;
}

/** Starts with the whole part, or where an earlier run has left it. */
export function createSharing(startMs: number, earlier: Refusal | null) {
  // mutant: a restart forgets the shrunk part (I21)
  const growth = earlier?.sharing ?? null;
  let curve: Curve | null =
    growth === null ? null : { from: growth.from, peak: growth.peak, sinceMs: startMs + growth.growsInMs };
  let refusedAtMs = growth === null ? Number.NEGATIVE_INFINITY : startMs - growth.refusedForMs;
  let firstUntilMs = Number.NEGATIVE_INFINITY;
  let isNewcomer = false;
  let pausedUntilMs = startMs + Math.min(maxPauseMs, earlier?.pauseMs ?? 0);

  function level(nowMs: number, rules: RateLimitRules): number {
    if (curve === null) {
      return wholePart(rules);
    }
    const { from, peak, sinceMs } = curve;
    const way = Math.max(0, nowMs - sinceMs) / rules.windowMs / windowsToPeak - 1;
    const risen =
      way < 0 ? peak - (peak - from) * (-way) ** bendBefore : peak + riseBeyond * rules.limit * way ** bendBeyond;
    return Math.min(wholePart(rules), Math.max(smallestPart(rules), risen));
  }

  // A rounding of the arithmetic must not cost a slot.
  function wholeSlots(atMs: number, rules: RateLimitRules): number {
    return Math.floor(level(atMs, rules) + 1e-6);
  }

  function part(nowMs: number, rules: RateLimitRules): number {
    if (level(nowMs, rules) >= wholePart(rules)) {
      curve = null;
    }
    return wholeSlots(nowMs, rules);
  }

  return {
    /** For the next start. */
    note: (nowMs: number): Refusal => ({
      pauseMs: pausedUntilMs - nowMs,
      sharing:
        curve === null
          ? null
          : { from: curve.from, peak: curve.peak, growsInMs: curve.sinceMs - nowMs, refusedForMs: nowMs - refusedAtMs },
    }),
    /** When the last pause ends or has ended: all lanes wait until then. */
    pausedUntilMs: () => pausedUntilMs,
    /** When the last 429 came; minus infinity when nobody remembers one. */
    // mutant: a 429 is forgotten at once (I22)
    refusedAtMs: () => refusedAtMs,
    /** The part that background work may take now; whole slots. */
    part,
    /** A 429 came while so many slots counted; the part grows again when the pause ends. */
    refuse: (nowMs: number, retryAfterMs: number | undefined, used: number, rules: RateLimitRules) => {
      const isAnother = nowMs >= pausedUntilMs;
      // mutant: a 429 that names no time is followed at once
      const pauseMs = Math.min(maxPauseMs, Math.max(shortestPauseMs, retryAfterMs ?? defaultPauseMs));
      pausedUntilMs = Math.max(pausedUntilMs, nowMs + pauseMs);
      const isStray = nowMs - refusedAtMs >= windowsInDoubt * rules.windowMs;
      refusedAtMs = nowMs;
      // mutant: a 429 pauses, and shrinks nothing (A8)
      if (!isAnother) {
        return; // Several that were under way together are one.
      }
      const now = level(nowMs, rules);
      const smallest = smallestPart(rules);
      if (isStray && curve === null) {
        firstUntilMs = nowMs + firstWindows * rules.windowMs;
        isNewcomer = used < rules.limit / 2;
      }
      // mutant: whoever has the whole part and is refused keeps nothing for a newcomer, nor as one (B7, C4)
      const isFirst = !isStray && nowMs < firstUntilMs;
      const base = isStray ? now : Math.max(smallest, Math.min(now, used, rules.limit / 2)); // C2
      const left = isStray ? leftAfterStray : leftToSmall - lessToLarge * Math.min(1, (2 * base) / rules.limit);
      // Refused below where it was refused before: others need more room, so it aims lower (RFC 9438 §4.7).
      const peak = curve !== null && base < curve.peak ? (base * (1 + left)) / 2 : base;
      const least = isFirst ? rules.limit * firstPart : smallest;
      curve =
        isFirst && isNewcomer
          ? { from: least, peak: rules.limit / 2, sinceMs: pausedUntilMs } // C4
          : { from: Math.max(least, base * left), peak: Math.max(least, peak), sinceMs: pausedUntilMs }; // C1
    },
    /** How long so many background requests take as the part grows, from a moment on, if no further 429 comes. */
    forecastMs: (fromMs: number, requests: number, rules: RateLimitRules) => {
      let [atMs, left] = [fromMs, requests];
      for (;;) {
        const slots = wholeSlots(atMs, rules);
        if (slots >= wholePart(rules) || left * looksAWindow <= slots) {
          return atMs - fromMs + (left * rules.windowMs) / slots;
        }
        left -= slots / looksAWindow;
        atMs += rules.windowMs / looksAWindow;
      }
    },
    /** When the pause ends or the part will have grown by one, whichever is sooner; infinite when neither comes. */
    changesAtMs: (nowMs: number, rules: RateLimitRules) => {
      const pauseEndsAtMs = nowMs < pausedUntilMs ? pausedUntilMs : Number.POSITIVE_INFINITY;
      const next = part(nowMs, rules) + 1;
      if (curve === null) {
        return pauseEndsAtMs;
      }
      const { from, peak, sinceMs } = curve;
      const way =
        next < peak
          ? -(((peak - next) / (peak - from)) ** (1 / bendBefore))
          : ((next - peak) / (riseBeyond * rules.limit)) ** (1 / bendBeyond);
      const grownAtMs = sinceMs + windowsToPeak * rules.windowMs * (1 + way);
      return Math.min(pauseEndsAtMs, Math.max(nowMs + shortestLookMs, grownAtMs));
    },
  };
}
