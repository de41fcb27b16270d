// The proof that the promised time of completion comes true, in a simulated world with the real rate limit, client,
// store and copying.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryRoot } from '../../simulation/temporary-root.ts';
import { idOf, openListingWorld } from '../../support/listing-world.ts';

/** Small pages, for it is their number that takes the time. */
const largestPage = 5;
const products = 400 * largestPage;
const sampleMs = 5_000;
const maxMs = 3_600_000;

interface Conditions {
  readonly latencyMs: (atMs: number) => number;
  /** Scans a minute, evenly; none by default. */
  readonly scansAMinute?: (atMs: number) => number;
  /** Requests that others make at this moment, asked every five seconds. */
  readonly crowd?: (atMs: number) => number;
}

interface Sample {
  readonly atMs: number;
  /** The promised time less the true one; null when none was promised. */
  readonly errorMs: number | null;
  readonly leftMs: number;
}

async function promises({ latencyMs, scansAMinute = () => 0, crowd = () => 0 }: Conditions): Promise<{
  readonly all: readonly Sample[];
  readonly tookMs: number;
  readonly refused: number;
  /** When the last sample was taken before which a request was refused. */
  readonly lastRefusedAtMs: number;
  readonly maxSeen: number;
}> {
  // In memory where that can be had: no time of the disk is measured here.
  const directory = mkdtempSync(join(temporaryRoot, 'tillside-promised-'));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  const listing = await openListingWorld(directory, 'promised time', {
    products,
    largestPage,
    limitWindow: 'sliding',
    latencyMs: () => Math.round(latencyMs(listing.world.nowMs()) * (0.5 + listing.random.fraction())),
  });
  const { world, catalogue, platform, random, clock } = listing;
  const epochMs = clock.now();
  const estimates: { readonly atMs: number; readonly byMs: number | null }[] = [];
  let isOver = false;
  let [refusedBefore, lastRefusedAtMs] = [0, 0];
  const every = (gapMs: () => number, action: () => void): void => {
    world.after(gapMs(), () => {
      if (!isOver) {
        action();
        every(gapMs, action);
      }
    });
  };
  every(
    () => sampleMs,
    () => {
      const { completeAt } = catalogue.state();
      estimates.push({ atMs: world.nowMs(), byMs: completeAt === null ? null : completeAt - epochMs });
      if (platform.refused() > refusedBefore) {
        [refusedBefore, lastRefusedAtMs] = [platform.refused(), world.nowMs()];
      }
      platform.crowd(crowd(world.nowMs()));
    },
  );
  every(
    () => Math.min(10_000, (60_000 / Math.max(0.1, scansAMinute(world.nowMs()))) * (0.8 + 0.4 * random.fraction())),
    () => {
      if (scansAMinute(world.nowMs()) > 0) {
        void catalogue.refresh(idOf(1), idOf(1_000_000 + random.integer(0, products - 1)));
      }
    },
  );
  catalogue.start();
  await world.runUntil(maxMs, () => catalogue.state().stocks.every(({ completeAsOf }) => completeAsOf !== null));
  isOver = true;
  const tookMs = world.nowMs();
  const refused = platform.refused();
  const maxSeen = platform.maxSeen().sliding;
  expect(catalogue.state().copied).toBe(products);
  listing.close();
  return {
    all: estimates.map(({ atMs, byMs }) => ({
      atMs,
      errorMs: byMs === null ? null : byMs - tookMs,
      leftMs: tookMs - atMs,
    })),
    tookMs,
    refused,
    lastRefusedAtMs,
    maxSeen,
  };
}

/** The promises between two moments that were more than a part of what was left, or a quarter of a minute, off. */
function untrue(
  all: readonly Sample[],
  fromMs: number,
  toMs = Number.POSITIVE_INFINITY,
  part = 0.1,
): readonly Sample[] {
  return all.filter(
    ({ atMs, errorMs, leftMs }) =>
      atMs > fromMs && atMs <= toMs && (errorMs === null || Math.abs(errorMs) > Math.max(15_000, part * leftMs)),
  );
}

const minuteMs = 60_000;

describe('the promised time of completion', () => {
  test.for([200, 1_000, 3_000])(
    'is true within a tenth from the first seconds on at a latency of %i ms',
    async (latencyMs) => {
      const { all, refused } = await promises({ latencyMs: () => latencyMs });
      expect(untrue(all, 0)).toEqual([]);
      expect(all.length).toBeGreaterThan(60);
      expect(refused).toBe(0);
    },
  );

  test('is true within a tenth while people scan now and then', async () => {
    const { all, refused, maxSeen } = await promises({ latencyMs: () => 500, scansAMinute: () => 6 });
    expect(untrue(all, 2 * minuteMs)).toEqual([]);
    expect([refused, maxSeen <= 60]).toEqual([0, true]);
  });

  test('is true within a tenth three minutes after people began to scan all the time', async () => {
    const { all } = await promises({ latencyMs: () => 500, scansAMinute: (atMs) => (atMs < 2 * minuteMs ? 0 : 20) });
    expect(untrue(all, 5 * minuteMs)).toEqual([]);
  });

  test.for([
    [300, 4_000],
    [4_000, 300],
  ] as const)('is true within a tenth a minute after the latency changed from %i to %i ms', async ([before, after]) => {
    const { all } = await promises({ latencyMs: (atMs) => (atMs < 3 * minuteMs ? before : after) });
    expect(untrue(all, 0, 3 * minuteMs)).toEqual([]);
    expect(untrue(all, 4 * minuteMs)).toEqual([]);
  });

  test('is not promised while a refusal is waited for, and true within a tenth from half a minute after it', async () => {
    const { all, refused, lastRefusedAtMs } = await promises({
      latencyMs: () => 500,
      crowd: (atMs) => (atMs >= 2 * minuteMs && atMs < 2 * minuteMs + sampleMs ? 30 : 0),
    });
    expect(refused).toBeGreaterThan(0);
    expect(all.some(({ errorMs }) => errorMs === null)).toBe(true);
    // The crowd counts for a minute.
    expect(lastRefusedAtMs).toBeLessThan(3.5 * minuteMs);
    expect(untrue(all, lastRefusedAtMs + minuteMs / 2)).toEqual([]);
  });
});
