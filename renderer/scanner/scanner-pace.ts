import { scannerLimits } from '../../app/contract/limits/scanner.ts';
import type { ScannerSettings } from '../../app/contract/scanner.ts';
import type { ScannerProfile } from './scanner-profile.ts';
import { splitAtPauses, textOf, type TimedCharacter } from './scan-joins.ts';

/** Two keys further apart than this have a pause between them. */
export const widestGapMs = 80;
/** So many keys are no person's at a pace that fewer could be typed at. */
const keysOfWiderPace = 6;
const widerPace = 1.3;
/** A burst that begins with the scanner's prefix may be this slow; no person goes on so after a sign. */
const prefixedGapMs = 60;
/** So many keys of a slow burst with a prefix are enough. */
const prefixedKeys = 4;
/** So many gaps at a scanner's pace are enough, though there are pauses between them. */
const gapsAcrossPauses = 5;
/** So many are enough when a check digit proves the code. */
const gapsOfProven = 3;

/** The same when the scanner's own pace is known from so many scans, and the keys come at it. */
const gapsOfKnownPace = 3;
const scansOfKnownPace = 3;

export interface PaceJudge {
  /** Two keys of a scanner further apart than this have a pause between them. */
  readonly pauseMs: number;
  /** Whether a fragment came at a scanner's pace; null for a single key. */
  readonly isFast: (fragment: readonly TimedCharacter[]) => boolean | null;
  /** Where a scanner's keys begin among these; null when they may all be a person's. */
  readonly find: (keys: readonly TimedCharacter[]) => { readonly from: number; readonly isSlow: boolean } | null;
  /** The same when a terminator has come at `endAtMs`. */
  readonly findEnded: (
    keys: readonly TimedCharacter[],
    endAtMs: number,
    isProven: (text: string) => boolean,
  ) => number | null;
  /** True when all of these and the terminator after them came at a scanner's pace. */
  readonly isTail: (keys: readonly TimedCharacter[], endAtMs: number) => boolean;
  /** How many of the last keys may yet turn out to be a scan's first ones, and so must not press or choose anything. */
  readonly gathering: (keys: readonly TimedCharacter[]) => number;
}

interface Pace {
  /** Without pauses. */
  readonly gaps: number;
  readonly meanMs: number;
  readonly pauses: number;
}

function paceOf(timesMs: readonly number[], pauseMs: number): Pace {
  const gaps = timesMs.slice(1).map((atMs, place) => atMs - (timesMs[place] ?? atMs));
  const short = gaps.filter((gap) => gap <= pauseMs);
  return {
    gaps: short.length,
    meanMs: short.length === 0 ? Number.POSITIVE_INFINITY : short.reduce((sum, gap) => sum + gap, 0) / short.length,
    pauses: gaps.length - short.length,
  };
}

/** Judges by these settings. */
export function createPaceJudge(
  settings: ScannerSettings,
  profile: () => Pick<ScannerProfile, 'scans' | 'paceMs'>,
): PaceJudge {
  const isTelling = /[^0-9A-Za-z]/.test(settings.prefix);
  const limitMs = (keys: number): number =>
    keys < keysOfWiderPace
      ? settings.meanGapMs
      : Math.max(settings.meanGapMs, Math.min(settings.meanGapMs * widerPace, scannerLimits.meanGapMs.max));
  const pauseMs = limitMs(keysOfWiderPace);
  const timesOf = (keys: readonly TimedCharacter[]): readonly number[] => keys.map(({ atMs }) => atMs);

  const isBurst = (timesMs: readonly number[]): boolean =>
    timesMs.length >= settings.charactersAtLeast && paceOf(timesMs, widestGapMs).meanMs < limitMs(timesMs.length);

  /** Several fragments: at least two gaps at a scanner's pace for each pause. */
  const isPausedBurst = (timesMs: readonly number[]): boolean => {
    const { gaps, meanMs, pauses } = paceOf(timesMs, pauseMs);
    const { scans, paceMs } = profile();
    const isKnown =
      scans >= scansOfKnownPace && paceMs !== null && meanMs < Math.min(1.5 * paceMs + 2, settings.meanGapMs / 2);
    return (
      gaps >= Math.max(isKnown ? gapsOfKnownPace : gapsAcrossPauses, settings.charactersAtLeast - 1) &&
      meanMs < settings.meanGapMs &&
      pauses * 2 <= gaps
    );
  };

  /** Where the fragments of these keys begin, the last one first. */
  const startsOf = (keys: readonly TimedCharacter[]): readonly number[] => {
    let start = keys.length;
    return splitAtPauses(keys, pauseMs)
      .toReversed()
      .map((fragment) => (start -= fragment.length));
  };

  /** The fewest last fragments of these that paused, and still came at a scanner's pace. */
  const findPaused = (keys: readonly TimedCharacter[], endMs: readonly number[]): number | null =>
    startsOf(keys).find((start) => isPausedBurst([...timesOf(keys.slice(start)), ...endMs])) ?? null;

  return {
    pauseMs,
    isFast: (fragment) =>
      fragment.length < 2 ? null : paceOf(timesOf(fragment), widestGapMs).meanMs < limitMs(fragment.length),
    find(keys) {
      const fragment = splitAtPauses(keys, widestGapMs).at(-1) ?? [];
      const from = keys.length - fragment.length;
      const text = textOf(fragment);
      const isPrefixed = isTelling && text.startsWith(settings.prefix) && text.length > settings.prefix.length;
      const { meanMs } = paceOf(timesOf(fragment), widestGapMs);
      if (isBurst(timesOf(fragment)) || (isPrefixed && meanMs < settings.meanGapMs)) {
        return { from, isSlow: false };
      }
      if (isPrefixed && fragment.length >= prefixedKeys && meanMs < prefixedGapMs) {
        return { from, isSlow: true };
      }
      const paused = findPaused(keys, []);
      return paused === null ? null : { from: paused, isSlow: false };
    },
    findEnded(keys, endAtMs, isProven) {
      const paused = findPaused(keys, [endAtMs]);
      if (paused !== null) {
        return paused;
      }
      const proven = startsOf(keys).findLast((start) => {
        const { gaps, meanMs, pauses } = paceOf([...timesOf(keys.slice(start)), endAtMs], pauseMs);
        return (
          gaps >= gapsOfProven && pauses < gaps && meanMs < settings.meanGapMs && isProven(textOf(keys.slice(start)))
        );
      });
      return proven ?? null;
    },
    isTail(keys, endAtMs) {
      const { meanMs, pauses } = paceOf([...timesOf(keys), endAtMs], pauseMs);
      return pauses === 0 && meanMs < settings.meanGapMs;
    },
    gathering(keys) {
      const fragment = splitAtPauses(keys, widestGapMs).at(-1) ?? [];
      return Math.min(
        fragment.length,
        Math.max(settings.charactersAtLeast, keysOfWiderPace, isTelling ? settings.prefix.length + 1 : 0) - 1,
      );
    },
  };
}
