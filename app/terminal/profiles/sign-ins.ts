import { isSameUser } from '../../domain/same-user.ts';
import { ownTokenName, refreshTokenName, removeTokens } from '../../session/entries.ts';
import { vaultUnder } from '../../session/vaults.ts';
import type { StoredProfile } from '../../settings/profiles.ts';
import type { ShopsContext } from '../workspace/shop-changes.ts';
import type { Workspace } from '../workspace/workspace.ts';

export type ProfileSignIns = ReturnType<typeof createProfileSignIns>;

/** Makes what restores and forgets the secrets and sign-ins kept for profiles. */
export function createProfileSignIns({
  profiles,
  keptCashiers,
  clientSecret,
  signIns,
  ports: { vault },
  shop,
}: ShopsContext) {
  /** Whose sign-in `restore` finds; null for nobody's. */
  const emailOf = (vaultName: string): string | null =>
    profiles.sessionOf(vaultName)?.email ?? signIns.emailOf(vaultName);

  /** Finds the sign-in that the keychain holds, or else this run's memory. False when there is none. */
  async function restore({ session }: Pick<Workspace, 'session'>, vaultName: string): Promise<boolean> {
    const mark = profiles.sessionOf(vaultName);
    if (mark === null) {
      return session.resume();
    }
    await session.restore(mark);
    return true;
  }

  async function resume(profile: StoredProfile): Promise<void> {
    await clientSecret.load(profile.vaultName);
    const workspace = await shop.openPlatform(profile);
    await restore(workspace, profile.vaultName);
  }

  return {
    emailOf,
    restore,

    /** Opens the present profile's shop with the sign-in that the keychain holds. */
    resume,

    /** The same with the shop that is open, if it is a profile's. */
    reopen: async (): Promise<void> => {
      const profile = profiles.current();
      if (shop.workspace() !== null && shop.practice() === null && profile !== null) {
        await resume(profile);
      }
    },

    /** Removes the secrets and sign-ins that no profile uses any more. */
    forgetUnused: async (): Promise<void> => {
      for (const vaultName of profiles.takeUnused()) {
        signIns.slot(vaultName).write(null);
        await clientSecret.remove(vaultName);
        await vaultUnder(vault, vaultName).remove(refreshTokenName);
        for (const { email } of keptCashiers.of(vaultName)) {
          await vaultUnder(vault, vaultName).remove(ownTokenName(email));
          keptCashiers.remove(vaultName, email);
        }
      }
    },

    /**
     * Removes the tokens of who has signed out, which the keychain ought not to hold any more; one that does not remove
     * the first is not asked for the others, for the start waits.
     */
    removeLeft: async (): Promise<void> => {
      for (const vaultName of profiles.withTokenLeft()) {
        const removed = await vaultUnder(vault, vaultName).remove(refreshTokenName);
        if (!removed.ok) {
          return;
        }
        profiles.noteSignIn(vaultName, { isTokenLeft: undefined });
      }
      const over = keptCashiers.all().filter(({ signedInAt, vaultName, email }) => {
        const present = profiles.sessionOf(vaultName)?.email;
        return signedInAt === null && !isSameUser(present, email);
      });
      for (const { vaultName, email, pinHash } of over) {
        const left = await removeTokens(vaultUnder(vault, vaultName), email, true);
        if (left.length > 0) {
          return;
        }
        if (pinHash === null) {
          keptCashiers.remove(vaultName, email);
        }
      }
    },
  };
}
