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

/** From this many letters on a word may be the beginning of another one, with a slip in it. */
const shortestBeginning = 5;

/**
 * How many slips lead from one word to each beginning of the other (optimal string alignment): letters that are missing,
 * too many, wrong, or changed places with their neighbour. Null when each takes more than `most`.
 */
function slipsToBeginnings(one: string, other: string, most: number): readonly number[] | null {
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
      return null;
    }
    [beforeLast, last] = [last, present];
  }
  return last;
}

/** The fewest slips from one word to the other. More than `most` is answered as `most + 1`. */
export function slipsBetween(one: string, other: string, most: number): number {
  const slips = Math.abs(one.length - other.length) > most ? null : slipsToBeginnings(one, other, most);
  return Math.min(slips?.[other.length] ?? most + 1, most + 1);
}

/** How many slips a word may have and still be taken for the beginning of a longer one. */
export function slipsOfBeginning(word: string): number {
  return slipsAllowed(word) > 0 && word.length >= shortestBeginning ? 1 : 0;
}

/** Whether the other word begins with this one, or with no more than so many slips. */
export function beginsWithSlips(word: string, other: string, most: number): boolean {
  const slips = slipsToBeginnings(word, other.slice(0, word.length + most), most);
  return slips !== null && Math.min(...slips) <= most;
}
