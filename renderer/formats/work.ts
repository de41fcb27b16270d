/** Before this much time and this share of the work, nobody knows. */
const soonestMs = 1_500;
const smallestShare = 0.02;

/** Milliseconds still to go at the pace so far; null while that cannot be known, or nothing is left. */
export function timeLeft(done: number, of: number, elapsedMs: number): number | null {
  return elapsedMs < soonestMs || done <= 0 || done / of < smallestShare || done >= of
    ? null
    : ((of - done) * elapsedMs) / done;
}
