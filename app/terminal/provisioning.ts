import type { Language } from '../contract/basics.ts';
import type { Profile } from '../contract/profiles.ts';
import { readPlatformAddress } from '../platform/address.ts';
import type { HubAddress } from '../hub/address.ts';
import type { Vault } from '../ports.ts';
import { clientSecretName, type ClientSecret } from '../session/client-secret.ts';
import { vaultUnder } from '../session/vaults.ts';
import type { Profiles, StoredProfile } from '../settings/profiles.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { OpenStore } from './active-store.ts';
import type { HubMembership } from './hub-membership.ts';
import type { ProvisionedLock } from './manager-lock.ts';
import type { ProfileSignIns } from './profile-sign-ins.ts';

/** Unattended set-up: what a person would type on the connection form. */
export interface Provision {
  readonly profile: Profile;
  readonly clientSecret: string;
  readonly language?: Language;
  /** Sets the manager's PIN, and what it locks. */
  readonly managerLock?: ProvisionedLock;
  /** The shop's hub, and what this terminal is called there. */
  readonly hub?: { readonly address: HubAddress; readonly name: string };
}

export interface ProvisioningParts {
  readonly profiles: Profiles;
  readonly settings: SettingsStore;
  readonly clientSecret: ClientSecret;
  readonly profileSignIns: ProfileSignIns;
  readonly membership: HubMembership;
  readonly vault: Vault;
  readonly store: Pick<OpenStore, 'deleteCopy'>;
}

/** Before the store is opened, calls back with the fields of the file that have changed something. */
export type Provisioning = (
  provision: Provision,
  onProvisioned: (profile: Profile, fields: readonly string[]) => void,
) => Promise<void>;

/** Makes what keeps the profile of a provisioning file and opens its store. */
export function createProvisioning({
  profiles,
  settings,
  clientSecret,
  profileSignIns: { resume, forgetUnused },
  membership,
  vault,
  store,
}: ProvisioningParts): Provisioning {
  /**
   * Which fields of a provisioning file say something else than what is kept. A secret that the keychain does not
   * answer is taken for the same.
   */
  async function differing(
    wanted: StoredProfile,
    secret: string,
    language: Language | undefined,
  ): Promise<readonly string[]> {
    const before = profiles.ofPlace(wanted);
    const isPresent = before !== null && profiles.current()?.id === before.id && settings.get().mode === 'platform';
    const kept =
      before !== null && profiles.hasSecretInVault(wanted.vaultName)
        ? await vaultUnder(vault, wanted.vaultName).read(clientSecretName)
        : null;
    const isOtherSecret = before === null || (kept !== null && kept.ok && kept.value !== null && kept.value !== secret);
    const fields: readonly (readonly [name: string, isOther: boolean])[] = [
      ['platformUrl', !isPresent],
      ['clientId', before?.clientId !== wanted.clientId],
      ['clientSecret', isOtherSecret],
      ['companyId', !isPresent],
      ['stockIds', JSON.stringify(before?.stockIds) !== JSON.stringify(wanted.stockIds)],
      ['language', language !== undefined && language !== settings.get().language],
    ];
    return fields.flatMap(([name, isOther]) => (isOther ? [name] : []));
  }

  /** Without asking the hub, which may be down just now. Answers whether it was another one before. */
  async function joinHub({ address, name }: NonNullable<Provision['hub']>): Promise<boolean> {
    const isOther = !(await membership.isJoined(address, name));
    await membership.keep(address, name, true);
    return isOther;
  }

  return async ({ profile, clientSecret: secret, language, hub }, onProvisioned) => {
    const address = readPlatformAddress(profile.platformUrl);
    const wanted = { ...profile, platformUrl: address.ok ? address.value : profile.platformUrl };
    // A changed list of stocks is the same profile; and when there are as many as can be, the last one makes way.
    const replaced =
      profiles.ofPlace(wanted) ??
      (profiles.draft(wanted, null) === null ? (profiles.current() ?? profiles.all()[0] ?? null) : null);
    const replacedId = replaced?.id ?? null;
    const draft = profiles.draft(wanted, replacedId);
    if (draft === null) {
      return;
    }
    const changedFields = await differing(draft, secret, language);
    profiles.keep(draft, replacedId);
    settings.change({ mode: 'platform', ...(language === undefined ? {} : { language }) });
    if (replacedId !== null && replacedId !== draft.id) {
      store.deleteCopy(replacedId);
    }
    await clientSecret.keep(draft.vaultName, secret);
    await forgetUnused();
    const isOtherHub = hub !== undefined && (await joinHub(hub));
    onProvisioned(draft, isOtherHub ? [...changedFields, 'hub'] : changedFields);
    await resume(draft);
  };
}
