import { describe, expect, test } from 'vitest';
import { drawFaultPlan } from '../bench/faults/fault-plan.ts';
import { naive } from '../bench/faults/peers/naive.ts';
import { workbox } from '../bench/faults/peers/workbox.ts';
import { runPeer } from '../bench/faults/peer-run.ts';
import { runTillside } from '../bench/faults/tillside-run.ts';
import { shareOf } from '../support/night.ts';

const flawless = { lost: 0, doubled: 0, outOfOrder: 0, wrong: 0, stuck: 0, givenUp: 0 };

describe('the fault benchmark', () => {
  test.each(shareOf([1, 2], 1))('this app comes through seed %i without a flaw', async (seed) => {
    const plan = drawFaultPlan(seed);
    const figures = await runTillside(plan, true);
    expect(figures).toMatchObject({ ...flawless, accepted: plan.intents.length });
    expect(figures.drainMs).not.toBeNull();
  });

  test('a loop around fetch loses and doubles', async () => {
    const plan = drawFaultPlan(1);
    const crashing = await runPeer(naive, plan, true);
    expect(crashing.lost).toBeGreaterThan(0);
    expect(crashing.doubled).toBeGreaterThan(0);
    expect(await runPeer(naive, plan, false)).toMatchObject({ lost: 0, wrong: 0, stuck: 0 });
  });

  // In seed 4 a token request must have a key; in seed 7 a refusal of one is a 403.
  test.each(shareOf([4, 7], 1))(
    'a peer signs in again however the platform answers a token request, in seed %i',
    async (seed) => {
      expect(await runPeer(naive, drawFaultPlan(seed), false)).toMatchObject({ lost: 0, wrong: 0, stuck: 0 });
    },
  );

  test.each(shareOf([2], 0))(
    'a library on IndexedDB runs in simulated time, alike each time, in seed %i',
    async (seed) => {
      const plan = drawFaultPlan(seed);
      const realTimeout = setTimeout;
      const first = await runPeer(workbox, plan, true);
      expect(await runPeer(workbox, plan, true)).toEqual(first);
      expect(first.accepted).toBe(plan.intents.length);
      expect(first.requests).toBeGreaterThan(plan.intents.length);
      expect(setTimeout).toBe(realTimeout);
    },
  );
});
