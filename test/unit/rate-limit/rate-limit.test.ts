// The proof of the rate limit's invariants B1 to B6 in their single cases; any sequence of events is in
// rate-limit-property.test.ts.
import { expect, test } from 'vitest';
import { lanes, type Lane } from '../../../app/rate-limit/lanes.ts';
import { latestArrivalMs, platformLimit, windowMs } from '../../../app/rate-limit/rules.ts';
import { surelyPassedMs } from '../../../app/rate-limit/send-log.ts';
import { agedMs } from '../../../app/rate-limit/scheduler.ts';
import { StorageError } from '../../../app/storage/database.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';
import { fillDisk } from '../../support/queue-database.ts';
import { openOnDisk, restart, takeNow, watch } from './rate-limit-fixture.ts';

test('B1: a slot comes free 60 s after its answer, not after its sending', async () => {
  const { rateLimit, clock } = await openOnDisk();
  const slots = await takeNow(rateLimit, 'person', platformLimit);
  expect(slots).toHaveLength(platformLimit);
  await clock.advance(windowMs);
  expect(rateLimit.state().used).toBe(platformLimit);
  slots[0]?.settle();
  await clock.advance(windowMs - 1);
  expect(await takeNow(rateLimit, 'person', 1)).toHaveLength(0);
  await clock.advance(1);
  expect(await takeNow(rateLimit, 'person', 2)).toHaveLength(1);
});

test('a slot that sent nothing is free at once, and either end counts once', async () => {
  const { rateLimit, database } = await openOnDisk();
  const unused = await rateLimit.take('person');
  const [used] = await takeNow(rateLimit, 'person', 1);
  expect(rateLimit.state().used).toBe(2);
  if (unused.ok) {
    unused.value.giveBack();
    unused.value.giveBack();
    unused.value.abandon();
  }
  expect(rateLimit.state().used).toBe(1);
  used?.giveBack();
  used?.settle();
  used?.giveBack();
  expect(rateLimit.state().used).toBe(1);
  expect(database.prepare('SELECT id FROM slots').all()).toHaveLength(1);
});

test('B2: a restart frees nothing early, settled or not', async () => {
  const first = await openOnDisk();
  const slots = await takeNow(first.rateLimit, 'person', platformLimit);
  for (const slot of slots.slice(0, 3)) {
    slot.settle();
  }
  await first.clock.advance(windowMs - 1);
  const second = await restart(first);
  expect(second.rateLimit.state().used).toBe(platformLimit);
  expect(await takeNow(second.rateLimit, 'session', 1)).toHaveLength(0);
  await second.clock.advance(5_000);
  expect(second.rateLimit.state().used).toBe(platformLimit - 3);
  // The unsettled ones were abandoned as late as the restart.
  await second.clock.advance(latestArrivalMs + windowMs - 5_000 - 1);
  expect(second.rateLimit.state().used).toBe(platformLimit - 3);
  await second.clock.advance(5_000);
  expect(second.rateLimit.state().used).toBe(0);
});

test('B2: the slot is on disk when its request leaves, and no sooner', async () => {
  const { rateLimit, database } = await openOnDisk();
  const slot = await rateLimit.take('queue');
  expect(database.prepare('SELECT lane FROM slots').all()).toEqual([]);
  expect(slot.ok && slot.value.leave()).toBeNull();
  expect(database.prepare('SELECT lane FROM slots').all()).toEqual([expect.objectContaining({ lane: 'queue' })]);
});

test('B2: an answer is on disk with the next request, not earlier than it came; the third after 5 s', async () => {
  const { rateLimit, database, clock } = await openOnDisk();
  const settledAt = (): readonly (number | null)[] =>
    database
      .prepare<{ settled_at: number | null }>('SELECT settled_at FROM slots ORDER BY id')
      .all()
      .map((row) => row.settled_at);
  const [first] = await takeNow(rateLimit, 'catalogue', 1);
  const answeredMs = clock.uptimeMs();
  first?.settle();
  expect(settledAt()).toEqual([null]);
  await clock.advance(1_000);
  const [second] = await takeNow(rateLimit, 'catalogue', 1);
  expect(settledAt()).toEqual([answeredMs, null]);
  const others = await takeNow(rateLimit, 'catalogue', 2);
  second?.settle();
  others[0]?.settle();
  await clock.advance(600_000);
  expect(settledAt()).toEqual([answeredMs, null, null, null]);
  others[1]?.settle();
  await clock.advance(5_000);
  const [both, third] = [answeredMs + 1_000, answeredMs + 601_000];
  expect(settledAt()).toEqual([answeredMs, both, both, third]);
  const [last] = await takeNow(rateLimit, 'catalogue', 1);
  last?.settle();
  rateLimit.close();
  expect(settledAt()).toEqual([answeredMs, both, both, third, third + 5_000]);
});

test('B2: after a reboot no more time is believed to have passed than the machine is up', async () => {
  const first = await openOnDisk(createManualClock({ uptimeMs: 5_000_000 }));
  for (const slot of await takeNow(first.rateLimit, 'person', platformLimit)) {
    slot.settle();
  }
  first.rateLimit.close();
  first.database.close();
  const clock = createManualClock({ uptimeMs: 20_000 });
  const second = await openOnDisk(clock, first.directory);
  expect(await takeNow(second.rateLimit, 'session', 1)).toHaveLength(0);
  await clock.advance(windowMs - 20_000 - 1);
  expect(await takeNow(second.rateLimit, 'session', 1)).toHaveLength(0);
  await clock.advance(windowMs);
  expect(second.rateLimit.state().used).toBe(0);
});

test.each([
  { noted: 1000, now: 1000, at: 0 },
  { noted: 1000, now: 41_000, at: 38_000 },
  { noted: 90_000, now: 10_000, at: 8_000 },
  { noted: 0, now: 500, at: 0 },
  { noted: 500_000, now: 499_999, at: 0 },
  { noted: 500_000, now: 498_000, at: 0 },
  { noted: 500_000, now: 497_999, at: 495_999 },
])('$now ms after the start, at least $at ms have passed since $noted ms', ({ noted, now, at }) => {
  expect(surelyPassedMs(noted, now)).toBe(at);
});

test('a wall clock that jumps by a day changes nothing', async () => {
  const { rateLimit, clock } = await openOnDisk();
  for (const slot of await takeNow(rateLimit, 'person', platformLimit)) {
    slot.settle();
  }
  clock.jumpWall(86_400_000);
  await clock.advance(windowMs - 1);
  expect(rateLimit.state().used).toBe(platformLimit);
  clock.jumpWall(-2 * 86_400_000);
  await clock.advance(1);
  expect(rateLimit.state().used).toBe(0);
});

test.each(['queue', 'catalogue'] as const)('B3: the %s leaves three slots for a person', async (lane) => {
  const { rateLimit } = await openOnDisk();
  expect(await takeNow(rateLimit, lane, platformLimit)).toHaveLength(platformLimit - 3);
  expect(await takeNow(rateLimit, 'person', platformLimit)).toHaveLength(3);
});

test('B3: while the catalogue has the rest, the queue has one slot of the reserve, a person the others', async () => {
  const { rateLimit } = await openOnDisk();
  await takeNow(rateLimit, 'catalogue', platformLimit);
  expect(await takeNow(rateLimit, 'queue', 1)).toHaveLength(1);
  const queued = watch(rateLimit.take('queue'));
  expect(await takeNow(rateLimit, 'person', 5)).toHaveLength(2);
  expect(queued.result).toBeNull();
});

/** Everything was refused for five minutes: background work has its smallest part. */
async function openRefused() {
  const opened = await openOnDisk();
  for (let second = 0; second < 300; second += 1) {
    opened.rateLimit.slowDown(0);
    await opened.clock.advance(1_000);
  }
  return opened;
}

test('B3: the reserve is kept also when the rate limit has shrunk', async () => {
  const { rateLimit } = await openRefused();
  expect(rateLimit.state().limit).toBe(6);
  expect(await takeNow(rateLimit, 'catalogue', 60)).toHaveLength(3);
  expect(await takeNow(rateLimit, 'person', 3)).toHaveLength(3);
});

test.each(['session', 'queue'] as const)(
  'B6: the %s may take a third of the limit however much others use, the catalogue may not',
  async (lane) => {
    const { rateLimit } = await openRefused();
    expect(await takeNow(rateLimit, 'catalogue', 60)).toHaveLength(3);
    expect(await takeNow(rateLimit, lane, 60)).toHaveLength(lane === 'queue' ? 20 - 3 - 3 : 20 - 3);
    expect(await takeNow(rateLimit, 'catalogue', 1)).toHaveLength(0);
  },
);

test('B3: a person within the reserve goes at once, also when the queue took more than the shrunken limit', async () => {
  const { rateLimit } = await openRefused();
  expect(await takeNow(rateLimit, 'queue', 60)).toHaveLength(20 - 3);
  expect(rateLimit.state().used).toBeGreaterThan(rateLimit.state().limit);
  expect(await takeNow(rateLimit, 'person', 60)).toHaveLength(3);
});

test('B4: a person who asks without end leaves the queue four slots and the catalogue two', async () => {
  const { rateLimit, clock } = await openOnDisk();
  const granted: Lane[] = [];
  const ask = async (lane: Lane): Promise<void> => {
    for (;;) {
      const slot = await rateLimit.take(lane);
      if (!slot.ok) {
        return;
      }
      granted.push(lane);
      slot.value.settle();
    }
  };
  void ask('catalogue');
  void ask('queue');
  for (let asker = 0; asker < 10; asker += 1) {
    void ask('person');
  }
  await clock.advance(10 * windowMs);
  const count = (lane: Lane): number => granted.filter((other) => other === lane).length;
  expect(granted.length).toBeLessThanOrEqual(11 * platformLimit);
  expect(count('queue')).toBeGreaterThanOrEqual(4 * 10);
  expect(count('catalogue')).toBeGreaterThanOrEqual(2 * 10);
  expect(count('person')).toBeGreaterThan(count('queue'));
  rateLimit.close();
});

test('the most urgent lane goes first, and first come first served in the lanes of machines', async () => {
  const { rateLimit, clock } = await openOnDisk();
  const slots = await takeNow(rateLimit, 'person', platformLimit);
  const order: string[] = [];
  for (const lane of lanes.toReversed()) {
    for (const turn of [1, 2]) {
      void rateLimit.take(lane).then(() => order.push(`${lane} ${turn}`));
    }
  }
  for (const slot of slots) {
    slot.settle();
  }
  await clock.advance(windowMs);
  expect(order.slice(0, 2)).toEqual(['session 1', 'session 2']);
  for (const lane of lanes) {
    expect(order.indexOf(`${lane} 1`)).toBeLessThan(order.indexOf(`${lane} 2`));
  }
  expect(order).toHaveLength(8);
});

test('B5: the newest of two questions goes first, but an aged one before all that came after it', async () => {
  const { rateLimit, clock } = await openOnDisk();
  const slots = await Promise.all(Array.from({ length: platformLimit }, () => rateLimit.take('person')));
  const order: string[] = [];
  const ask = (name: string): void => void rateLimit.take('person').then(() => order.push(name));
  ask('old');
  await clock.advance(agedMs);
  ask('older than the last');
  await clock.advance(1);
  ask('newest');
  for (const slot of slots.slice(0, 3)) {
    if (slot.ok) {
      slot.value.giveBack();
    }
    await settlePromises();
  }
  expect(order).toEqual(['old', 'newest', 'older than the last']);
});

test('B5: nobody starves, however many newer questions come', async () => {
  const { rateLimit, clock } = await openOnDisk();
  const asked: { readonly atMs: number; waitedMs: number | null }[] = [];
  // Two questions a second, twice as many as there are slots, so many are turned away from, and none of the rest may
  // wait for ever.
  for (let second = 0; second < 600; second += 1) {
    for (let twice = 0; twice < 2; twice += 1) {
      const question: (typeof asked)[number] = { atMs: clock.uptimeMs(), waitedMs: null };
      const cancellation = new AbortController();
      asked.push(question);
      void rateLimit.take('person', cancellation.signal).then((slot) => {
        if (slot.ok) {
          question.waitedMs = clock.uptimeMs() - question.atMs;
          slot.value.settle();
        }
      });
      // All but one in three are turned away from after a while.
      if ((2 * second + twice) % 3 !== 0) {
        clock.after(8_000, () => {
          cancellation.abort();
        });
      }
    }
    await clock.advance(1_000);
  }
  await clock.advance(2 * windowMs);
  const patient = asked.filter((_, place) => place % 3 === 0);
  expect(patient.every(({ waitedMs }) => waitedMs !== null && waitedMs <= 2 * windowMs)).toBe(true);
});

test('a cancelled waiter gets nothing and takes nothing', async () => {
  const { rateLimit, clock } = await openOnDisk();
  const slots = await takeNow(rateLimit, 'person', platformLimit);
  const cancellation = new AbortController();
  const waiting = rateLimit.take('person', cancellation.signal);
  cancellation.abort();
  expect(await waiting).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  expect(await rateLimit.take('person', cancellation.signal)).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  slots.forEach((slot) => {
    slot.settle();
  });
  await clock.advance(windowMs);
  expect(rateLimit.state().used).toBe(0);
});

test('C1, C3: a 429 shrinks the limit once a pause, pauses every lane, and a stray one is forgotten', async () => {
  const { rateLimit, clock } = await openOnDisk();
  rateLimit.slowDown(10_000);
  rateLimit.slowDown(undefined);
  rateLimit.slowDown(10_000);
  expect(rateLimit.state().limit).toBe(45);
  const waiting = watch(rateLimit.take('session'));
  await clock.advance(9_999);
  expect(waiting.result).toBeNull();
  expect(rateLimit.read().pausedUntilMs).toBe(clock.uptimeMs() + 1);
  await clock.advance(1);
  expect(waiting.result?.ok).toBe(true);
  expect(rateLimit.read().pausedUntilMs).toBeNull();
  const limits: number[] = [];
  for (let minute = 0; minute < 20; minute += 1) {
    limits.push(rateLimit.state().limit);
    await clock.advance(windowMs);
  }
  expect(limits[2]).toBeGreaterThanOrEqual(0.9 * platformLimit);
  expect(limits).toEqual(limits.toSorted((left, right) => left - right));
  expect(limits.at(-1)).toBe(platformLimit);
});

test('C2: a second 429 shows that others are there: it counts use, and nobody is due more than half', async () => {
  const { rateLimit, clock } = await openOnDisk();
  await takeNow(rateLimit, 'catalogue', 20);
  rateLimit.slowDown(1_000);
  await clock.advance(1_000);
  rateLimit.slowDown(1_000);
  // Twenty were used, and a part of that goes; the reserve comes on top.
  expect(rateLimit.state().limit).toBeLessThanOrEqual(20);
  expect(rateLimit.state().limit).toBeGreaterThanOrEqual(15);
  const other = await openOnDisk();
  await takeNow(other.rateLimit, 'catalogue', 60);
  other.rateLimit.slowDown(1_000);
  await other.clock.advance(1_000);
  other.rateLimit.slowDown(1_000);
  expect(other.rateLimit.state().limit).toBeLessThanOrEqual(platformLimit / 2);
});

test('C4: who has it all and is refused again and again keeps a quarter for three windows, not forever', async () => {
  const { rateLimit, clock } = await openOnDisk();
  const limits: number[] = [];
  for (let second = 0; second < 240; second += 1) {
    rateLimit.slowDown(0);
    limits.push(rateLimit.state().limit);
    await clock.advance(1_000);
  }
  expect(Math.min(...limits.slice(0, 180))).toBe(platformLimit / 4 + 3);
  expect(limits.at(-1)).toBe(6);
});

test('growth lets a waiter go at its time, with nobody else doing anything', async () => {
  const { rateLimit, clock } = await openRefused();
  await takeNow(rateLimit, 'catalogue', 60);
  const waiting = watch(rateLimit.take('catalogue'));
  // None of the others is ever answered: only growth can make room.
  await clock.advance(19 * windowMs);
  expect(waiting.result?.ok).toBe(true);
});

test.each([
  ['says none', 0, 1_000],
  ['says nothing', undefined, 5_000],
])('where the platform %s, the pause after a 429 is not nothing', async (_, retryAfterMs, pauseMs) => {
  const { rateLimit, clock } = await openOnDisk();
  rateLimit.slowDown(retryAfterMs);
  const waiting = watch(rateLimit.take('person'));
  await clock.advance(pauseMs - 1);
  expect(waiting.result).toBeNull();
  await clock.advance(1);
  expect(waiting.result?.ok).toBe(true);
});

test('a platform that asks for a year is asked again after five minutes', async () => {
  const { rateLimit, clock } = await openOnDisk();
  rateLimit.slowDown(365 * 86_400_000);
  const waiting = watch(rateLimit.take('person'));
  await clock.advance(300_000);
  expect(waiting.result?.ok).toBe(true);
});

test('a full disk lets nothing leave, says so, and lets it leave when there is room', async () => {
  const { rateLimit, database } = await openOnDisk();
  const slot = await rateLimit.take('person');
  const makeRoom = fillDisk(database);
  expect(() => {
    for (;;) {
      database.exec("INSERT INTO slots (lane, sent_at) VALUES ('queue', 0)");
    }
  }).toThrow(StorageError);
  expect(slot.ok && slot.value.leave()).toMatchObject({ kind: 'storageFull' });
  makeRoom();
  expect(slot.ok && slot.value.leave()).toBeNull();
});

test('closing answers whoever waits, and nothing is granted afterwards', async () => {
  const { rateLimit, database } = await openOnDisk();
  const [slot] = await takeNow(rateLimit, 'person', platformLimit);
  const waiting = rateLimit.take('person');
  rateLimit.close();
  expect(await waiting).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  expect(await rateLimit.take('session')).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  database.close();
  slot?.settle();
});

test('B8: what is spare goes only while nobody else waits, and leaves half of the limit free', async () => {
  const { rateLimit, clock } = await openOnDisk();
  const waiting = new AbortController();
  const take = () => watch(rateLimit.take('catalogue', waiting.signal, undefined, true));
  const taken = Array.from({ length: 31 }, take);
  await settlePromises();
  expect(taken.filter(({ result }) => result?.ok === true)).toHaveLength(30);
  // Others find the other half.
  expect(await takeNow(rateLimit, 'queue', 40)).toHaveLength(27);
  waiting.abort();
  await settlePromises();
  const late = watch(rateLimit.take('catalogue', undefined, undefined, true));
  void rateLimit.take('queue');
  for (const one of taken) {
    if (one.result?.ok === true) {
      one.result.value.giveBack();
    }
  }
  await clock.advance(0);
  // The queue's first; 28 count then, and what is spare has room again.
  expect(rateLimit.read().held).toMatchObject({ queue: 28, catalogue: 1 });
  expect(late.result?.ok).toBe(true);
  rateLimit.close();
});
