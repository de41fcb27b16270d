// The proof that figures of the allowance which a technician changes hold at once, and that what waits and what is
// remembered is told.
import { expect, test } from 'vitest';
import { openBudget } from '../../../app/rate-limit/rate-limit.ts';
import {
  documentedRules,
  longestWindowMs,
  platformLimit,
  windowMs,
  type AllowanceRules,
} from '../../../app/rate-limit/rules.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { openOnDisk, takeNow, watch } from './rate-limit-fixture.ts';

async function openWith(first: AllowanceRules) {
  const clock = createManualClock();
  const database = await openQueueDatabase(temporaryDirectory());
  let rules = first;
  const budget = openBudget(clock, openSendLog(database, 'https://platform.example.com'), () => rules);
  const change = (next: Partial<AllowanceRules>): void => {
    rules = { ...rules, ...next };
    budget.reconsider();
  };
  return { clock, budget, change };
}

test('a limit that is lowered holds at once, and what was sent before goes on counting', async () => {
  const { budget, clock, change } = await openWith(documentedRules);
  const slots = await takeNow(budget, 'person', 40);
  change({ limit: 20 });
  expect(budget.state()).toMatchObject({ limit: 20, used: 40 });
  expect(await takeNow(budget, 'session', 1)).toHaveLength(0);
  for (const slot of slots.slice(0, 21)) {
    slot.settle();
  }
  await clock.advance(windowMs);
  expect(await takeNow(budget, 'person', 5)).toHaveLength(1);
});

test('a limit that is raised, and a reserve that is given up, let waiters go at once', async () => {
  const { budget, change } = await openWith({ limit: 10, windowMs, reserve: 5 });
  await takeNow(budget, 'catalogue', 60);
  const waiting = watch(budget.take('catalogue'));
  change({ reserve: 4 });
  await settlePromises();
  expect(waiting.result?.ok).toBe(true);
  const next = watch(budget.take('catalogue'));
  change({ limit: 11 });
  await settlePromises();
  expect(next.result?.ok).toBe(true);
});

test('a window that is made longer counts what had come free already', async () => {
  const { budget, clock, change } = await openWith({ limit: 10, windowMs: 10_000, reserve: 0 });
  for (let round = 0; round < 3; round += 1) {
    for (const slot of await takeNow(budget, 'person', 10)) {
      slot.settle();
    }
    await clock.advance(10_000);
  }
  expect(budget.state().used).toBe(0);
  change({ windowMs: 35_000 });
  expect(budget.state().used).toBe(30);
  await clock.advance(24_999);
  expect(await takeNow(budget, 'session', 1)).toHaveLength(0);
  await clock.advance(1);
  expect(await takeNow(budget, 'session', 20)).toHaveLength(10);
});

test('no shares are owed of a limit so small that a person would have nothing', async () => {
  const { budget, clock } = await openWith({ limit: 2, windowMs, reserve: 0 });
  const slots = await takeNow(budget, 'catalogue', 2);
  for (const lane of ['queue', 'catalogue'] as const) {
    void budget.take(lane);
  }
  const person = watch(budget.take('person'));
  slots[0]?.settle();
  await clock.advance(windowMs);
  expect(person.result?.ok).toBe(true);
});

test('what waits is told with its purpose and since when, and goes with a withdrawal', async () => {
  const { budget, clock } = await openOnDisk();
  await takeNow(budget, 'person', platformLimit);
  const cancellation = new AbortController();
  const sinceMs = clock.uptimeMs();
  const purpose = { kind: 'balance', subject: '7' } as const;
  void budget.take('person', cancellation.signal, purpose);
  void budget.take('session');
  expect(budget.read().waiting).toEqual([
    { lane: 'person', purpose, sinceMs },
    { lane: 'session', purpose: { kind: 'signIn', subject: null }, sinceMs },
  ]);
  cancellation.abort();
  expect(budget.read().waiting.map(({ lane }) => lane)).toEqual(['session']);
});

test('rows of the send log go when no window that may be set counts them any more', async () => {
  const { budget, clock, database } = await openOnDisk();
  const rows = (): number =>
    database.prepare<{ count: number }>('SELECT count(*) AS count FROM slots').get()?.count ?? 0;
  for (const slot of await takeNow(budget, 'person', platformLimit)) {
    slot.settle();
  }
  await clock.advance(longestWindowMs - 1);
  expect(rows()).toBe(platformLimit);
  await clock.advance(1);
  budget.reconsider();
  expect(rows()).toBe(0);
});
