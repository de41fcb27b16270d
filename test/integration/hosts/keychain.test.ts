// The proof that a sign-in outlives the process where there is a keychain, and that the keychain alone holds it: the
// real host as a process, a real gnome-keyring, the training platform over real HTTP.
import { readFileSync, readdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Channel, InvokeInput, InvokeOutput } from '../../../app/contract/contract.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import { succeed } from '../../../app/domain/result.ts';
import type { Result } from '../../../app/domain/result.ts';
import { startTrainingPlatform } from '../../../app/training/server.ts';
import { startBrowserHost } from '../../support/browser-host.ts';
import { findSecretsIn } from '../../support/canary.ts';
import type { Child } from '../../support/child.ts';
import { hasKeyring, startKeyring, type Keyring } from '../../support/keyring.ts';
import { openRelay, tokensOf } from '../../support/relay.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** Each start of the host is a process of its own, which takes seconds on a busy machine. */
const severalStartsMs = 120_000;

interface Till {
  call<Name extends Channel>(channel: Name, input: InvokeInput<Name>): Promise<Result<InvokeOutput<Name>, Failure>>;
  stop: Child['stop'];
}

async function openTill(keyring: Keyring, flags: readonly string[]): Promise<Till> {
  const { url, child } = await startBrowserHost(flags, keyring.environment);
  onTestFinished(() => child.kill());
  const entered = await fetch(url, { redirect: 'manual' });
  const { origin } = new URL(url);
  const cookie = entered.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  return {
    call: async <Name extends Channel>(channel: Name, input: InvokeInput<Name>) => {
      const response = await fetch(`${origin}/invoke/${channel}`, {
        method: 'POST',
        headers: { Cookie: cookie, Origin: origin, 'Content-Type': 'application/json' },
        body: JSON.stringify(input),
      });
      return (await response.json()) as Result<InvokeOutput<Name>, Failure>;
    },
    stop: child.stop,
  };
}

function everyFileOf(directory: string): string {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('\n');
}

/** A keychain, a platform with so many products, an empty data folder and a provisioning file for the two. */
async function openShop(productCount: number) {
  const keyring = await startKeyring();
  const platform = await startTrainingPlatform({ directory: null, productCount });
  onTestFinished(async () => {
    await keyring.stop();
    await platform.close();
  });
  // Before the platform, so that the tokens are known that it gives.
  const relay = await openRelay(platform.platformUrl);
  onTestFinished(() => relay.close());
  const provision = join(temporaryDirectory(), 'shop.json');
  const { clientId, clientSecret, companyId, stockIds } = platform;
  writeFileSync(provision, JSON.stringify({ platformUrl: relay.url, clientId, clientSecret, companyId, stockIds }));
  return { keyring, platform, relay, data: temporaryDirectory(), provision };
}

test.skipIf(!hasKeyring())(
  'a restart finds the sign-in, a locked keychain is no sign-out, and a sign-out leaves nothing',
  { timeout: severalStartsMs },
  async () => {
    const { keyring, platform, relay, data, provision } = await openShop(100);
    const { clientSecret, email, password } = platform;

    const first = await openTill(keyring, ['--data-dir', data, '--provision', provision]);
    expect(await first.call('session:signIn', { email, password })).toMatchObject(succeed({ passed: true }));
    expect(await first.call('terminal:read', {})).toMatchObject({
      value: { phase: 'ready', session: { state: 'signedIn', keptIn: 'keychain' }, isSecretNeeded: false },
    });
    await first.stop('SIGKILL');

    // Without the provisioning file: client secret and refresh token come from the keychain, and a call goes through.
    platform.expireAccessTokens();
    const second = await openTill(keyring, ['--data-dir', data]);
    expect(await second.call('terminal:read', {})).toMatchObject({
      value: { phase: 'ready', session: { state: 'signedIn', email, keptIn: 'keychain' }, isSecretNeeded: false },
    });
    expect(await second.call('coupon:refresh', {})).toMatchObject({ ok: true });
    await second.stop('SIGTERM');

    const files = everyFileOf(data);
    expect(files).toContain(email);
    const tokens = tokensOf(relay);
    expect(Object.keys(tokens).length).toBeGreaterThanOrEqual(4);
    expect(findSecretsIn(data, { ...tokens, password, 'client secret': clientSecret })).toEqual([]);

    // The keychain is gone, as if locked: still signed in, the copy answers, and what needs the platform says why it
    // cannot.
    const elsewhere: Keyring = {
      ...keyring,
      environment: { ...keyring.environment, DBUS_SESSION_BUS_ADDRESS: 'disabled:' },
    };
    const third = await openTill(elsewhere, ['--data-dir', data]);
    expect(await third.call('terminal:read', {})).toMatchObject({
      value: { phase: 'ready', session: { state: 'signedIn', email } },
    });
    expect(await third.call('coupon:refresh', {})).toMatchObject({ ok: false, failure: { kind: 'vaultUnavailable' } });
    await third.stop('SIGTERM');

    const fourth = await openTill(keyring, ['--data-dir', data]);
    expect(await fourth.call('session:signOut', {})).toMatchObject({ ok: true });
    await fourth.stop('SIGTERM');
    const fifth = await openTill(keyring, ['--data-dir', data]);
    expect(await fifth.call('terminal:read', {})).toMatchObject({
      value: { phase: 'signIn', session: { state: 'signedOut', email: null }, isSecretNeeded: false },
    });
  },
);

test.skipIf(!hasKeyring())(
  'a data folder that was moved is told as that, and not as a locked keychain; a sign-in mends it',
  { timeout: severalStartsMs },
  async () => {
    const { keyring, platform, data, provision } = await openShop(20);
    const { clientSecret, email, password } = platform;
    const first = await openTill(keyring, ['--data-dir', data, '--provision', provision]);
    expect(await first.call('session:signIn', { email, password })).toMatchObject({ value: { passed: true } });
    await first.stop('SIGTERM');
    const moved = `${data}-moved`;
    renameSync(data, moved);

    const second = await openTill(keyring, ['--data-dir', moved]);
    expect(await second.call('coupon:refresh', {})).toMatchObject({ ok: false, failure: { kind: 'vaultMoved' } });
    expect(await second.call('support:diagnose', {})).toMatchObject({ value: { keychain: { state: 'moved' } } });
    await second.stop('SIGTERM');

    const third = await openTill(keyring, ['--data-dir', moved]);
    expect(await third.call('session:signIn', { email, password })).toMatchObject({ failure: { kind: 'vaultMoved' } });
    expect(await third.call('terminal:read', {})).toMatchObject({
      value: { isSecretNeeded: true, notices: [expect.objectContaining({ kind: 'vaultMoved' })] },
    });
    expect(await third.call('session:signIn', { email, password, clientSecret })).toMatchObject({
      value: { passed: true },
    });
    expect(await third.call('terminal:read', {})).toMatchObject({
      value: { session: { state: 'signedIn', keptIn: 'keychain' }, isSecretNeeded: false, notices: [] },
    });
  },
);

test.skipIf(!hasKeyring())(
  'a keychain that is locked, before or while Tillside runs, signs nobody out: the mark stays',
  { timeout: severalStartsMs },
  async () => {
    const { keyring, platform, data, provision } = await openShop(20);
    const { email, password } = platform;
    const marks = (): string => readFileSync(join(data, 'settings.json'), 'utf8');

    const first = await openTill(keyring, ['--data-dir', data, '--provision', provision]);
    expect(await first.call('session:signIn', { email, password })).toMatchObject(succeed({ passed: true }));
    // Locked in the middle of the day: what is in memory goes on, and a renewal that cannot be kept is not lost.
    keyring.lock();
    platform.expireAccessTokens();
    expect(await first.call('coupon:refresh', {})).toMatchObject({ ok: true });
    expect(await first.call('terminal:read', {})).toMatchObject({
      value: { phase: 'ready', session: { state: 'signedIn', email } },
    });
    await keyring.unlock();
    platform.expireAccessTokens();
    expect(await first.call('coupon:refresh', {})).toMatchObject({ ok: true });
    // A call of the copy may have renewed first; its token serves while it is still being written.
    await expect
      .poll(() => first.call('terminal:read', {}), { timeout: 20_000 })
      .toMatchObject({ value: { session: { state: 'signedIn', keptIn: 'keychain' } } });
    await first.stop('SIGKILL');

    keyring.lock();
    const second = await openTill(keyring, ['--data-dir', data]);
    expect(await second.call('terminal:read', {})).toMatchObject({
      value: { phase: 'ready', session: { state: 'signedIn', email, keptIn: 'keychain' } },
    });
    expect(await second.call('coupon:refresh', {})).toMatchObject({ ok: false, failure: { kind: 'vaultLocked' } });
    expect(await second.call('terminal:read', {})).toMatchObject({
      value: { session: { state: 'signedIn', email, failure: { kind: 'vaultLocked' } } },
    });
    expect(marks()).toContain(email);
    await keyring.unlock();
    expect(await second.call('coupon:refresh', {})).toMatchObject({ ok: true });
    expect(await second.call('terminal:read', {})).toMatchObject({
      value: { session: { state: 'signedIn', email, keptIn: 'keychain', failure: null } },
    });
    await second.stop('SIGTERM');
  },
);

/** Less than libsecret waits for an answer, and more than a host takes to close. */
const endsWithinMs = 15_000;

test.skipIf(!hasKeyring())(
  'a call that the keychain has not answered does not hold the end up',
  { timeout: severalStartsMs },
  async () => {
    const { keyring, platform, data, provision } = await openShop(20);
    const { email, password } = platform;
    const first = await openTill(keyring, ['--data-dir', data, '--provision', provision]);
    expect(await first.call('session:signIn', { email, password })).toMatchObject(succeed({ passed: true }));
    await first.stop('SIGTERM');

    keyring.signal('SIGSTOP');
    const second = await openTill(keyring, ['--data-dir', data]);
    const sinceMs = performance.now();
    // What a service manager takes for an end in order, as it takes the code 0.
    expect(await second.stop('SIGTERM')).toEqual({ code: null, signal: 'SIGTERM' });
    expect(performance.now() - sinceMs).toBeLessThan(endsWithinMs);
    expect(
      readFileSync(join(data, 'logs', 'tillside.log'), 'utf8')
        .trim()
        .split('\n')
        .at(-1),
    ).toContain('"ended"');
    keyring.signal('SIGCONT');
  },
);
