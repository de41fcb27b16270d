import type { Profile } from './profiles.ts';
import type { SessionState, TerminalState } from './terminal-state.ts';

interface Place extends Pick<TerminalState, 'mode' | 'profileId'> {
  readonly profile: Pick<Profile, 'platformUrl' | 'companyId'> | null;
}

/**
 * The shop that a screen shows. What is read for it, the next shop does not answer. A profile's number may be given again:
 * by itself it names no shop.
 */
export function shopShownBy({ mode, profileId, profile }: Place): string {
  // The practice store has another address each time, and is the same one.
  const platformUrl = mode === 'platform' ? (profile?.platformUrl ?? null) : null;
  return JSON.stringify([mode, profileId, platformUrl, profile?.companyId ?? null]);
}

/**
 * The shop and the person that a screen shows. A call that writes says for whom it was asked: where another shop or person
 * has come meanwhile, it is not theirs.
 */
export function shownForOf(state: Place & { readonly session: Pick<SessionState, 'email'> }): string {
  return JSON.stringify([shopShownBy(state), state.session.email]);
}
