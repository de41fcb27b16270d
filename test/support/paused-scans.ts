import { checkDigitOf, expandUpcE } from '../../app/domain/codes/barcode.ts';
import type { KeyPress } from '../../renderer/scanner/scanner-characters.ts';
import type { ScannedText } from '../../renderer/scanner/scan-answers.ts';
import { createScanner } from '../../renderer/scanner/scanner.ts';
import { createRandom } from '../ui/scan-bench.ts';

type Random = ReturnType<typeof createRandom>;

/**
 * The pace of a scanner and of its path; a stall takes the place of a gap, by its probability for each gap between two
 * keys.
 */
export interface Path {
  readonly name: string;
  readonly gapMs: readonly [min: number, max: number];
  readonly stalls: number;
  readonly stallMs: readonly [min: number, max: number];
}

export const paths: readonly Path[] = [
  { name: '4 ms, 1 % stalls of 60 to 400 ms', gapMs: [3, 5], stalls: 0.01, stallMs: [60, 400] },
  { name: '6 ms, 3 % stalls of 60 to 400 ms', gapMs: [4, 8], stalls: 0.03, stallMs: [60, 400] },
  { name: '12 ms, 5 % stalls of 60 to 150 ms', gapMs: [9, 15], stalls: 0.05, stallMs: [60, 150] },
  { name: '30 ± 15 ms, no stalls', gapMs: [15, 45], stalls: 0, stallMs: [0, 0] },
];

/** `late`: the terminator comes 100 to 500 ms after the last character, every time. */
export const endings = ['with', 'without', 'late'] as const;
export type Ending = (typeof endings)[number];

export const symbologies = ['EAN-13', 'EAN-8', 'UPC-A', 'UPC-E', 'ITF-14', 'Code 128', 'GS1-128'] as const;
export type Symbology = (typeof symbologies)[number];

/** Codes of the catalogue that are no GTIN: what a fragment of digits could be mistaken for. */
export const isShortCode = (text: string): boolean => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 5000;

/** A code of the symbology, as its scanner sends it. */
export function drawCode(symbology: Symbology, { between, one, text }: Random): string {
  const checked = (length: number): string => {
    const body = text('0123456789', length - 1, length - 1);
    return body + checkDigitOf(body);
  };
  switch (symbology) {
    case 'EAN-13':
      return checked(13);
    case 'EAN-8':
      return checked(8);
    case 'UPC-A':
      return checked(12);
    case 'ITF-14':
      return checked(14);
    case 'UPC-E': {
      const body = one(['0', '1']) + text('0123456789', 6, 6);
      return body + [...'0123456789'].find((digit) => expandUpcE(body + digit) !== null);
    }
    case 'Code 128':
      return text(one(['0123456789', '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ-./ ']), 6, 30).replace(/^ /, 'X');
    case 'GS1-128':
      return `${one(['', ']C1'])}01${checked(14)}17${between(26, 39)}0${between(1, 9)}${between(10, 28)}10${text('0123456789ABCDEF', 1, 12)}\u001d21${text('0123456789', 1, 10)}`;
  }
}

export interface Figures {
  readonly bursts: number;
  /** Answered with its whole code alone, nothing of it left in the page. */
  readonly whole: number;
  /** "Scan again", or nothing. */
  readonly again: number;
  /** Another code was shown, if only for a while. */
  readonly otherCode: number;
  /** Another code was shown that is a product of the catalogue. */
  readonly otherProduct: number;
  /** Keys that stayed in the page. */
  readonly keysLeft: number;
}

/** The fault of a burst, for whoever looks into it. */
export interface Fault {
  readonly code: string;
  readonly gapsMs: readonly number[];
  readonly shown: readonly (string | null)[];
  readonly keysLeft: number;
}

const press = (character: string, atMs: number): KeyPress => {
  const isSeparator = character === '\u001d';
  return {
    key: isSeparator ? ']' : character,
    code: '',
    atMs,
    isRepeat: false,
    isChord: isSeparator,
    isAlt: false,
    isShift: false,
    isCapsLock: false,
  };
};

/** The gaps before each key but the first, with the terminator's at the end. */
export function drawGaps(keys: number, path: Path, ending: Ending, { between }: Random): readonly number[] {
  const gaps = Array.from({ length: keys - 1 }, () =>
    between(0, 9999) < path.stalls * 10_000
      ? between(...path.stallMs)
      : between(path.gapMs[0] * 10, path.gapMs[1] * 10) / 10,
  );
  return ending === 'late' ? [...gaps.slice(0, -1), between(100, 500)] : gaps;
}

/** Plays so many bursts by one scanner; the same for the same seed. */
export function playBursts(
  path: Path,
  ending: Ending,
  bursts: number,
  seed: number,
  kinds: readonly Symbology[] = symbologies,
): { readonly figures: Figures; readonly faults: readonly Fault[] } {
  const random = createRandom(seed);
  const scanner = createScanner();
  const faults: Fault[] = [];
  let figures: Figures = { bursts, whole: 0, again: 0, otherCode: 0, otherProduct: 0, keysLeft: 0 };
  let atMs = 1000;
  let shown: (string | null)[] = [];
  const everShown = new Set<string>();
  let left = 0;
  const take = (completed: readonly ScannedText[]): void => {
    for (const { text, withdraws, takesBack } of completed) {
      left -= takesBack;
      withdraws.forEach((withdrawn) => (shown = shown.filter((one) => one !== withdrawn)));
      shown = [...shown.filter((one) => one !== null), text];
      if (text !== null) everShown.add(text);
    }
  };
  for (let burst = 0; burst < bursts; burst += 1) {
    const code = drawCode(random.one(kinds), random);
    const keys = [...code, ...(ending === 'without' ? [] : ['Enter'])];
    const gapsMs = drawGaps(keys.length, path, ending, random);
    [shown, left] = [[], 0];
    everShown.clear();
    keys.forEach((character, place) => {
      const before = atMs;
      atMs += place === 0 ? 0 : (gapsMs[place - 1] ?? 0);
      if (scanner.isScanning && before + scanner.restMs < atMs) take(scanner.rest(before + scanner.restMs));
      const { ended, verdict, completed } = scanner.press(press(character, atMs));
      take(ended);
      if (verdict.kind === 'pass') {
        left += 1;
      } else if (verdict.kind === 'recognise') {
        left -= verdict.takesBack;
      }
      take(completed);
    });
    take(scanner.rest(atMs + scanner.restMs));
    take(scanner.rest(atMs + 601));
    atMs += random.between(700, 3000);
    const others = [...everShown].filter((text) => text !== code);
    const isWhole = shown.length === 1 && shown[0] === code && left === 0;
    figures = {
      bursts,
      whole: figures.whole + (isWhole ? 1 : 0),
      again: figures.again + (shown.every((text) => text === null) ? 1 : 0),
      otherCode: figures.otherCode + (others.length > 0 ? 1 : 0),
      otherProduct: figures.otherProduct + (others.some(isShortCode) ? 1 : 0),
      keysLeft: figures.keysLeft + left,
    };
    if (!isWhole || others.length > 0) {
      faults.push({ code, gapsMs, shown: [...shown, ...others], keysLeft: left });
    }
  }
  return { figures, faults };
}
