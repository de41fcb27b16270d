// Owns how much of the limit background work takes while others share it, who say nothing of themselves but for the platform's
// 429. Pure arithmetic over uptime; never waits and never pauses anything.
//
//   whole ──429──▶ shrunk ──grows──▶ where it was refused ──waits there──▶ beyond it, ever faster ──▶ whole
//                    ▲                                                        │
//                    └──────────────────────429───────────────────────────────┘
//
// It grows as TCP CUBIC does (RFC 9438 §4): fast at first, slowly around the level at which it was refused, then faster. Whoever has more is
// refused more often and loses more, whoever has less grows alike: so terminals that never talk settle to equal parts.
//
//   C1  A 429 shrinks the part at once, and never below the smallest part.
//   C2  The first 429 after a while may be a stray one: it costs a share of what was allowed. One that follows within two windows
//       shows that others are there: it costs a share of what was used, which is what this terminal got when the limit was hit.
//   C3  Without a further 429 the part is whole again within half an hour, and after a stray one nearly so within four windows.
import { smallestPart, wholePart, type AllowanceRules } from './rules.ts';

/** What is left of the part after a 429. */
const shrinkTo = 0.75;
/** How fast the part grows, as a part of the limit, in the third power of windows. */
const growth = 0.0005;
/** A 429 within so many windows of the one before is no stray one. */
const windowsInDoubt = 2;

export interface Sharing {
  /** The part that background work may take now; whole slots. */
  part(nowMs: number, rules: AllowanceRules): number;
  /** A 429 came while so many slots counted; growth begins again at `resumeAtMs`. */
  refuse(nowMs: number, resumeAtMs: number, used: number, rules: AllowanceRules): void;
  /** When the part will have grown by one, at most; null when it is whole. */
  grownAtMs(nowMs: number, rules: AllowanceRules): number | null;
}

interface Curve {
  /** Where it was refused. */
  readonly peak: number;
  readonly from: number;
  readonly sinceMs: number;
}

/** Starts with the whole part. */
export function createSharing(): Sharing {
  let curve: Curve | null = null;
  let refusedAtMs = Number.NEGATIVE_INFINITY;

  /** How many windows it takes from the shrunk part back to the peak. */
  function windowsToPeak({ peak, from }: Curve, rules: AllowanceRules): number {
    return Math.cbrt((peak - from) / (growth * rules.limit));
  }

  function level(nowMs: number, rules: AllowanceRules): number {
    const whole = wholePart(rules);
    if (curve === null) {
      return whole;
    }
    const windows = Math.max(0, nowMs - curve.sinceMs) / rules.windowMs - windowsToPeak(curve, rules);
    return Math.min(whole, Math.max(smallestPart(rules), curve.peak + growth * rules.limit * windows ** 3));
  }

  function part(nowMs: number, rules: AllowanceRules): number {
    const now = level(nowMs, rules);
    if (curve !== null && now >= wholePart(rules)) {
      curve = null;
    }
    // A rounding of the arithmetic must not cost a slot.
    return Math.floor(now + 1e-6);
  }

  return {
    part,
    refuse: (nowMs, resumeAtMs, used, rules) => {
      const now = level(nowMs, rules);
      const isAgain = nowMs - refusedAtMs < windowsInDoubt * rules.windowMs;
      const base = isAgain ? Math.min(now, Math.max(used, smallestPart(rules))) : now; // C2
      // Refused below where it was refused before: others need more room, so it aims lower (RFC 9438 §4.7).
      const peak = curve !== null && base < curve.peak ? (base * (1 + shrinkTo)) / 2 : base;
      curve = { peak, from: Math.min(peak, Math.max(smallestPart(rules), base * shrinkTo)), sinceMs: resumeAtMs }; // C1
      refusedAtMs = nowMs;
    },
    grownAtMs: (nowMs, rules) => {
      const now = part(nowMs, rules);
      if (curve === null) {
        return null;
      }
      const windows = windowsToPeak(curve, rules) + Math.cbrt((now + 1 - curve.peak) / (growth * rules.limit));
      return Math.max(nowMs + 1, curve.sinceMs + windows * rules.windowMs);
    },
  };
}
