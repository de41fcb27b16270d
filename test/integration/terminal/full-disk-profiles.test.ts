// Proves over real HTTP and real files what becomes of profiles, sign-ins and secrets that a full disk does not keep.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { maxProfiles } from '../../../app/contract/limits/profiles.ts';
import {
  connect,
  connectionOf,
  openConnected,
  openCopied,
  openMachine,
  openPlatformForTest,
  profileOf,
  signIn,
  stateOf,
} from '../../support/machine.ts';

test('a profile that a full disk keeps has its copy, secrets and sign-in at the next start', async () => {
  const { platform, machine, terminal, handlers } = await openCopied();
  const other = await openPlatformForTest();
  const secrets = [...machine.secrets];
  machine.isSettingsDiskFull = true;
  expect(await handlers['profile:remove']({ profileId: 1 })).toEqual(fail({ kind: 'storageFull' }));
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', profileId: 1, profiles: [{ profileId: 1 }] });
  const changed = await handlers['profile:connect']({ ...connectionOf(other), profileId: 1 });
  expect(changed).toEqual(fail({ kind: 'storageFull' }));
  await terminal.close();

  expect([...machine.secrets]).toEqual(expect.arrayContaining(secrets));
  machine.isSettingsDiskFull = false;
  const again = await machine.start();
  await expect
    .poll(() => stateOf(again))
    .toMatchObject({
      phase: 'ready',
      profile: { platformUrl: platform.platformUrl },
      session: { email: platform.email },
      notices: [],
    });
});

test('whoever has signed out on a full disk is not at the screen at the next start', async () => {
  const { machine, terminal, handlers } = await openCopied();
  machine.isSettingsDiskFull = true;
  await handlers['session:signOut']({});
  await terminal.close();
  machine.isSettingsDiskFull = false;
  const again = await machine.start();
  await expect.poll(() => stateOf(again)).toMatchObject({ phase: 'signIn', session: { state: 'signedOut' } });
  expect(machine.settings()['signIns']).toMatchObject([{ session: null }]);
});

test('a profile that a full disk does not rename has its old name', async () => {
  const { platform, machine, terminal, handlers } = await openConnected();
  await signIn(terminal, platform);
  const [before] = (await stateOf(terminal)).profiles;
  machine.isSettingsDiskFull = true;
  const renamed = await handlers['profile:rename']({ profileId: 1, name: 'Depot' });
  expect(renamed).toEqual(fail({ kind: 'storageFull' }));
  expect((await stateOf(terminal)).profiles).toEqual([before]);
});

test('a set-up that a full disk does not keep leaves no secret in the keychain', async () => {
  const { machine, handlers } = await openConnected();
  const secrets = [...machine.secrets];
  const other = await openPlatformForTest();
  machine.isSettingsDiskFull = true;
  expect(await handlers['profile:connect'](connectionOf(other))).toEqual(fail({ kind: 'storageFull' }));
  expect([...machine.secrets]).toEqual(secrets);
});

test('a file that a full disk does not keep leaves the copy of the profile that would make way', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const of = (companyId: number) => ({
    profile: { ...profileOf(platform), companyId: String(companyId) as Id },
    clientSecret: platform.clientSecret,
  });
  const otherProfiles = Array.from({ length: maxProfiles - 1 }, (_, place) => of(101 + place));
  await (await machine.start({ ...of(100), otherProfiles })).close();
  expect(machine.has('catalogue.db')).toBe(true);
  machine.isSettingsDiskFull = true;
  await (await machine.start(of(200))).close();
  expect(machine.has('catalogue.db')).toBe(true);
});

/** A till with a PIN, whose connection was changed on a full disk: the settings keep the one before. */
async function openChanged() {
  const opened = await openCopied();
  const { machine, handlers } = opened;
  expect(await handlers['cashier:setPin']({ pin: '1357' })).toEqual(succeed({}));
  const other = await openPlatformForTest();
  machine.isSettingsDiskFull = true;
  const changed = await handlers['profile:connect']({ ...connectionOf(other), profileId: 1 });
  expect(changed).toEqual(fail({ kind: 'storageFull' }));
  machine.isSettingsDiskFull = false;
  // Whatever is written next keeps what was only remembered.
  expect(await handlers['settings:update']({ theme: 'dark' })).toEqual(succeed({}));
  return opened;
}

test.each([false, true])(
  'a PIN behind a connection that a full disk did not let go keeps nobody from it; restarted: %s',
  async (isRestarted) => {
    const { platform, machine, terminal } = await openChanged();
    if (isRestarted) {
      await terminal.close();
    }
    const { handlers: present } = isRestarted ? await machine.start() : terminal;
    if (isRestarted) {
      await expect.poll(() => machine.settings()['cashiers']).toEqual([]);
    }
    expect(await present['profile:connect'](connectionOf(platform))).toMatchObject({
      ok: true,
      value: { passed: true },
    });
    // And the PIN, with the sign-in behind it, is gone: nobody comes in by it.
    expect(machine.settings()['cashiers']).toEqual([]);
    expect(await present['coupon:list']({ filter: 'all', offset: 0, limit: 1 })).toMatchObject({ ok: false });
  },
);

test('a profile whose copy cannot be deleted is removed with its secrets, and nothing else fails', async () => {
  const { machine, terminal, handlers } = await openConnected();
  const other = await openPlatformForTest();
  await connect(terminal, other);
  await signIn(terminal, other);
  mkdirSync(join(machine.store, 'catalogue.db-journal'));
  expect(await handlers['profile:remove']({ profileId: 1 })).toEqual(succeed({}));
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', profileId: 2, profiles: [{ profileId: 2 }] });
  expect([...machine.secrets.keys()].every((name) => name.endsWith(other.platformUrl))).toBe(true);
});

test('a slow keychain that forgets a sign-in takes nothing from who sets it up anew meanwhile', async () => {
  const { platform, machine, terminal, handlers } = await openChanged();
  const { promise, resolve } = Promise.withResolvers<void>();
  machine.keychainHeld = promise;
  const first = handlers['profile:connect'](connectionOf(platform));
  machine.keychainHeld = null;
  const second = handlers['profile:connect'](connectionOf(platform)).then(() => signIn(terminal, platform));
  // Whoever waits for the first one's turn does not wait for ever.
  const timer = setTimeout(resolve, 1_000);
  void second.finally(resolve);
  await Promise.all([first, second]);
  clearTimeout(timer);
  expect(machine.settings()).toMatchObject({
    signIns: [{ session: { email: platform.email }, isSecretInVault: true }],
  });
  expect([...machine.secrets.keys()]).toHaveLength(2);
});
