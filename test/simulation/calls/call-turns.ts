import type { SeededRandom } from '../../support/seeded-random.ts';
import type { Channel } from '../../../app/contract/contract.ts';
import { channels } from './call-table.ts';

export interface CallTurns {
  /** All calls, whose turn comes next first, after one more step; `weightOf`: how often each comes now. */
  next(weightOf: (channel: Channel) => number): readonly Channel[];
  /** It was made. One that could not be asked for keeps its turn until it can. */
  end(channel: Channel): void;
}

/** A call that could not be drawn does not come many times at once when it can. */
const mostDue = 2;

/**
 * Lets each call come as often as its weight says, and none wait for much longer than that, as independent draws would
 * let a rare one. Each step shares one turn out by the weights.
 */
export function createCallTurns(random: SeededRandom): CallTurns {
  const due = new Map(channels.map((channel) => [channel, random.fraction()] as const));
  return {
    next: (weightOf) => {
      const sum = channels.reduce((total, channel) => total + weightOf(channel), 0);
      for (const [channel, turns] of due) {
        due.set(channel, Math.min(mostDue, turns + weightOf(channel) / sum));
      }
      return channels.toSorted((left, right) => (due.get(right) ?? 0) - (due.get(left) ?? 0));
    },
    end: (channel) => {
      // About one turn, so that they do not come in the same order again and again.
      due.set(channel, (due.get(channel) ?? 0) - 0.5 - random.fraction());
    },
  };
}
