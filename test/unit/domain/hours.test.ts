import { expect, test } from 'vitest';
import { isWithinHours, lengthOfMs, nextStartOf } from '../../../app/domain/hours.ts';

const night = { from: 22, to: 6 };
const morning = { from: 1, to: 5 };
const always = { from: 7, to: 7 };
const at = (hour: number, minute = 0): number => Date.UTC(2031, 0, 6, hour, minute);

test.each([
  [night, 21, false],
  [night, 22, true],
  [night, 0, true],
  [night, 5, true],
  [night, 6, false],
  [morning, 0, false],
  [morning, 4, true],
  [morning, 5, false],
  [always, 13, true],
])('%o at %i o’clock: %s', (hours, hour, expected) => {
  expect(isWithinHours(at(hour), hours, 0)).toBe(expected);
  expect(isWithinHours(at(hour, 59), hours, 0)).toBe(expected);
});

test('hours are those of the place, and begin again on the next day there', () => {
  expect(isWithinHours(at(1), night, -180)).toBe(true);
  expect(nextStartOf(night, at(12), 0)).toBe(at(22));
  expect(nextStartOf(night, at(22), 0)).toBe(at(46));
  expect(nextStartOf(night, at(23), -180)).toBe(at(25));
});

test('their length goes over midnight, and the same hour twice is a whole day', () => {
  expect([night, morning, always].map((one) => lengthOfMs(one) / 3_600_000)).toEqual([8, 4, 24]);
});
