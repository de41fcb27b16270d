import type { Language } from '../../contract/basics.ts';
import type { Profile } from '../../contract/profiles.ts';
import type { ChosenSettings } from '../../contract/settings.ts';
import type { HubAddress } from '../../hub/address.ts';
import { readPlatformAddress } from '../../domain/platform-address.ts';
import type { Ports } from '../../ports.ts';
import { clientSecretName, type ClientSecret } from '../../session/client-secret.ts';
import { vaultUnder } from '../../session/vaults.ts';
import type { Profiles, StoredProfile } from '../../settings/profiles.ts';
import type { SettingsChange, OpenSettings } from '../../settings/settings.ts';
import type { OpenShop } from '../workspace/open-shop.ts';
import type { HubMembership } from '../../hub/membership.ts';
import type { ProvisionedLock } from '../manager-lock.ts';

/** The fields that a person would type on the connection form. */
export interface ProvisionedProfile {
  readonly profile: Profile & { readonly name?: string | undefined };
  /** Absent where the kept one stays; where none is kept, the sign-in asks for it. */
  readonly clientSecret?: string;
}

/** Unattended set-up. */
export interface Provision extends ProvisionedProfile {
  /** Kept beside the first one, which is opened unless one of these is open. */
  readonly otherProfiles?: readonly ProvisionedProfile[];
  readonly language?: Language;
  /** Each whole. */
  readonly settings?: Pick<SettingsChange, keyof ChosenSettings>;
  /** Sets the manager's PIN, and what it locks. */
  readonly managerLock?: ProvisionedLock | undefined;
  /** The shop's hub, and what this terminal is called there. */
  readonly hub?: { readonly address: HubAddress; readonly name: string };
}

/** A field of the file that says something else than what is kept. */
export interface ProvisionedChange {
  readonly field: string;
  /** Absent where they are secret; null stands for none. */
  readonly values?: { readonly from: unknown; readonly to: unknown };
}

export interface ProvisioningParts {
  readonly profiles: Profiles;
  readonly settings: OpenSettings;
  readonly clientSecret: Pick<ClientSecret, 'keep'>;
  readonly profileSignIns: {
    readonly resume: (profile: StoredProfile) => Promise<void>;
    readonly forgetUnused: () => Promise<void>;
  };
  readonly membership: Pick<HubMembership, 'isJoined' | 'isElsewhere' | 'isMissing' | 'noteFile' | 'keep'>;
  /** Joins another hub, once the shop is open, without giving up what this terminal knows of the one before. */
  readonly moveHub: (address: HubAddress, terminalName: string) => void;
  readonly ports: Pick<Ports, 'vault'>;
  readonly shop: Pick<OpenShop, 'deleteCopy'>;
}

/** Before the shop is opened, calls back with what the file has changed. */
export type Provisioning = (
  provision: Provision,
  onProvisioned: (profile: Profile, changes: readonly ProvisionedChange[]) => void,
) => Promise<void>;

function withPlainAddress({ profile, ...rest }: ProvisionedProfile): ProvisionedProfile {
  const address = readPlatformAddress(profile.platformUrl);
  return { ...rest, profile: { ...profile, platformUrl: address.ok ? address.value : profile.platformUrl } };
}

/** A secret that the keychain does not answer is taken for the same, and so is one that the file leaves out. */
async function isOtherSecret(
  { profiles, ports: { vault } }: Pick<ProvisioningParts, 'profiles' | 'ports'>,
  before: StoredProfile | null,
  vaultName: string,
  secret: string | undefined,
): Promise<boolean> {
  if (secret === undefined) {
    return false;
  }
  if (before === null || !profiles.hasSecretInVault(vaultName)) {
    return before === null;
  }
  const kept = await vaultUnder(vault, vaultName).read(clientSecretName);
  return kept.ok && kept.value !== null && kept.value !== secret;
}

/** Makes what keeps the profiles of a provisioning file and opens the shop of one. */
export function createProvisioning({
  profiles,
  settings,
  clientSecret,
  profileSignIns: { resume, forgetUnused },
  membership,
  moveHub,
  ports,
  shop,
}: ProvisioningParts): Provisioning {
  /** The fields of this profile that differ from the kept one; `open` is the one in whose place it is opened. */
  async function differing(
    wanted: StoredProfile,
    secret: string | undefined,
    before: StoredProfile | null,
    open: StoredProfile | null,
  ): Promise<readonly ProvisionedChange[]> {
    const isThere = before !== null && open?.id === before.id;
    const { platformUrl, clientId, companyId, stockIds, name } = wanted;
    const fields: readonly (readonly [change: ProvisionedChange, isOther: boolean])[] = [
      [{ field: 'platformUrl', values: { from: open?.platformUrl ?? null, to: platformUrl } }, !isThere],
      [{ field: 'clientId', values: { from: before?.clientId ?? null, to: clientId } }, before?.clientId !== clientId],
      [{ field: 'clientSecret' }, await isOtherSecret({ profiles, ports }, before, wanted.vaultName, secret)],
      [{ field: 'companyId', values: { from: open?.companyId ?? null, to: companyId } }, !isThere],
      [
        { field: 'stockIds', values: { from: before?.stockIds ?? null, to: stockIds } },
        JSON.stringify(before?.stockIds) !== JSON.stringify(stockIds),
      ],
      [{ field: 'name', values: { from: before?.name ?? null, to: name } }, name !== (before?.name ?? null)],
    ];
    return fields.flatMap(([change, isOther]) => (isOther ? [change] : []));
  }

  /** The one that makes way when there are as many as can be: not one of these. */
  const makingWay = (asked: ReadonlySet<number>): StoredProfile | null =>
    [profiles.current(), ...profiles.all()].find((one) => one !== null && !asked.has(one.id)) ?? null;

  /** Keeps one of them as the one that it was before; `asked` has the numbers of all of the file, and gets its own. */
  async function keepProfile(
    { profile, clientSecret: secret }: ProvisionedProfile,
    before: StoredProfile | null,
    asked: Set<number>,
    opensOver: StoredProfile | null | undefined,
  ): Promise<readonly ProvisionedChange[]> {
    const replaced = before ?? (profiles.draft(profile, null) === null ? makingWay(asked) : null);
    const draft = profiles.draft(profile, replaced?.id ?? null);
    if (draft === null) {
      return [];
    }
    const changes = await differing(draft, secret, before, opensOver === undefined ? before : opensOver);
    const kept = profiles.keep(draft, replaced?.id ?? null);
    asked.add(draft.id);
    if (secret !== undefined) {
      await clientSecret.keep(draft.vaultName, secret);
    }
    if (replaced === null || replaced.id === draft.id) {
      return changes;
    }
    // One that the next start finds again keeps its copy.
    if (kept.ok) {
      shop.deleteCopy(replaced.id);
    }
    const { platformUrl, companyId } = replaced;
    return [...changes, { field: 'profile', values: { from: `${platformUrl} ${companyId}`, to: null } }];
  }

  /** Keeps what the file says of this terminal's settings. */
  function keepSettings({ language, settings: chosen }: Provision): readonly ProvisionedChange[] {
    const before = settings.get();
    const wanted: SettingsChange = { ...chosen, ...(language === undefined ? {} : { language }) };
    // Without a PIN the check station stays off (T3), at each start by the same file.
    const station =
      chosen?.station && before.lock.pinHash === null ? { ...chosen.station, isOn: false } : chosen?.station;
    const changes = (Object.keys(wanted) as (keyof SettingsChange)[]).flatMap((name): ProvisionedChange[] => {
      const [from, to] = [before[name], name === 'station' ? station : wanted[name]];
      const field = name === 'language' ? name : `settings.${name}`;
      return JSON.stringify(from) === JSON.stringify(to) ? [] : [{ field, values: { from, to } }];
    });
    settings.change({ mode: 'platform', ...wanted });
    return changes;
  }

  /** Without asking the hub, which may be down just now. One that is to be moved to is joined later. */
  async function joinHub({ address, name }: NonNullable<Provision['hub']>): Promise<readonly ProvisionedChange[]> {
    if (await membership.isElsewhere(address)) {
      return [{ field: 'hub' }];
    }
    const isOther = !(await membership.isJoined(address, name));
    // What is kept may hold a sign-in of this terminal's own.
    if (isOther || (await membership.isMissing(address))) {
      await membership.keep(address, name, 'file');
    }
    membership.noteFile(address);
    return isOther ? [{ field: 'hub' }] : [];
  }

  return async (provision, onProvisioned) => {
    const all = [provision, ...(provision.otherProfiles ?? [])].map(withPlainAddress);
    const [first, ...others] = all as [ProvisionedProfile, ...ProvisionedProfile[]];
    const [before = null, ...beforeOthers] = profiles.matching(all.map(({ profile }) => profile));
    const asked = new Set([before, ...beforeOthers].flatMap((one) => one?.id ?? []));
    const open = settings.get().mode === 'platform' ? profiles.current() : null;
    const isOneOpen = open !== null && beforeOthers.some((one) => one?.id === open.id);
    const changes = [...(await keepProfile(first, before, asked, isOneOpen ? undefined : open))];
    for (const [place, other] of others.entries()) {
      const ofOther = await keepProfile(other, beforeOthers[place] ?? null, asked, undefined);
      changes.push(...ofOther.map((change) => ({ ...change, field: `otherProfiles.${place}.${change.field}` })));
    }
    const shown = isOneOpen ? profiles.find(open.id) : profiles.matching([first.profile])[0];
    if (shown === null || shown === undefined) {
      return;
    }
    profiles.makeCurrent(shown.id);
    changes.push(...keepSettings(provision));
    await forgetUnused();
    changes.push(...(provision.hub === undefined ? [] : await joinHub(provision.hub)));
    const { hub } = provision;
    const moves = hub !== undefined && (await membership.isElsewhere(hub.address)) ? hub : null;
    onProvisioned(shown, changes);
    await resume(shown);
    if (moves !== null) moveHub(moves.address, moves.name);
  };
}
