// Owns the question whether keys come from a barcode scanner that acts as a keyboard, or from a person. Pure: it is told each
// key and its time, and says what is to be done with it. Never touches the page; scanner-keys.ts does.
import { usualScanner, type ScannerSettings } from '../app/contract/scanner.ts';
import { characterOf, separator, withoutMarks, type KeyPress } from './scanner-characters.ts';

/** Two keys further apart than this do not belong to the same burst, before it is known to be a scan. */
export const widestGapMs = 80;
/** A burst that begins with the scanner's prefix may be this slow; no person goes on so after a sign. */
const prefixedGapMs = 60;
/** So many keys of a slow burst with a prefix are enough. */
const prefixedKeys = 4;
/** A terminator that comes this late after the silence that answered its scan still belongs to it. */
const lateTerminatorMs = 170;
/** Longer than any barcode, and all that the contract takes; what follows is dropped. */
const charactersAtMost = 4096;

/**
 * What to do with a key.
 * - `pass`: it is a person's, or nobody knows yet; `isGathered` says that it may turn out to be a scan's.
 * - `recognise`: with this key the burst is a scan: keep this key from the page, and take back the `gathered` keys before it.
 * - `swallow`: belongs to a scan; keep it from the page.
 * - `scan`: ends a scan; keep it from the page and look `text` up.
 */
export type Verdict =
  | { readonly kind: 'pass'; readonly isGathered: boolean }
  | { readonly kind: 'recognise'; readonly gathered: number }
  | { readonly kind: 'swallow' }
  | { readonly kind: 'scan'; readonly text: string };

/**
 *                fast key                enough fast keys         terminator, or silence
 *     idle ───────────────→ gathering ───────────────→ scanning ─────────────────────────→ idle
 *       ↑   slow key, chord, repeat │                     │  slow key: that key begins anew
 *       └───────────────────────────┘                     └─ characters are swallowed
 *
 * 1. A key is swallowed only as part of a scan; a person's keys always pass.
 * 2. A scan's terminator never passes, not even one that comes late or a second one right behind it.
 * 3. Every scan is answered exactly once: by its terminator, by silence, or by the key that begins the next burst.
 * 4. Any other key within a scan, a shortcut or a named key such as ArrowDown, adds nothing and does not end it: when it is what the
 *    scanner ends with, silence answers the scan, and when characters follow it they still belong to it.
 * 5. A burst that begins with the scanner's own prefix is a scan from its next character on, or, when it is slow, from its fourth key on;
 *    a prefix of letters and digits alone is no such sign, for products' codes begin so, too.
 * 6. A key's own time counts, not that of its hearing: what comes after the silence, but was pressed within it, continues the scan, which is
 *    answered anew as a whole. None of it passes.
 */
export interface Scanner {
  /** Judges one key. A scan that silence should have ended before this key is answered first, through `ended`. */
  press(key: KeyPress): { readonly verdict: Verdict; readonly ended: string | null };
  /** To be called when `silenceMs` have passed since the last key; answers the scan that ends with it. */
  rest(atMs: number): string | null;
  /** How long nothing must come for the present scan to end. */
  readonly silenceMs: number;
  readonly isScanning: boolean;
  /** How many of the last characters may still turn out to be a scan's; all before them are known to be a person's. */
  readonly gathering: number;
}

/** The separator as digits typed while alt is held: 29, 029 or 0029. */
const separatorByAlt = /^0{0,2}29$/;

const bystanders = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock', 'NumLock', 'Dead', 'Unidentified', 'Process']);

const passes: Verdict = { kind: 'pass', isGathered: false };
const gathers: Verdict = { kind: 'pass', isGathered: true };
const swallows: Verdict = { kind: 'swallow' };

const isEnterOrTab = ({ key, isChord }: KeyPress): boolean => (key === 'Enter' || key === 'Tab') && !isChord;

/** A detector in its first state. */
export function createScanner(settings: ScannerSettings = usualScanner): Scanner {
  const isTelling = /[^0-9A-Za-z]/.test(settings.prefix); // 5
  let text = '';
  let times: number[] = [];
  // False when the first keys of the burst were found to be a person's.
  let isWhole = true;
  let isScanning = false;
  let isSlow = false;
  // Until when a terminator still belongs to the last scan: the one that was awaited, or any right behind it.
  let lateUntil = Number.NEGATIVE_INFINITY;
  let trailingUntil = Number.NEGATIVE_INFINITY;
  // The scan that silence answered last: keys that were on their way for so long still belong to it, by their own time (6).
  let silenced: { readonly text: string; readonly lastAt: number; readonly isSlow: boolean } | null = null;
  // The digits since alt was pressed.
  let altDigits = '';

  const forget = (): void => {
    text = '';
    times = [];
    isWhole = true;
    isScanning = false;
    isSlow = false;
  };

  const finish = (): string => {
    const scanned = withoutMarks(text, settings);
    forget();
    return scanned;
  };

  const lastAt = (): number => times.at(-1) ?? Number.NEGATIVE_INFINITY;
  const silence = (): number => (isSlow ? Math.max(settings.silenceMs, 2 * prefixedGapMs) : settings.silenceMs);

  const rest = (atMs: number): string | null => {
    if (!isScanning || atMs - lastAt() < silence()) {
      return null;
    }
    lateUntil = lastAt() + silence() + lateTerminatorMs;
    silenced = { text, lastAt: lastAt(), isSlow };
    return finish();
  };

  const terminates = (press: KeyPress): boolean =>
    isEnterOrTab(press) && (settings.terminator === 'enterOrTab' || settings.terminator === (press.key === 'Enter' ? 'enter' : 'tab'));

  const judgeTerminator = (press: KeyPress): Verdict => {
    if (isScanning && terminates(press)) {
      // Some scanners send Enter twice, or Enter and Tab.
      trailingUntil = press.atMs + settings.meanGapMs;
      return { kind: 'scan', text: finish() };
    }
    if (isScanning) {
      return swallows; // 4
    }
    forget();
    if (press.atMs < trailingUntil) {
      return swallows;
    }
    const isLate = press.atMs < lateUntil && terminates(press);
    lateUntil = Number.NEGATIVE_INFINITY;
    trailingUntil = isLate ? press.atMs + settings.meanGapMs : Number.NEGATIVE_INFINITY;
    return isLate ? swallows : passes;
  };

  const pace = (): number => (times.length < 2 ? Number.POSITIVE_INFINITY : (lastAt() - (times[0] ?? 0)) / (times.length - 1));
  const isPrefixed = (): boolean => isTelling && isWhole && text.startsWith(settings.prefix) && text.length > settings.prefix.length;
  const mayBePrefixed = (): boolean => isTelling && isWhole && (settings.prefix.startsWith(text) || (text.startsWith(settings.prefix) && times.length < prefixedKeys));

  const recognise = (): Verdict => {
    isScanning = true;
    return { kind: 'recognise', gathered: times.length - 1 };
  };

  const gather = (character: string, atMs: number): Verdict => {
    if (atMs - lastAt() > widestGapMs) {
      forget();
    }
    lateUntil = Number.NEGATIVE_INFINITY;
    trailingUntil = Number.NEGATIVE_INFINITY;
    text += character;
    times.push(atMs);
    if (pace() < settings.meanGapMs && (times.length >= settings.charactersAtLeast || isPrefixed())) {
      return recognise();
    }
    if (times.length >= prefixedKeys && isPrefixed() && pace() < prefixedGapMs) {
      isSlow = true;
      return recognise();
    }
    if (times.length >= settings.charactersAtLeast && !mayBePrefixed()) {
      // Too slow as a whole: the oldest key was a person's, the rest may still be a scanner's.
      text = text.slice(1);
      times.shift();
      isWhole = false;
    }
    return gathers;
  };

  /** Goes on with a scan that was answered too early, because its keys came late through a busy machine. */
  const resume = (press: KeyPress): void => {
    const before = silenced;
    silenced = null;
    if (before !== null && !isScanning && text === '' && !isEnterOrTab(press) && press.atMs - before.lastAt < settings.silenceMs) {
      ({ text, isSlow } = before);
      times = [before.lastAt];
      isScanning = true;
    }
  };

  const judge = (press: KeyPress): Verdict => {
    resume(press);
    if (isEnterOrTab(press)) {
      return judgeTerminator(press);
    }
    const isAltDigit = press.isAlt && /^\d$/.test(press.key) && !press.isRepeat;
    altDigits = isAltDigit ? altDigits + press.key : '';
    if (isAltDigit && altDigits.length < 4 && !separatorByAlt.test(altDigits)) {
      return isScanning ? swallows : passes;
    }
    const character = press.isRepeat ? null : separatorByAlt.test(altDigits) ? separator : characterOf(press, settings.keyboard);
    if (isScanning) {
      if (character !== null && text.length < charactersAtMost) {
        text += character;
      }
      if (character !== null) {
        times = [press.atMs];
      }
      return swallows; // 4
    }
    if (character === null) {
      forget();
      return passes;
    }
    return gather(character, press.atMs);
  };

  return {
    get isScanning() {
      return isScanning;
    },
    get silenceMs() {
      return silence();
    },
    get gathering() {
      return isScanning ? 0 : times.length;
    },
    rest,
    press(key) {
      if (bystanders.has(key.key) && (key.isChord || characterOf(key, settings.keyboard) === null)) {
        altDigits = '';
        return { verdict: isScanning ? swallows : passes, ended: null };
      }
      const ended = rest(key.atMs);
      return { verdict: judge(key), ended };
    },
  };
}
