import type { TerminalState } from './terminal-state.ts';

/**
 * The shop and the person that a screen shows. A call that writes says for whom it was asked: where another shop or person
 * has come meanwhile, it is not theirs.
 */
export function shownForOf({
  mode,
  profileId,
  session: { email },
}: Pick<TerminalState, 'mode' | 'profileId'> & { readonly session: Pick<TerminalState['session'], 'email'> }): string {
  return JSON.stringify([mode, profileId, email]);
}
