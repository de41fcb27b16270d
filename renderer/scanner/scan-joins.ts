import type { ScannerSettings } from '../../app/contract/scanner.ts';
import { expandUpcE, hasValidCheckDigit, looksLikeGtin } from '../../app/domain/codes/barcode.ts';
import { separator, withoutMarks } from './scanner-characters.ts';

/** A character with the moment at which its key was pressed. */
export interface TimedCharacter {
  readonly character: string;
  readonly atMs: number;
}

/** Characters without a pause between them. */
export interface Fragment {
  readonly text: string;
  /** Whether its keys came at a scanner's pace; null for a single key, which has none. */
  readonly isFast: boolean | null;
}

/**
 * Each text is a scan; `fromHead` fragments before the body belong to the first of them. `texts` is null when that
 * cannot be decided.
 */
export interface Reading {
  readonly texts: readonly string[] | null;
  readonly fromHead: number;
}

/** A scanner that paused more often than this within its first keys is not expected; a person is. */
const maxPausesInHead = 3;
/** A person who typed so many single keys before a scan is known to be one. */
const minTyped = 4;
const symbologyIdentifier = /^\][A-Za-z][0-9A-Za-z]/;
/** An element string that begins with a GTIN or an SSCC (GS1 General Specifications §3.2 and §3.3). */
const checkedElement = new RegExp(`^${separator}?(?:01(\\d{14})|00(\\d{18}))`);

/** Divides keys wherever one came later than `pauseMs` after the key before it. */
export function splitAtPauses(
  keys: readonly TimedCharacter[],
  pauseMs: number,
): readonly (readonly TimedCharacter[])[] {
  const fragments: TimedCharacter[][] = [];
  keys.forEach((key, place) => {
    const before = keys[place - 1];
    if (before === undefined || key.atMs - before.atMs > pauseMs) {
      fragments.push([key]);
    } else {
      fragments.at(-1)?.push(key);
    }
  });
  return fragments;
}

/** The text of keys. */
export function textOf(keys: readonly TimedCharacter[]): string {
  return keys.map(({ character }) => character).join('');
}

type Marks = Pick<ScannerSettings, 'prefix' | 'suffix'>;

/** The code within what the scanner adds; null when that is not there. */
function codeOf(text: string, marks: Marks): string | null {
  return text.includes(marks.prefix) && text.endsWith(marks.suffix)
    ? withoutMarks(text, marks).replace(symbologyIdentifier, '')
    : null;
}

/** True for a GTIN of full length or a UPC-E of eight digits, with a right check digit. */
export function isWholeGtin(text: string, marks: Marks): boolean {
  const code = codeOf(text, marks);
  return (
    code !== null &&
    looksLikeGtin(code) &&
    (hasValidCheckDigit(code) || (code.length === 8 && expandUpcE(code) !== null))
  );
}

/**
 * True for a code that a check digit proves to begin where it should: a whole GTIN, or a GS1 string that begins with a
 * GTIN or an SSCC.
 */
export function provesItself(text: string, marks: Marks): boolean {
  if (isWholeGtin(text, marks)) {
    return true;
  }
  const [, gtin, sscc] = checkedElement.exec(codeOf(text, marks) ?? '') ?? [];
  const checked = gtin ?? sscc;
  return checked !== undefined && hasValidCheckDigit(checked);
}

const joined = (fragments: readonly Fragment[]): string => fragments.map(({ text }) => text).join('');

/** The fewest groups of neighbouring fragments that each prove themselves; null when some fragment belongs to none. */
function provenGroups(fragments: readonly Fragment[], isProven: (text: string) => boolean): readonly string[] | null {
  // The best division of everything before each place.
  const best: (readonly string[] | null)[] = [[]];
  for (let end = 1; end <= fragments.length; end += 1) {
    let found: readonly string[] | null = null;
    for (let start = 0; start < end; start += 1) {
      const before = best[start];
      const text = joined(fragments.slice(start, end));
      if (
        before !== null &&
        before !== undefined &&
        (found === null || before.length + 1 < found.length) &&
        isProven(text)
      ) {
        found = [...before, text];
      }
    }
    best.push(found);
  }
  return best.at(-1) ?? null;
}

const undecided: Reading = { texts: null, fromHead: 0 };

/** Facts on the scanner by which its fragments are joined. */
export interface JoinRules {
  /** It ends each scan with a key, so that all of the body until that key is one scan. */
  readonly isEndKnown: boolean;
  /** It has paused within one of its last scans. */
  readonly isPausing: boolean;
  readonly isProven: (text: string) => boolean;
}

/**
 * Reads the fragments of one or more scans. `head` passed to the page before the scanner was recognised and may be a
 * person's; `body` is the scanner's.
 *
 * 1. What a check digit proves to be whole is one scan; as much of the head belongs to it as is needed, and no more
 *    than a scanner sends.
 * 2. Fragments that each prove themselves, and do not together, are a scan each, unless the key is missing that each
 *    should have ended with.
 * 3. Without a check digit the body is one scan, and the head belongs to it when its pace is a scanner's: in fast
 *    pairs, a single key, or a few of them from a scanner that is known to pause.
 * 4. What may be read in two ways is not read: digits before a proven code may belong to a longer one without a check
 *    digit.
 */
export function readFragments(
  head: readonly Fragment[],
  body: readonly Fragment[],
  { isEndKnown, isPausing, isProven }: JoinRules,
): Reading {
  const whole = joined(body);
  const slow = head.findLastIndex(({ isFast }) => isFast === false);
  for (let from = Math.max(0, slow + 1, head.length - maxPausesInHead); from <= head.length; from += 1) {
    const text = joined(head.slice(from)) + whole;
    if (isProven(text)) {
      const before = head[from - 1];
      const mayGoOn = isPausing && before !== undefined && before.isFast !== false && /^\d+$/.test(before.text);
      return mayGoOn ? undecided : { texts: [text], fromHead: head.length - from }; // 1, 4
    }
  }
  const groups = provenGroups(body, isProven);
  if (groups !== null) {
    return isEndKnown ? undecided : { texts: groups, fromHead: 0 }; // 2, 4
  }
  if (!isEndKnown && !isPausing && body.some(({ text }) => isProven(text))) {
    return undecided; // 4
  }
  if (head.length === 0) {
    return { texts: [whole], fromHead: 0 };
  }
  const isScanners =
    slow < 0 &&
    head.length <= maxPausesInHead &&
    (isPausing || head.length === 1 || head.some(({ isFast }) => isFast === true));
  if (isScanners) {
    return { texts: [joined(head) + whole], fromHead: head.length }; // 3
  }
  const isPersons = joined(head).length >= minTyped && head.every(({ isFast }) => isFast !== true);
  return isPersons ? { texts: [whole], fromHead: 0 } : undecided;
}
