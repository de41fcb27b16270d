import type { RateLimit } from '../rate-limit/rate-limit.ts';
import { maxPauseMs, type Refusal } from '../rate-limit/shared-limit.ts';
import { maxCount, nextCount, type HubDocument } from './document.ts';

/** Whether this is a later refusal than the known one: one that is far below it has begun again. */
const isNewer = (count: number, known: number): boolean => count > known || known - count > maxCount / 2;

/** Longer than any till runs; what is added to it stays a number. */
const foreverMs = Number.MAX_SAFE_INTEGER;

const within = (least: number, value: number, most: number): number => Math.min(most, Math.max(least, value));

/**
 * What is left of it at this moment; nothing of one that is noted in another document's time, as an earlier version writes
 * it back after a loss. Whoever has the key may have written no such numbers as a 429 leaves behind.
 */
export function leftOf({ pauseMs, notedLoMs, sharing }: NonNullable<HubDocument['refusal']>, loMs: number): Refusal {
  const passedMs = notedLoMs > loMs ? foreverMs : Math.min(loMs - notedLoMs, foreverMs);
  return {
    pauseMs: within(-foreverMs, pauseMs - passedMs, maxPauseMs),
    sharing: sharing && {
      from: Math.max(0, sharing.from),
      peak: Math.max(0, sharing.peak),
      growsInMs: within(-foreverMs, sharing.growsInMs - passedMs, maxPauseMs),
      refusedForMs: within(0, sharing.refusedForMs + passedMs, foreverMs),
    },
  };
}

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
      const left = refusal !== null && isNewer(refusal.count, known) ? leftOf(refusal, loMs) : null;
      if (left === null || left.pauseMs <= 0) {
        return { ...document, refusal: { ...own, count, notedLoMs: loMs } };
      }
      // mutant: a longer pause than the one that the hub knows is told to nobody (H12)
      return own.pauseMs > left.pauseMs
        ? { ...document, refusal: { ...left, pauseMs: own.pauseMs, count, notedLoMs: loMs } }
        : document;
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
      limits.adopt(leftOf(refusal, loMs));
    },
  };
}

export type SharedRefusal = ReturnType<typeof createSharedRefusal>;
