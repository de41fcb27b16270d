import type { KeptProfile } from '../../contract/profiles.ts';
import { isSamePlace } from '../../contract/same-profile.ts';
import type { TerminalState } from '../../contract/terminal-state.ts';
import type { SignInMemory } from '../../session/memory.ts';
import type { Profiles } from '../../settings/profiles.ts';
import type { ShopsContext } from '../workspace/shop-changes.ts';
import { placeOf } from '../workspace/targets.ts';
import type { Workspace } from '../workspace/workspace.ts';

export type ProfileState = Pick<TerminalState, 'profile' | 'profileId' | 'profiles' | 'isSecretNeeded'>;

/**
 * The profiles as they cross the bridge; `open` tells how many updates wait for those of other companies, null while no
 * real shop is open.
 */
function keptProfilesOf(profiles: Profiles, signIns: SignInMemory, open: Workspace | null): KeptProfile[] {
  const current = profiles.current();
  return profiles
    .all()
    .map(({ id, name, vaultName, ...profile }) => ({
      profileId: id,
      name,
      ...placeOf(profile),
      email: profiles.sessionOf(vaultName)?.email ?? signIns.emailOf(vaultName),
      waiting:
        open === null || (current !== null && isSamePlace(current, profile))
          ? null
          : open.queueRepository.history.countWaiting(profile.platformUrl, profile.companyId),
    }));
}

/** The profiles as screens show them, and which one is open. */
export function profileStateOf({ shop, profiles, signIns, clientSecret }: ShopsContext): ProfileState {
  const [workspace, practice] = [shop.workspace(), shop.practice()];
  const profile = profiles.current();
  const place = practice ?? profile;
  const isReal = workspace !== null && practice === null;
  return {
    profile: place === null ? null : placeOf(place),
    profileId: practice === null ? (profile?.id ?? null) : null,
    profiles: keptProfilesOf(profiles, signIns, isReal ? workspace : null),
    isSecretNeeded: isReal && !clientSecret.isGood(profile?.vaultName ?? ''),
  };
}
