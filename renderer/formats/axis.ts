/** The next round figure, 1, 2 or 5 times a power of ten, at or above `max`; at least `min`. */
export function roundTop(max: number, min: number): number {
  const wanted = Math.max(max, min, 1);
  const power = 10 ** Math.floor(Math.log10(wanted));
  return [1, 2, 5, 10].map((factor) => factor * power).find((top) => top >= wanted) ?? wanted;
}

/** Nought, the middle where it is a whole number, and the top; the highest first, as they stand on the page. */
export function marksOf(top: number): readonly number[] {
  return top % 2 === 0 ? [top, top / 2, 0] : [top, 0];
}
