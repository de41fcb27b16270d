// The proof of when the daily full listing may begin: Q1 to Q4 of quiet-hours.ts, in the store's own time.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fullEveryMs,
  nextListing,
  nextQuietAt,
  type Circumstances,
} from '../../../../app/catalogue/sync/quiet-hours.ts';
import { isWithinHours } from '../../../../app/domain/hours.ts';
import { noProgress, type Progress } from '../../../../app/catalogue/sync/progress.ts';

const hourMs = 3_600_000;
/** Noon, by UTC. */
const noon = Date.UTC(2031, 0, 6, 12);
const night = { from: 22, to: 6 };
const saoPaulo = -180;
const place: Circumstances = { now: noon, idleMs: 0, quietHours: night, offsetMinutes: 0 };
/** A copy whose last full listing was over so long ago. */
const listed = (agoMs: number): Progress => ({
  ...noProgress,
  completeAsOf: noon - agoMs,
  nextFullAt: noon - agoMs + fullEveryMs,
  waitsForQuiet: true,
});

describe('quiet hours', () => {
  test('are those of the store, wherever the machine thinks it is', () => {
    // 23:00 in São Paulo.
    expect(isWithinHours(Date.UTC(2031, 0, 7, 2), night, saoPaulo)).toBe(true);
    expect(isWithinHours(Date.UTC(2031, 0, 6, 23), night, saoPaulo)).toBe(false);
    const next = nextListing({ ...listed(13 * hourMs), offsetMinutes: saoPaulo }, { ...place, offsetMinutes: 540 });
    expect(next).toEqual({ at: Date.UTC(2031, 0, 7, 1), why: 'quietHours' });
  });

  test('follow the clock of a place that changes in the night', () => {
    // Lisbon: at 1:00 it becomes 2:00.
    const hours = { from: 2, to: 5 };
    const atUtc = (hour: number, minute = 0): number => Date.UTC(2031, 2, 30, hour, minute);
    expect(nextQuietAt(atUtc(0, 59), hours, 0)).toBe(atUtc(2));
    expect(nextQuietAt(atUtc(1), hours, 60)).toBe(atUtc(1));
    expect(isWithinHours(atUtc(3, 59), hours, 60)).toBe(true);
    expect(nextQuietAt(atUtc(4), hours, 60)).toBe(Date.UTC(2031, 2, 31, 1));
  });

  test('the next moment is quiet, no earlier than asked, and none before it is', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: 0, max: 23 }),
        fc.integer({ min: -18 * 60, max: 18 * 60 }),
        fc.integer({ min: 0, max: 2e12 }),
        (from, to, offsetMinutes, at) => {
          const next = nextQuietAt(at, { from, to }, offsetMinutes);
          expect(isWithinHours(next, { from, to }, offsetMinutes)).toBe(true);
          expect(next).toBeGreaterThanOrEqual(at);
          expect(next - at).toBeLessThanOrEqual(24 * hourMs);
          if (next > at) {
            expect(isWithinHours(next - 1, { from, to }, offsetMinutes)).toBe(false);
          }
        },
      ),
      // A clock that was never set, west of Greenwich: the local day began before 1970.
      { examples: [[7, 8, -1020, 0]] },
    );
  });
});

describe('the next full listing', () => {
  test('Q1: begins in the first quiet hour once the last one is twelve hours old', () => {
    expect(nextListing(listed(13 * hourMs), place)).toEqual({ at: Date.UTC(2031, 0, 6, 22), why: 'quietHours' });
    expect(nextListing(listed(13 * hourMs), { ...place, quietHours: { from: 11, to: 14 } })).toEqual({
      at: null,
      why: 'now',
    });
    // One that was over two hours ago waits for the next night's hours but one.
    expect(nextListing(listed(2 * hourMs), { ...place, quietHours: { from: 11, to: 14 } })).toEqual({
      at: Date.UTC(2031, 0, 7, 11),
      why: 'quietHours',
    });
  });

  test('Q2: begins once it is due and nobody has looked anything up for twenty minutes', () => {
    expect(nextListing(listed(25 * hourMs), { ...place, idleMs: 19 * 60_000 }).why).toBe('quietHours');
    expect(nextListing(listed(25 * hourMs), { ...place, idleMs: 20 * 60_000 }).why).toBe('now');
    expect(nextListing(listed(23 * hourMs), { ...place, idleMs: 24 * hourMs }).why).toBe('quietHours');
  });

  test('Q3: waits for nothing once the last one is thirty-six hours old, and says so before', () => {
    expect(nextListing(listed(36 * hourMs), place).why).toBe('now');
    expect(nextListing(listed(30 * hourMs), place)).toEqual({ at: noon + 6 * hourMs, why: 'overdue' });
  });

  test('Q4: a first copy, and one that is read again, never wait', () => {
    expect(nextListing(noProgress, place).why).toBe('now');
    expect(nextListing({ ...listed(0), waitsForQuiet: false, nextFullAt: noon + 600_000 }, place)).toEqual({
      at: noon + 600_000,
      why: 'due',
    });
    expect(nextListing({ ...listed(0), waitsForQuiet: false, nextFullAt: noon }, place).why).toBe('now');
  });

  test.each([
    ['never read', noProgress],
    ['overdue', listed(40 * hourMs)],
    ['to be read again', { ...listed(0), waitsForQuiet: false, nextFullAt: noon }],
    ['in the quiet hours of the next night', listed(13 * hourMs)],
  ])('one that is %s says the same at each moment: else it would wake the screens', (_, progress) => {
    const later = { ...place, now: noon + 7_000 };
    expect(nextListing(progress, later)).toEqual(nextListing(progress, place));
  });

  test('a clock that was set back by days does not put it off', () => {
    expect(nextListing(listed(-48 * hourMs), place).why).toBe('now');
  });
});
