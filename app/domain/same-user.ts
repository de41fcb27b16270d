/** The same for all spellings of one user's e-mail: capitals make no difference. */
const keyOf = (email: string | null | undefined): string | undefined => email?.toLowerCase();

/** Whether two e-mails name one user. Without an e-mail, it is nobody on both sides. */
export function isSameUser(one: string | null | undefined, other: string | null | undefined): boolean {
  return keyOf(one) === keyOf(other);
}

/** Each user once, as the last e-mail of theirs is written, and in the order of those. */
export function usersAmong(emails: readonly string[]): readonly string[] {
  const users = new Map<string | undefined, string>();
  for (const email of emails) {
    users.delete(keyOf(email));
    users.set(keyOf(email), email);
  }
  return [...users.values()];
}
