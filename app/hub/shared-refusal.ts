import type { RateLimit } from '../rate-limit/rate-limit.ts';
import { maxCount, nextCount, type HubDocument } from './document.ts';

/** Whether this is a later refusal than the known one: one that is far below it has begun again. */
const isNewer = (count: number, known: number): boolean => count > known || known - count > maxCount / 2;

/** The 429s of all terminals, which slow all of them down (H12). */
export function createSharedRefusal() {
  let known = 0;
  let isPending = false;
  return {
    /** This terminal has been refused, and the others do not know yet. */
    isPending: () => isPending,
    refused: (): void => {
      isPending = true;
    },
    /** The document with this terminal's refusal. One within another's pause is the same, but may ask for a longer one. */
    report: (document: HubDocument, limits: Pick<RateLimit, 'refusal'>, loMs: number): HubDocument => {
      if (!isPending) {
        return document;
      }
      const { refusal } = document;
      const own = limits.refusal();
      // Above what is known here, or it would be told for ever: the hub may have lost that one.
      const count = nextCount(refusal !== null && isNewer(refusal.count, known) ? refusal.count : known);
      if (refusal === null || !isNewer(refusal.count, known) || refusal.pauseMs <= loMs - refusal.notedLoMs) {
        return { ...document, refusal: { ...own, count, notedLoMs: loMs } };
      }
      const pauseMs = loMs - refusal.notedLoMs + own.pauseMs;
      // mutant: a longer pause than the one that the hub knows is told to nobody (H12)
      return pauseMs > refusal.pauseMs ? { ...document, refusal: { ...refusal, count, pauseMs } } : document;
    },
    /** Goes on from what another terminal was refused. */
    adopt: ({ refusal }: HubDocument, limits: Pick<RateLimit, 'adopt'>, loMs: number): void => {
      // mutant: a 429 is for one terminal alone (H12)
      if (refusal === null || !isNewer(refusal.count, known)) {
        return;
      }
      const isOwn = isPending && refusal.notedLoMs === loMs;
      [known, isPending] = [refusal.count, false];
      if (isOwn) {
        return;
      }
      const passedMs = loMs - refusal.notedLoMs;
      const { pauseMs, sharing } = refusal;
      limits.adopt({
        pauseMs: pauseMs - passedMs,
        sharing:
          sharing === null
            ? null
            : { ...sharing, growsInMs: sharing.growsInMs - passedMs, refusedForMs: sharing.refusedForMs + passedMs },
      });
    },
  };
}

export type SharedRefusal = ReturnType<typeof createSharedRefusal>;
