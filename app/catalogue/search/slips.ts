/** A word with letters alone, long enough to be told from others by a slip. */
const correctable = /^\p{L}{3,}$/u;
const shortestWithTwo = 6;

/** How many slips a word may have and still be taken for another: none, one, or two from six letters on. */
export function slipsAllowed(word: string): number {
  if (!correctable.test(word)) {
    return 0;
  }
  return word.length < shortestWithTwo ? 1 : 2;
}

/**
 * Letters that are missing, too many, wrong, or changed places with their neighbour: the fewest such slips that lead
 * from one word to the other (optimal string alignment). More than `most` is answered as `most + 1`.
 */
export function slipsBetween(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) {
    return most + 1;
  }
  let beforeLast: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, place) => place);
  for (let row = 1; row <= one.length; row += 1) {
    const present = [row];
    for (let column = 1; column <= other.length; column += 1) {
      const isSame = one[row - 1] === other[column - 1];
      let fewest = Math.min(
        (last[column] ?? 0) + 1,
        (present[column - 1] ?? 0) + 1,
        (last[column - 1] ?? 0) + (isSame ? 0 : 1),
      );
      if (row > 1 && column > 1 && one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]) {
        fewest = Math.min(fewest, (beforeLast[column - 2] ?? 0) + 1);
      }
      present.push(fewest);
    }
    if (Math.min(...present) > most) {
      return most + 1;
    }
    [beforeLast, last] = [last, present];
  }
  return Math.min(last[other.length] ?? 0, most + 1);
}
