// The proof that no setting of the scanner can take a person's typing for scans, and that whatever is wished for can be
// brought within the limits.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  scannerKeyboards,
  scannerTerminators,
  defaultScanner,
  withinScannerLimits,
} from '../../../app/contract/limits/scanner.ts';
import { keptScannerSchema, scannerSettingsSchema } from '../../../app/contract/scanner.ts';

describe('the settings of the scanner', () => {
  it('are as they always were unless somebody changes them', () => {
    expect(scannerSettingsSchema.parse(defaultScanner)).toEqual({
      charactersAtLeast: 4,
      meanGapMs: 35,
      silenceMs: 80,
      terminator: 'enterOrTab',
      prefix: '',
      suffix: '',
      keyboard: 'asThisComputer',
    });
  });

  it.each([
    { meanGapMs: 36 },
    { meanGapMs: 60, charactersAtLeast: 20 },
    { meanGapMs: 4 },
    { charactersAtLeast: 2 },
    { charactersAtLeast: 3 },
    { charactersAtLeast: 21 },
    { silenceMs: 69 },
    { silenceMs: 501 },
    { silenceMs: 99, meanGapMs: 50, charactersAtLeast: 6 },
    { prefix: 'a b' },
    { prefix: '123456789' },
    { suffix: '\n' },
  ])('refuse what would harm: %j', (change) => {
    expect(scannerSettingsSchema.safeParse({ ...defaultScanner, ...change }).success).toBe(false);
  });

  it.each([
    { meanGapMs: 50, charactersAtLeast: 6, silenceMs: 100 },
    { meanGapMs: 20, charactersAtLeast: 3 },
    { silenceMs: 500 },
    { prefix: '~', suffix: '#' },
  ])('take %j', (change) => {
    expect(scannerSettingsSchema.safeParse({ ...defaultScanner, ...change }).success).toBe(true);
  });

  it('are brought within the limits whatever the figures are, and stay as they are within them', () => {
    const figure = fc.integer({ min: -1000, max: 1000 });
    const text = fc.string({ unit: fc.constantFrom('!', 'A', '~', '9'), maxLength: 8 });
    fc.assert(
      fc.property(
        figure,
        figure,
        figure,
        fc.constantFrom(...scannerTerminators),
        fc.constantFrom(...scannerKeyboards),
        text,
        text,
        (charactersAtLeast, meanGapMs, silenceMs, terminator, keyboard, prefix, suffix) => {
          const wanted = { charactersAtLeast, meanGapMs, silenceMs, terminator, keyboard, prefix, suffix };
          const held = withinScannerLimits(wanted);
          expect(scannerSettingsSchema.parse(held)).toEqual(held);
          if (scannerSettingsSchema.safeParse(wanted).success) {
            expect(held).toEqual(wanted);
          }
        },
      ),
      { seed: 6 },
    );
  });

  it('are read from any document without throwing, into what the contract takes', () => {
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(defaultScanner)), fc.anything(), (field, junk) => {
        const read = keptScannerSchema.parse({ ...defaultScanner, [field]: junk });
        expect(scannerSettingsSchema.parse(read)).toEqual(read);
      }),
      { seed: 6 },
    );
  });
});
