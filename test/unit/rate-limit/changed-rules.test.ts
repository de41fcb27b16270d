// The proof that figures of the rate limit which a technician changes hold at once, and that what waits and what is
// remembered is told.
import { expect, test } from 'vitest';
import { openRateLimit } from '../../../app/rate-limit/rate-limit.ts';
import {
  documentedRules,
  maxWindowMs,
  platformLimit,
  windowMs,
  type RateLimitRules,
} from '../../../app/rate-limit/rules.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { openOnDisk, takeNow, watch } from './rate-limit-fixture.ts';

async function openWith(first: RateLimitRules) {
  const clock = createManualClock();
  const database = await openQueueDatabase(temporaryDirectory());
  let rules = first;
  const rateLimit = openRateLimit(clock, openSendLog(database, 'https://platform.example.com'), () => rules);
  const change = (next: Partial<RateLimitRules>): void => {
    rules = { ...rules, ...next };
    rateLimit.reconsider();
  };
  return { clock, rateLimit, change };
}

test('a limit that is lowered holds at once, and what was sent before goes on counting', async () => {
  const { rateLimit, clock, change } = await openWith(documentedRules);
  const slots = await takeNow(rateLimit, 'person', 40);
  change({ limit: 20 });
  expect(rateLimit.state()).toMatchObject({ limit: 20, used: 40 });
  expect(await takeNow(rateLimit, 'session', 1)).toHaveLength(0);
  for (const slot of slots.slice(0, 21)) {
    slot.settle();
  }
  await clock.advance(windowMs);
  expect(await takeNow(rateLimit, 'person', 5)).toHaveLength(1);
});

test('a limit that is raised, and a reserve that is given up, let waiters go at once', async () => {
  const { rateLimit, change } = await openWith({ limit: 10, windowMs, reserve: 5 });
  await takeNow(rateLimit, 'catalogue', 60);
  const waiting = watch(rateLimit.take('catalogue'));
  change({ reserve: 4 });
  await settlePromises();
  expect(waiting.result?.ok).toBe(true);
  const next = watch(rateLimit.take('catalogue'));
  change({ limit: 11 });
  await settlePromises();
  expect(next.result?.ok).toBe(true);
});

test('a window that is made longer counts what had come free already', async () => {
  const { rateLimit, clock, change } = await openWith({ limit: 10, windowMs: 10_000, reserve: 0 });
  for (let round = 0; round < 3; round += 1) {
    for (const slot of await takeNow(rateLimit, 'person', 10)) {
      slot.settle();
    }
    await clock.advance(10_000);
  }
  expect(rateLimit.state().used).toBe(0);
  change({ windowMs: 35_000 });
  expect(rateLimit.state().used).toBe(30);
  await clock.advance(24_999);
  expect(await takeNow(rateLimit, 'session', 1)).toHaveLength(0);
  await clock.advance(1);
  expect(await takeNow(rateLimit, 'session', 20)).toHaveLength(10);
});

test('no shares are owed of a limit so small that a person would have nothing', async () => {
  const { rateLimit, clock } = await openWith({ limit: 2, windowMs, reserve: 0 });
  const slots = await takeNow(rateLimit, 'catalogue', 2);
  for (const lane of ['queue', 'catalogue'] as const) {
    void rateLimit.take(lane);
  }
  const person = watch(rateLimit.take('person'));
  slots[0]?.settle();
  await clock.advance(windowMs);
  expect(person.result?.ok).toBe(true);
});

test('what waits is told with its purpose and since when, and goes with a withdrawal', async () => {
  const { rateLimit, clock } = await openOnDisk();
  await takeNow(rateLimit, 'person', platformLimit);
  const cancellation = new AbortController();
  const sinceMs = clock.uptimeMs();
  const purpose = { kind: 'balance', subject: '7' } as const;
  void rateLimit.take('person', cancellation.signal, purpose);
  void rateLimit.take('session');
  expect(rateLimit.read().waiting).toEqual([
    { lane: 'person', purpose, sinceMs },
    { lane: 'session', purpose: { kind: 'signIn', subject: null }, sinceMs },
  ]);
  cancellation.abort();
  expect(rateLimit.read().waiting.map(({ lane }) => lane)).toEqual(['session']);
});

test('rows of the send log go when no window that may be set counts them any more', async () => {
  const { rateLimit, clock, database } = await openOnDisk();
  const rows = (): number =>
    database.prepare<{ count: number }>('SELECT count(*) AS count FROM slots').get()?.count ?? 0;
  for (const slot of await takeNow(rateLimit, 'person', platformLimit)) {
    slot.settle();
  }
  await clock.advance(maxWindowMs - 1);
  expect(rows()).toBe(platformLimit);
  await clock.advance(1);
  rateLimit.reconsider();
  expect(rows()).toBe(0);
});
