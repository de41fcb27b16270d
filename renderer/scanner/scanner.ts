// Tells a barcode scanner's keys from a person's.
//
// The problem: a scanner is a keyboard. It types into whatever has the focus, and nothing marks its keys. Why the plain
// ways fail:
// - A field for scans loses those that come while the focus is elsewhere, or types them into another field.
// - A limit for the gap between two keys fails both ways: a busy machine pauses within a scan and cuts it in two, and a
//   person who types fast comes under it.
// - To wait for Enter never ends the scan of a scanner that sends Tab or nothing.
// - To go by when a key was received reads a slow page's backlog as one burst.
//
// So a burst is judged by the keys' own times, and what was typed before it was recognised is taken back.
import { defaultScanner } from '../../app/contract/limits/scanner.ts';
import type { ScannerSettings } from '../../app/contract/scanner.ts';
import { characterOf, separator, withoutMarks, type KeyPress } from './scanner-characters.ts';
import { createPaceJudge, type PaceJudge } from './scanner-pace.ts';
import { createScannerLearner, type ScannerLearner } from './scanner-profile.ts';
import {
  createScanAnswers,
  isNear,
  widestPauseMs,
  type Assembly,
  type ScannedText,
  type ScanAnswers,
} from './scan-answers.ts';
import { splitAtPauses, textOf, type TimedCharacter } from './scan-joins.ts';

/** A pause of a scan that a busy machine has made longer than any is no longer than this. */
const lostHeadMs = 1000;
/** Longer than any barcode, and all that the contract takes; what follows is dropped. */
const maxCharacters = 4096;
/** More characters than may be taken back from fields. */
export const maxGathered = 64;

/**
 * The treatment of a key.
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

/** The outcome of a key: the scans that had ended before it, its treatment, and the scans that it ends. */
export interface Judgement {
  readonly ended: readonly ScannedText[];
  readonly verdict: Verdict;
  readonly completed: readonly ScannedText[];
}

/**
 *              key             a scanner's pace            terminator
 *     idle ─────────→ gathering ─────────────→ taking ──────────────────────────────→ idle
 *      ↑ ↑ a person's key │                    │  ↑ │ silence, and proven by a check digit where no terminator is expected
 *      │ └────────────────┘                    │  │ └─────────────────────┐
 *      │                                       │  └─ its own time is older ┤
 *      │  terminator, a person's key           └─ 600 ms of silence ─→ answered
 *      └──────────────────────────────────────────────────────────────────┘
 *
 * 1. A key is swallowed only as part of a scan; a person's keys always pass.
 * 2. A terminator that a scan awaits never passes, nor does a second one within `silenceMs` behind it. Where it is known
 *    which one ends a scan, it is awaited until a person presses a key or points; otherwise for 5 s.
 * 3. Every scan is answered by its terminator. Without one it is answered by the end of 600 ms of silence; or by
 *    `silenceMs` of it, when no terminator is known to follow, its check digit proves it whole, and neither it nor one
 *    of the last scans has paused.
 * 4. Another key within a burst, a shortcut or a named key such as ArrowDown, adds nothing to it and does not end it.
 * 5. A burst that begins with the scanner's own prefix is a scan from its next character on, or, when it is slow, from
 *    its fourth key on; a prefix of letters and digits alone is no such sign, for products' codes begin so, too.
 * 6. A key's own time counts, not when it was received: what was pressed before the scan was answered continues it.
 *    None of it passes.
 * 7. Fragments that are at most 600 ms apart are read together (scan-joins.ts). What passed before the scanner was
 *    recognised is taken back as far as it belongs to the scan.
 * 8. A scan whose known terminator does not come, and which no check digit proves, is answered as pieces; so is what
 *    can be read in two ways.
 * 9. What was answered and turns out to be a part of a scan is withdrawn by the answer of the whole.
 * 10. Keys at a scanner's pace that nothing ended, a little more than 600 ms before a scan, are its lost beginning: it is
 *    answered as pieces unless its check digit proves it.
 */
export interface Scanner {
  /** Judges one key; `isEnd`: it ends a scan, whatever the settings say. */
  press(key: KeyPress, isEnd?: boolean): Judgement;
  /** To be called when `restMs` have passed since the last key; answers the scans that end with it. */
  rest(atMs: number): readonly ScannedText[];
  /**
   * To be called when a person presses something with a pointer: what was typed at a person's pace before it belongs to
   * no scan after it, and a late terminator is a person's.
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

/** The state after the keys so far. */
interface Burst {
  /** Characters that passed lately and may be a scan's. */
  chain: readonly TimedCharacter[];
  /** The chain follows keys at a scanner's pace that nothing ended, after more than a scan's pause (10). */
  hasLostHead: boolean;
  scan: Assembly | null;
}

function forget(burst: Burst): void {
  burst.chain = [];
  burst.hasLostHead = false;
  burst.scan = null;
}

const isOpen = ({ scan }: Burst): boolean => scan?.isOpen === true;

/** Takes the last keys of the chain for a scan's. */
function begin(burst: Burst, from: number, isSlow: boolean): Assembly {
  const { chain, scan } = burst;
  const [head, body] = [chain.slice(0, from), chain.slice(from)];
  const first = head[0] ?? body[0];
  const lastAtMs = body.at(-1)?.atMs ?? never;
  const isUnfinished = scan?.shown?.length === 0 && lastAtMs < scan.awaitsEndUntilMs;
  const before = scan !== null && (isUnfinished || isNear(scan, first)) ? scan : null;
  const begun: Assembly = {
    head,
    body,
    lastAtMs,
    isSlow,
    before,
    hasLostHead: burst.hasLostHead,
    isOpen: true,
    shown: null,
    isEarly: false,
    awaitsEndUntilMs: never,
    lateEnd: null,
  };
  burst.chain = [];
  burst.hasLostHead = false;
  burst.scan = begun;
  return begun;
}

/** Judges Enter and Tab: which ends a scan, and which belongs to one that has been answered. */
function createTerminatorJudge(
  burst: Burst,
  answers: ScanAnswers,
  judge: PaceJudge,
  settings: ScannerSettings,
): (press: KeyPress, isEnd: boolean) => Omit<Judgement, 'ended'> {
  // Some scanners send Enter twice, or Enter and Tab.
  let trailingUntilMs = never;
  const terminates = (press: KeyPress): boolean =>
    isEnterOrTab(press) && (settings.terminator === 'enterOrTab' || settings.terminator === endOf(press));
  const close = ({ atMs }: KeyPress): void => {
    forget(burst);
    trailingUntilMs = atMs + settings.silenceMs;
  };

  const finish = (one: Assembly, press: KeyPress): readonly ScannedText[] => {
    const completed = answers.answer(one, 'terminator', endOf(press), press.atMs);
    close(press);
    return completed;
  };

  /**
   * The rest of a scan that was answered too early: a few keys and its terminator, at a scanner's pace or as the check
   * digit wants them.
   */
  const finishTail = (before: Assembly, press: KeyPress): readonly ScannedText[] => {
    const takesBack = burst.chain.length;
    before.body = [...before.body, ...burst.chain];
    const text = textOf(before.body);
    answers.learn(before, endOf(press), press.atMs, true);
    close(press);
    return [
      { text: answers.isProven(text) ? withoutMarks(text, settings) : null, withdraws: before.shown ?? [], takesBack },
    ];
  };

  return (press, isEnd) => {
    const { chain, scan } = burst;
    if (scan?.isOpen === true) {
      if (isEnd || terminates(press)) {
        return { verdict: { kind: 'scan' }, completed: finish(scan, press) };
      }
      return { verdict: press.atMs - scan.lastAtMs < answers.silenceMs(scan) ? swallows : passes, completed: [] }; // 4
    }
    if (terminates(press) && chain.length > 0) {
      const isAwaited = scan !== null && press.atMs < Math.max(scan.awaitsEndUntilMs, scan.lastAtMs + widestPauseMs);
      const from = judge.findEnded(chain, press.atMs, answers.isProven);
      if (from !== null) {
        const taken = chain.length - from;
        const [first, ...others] = finish(begin(burst, from, false), press);
        return {
          verdict: { kind: 'scan' },
          completed: first === undefined ? [] : [{ ...first, takesBack: first.takesBack + taken }, ...others],
        };
      }
      const isProvenTail =
        scan !== null && isNear(scan, chain[0]) && answers.isProven(textOf(scan.body) + textOf(chain));
      if (scan !== null && isAwaited && (isProvenTail || judge.isTail(chain, press.atMs))) {
        return { verdict: { kind: 'scan' }, completed: finishTail(scan, press) };
      }
    }
    const isTrailing = chain.length === 0 && press.atMs < trailingUntilMs;
    const expected = answers.expectedEnd();
    const isLate =
      chain.length === 0 &&
      scan !== null &&
      terminates(press) &&
      (scan.lateEnd === endOf(press) ||
        (press.atMs < scan.awaitsEndUntilMs && (expected === 'unknown' || expected === endOf(press))));
    if (isLate) {
      answers.learn(scan, endOf(press), press.atMs, true);
      close(press);
    } else {
      forget(burst);
    }
    return { verdict: isTrailing || isLate ? swallows : passes, completed: [] }; // 2
  };
}

/** A detector in its first state; the learner outlives it. */
export function createScanner(
  settings: ScannerSettings = defaultScanner,
  learner: ScannerLearner = createScannerLearner(),
): Scanner {
  const judge = createPaceJudge(settings, () => learner.profile());
  const answers = createScanAnswers(settings, learner, judge);
  const burst: Burst = { chain: [], hasLostHead: false, scan: null };
  const judgeTerminator = createTerminatorJudge(burst, answers, judge, settings);
  // The digits since alt was pressed.
  let altDigits = '';

  const maxMs = (): number => Math.max(widestPauseMs, answers.silenceMs(burst.scan));

  const rest = (atMs: number): readonly ScannedText[] => {
    const { scan } = burst;
    if (scan === null || !scan.isOpen) {
      return [];
    }
    const quietMs = atMs - scan.lastAtMs;
    if (quietMs >= maxMs()) {
      return answers.answer(scan, 'timeout', 'none', null);
    }
    const isOver = quietMs >= answers.silenceMs(scan) && answers.isSilenceEnough(scan);
    return isOver ? answers.answer(scan, 'silence', 'none', null) : [];
  };

  const gather = (character: string, atMs: number): Verdict => {
    const { chain } = burst;
    const last = chain.at(-1);
    const isApart = last !== undefined && atMs - last.atMs > widestPauseMs;
    if (isApart) {
      const isLate = atMs - last.atMs <= lostHeadMs;
      burst.hasLostHead = isLate && judge.isFast(splitAtPauses(chain, judge.pauseMs).at(-1) ?? []) === true; // 10
    }
    burst.chain = [...(isApart ? [] : chain), { character, atMs }].slice(-maxGathered);
    const found = judge.find(burst.chain);
    if (found === null) {
      return gathers;
    }
    const { body } = begin(burst, found.from, found.isSlow);
    return { kind: 'recognise', takesBack: body.length - 1 };
  };

  /** Goes on with a scan that was answered too early, because its keys came late through a busy machine (6). */
  const resume = (atMs: number): void => {
    const { chain, scan } = burst;
    if (scan !== null && chain.length === 0) {
      scan.isOpen ||= atMs - scan.lastAtMs < (scan.isEarly ? answers.silenceMs(scan) : maxMs());
    }
  };

  const judgeCharacter = (character: string, atMs: number): Verdict => {
    resume(atMs);
    const { scan } = burst;
    if (scan?.isOpen !== true) {
      return gather(character, atMs);
    }
    if (scan.body.length < maxCharacters) {
      scan.body.push({ character, atMs });
    }
    scan.lastAtMs = atMs;
    return swallows;
  };

  const isWithinBurst = (atMs: number): boolean =>
    burst.scan?.isOpen === true && atMs - burst.scan.lastAtMs < answers.silenceMs(burst.scan);

  const judgeKey = (press: KeyPress, isEnd: boolean): Omit<Judgement, 'ended'> => {
    if (isEnterOrTab(press)) {
      return judgeTerminator(press, isEnd);
    }
    const isAltDigit = press.isAlt && /^\d$/.test(press.key) && !press.isRepeat;
    altDigits = isAltDigit ? altDigits + press.key : '';
    if (isAltDigit && altDigits.length < 4 && !separatorByAlt.test(altDigits)) {
      return { verdict: isOpen(burst) ? swallows : passes, completed: [] };
    }
    const character = separatorByAlt.test(altDigits) ? separator : characterOf(press, settings.keyboard);
    if (character !== null && !press.isRepeat) {
      return { verdict: judgeCharacter(character, press.atMs), completed: [] };
    }
    if (!isOpen(burst)) {
      forget(burst);
    }
    return { verdict: isWithinBurst(press.atMs) ? swallows : passes, completed: [] }; // 4
  };

  return {
    get isScanning() {
      return isOpen(burst);
    },
    get restMs() {
      const { scan } = burst;
      return scan?.isOpen === true && answers.isSilenceEnough(scan) ? answers.silenceMs(scan) : maxMs();
    },
    get gathering() {
      return isOpen(burst) ? 0 : judge.gathering(burst.chain);
    },
    rest,
    point() {
      if (burst.scan !== null) {
        burst.scan.lateEnd = null;
      }
      if (judge.isFast(splitAtPauses(burst.chain, judge.pauseMs).at(-1) ?? []) !== true) {
        burst.chain = [];
      }
    },
    press(key, isEnd = false) {
      const ended = rest(key.atMs);
      if (bystanders.has(key.key) && (key.isChord || characterOf(key, settings.keyboard) === null)) {
        altDigits = '';
        return { ended, verdict: isWithinBurst(key.atMs) ? swallows : passes, completed: [] };
      }
      return { ended, ...judgeKey(key, isEnd) };
    },
  };
}
