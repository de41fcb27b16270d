// The proof of what outlasts a request and a restart: B1 of abandoned requests, and B7.
import { expect, test } from 'vitest';
import { openRateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { latestArrivalMs, platformLimit, windowMs } from '../../../app/rate-limit/rules.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openOnDisk, restart, takeNow, watch } from './rate-limit-fixture.ts';

test('B1: an abandoned slot counts while its request can still arrive, and a window more, over restarts', async () => {
  const first = await openOnDisk();
  const [abandoned, ...answered] = await takeNow(first.rateLimit, 'person', 3);
  abandoned?.abandon();
  abandoned?.settle();
  for (const slot of answered) {
    slot.settle();
  }
  expect(first.rateLimit.read().held.person).toBe(3);
  await first.clock.advance(windowMs);
  expect(first.rateLimit.read().held.person).toBe(1);
  const second = await restart(first);
  await second.clock.advance(latestArrivalMs - 1);
  expect(second.rateLimit.read().held.person).toBe(1);
  // Two processes may disagree by two seconds about the machine's uptime.
  await second.clock.advance(2_001);
  expect(second.rateLimit.read().held.person).toBe(0);
});

test('B1: sixty abandoned requests leave no room for another that arrives within a window of them', async () => {
  const { rateLimit, clock } = await openOnDisk();
  for (const slot of await takeNow(rateLimit, 'person', platformLimit)) {
    slot.abandon();
  }
  await clock.advance(latestArrivalMs + windowMs - 1);
  expect(await takeNow(rateLimit, 'session', 1)).toHaveLength(0);
  await clock.advance(1);
  expect(await takeNow(rateLimit, 'session', 1)).toHaveLength(1);
});

test('B7: a restart keeps the pause after a 429 and no longer; another platform has none', async () => {
  const first = await openOnDisk();
  first.rateLimit.slowDown(60_000);
  await first.clock.advance(10_000);
  const second = await restart(first);
  expect(second.rateLimit.state().pausedForMs).toBeGreaterThanOrEqual(50_000);
  expect(second.rateLimit.state().pausedForMs).toBeLessThanOrEqual(52_000);
  const waiting = watch(second.rateLimit.take('session'));
  await second.clock.advance(49_000);
  expect(waiting.result).toBeNull();
  await second.clock.advance(3_001);
  expect(waiting.result?.ok).toBe(true);
  expect(openRateLimit(second.clock, openSendLog(second.database, 'https://other.example.com')).state()).toMatchObject({
    pausedForMs: 0,
    limit: platformLimit,
  });
});

test('B7: a shorter pause of another terminal ends none of its own, restarts included', async () => {
  const first = await openOnDisk();
  first.rateLimit.slowDown(60_000);
  first.rateLimit.adopt({ pauseMs: 5_000, sharing: null });
  expect(first.rateLimit.state().pausedForMs).toBe(60_000);
  const second = await restart(first);
  expect(second.rateLimit.state().pausedForMs).toBeGreaterThanOrEqual(60_000);
});

test('B7: after a reboot a pause lasts no longer than it was, and no shorter than surely', async () => {
  const first = await openOnDisk(createManualClock({ uptimeMs: 5_000_000 }));
  first.rateLimit.slowDown(60_000);
  first.database.close();
  const second = await openOnDisk(createManualClock({ uptimeMs: 20_000 }), first.directory);
  expect(second.rateLimit.state().pausedForMs).toBe(42_000);
});

test('B7: a restart keeps the shrunk part, and its growth goes on', async () => {
  const first = await openOnDisk();
  first.rateLimit.slowDown(5_000);
  const shrunk = first.rateLimit.state().limit;
  expect(shrunk).toBeLessThan(platformLimit);
  const second = await restart(first);
  expect(second.rateLimit.state().limit).toBe(shrunk);
  // The next 429 is no stray one.
  await second.clock.advance(2 * windowMs);
  const grown = second.rateLimit.state().limit;
  expect(grown).toBeGreaterThan(shrunk);
  second.rateLimit.slowDown(1_000);
  expect(second.rateLimit.state().limit).toBeLessThanOrEqual(grown / 2 + 3);
  await second.clock.advance(20 * windowMs);
  const third = await restart(second);
  expect(third.rateLimit.state().limit).toBe(platformLimit);
});

test('B7: the last 429 is remembered when the part is whole again, and over a restart', async () => {
  const first = await openOnDisk();
  expect(first.rateLimit.state().refusedForMs).toBe(Infinity);
  first.rateLimit.slowDown(5_000);
  await first.clock.advance(200);
  // Under way together with the first.
  first.rateLimit.slowDown(5_000);
  await first.clock.advance(14 * windowMs);
  expect(first.rateLimit.state()).toMatchObject({ limit: platformLimit, refusedForMs: 14 * windowMs });
  const second = await restart(first);
  const { limit, refusedForMs } = second.rateLimit.state();
  expect(limit).toBe(platformLimit);
  // Two processes may disagree by two seconds about the machine's uptime.
  expect(14 * windowMs - refusedForMs).toBeLessThanOrEqual(2_000);
});
