import type { QueueState } from './terminal-state.ts';

/** Those that go out by themselves: of whoever is at the screen, and of users whose sign-in is kept. */
export const goingOf = ({ pending, inFlight, ofKept }: Pick<QueueState, 'pending' | 'inFlight' | 'ofKept'>): number =>
  pending + inFlight + ofKept.count;

/** Those that wait for the open company, whoever asked for them. */
export const waitingHereOf = (queue: QueueState): number => goingOf(queue) + queue.ofOthers.count;

/** All that waits to be sent, whoever asked for it and for whichever company. */
export const waitingOf = (queue: QueueState): number =>
  queue.elsewhere.reduce((sum, one) => sum + one.count, waitingHereOf(queue));

/** How many need a decision, whoever made them: anybody here may take it. */
export const toDecideOf = ({ parked, ofOthers }: Pick<QueueState, 'parked' | 'ofOthers'>): number =>
  parked + ofOthers.parked;
