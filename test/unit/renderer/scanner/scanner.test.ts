// Checks the invariants of renderer/scanner/scanner.ts by number, with keys at given moments.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { defaultScanner } from '../../../../app/contract/limits/scanner.ts';
import type { KeyPress } from '../../../../renderer/scanner/scanner-characters.ts';
import { createScannerLearner, type ScannerLearner } from '../../../../renderer/scanner/scanner-profile.ts';
import { createScanner, type Verdict } from '../../../../renderer/scanner/scanner.ts';
import { burst, ean13, ean8, hear, knowing, keyPress } from './played-keys.ts';

describe('a scanner that ends with a terminator', () => {
  it.each(['Enter', 'Tab'])('is read whole, and its %s never passes (invariant 2)', (terminator) => {
    const { verdicts, scans } = hear(burst('7891234567895', 0, 4, terminator));
    expect(scans).toEqual(['7891234567895']);
    expect(verdicts).toEqual(['pass', 'pass', 'pass', 'recognise', ...Array<string>(9).fill('swallow'), 'scan']);
  });

  it('is recognised at its fourth character, and says how many keys are to be taken back', () => {
    const scanner = createScanner();
    const verdicts = burst('1234', 0, 10, null).map((key) => scanner.press(key).verdict);
    expect(verdicts.at(-1)).toEqual({ kind: 'recognise', takesBack: 3 });
  });

  it('counts twice within 100 ms (invariant 3)', () => {
    expect(hear([...burst('11112222', 0, 5), ...burst('33334444', 50, 5)]).scans).toEqual(['11112222', '33334444']);
  });

  it('is read though its first key was held up by up to 80 ms', () => {
    expect(hear([keyPress('7', 0), ...burst('891234567895', 78, 2)]).scans).toEqual(['7891234567895']);
  });

  it('keeps letters, shift and the GS1 separator', () => {
    const keys = [
      ...burst('01', 0, 5, null),
      keyPress('Shift', 9),
      ...burst('AB', 10, 5, null),
      keyPress(']', 20, { isChord: true }),
      keyPress('F8', 25),
      ...burst('10X', 30, 5),
    ];
    expect(hear(keys).scans).toEqual(['01AB\u001d\u001d10X']);
  });

  it.each(['29', '029', '0029'])('takes %s under alt for the GS1 separator, also as the first key', (code) => {
    const byAlt = (startMs: number): KeyPress[] => [
      keyPress('Alt', startMs),
      ...[...code].map((key, index) => keyPress(key, startMs + 1 + index, { isChord: true, isAlt: true })),
    ];
    const keys = [...byAlt(0), ...burst(']d201', 10, 5, null), ...byAlt(36), ...byAlt(42), ...burst('10X', 50, 5)];
    const { scans, verdicts } = hear(keys);
    expect(scans).toEqual(['\u001d]d201\u001d\u001d10X']);
    expect(verdicts.at(-5)).toBe('swallow');
  });

  it('takes no other digits under alt', () => {
    const keys = [
      ...burst('0123', 0, 5, null),
      ...[...'0065'].map((key, index) => keyPress(key, 20 + index, { isChord: true, isAlt: true })),
    ];
    expect(hear(keys).scans).toEqual(['0123']);
    expect(
      hear([
        ...burst('01', 0, 5, null),
        keyPress('Alt', 9),
        keyPress('2', 10, { isChord: true, isAlt: true }),
        ...burst('3456', 12, 5),
      ]).scans,
    ).toEqual(['013456']);
  });
});

describe('a key within a scan that is no character (invariant 4)', () => {
  const others: readonly (readonly [string, Partial<KeyPress>])[] = [
    ['ArrowDown', {}],
    ['F12', {}],
    ['End', {}],
    ['Escape', {}],
    ['m', { isChord: true }],
  ];

  it.each(others)(
    'is kept from the page as what the scanner ends with, and the scan is answered once: %s',
    (key, more) => {
      const { verdicts, scans } = hear([...burst('7891234567895', 0, 10, null), keyPress(key, 130, more)]);
      expect(scans).toEqual(['7891234567895']);
      expect(verdicts.at(-1)).toBe('swallow');
    },
  );

  it.each(others)('adds nothing in the middle of a scan: %s', (key, more) => {
    const { verdicts, scans } = hear([
      ...burst('789123', 0, 10, null),
      keyPress(key, 60, more),
      ...burst('4567895', 70, 10),
    ]);
    expect(scans).toEqual(['7891234567895']);
    expect(verdicts.slice(4)).toEqual([...Array<string>(10).fill('swallow'), 'scan']);
  });

  it("is a person's again after the silence", () => {
    const { verdicts, scans } = hear([...burst('7891234567895', 0, 10, null), keyPress('ArrowDown', 300)]);
    expect(scans).toEqual(['7891234567895']);
    expect(verdicts.at(-1)).toBe('pass');
  });
});

describe('a scanner without a terminator', () => {
  it('is read after 80 ms of silence when its check digit proves the code (invariant 3)', () => {
    const scanner = createScanner();
    burst(ean8, 0, 5, null).forEach((key) => scanner.press(key));
    expect(scanner.rest(35 + 79)).toEqual([]);
    expect(scanner.rest(35 + 80)).toEqual([{ text: ean8, withdraws: [], takesBack: 0 }]);
    expect(scanner.rest(35 + 200)).toEqual([]);
  });

  it('is read after 600 ms of silence if nothing proves the code or a recent scan paused (invariant 3)', () => {
    const restOf = (text: string, learner: ScannerLearner): number => {
      const scanner = createScanner(defaultScanner, learner);
      burst(text, 0, 5, null).forEach((key) => scanner.press(key));
      return scanner.restMs;
    };
    expect(restOf('78912345', createScannerLearner())).toBe(600);
    expect(restOf(ean8, knowing('none'))).toBe(80);
    expect(restOf(ean8, knowing('none', [5, 200]))).toBe(600);
  });

  it('is answered before the key that comes after the silence', () => {
    expect(hear([...burst(ean8, 0, 5, null), keyPress('a', 300)]).scans).toEqual([ean8]);
  });

  it.each([200, 550, 700, 4900])('has an Enter that comes %i ms late swallowed, once (invariant 2)', (lateMs) => {
    for (const code of [ean8, '78912345']) {
      const { verdicts, scans } = hear([
        ...burst(code, 0, 5, null),
        keyPress('Enter', 35 + lateMs),
        keyPress('Enter', 120 + lateMs),
      ]);
      expect(scans).toEqual([code]);
      expect([verdicts.at(-2), verdicts.at(-1)]).toEqual([expect.stringMatching(/swallow|scan/), 'pass']);
    }
  });

  it.each([6_000, 60_000, 3_600_000])(
    'has an Enter that comes %i ms late swallowed where scans are known to end with it (invariant 2)',
    (lateMs) => {
      const late = keyPress('Enter', 35 + lateMs);
      for (const code of [ean8, '78912345']) {
        const keys = [...burst(code, 0, 5, null), late, keyPress('Enter', 120 + lateMs)];
        const { verdicts } = hear(keys, {}, knowing('enter'));
        expect([verdicts.at(-2), verdicts.at(-1)]).toEqual(['swallow', 'pass']);
      }
      // Nobody knows how it ends.
      expect(hear([...burst(ean8, 0, 5, null), late]).verdicts.at(-1)).toBe('pass');
      // Another key ends it.
      const tab = keyPress('Tab', 35 + lateMs);
      expect(hear([...burst(ean8, 0, 5, null), tab], {}, knowing('enter')).verdicts.at(-1)).toBe('pass');
    },
  );

  it('leaves an Enter after 5 s to a person who has pressed a key or pointed since (invariant 2)', () => {
    const arrow = keyPress('ArrowDown', 8_000);
    const late = keyPress('Enter', 9_000);
    expect(hear([...burst(ean8, 0, 5, null), arrow, late], {}, knowing('enter')).verdicts.slice(-2)).toEqual([
      'pass',
      'pass',
    ]);
    const scanner = createScanner(defaultScanner, knowing('enter'));
    burst(ean8, 0, 5, null).forEach((key) => scanner.press(key));
    scanner.rest(1_000);
    scanner.point();
    expect(scanner.press(late).verdict.kind).toBe('pass');
  });

  it('leaves an Enter to the person when three scans have ended without one', () => {
    expect(hear([...burst(ean8, 0, 5, null), keyPress('Enter', 700)], {}, knowing('none')).verdicts.at(-1)).toBe(
      'pass',
    );
  });
});

describe('a press of the pointer', () => {
  it.each([
    ['parts what a person typed from the scan that comes right after it', 'caf', 120, true],
    ['leaves the first keys of a scan with the rest of it', '789', 4, false],
  ])('%s', (_, typed, gapMs, isApart) => {
    const scanner = createScanner(defaultScanner);
    burst(typed, 100, gapMs, null).forEach((key) => scanner.press(key));
    scanner.point();
    const received = burst('789000000010', 600, 4).flatMap((key) =>
      scanner.press(key).completed.map(({ text }) => text),
    );
    expect(received.includes('789000000010')).toBe(isApart);
  });
});

describe('a person (invariant 1)', () => {
  it('types at any pace of a person and presses Enter', () => {
    expect(hear(burst('arroz integral', 0, 60)).verdicts.every((kind) => kind === 'pass')).toBe(true);
  });

  it('types three characters quickly and presses Enter', () => {
    expect(hear(burst('caf', 0, 10)).verdicts).toEqual(['pass', 'pass', 'pass', 'pass']);
  });

  it('holds a key down', () => {
    const keys = Array.from({ length: 30 }, (_, index) => keyPress('a', index * 30, { isRepeat: index > 0 }));
    expect(hear(keys)).toEqual({ verdicts: Array<string>(30).fill('pass'), scans: [] });
  });

  it('uses a shortcut within a burst, which ends it', () => {
    expect(hear([...burst('123', 0, 5, null), keyPress('c', 15, { isChord: true }), keyPress('4', 20)]).scans).toEqual(
      [],
    );
  });

  it('types right before a scan and keeps the character', () => {
    const { verdicts, scans } = hear([keyPress('a', 0), ...burst('7891234567895', 200, 4)]);
    expect(scans).toEqual(['7891234567895']);
    expect(verdicts[0]).toBe('pass');
  });
});

describe('a scanner that is set up', () => {
  it.each(['enter', 'tab'] as const)('to end with %s leaves the other key to the person', (terminator) => {
    const [own, other] = terminator === 'enter' ? ['Enter', 'Tab'] : ['Tab', 'Enter'];
    expect(hear(burst('7891234567895', 0, 4, own), { terminator })).toMatchObject({ scans: ['7891234567895'] });
    expect(
      hear([...burst('7891234567895', 0, 4, null), keyPress(other ?? '', 200)], { terminator }).verdicts.at(-1),
    ).toBe('pass');
  });

  it('to end with nothing leaves an Enter after the silence to the person, but none within the scan', () => {
    expect(
      hear([...burst('78912345', 0, 5, null), keyPress('Enter', 140)], { terminator: 'none' }).verdicts.at(-1),
    ).toBe('pass');
    expect(hear([...burst('78912345', 0, 5, null), keyPress('Enter', 40)], { terminator: 'none' })).toMatchObject({
      scans: ['78912345'],
      verdicts: expect.arrayContaining(['swallow']),
    });
  });

  it.each(['Enter', 'Tab'])(
    "has a second %s right behind its terminator swallowed (invariant 2), and not a person's",
    (second) => {
      const after = (ms: number): Verdict['kind'] | undefined =>
        hear([...burst('78912345', 0, 5), keyPress(second, 40 + ms)]).verdicts.at(-1);
      expect([after(4), after(60), after(79), after(81)]).toEqual(['swallow', 'swallow', 'swallow', 'pass']);
    },
  );

  it('with another length, pace and silence is read by them', () => {
    expect(hear(burst('123', 0, 10), { charactersAtLeast: 3, meanGapMs: 20 }).scans).toEqual(['123']);
    expect(hear(burst('1234567', 0, 45), { charactersAtLeast: 6, meanGapMs: 50, silenceMs: 100 }).scans).toEqual([
      '1234567',
    ]);
    expect(hear([...burst(ean13, 0, 5, null), ...burst(ean8, 200, 5, null)], { silenceMs: 300 }).scans).toEqual([
      ean13 + ean8,
    ]);
  });

  it('with a prefix is known at the next character, also if short; prefix and suffix go (invariant 5)', () => {
    expect(hear(burst('~5#', 0, 10), { prefix: '~', suffix: '#' })).toEqual({
      verdicts: ['pass', 'recognise', 'swallow', 'scan'],
      scans: ['5'],
    });
    expect(hear([...burst('~5', 0, 10), ...burst('~6', 60, 10)], { prefix: '~' }).scans).toEqual(['5', '6']);
  });

  it('with a prefix may be slow, but not as slow as a person (invariant 5)', () => {
    expect(hear(burst('~78912345', 0, 55), { prefix: '~' }).scans).toEqual(['78912345']);
    expect(hear(burst('%%%%%%78912345', 0, 55), { prefix: '%%%%%%' }).scans).toEqual(['78912345']);
    expect(hear(burst('~789', 0, 60), { prefix: '~' }).verdicts.every((kind) => kind === 'pass')).toBe(true);
    // Not at the beginning of what is typed.
    expect(hear(burst('pass~word', 0, 55), { prefix: '~' }).verdicts.every((kind) => kind === 'pass')).toBe(true);
  });

  it('with letters as a prefix is read as without one, and has them taken off', () => {
    expect(hear(burst('A1', 0, 5), { prefix: 'A' }).scans).toEqual([]);
    expect(hear(burst('A7891234567895', 0, 5), { prefix: 'A' }).scans).toEqual(['7891234567895']);
  });

  it('keeps no more than a barcode can have, and is answered once', () => {
    expect(hear(burst('7'.repeat(5000), 0, 1)).scans).toEqual(['7'.repeat(4096)]);
  });
});

describe('any mixture of scans and typing', () => {
  const scanText = fc.string({ unit: fc.constantFrom(...'0123456789ABCxyz-'), minLength: 4, maxLength: 30 });
  const episode = fc.oneof(
    fc.record({ kind: fc.constant('scan' as const), text: scanText, gapMs: fc.integer({ min: 0, max: 20 }) }),
    fc.record({
      kind: fc.constant('typing' as const),
      text: fc.string({ unit: fc.constantFrom(...'abc def'), minLength: 1, maxLength: 12 }),
      gapMs: fc.integer({ min: 90, max: 300 }),
      terminator: fc.constantFrom('Enter', null),
    }),
  );

  it('hears every scan once and in order, and lets every typed key pass', () => {
    fc.assert(
      fc.property(fc.array(episode, { maxLength: 12 }), fc.constantFrom('Enter', 'Tab', null), (episodes, end) => {
        let at = 0;
        const keys: KeyPress[] = [];
        const typed: number[] = [];
        for (const { kind, text, gapMs, ...more } of episodes) {
          // Longer than a pause within a scan may be: whose a key is must be knowable.
          at += 650;
          const part = burst(text, at, gapMs, 'terminator' in more ? more.terminator : end);
          if (kind === 'typing') part.forEach((_, index) => typed.push(keys.length + index));
          keys.push(...part);
          at = part.at(-1)?.atMs ?? at;
        }
        const { verdicts, scans } = hear(keys);
        expect(scans).toEqual(episodes.filter(({ kind }) => kind === 'scan').map(({ text }) => text));
        expect(typed.map((index) => verdicts[index])).toEqual(typed.map(() => 'pass'));
      }),
      { numRuns: 500, seed: 42 },
    );
  });
});
