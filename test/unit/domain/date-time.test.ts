// Owns the proof that date-times with an offset are read and written as API v3 §2 "Conventions" says.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatDateTime, parseDateTime } from '../../../app/domain/date-time.ts';

test('reads the documented form', () => {
  expect(parseDateTime('2025-03-04T05:06:07-03:00')).toEqual({ time: Date.UTC(2025, 2, 4, 8, 6, 7), offsetMinutes: -180 });
  expect(parseDateTime('2025-03-04T05:06:07+05:30')?.offsetMinutes).toBe(330);
  expect(parseDateTime('2025-03-04T05:06:07.123Z')).toEqual({ time: Date.UTC(2025, 2, 4, 5, 6, 7), offsetMinutes: 0 });
});

test.each(['', '2025-03-04', '2025-03-04T05:06:07', '2025-02-30T05:06:07-03:00', '2025-13-01T05:06:07-03:00', '2025-03-04T24:00:00-03:00', '2025-03-04T05:60:00Z', '2025-03-04T05:06:07+99:00', '2025-03-04T05:06:07+01:75'])(
  'refuses %j',
  (text) => {
    expect(parseDateTime(text)).toBeNull();
  },
);

test('writing and reading come round', () => {
  const wholeSeconds = fc.integer({ min: Date.UTC(1, 0, 1) / 1000, max: Date.UTC(9998, 0, 1) / 1000 }).map((seconds) => seconds * 1000);
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
