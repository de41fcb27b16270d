// The proof that date-times with an offset are read and written as API v3 §2 "Conventions" says.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { daysUntil, formatDateTime, parseDateTime, readStoreTime } from '../../../app/domain/date-time.ts';

test('reads the documented form', () => {
  expect(parseDateTime('2025-03-04T05:06:07-03:00')).toEqual({
    time: Date.UTC(2025, 2, 4, 8, 6, 7),
    offsetMinutes: -180,
  });
  expect(parseDateTime('2025-03-04T05:06:07+05:30')?.offsetMinutes).toBe(330);
  expect(parseDateTime('2025-03-04T05:06:07.123Z')).toEqual({ time: Date.UTC(2025, 2, 4, 5, 6, 7), offsetMinutes: 0 });
});

test.each([
  '',
  '2025-03-04',
  '2025-03-04T05:06:07',
  '2025-02-30T05:06:07-03:00',
  '2025-13-01T05:06:07-03:00',
  '2025-03-04T24:00:00-03:00',
  '2025-03-04T05:60:00Z',
  '2025-03-04T05:06:07+99:00',
  '2025-03-04T05:06:07+01:75',
])('refuses %j', (text) => {
  expect(parseDateTime(text)).toBeNull();
});

test('writing and reading come round', () => {
  const wholeSeconds = fc
    .integer({ min: Date.UTC(1, 0, 1) / 1000, max: Date.UTC(9998, 0, 1) / 1000 })
    .map((seconds) => seconds * 1000);
  fc.assert(
    fc.property(wholeSeconds, fc.integer({ min: -18 * 60, max: 18 * 60 }), (time, offsetMinutes) => {
      expect(parseDateTime(formatDateTime({ time, offsetMinutes }))).toEqual({ time, offsetMinutes });
    }),
  );
});

test('a time beyond the form is drawn to the nearest that fits', () => {
  expect(formatDateTime({ time: 8.64e15, offsetMinutes: 0 })).toBe('9999-12-31T23:59:59+00:00');
  expect(formatDateTime({ time: -8.64e15, offsetMinutes: -180 })).toBe('0000-01-01T00:00:00-03:00');
});

test.each([
  ['2025-12-31', '2025-12-31'],
  ['2025-12-31T23:59:59-03:00', '2025-12-31T23:59:59'],
  ['2025-12-31T00:00:00Z', '2025-12-31T00:00:00'],
  ['2025-12-31 08:05', '2025-12-31T08:05:00'],
  ['2025-12-31T08:05:01.123456+0530', '2025-12-31T08:05:01'],
  ['2024-02-29', '2024-02-29'],
  ['2025-02-29', null],
  ['0000-00-00', null],
  ['2025-12-31T24:00:00Z', null],
  ['2025-12-31T08', null],
  ['31/12/2025', null],
  ['2025-12-31x', null],
  ['20251231', null],
  ['', null],
])("the store's own time in %j is %j", (text, expected) => {
  expect(readStoreTime(text)).toBe(expected);
});

test("days are counted by the store's calendar, not by hours", () => {
  const lateEvening = Date.UTC(2025, 11, 31, 2, 30); // 23:30 of the 30th at -03:00, 08:00 of the 31st at +05:30
  expect(daysUntil('2025-12-31', lateEvening, -180)).toBe(1);
  expect(daysUntil('2025-12-31', lateEvening, 330)).toBe(0);
  expect(daysUntil('2025-12-29', lateEvening, -180)).toBe(-1);
  expect(daysUntil('2026-12-30', lateEvening, -180)).toBe(365);
  expect(daysUntil('1969-12-31', 0, 0)).toBe(-1);
});
