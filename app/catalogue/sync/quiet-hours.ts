// Only the beginning is ruled: what has begun goes on, for a person who scans goes before it in any case.
//
//   Q1  In quiet hours it begins once the last one is 12 hours old, so that it comes every night.
//   Q2  At any hour it begins once the last one is 24 hours old and nobody has looked anything up for 20 minutes: a
//       till may be switched off at night.
//   Q3  It begins in any case once the last one is 36 hours old.
//   Q4  A first copy, and a listing that is read again because something was wrong with the last one, never wait for
//       any of these.
import type { QuietHours } from '../../contract/catalogue-plan.ts';
import { isWithinHours, nextStartOf } from '../../domain/hours.ts';
import type { Progress } from './progress.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
/** A full listing is read anew this often, to find what has vanished. */
export const fullEveryMs = dayMs;
const toleranceMs = 12 * hourMs;
const idleForMs = 20 * 60_000;

/** The circumstances that the time for a listing depends on. */
export interface Circumstances {
  /** By this machine's wall clock. */
  readonly now: number;
  /** For how long nobody has looked anything up, in milliseconds. */
  readonly idleMs: number;
  readonly quietHours: QuietHours;
  /** This machine's offset from UTC, in minutes; the store's own counts where it is known. */
  readonly offsetMinutes: number;
}

/** The first moment from this one on that lies in the quiet hours. */
export function nextQuietAt(at: number, hours: QuietHours, offsetMinutes: number): number {
  return isWithinHours(at, hours, offsetMinutes) ? at : nextStartOf(hours, at, offsetMinutes);
}

/** When the next full listing begins at the latest, and by which rule; null and `now` when it should have begun. */
export function nextListing(
  { nextFullAt, waitsForQuiet, offsetMinutes }: Progress,
  place: Circumstances,
): { readonly at: number | null; readonly why: 'now' | 'due' | 'quietHours' | 'overdue' } {
  const { now, idleMs, quietHours } = place;
  // A moment that lies too far ahead was noted before the clock was set back.
  if (nextFullAt === null || nextFullAt > now + fullEveryMs) {
    return { at: null, why: 'now' };
  }
  if (!waitsForQuiet) {
    return nextFullAt <= now ? { at: null, why: 'now' } : { at: nextFullAt, why: 'due' }; // Q4
  }
  const quietAt = nextQuietAt(
    Math.max(now, nextFullAt - toleranceMs),
    quietHours,
    offsetMinutes ?? place.offsetMinutes,
  ); // Q1
  const overdueAt = nextFullAt + toleranceMs; // Q3
  if (quietAt <= now || overdueAt <= now || (now >= nextFullAt && idleMs >= idleForMs)) {
    return { at: null, why: 'now' }; // Q2
  }
  return quietAt <= overdueAt ? { at: quietAt, why: 'quietHours' } : { at: overdueAt, why: 'overdue' };
}
