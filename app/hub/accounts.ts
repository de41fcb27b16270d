// At which accounts of its platform a member's requests count, where the platform is set to count each OAuth client by
// itself (H17 of document.ts). All members stay in one document: so each sees also those that count otherwise, or run an
// earlier version.

/** Null: at all of them, whoever counts how. */
export type Accounts = readonly string[] | null;

/** A till has so few clients in a few minutes; more are said as all. */
export const maxAccounts = 8;

/** All that one of them names. */
export function unionOf(all: readonly Accounts[]): Accounts {
  const named = all.includes(null) ? null : [...new Set(all.flatMap((one) => one ?? []))].toSorted();
  return named === null || named.length > maxAccounts ? null : named;
}

/** What both name. */
export function commonOf(one: Accounts, other: Accounts): Accounts {
  return one === null || other === null ? (one ?? other) : one.filter((account) => other.includes(account));
}

/** Whether who counted here before counts at no other account now. */
export function covers(before: Accounts, now: Accounts): boolean {
  return before === null || (now !== null && now.every((account) => before.includes(account)));
}

/**
 * At which accounts slots of a terminal count now; `before` is what its disk and its record say of the time before,
 * `isOver` once all that an earlier run has sent is over.
 */
export function accountsNow(
  account: string | null,
  before: readonly (Accounts | undefined)[],
  isOver: boolean,
): { readonly countsAt: Accounts; readonly isNewcomer: boolean } {
  const own = account === null ? null : [account];
  const known = before.filter((one) => one !== undefined);
  // mutant: who comes to another account leaves the one before at once (H17)
  return { countsAt: isOver ? own : unionOf([own, ...known]), isNewcomer: !known.every((one) => covers(one, own)) };
}

interface Counting {
  readonly countsAt: Accounts;
}

/** Tells which of these others count together with who counts at `own`. */
export function togetherWith(own: Accounts, others: readonly Counting[]): (other: Counting) => boolean {
  // mutant: those that count by the platform's address leave the others to themselves (H17)
  const isAgreed = own !== null && others.every(({ countsAt }) => countsAt !== null);
  return ({ countsAt }) => !isAgreed || countsAt === null || countsAt.some((account) => own.includes(account));
}
