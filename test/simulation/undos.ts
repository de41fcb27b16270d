import type { Id } from '../../app/domain/int64.ts';
import { couponsOf, type Evidence } from './evidence.ts';
import type { SeededRandom } from '../support/seeded-random.ts';
import type { Till } from './till.ts';
import type { Trace } from './trace.ts';
import type { World } from './virtual-clock.ts';

interface UndoWorld {
  readonly world: World;
  readonly random: SeededRandom;
  readonly trace: Trace;
  readonly till: Till;
  readonly evidence: Evidence;
  /** Products of which somebody has given up an update: who knows what they show. */
  readonly givenUp: Set<string>;
}

interface Undos {
  /** Now and then this switch was a slip. */
  afterSwitch(productId: Id): Promise<void>;
  /**
   * Now and then this one, which was given up, is brought back: at once, when something newer has been asked for, or
   * too late.
   */
  afterDiscard(updateId: number): void;
  /** How many are still to be brought back. */
  left(): number;
}

const rowsAtOnce = 200;

/** Makes the undos of the people of one till. */
export function createUndos({ world, random, trace, till, evidence, givenUp }: UndoWorld): Undos {
  let left = 0;

  function bringBackAfter(meanMs: number, updateId: number): void {
    left += 1;
    world.after(random.waitMs(meanMs), () => {
      left -= 1;
      trace.add(`bring back ${String(updateId)}`);
      void till.call('queue:bringBack', { updateIds: [updateId] });
    });
  }

  return {
    afterSwitch: async (productId) => {
      if (!random.chance(0.1)) {
        return;
      }
      const waiting = await till.call('queue:list', { statuses: ['pending'], offset: 0, limit: rowsAtOnce });
      // One that was sent may have been done.
      const update =
        waiting?.ok === true
          ? couponsOf(waiting.value.rows).find((row) => row.productId === productId && row.attempts === 0)
          : undefined;
      if (update === undefined) {
        return;
      }
      trace.add(`give up ${String(update.id)}`);
      givenUp.add(productId);
      evidence.discarded.add(update.id);
      await till.call('queue:discardMany', { updateIds: [update.id] });
      bringBackAfter(6_000, update.id);
    },
    afterDiscard: (updateId) => {
      if (random.chance(0.5)) {
        bringBackAfter(20_000, updateId);
      }
    },
    left: () => left,
  };
}
