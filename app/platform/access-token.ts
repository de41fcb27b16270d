import { isSameUser } from '../domain/same-user.ts';

export interface AccessToken {
  readonly text: string;
  /** The e-mail of the user who signed in for it. */
  readonly user: string;
}

/** Whether the token is this user's; nobody's when the user is null. */
export function isTokenOf(token: AccessToken, user: string | null): boolean {
  // mutant: a token serves whoever is signed in when it leaves (I10)
  return isSameUser(token.user, user);
}
