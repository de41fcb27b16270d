// Owns the proof of B1 and B2 under any sequence of events: whatever the latencies, lanes, restarts, reboots and refusals,
// the platform counts at most 60 arrivals in any 60 s.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openBudget, type Budget } from '../../../app/budget/budget.ts';
import { lanes } from '../../../app/budget/lanes.ts';
import { platformLimit, windowMs } from '../../../app/budget/rules.ts';
import { openSendLog } from '../../../app/budget/store.ts';
import { createManualClock, settlePromises, type ManualClock } from '../../support/manual-clock.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';

interface Flight {
  readonly leftAtMs: number;
  readonly arrivesAfter: number;
}

const event = fc.oneof(
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('ask' as const), lane: fc.constantFrom(...lanes), count: fc.integer({ min: 1, max: 70 }), latencyMs: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 120_000 })), arrivesAfter: fc.double({ min: 0, max: 1, noNaN: true }) }) },
  { weight: 8, arbitrary: fc.record({ kind: fc.constant('wait' as const), ms: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 50_000, max: 70_000 })) }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('restart' as const), downMs: fc.integer({ min: 0, max: 30_000 }), lagMs: fc.integer({ min: 0, max: 1_900 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('reboot' as const), offMs: fc.integer({ min: 0, max: 20_000 }), bootMs: fc.integer({ min: 0, max: 40_000 }) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('refused' as const), retryAfterMs: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined }) }) },
);

type Event = typeof event extends fc.Arbitrary<infer Value> ? Value : never;

/** The arrivals that the platform sees, in real time. */
async function run(events: readonly Event[]): Promise<readonly number[]> {
  const directory = makeTemporaryDirectory();
  const arrivals: number[] = [];
  let clock: ManualClock = createManualClock({ uptimeMs: 500_000 });
  // Real time is what this process takes for the machine's uptime, and this. A process may lag behind the machine.
  let realOffsetMs = 0;
  let bootedAtMs = 0;
  let database = await openQueueDatabase(directory.path);
  let budget: Budget = openBudget(clock, openSendLog(database));
  let flights = new Set<Flight>();

  async function start(uptimeMs: number, realMs: number): Promise<void> {
    // What was under way has arrived by now, or never does.
    for (const { leftAtMs, arrivesAfter } of flights) {
      arrivals.push(leftAtMs + (clock.uptimeMs() + realOffsetMs - leftAtMs) * arrivesAfter);
    }
    flights = new Set();
    database.close();
    clock = createManualClock({ uptimeMs });
    realOffsetMs = realMs - uptimeMs;
    database = await openQueueDatabase(directory.path);
    budget = openBudget(clock, openSendLog(database));
  }

  function ask(lane: (typeof lanes)[number], latencyMs: number, arrivesAfter: number): void {
    const mine = { clock, realOffsetMs, flights };
    void budget.take(lane).then((slot) => {
      if (!slot.ok || mine.clock !== clock) {
        return;
      }
      const flight = { leftAtMs: clock.uptimeMs() + realOffsetMs, arrivesAfter };
      flights.add(flight);
      clock.after(latencyMs, () => {
        mine.flights.delete(flight);
        arrivals.push(flight.leftAtMs + latencyMs * arrivesAfter);
        slot.value.settle();
      });
    });
  }

  for (const next of events) {
    const realMs = clock.uptimeMs() + realOffsetMs;
    switch (next.kind) {
      case 'ask':
        for (let count = 0; count < next.count; count += 1) {
          ask(next.lane, next.latencyMs, next.arrivesAfter);
        }
        await settlePromises();
        break;
      case 'wait':
        await clock.advance(next.ms);
        break;
      case 'restart':
        await start(Math.max(0, realMs + next.downMs - bootedAtMs - next.lagMs), realMs + next.downMs);
        break;
      case 'reboot':
        bootedAtMs = realMs + next.offMs;
        await start(next.bootMs, bootedAtMs + next.bootMs);
        break;
      case 'refused':
        budget.slowDown(next.retryAfterMs);
        break;
    }
  }
  await clock.advance(200_000);
  database.close();
  directory.remove();
  return arrivals.sort((left, right) => left - right);
}

function fullestWindow(arrivals: readonly number[]): number {
  // A request that left a microsecond too early for the arithmetic of fractions is not what is sought.
  return Math.max(0, ...arrivals.map((start, first) => arrivals.filter((arrival, place) => place >= first && arrival < start + windowMs - 0.001).length));
}

test('B1, B2: no window of 60 s sees more than 60 arrivals', { timeout: 60_000 }, async () => {
  let busiest = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 3, maxLength: 25, size: 'max' }), async (events) => {
      const fullest = fullestWindow(await run(events));
      busiest = Math.max(busiest, fullest);
      expect(fullest).toBeLessThanOrEqual(platformLimit);
    }),
    { numRuns: 150, seed: 1 },
  );
  // The workload does reach the limit.
  expect(busiest).toBe(platformLimit);
});
