// Whose turn it is, over the waiters of all members (H11, H13, H15 and L1 of document.ts).
import { lanes, usedOf, type Lane } from '../rate-limit/lanes.ts';
import { shareOf } from '../rate-limit/rules.ts';
import { isUrgent, nextInTurn, type RateState } from '../rate-limit/scheduler.ts';

/** A little sooner than evenly, lest a slot stays unused. */
const soonerBy = 0.9;
/** So long figures are gathered for one listing at most, in milliseconds: no person waits a second for others' (L1). */
const longestGatherMs = 950;
/** They are gathered while so small a part of the limit or less is free. */
const scarcePart = 1 / 4;

/** A member's waiter. */
export interface Wanted {
  readonly id: string;
  readonly lane: Lane;
  readonly sinceMs: number;
  readonly isSpare?: boolean | undefined;
  /** All that this person waits for is figures which one listing may answer, with those of others. */
  readonly isFigure: boolean;
  readonly held: number;
}

/** Lane by lane, in the order in which they came; of a background lane, those first whose terminal holds least (H11). */
export function inTurn(wanted: readonly Wanted[]): readonly Wanted[] {
  return lanes.flatMap((lane) =>
    wanted
      .filter((one) => one.lane === lane)
      .toSorted((left, right) => {
        // mutant: who holds most goes first (H11)
        const more = lane === 'person' ? 0 : left.held - right.held;
        // All terminals must name the same one, whatever their languages.
        return more || left.sinceMs - right.sinceMs || Number(left.id > right.id) - Number(left.id < right.id);
      }),
  );
}

/**
 * How long after the catalogue's last turn its next is due, whichever terminal it is: at once while more than half of the
 * limit is free, or while it has less than it is owed; then evenly over the window, by what others leave it (H13). Each till
 * copies evenly for itself, but not beside others: what they take together comes free together a window later, and in
 * between persons would find no slot.
 */
function catalogueGapMs({ limit, reserve, held }: RateState, windowMs: number): number {
  const isQuick = limit - usedOf(held) > limit / 2 || held.catalogue < shareOf('catalogue', limit);
  const left = limit - reserve - held.session - held.person - held.queue;
  return isQuick ? 0 : (soonerBy * windowMs) / Math.max(1, left);
}

/**
 * How long after the last turn for a figure the next is due; 0 while enough is free, or no other till may join it. The
 * fewer are left the longer, up to what slots take to come free evenly (H15).
 */
function figureGapMs({ limit, held }: RateState, windowMs: number, wholeLimit: number, members: number): number {
  const freePart = Math.max(0, limit - usedOf(held)) / wholeLimit;
  // mutant: figures are never gathered (H15)
  const isGathered = members > 1 && freePart <= scarcePart;
  return isGathered ? Math.min(longestGatherMs, windowMs / wholeLimit) * (1 - freePart / scarcePart) : 0;
}

interface TurnsOfAll {
  /** When the last turns for the catalogue and for a figure were lent, and now, in `loMs`. */
  readonly catalogueMs: number;
  readonly figuresMs: number;
  readonly nowMs: number;
  readonly windowMs: number;
  readonly wholeLimit: number;
  readonly members: number;
}

/**
 * Whose turn it is: `first` of all, and `next` for this terminal to see. Where rights are free for several persons, each
 * takes one, and waits for no exchange of those who came before (L1). `pacedForMs`: so long this terminal, which is the
 * first, still waits for an even pace alone.
 */
export function turnOf(id: string, waiting: readonly Wanted[], state: RateState, turns: TurnsOfAll) {
  const { nowMs, windowMs, wholeLimit, members } = turns;
  const catalogueDueMs = turns.catalogueMs + catalogueGapMs(state, windowMs) - nowMs;
  const gapMs = figureGapMs(state, windowMs, wholeLimit, members);
  const figureDueMs = turns.figuresMs + gapMs - nowMs;
  // Whoever does not take its turn keeps the others waiting for one gap.
  let room = gapMs === 0 ? Infinity : Math.floor(1 - figureDueMs / gapMs);
  // mutant: the catalogues take all at once that is left (H13)
  const isPaced = catalogueDueMs > 0;
  let left = isPaced ? waiting.filter((one) => one.lane !== 'catalogue') : waiting;
  let { held } = state;
  const nextOf = (): Wanted | undefined =>
    nextInTurn(room > 0 ? left : left.filter(({ isFigure }) => !isFigure), { ...state, held });
  const first = nextOf();
  let next = first;
  // mutant: persons at several terminals wait for each other (L1)
  while (next !== undefined && next.id !== id && isUrgent(next)) {
    const { lane, isFigure } = next;
    const before = next;
    left = left.filter((one) => one !== before);
    held = { ...held, [lane]: held[lane] + 1 };
    // mutant: figures are asked for beside those of whoever has the turn (H15)
    room -= isFigure ? 1 : 0;
    next = nextOf();
  }
  const whenDue = nextInTurn(waiting, state);
  const dueMs = whenDue?.isFigure === true ? figureDueMs : catalogueDueMs;
  return {
    first,
    next: next === first || (next !== undefined && isUrgent(next)) ? next : undefined,
    pacedForMs: whenDue !== undefined && whenDue.id === id && whenDue !== first ? Math.max(0, dueMs) : 0,
  };
}
