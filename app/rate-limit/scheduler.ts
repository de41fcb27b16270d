//   B3  A background lane never takes the last slots that are kept for a person, but for one that the queue may take
//       when it holds none, for up to a hundred updates of a person go in it; a person who holds fewer than those never
//       waits while a slot is free.
//   B4  A waiting background lane that holds less than its share goes before a person's calls beyond that.
//   B5  Of two persons' questions the newest goes first, for it is what the cashier looks at; but one that has waited
//       for `agedMs` goes before all that came after it, so that none waits for ever. In the other lanes first come,
//       first served.
//   B6  Others at the account leave less to persons and to the catalogue, who could take whatever there is. Sign-ins
//       and the queue, whose work soon ends, may take up to a third of the whole limit in any case, and keep their
//       distance after a 429 by themselves; what they hold beyond the limit does not keep a person from the reserve.
//   B8  A spare request lives on what is left over. It goes only while nobody else waits, and leaves half of the limit
//       free, or the reserve where that is more. It is owed nothing, and counts as the catalogue's.
import { usedOf, type ByLane, type Lane } from './lanes.ts';
import { shareOf } from './rules.ts';

/** A person's question that has waited so long goes before newer ones, in milliseconds. */
export const agedMs = 10_000;

export interface Turn {
  readonly lane: Lane;
  readonly sinceMs: number;
  /** It can do without (B8). */
  readonly isSpare?: boolean | undefined;
}

const urgentLanes: readonly Lane[] = ['session', 'person'];

/** Whether somebody stands and waits for it. */
export function isUrgent({ lane }: Pick<Turn, 'lane'>): boolean {
  return urgentLanes.includes(lane);
}

export interface RateState {
  /** The limit that this terminal sets itself now. */
  readonly limit: number;
  /** The limit that it would set itself if no others used the account. */
  readonly wholeLimit: number;
  readonly reserve: number;
  /** Slots that count now. */
  readonly held: ByLane;
  readonly nowMs: number;
}

function firstOf<Waiter extends Turn>(lane: Lane, waiters: readonly Waiter[], nowMs: number): Waiter | undefined {
  const mine = waiters.filter((waiter) => waiter.lane === lane);
  // mutant: the newest question always goes first (A7)
  return lane === 'person' ? (mine.find(({ sinceMs }) => nowMs - sinceMs >= agedMs) ?? mine.at(-1)) : mine[0]; // B5
}

/** The most urgent waiter that may go now, or undefined; waiters are in the order in which they came. */
export function nextInTurn<Waiter extends Turn>(
  all: readonly Waiter[],
  { limit, wholeLimit, held, nowMs, ...rules }: RateState,
): Waiter | undefined {
  const reserve = Math.max(0, Math.min(rules.reserve, limit - 1));
  const free = limit - usedOf(held);
  // mutant: what is spare goes while others wait (A2, A3, A10)
  const waiters = all.filter(({ isSpare }) => isSpare !== true);
  if (waiters.length === 0) {
    // mutant: what is spare leaves only the reserve free (A10)
    return free - 1 >= Math.max(reserve, limit / 2) ? all[0] : undefined; // B8
  }
  const freeForFew = Math.max(limit, Math.floor(wholeLimit / 3)) - usedOf(held); // B6
  // Slots that sign-ins and the queue hold by that rule on top of the limit are not at the expense of the reserve.
  const beyond = Math.max(0, held.session + held.queue - Math.max(0, limit - reserve));
  const owedTo = (lane: Lane): number =>
    waiters.some((waiter) => waiter.lane === lane) ? Math.max(0, shareOf(lane, limit) - held[lane]) : 0;
  const owed = { queue: owedTo('queue'), catalogue: owedTo('catalogue') };
  const unusedReserve = Math.max(0, reserve - held.person);
  const queueReserve = held.queue === 0 ? Math.max(0, unusedReserve - 1) : unusedReserve;
  const mayGo: Record<Lane, boolean> = {
    session: freeForFew > 0,
    person: held.person < reserve ? Math.min(free + beyond, freeForFew) > 0 : free > owed.queue + owed.catalogue, // B3, B4
    queue: freeForFew > (owed.queue > 0 ? queueReserve : reserve), // B3
    // mutant: the catalogue ignores the reserve (A2)
    catalogue: free > (owed.catalogue > 0 ? unusedReserve : reserve), // B3
  };
  const background: readonly Lane[] =
    owed.catalogue > 0 && owed.queue === 0 ? ['catalogue', 'queue'] : ['queue', 'catalogue'];
  const order: readonly Lane[] = ['session', 'person', ...background];
  const lane = order.find((candidate) => mayGo[candidate] && waiters.some((waiter) => waiter.lane === candidate));
  return lane === undefined ? undefined : firstOf(lane, waiters, nowMs);
}
