// When a plan is due: by the clock on the wall, with the rules of summer time of real zones, and by a day that does not
// change whatever those rules do.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { PlanTimes } from '../../../app/contract/coupon-sets.ts';
import { planTimesSchema } from '../../../app/contract/coupon-sets.ts';
import { momentsOf, nextMoment } from '../../../app/coupons/plan-times.ts';
import { instantOf } from '../../../app/domain/days.ts';

/** By the rules that this zone really has. */
function zone(timeZone: string): (at: number) => number {
  const format = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' });
  return (at) => {
    const name = format.formatToParts(at).find(({ type }) => type === 'timeZoneName')?.value ?? '';
    const [, sign = '+', hours = '0', minutes = '0'] = /GMT([+-])(\d\d):(\d\d)/.exec(name) ?? [];
    return Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  };
}

const [madrid, fortaleza, santiago] = [zone('Europe/Madrid'), zone('America/Fortaleza'), zone('America/Santiago')];
const at = (text: string): number => Date.parse(text);
const happyHour: PlanTimes = { repeats: 'once', day: '2026-11-27', on: '18:00', off: '23:00' };
const shown = (times: PlanTimes, from: string, to: string, offset = fortaleza) =>
  momentsOf(times, at(from), at(to), offset).map(
    (moment) => `${moment.day} ${moment.isEnabled ? 'on' : 'off'} ${new Date(moment.at).toISOString().slice(0, 16)}`,
  );

test('a plan that comes once has its times in the zone of the terminal', () => {
  expect(shown(happyHour, '2020-01-01T00:00Z', '2030-01-01T00:00Z')).toEqual([
    '2026-11-27 on 2026-11-27T21:00',
    '2026-11-27 off 2026-11-28T02:00',
  ]);
  expect(shown(happyHour, '2026-11-27T21:00Z', '2026-11-28T01:59Z')).toEqual([]);
  expect(shown({ ...happyHour, on: null }, '2020-01-01T00:00Z', '2030-01-01T00:00Z')).toHaveLength(1);
});

test('what is switched off after midnight belongs to the day before', () => {
  expect(shown({ ...happyHour, off: '02:00' }, '2026-11-28T00:00Z', '2026-12-30T00:00Z')).toEqual([
    '2026-11-27 off 2026-11-28T05:00',
  ]);
});

test('a weekly plan comes every week from its first day on, at the same local time all year', () => {
  const weekly: PlanTimes = { repeats: 'weekly', day: '2026-10-16', on: '18:00', off: null };
  expect(shown(weekly, '2026-10-01T00:00Z', '2026-11-01T00:00Z', madrid)).toEqual([
    '2026-10-16 on 2026-10-16T16:00',
    '2026-10-23 on 2026-10-23T16:00',
    '2026-10-30 on 2026-10-30T17:00',
  ]);
  expect(nextMoment(weekly, true, at('2036-10-16T00:00Z'), madrid)?.day).toBe('2036-10-17');
  expect(nextMoment(weekly, false, at('2026-10-16T00:00Z'), madrid)).toBeNull();
});

test('a time that exists twice is the first one, and one that does not exist is an hour later', () => {
  expect(instantOf('2026-10-25', '02:30', madrid)).toBe(at('2026-10-25T02:30+02:00'));
  expect(instantOf('2026-03-29', '02:30', madrid)).toBe(at('2026-03-29T03:30+02:00'));
  // In Chile the clocks change at midnight: the day begins at one.
  expect(instantOf('2026-09-06', '00:00', santiago)).toBe(at('2026-09-06T01:00-03:00'));
  expect(instantOf('2026-04-04', '23:30', santiago)).toBe(at('2026-04-04T23:30-03:00'));
});

test.each([
  ['2026-03-29', '02:30', '03:15', madrid, '2026-03-29T01:15'],
  ['2026-03-29', '02:30', '03:00', madrid, '2026-03-29T01:00'],
  ['2026-09-06', '00:30', '01:15', santiago, '2026-09-06T04:15'],
])('a plan of %s from %s to %s, when the clocks are put forward, ends switched off', (day, on, off, zoneOf, last) => {
  const times: PlanTimes = { repeats: 'once', day, on, off };
  expect(shown(times, '2020-01-01T00:00Z', '2030-01-01T00:00Z', zoneOf)).toEqual([`${day} off ${last}`]);
});

test('every moment is found once, whatever spans are looked at', () => {
  const minute = fc.integer({ min: 0, max: 1439 });
  const time = minute.map(
    (value) => `${String(Math.floor(value / 60)).padStart(2, '0')}:${String(value % 60).padStart(2, '0')}`,
  );
  const start = at('2026-01-01T00:00Z');
  const day = fc
    .integer({ min: 0, max: 300 })
    .map((days) => new Date(start + days * 86_400_000).toISOString().slice(0, 10));
  fc.assert(
    fc.property(
      fc.constantFrom(madrid, santiago),
      fc.constantFrom('once' as const, 'weekly' as const),
      day,
      time,
      time,
      fc.array(fc.integer({ min: 1, max: 40 * 1440 }), { minLength: 1, maxLength: 12 }),
      (offset, repeats, first, on, off, steps) => {
        const times: PlanTimes = { repeats, day: first, on, off: on === off ? null : off };
        const found: string[] = [];
        let from = start;
        for (const minutes of steps) {
          const to = from + minutes * 60_000;
          found.push(
            ...momentsOf(times, from, to, offset).map((moment) => `${moment.day} ${String(moment.isEnabled)}`),
          );
          from = to;
        }
        expect(new Set(found).size).toBe(found.length);
        expect(found).toEqual(
          momentsOf(times, start, from, offset).map((moment) => `${moment.day} ${String(moment.isEnabled)}`),
        );
      },
    ),
    { numRuns: 60 },
  );
});

test('what is no day, no time or nothing at all is no plan', () => {
  const bad = [
    { day: '2026-02-30' },
    { day: '26-02-03' },
    { on: '24:00' },
    { on: '7:00' },
    { on: null, off: null },
    { on: '18:00', off: '18:00' },
  ];
  for (const change of bad) {
    expect(planTimesSchema.safeParse({ ...happyHour, ...change }).success).toBe(false);
  }
  expect(planTimesSchema.safeParse(happyHour).success).toBe(true);
});
