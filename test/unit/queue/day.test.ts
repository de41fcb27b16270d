// The proof of what is told of the queue's last day: that the hours add up, whatever has happened in them, and that the
// work is bounded.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { hourOf, hoursOfDay, maxDayRows } from '../../../app/queue/day.ts';
import { openQueueRepository } from '../../../app/queue/repository.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const hour = 3_600_000;
const now = Date.UTC(2025, 5, 1, 15, 20);
const always = (): Promise<boolean> => Promise.resolve(true);

async function open() {
  const database = await openQueueDatabase(temporaryDirectory());
  const repository = openQueueRepository(database, openCouponRepository(database).confirm);
  const ownerId = repository.ownerId({
    platform: 'https://platform.example.com',
    companyId: '7' as Id,
    email: 'ana@example.com',
  });
  const insert = database.prepare(
    "INSERT INTO updates (owner_id, kind, subject_id, is_enabled, created_at, changed_at, state, checksum) VALUES (?, 'coupon', '1', 1, ?, ?, ?, '')",
  );
  const add = (createdAt: number, changedAt: number, state: string): void => {
    insert.run(ownerId, createdAt, changedAt, state);
  };
  return { database, repository, add };
}

test.each([
  [0, Date.UTC(2025, 5, 1, 15)],
  [-180, Date.UTC(2025, 5, 1, 15)],
  [330, Date.UTC(2025, 5, 1, 14, 30)],
])('an hour begins when the clock of the store says so, %i minutes from UTC', (offset, expected) => {
  expect(hourOf(now, offset)).toBe(expected);
});

test('an empty queue has an empty day', async () => {
  const { repository } = await open();
  const day = await repository.readDay(now, 0, always);
  expect(day).toMatchObject({ isWhole: true, readAt: now });
  expect(day?.hours).toHaveLength(hoursOfDay);
  expect(
    day?.hours.every(({ added, delivered, givenUp, open: left }) => added + delivered + givenUp + left === 0),
  ).toBe(true);
});

test('what a newer one replaced unsent within the hour is no change; what stood open longer is one', async () => {
  const { repository, add } = await open();
  for (let place = 0; place < 12; place += 1) {
    add(now - 60_000 * (12 - place), now - 60_000 * (11 - place), 'superseded');
  }
  add(now, now, 'pending');
  add(now - 3 * hour, now - hour, 'superseded');
  const { hours } = (await repository.readDay(now, 0, always)) ?? { hours: [] };
  const figures = hours.slice(-4).map(({ added, delivered, givenUp, open: left }) => [added, delivered, givenUp, left]);
  expect(figures).toEqual([
    [1, 0, 0, 1],
    [0, 0, 0, 1],
    [0, 0, 1, 0],
    [1, 0, 0, 1],
  ]);
});

test('an outage is seen: added while it lasts, open until it ends, delivered afterwards', async () => {
  const { repository, add } = await open();
  // Made yesterday, and still waiting at the start of these hours.
  add(now - 30 * hour, now - hour, 'delivered');
  add(now - 5 * hour, now - hour, 'delivered');
  add(now - 4 * hour, now - 4 * hour, 'parked');
  add(now - 3 * hour, now - 2 * hour, 'discarded');
  const { hours } = (await repository.readDay(now, 0, always)) ?? { hours: [] };
  const figures = hours.slice(-6).map(({ added, delivered, givenUp, open: left }) => [added, delivered, givenUp, left]);
  expect(figures).toEqual([
    [1, 0, 0, 2],
    [1, 0, 0, 3],
    [1, 0, 0, 4],
    [0, 0, 1, 3],
    [0, 2, 0, 1],
    [0, 0, 0, 1],
  ]);
  expect(hours[0]).toMatchObject({ at: Date.UTC(2025, 4, 31, 16), open: 1 });
});

test('whatever has happened, each hour ends as the rows say, and the last one with what is open now', async () => {
  const { database, repository, add } = await open();
  const update = fc.record({
    agoMs: fc.integer({ min: 0, max: 40 * hour }),
    share: fc.double({ min: 0, max: 1, noNaN: true }),
    state: fc.constantFrom('pending', 'sealed', 'parked', 'delivered', 'superseded', 'discarded'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(update, { maxLength: 60 }), async (updates) => {
      database.exec('DELETE FROM updates');
      const rows = updates.map(({ agoMs, share, state }) => ({
        createdAt: now - agoMs,
        changedAt: now - Math.round(agoMs * share),
        state,
      }));
      rows.forEach(({ createdAt, changedAt, state }) => add(createdAt, changedAt, state));
      const day = await repository.readDay(now, -180, always);
      for (const { at, open: left } of day?.hours ?? []) {
        const end = at + hour;
        expect(left).toBe(
          rows.filter(
            ({ createdAt, changedAt, state }) =>
              createdAt < end && (['pending', 'sealed', 'parked'].includes(state) || changedAt >= end),
          ).length,
        );
      }
    }),
    { numRuns: 100, seed: 1 },
  );
});

test('a clock that was set back does not lose what it noted for later', async () => {
  const { repository, add } = await open();
  add(now + 5 * hour, now + 5 * hour, 'delivered');
  const last = (await repository.readDay(now, 0, always))?.hours.at(-1);
  expect(last).toMatchObject({ added: 1, delivered: 1, open: 0 });
});

test('of very many updates only the newest are looked at, others get turns, and the cut is said', async () => {
  const { database, repository, add } = await open();
  database.transaction(() => {
    for (let row = 0; row < maxDayRows + 10; row += 1) {
      add(now - 60_000, now, 'delivered');
    }
  });
  let turns = 0;
  const day = await repository.readDay(now, 0, () => {
    turns += 1;
    return always();
  });
  expect(turns).toBeGreaterThanOrEqual(19);
  expect(day?.isWhole).toBe(false);
  expect(day?.hours.at(-1)).toMatchObject({ added: maxDayRows, delivered: maxDayRows, open: 0 });
  expect(await repository.readDay(now, 0, () => Promise.resolve(false))).toBeNull();
});
