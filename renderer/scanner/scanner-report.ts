import { scannerLimits, slowestPaceMs, withinScannerLimits } from '../../app/contract/limits/scanner.ts';
import type { ScannerSettings } from '../../app/contract/scanner.ts';
import { hasValidCheckDigit } from '../../app/domain/codes/barcode.ts';
import { characterOf, withoutMarks } from './scanner-characters.ts';
import type { RecordedKey } from './scanner-keys.ts';

/** One key as it is listed. */
export interface ReportedKey {
  /** The character made visible, or the key's name; with the modifiers that were held. */
  readonly name: string;
  /** Such as "U+001D"; null for a key that is no character. */
  readonly codePoint: string | null;
  /** Since the key before, in milliseconds; null for the first. */
  readonly gapMs: number | null;
}

const scannerFindings = [
  'person',
  'altCodes',
  'keyboard',
  'tooSlow',
  'slow',
  'slowAndShort',
  'short',
  'tooShort',
  'jitter',
  'noTerminator',
  'otherTerminator',
  'prefix',
  'suffix',
  'capsLock',
  'fine',
] as const;
export type ScannerFinding = (typeof scannerFindings)[number];

export interface ScannerReport {
  readonly keys: readonly ReportedKey[];
  /** The text to look up, with the symbology identifier. */
  readonly text: string;
  /** The symbology identifier, such as "]E0"; null when the scanner sends none. */
  readonly symbology: string | null;
  /** The prefix that was taken off, or would be by the proposal. */
  readonly prefix: string;
  readonly suffix: string;
  /** The names of the keys after the last character. */
  readonly terminators: readonly string[];
  readonly characters: number;
  /** Between the characters, in whole milliseconds; null with fewer than two. */
  readonly meanGapMs: number | null;
  readonly maxGapMs: number | null;
  readonly isRecognised: boolean;
  /** Findings, the most telling first; never empty. */
  readonly findings: readonly ScannerFinding[];
  /** Settings that suit this scanner; null when the present ones do. */
  readonly proposal: ScannerSettings | null;
}

/** A person is never faster for long, and a scanner never so even. */
const personMeanMs = 50;
/** How much of the mean the gaps of a machine stray. */
const evenness = 0.25;
const evenCharacters = 6;

const symbologyIdentifier = /^\][A-Za-z][0-9A-Za-z]/;
/** A number, and what stands around it. */
const marked = /^([!-/:-~]{0,8})(\d{6,14})([!-/:-~]{0,8})$/;
/** Letters may belong to a code of the shop's own; signs hardly do. */
const isSign = (text: string): boolean => /^[^0-9A-Za-z]+$/.test(text);
const isGtin = (digits: string): boolean => /^(\d{8}|\d{12,14})$/.test(digits) && hasValidCheckDigit(digits);
const modifiers = new Set(['Shift', 'Control', 'Alt', 'AltGraph', 'Meta', 'CapsLock', 'NumLock']);

const isTerminator = ({ key, isChord }: RecordedKey): boolean => (key === 'Enter' || key === 'Tab') && !isChord;

/** The names of the control characters (ISO/IEC 646), as scanners' manuals write them. */
const controlNames =
  'NUL SOH STX ETX EOT ENQ ACK BEL BS HT LF VT FF CR SO SI DLE DC1 DC2 DC3 DC4 NAK SYN ETB CAN EM SUB ESC FS GS RS US'.split(
    ' ',
  );

/** The text with what cannot be seen made visible: "<GS>" for a control character, a dot for a blank. */
export function visibleText(text: string): string {
  return Array.from(text, (character) => {
    const name = character === '\u007f' ? 'DEL' : controlNames[character.charCodeAt(0)];
    return name === undefined ? character.replace(' ', '\u00b7') : `<${name}>`;
  }).join('');
}

function nameOf(key: RecordedKey): string {
  const held = [
    key.isControl ? 'Ctrl' : null,
    key.isAlt ? 'Alt' : null,
    key.isShift && key.key.length > 1 ? 'Shift' : null,
  ].filter((name) => name !== null);
  return [...held, visibleText(key.key)].join('+');
}

function codePointOf(key: RecordedKey, settings: ScannerSettings): string | null {
  const character = characterOf(key, settings.keyboard)?.codePointAt(0);
  return character === undefined ? null : `U+${character.toString(16).toUpperCase().padStart(4, '0')}`;
}

function textOf(keys: readonly RecordedKey[], keyboard: ScannerSettings['keyboard']): string {
  return keys.map((key) => characterOf(key, keyboard) ?? '').join('');
}

const isCode = (text: string): boolean => isGtin(text.replace(symbologyIdentifier, ''));

/** True when the keys make sense only as those of an American keyboard. */
function isAmerican(keys: readonly RecordedKey[]): boolean {
  const [typed, american] = [textOf(keys, 'asThisComputer'), textOf(keys, 'american')];
  return (
    typed !== american &&
    ((isCode(american) && !isCode(typed)) || (symbologyIdentifier.test(american) && !typed.startsWith(']')))
  );
}

interface Pace {
  readonly meanGapMs: number | null;
  readonly maxGapMs: number | null;
  readonly isEven: boolean;
}

function paceOf(keys: readonly RecordedKey[]): Pace {
  const gaps = keys.slice(1).map((key, place) => key.atMs - (keys[place]?.atMs ?? 0));
  if (gaps.length === 0) {
    return { meanGapMs: null, maxGapMs: null, isEven: false };
  }
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length;
  const stray = Math.sqrt(gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length);
  return {
    meanGapMs: mean,
    maxGapMs: Math.max(...gaps),
    isEven: keys.length >= evenCharacters && stray < evenness * mean,
  };
}

function adviseOnPace(
  count: number,
  { meanGapMs, maxGapMs, isEven }: Pace,
  isRecognised: boolean,
  settings: ScannerSettings,
): { readonly finding: ScannerFinding | null; readonly change: Partial<ScannerSettings> } {
  const mean = meanGapMs ?? 0;
  const longest = maxGapMs ?? 0;
  if (!isRecognised && mean >= personMeanMs) {
    return { finding: isEven ? 'tooSlow' : 'person', change: {} };
  }
  if (!isRecognised && mean >= settings.meanGapMs) {
    const charactersAtLeast = Math.max(
      settings.charactersAtLeast,
      mean < slowestPaceMs(settings.charactersAtLeast) ? 0 : evenCharacters,
    );
    const slowerMs = Math.min(Math.ceil(mean * 1.25) + 1, scannerLimits.meanGapMs.max);
    return count < charactersAtLeast
      ? { finding: 'slowAndShort', change: {} }
      : {
          finding: 'slow',
          change: {
            charactersAtLeast,
            meanGapMs: slowerMs,
            silenceMs: Math.max(settings.silenceMs, 2 * Math.ceil(longest)),
          },
        };
  }
  if (!isRecognised && count < settings.charactersAtLeast) {
    const isPossible = count >= scannerLimits.charactersAtLeast.min && mean < slowestPaceMs(count);
    return isPossible
      ? { finding: 'short', change: { charactersAtLeast: count } }
      : { finding: 'tooShort', change: {} };
  }
  if (isRecognised && longest >= 0.7 * settings.silenceMs) {
    return { finding: 'jitter', change: { silenceMs: 2 * Math.ceil(longest) } };
  }
  return { finding: null, change: {} };
}

/** Tells what a burst of keys was; there is at least one that is no modifier. */
export function readBurst(all: readonly RecordedKey[], settings: ScannerSettings): ScannerReport {
  const pressed = all.filter(({ key, isRepeat }) => !modifiers.has(key) && !isRepeat);
  const lastCharacter = pressed.findLastIndex(
    (key) => !isTerminator(key) && characterOf(key, settings.keyboard) !== null,
  );
  const terminators = pressed.slice(lastCharacter + 1);
  const typed = pressed.slice(0, lastCharacter + 1).filter((key) => characterOf(key, settings.keyboard) !== null);
  const isRecognised = all.some(({ verdict }) => verdict !== 'pass');
  const pace = paceOf(typed);
  const { finding, change } = adviseOnPace(typed.length, pace, isRecognised, settings);
  const findings: ScannerFinding[] = [];
  const changes: Partial<ScannerSettings>[] = [];
  const find = (kind: ScannerFinding, settle: Partial<ScannerSettings> = {}): void => {
    findings.push(kind);
    changes.push(settle);
  };

  if (pressed.filter(({ isAlt, key }) => isAlt && /^\d$/.test(key)).length >= 6) {
    find('altCodes');
  } else if (finding !== null) {
    find(finding, change);
  }
  const isPerson = findings.includes('person') || findings.includes('altCodes');
  const keyboard =
    !isPerson && settings.keyboard === 'asThisComputer' && isAmerican(typed) ? 'american' : settings.keyboard;
  if (keyboard !== settings.keyboard) {
    find('keyboard', { keyboard });
  }
  const [first] = terminators;
  if (!isPerson && first === undefined && settings.terminator !== 'none') {
    find('noTerminator', { terminator: 'none' });
  } else if (
    !isPerson &&
    first !== undefined &&
    isTerminator(first) &&
    settings.terminator !== 'enterOrTab' &&
    settings.terminator !== first.key.toLowerCase()
  ) {
    find('otherTerminator', { terminator: first.key === 'Enter' ? 'enter' : 'tab' });
  }
  const whole = textOf(typed, keyboard);
  const text = withoutMarks(whole, settings);
  const symbology = symbologyIdentifier.exec(text)?.[0] ?? null;
  const around = isPerson ? null : marked.exec(text.slice(symbology?.length ?? 0));
  const [, before = '', digits = '', after = ''] = around ?? [];
  if (before !== '' && (isGtin(digits) || isSign(before))) {
    find('prefix', { prefix: before });
  }
  if (after !== '' && (isGtin(digits) || isSign(after))) {
    find('suffix', { suffix: after });
  }
  if (
    !isPerson &&
    keyboard === 'asThisComputer' &&
    typed.some(({ isCapsLock, key }) => isCapsLock && /[a-z]/i.test(key))
  ) {
    find('capsLock');
  }
  if (findings.length === 0) {
    find('fine');
  }
  const wanted = withinScannerLimits(Object.assign({ ...settings }, ...changes) as ScannerSettings);
  return {
    keys: pressed.map((key, place) => ({
      name: nameOf(key),
      codePoint: codePointOf(key, settings),
      gapMs: place === 0 ? null : Math.round((key.atMs - (pressed[place - 1]?.atMs ?? 0)) * 10) / 10,
    })),
    text: withoutMarks(whole, wanted),
    symbology,
    prefix: wanted.prefix !== '' && whole.includes(wanted.prefix) ? wanted.prefix : '',
    suffix: wanted.suffix !== '' && whole.endsWith(wanted.suffix) ? wanted.suffix : '',
    terminators: terminators.map(nameOf),
    characters: typed.length,
    meanGapMs: pace.meanGapMs === null ? null : Math.round(pace.meanGapMs),
    maxGapMs: pace.maxGapMs === null ? null : Math.round(pace.maxGapMs),
    isRecognised,
    findings,
    proposal: changes.some((settled) => Object.keys(settled).length > 0) ? wanted : null,
  };
}

// The first letter after "]", ISO/IEC 15424; the names are the same in every language.
const symbologies: Readonly<Record<string, string>> = {
  A: 'Code 39',
  C: 'Code 128',
  d: 'Data Matrix',
  E: 'EAN/UPC',
  e: 'GS1 DataBar',
  F: 'Codabar',
  G: 'Code 93',
  H: 'Code 11',
  I: 'ITF',
  J: 'DotCode',
  L: 'PDF417',
  M: 'MSI',
  Q: 'QR Code',
  R: '2 of 5',
  S: '2 of 5',
  U: 'MaxiCode',
  z: 'Aztec',
};

/** The name of a symbology identifier such as "]E0"; null for one that has no name here. */
export function symbologyName(identifier: string): string | null {
  return symbologies[identifier.charAt(1)] ?? null;
}
