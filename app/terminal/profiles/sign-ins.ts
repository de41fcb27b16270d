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

  /** Removes all that is kept under this name, until the keychain does not remove an entry: false then. */
  async function forget(vaultName: string): Promise<boolean> {
    const own = vaultUnder(vault, vaultName);
    signIns.slot(vaultName).write(null);
    let removes = (await clientSecret.remove(vaultName)).ok && (await own.remove(refreshTokenName)).ok;
    for (const cashier of keptCashiers.of(vaultName)) {
      removes &&= (await own.remove(ownTokenName(cashier.email))).ok;
      if (removes) {
        keptCashiers.remove(vaultName, cashier.email);
      } else {
        keptCashiers.keep({ ...cashier, pinHash: null, badgeHash: null, signedInAt: null });
      }
    }
    if (removes) {
      profiles.forgetSignIn(vaultName);
    }
    return removes;
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

    /** Removes the secrets and sign-ins that no profile uses any more; what the keychain keeps, at the next start. */
    forgetUnused: async (): Promise<void> => {
      for (const vaultName of profiles.takeUnused()) {
        await forget(vaultName);
      }
    },

    /**
     * Removes the tokens of who has signed out, and the sign-ins that no profile uses, which the keychain ought not to hold
     * any more; one that does not remove the first is not asked for the others, for the start waits.
     */
    removeLeft: async (): Promise<void> => {
      // Those that a full disk did not let go.
      profiles.takeUnused();
      for (const vaultName of profiles.withTokenLeft()) {
        const isUsed = profiles.usesVault(vaultName);
        const removes = isUsed
          ? (await vaultUnder(vault, vaultName).remove(refreshTokenName)).ok
          : await forget(vaultName);
        if (!removes) {
          return;
        }
        if (isUsed) {
          profiles.noteSignIn(vaultName, { isTokenLeft: undefined });
        }
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
