import { succeed } from '../../app/domain/result.ts';
import type { AccessToken } from '../../app/platform/access-token.ts';
import type { TokenSource } from '../../app/platform/client.ts';

export const tokenUser = 'ana@example.com';

/** That user's token. */
export function tokenOf(text: string): AccessToken {
  return { text, user: tokenUser };
}

/** A sign-in whose every token is this one. */
export function fixedTokens(text: string): TokenSource {
  const token = () => Promise.resolve(succeed(tokenOf(text)));
  return { user: () => tokenUser, accessToken: token, renew: token };
}
