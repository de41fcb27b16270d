import fc from 'fast-check';
import { expect, it } from 'vitest';
import { shortestSilenceMs, slowestPaceMs, defaultScanner } from '../../../../app/contract/limits/scanner.ts';
import { scannerSettingsSchema, type ScannerSettings } from '../../../../app/contract/scanner.ts';
import { checkDigitOf } from '../../../../app/domain/codes/barcode.ts';
import { widestPauseMs, type ScannedText } from '../../../../renderer/scanner/scan-answers.ts';
import { createScanner } from '../../../../renderer/scanner/scanner.ts';
import { widestGapMs } from '../../../../renderer/scanner/scanner-pace.ts';
import type { KeyPress } from '../../../../renderer/scanner/scanner-characters.ts';
import { keyPress, stand } from './played-keys.ts';

interface TimedKey {
  readonly press: KeyPress;
  readonly isPersons: boolean;
}

const key = (name: string, more: Partial<KeyPress> = {}): KeyPress => keyPress(name, 0, more);

const settings: fc.Arbitrary<ScannerSettings> = fc
  .record({
    charactersAtLeast: fc.integer({ min: 3, max: 8 }),
    pace: fc.double({ min: 0, max: 1, noNaN: true }),
    quiet: fc.integer({ min: 0, max: 120 }),
    terminator: fc.constantFrom('enterOrTab', 'enter', 'tab', 'none'),
    prefix: fc.constantFrom('', '~', '%%', '\\'),
    suffix: fc.constantFrom('', '#'),
  })
  .map(({ charactersAtLeast, pace, quiet, terminator, prefix, suffix }) => {
    const meanGapMs = 10 + Math.floor(pace * (slowestPaceMs(charactersAtLeast) - 10));
    return scannerSettingsSchema.parse({
      ...defaultScanner,
      charactersAtLeast,
      meanGapMs,
      silenceMs: shortestSilenceMs(meanGapMs) + quiet,
      terminator,
      prefix,
      suffix,
    });
  });

const ean13 = fc
  .string({ unit: fc.constantFrom(...'0123456789'), minLength: 12, maxLength: 12 })
  .map((body) => body + checkDigitOf(body));
const scan = fc.record({
  kind: fc.constant('scan' as const),
  // Not of the signs that the scanner adds, which would be taken off.
  code: fc.oneof(
    fc.record({ isProven: fc.constant(true), text: ean13 }),
    fc.record({
      isProven: fc.constant(false),
      text: fc.string({ unit: fc.constantFrom(...'0123456789ABCxyz -/.', '\u001d'), minLength: 10, maxLength: 40 }),
    }),
  ),
  paces: fc.array(fc.double({ min: 0.05, max: 0.95, noNaN: true }), { minLength: 1, maxLength: 5 }),
  separator: fc.constantFrom(
    key(']', { isChord: true, code: 'BracketRight' }),
    key('F8'),
    key('\u001d', { isChord: true }),
    key('+', { isChord: true, code: 'BracketRight' }),
  ),
  withShift: fc.boolean(),
  pauseMs: fc.integer({ min: 0, max: 900 }),
  // Where the path stalls, as a part of the whole burst, and for how long.
  stalls: fc.array(
    fc.record({ at: fc.double({ min: 0, max: 1, noNaN: true }), ms: fc.integer({ min: 81, max: 590 }) }),
    { maxLength: 2 },
  ),
});
const typing = fc.record({
  kind: fc.constant('typing' as const),
  text: fc.string({ unit: fc.constantFrom(...'abcdefgh 0123456789'), minLength: 1, maxLength: 16 }),
  // A fast typist, anybody, and one who thinks in between.
  gapsMs: fc.array(
    fc.oneof(fc.integer({ min: 60, max: 90 }), fc.integer({ min: 60, max: 150 }), fc.integer({ min: 150, max: 1500 })),
    { minLength: 1, maxLength: 7 },
  ),
  end: fc.constantFrom<readonly KeyPress[]>(
    [],
    [key('Enter')],
    [key('Tab')],
    [key('ArrowDown')],
    [key('c', { isChord: true })],
    [key('Backspace'), key('Backspace', { isRepeat: true }), key('Backspace', { isRepeat: true })],
  ),
  pauseMs: fc.integer({ min: 0, max: 900 }),
});
/** A scanner ends all its scans alike. */
const ends = fc.constantFrom<readonly string[]>(['Enter'], ['Tab'], [], ['Enter', 'Enter'], ['Enter', 'Tab']);

type Drawn<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;
type Episode = Drawn<typeof scan> | Drawn<typeof typing>;

/**
 * Input that nobody could tell apart is not played: a person's key within the time in which a scan may go on, a code
 * without a check digit within that time after a person's keys, or more of its pauses than can be told from a person's.
 */
function write(
  episodes: readonly Episode[],
  chosen: ScannerSettings,
  drawnEnd: readonly string[],
): { readonly keys: readonly TimedKey[]; readonly scans: readonly string[] } {
  const keys: TimedKey[] = [];
  const scans: string[] = [];
  const end = { none: [], enter: ['Enter'], tab: ['Tab'], enterOrTab: drawnEnd }[chosen.terminator];
  const apartMs = Math.max(widestPauseMs, chosen.silenceMs) + 1;
  let at = 1000;
  let isOpen = false;
  for (const episode of episodes) {
    if (episode.kind === 'scan') {
      const { isProven, text } = episode.code;
      const isAfterPerson = keys.at(-1)?.isPersons === true;
      const leastMs = isAfterPerson ? widestGapMs + 1 : 1;
      at += Math.max(episode.pauseMs, isOpen || (isAfterPerson && !isProven) ? apartMs : leastMs);
      const characters = [...chosen.prefix, ...text, ...chosen.suffix];
      const sent = characters.length + Math.min(end.length, 1);
      const stalls = new Map(
        (isProven ? episode.stalls : episode.stalls.slice(0, 1)).map((stall) => [
          1 + Math.floor(stall.at * (sent - 1)),
          stall.ms,
        ]),
      );
      characters.forEach((character, place) => {
        at +=
          place === 0
            ? 0
            : (stalls.get(place) ?? chosen.meanGapMs * (episode.paces[place % episode.paces.length] ?? 0.5));
        const isCapital = /[A-Z]/.test(character);
        if (isCapital && episode.withShift) {
          keys.push({ press: { ...key('Shift'), atMs: at - 0.1 }, isPersons: false });
        }
        keys.push({
          press: { ...(character === '\u001d' ? episode.separator : key(character, { isShift: isCapital })), atMs: at },
          isPersons: false,
        });
      });
      end.forEach((name, place) => {
        at += (place === 0 ? stalls.get(characters.length) : undefined) ?? chosen.meanGapMs * 0.4;
        keys.push({ press: { ...key(name), atMs: at }, isPersons: false });
      });
      scans.push(text);
      isOpen = end.length === 0;
    } else {
      at += Math.max(episode.pauseMs, isOpen ? apartMs : widestGapMs + 1);
      // Digits right before a scan may be its own; a letter is not.
      [...[...episode.text, 'h'].map((character) => key(character)), ...episode.end].forEach((press, place) => {
        const gapMs = press.isRepeat ? 33 : (episode.gapsMs[place % episode.gapsMs.length] ?? 100);
        at += place === 0 ? 0 : gapMs;
        keys.push({ press: { ...press, atMs: at }, isPersons: true });
      });
      isOpen = false;
    }
  }
  return { keys, scans };
}

it('hears every scan once and in order, by any settings, leaves none in the page, keeps a person’s keys', () => {
  fc.assert(
    fc.property(settings, fc.array(fc.oneof(scan, typing), { maxLength: 10 }), ends, (chosen, episodes, end) => {
      const { keys, scans } = write(episodes, chosen, end);
      const scanner = createScanner(chosen);
      let completed: readonly (string | null)[] = [];
      // Whose the characters are that the page received and that have not been taken back.
      let received: boolean[] = [];
      let lastAtMs = 0;
      const takeBack = (count: number): void => {
        const from = received.length - count;
        expect(received.slice(from).every((isPersons) => !isPersons)).toBe(true);
        received = received.slice(0, from);
      };
      const hear = (all: readonly ScannedText[]): void => {
        all.forEach(({ takesBack }) => takeBack(takesBack));
        completed = stand(completed, all);
      };
      for (const { press, isPersons } of keys) {
        if (scanner.isScanning && lastAtMs + scanner.restMs < press.atMs) {
          hear(scanner.rest(lastAtMs + scanner.restMs));
        }
        const { ended, verdict, completed: now } = scanner.press(press);
        hear(ended);
        if (isPersons) expect(verdict.kind).toBe('pass');
        // One that goes on to the page, and is not gathered, is never taken back.
        if (!isPersons && verdict.kind === 'pass' && press.key.length === 1) expect(verdict.isGathered).toBe(true);
        if (verdict.kind === 'pass' && verdict.isGathered) received.push(isPersons);
        if (verdict.kind === 'recognise') takeBack(verdict.takesBack);
        hear(now);
        lastAtMs = press.atMs;
      }
      hear(scanner.rest(Number.POSITIVE_INFINITY));
      expect(completed).toEqual(scans);
      expect(received.every((isPersons) => isPersons)).toBe(true);
    }),
    { numRuns: 1500, seed: 4711 },
  );
});
