// The proof of the time by which the queue counts ages: what clocks that are set, lost or started anew do to it, in one
// run and between two.
import { expect, test } from 'vitest';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import { limitsOf, openQueueRepository } from '../../../app/queue/repository.ts';
import {
  openSteadyTime,
  surelyBetween,
  unknownSpanMs,
  type SteadyOffsets,
  type SteadyTime,
} from '../../../app/queue/steady-time.ts';
import { createManualClock, settlePromises, type ManualClock } from '../../support/manual-clock.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { ana, enqueue, keysOf, openShop, silence } from './queue-shop.ts';
import * as rows from './repository-rows.ts';
import { endCall } from '../../support/way.ts';

const hour = 3_600_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 10, 20, 12);

interface Run {
  readonly clock: ManualClock;
  readonly steady: SteadyTime;
  /** Ends this run, by the rules or not, and begins another. */
  next(clock: { readonly now: number; readonly uptimeMs: number }, isKept?: boolean): Promise<Run>;
}

async function open(directory: string, at: { readonly now: number; readonly uptimeMs: number }): Promise<Run> {
  const database = await openQueueDatabase(directory);
  const clock = createManualClock(at);
  const steady = openSteadyTime(database, clock);
  return {
    clock,
    steady,
    next: (later, isKept = true) => {
      if (isKept) {
        steady.keep();
      }
      database.close();
      return open(directory, later);
    },
  };
}

const start = (): Promise<Run> => open(temporaryDirectory(), { now: noon, uptimeMs: hour });
const nowOf = ({ steady, clock }: Run): number => steady.at(clock.now());

test('it begins as the wall clock, and goes on by the uptime, whatever the wall clock does', async () => {
  const run = await start();
  expect(nowOf(run)).toBe(noon);
  await run.clock.advance(hour);
  run.clock.jumpWall(-40 * day);
  await run.clock.advance(hour);
  expect(nowOf(run)).toBe(noon + 2 * hour);
  run.clock.jumpWall(900 * day);
  expect(nowOf(run)).toBe(noon + 2 * hour);
  expect(run.steady.at(run.clock.now() - 5_000)).toBe(noon + 2 * hour - 5_000);
});

test.each([
  ['in the same boot', { now: noon + 3 * hour, uptimeMs: 4 * hour }, 3 * hour],
  ['after a night', { now: noon + 20 * hour, uptimeMs: 60_000 }, 20 * hour],
  ['after a night, up for longer than before', { now: noon + 20 * hour, uptimeMs: 2 * hour }, 20 * hour],
  ['with a clock corrected by some seconds', { now: noon + 3 * hour - 10_000, uptimeMs: 4 * hour }, 3 * hour - 2_000],
  [
    'with a clock set back in the same boot',
    { now: noon - 50 * hour, uptimeMs: 4 * hour },
    unknownSpanMs + 3 * hour - 2_000,
  ],
  [
    'with a clock set back by less than what passed',
    { now: noon + hour, uptimeMs: 4 * hour },
    unknownSpanMs + 3 * hour - 2_000,
  ],
  ['with an empty battery, in the year 2000', { now: Date.UTC(2000, 0, 1), uptimeMs: 60_000 }, unknownSpanMs + 58_000],
  ['with a clock of more than a year later', { now: noon + 400 * day, uptimeMs: 60_000 }, unknownSpanMs + 58_000],
] as const)('between two runs %s', async (_what, later, passedMs) => {
  const second = await (await start()).next(later);
  expect(nowOf(second) - noon).toBe(passedMs);
});

test('two starts with an empty battery tell nothing of what lies between them', async () => {
  const lost = { now: Date.UTC(2000, 0, 1), uptimeMs: 60_000 };
  const first = await (await start()).next(lost);
  const second = await first.next(lost);
  expect(nowOf(second) - nowOf(first)).toBeGreaterThanOrEqual(unknownSpanMs);
});

test.each([
  ['in the same run', null, 2 * hour],
  ['after a night', { now: noon + 20 * hour, uptimeMs: 60_000 }, 18 * hour],
  ['with a clock set back in the same boot', { now: noon - 50 * hour, uptimeMs: 3 * hour + 60_000 }, 58_000],
  ['with an empty battery', { now: Date.UTC(2000, 0, 1), uptimeMs: 4 * hour }, hour - 2_000],
  ['with an empty battery, up for less than before', { now: Date.UTC(2000, 0, 1), uptimeMs: 60_000 }, 0],
  ['with a clock that stands before the stamp', { now: noon + hour, uptimeMs: 60_000 }, 0],
] as const)(
  'since a stamp of two hours after the start so much has surely passed %s',
  async (_what, later, sinceMs) => {
    const first = await start();
    await first.clock.advance(2 * hour);
    const stamped = nowOf(first);
    if (later === null) {
      await first.clock.advance(2 * hour);
    }
    const run = later === null ? first : await first.next(later, false);
    expect(surelyBetween(stamped, nowOf(run))).toBe(sinceMs);
  },
);

test('I2: another store of the same run goes on by the uptime, though the battery is empty', async () => {
  const offsets: SteadyOffsets = new Map();
  const directory = temporaryDirectory();
  const clock = createManualClock({ now: Date.UTC(2000, 0, 1), uptimeMs: hour });
  const database = await openQueueDatabase(directory);
  const before = openSteadyTime(database, clock, offsets).at(clock.now());
  database.close();
  await clock.advance(hour);
  const again = openSteadyTime(await openQueueDatabase(directory), clock, offsets);
  expect(again.at(clock.now()) - before).toBe(hour);
});

test('a clock set in one run is not taken for time that passed by the next, and is counted once', async () => {
  const first = await start();
  first.clock.jumpWall(30 * day);
  await first.clock.advance(hour);
  const second = await first.next({ now: noon + 30 * day + 3 * hour, uptimeMs: 4 * hour });
  expect(nowOf(second)).toBe(noon + 3 * hour);
  // From the year 2000 until the time server answers.
  const third = await second.next({ now: Date.UTC(2000, 0, 1), uptimeMs: 60_000 });
  const made = nowOf(third);
  await third.clock.advance(60_000);
  third.clock.jumpWall(Date.UTC(2026, 11, 1) - Date.UTC(2000, 0, 1));
  const fourth = await third.next({ now: Date.UTC(2026, 11, 1) + 10 * 60_000, uptimeMs: 10 * 60_000 });
  expect(nowOf(fourth) - made).toBeLessThan(11 * 60_000);
});

test('an attempt is stamped with the steady time beside the wall time', async () => {
  const database = await openQueueDatabase(temporaryDirectory());
  const clock = createManualClock({ now: noon, uptimeMs: hour });
  const repository = openQueueRepository(
    database,
    openCouponRepository(database).confirm,
    undefined,
    undefined,
    undefined,
    openSteadyTime(database, clock),
  );
  await clock.advance(hour);
  clock.jumpWall(-40 * day);
  const now = clock.now();
  const ownerId = repository.ownerId(ana);
  rows.enqueue(repository, { ownerId, product: '1', now });
  repository.beginAttempt(rows.seal(repository, ownerId, now).id, now);
  expect(database.prepare('SELECT sent_at, sent_steady_ms FROM attempts').all()).toEqual([
    { sent_at: noon + hour - 40 * day, sent_steady_ms: noon + hour },
  ]);
});

test('a change made after the clock was set is as old as it is after the process was killed', async () => {
  const directory = temporaryDirectory();
  const first = await openShop(directory, createManualClock({ now: noon, uptimeMs: hour }));
  first.clock.jumpWall(100 * hour);
  // Nobody is signed in who could send it.
  rows.enqueue(first.repository, { ownerId: first.repository.ownerId(ana), product: '1', now: first.clock.now() });
  // The process is killed: nothing else is noted.
  first.stop();
  const later = { now: noon + 101 * hour, uptimeMs: 2 * hour };
  const second = await openShop(directory, createManualClock(later));
  await settlePromises();
  expect(second.queue.state()).toMatchObject({ delivered: 1, parked: 0 });
});

test('a key that was sent while the clock ran ahead is given up days later, with or without a restart', async () => {
  for (const isRestarted of [false, true]) {
    const clock = createManualClock({ now: noon + 75 * hour, uptimeMs: hour });
    const shop = await openShop(temporaryDirectory(), clock);
    shop.limits = limitsOf({ historyDays: 30, askAfterHours: 0 });
    shop.replies.push(silence);
    await enqueue(shop, '1');
    expect(keysOf(shop)).toHaveLength(1);
    endCall(shop.connection, { kind: 'unreachable' });
    if (!isRestarted) {
      clock.jumpWall(-75 * hour);
      await clock.advance(80 * hour);
      endCall(shop.connection, null);
      await clock.advance(1_000);
      expect(new Set(keysOf(shop)).size).toBe(2);
      continue;
    }
    // Set right, and switched off for the weekend: against what was noted first, the wall clock says that no time has
    // passed.
    clock.jumpWall(-75 * hour);
    await clock.advance(1_000);
    await shop.queue.close();
    shop.stop();
    const later = await openShop(shop.directory, createManualClock({ now: noon + 60 * hour, uptimeMs: 60_000 }));
    await settlePromises();
    expect(keysOf(later)).toHaveLength(1);
    expect(keysOf(later)[0]).not.toBe(keysOf(shop)[0]);
  }
});

test('Q4: what was sent just before a restart keeps its key, though the clock moved by some seconds', async () => {
  const clock = createManualClock({ now: noon, uptimeMs: hour });
  const shop = await openShop(temporaryDirectory(), clock);
  await clock.advance(2 * hour);
  clock.jumpWall(-5_000);
  shop.replies.push(silence);
  await enqueue(shop, '1');
  // The process is killed.
  shop.stop();
  const later = createManualClock({ now: clock.now() + 500, uptimeMs: clock.uptimeMs() + 500 });
  const again = await openShop(shop.directory, later);
  await later.advance(60_000);
  expect(keysOf(shop)).toHaveLength(1);
  expect(keysOf(again)).toEqual(keysOf(shop));
});

test.each([
  ['an empty battery', { now: Date.UTC(2000, 0, 1), uptimeMs: 1_000 }],
  ['a clock that stands before it was sent', { now: noon + hour, uptimeMs: 1_000 }],
])(
  'I3: what was sent unanswered has time to arrive after a start with %s, before another key leaves',
  async (_what, at) => {
    const clock = createManualClock({ now: noon, uptimeMs: hour });
    const shop = await openShop(temporaryDirectory(), clock);
    await clock.advance(2 * hour);
    shop.replies.push(silence);
    await enqueue(shop, '1');
    await shop.queue.close();
    shop.stop();
    const later = createManualClock(at);
    const again = await openShop(shop.directory, later);
    await later.advance(100_000);
    // Another change looks at the queue anew, and puts nothing off.
    await enqueue(again, '2');
    await later.advance(30_000);
    expect(keysOf(again)).toEqual([]);
    await later.advance(20_000);
    expect(keysOf(again)).toHaveLength(1);
    expect(keysOf(again)[0]).not.toBe(keysOf(shop)[0]);
  },
);

test('updates of minutes ago are not parked as old when a clock in the year 2000 is corrected', async () => {
  const clock = createManualClock({ now: Date.UTC(2000, 0, 1), uptimeMs: 60_000 });
  const shop = await openShop(temporaryDirectory(), clock);
  endCall(shop.connection, { kind: 'unreachable' });
  await enqueue(shop, '1');
  await clock.advance(5 * 60_000);
  clock.jumpWall(noon - Date.UTC(2000, 0, 1));
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.queue.state()).toMatchObject({ delivered: 1, parked: 0 });
});

test('history is not forgotten because the clock stood in the year 2000', async () => {
  const clock = createManualClock({ now: Date.UTC(2000, 0, 1), uptimeMs: 60_000 });
  const shop = await openShop(temporaryDirectory(), clock);
  await enqueue(shop, '1');
  expect(shop.queue.state()).toMatchObject({ delivered: 1 });
  clock.jumpWall(noon - Date.UTC(2000, 0, 1));
  await clock.advance(2 * hour);
  expect(shop.repository.tidy(clock.now())).toBe(false);
  expect(shop.repository.history.list([], 0, 10).rows).toHaveLength(1);
  await clock.advance(31 * day);
  shop.repository.tidy(clock.now());
  expect(shop.repository.history.list([], 0, 10).rows).toEqual([]);
});

test('clocks that a full disk did not keep are noted with the next change', async () => {
  const directory = temporaryDirectory();
  const database = await openQueueDatabase(directory);
  const clock = createManualClock({ now: noon, uptimeMs: hour });
  const steady = openSteadyTime(database, clock);
  clock.jumpWall(day);
  const refused = (): void =>
    database.transaction(() => {
      steady.keep();
      throw new Error('no room');
    });
  expect(refused).toThrow('no room');
  await clock.advance(60_000);
  database.transaction(() => steady.keep());
  const made = steady.at(clock.now());
  steady.end();
  database.close();
  const next = createManualClock({ now: clock.now() + 60_000, uptimeMs: clock.uptimeMs() + 60_000 });
  const again = openSteadyTime(await openQueueDatabase(directory), next);
  expect(again.at(next.now()) - made).toBe(60_000);
});
