// The proof of B1 and B2 under any sequence of events: whatever the latencies, lanes, restarts, reboots, refusals, lost
// answers, requests that arrive long after they were abandoned, withdrawals and changes of the settings, no window of
// the platform's, sliding or fixed, sees more arrivals than the limit that held when the last of them was granted.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openRateLimit, type RateLimit } from '../../../app/rate-limit/rate-limit.ts';
import { lanes } from '../../../app/rate-limit/lanes.ts';
import {
  documentedRules,
  latestArrivalMs,
  platformLimit,
  windowMs,
  type RateLimitRules,
} from '../../../app/rate-limit/rules.ts';
import { openSendLog } from '../../../app/rate-limit/send-log.ts';
import { createManualClock, settlePromises, type ManualClock } from '../../support/manual-clock.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';

interface Flight {
  readonly leftAtMs: number;
  readonly arrivesAfter: number;
  /** The rules of the moment in which it was granted. */
  readonly rules: RateLimitRules;
  readonly order: number;
}

interface Arrival {
  readonly atMs: number;
  readonly rules: RateLimitRules;
  readonly order: number;
}

const event = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      lane: fc.constantFrom(...lanes),
      count: fc.integer({ min: 1, max: 70 }),
      latencyMs: fc.oneof(fc.integer({ min: 0, max: 500 }), fc.integer({ min: 0, max: 120_000 })),
      arrivesAfter: fc.double({ min: 0, max: 1, noNaN: true }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 5_000 }), fc.integer({ min: 50_000, max: 70_000 })),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('restart' as const),
      downMs: fc.integer({ min: 0, max: 30_000 }),
      lagMs: fc.integer({ min: 0, max: 1_900 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('reboot' as const),
      offMs: fc.integer({ min: 0, max: 20_000 }),
      bootMs: fc.integer({ min: 0, max: 40_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('withdraw' as const),
      lane: fc.constantFrom(...lanes),
      count: fc.integer({ min: 1, max: 70 }),
      afterMs: fc.integer({ min: 0, max: 70_000 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('lose' as const),
      lane: fc.constantFrom(...lanes),
      count: fc.integer({ min: 1, max: 70 }),
      arrivesAfter: fc.option(fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constant(1)), { nil: null }),
      timeoutMs: fc.integer({ min: 1, max: 60_000 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant('refused' as const),
      retryAfterMs: fc.option(fc.integer({ min: 0, max: 20_000 }), { nil: undefined }),
    }),
  },
);

const setting = fc.record({
  kind: fc.constant('set' as const),
  limit: fc.oneof(fc.constant(60), fc.integer({ min: 1, max: 130 })),
  windowMs: fc.oneof(fc.constant(60_000), fc.integer({ min: 1_000, max: 600_000 })),
  reserve: fc.integer({ min: 0, max: 5 }),
});

type ValueOf<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;
type Event = ValueOf<typeof event> | ValueOf<typeof setting>;

/** The arrivals that the platform sees, in real time. */
async function run(events: readonly Event[]): Promise<readonly Arrival[]> {
  const directory = makeTemporaryDirectory();
  const arrivals: Arrival[] = [];
  let rules = documentedRules;
  let order = 0;
  let clock: ManualClock = createManualClock({ uptimeMs: 500_000 });
  // Real time is what this process takes for the machine's uptime, and this. A process may lag behind the machine.
  let realOffsetMs = 0;
  let bootedAtMs = 0;
  let database = await openQueueDatabase(directory.path);
  let rateLimit: RateLimit = openRateLimit(clock, openSendLog(database, 'https://platform.example.com'), () => rules);
  let flights = new Set<Flight>();

  function arrive({ leftAtMs, rules: then, order: place }: Flight, afterMs: number): void {
    arrivals.push({ atMs: leftAtMs + afterMs, rules: then, order: place });
  }

  async function start(uptimeMs: number, realMs: number): Promise<void> {
    // A request that was under way is abandoned by now.
    for (const flight of flights) {
      arrive(flight, (clock.uptimeMs() + realOffsetMs + latestArrivalMs - flight.leftAtMs) * flight.arrivesAfter);
    }
    flights = new Set();
    database.close();
    clock = createManualClock({ uptimeMs });
    realOffsetMs = realMs - uptimeMs;
    database = await openQueueDatabase(directory.path);
    rateLimit = openRateLimit(clock, openSendLog(database, 'https://platform.example.com'), () => rules);
  }

  /**
   * `arrivesAfter` is a part of the latency, and of the time in which an abandoned request may still arrive; null: it
   * never arrives.
   */
  function ask(
    lane: (typeof lanes)[number],
    latencyMs: number,
    arrivesAfter: number | null,
    isLost = false,
    signal?: AbortSignal,
  ): void {
    const mine = { clock, realOffsetMs, flights };
    void rateLimit.take(lane, signal).then((slot) => {
      if (!slot.ok || mine.clock !== clock) {
        return;
      }
      if (signal?.aborted === true) {
        slot.value.giveBack();
        return;
      }
      expect(slot.value.leave()).toBeNull();
      order += 1;
      const flight = { leftAtMs: clock.uptimeMs() + realOffsetMs, arrivesAfter: arrivesAfter ?? 0, rules, order };
      if (arrivesAfter !== null) {
        flights.add(flight);
      }
      clock.after(latencyMs, () => {
        if (mine.flights.delete(flight)) {
          arrive(flight, (latencyMs + (isLost ? latestArrivalMs : 0)) * flight.arrivesAfter);
        }
        if (isLost) {
          slot.value.abandon();
        } else {
          slot.value.settle();
        }
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
        rateLimit.slowDown(next.retryAfterMs);
        break;
      case 'withdraw': {
        const cancellation = new AbortController();
        for (let count = 0; count < next.count; count += 1) {
          ask(next.lane, 100, 0.5, false, cancellation.signal);
        }
        clock.after(next.afterMs, () => {
          cancellation.abort();
        });
        await settlePromises();
        break;
      }
      case 'lose':
        for (let count = 0; count < next.count; count += 1) {
          ask(next.lane, next.timeoutMs, next.arrivesAfter, true);
        }
        await settlePromises();
        break;
      case 'set':
        rules = { limit: next.limit, windowMs: next.windowMs, reserve: Math.min(next.reserve, next.limit - 1) };
        rateLimit.reconsider();
        await settlePromises();
        break;
    }
  }
  await clock.advance(300_000);
  database.close();
  directory.remove();
  return arrivals.sort((left, right) => left.atMs - right.atMs);
}

// A request that left a microsecond too early for the arithmetic of fractions is not what is sought.
const graceMs = 0.001;

/** How full the fullest window was beyond, or below, the limit of whichever of its requests was granted last. */
function excessOf(arrivals: readonly Arrival[]): number {
  let worst = Number.NEGATIVE_INFINITY;
  for (const last of arrivals) {
    const { limit, windowMs: lengthMs } = last.rules;
    const near = arrivals.filter(
      ({ atMs, order }) => order <= last.order && Math.abs(atMs - last.atMs) < lengthMs - graceMs,
    );
    let first = 0;
    for (const [place, { atMs }] of near.entries()) {
      while ((near[first] as Arrival).atMs <= atMs - lengthMs + graceMs) {
        first += 1;
      }
      const hasLast = (near[first] as Arrival).atMs <= last.atMs && last.atMs <= atMs;
      worst = hasLast ? Math.max(worst, place - first + 1 - limit) : worst;
    }
  }
  return worst;
}

function fullestFixedWindow(arrivals: readonly Arrival[], phaseMs: number): number {
  const counts = Map.groupBy(arrivals, ({ atMs }) => Math.floor((atMs + phaseMs) / windowMs));
  return Math.max(0, ...[...counts.values()].map((window) => window.length));
}

test('B1, B2: no window of 60 s sees more than 60 arrivals, wherever it begins', async () => {
  let busiest = Number.NEGATIVE_INFINITY;
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 3, maxLength: 25, size: 'max' }),
      fc.nat(windowMs),
      async (events, phaseMs) => {
        const arrivals = await run(events);
        const excess = excessOf(arrivals);
        busiest = Math.max(busiest, excess);
        expect(excess).toBeLessThanOrEqual(0);
        expect(fullestFixedWindow(arrivals, phaseMs)).toBeLessThanOrEqual(platformLimit);
      },
    ),
    { numRuns: 75, seed: 1 },
  );
  // The workload does reach the limit.
  expect(busiest).toBe(0);
});

test('B1, B2: after a change of limit, window or reserve no window exceeds the limit of its last grant', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof({ weight: 5, arbitrary: event }, { weight: 1, arbitrary: setting }), {
        minLength: 5,
        maxLength: 30,
        size: 'max',
      }),
      async (events) => {
        expect(excessOf(await run(events))).toBeLessThanOrEqual(0);
      },
    ),
    { numRuns: 60, seed: 2 },
  );
});
