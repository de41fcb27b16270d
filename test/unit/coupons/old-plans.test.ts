// Proves that plans that have run for years cost no more than new ones, and lose nothing that is still to be told.
import { expect, test } from 'vitest';
import { readPlanned } from '../../../app/coupons/planned.ts';
import { openCouponSets, type KeptMoment } from '../../../app/coupons/sets.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { id } from '../catalogue/catalogue-fixture.ts';
import { openRepository } from '../queue/repository-rows.ts';

const dayMs = 86_400_000;
/** A Friday. */
const now = Date.UTC(2036, 10, 28, 12);

test('of ten years of a weekly plan those moments alone are read that are told or may come', async () => {
  const { database, ownerId } = await openRepository();
  const sets = openCouponSets(database, { platform: 'https://platform.example.com', companyId: id(7) });
  const setId = sets.save(null, 'Happy hour', { kind: 'list', productIds: [id(4)] }, 'ana@example.com') ?? 0;
  const times = { repeats: 'weekly', day: '2026-11-27', on: '18:00', off: '23:00' } as const;
  const planId = sets.plan(setId, ownerId, times, Date.UTC(2026, 10, 27), 0) ?? 0;
  const keep = (weeks: number, isEnabled: boolean, state: KeptMoment['state']): void => {
    const dueAt = now - weeks * 7 * dayMs + (isEnabled ? 6 : 11) * 3_600_000;
    const day = new Date(dueAt).toISOString().slice(0, 10);
    sets.keep(planId, { day, isEnabled, state, why: state === 'missed' ? 'late' : null, dueAt, made: 1 });
  };
  keep(0, true, 'skipped');
  for (let weeks = 1; weeks < 520; weeks += 1) {
    keep(weeks, true, weeks === 300 ? 'missed' : 'made');
    keep(weeks, false, weeks === 301 ? 'left' : 'made');
  }
  let read = 0;
  const counting = {
    ...sets,
    moments: (...asked: Parameters<typeof sets.moments>) => {
      const moments = sets.moments(...asked);
      read += moments.length;
      return moments;
    },
  };
  const planned = readPlanned({ clock: createManualClock({ now }), offsetMinutes: () => 0, sets: counting }, () => []);
  expect(planned.next.map(({ isEnabled, state }) => [isEnabled, state])).toEqual([
    [true, 'skipped'],
    [false, 'planned'],
  ]);
  expect(planned.missed).toHaveLength(1);
  expect(planned.made).toHaveLength(2);
  expect(read).toBeLessThan(10);
});
