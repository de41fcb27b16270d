// Plays thousands of random interleavings of scans, typing, held keys, shortcuts and modifiers to the detector, by every kind of scanner that
// the settings allow: every scan is answered once and in order, every key of a person passes, and no key of a scan passes once it is known.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { scannerSettingsSchema, shortestSilenceMs, slowestPaceMs, usualScanner, type ScannerSettings } from '../../../app/contract/scanner.ts';
import { createScanner, widestGapMs } from '../../../renderer/scanner.ts';
import type { KeyPress } from '../../../renderer/scanner-characters.ts';

interface TimedKey {
  readonly press: KeyPress;
  readonly isPersons: boolean;
}

const key = (name: string, more: Partial<KeyPress> = {}): KeyPress => ({ key: name, code: '', atMs: 0, isRepeat: false, isChord: false, isAlt: false, isShift: false, isCapsLock: false, ...more });

const settings: fc.Arbitrary<ScannerSettings> = fc
  .record({ charactersAtLeast: fc.integer({ min: 3, max: 8 }), pace: fc.double({ min: 0, max: 1, noNaN: true }), quiet: fc.integer({ min: 0, max: 120 }), terminator: fc.constantFrom('enterOrTab', 'enter', 'tab', 'none'), prefix: fc.constantFrom('', '~', '%%', '\\'), suffix: fc.constantFrom('', '#') })
  .map(({ charactersAtLeast, pace, quiet, terminator, prefix, suffix }) => {
    const meanGapMs = 10 + Math.floor(pace * (slowestPaceMs(charactersAtLeast) - 10));
    return scannerSettingsSchema.parse({ ...usualScanner, charactersAtLeast, meanGapMs, silenceMs: shortestSilenceMs(meanGapMs) + quiet, terminator, prefix, suffix });
  });

const scan = fc.record({
  kind: fc.constant('scan' as const),
  // Not of the signs that the scanner adds, which would be taken off.
  text: fc.string({ unit: fc.constantFrom(...'0123456789ABCxyz -/.', '\u001d'), minLength: 8, maxLength: 40 }),
  paces: fc.array(fc.double({ min: 0.05, max: 0.95, noNaN: true }), { minLength: 1, maxLength: 5 }),
  end: fc.constantFrom<readonly string[]>(['Enter'], ['Tab'], [], ['Enter', 'Enter'], ['Enter', 'Tab']),
  separator: fc.constantFrom(key(']', { isChord: true, code: 'BracketRight' }), key('F8'), key('\u001d', { isChord: true }), key('+', { isChord: true, code: 'BracketRight' })),
  withShift: fc.boolean(),
  pauseMs: fc.integer({ min: 0, max: 400 }),
});
const typing = fc.record({
  kind: fc.constant('typing' as const),
  text: fc.string({ unit: fc.constantFrom(...'abcdefgh 0123456789'), minLength: 1, maxLength: 16 }),
  gapsMs: fc.array(fc.integer({ min: 60, max: 150 }), { minLength: 1, maxLength: 7 }),
  end: fc.constantFrom<readonly KeyPress[]>([], [key('Enter')], [key('Tab')], [key('ArrowDown')], [key('c', { isChord: true })], [key('Backspace'), key('Backspace', { isRepeat: true }), key('Backspace', { isRepeat: true })]),
  pauseMs: fc.integer({ min: 0, max: 400 }),
});

type Drawn<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;
type Episode = Drawn<typeof scan> | Drawn<typeof typing>;

/** What nobody could tell apart is not played: a key of a person within a scanner's silence, or an Enter that may still be its terminator. */
function write(episodes: readonly Episode[], chosen: ScannerSettings): { readonly keys: readonly TimedKey[]; readonly scans: readonly string[] } {
  const keys: TimedKey[] = [];
  const scans: string[] = [];
  let at = 1000;
  let isOpen = false;
  for (const episode of episodes) {
    if (episode.kind === 'scan') {
      const end = chosen.terminator === 'none' ? [] : chosen.terminator === 'enter' ? ['Enter'] : chosen.terminator === 'tab' ? ['Tab'] : episode.end;
      at += isOpen ? Math.max(episode.pauseMs, chosen.silenceMs + 1) : keys.at(-1)?.isPersons === true ? Math.max(episode.pauseMs, widestGapMs + 1) : Math.max(episode.pauseMs, 1);
      [...chosen.prefix, ...episode.text, ...chosen.suffix].forEach((character, place) => {
        at += place === 0 ? 0 : chosen.meanGapMs * (episode.paces[place % episode.paces.length] ?? 0.5);
        const isCapital = /[A-Z]/.test(character);
        if (isCapital && episode.withShift) {
          keys.push({ press: { ...key('Shift'), atMs: at - 0.1 }, isPersons: false });
        }
        keys.push({ press: { ...(character === '\u001d' ? episode.separator : key(character, { isShift: isCapital })), atMs: at }, isPersons: false });
      });
      end.forEach((name) => {
        at += chosen.meanGapMs * 0.4;
        keys.push({ press: { ...key(name), atMs: at }, isPersons: false });
      });
      scans.push(episode.text);
      isOpen = end.length === 0;
    } else {
      at += Math.max(episode.pauseMs, isOpen ? chosen.silenceMs + 200 : widestGapMs + 1);
      [...[...episode.text].map((character) => key(character)), ...episode.end].forEach((press, place) => {
        at += place === 0 ? 0 : press.isRepeat ? 33 : (episode.gapsMs[place % episode.gapsMs.length] ?? 100);
        keys.push({ press: { ...press, atMs: at }, isPersons: true });
      });
      isOpen = false;
    }
  }
  return { keys, scans };
}

it('hears every scan once and in order, and every key of a person passes, by whatever settings', () => {
  fc.assert(
    fc.property(settings, fc.array(fc.oneof(scan, typing), { maxLength: 10 }), (chosen, episodes) => {
      const { keys, scans } = write(episodes, chosen);
      const scanner = createScanner(chosen);
      const heard: string[] = [];
      let gathered = 0;
      for (const { press, isPersons } of keys) {
        const { verdict, ended } = scanner.press(press);
        if (ended !== null) heard.push(ended);
        if (verdict.kind === 'scan') heard.push(verdict.text);
        if (isPersons) expect(verdict.kind).toBe('pass');
        gathered = verdict.kind === 'pass' && verdict.isGathered ? gathered + 1 : gathered;
        // Never more is taken back than was received.
        if (verdict.kind === 'recognise') expect(verdict.gathered).toBeLessThanOrEqual(gathered);
      }
      const last = scanner.rest(Number.POSITIVE_INFINITY);
      expect(last === null ? heard : [...heard, last]).toEqual(scans);
    }),
    { numRuns: 3000, seed: 4711 },
  );
});
