// Owns the question whether keys come from a barcode scanner that acts as a keyboard, or from a person. Pure: it is told each
// key and its time, and says what is to be done with it. Never touches the page; scanner-keys.ts does.

/** How a scanner is told from a person. Times in milliseconds. */
export interface ScannerSettings {
  /** A scan has at least this many characters. */
  readonly charactersAtLeast: number;
  /** The mean time between the keys of a scan is below this. */
  readonly meanGapMs: number;
  /** Two keys further apart than this do not belong to the same burst, before it is known to be a scan. */
  readonly widestGapMs: number;
  /** A scan without a terminator ends after this much silence. */
  readonly silenceMs: number;
  /** A terminator that comes this late after such a silence still belongs to the scan. */
  readonly lateTerminatorMs: number;
  /** Longer than any barcode; what follows is a new burst. */
  readonly charactersAtMost: number;
}

export const scannerDefaults: ScannerSettings = {
  charactersAtLeast: 4,
  meanGapMs: 35,
  widestGapMs: 80,
  silenceMs: 80,
  lateTerminatorMs: 250,
  charactersAtMost: 4096,
};

export interface KeyPress {
  /** The character, or the key's name, as in KeyboardEvent.key. */
  readonly key: string;
  /** When it was pressed, in milliseconds from any fixed moment. */
  readonly atMs: number;
  /** True when the key is being held down; scanners never do. */
  readonly isRepeat: boolean;
  /** True with control, alt or meta, which no scanner holds except for the GS1 separator. */
  readonly isChord: boolean;
  /** True with alt alone, under which Windows takes digits of the number pad for a character's code. */
  readonly isAlt: boolean;
}

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
 *                fast key                4th fast key             terminator, or silence
 *     idle ───────────────→ gathering ───────────────→ scanning ─────────────────────────→ idle
 *       ↑   slow key, chord, repeat │                     │  slow key: that key begins anew
 *       └───────────────────────────┘                     └─ characters are swallowed
 *
 * 1. A key is swallowed only as part of a scan; a person's keys always pass.
 * 2. A scan's terminator never passes, not even one that comes late.
 * 3. Every scan is answered exactly once: by its terminator, by silence, or by the key that begins the next burst.
 * 4. Any other key within a scan, a shortcut or a named key such as ArrowDown, adds nothing and does not end it: when it is what the
 *    scanner ends with, silence answers the scan, and when characters follow it they still belong to it.
 */
export interface Scanner {
  /** Judges one key. A scan that silence should have ended before this key is answered first, through `ended`. */
  press(key: KeyPress): { readonly verdict: Verdict; readonly ended: string | null };
  /** To be called when `silenceMs` have passed since the last key; answers the scan that ends with it. */
  rest(atMs: number): string | null;
  readonly isScanning: boolean;
}

const separator = '\u001d';
/** The separator as digits typed while alt is held: 29, 029 or 0029. */
const separatorByAlt = /^0{0,2}29$/;

/** The character that a key adds to a scan, or null: the GS1 separator comes as control and "]", as F8, or as digits under alt. */
function characterOf(press: KeyPress): string | null {
  if (press.isChord) {
    return press.key === ']' || press.key === separator ? separator : null;
  }
  if (press.key === 'F8') {
    return separator;
  }
  return press.key.length === 1 ? press.key : null;
}

const bystanders = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock', 'NumLock', 'Dead', 'Unidentified']);

/** A detector in its first state. */
export function createScanner(settings: ScannerSettings = scannerDefaults): Scanner {
  let text = '';
  let times: number[] = [];
  let isScanning = false;
  // When the last scan ended by silence; its terminator may still come.
  let silencedAt = Number.NEGATIVE_INFINITY;
  // The digits since alt was pressed.
  let altDigits = '';

  const forget = (): void => {
    text = '';
    times = [];
    isScanning = false;
  };

  const finish = (): string => {
    const scanned = text;
    forget();
    return scanned;
  };

  const lastAt = (): number => times.at(-1) ?? Number.NEGATIVE_INFINITY;

  const rest = (atMs: number): string | null => {
    if (times.length === 0 || atMs - lastAt() < settings.silenceMs) {
      return null;
    }
    if (!isScanning) {
      forget();
      return null;
    }
    silencedAt = lastAt();
    return finish();
  };

  const isFast = (): boolean => {
    const first = times[0];
    return first !== undefined && (lastAt() - first) / (times.length - 1) < settings.meanGapMs;
  };

  const judge = (press: KeyPress): Verdict => {
    if (press.key === 'Enter' || press.key === 'Tab') {
      if (isScanning) {
        return { kind: 'scan', text: finish() };
      }
      forget();
      const isLate = press.atMs - silencedAt < settings.lateTerminatorMs;
      silencedAt = Number.NEGATIVE_INFINITY;
      return isLate ? { kind: 'swallow' } : { kind: 'pass', isGathered: false };
    }
    const isAltDigit = press.isAlt && /^\d$/.test(press.key) && !press.isRepeat;
    altDigits = isAltDigit ? altDigits + press.key : '';
    if (isAltDigit && altDigits.length < 4 && !separatorByAlt.test(altDigits)) {
      return isScanning ? { kind: 'swallow' } : { kind: 'pass', isGathered: false };
    }
    const character = press.isRepeat ? null : separatorByAlt.test(altDigits) ? separator : characterOf(press);
    if (character === null && isScanning && !isAltDigit) {
      return { kind: 'swallow' }; // 4
    }
    if (character === null) {
      forget();
      return { kind: 'pass', isGathered: false };
    }
    if (isScanning && text.length < settings.charactersAtMost) {
      text += character;
      times.push(press.atMs);
      return { kind: 'swallow' };
    }
    if (press.atMs - lastAt() > settings.widestGapMs) {
      forget();
    }
    silencedAt = Number.NEGATIVE_INFINITY;
    text += character;
    times.push(press.atMs);
    if (times.length < settings.charactersAtLeast) {
      return { kind: 'pass', isGathered: true };
    }
    if (isFast()) {
      isScanning = true;
      return { kind: 'recognise', gathered: times.length - 1 };
    }
    // Too slow as a whole: the oldest key was a person's, the rest may still be a scanner's.
    text = text.slice(1);
    times.shift();
    return { kind: 'pass', isGathered: true };
  };

  return {
    get isScanning() {
      return isScanning;
    },
    rest,
    press(key) {
      if (bystanders.has(key.key)) {
        altDigits = '';
        return { verdict: isScanning ? { kind: 'swallow' } : { kind: 'pass', isGathered: false }, ended: null };
      }
      const ended = rest(key.atMs);
      return { verdict: judge(key), ended };
    },
  };
}
