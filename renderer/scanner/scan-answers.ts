import type { ScannerSettings } from '../../app/contract/scanner.ts';
import { withoutMarks } from './scanner-characters.ts';
import type { PaceJudge } from './scanner-pace.ts';
import type { ScanEnd, ScannerLearner } from './scanner-profile.ts';
import {
  isWholeGtin,
  provesItself,
  readFragments,
  splitAtPauses,
  textOf,
  type Fragment,
  type Reading,
  type TimedCharacter,
} from './scan-joins.ts';

/** Keys up to this far apart may belong to the same scan. */
export const widestPauseMs = 600;
/** So long after a scan that was to end with a key, its rest still belongs to it. */
export const lateTerminatorMs = 5000;
/** A prefixed scan that is slow ends no sooner. */
const slowSilenceMs = 120;
const never = Number.NEGATIVE_INFINITY;

/** The outcome of a scan. */
export interface ScannedText {
  /** Null when it came in pieces that cannot be put together. */
  readonly text: string | null;
  /** Texts that were read too early in this one's place, to be withdrawn before it; oldest first. */
  readonly withdraws: readonly string[];
  /** So many of the gathered keys belong to it, too, and are to be taken back. */
  readonly takesBack: number;
}

/** A scan from its recognition on. */
export interface Assembly {
  /** Passed before it, and may belong to it. */
  head: readonly TimedCharacter[];
  body: TimedCharacter[];
  lastAtMs: number;
  readonly isSlow: boolean;
  /** Its first keys came too long before the others to be read together with them. */
  readonly hasLostHead: boolean;
  /** The scan that was answered before it, when both may be one. */
  before: Assembly | null;
  isOpen: boolean;
  /** The texts it was answered with; null when not yet, empty for pieces. */
  shown: readonly string[] | null;
  /** Answered by a short silence. */
  isEarly: boolean;
  awaitsEndUntilMs: number;
  /** The terminator that belongs to it however late it comes; null when none does. */
  lateEnd: 'enter' | 'tab' | null;
}

/** True when the scan before this one is near enough to be a part of the same. */
export function isNear(before: Assembly, first: TimedCharacter | undefined): boolean {
  return first !== undefined && first.atMs - before.lastAtMs <= widestPauseMs;
}

export type ScanAnswers = ReturnType<typeof createScanAnswers>;

/** Reads scans by the settings and by what was learnt. The numbers are the invariants of scanner.ts. */
export function createScanAnswers(settings: ScannerSettings, learner: ScannerLearner, judge: PaceJudge) {
  const isProven = (text: string): boolean => provesItself(text, settings);
  /** With which key the scan will end, as far as it is known. */
  const expectedEnd = (): ScanEnd =>
    settings.terminator === 'enterOrTab' ? learner.profile().end : settings.terminator;
  const isEndKnown = (): boolean => expectedEnd() === 'enter' || expectedEnd() === 'tab';
  const isPausing = (): boolean => learner.profile().pausedScans > 0;
  /** A silence that may end this scan. */
  const silenceMs = (one: Pick<Assembly, 'isSlow'> | null): number =>
    one?.isSlow === true ? Math.max(settings.silenceMs, slowSilenceMs) : settings.silenceMs;
  const fragmentsOf = (keys: readonly TimedCharacter[], pauseMs: number): readonly Fragment[] =>
    splitAtPauses(keys, pauseMs).map((one) => ({ text: textOf(one), isFast: judge.isFast(one) }));
  const readBody = ({ head, body, isSlow }: Assembly): Reading =>
    readFragments(fragmentsOf(head, judge.pauseMs), fragmentsOf(body, silenceMs({ isSlow })), {
      isEndKnown: isEndKnown(),
      isPausing: isPausing(),
      isProven,
    });
  const keysOfHead = ({ head }: Assembly, fragments: number): number =>
    splitAtPauses(head, judge.pauseMs)
      .slice(-fragments)
      .reduce((sum, one) => sum + one.length, 0);

  /** Reads a scan together with the one that was answered before it (7, 9). */
  const readWithBefore = (one: Assembly, before: Assembly): Reading & { readonly isJoined: boolean } => {
    const own = readBody(one);
    const together = {
      texts: [textOf(before.body) + textOf(one.head) + textOf(one.body)],
      fromHead: splitAtPauses(one.head, judge.pauseMs).length,
      isJoined: true,
    };
    const isTogetherProven = isProven(together.texts[0] ?? '');
    const isOwnProven = own.texts?.every(isProven) === true;
    if (isTogetherProven && (isNear(before, one.head[0] ?? one.body[0]) || !isOwnProven)) {
      return together;
    }
    const isRepetition = own.texts?.[0]?.startsWith(textOf(before.body)) === true;
    return isOwnProven || isRepetition
      ? { ...own, isJoined: false }
      : { texts: null, fromHead: own.fromHead, isJoined: true };
  };

  const learn = (one: Assembly, end: 'enter' | 'tab' | 'none', endAtMs: number | null, isAgain: boolean): void => {
    const isPartOfBurst = endAtMs !== null && endAtMs - one.lastAtMs <= widestPauseMs;
    const times = [...one.body.map(({ atMs }) => atMs), ...(isPartOfBurst ? [endAtMs] : [])];
    learner.take({ gapsMs: times.slice(1).map((atMs, place) => atMs - (times[place] ?? atMs)), end }, isAgain);
  };

  /** Answers a scan, and answers it anew when it was answered too early. */
  const answer = (
    one: Assembly,
    how: 'terminator' | 'silence' | 'timeout',
    end: 'enter' | 'tab' | 'none',
    endAtMs: number | null,
  ): readonly ScannedText[] => {
    const expected = expectedEnd();
    const reading = one.before === null ? { ...readBody(one), isJoined: false } : readWithBefore(one, one.before);
    const isUnfinished = how === 'timeout' && isEndKnown() && reading.texts?.every(isProven) !== true;
    const isCut = one.hasLostHead && reading.texts?.every(isProven) !== true;
    const texts = isUnfinished || isCut ? null : reading.texts; // 8, 10
    const withdraws = [...(reading.isJoined ? (one.before?.shown ?? []) : []), ...(one.shown ?? [])];
    const takesBack = reading.fromHead === 0 ? 0 : keysOfHead(one, reading.fromHead);
    one.body = [
      ...(reading.isJoined ? (one.before?.body ?? []) : []),
      ...(takesBack === 0 ? [] : one.head.slice(-takesBack)),
      ...one.body,
    ];
    const isAgain = one.shown !== null || (reading.isJoined && one.before !== null);
    one.head = [];
    one.before = null;
    one.isOpen = false;
    one.isEarly = how === 'silence';
    learn(one, end, endAtMs, isAgain);
    one.awaitsEndUntilMs = how === 'terminator' || expectedEnd() === 'none' ? never : one.lastAtMs + lateTerminatorMs;
    one.lateEnd = how !== 'terminator' && (expected === 'enter' || expected === 'tab') ? expected : null;
    const shown = texts?.map((text) => withoutMarks(text, settings)) ?? null;
    one.shown = shown ?? [];
    const [first = null, ...others] = shown ?? [null];
    return [{ text: first, withdraws, takesBack }, ...others.map((text) => ({ text, withdraws: [], takesBack: 0 }))];
  };

  /** True when a short silence is enough (3). */
  const isSilenceEnough = (one: Assembly): boolean => {
    const text = textOf(one.body);
    const hasPaused = isPausing() || splitAtPauses([...one.head, ...one.body], silenceMs(one)).length > 1;
    return (
      !isEndKnown() &&
      !hasPaused &&
      (isWholeGtin(text, settings) || (settings.suffix !== '' && text.endsWith(settings.suffix)))
    );
  };

  return { isProven, expectedEnd, silenceMs, learn, answer, isSilenceEnough };
}
