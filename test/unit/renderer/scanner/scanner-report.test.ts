import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultScanner } from '../../../../app/contract/limits/scanner.ts';
import { scannerSettingsSchema, type ScannerSettings } from '../../../../app/contract/scanner.ts';
import { createScanner } from '../../../../renderer/scanner/scanner.ts';
import type { RecordedKey } from '../../../../renderer/scanner/scanner-keys.ts';
import {
  readBurst,
  symbologyName,
  visibleText,
  type ScannerReport,
} from '../../../../renderer/scanner/scanner-report.ts';
import { keyPress } from './played-keys.ts';

interface Sent {
  readonly key: string;
  readonly code?: string;
  readonly more?: Partial<RecordedKey>;
}

const sent = (text: string): Sent[] => [...text].map((key) => ({ key }));

/** The keys as the page hears them by the settings. */
function hear(
  keys: readonly Sent[],
  gapMs: number,
  settings: ScannerSettings = defaultScanner,
): readonly RecordedKey[] {
  const scanner = createScanner(settings);
  return keys.map(({ key, code = '', more = {} }, place) => {
    const pressed = { ...keyPress(key, 1000 + place * gapMs, { code }), isControl: false, isInField: false, ...more };
    return { ...pressed, verdict: scanner.press(pressed).verdict.kind };
  });
}

const reported = (keys: readonly Sent[], gapMs: number, settings: ScannerSettings = defaultScanner): ScannerReport =>
  readBurst(hear(keys, gapMs, settings), settings);
const enter: Sent = { key: 'Enter' };

describe('a report', () => {
  it('lists each key with its character and its time, and says that all is well', () => {
    const report = reported([...sent(']E07891234567895'), enter], 4);
    expect(report).toMatchObject({
      text: ']E07891234567895',
      symbology: ']E0',
      terminators: ['Enter'],
      characters: 16,
      meanGapMs: 4,
      maxGapMs: 4,
      isRecognised: true,
      findings: ['fine'],
      proposal: null,
    });
    expect(report.keys.slice(0, 2)).toEqual([
      { name: ']', codePoint: 'U+005D', gapMs: null },
      { name: 'E', codePoint: 'U+0045', gapMs: 4 },
    ]);
    expect(symbologyName(']E0')).toBe('EAN/UPC');
  });

  it('makes visible what cannot be seen', () => {
    expect(visibleText('01\u001d10 X')).toBe('01<GS>10·X');
    const report = reported(
      [
        ...sent('0107891234567895'),
        { key: ']', code: 'BracketRight', more: { isChord: true, isControl: true } },
        ...sent('10X'),
        enter,
      ],
      4,
    );
    expect(report.keys[16]).toEqual({ name: 'Ctrl+]', codePoint: 'U+001D', gapMs: 4 });
  });

  it.each<[string, readonly Sent[], number, readonly string[], Partial<ScannerSettings> | null]>([
    ['no terminator', sent('7891234567895'), 4, ['noTerminator'], { terminator: 'none' }],
    [
      'a prefix and a suffix',
      [...sent('~7891234567895#'), enter],
      4,
      ['prefix', 'suffix'],
      { prefix: '~', suffix: '#' },
    ],
    ['a letter for the kind of code', [...sent('A7891234567895'), enter], 4, ['prefix'], { prefix: 'A' }],
    [
      'a slow pace',
      [...sent('7891234567895'), enter],
      47,
      ['slow'],
      { charactersAtLeast: 6, meanGapMs: 50, silenceMs: 100 },
    ],
    ["a pace slower than a person's may be", [...sent('7891234567895'), enter], 60, ['tooSlow'], null],
    ['a short code', [...sent('123'), enter], 5, ['short'], { charactersAtLeast: 3, meanGapMs: 20 }],
    ['a code too short for anything', [...sent('12'), enter], 5, ['tooShort'], null],
    ['a slow and short code', [...sent('12345'), enter], 40, ['slowAndShort'], null],
    ["a product code of the shop's own", [...sent('AB-1234'), enter], 5, ['fine'], null],
  ])('of %s proposes what suits', (_, keys, gapMs, findings, change) => {
    const report = reported(keys, gapMs);
    expect(report.findings).toEqual(findings);
    expect(report.proposal).toEqual(change === null ? null : { ...defaultScanner, ...change });
  });

  it('of another terminator than is set proposes that', () => {
    expect(
      reported([...sent('7891234567895'), { key: 'Tab' }], 4, { ...defaultScanner, terminator: 'enter' }),
    ).toMatchObject({ findings: ['otherTerminator'], proposal: { terminator: 'tab' } });
  });

  it('tells a person, and leaves the settings alone', () => {
    const keys = sent('arroz integral').map((key, place) => ({
      ...key,
      more: { atMs: 1000 + place * 90 + (place % 3) * 25 },
    }));
    expect(reported([...keys, { ...enter, more: { atMs: 3000 } }], 90)).toMatchObject({
      findings: ['person'],
      proposal: null,
      isRecognised: false,
    });
  });

  it('tells a scanner that pauses within a code', () => {
    const keys = sent('7891234567895').map((key, place) => ({
      ...key,
      more: { atMs: 1000 + place * 4 + (place > 6 ? 66 : 0) },
    }));
    expect(reported([...keys, { ...enter, more: { atMs: 1200 } }], 4)).toMatchObject({
      findings: ['jitter'],
      proposal: { silenceMs: 140 },
    });
  });

  it('tells an American scanner on another keyboard, by its symbology identifier or a code that proves it', () => {
    const french = [...'&é"\'(-è_çà'];
    const azerty = [...'7891234567895'].map((digit) => ({
      key: french[(Number(digit) + 9) % 10] ?? '',
      code: `Digit${digit}`,
    }));
    expect(reported([...azerty, enter], 4)).toMatchObject({
      findings: ['keyboard'],
      text: '7891234567895',
      proposal: { keyboard: 'american' },
    });
    const spanish: Sent[] = [
      { key: '+', code: 'BracketRight' },
      { key: 'C', code: 'KeyC', more: { isShift: true } },
      { key: '1', code: 'Digit1' },
      ...[...'0107891234567895'].map((key) => ({ key, code: `Digit${key}` })),
    ];
    expect(reported([...spanish, enter], 4)).toMatchObject({
      findings: ['keyboard'],
      symbology: ']C1',
      proposal: { keyboard: 'american' },
    });
  });

  it('tells Caps Lock and Alt codes', () => {
    expect(
      reported([...sent('AB12').map(({ key }) => ({ key, more: { isCapsLock: true, isShift: false } })), enter], 4),
    ).toMatchObject({ findings: ['capsLock'], text: 'ab12', proposal: null });
    const alt = [...'0055005600570049'].map((key) => ({ key, more: { isChord: true, isAlt: true } }));
    expect(reported([...alt, enter], 4)).toMatchObject({ findings: ['altCodes'], proposal: null });
  });

  it('proposes only what the contract takes, and with it the scanner is read, whatever it sends', () => {
    const code = fc.string({ unit: fc.constantFrom(...'0123456789AB~#-'), minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(
        code,
        fc.integer({ min: 1, max: 120 }),
        fc.constantFrom('Enter', 'Tab', null),
        fc.constantFrom<ScannerSettings['terminator']>('enter', 'tab', 'none', 'enterOrTab'),
        (text, gapMs, end, terminator) => {
          const settings = { ...defaultScanner, terminator };
          const keys = [...sent(text), ...(end === null ? [] : [{ key: end }])];
          const { findings, proposal, isRecognised, text: shown } = reported(keys, gapMs, settings);
          expect(findings.length).toBeGreaterThan(0);
          if (proposal === null) {
            return;
          }
          expect(scannerSettingsSchema.parse(proposal)).toEqual(proposal);
          const again = reported(keys, gapMs, proposal);
          if (isRecognised || findings.includes('slow') || findings.includes('short')) {
            expect(again.isRecognised).toBe(true);
            expect(again.text).toBe(shown);
          }
        },
      ),
      { numRuns: 2000, seed: 8 },
    );
  });
});
