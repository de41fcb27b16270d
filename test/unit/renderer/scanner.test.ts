// Checks the invariants of renderer/scanner.ts by number, with keys at given moments.
import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { usualScanner, type ScannerSettings } from '../../../app/contract/scanner.ts';
import { createScanner, type Verdict } from '../../../renderer/scanner.ts';
import type { KeyPress } from '../../../renderer/scanner-characters.ts';

interface Heard {
  readonly verdicts: readonly Verdict['kind'][];
  readonly scans: readonly string[];
}

const press = (key: string, atMs: number, more: Partial<KeyPress> = {}): KeyPress => ({ key, code: '', atMs, isRepeat: false, isChord: false, isAlt: false, isShift: false, isCapsLock: false, ...more });

/** The keys of a text, `gapMs` apart from `startMs` on, and Enter unless there is another terminator. */
function burst(text: string, startMs: number, gapMs: number, terminator: string | null = 'Enter'): KeyPress[] {
  return [...text, ...(terminator === null ? [] : [terminator])].map((key, index) => press(key, startMs + index * gapMs));
}

/** Plays keys as the page does, with a rest after the last one. */
function hear(keys: readonly KeyPress[], settings: Partial<ScannerSettings> = {}): Heard {
  const scanner = createScanner({ ...usualScanner, ...settings });
  const scans: string[] = [];
  const verdicts = keys.map((key) => {
    const { verdict, ended } = scanner.press(key);
    if (ended !== null) scans.push(ended);
    if (verdict.kind === 'scan') scans.push(verdict.text);
    return verdict.kind;
  });
  const last = scanner.rest((keys.at(-1)?.atMs ?? 0) + scanner.silenceMs);
  return { verdicts, scans: last === null ? scans : [...scans, last] };
}

describe('a scanner that ends with a terminator', () => {
  it.each(['Enter', 'Tab'])('is heard whole, and its %s never passes (invariant 2)', (terminator) => {
    const { verdicts, scans } = hear(burst('7891234567895', 0, 4, terminator));
    expect(scans).toEqual(['7891234567895']);
    expect(verdicts).toEqual(['pass', 'pass', 'pass', 'recognise', ...Array<string>(9).fill('swallow'), 'scan']);
  });

  it('is recognised at its fourth character, and says how many keys went before', () => {
    const scanner = createScanner();
    const verdicts = burst('1234', 0, 10, null).map((key) => scanner.press(key).verdict);
    expect(verdicts.at(-1)).toEqual({ kind: 'recognise', gathered: 3 });
  });

  it('counts twice within 100 ms (invariant 3)', () => {
    expect(hear([...burst('11112222', 0, 5), ...burst('33334444', 50, 5)]).scans).toEqual(['11112222', '33334444']);
  });

  it('is heard though its first key was held up by up to 80 ms', () => {
    expect(hear([press('7', 0), ...burst('891234567895', 78, 2)]).scans).toEqual(['7891234567895']);
  });

  it('keeps letters, shift and the GS1 separator', () => {
    const keys = [...burst('01', 0, 5, null), press('Shift', 9), ...burst('AB', 10, 5, null), press(']', 20, { isChord: true }), press('F8', 25), ...burst('10X', 30, 5)];
    expect(hear(keys).scans).toEqual(['01AB\u001d\u001d10X']);
  });

  it.each(['29', '029', '0029'])('takes %s under alt for the GS1 separator, also as the first key', (code) => {
    const byAlt = (startMs: number): KeyPress[] => [press('Alt', startMs), ...[...code].map((key, index) => press(key, startMs + 1 + index, { isChord: true, isAlt: true }))];
    const keys = [...byAlt(0), ...burst(']d201', 10, 5, null), ...byAlt(36), ...byAlt(42), ...burst('10X', 50, 5)];
    const { scans, verdicts } = hear(keys);
    expect(scans).toEqual(['\u001d]d201\u001d\u001d10X']);
    expect(verdicts.at(-5)).toBe('swallow');
  });

  it('takes no other digits under alt', () => {
    const keys = [...burst('0123', 0, 5, null), ...[...'0065'].map((key, index) => press(key, 20 + index, { isChord: true, isAlt: true }))];
    expect(hear(keys).scans).toEqual(['0123']);
    expect(hear([...burst('01', 0, 5, null), press('Alt', 9), press('2', 10, { isChord: true, isAlt: true }), ...burst('3456', 12, 5)]).scans).toEqual(['013456']);
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

  it.each(others)('is kept from the page as what the scanner ends with, and the scan is answered once: %s', (key, more) => {
    const { verdicts, scans } = hear([...burst('7891234567895', 0, 10, null), press(key, 130, more)]);
    expect(scans).toEqual(['7891234567895']);
    expect(verdicts.at(-1)).toBe('swallow');
  });

  it.each(others)('adds nothing in the middle of a scan: %s', (key, more) => {
    const { verdicts, scans } = hear([...burst('789123', 0, 10, null), press(key, 60, more), ...burst('4567895', 70, 10)]);
    expect(scans).toEqual(['7891234567895']);
    expect(verdicts.slice(4)).toEqual([...Array<string>(10).fill('swallow'), 'scan']);
  });

  it('is a person\'s again after the silence', () => {
    const { verdicts, scans } = hear([...burst('7891234567895', 0, 10, null), press('ArrowDown', 300)]);
    expect(scans).toEqual(['7891234567895']);
    expect(verdicts.at(-1)).toBe('pass');
  });
});

describe('a scanner without a terminator', () => {
  it('is heard after 80 ms of silence (invariant 3)', () => {
    const scanner = createScanner();
    burst('78912345', 0, 5, null).forEach((key) => scanner.press(key));
    expect(scanner.rest(35 + 79)).toBeNull();
    expect(scanner.rest(35 + 80)).toBe('78912345');
    expect(scanner.rest(35 + 200)).toBeNull();
  });

  it('is answered before the key that comes after the silence', () => {
    expect(hear([...burst('78912345', 0, 5, null), press('a', 300)]).scans).toEqual(['78912345']);
  });

  it('swallows an Enter that comes late, once (invariant 2)', () => {
    const { verdicts, scans } = hear([...burst('78912345', 0, 5, null), press('Enter', 200), press('Enter', 240)]);
    expect(scans).toEqual(['78912345']);
    expect(verdicts.slice(-2)).toEqual(['swallow', 'pass']);
  });
});

describe('a busy machine', () => {
  it('that hears keys after the silence within which they were pressed has none of them pass, and answers the scan anew as a whole (invariant 6)', () => {
    const scanner = createScanner();
    const keys = burst('7891234567895', 0, 4);
    keys.slice(0, 10).forEach((key) => scanner.press(key));
    expect(scanner.rest(500)).toBe('7891234567');
    expect(keys.slice(10).map((key) => scanner.press(key).verdict)).toEqual([{ kind: 'swallow' }, { kind: 'swallow' }, { kind: 'swallow' }, { kind: 'scan', text: '7891234567895' }]);
    expect(scanner.rest(1000)).toBeNull();
  });

  it('that was quick enough leaves the next key to whoever pressed it', () => {
    const scanner = createScanner();
    burst('78912345', 0, 4, null).forEach((key) => scanner.press(key));
    expect(scanner.rest(108)).toBe('78912345');
    expect(scanner.press(press('a', 110)).verdict.kind).toBe('pass');
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
    const keys = Array.from({ length: 30 }, (_, index) => press('a', index * 30, { isRepeat: index > 0 }));
    expect(hear(keys)).toEqual({ verdicts: Array<string>(30).fill('pass'), scans: [] });
  });

  it('uses a shortcut within a burst, which ends it', () => {
    expect(hear([...burst('123', 0, 5, null), press('c', 15, { isChord: true }), press('4', 20)]).scans).toEqual([]);
  });

  it('types right before a scan and keeps the character', () => {
    const { verdicts, scans } = hear([press('a', 0), ...burst('7891234567895', 200, 4)]);
    expect(scans).toEqual(['7891234567895']);
    expect(verdicts[0]).toBe('pass');
  });
});

describe('a scanner that is set up', () => {
  it.each(['enter', 'tab'] as const)('to end with %s leaves the other key to the person', (terminator) => {
    const [own, other] = terminator === 'enter' ? ['Enter', 'Tab'] : ['Tab', 'Enter'];
    expect(hear(burst('7891234567895', 0, 4, own), { terminator })).toMatchObject({ scans: ['7891234567895'] });
    expect(hear([...burst('7891234567895', 0, 4, null), press(other ?? '', 200)], { terminator }).verdicts.at(-1)).toBe('pass');
  });

  it('to end with nothing leaves an Enter after the silence to the person, but none within the scan', () => {
    expect(hear([...burst('78912345', 0, 5, null), press('Enter', 140)], { terminator: 'none' }).verdicts.at(-1)).toBe('pass');
    expect(hear([...burst('78912345', 0, 5, null), press('Enter', 40)], { terminator: 'none' })).toMatchObject({ scans: ['78912345'], verdicts: expect.arrayContaining(['swallow']) });
  });

  it.each(['Enter', 'Tab'])('has a second %s right behind its terminator swallowed (invariant 2), and not a person\'s', (second) => {
    const after = (ms: number): Verdict['kind'] | undefined => hear([...burst('78912345', 0, 5), press(second, 40 + ms)]).verdicts.at(-1);
    expect([after(4), after(34), after(36), after(100)]).toEqual(['swallow', 'swallow', 'pass', 'pass']);
  });

  it('with another length, pace and silence is heard by them', () => {
    expect(hear(burst('123', 0, 10), { charactersAtLeast: 3, meanGapMs: 20 }).scans).toEqual(['123']);
    expect(hear(burst('1234567', 0, 45), { charactersAtLeast: 6, meanGapMs: 50, silenceMs: 100 }).scans).toEqual(['1234567']);
    const paused = [...burst('1234', 0, 5, null), ...burst('5678', 200, 5)];
    expect(hear(paused).scans).toEqual(['1234', '5678']);
    expect(hear(paused, { silenceMs: 300 }).scans).toEqual(['12345678']);
  });

  it('with a prefix is recognised at the next character, also when it is short, and the prefix and suffix are taken off (invariant 5)', () => {
    expect(hear(burst('~5#', 0, 10), { prefix: '~', suffix: '#' })).toEqual({ verdicts: ['pass', 'recognise', 'swallow', 'scan'], scans: ['5'] });
    expect(hear([...burst('~5', 0, 10), ...burst('~6', 60, 10)], { prefix: '~' }).scans).toEqual(['5', '6']);
  });

  it('with a prefix may be slow, but not as slow as a person (invariant 5)', () => {
    expect(hear(burst('~78912345', 0, 55), { prefix: '~' }).scans).toEqual(['78912345']);
    expect(hear(burst('%%%%%%78912345', 0, 55), { prefix: '%%%%%%' }).scans).toEqual(['78912345']);
    expect(hear(burst('~789', 0, 60), { prefix: '~' }).verdicts.every((kind) => kind === 'pass')).toBe(true);
    // Not at the beginning of what is typed.
    expect(hear(burst('pass~word', 0, 55), { prefix: '~' }).verdicts.every((kind) => kind === 'pass')).toBe(true);
  });

  it('with letters as a prefix is heard as without one, and has them taken off', () => {
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
    fc.record({ kind: fc.constant('scan' as const), text: scanText, gapMs: fc.integer({ min: 0, max: 20 }), terminator: fc.constantFrom('Enter', 'Tab', null) }),
    fc.record({ kind: fc.constant('typing' as const), text: fc.string({ unit: fc.constantFrom(...'abc def'), minLength: 1, maxLength: 12 }), gapMs: fc.integer({ min: 90, max: 300 }), terminator: fc.constantFrom('Enter', null) }),
  );

  it('hears every scan once and in order, and lets every typed key pass', () => {
    fc.assert(
      fc.property(fc.array(episode, { maxLength: 12 }), (episodes) => {
        let at = 0;
        const keys: KeyPress[] = [];
        const typed: number[] = [];
        for (const { kind, text, gapMs, terminator } of episodes) {
          // Longer than a late terminator may take: whose an Enter is must be knowable.
          at += 300;
          const part = burst(text, at, gapMs, terminator);
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
