// The proof of B9: where the platform counts each OAuth client by itself, slots count at their own account.
import { expect, test } from 'vitest';
import { openRateLimit, type RateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { latestArrivalMs, maxWindowMs, platformLimit, windowMs } from '../../../app/rate-limit/rules.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { takeNow, watch } from './rate-limit-fixture.ts';

/** A till whose shop is opened anew, at this account or, with null, where all count together. */
async function openTill() {
  const directory = temporaryDirectory();
  let clock = createManualClock();
  let database = await openQueueDatabase(directory);
  let open: RateLimit | null = null;
  return {
    advance: (ms: number) => clock.advance(ms),
    rows: () => database.prepare<{ account: string | null }>('SELECT account FROM slots').all(),
    openAt: (account: string | null): RateLimit => {
      open?.close();
      open = openRateLimit(clock, openSendLog(database, 'https://platform.example.com', account));
      return open;
    },
    restart: async (): Promise<void> => {
      // By then all answers are on the disk.
      await clock.advance(5_001);
      database.close();
      clock = createManualClock({ now: clock.now(), uptimeMs: clock.uptimeMs() });
      open = null;
      database = await openQueueDatabase(directory);
    },
  };
}

/** So many requests are sent and answered, or as many as may be. */
async function send(rateLimit: RateLimit, wanted = 100): Promise<number> {
  const slots = await takeNow(rateLimit, 'person', wanted);
  slots.forEach((slot) => {
    slot.settle();
  });
  return slots.length;
}

test.each(['at once', 'after a restart'])(
  'B9: each account has the whole limit, and finds its slots again %s',
  async (how) => {
    const till = await openTill();
    expect(await send(till.openAt('one'))).toBe(platformLimit);
    if (how === 'after a restart') {
      await till.restart();
    }
    expect(await send(till.openAt('other'))).toBe(platformLimit);
    expect(await send(till.openAt('one'))).toBe(0);
    // Two processes may disagree by two seconds about the machine's uptime.
    await till.advance(windowMs + 2_001);
    expect(await send(till.openAt('one'))).toBe(platformLimit);
  },
);

test('B9: by default all slots count together, whatever the account', async () => {
  const till = await openTill();
  expect(await send(till.openAt(null), 40)).toBe(40);
  expect(await send(till.openAt(null))).toBe(platformLimit - 40);
});

test.each([
  [null, 'one'],
  ['one', null],
])('B9: what was sent before the setting was changed counts after it, from %s to %s', async (before, after) => {
  const till = await openTill();
  expect(await send(till.openAt(before), 40)).toBe(40);
  expect(await send(till.openAt(after))).toBe(platformLimit - 40);
});

test('B9: what was sent without an account counts at every one, also where it has no answer yet', async () => {
  const till = await openTill();
  await takeNow(till.openAt(null), 'person', 30);
  expect(await send(till.openAt('one'))).toBe(platformLimit - 30);
  expect(await send(till.openAt('other'))).toBe(platformLimit - 30);
  await till.advance(latestArrivalMs + windowMs + 2_001);
  expect(await send(till.openAt('other'))).toBe(platformLimit);
});

test('B9: while something is sent at another account all slots count, and what leaves counts at both', async () => {
  const till = await openTill();
  expect(await send(till.openAt('other'), 50)).toBe(50);
  const one = till.openAt('one');
  expect(await send(one, 5)).toBe(5);
  const end = one.countAll();
  expect(await send(one)).toBe(5);
  const waiting = watch(one.take('person'));
  await till.advance(1);
  expect(waiting.result).toBeNull();
  end();
  await till.advance(1);
  expect(waiting.result?.ok).toBe(true);
  expect(await send(till.openAt('other'))).toBe(5);
});

test('B9: slots of an account that is used no more are forgotten when they are over', async () => {
  const till = await openTill();
  await send(till.openAt('other'), 30);
  await till.advance(maxWindowMs + 2_001);
  till.openAt('one');
  expect(till.rows()).toEqual([]);
});
