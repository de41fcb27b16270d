// Checks what renderer/scanner/scanner.ts makes of scans whose keys come late: invariants 6 to 9.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultScanner } from '../../../../app/contract/limits/scanner.ts';
import { checkDigitOf } from '../../../../app/domain/codes/barcode.ts';
import type { KeyPress } from '../../../../renderer/scanner/scanner-characters.ts';
import { createScannerLearner } from '../../../../renderer/scanner/scanner-profile.ts';
import { createScanner } from '../../../../renderer/scanner/scanner.ts';
import { burst, ean13, ean8, hear, knowing, keyPress, stand } from './played-keys.ts';

/** A code with pauses before these places. */
function paused(
  text: string,
  pauses: Readonly<Record<number, number>>,
  terminator: string | null = 'Enter',
): KeyPress[] {
  let atMs = 0;
  return [...text, ...(terminator === null ? [] : [terminator])].map((key, place) =>
    keyPress(key, (atMs += place === 0 ? 0 : (pauses[place] ?? 4))),
  );
}

describe('a burst with a pause', () => {
  const places = Array.from({ length: 13 }, (_, place) => place + 1);

  it.each([90, 200, 400, 599])(
    'of %i ms before any key is one scan, and none of it stays anywhere (invariant 7)',
    (pauseMs) => {
      for (const place of places) {
        for (const learner of [createScannerLearner(), knowing('enter')]) {
          const scanner = createScanner(defaultScanner, learner);
          let left = 0;
          let scans: readonly (string | null)[] = [];
          for (const key of paused(ean13, { [place]: pauseMs })) {
            const { ended, verdict, completed } = scanner.press(key);
            left += verdict.kind === 'pass' ? 1 : 0;
            left -= verdict.kind === 'recognise' ? verdict.takesBack : 0;
            left -= [...ended, ...completed].reduce((sum, { takesBack }) => sum + takesBack, 0);
            scans = stand(scans, [...ended, ...completed]);
          }
          expect([place, left, scans]).toEqual([place, 0, [ean13]]);
        }
      }
    },
  );

  it('is one scan without a terminator, and without a check digit', () => {
    places.slice(0, -1).forEach((place) => expect(hear(paused(ean13, { [place]: 300 }, null)).scans).toEqual([ean13]));
    places
      .slice(0, -1)
      .forEach((place) =>
        expect(hear(paused('ITEM 1234-508', { [place]: 300 }, null)).scans).toEqual(['ITEM 1234-508']),
      );
  });

  it("and another one is one scan, also when no fragment alone is a scan's", () => {
    expect(hear(paused(ean8, { 3: 150, 6: 150 }, null)).scans).toEqual([ean8]);
    expect(hear(paused(ean8, { 2: 150, 4: 150, 6: 150 })).scans).toEqual([ean8]);
  });

  it('is shown only when it is whole, where a terminator is known', () => {
    const scanner = createScanner(defaultScanner, knowing('enter'));
    // The first eight digits are an EAN-8 by chance.
    paused('1234567012345', {}, null)
      .slice(0, 8)
      .forEach((key) => scanner.press(key));
    expect(scanner.rest(28 + 599)).toEqual([]);
  });

  it('that was answered too early is withdrawn by the whole (invariant 9)', () => {
    const scanner = createScanner();
    burst(ean13.slice(0, 12), 0, 4, null).forEach((key) => scanner.press(key));
    expect(scanner.rest(44 + 600)).toEqual([{ text: ean13.slice(0, 12), withdraws: [], takesBack: 0 }]);
    expect(scanner.press(keyPress(ean13.slice(12), 744)).verdict.kind).toBe('pass');
    expect(scanner.press(keyPress('Enter', 748))).toEqual({
      ended: [],
      verdict: { kind: 'scan' },
      completed: [{ text: ean13, withdraws: [ean13.slice(0, 12)], takesBack: 1 }],
    });
  });

  it('of over 600 ms is in pieces when its terminator is known, and its rest is no scan (invariant 8)', () => {
    for (const rest of ['508', '5', '50895', '7891']) {
      const { scans, verdicts } = hear(
        [...burst('789123456', 0, 4, null), ...burst(rest, 800, 4)],
        {},
        knowing('enter'),
      );
      expect([rest, scans.every((text) => text === null)]).toEqual([rest, true]);
      expect(verdicts.at(-1)).toBe('scan');
    }
    expect(
      hear([...burst(ean13.slice(0, 9), 0, 4, null), ...burst(ean13.slice(9), 800, 4)], {}, knowing('enter')).scans.at(
        -1,
      ),
    ).toBe(ean13);
  });

  it('is scanned again after it was in pieces', () => {
    expect(
      hear([...burst('ITEM 12', 0, 4, null), ...burst('ITEM 12-34', 2000, 4)], {}, knowing('enter')).scans.at(-1),
    ).toBe('ITEM 12-34');
    expect(hear([...burst('789123', 0, 4, null), ...burst(ean13, 2000, 4)], {}, knowing('enter')).scans.at(-1)).toBe(
      ean13,
    );
  });

  it('is never answered by its last keys, however often it has paused before them', () => {
    const pauses = { 1: 150, 3: 125, 4: 111, 5: 78 };
    expect(hear(paused('04312215', pauses), {}, knowing('enter', [4, 4, 200])).scans).not.toContain('215');
    expect(
      hear(paused('XYZQR508', { 1: 150, 3: 125, 4: 111, 5: 130 }), {}, knowing('enter', [4, 4, 200])).scans,
    ).toEqual([null]);
  });

  it('is said to be in pieces where two codes prove themselves and the key between them is missing', () => {
    expect(hear([...burst(ean13, 0, 4, null), ...burst(ean8, 300, 4)], {}, knowing('enter')).scans).toEqual([null]);
  });

  it('after a digit that a person may have typed is in pieces only where scanners pause', () => {
    const keys = [keyPress('5', 0), ...burst(ean13, 300, 4)];
    expect(hear(keys, {}, knowing('enter')).scans).toEqual([ean13]);
    expect(hear(keys, {}, knowing('enter', [5, 200])).scans).toEqual([null]);
  });

  it('of which a part proves itself is not shown early, and ends with a key that comes late', () => {
    const upc = '58643717248';
    const both = upc + checkDigitOf(upc) + checkDigitOf(upc + checkDigitOf(upc));
    expect(hear(paused(both, { 5: 380, 12: 394, 13: 311 })).scans).toEqual([both]);
    expect(hear(paused(both, { 12: 394, 13: 311 })).scans).toEqual([both]);
  });

  it('between two codes that each prove themselves is no pause within one', () => {
    expect(hear([...burst(ean13, 0, 4, null), ...burst(ean8, 300, 4, null)]).scans).toEqual([ean13, ean8]);
    expect(
      hear([...burst(ean13, 0, 4, null), ...burst(ean8, 300, 4, null)], {}, knowing('none', [5, 200])).scans,
    ).toEqual([ean13, ean8]);
  });
});

describe('a scanner that is nearly too slow', () => {
  it('is read whole from its first key on, whatever its gaps of 15 to 45 ms are', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 15, max: 45 }), { minLength: 13, maxLength: 13 }), (gapsMs) => {
        let atMs = 0;
        expect(
          hear(
            [...ean13, 'Enter'].map((key, place) =>
              keyPress(key, (atMs += place === 0 ? 0 : (gapsMs[place - 1] ?? 0))),
            ),
          ).scans,
        ).toEqual([ean13]);
      }),
      { numRuns: 500, seed: 30 },
    );
  });
});

describe('a pause that a busy machine has made longer than 600 ms (invariant 10)', () => {
  const hearAfter = (head: string, pauseMs: number, gapMs: number, text: string) =>
    hear([...burst(head, 0, gapMs, null), ...burst(text, (head.length - 1) * gapMs + pauseMs, 4)], {}, knowing('enter'))
      .scans;

  it.each([601, 640, 1000])('of %i ms after two keys: what follows is no code of its own', (pauseMs) => {
    expect(hearAfter('02', pauseMs, 5, 'C99A5C85798')).toEqual([null]);
  });

  it('a code that its check digit proves is read, whatever was before it', () => {
    expect(hearAfter('02', 700, 5, ean13)).toEqual([ean13]);
  });

  it('what a person typed, or what is longer ago, takes nothing from a scan', () => {
    expect(hearAfter('02', 700, 120, 'C99A5C85798')).toEqual(['C99A5C85798']);
    expect(hearAfter('0', 700, 5, 'C99A5C85798')).toEqual(['C99A5C85798']);
    expect(hearAfter('02', 1001, 5, 'C99A5C85798')).toEqual(['C99A5C85798']);
  });
});

describe('a busy machine', () => {
  it('that hears keys late lets none of them pass, and answers the scan anew as a whole (invariants 6, 9)', () => {
    const scanner = createScanner();
    const keys = burst('7891234567895', 0, 4);
    keys.slice(0, 10).forEach((key) => scanner.press(key));
    expect(scanner.rest(700)).toEqual([{ text: '7891234567', withdraws: [], takesBack: 0 }]);
    expect(keys.slice(10).map((key) => scanner.press(key).verdict.kind === 'pass')).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(scanner.rest(2000)).toEqual([]);
    const again = createScanner();
    keys.slice(0, 10).forEach((key) => again.press(key));
    again.rest(700);
    expect(
      keys
        .slice(10)
        .map((key) => again.press(key).completed)
        .at(-1),
    ).toEqual([{ text: '7891234567895', withdraws: ['7891234567'], takesBack: 0 }]);
  });

  it('that was quick enough leaves the next key to whoever pressed it', () => {
    const scanner = createScanner();
    burst(ean8, 0, 4, null).forEach((key) => scanner.press(key));
    expect(scanner.rest(108)).toHaveLength(1);
    expect(scanner.press(keyPress('a', 110)).verdict.kind).toBe('pass');
  });
});
