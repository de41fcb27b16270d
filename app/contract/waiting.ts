import type { QueueState } from './terminal-state.ts';

/** All that waits to be sent, whoever asked for it and for whichever company. */
export function waitingOf({ pending, inFlight, ofOthers, ofKept, elsewhere }: QueueState): number {
  return pending + inFlight + ofOthers.count + ofKept.count + elsewhere.reduce((sum, one) => sum + one.count, 0);
}

/** How many need a decision, whoever made them: anybody here may take it. */
export const toDecideOf = ({ parked, ofOthers }: Pick<QueueState, 'parked' | 'ofOthers'>): number =>
  parked + ofOthers.parked;
