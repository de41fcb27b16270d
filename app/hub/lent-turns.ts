import { usedOf, type Lane } from '../rate-limit/lanes.ts';
import { isUrgent, nextInTurn, type RateState, type Turn } from '../rate-limit/scheduler.ts';
import type { RateShare } from './rate-share.ts';
import { ticketLastsMs } from './document.ts';

/** Whose turn it is at this terminal, by what it may use; `isAlone`: it is cut off for so long that it uses its share. */
export function createLentTurns(
  rateShare: Pick<RateShare, 'rights' | 'own' | 'share'>,
  isAlone: (nowMs: number) => boolean,
) {
  let ticket: { readonly lane: Lane; readonly askedMs: number } | null = null;

  /** Slots that were lent and may still be used (H4). */
  // mutant: a ticket lasts for ever (H4)
  const ticketAt = (nowMs: number): typeof ticket =>
    ticket === null || nowMs - ticket.askedMs > ticketLastsMs ? null : ticket;

  function nextAlone<Waiter extends Turn>(waiters: readonly Waiter[], state: RateState): Waiter | undefined {
    const limit = Math.max(rateShare.own(), rateShare.share());
    const own = nextInTurn(waiters, { ...state, limit: Math.min(state.limit, limit), wholeLimit: limit });
    // A hub that is not believed may lend all the same. A turn that is not used comes round to the same terminal for ever,
    // and to no other (H9).
    // mutant: a terminal that does not believe the hub leaves what it is lent (H9)
    return own === undefined && ticketAt(state.nowMs) !== null ? nextLent(waiters, state) : own;
  }

  function nextLent<Waiter extends Turn>(waiters: readonly Waiter[], state: RateState): Waiter | undefined {
    const { held, nowMs, wholeLimit } = state;
    if (usedOf(held) >= Math.min(rateShare.rights(), wholeLimit)) {
      return undefined;
    }
    // Whether one may go is settled already; the scheduler says which.
    const first = (some: readonly Waiter[]): Waiter | undefined =>
      nextInTurn(some, { ...state, limit: wholeLimit, reserve: 0 });
    const urgent = held.person + held.session < rateShare.own() ? first(waiters.filter(isUrgent)) : undefined;
    const lent = ticketAt(nowMs);
    if (urgent !== undefined || lent === null) {
      return urgent;
    }
    const { lane } = lent;
    // A spare request gives way to all others, also to one that came since it was lent a right.
    const firm = waiters.filter(({ isSpare }) => isSpare !== true);
    // mutant: a right lent for what is spare is used before others of the till (B8)
    const waiter = first((firm.length > 0 ? firm : waiters).filter((one) => isUrgent(one) || one.lane === lane));
    ticket = waiter === undefined ? ticket : null;
    return waiter;
  }

  return {
    next: <Waiter extends Turn>(waiters: readonly Waiter[], state: RateState): Waiter | undefined =>
      isAlone(state.nowMs) ? nextAlone(waiters, state) : nextLent(waiters, state),
    hasTicket: () => ticket !== null,
    /** One right has been lent for this lane, which was asked for at this uptime (H4). */
    lend: (lane: Lane, askedMs: number): void => {
      ticket = { lane, askedMs };
    },
    /** Gives back slots that were lent and not used. */
    giveBack: (): void => {
      ticket = null;
    },
  };
}

export type LentTurns = ReturnType<typeof createLentTurns>;
