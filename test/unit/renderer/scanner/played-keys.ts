import { defaultScanner } from '../../../../app/contract/limits/scanner.ts';
import type { ScannerSettings } from '../../../../app/contract/scanner.ts';
import type { ScannedText } from '../../../../renderer/scanner/scan-answers.ts';
import type { KeyPress } from '../../../../renderer/scanner/scanner-characters.ts';
import { createScannerLearner, type ScannerLearner } from '../../../../renderer/scanner/scanner-profile.ts';
import { createScanner, type Verdict } from '../../../../renderer/scanner/scanner.ts';

export const ean13 = '7891234567895';
export const ean8 = '12345670';

interface Heard {
  readonly verdicts: readonly Verdict['kind'][];
  /** The final text; null for a scan in pieces. */
  readonly scans: readonly (string | null)[];
}

/** A key pressed alone, unless told. */
export const keyPress = (key: string, atMs = 0, more: Partial<KeyPress> = {}): KeyPress => ({
  key,
  code: '',
  atMs,
  isRepeat: false,
  isChord: false,
  isAlt: false,
  isShift: false,
  isCapsLock: false,
  ...more,
});

/** The keys of a text, `gapMs` apart from `startMs` on, and Enter unless there is another terminator. */
export function burst(text: string, startMs: number, gapMs: number, terminator: string | null = 'Enter'): KeyPress[] {
  return [...text, ...(terminator === null ? [] : [terminator])].map((key, index) =>
    keyPress(key, startMs + index * gapMs),
  );
}

/** The text after these were read, too. */
export const stand = (
  before: readonly (string | null)[],
  received: readonly ScannedText[],
): readonly (string | null)[] =>
  received.reduce<readonly (string | null)[]>(
    (scans, { text, withdraws }) => [...scans.filter((one) => one === null || !withdraws.includes(one)), text],
    before,
  );

/** Plays keys as the page does, with a rest after the last one. */
export function hear(
  keys: readonly KeyPress[],
  settings: Partial<ScannerSettings> = {},
  learner: ScannerLearner = createScannerLearner(),
): Heard {
  const scanner = createScanner({ ...defaultScanner, ...settings }, learner);
  let scans: readonly (string | null)[] = [];
  let lastAtMs = 0;
  const verdicts = keys.map((key) => {
    if (scanner.isScanning && lastAtMs + scanner.restMs < key.atMs) {
      scans = stand(scans, scanner.rest(lastAtMs + scanner.restMs));
    }
    const { ended, verdict, completed } = scanner.press(key);
    scans = stand(scans, [...ended, ...completed]);
    lastAtMs = key.atMs;
    return verdict.kind;
  });
  return { verdicts, scans: stand(scans, scanner.rest((keys.at(-1)?.atMs ?? 0) + 600)) };
}

/** Has read three scans that ended with this key. */
export function knowing(end: 'enter' | 'none', gapsMs: readonly number[] = [5, 5]): ScannerLearner {
  const learner = createScannerLearner();
  [1, 2, 3].forEach(() => learner.take({ gapsMs, end }, false));
  return learner;
}
