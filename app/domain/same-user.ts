/** The same for all spellings of one user's e-mail: capitals make no difference. */
const keyOf = (email: string | null | undefined): string | undefined => email?.toLowerCase();

/** Whether two e-mails name one user. Without an e-mail, it is nobody on both sides. */
export function isSameUser(one: string | null | undefined, other: string | null | undefined): boolean {
  return keyOf(one) === keyOf(other);
}

/** Each user once, as the last e-mail of theirs is written. */
export const usersAmong = (emails: readonly string[]): readonly string[] => [
  ...new Map(emails.map((email) => [keyOf(email), email])).values(),
];
