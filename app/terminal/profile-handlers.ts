import type { Language } from '../contract/basics.ts';
import type { ConnectionReport } from '../contract/connection.ts';
import type { InvokeOutput } from '../contract/contract.ts';
import type { KeptProfile, Profile } from '../contract/profiles.ts';
import type { Handlers } from '../contract/bridge.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, mapResult, succeed, type Result } from '../domain/result.ts';
import { readPlatformAddress } from '../platform/address.ts';
import { tryConnection } from './connection-trial.ts';
import { reportOf } from '../platform/connection-test.ts';
import type { ProvisionedLock } from './manager-lock.ts';
import type { Vault } from '../ports.ts';
import type { Profiles, StoredProfile } from '../settings/profiles.ts';
import { clientSecretName, type ClientSecret } from '../session/client-secret.ts';
import type { SignInMemory } from '../session/memory.ts';
import { refreshTokenName } from '../session/session.ts';
import { vaultUnder } from '../session/vaults.ts';
import type { SettingsStore } from '../settings/settings.ts';
import type { OpenStore } from './active-store.ts';
import type { StateEvents } from './state-events.ts';
import type { StoreChanges } from './store-changes.ts';
import type { Workspace } from './workspace.ts';

/** Unattended set-up: what a person would type on the connection form. */
export interface Provision {
  readonly profile: Profile;
  readonly clientSecret: string;
  readonly language?: Language;
  /** Sets the manager's PIN, and what it locks. */
  readonly managerLock?: ProvisionedLock;
}

export interface ProfileParts {
  readonly profiles: Profiles;
  readonly settings: SettingsStore;
  readonly clientSecret: ClientSecret;
  readonly signIns: SignInMemory;
  readonly vault: Vault;
  readonly store: OpenStore;
  readonly changes: StoreChanges;
  readonly stateEvents: StateEvents;
}

export interface ProfileHandlers {
  readonly handlers: Pick<
    Handlers,
    'profile:connect' | 'profile:switch' | 'profile:rename' | 'profile:remove' | 'profile:leave'
  >;
  /** Before the store is opened, calls back with the fields of the file that have changed something. */
  readonly provision: (
    provision: Provision,
    onProvisioned: (profile: Profile, fields: readonly string[]) => void,
  ) => Promise<void>;
  /** Opens the present profile's store with the sign-in that the keychain holds. */
  resume(profile: StoredProfile): Promise<void>;
  /** Closes the store; the next start begins at the ways in. */
  readonly leave: () => Promise<void>;
}

const nothing = succeed({});

/**
 * What crosses the bridge; `open` tells how many updates wait for those that are not open, null while no real store is
 * open.
 */
export function keptProfilesOf(profiles: Profiles, signIns: SignInMemory, open: Workspace | null): KeptProfile[] {
  return profiles
    .all()
    .map(({ id, name, platformUrl, clientId, companyId, stockIds, vaultName }) => ({
      profileId: id,
      name,
      platformUrl,
      clientId,
      companyId,
      stockIds: [...stockIds],
      email: profiles.sessionOf(vaultName)?.email ?? signIns.emailOf(vaultName),
      waiting: open === null || profiles.current()?.id === id ? null : open.waitingPlaces.count(platformUrl, companyId),
    }));
}

/** Makes the handlers over the profiles and the terminal's own means to open and close. */
export function createProfileHandlers({
  profiles,
  settings,
  clientSecret,
  signIns,
  vault,
  store,
  changes,
  stateEvents,
}: ProfileParts): ProfileHandlers {
  const { changed, quietly } = stateEvents;

  /** Whether this profile's store is the open one. */
  function isOpen(profileId: number): boolean {
    return store.workspace() !== null && store.practice() === null && profiles.current()?.id === profileId;
  }

  async function forgetUnusedEntries(): Promise<void> {
    for (const vaultName of profiles.takeUnused()) {
      signIns.slot(vaultName).write(null);
      await clientSecret.remove(vaultName);
      await vaultUnder(vault, vaultName).remove(refreshTokenName);
    }
  }

  /** Finds the sign-in that the keychain holds, or else this run's memory. False when there is none. */
  async function restore({ session }: Pick<Workspace, 'session'>, vaultName: string): Promise<boolean> {
    const mark = profiles.sessionOf(vaultName);
    if (mark === null) {
      return session.resume();
    }
    await session.restore(mark);
    return true;
  }

  async function connect({
    clientSecret: secret,
    name,
    profileId,
    ...wanted
  }: Parameters<Handlers['profile:connect']>[0]): Promise<Result<ConnectionReport, Failure>> {
    const address = readPlatformAddress(wanted.platformUrl);
    if (!address.ok) {
      return succeed(reportOf(address.failure, 'address', null, 'address'));
    }
    const replacedId = profileId ?? null;
    const draft = profiles.draft({ ...wanted, platformUrl: address.value, name }, replacedId);
    if (draft === null) {
      return fail({ kind: 'profilesFull' });
    }
    const { report, refusal, keepsSignIn } = await store.tryOut(draft, (trial) =>
      tryConnection(trial, async () => {
        await clientSecret.offer(draft.vaultName, secret);
        return trial.isSessionOpen ? trial.session.user() !== null : restore(trial, draft.vaultName);
      }),
    );
    // One that is set up anew may be open to somebody else, who signs in there; one that is changed stays as it was.
    const refused =
      report.passed && profiles.find(draft.id) === null ? null : (refusal ?? (report.passed ? null : report));
    if (refused !== null) {
      await forgetUnusedEntries();
      changed();
      return succeed(refused);
    }
    return quietly(async () => {
      const workspace = await store.openPlatform(draft);
      if (keepsSignIn) {
        await restore(workspace, draft.vaultName);
      }
      const kept = profiles.keep(draft, replacedId);
      settings.change({ mode: 'platform' });
      if (replacedId !== null && replacedId !== draft.id) {
        store.deleteCopy(replacedId);
      }
      await forgetUnusedEntries();
      changed();
      return mapResult(kept, () => report);
    });
  }

  async function resume(profile: StoredProfile): Promise<void> {
    await clientSecret.load(profile.vaultName);
    const workspace = await store.openPlatform(profile);
    await restore(workspace, profile.vaultName);
  }

  async function leave(): Promise<void> {
    await store.close();
    settings.change({ mode: null });
    changed();
  }

  async function switchTo(profile: StoredProfile): Promise<Result<InvokeOutput<'profile:switch'>, Failure>> {
    if (isOpen(profile.id)) {
      return nothing;
    }
    await store.close();
    profiles.makeCurrent(profile.id);
    const kept = settings.change({ mode: 'platform' });
    await resume(profile);
    return kept.ok ? nothing : kept;
  }

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

  return {
    handlers: {
      'profile:connect': (input) => changes.inTurn(() => changes.holdingPhase(() => connect(input))),
      'profile:switch': ({ profileId }) =>
        changes.inTurn(async () => {
          const profile = profiles.find(profileId);
          return profile === null ? fail({ kind: 'notFoundHere' as const }) : quietly(() => switchTo(profile));
        }),
      'profile:rename': ({ profileId, name }) =>
        changes.inTurn(() => {
          const kept =
            profiles.find(profileId) === null
              ? fail({ kind: 'notFoundHere' as const })
              : profiles.rename(profileId, name);
          changed();
          return Promise.resolve(kept.ok ? nothing : kept);
        }),
      'profile:remove': ({ profileId }) =>
        changes.inTurn(async () => {
          if (profiles.find(profileId) === null) {
            return fail({ kind: 'notFoundHere' as const });
          }
          if (isOpen(profileId)) {
            return fail({ kind: 'inputInvalid' as const });
          }
          const kept = profiles.remove(profileId);
          store.deleteCopy(profileId);
          await forgetUnusedEntries();
          changed();
          return kept.ok ? nothing : kept;
        }),
      'profile:leave': () =>
        changes.inTurn(async () => {
          if ((store.workspace()?.session.user() ?? null) !== null) {
            return fail({ kind: 'inputInvalid' as const });
          }
          await store.workspace()?.session.signOut();
          clientSecret.forget(profiles.current()?.vaultName ?? '');
          await leave();
          return nothing;
        }),
    },
    provision: async ({ profile, clientSecret: secret, language }, onProvisioned) => {
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
      await forgetUnusedEntries();
      onProvisioned(draft, changedFields);
      await resume(draft);
    },
    resume,
    leave,
  };
}
