import { expect, onTestFinished, test } from 'vitest';
import { drawFaultPlan } from '../../bench/faults/fault-plan.ts';
import { runTillside } from '../../bench/faults/tillside-run.ts';
import { shareOf } from '../../support/night.ts';
import { openBridgePlatform, type BridgePlatform } from './bridge-platform.ts';

const flawless = { lost: 0, doubled: 0, outOfOrder: 0, wrong: 0, stuck: 0, givenUp: 0 };

test.each(shareOf([1, 2], 1))('a till comes through the faults of seed %i at a bridge without a flaw', async (seed) => {
  const plan = drawFaultPlan(seed);
  const opened: BridgePlatform[] = [];
  const figures = await runTillside(plan, true, async (parts) => {
    const platform = await openBridgePlatform(parts);
    onTestFinished(() => platform.close());
    opened.push(platform);
    return platform;
  });
  expect(figures).toMatchObject({ ...flawless, accepted: plan.intents.length });
  expect(figures.drainMs).not.toBeNull();
  for (const platform of opened) {
    await platform.settle();
    const { counts, stock } = platform;
    expect(counts.most).toBeLessThanOrEqual(60);
    for (const times of [counts.restarts, counts.refusedWrites, counts.refusedDeliveries, counts.effects]) {
      expect(times).toBeGreaterThan(0);
    }
    for (const [productId, isEnabled] of await platform.couponsOfShop()) {
      expect(stock.productIds).toContain(productId);
      expect(platform.setting(productId)).toBe(isEnabled);
    }
  }
});
