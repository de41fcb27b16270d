import { defaultScanner } from '../../app/contract/limits.ts';
import type { ScannerSettings } from '../../app/contract/scanner.ts';
import { characterOf, separator, withoutMarks, type KeyPress } from './scanner-characters.ts';
import { createPaceJudge } from './scanner-pace.ts';
import { createScannerLearner, type ScanEnd, type ScannerLearner } from './scanner-profile.ts';
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
/** So long after a scan that was to end with a key, that key still belongs to it. */
export const lateTerminatorMs = 5000;
/** A prefixed scan that is slow ends no sooner. */
const slowSilenceMs = 120;
/** Longer than any barcode, and all that the contract takes; what follows is dropped. */
const maxCharacters = 4096;
/** More characters than may be taken back from fields. */
export const maxGathered = 64;

/**
 * What to do with a key.
 * - `pass`: it is a person's, or nobody knows yet; `isGathered` says that it may turn out to be a scan's.
 * - `recognise`: with this key the burst is a scan: keep this key from the page, and take back the last `takesBack` of
 *   the gathered keys.
 * - `swallow`: belongs to a scan; keep it from the page.
 * - `scan`: ends a scan; keep it from the page.
 */
export type Verdict =
  | { readonly kind: 'pass'; readonly isGathered: boolean }
  | { readonly kind: 'recognise'; readonly takesBack: number }
  | { readonly kind: 'swallow' }
  | { readonly kind: 'scan' };

/** What a scan came to. */
export interface HeardScan {
  /** Null when it came in pieces that cannot be put together. */
  readonly text: string | null;
  /** What was heard too early in this one's place, to be withdrawn before it; oldest first. */
  readonly withdraws: readonly string[];
  /** So many of the gathered keys belong to it, too, and are to be taken back. */
  readonly takesBack: number;
}

/** What becomes of a key: the scans that had ended before it, what to do with it, and the scans that it ends. */
export interface Judgement {
  readonly ended: readonly HeardScan[];
  readonly verdict: Verdict;
  readonly heard: readonly HeardScan[];
}

/**
 *              key             a scanner's pace            terminator
 *     idle ─────────→ gathering ─────────────→ taking ──────────────────────────────→ idle
 *      ↑ ↑ a person's key │                    │  ↑ │ silence, and proven by a check digit where no terminator is expected
 *      │ └────────────────┘                    │  │ └─────────────────────┐
 *      │                                       │  └─ its own time is older ┤
 *      │  terminator, a person's key, 5 s      └─ 600 ms of silence ─→ answered
 *      └──────────────────────────────────────────────────────────────────┘
 *
 * 1. A key is swallowed only as part of a scan; a person's keys always pass.
 * 2. A terminator that a scan awaits never passes, nor does a second one right behind it.
 * 3. Every scan is answered by its terminator. Without one it is answered by the end of 600 ms of silence; or by `silenceMs` of it, when no
 *    terminator is known to follow, its check digit proves it whole, and neither it nor one of the last scans has paused.
 * 4. Another key within a burst, a shortcut or a named key such as ArrowDown, adds nothing to it and does not end it.
 * 5. A burst that begins with the scanner's own prefix is a scan from its next character on, or, when it is slow, from its fourth key on;
 *    a prefix of letters and digits alone is no such sign, for products' codes begin so, too.
 * 6. A key's own time counts, not that of its hearing: what was pressed before the scan was answered continues it. None of it passes.
 * 7. Fragments that are at most 600 ms apart are read together (scan-joins.ts). What passed before the scanner was recognised is taken back
 *    as far as it belongs to the scan.
 * 8. A scan whose known terminator does not come, and which no check digit proves, is answered as pieces; so is what can be read in two ways.
 * 9. What was answered and turns out to be a part of a scan is withdrawn by the answer of the whole.
 */
export interface Scanner {
  /** Judges one key. */
  press(key: KeyPress): Judgement;
  /** To be called when `restMs` have passed since the last key; answers the scans that end with it. */
  rest(atMs: number): readonly HeardScan[];
  /**
   * To be called when a person presses something with a pointer: what was typed at a person's pace before it belongs to
   * no scan after it.
   */
  point(): void;
  /** How long nothing must come before `rest` may answer. */
  readonly restMs: number;
  /** True while keys are taken. */
  readonly isScanning: boolean;
  /**
   * How many of the last characters may be a scan's first ones; those before them can be given to what has the focus.
   */
  readonly gathering: number;
}

/** The separator as digits typed while alt is held: 29, 029 or 0029. */
const separatorByAlt = /^0{0,2}29$/;
const bystanders = new Set([
  'Shift',
  'Control',
  'Alt',
  'AltGraph',
  'CapsLock',
  'NumLock',
  'Dead',
  'Unidentified',
  'Process',
]);

const passes: Verdict = { kind: 'pass', isGathered: false };
const gathers: Verdict = { kind: 'pass', isGathered: true };
const swallows: Verdict = { kind: 'swallow' };
const never = Number.NEGATIVE_INFINITY;

const isEnterOrTab = ({ key, isChord }: KeyPress): boolean => (key === 'Enter' || key === 'Tab') && !isChord;
const endOf = ({ key }: KeyPress): 'enter' | 'tab' => (key === 'Enter' ? 'enter' : 'tab');

/** A scan from its recognition on. */
interface Assembly {
  /** Passed before it, and may belong to it. */
  head: readonly TimedCharacter[];
  body: TimedCharacter[];
  lastAtMs: number;
  readonly isSlow: boolean;
  /** The scan that was answered before it, when both may be one. */
  before: Assembly | null;
  isOpen: boolean;
  /** What it was answered with; null when not yet, empty for pieces. */
  shown: readonly string[] | null;
  /** Answered by a short silence. */
  isEarly: boolean;
  awaitsEndUntilMs: number;
}

/** A detector in its first state; the learner outlives it. */
export function createScanner(
  settings: ScannerSettings = defaultScanner,
  learner: ScannerLearner = createScannerLearner(),
): Scanner {
  const judge = createPaceJudge(settings, () => learner.profile());
  const isProven = (text: string): boolean => provesItself(text, settings);
  // What passed lately and may be a scan's.
  let chain: readonly TimedCharacter[] = [];
  let scan: Assembly | null = null;
  let trailingUntilMs = never;
  // The digits since alt was pressed.
  let altDigits = '';

  const expectedEnd = (): ScanEnd =>
    settings.terminator === 'enterOrTab' ? learner.profile().end : settings.terminator;
  const isEndKnown = (): boolean => expectedEnd() === 'enter' || expectedEnd() === 'tab';
  const isPausing = (): boolean => learner.profile().pausedScans > 0;
  const silenceMs = (): number =>
    scan?.isSlow === true ? Math.max(settings.silenceMs, slowSilenceMs) : settings.silenceMs;
  const maxMs = (): number => Math.max(widestPauseMs, silenceMs());
  const terminates = (press: KeyPress): boolean =>
    isEnterOrTab(press) && (settings.terminator === 'enterOrTab' || settings.terminator === endOf(press));
  const fragmentsOf = (keys: readonly TimedCharacter[], pauseMs: number): readonly Fragment[] =>
    splitAtPauses(keys, pauseMs).map((one) => ({ text: textOf(one), isFast: judge.isFast(one) }));
  const readBody = ({ head, body }: Pick<Assembly, 'head' | 'body'>): Reading =>
    readFragments(fragmentsOf(head, judge.pauseMs), fragmentsOf(body, silenceMs()), {
      isEndKnown: isEndKnown(),
      isPausing: isPausing(),
      isProven,
    });
  const keysOfHead = ({ head }: Assembly, fragments: number): number =>
    splitAtPauses(head, judge.pauseMs)
      .slice(-fragments)
      .reduce((sum, one) => sum + one.length, 0);

  /** True when the scan before this one is near enough to be a part of the same. */
  const isNear = (before: Assembly, first: TimedCharacter | undefined): boolean =>
    first !== undefined && first.atMs - before.lastAtMs <= widestPauseMs;

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
  ): readonly HeardScan[] => {
    const reading = one.before === null ? { ...readBody(one), isJoined: false } : readWithBefore(one, one.before);
    const isUnfinished = how === 'timeout' && isEndKnown() && reading.texts?.every(isProven) !== true;
    const texts = isUnfinished ? null : reading.texts; // 8
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
    const shown = texts?.map((text) => withoutMarks(text, settings)) ?? null;
    one.shown = shown ?? [];
    const [first = null, ...others] = shown ?? [null];
    return [{ text: first, withdraws, takesBack }, ...others.map((text) => ({ text, withdraws: [], takesBack: 0 }))];
  };

  /** True when a short silence is enough (3). */
  const isSilenceEnough = (one: Assembly): boolean => {
    const text = textOf(one.body);
    const hasPaused = isPausing() || splitAtPauses([...one.head, ...one.body], silenceMs()).length > 1;
    return (
      !isEndKnown() &&
      !hasPaused &&
      (isWholeGtin(text, settings) || (settings.suffix !== '' && text.endsWith(settings.suffix)))
    );
  };

  const rest = (atMs: number): readonly HeardScan[] => {
    if (scan === null || !scan.isOpen) {
      return [];
    }
    const quietMs = atMs - scan.lastAtMs;
    if (quietMs >= maxMs()) {
      return answer(scan, 'timeout', 'none', null);
    }
    return quietMs >= silenceMs() && isSilenceEnough(scan) ? answer(scan, 'silence', 'none', null) : [];
  };

  /** Takes the last keys of the chain for a scan's. */
  const begin = (from: number, isSlow: boolean): Assembly => {
    const [head, body] = [chain.slice(0, from), chain.slice(from)];
    const first = head[0] ?? body[0];
    const lastAtMs = body.at(-1)?.atMs ?? never;
    const isUnfinished = scan?.shown?.length === 0 && lastAtMs < scan.awaitsEndUntilMs;
    const before = scan !== null && (isUnfinished || isNear(scan, first)) ? scan : null;
    chain = [];
    scan = { head, body, lastAtMs, isSlow, before, isOpen: true, shown: null, isEarly: false, awaitsEndUntilMs: never };
    return scan;
  };

  const finish = (one: Assembly, press: KeyPress): readonly HeardScan[] => {
    const heard = answer(one, 'terminator', endOf(press), press.atMs);
    scan = null;
    chain = [];
    // Some scanners send Enter twice, or Enter and Tab.
    trailingUntilMs = press.atMs + settings.meanGapMs;
    return heard;
  };

  /**
   * The rest of a scan that was answered too early: a few keys and its terminator, at a scanner's pace or as the check
   * digit wants them.
   */
  const finishTail = (before: Assembly, press: KeyPress): readonly HeardScan[] => {
    const [tail, isWhole] = [chain, isProven(textOf(before.body) + textOf(chain))];
    before.body = [...before.body, ...tail];
    const withdraws = before.shown ?? [];
    learn(before, endOf(press), press.atMs, true);
    scan = null;
    chain = [];
    trailingUntilMs = press.atMs + settings.meanGapMs;
    return [{ text: isWhole ? withoutMarks(textOf(before.body), settings) : null, withdraws, takesBack: tail.length }];
  };

  const judgeTerminator = (press: KeyPress): Omit<Judgement, 'ended'> => {
    if (scan?.isOpen === true) {
      if (terminates(press)) {
        return { verdict: { kind: 'scan' }, heard: finish(scan, press) };
      }
      return { verdict: press.atMs - scan.lastAtMs < silenceMs() ? swallows : passes, heard: [] }; // 4
    }
    if (terminates(press) && chain.length > 0) {
      const isAwaited = scan !== null && press.atMs < Math.max(scan.awaitsEndUntilMs, scan.lastAtMs + widestPauseMs);
      const from = judge.findEnded(chain, press.atMs, isProven);
      if (from !== null) {
        const taken = chain.length - from;
        const [first, ...others] = finish(begin(from, false), press);
        return {
          verdict: { kind: 'scan' },
          heard: first === undefined ? [] : [{ ...first, takesBack: first.takesBack + taken }, ...others],
        };
      }
      const isProvenTail = scan !== null && isNear(scan, chain[0]) && isProven(textOf(scan.body) + textOf(chain));
      if (scan !== null && isAwaited && (isProvenTail || judge.isTail(chain, press.atMs))) {
        return { verdict: { kind: 'scan' }, heard: finishTail(scan, press) };
      }
    }
    const isTrailing = chain.length === 0 && press.atMs < trailingUntilMs;
    const expected = expectedEnd();
    const isLate =
      chain.length === 0 &&
      scan !== null &&
      press.atMs < scan.awaitsEndUntilMs &&
      terminates(press) &&
      (expected === 'unknown' || expected === endOf(press));
    if (isLate && scan !== null) {
      learn(scan, endOf(press), press.atMs, true);
      trailingUntilMs = press.atMs + settings.meanGapMs;
    }
    scan = null;
    chain = [];
    return { verdict: isTrailing || isLate ? swallows : passes, heard: [] }; // 2
  };

  const gather = (character: string, atMs: number): Verdict => {
    const last = chain.at(-1);
    chain = [...(last !== undefined && atMs - last.atMs > widestPauseMs ? [] : chain), { character, atMs }].slice(
      -maxGathered,
    );
    const found = judge.find(chain);
    if (found === null) {
      return gathers;
    }
    const { body } = begin(found.from, found.isSlow);
    return { kind: 'recognise', takesBack: body.length - 1 };
  };

  /** Goes on with a scan that was answered too early, because its keys came late through a busy machine (6). */
  const resume = (atMs: number): void => {
    if (
      scan !== null &&
      !scan.isOpen &&
      chain.length === 0 &&
      atMs - scan.lastAtMs < (scan.isEarly ? silenceMs() : maxMs())
    ) {
      scan.isOpen = true;
    }
  };

  const judgeCharacter = (character: string, atMs: number): Verdict => {
    resume(atMs);
    if (scan?.isOpen !== true) {
      return gather(character, atMs);
    }
    if (scan.body.length < maxCharacters) {
      scan.body.push({ character, atMs });
    }
    scan.lastAtMs = atMs;
    return swallows;
  };

  const isWithinBurst = (atMs: number): boolean => scan?.isOpen === true && atMs - scan.lastAtMs < silenceMs();

  const judgeKey = (press: KeyPress): Omit<Judgement, 'ended'> => {
    if (isEnterOrTab(press)) {
      return judgeTerminator(press);
    }
    const isAltDigit = press.isAlt && /^\d$/.test(press.key) && !press.isRepeat;
    altDigits = isAltDigit ? altDigits + press.key : '';
    if (isAltDigit && altDigits.length < 4 && !separatorByAlt.test(altDigits)) {
      return { verdict: scan?.isOpen === true ? swallows : passes, heard: [] };
    }
    const character = separatorByAlt.test(altDigits) ? separator : characterOf(press, settings.keyboard);
    if (character !== null && !press.isRepeat) {
      return { verdict: judgeCharacter(character, press.atMs), heard: [] };
    }
    if (scan?.isOpen !== true) {
      chain = [];
      scan = null;
    }
    return { verdict: isWithinBurst(press.atMs) ? swallows : passes, heard: [] }; // 4
  };

  return {
    get isScanning() {
      return scan?.isOpen === true;
    },
    get restMs() {
      return scan?.isOpen === true && isSilenceEnough(scan) ? silenceMs() : maxMs();
    },
    get gathering() {
      return scan?.isOpen === true ? 0 : judge.gathering(chain);
    },
    rest,
    point() {
      if (judge.isFast(splitAtPauses(chain, judge.pauseMs).at(-1) ?? []) !== true) {
        chain = [];
      }
    },
    press(key) {
      const ended = rest(key.atMs);
      if (bystanders.has(key.key) && (key.isChord || characterOf(key, settings.keyboard) === null)) {
        altDigits = '';
        return { ended, verdict: isWithinBurst(key.atMs) ? swallows : passes, heard: [] };
      }
      return { ended, ...judgeKey(key) };
    },
  };
}
