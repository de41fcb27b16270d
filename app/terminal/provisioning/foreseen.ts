import { succeed } from '../../domain/result.ts';
import { createLock, type LockParts } from '../../lock/lock.ts';
import type { Ports, Vault } from '../../ports.ts';
import { createProfiles } from '../../settings/profiles.ts';
import { openSettings } from '../../settings/settings.ts';
import { createHubMembership } from '../../hub/membership.ts';
import { createProvisioning, type Provision, type ProvisionedChange } from './provisioning.ts';

/**
 * The changes that this file would make at a terminal with this settings document and this keychain: it is carried out
 * on copies of both, and the terminal may be running meanwhile.
 */
export async function foreseeProvisioning(
  ports: Pick<Ports, 'clock' | 'random' | 'vault'>,
  document: unknown,
  provision: Provision,
): Promise<readonly ProvisionedChange[]> {
  const settings = openSettings({ read: () => document, write: () => succeed(undefined) });
  const profiles = createProfiles(settings);
  const vault: Vault = {
    read: (name) => ports.vault.read(name),
    write: () => Promise.resolve(succeed(undefined)),
    remove: () => Promise.resolve(succeed(undefined)),
  };
  const nothing = (): Promise<void> => Promise.resolve();
  const provisioning = createProvisioning({
    profiles,
    settings,
    ports: { vault },
    clientSecret: { keep: nothing },
    profileSignIns: { resume: nothing, forgetUnused: nothing },
    membership: createHubMembership({ ports: { ...ports, vault }, version: '', settings, openHub: undefined }),
    moveHub: () => undefined,
    shop: { deleteCopy: () => undefined },
  });
  const before = settings.get().lock;
  const save: LockParts['save'] = (change) => settings.change({ lock: { ...settings.get().lock, ...change } });
  const lock = createLock({
    clock: ports.clock,
    random: ports.random,
    stored: () => settings.get().lock,
    save,
    saveForGood: save,
    place: () => '',
    onChange: () => undefined,
  });
  await lock.provision(provision.managerLock ?? {});
  lock.close();
  const foreseen: ProvisionedChange[] = [];
  await provisioning(provision, (_profile, changes) => foreseen.push(...changes));
  const after = settings.get().lock;
  return [
    ...foreseen,
    ...(before.pinHash === after.pinHash ? [] : [{ field: 'managerLock.pin' }]),
    ...(['kinds', 'opensForMinutes'] as const).flatMap((name): ProvisionedChange[] =>
      JSON.stringify(before[name]) === JSON.stringify(after[name])
        ? []
        : [{ field: `managerLock.${name}`, values: { from: before[name], to: after[name] } }],
    ),
  ];
}
