// Which product's batches are asked for next, most likely first (decision 56):
//
//   E1  Only products with stock are asked for, of the stocks that the platform does not refuse; of one with none left
//       nothing can expire on a shelf.
//   E2  First those that are known to have a batch whose day is near or lately over, the nearest day first: is it gone?
//   E3  Then those that nobody has asked for yet, what moved last first: goods that come in have new days.
//   E4  Then those that have changed since they were asked for, and those whose batches lie far, by age.
//   E5  Last and rarely those of which the platform listed no batch with a day.
import type { Id } from '../domain/int64.ts';
import { daysUntil } from '../domain/date-time.ts';

/** A product with stock, as the copy knows it. */
export interface Candidate {
  readonly stockId: Id;
  readonly productId: Id;
  /** When it last changed, by the listing or this terminal; null when nobody knows. */
  readonly updatedAt: number | null;
}

/** The earlier answers about it. */
export interface Known {
  readonly askedAt: number;
  /** How many batches the platform listed. */
  readonly batches: number;
  /** The day nearest to today, "YYYY-MM-DD"; null without one. */
  readonly nearestDay: string | null;
}

/** The step of the order, the smallest first; `null`: not now. */
export interface Turn {
  readonly step: 1 | 2 | 3 | 4;
  readonly by: number;
}

const dayMs = 86_400_000;
/** A day is near so long before it comes, and so long after. */
export const nearExpiryDays = 30;
/** So long an answer is good: where a day is near, where it is far, and where there is none. */
const goodForDays = { near: 3, far: 7, none: 30 } as const;
/** The same for a product that has changed since. */
const goodWhenChangedDays = { near: 1, far: 1, none: 7 } as const;

/** When a product's turn comes; null while what is known of it is good. */
export function turnOf({ updatedAt }: Candidate, known: Known | null, now: number, offsetMinutes: number): Turn | null {
  if (known === null) {
    return { step: 2, by: -(updatedAt ?? 0) }; // E3
  }
  const { askedAt, batches, nearestDay } = known;
  const left = nearestDay === null ? null : Math.abs(daysUntil(nearestDay, now, offsetMinutes));
  const hasChanged = updatedAt !== null && updatedAt > askedAt;
  const isNear = left !== null && left <= nearExpiryDays;
  const withDay = isNear ? 'near' : 'far';
  const kind = left === null || batches === 0 ? 'none' : withDay;
  const goodDays = (hasChanged ? goodWhenChangedDays : goodForDays)[kind];
  // An answer from the future was noted before the clock was set back.
  if (now - askedAt < goodDays * dayMs && askedAt <= now) {
    return null;
  }
  if (kind === 'near') {
    return { step: 1, by: left ?? 0 }; // E2
  }
  return kind === 'far' ? { step: 3, by: askedAt } : { step: 4, by: askedAt }; // E4, E5
}

/** The order of two turns. */
export function compareTurns(one: Turn, other: Turn): number {
  return one.step - other.step || one.by - other.by;
}

/** The best of those that were offered, at most so many. */
export function createShortlist<Value extends { readonly turn: Turn }>(most: number) {
  let kept: Value[] = [];
  const tidy = (): void => {
    kept = kept.toSorted((one, other) => compareTurns(one.turn, other.turn)).slice(0, most);
  };
  return {
    offer: (value: Value): void => {
      kept.push(value);
      if (kept.length >= 2 * most) {
        tidy();
      }
    },
    inOrder: (): readonly Value[] => {
      tidy();
      return kept;
    },
  };
}
