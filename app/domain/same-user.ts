/** Whether two e-mails name one user: capitals make no difference. Without an e-mail, it is nobody on both sides. */
export function isSameUser(one: string | null | undefined, other: string | null | undefined): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}
