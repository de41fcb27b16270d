const maxDoublings = 30;

/** How long to wait before the next try: `firstMs` doubled for each failure before this one, and `maxMs` at most. */
export function backoffMs(failuresBefore: number, firstMs: number, maxMs: number): number {
  return Math.min(maxMs, firstMs * 2 ** Math.min(failuresBefore, maxDoublings));
}
