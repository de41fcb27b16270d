import { expect, test } from 'vitest';
import { createKeytarVault, vaultDeadlineMs, type Keychain } from '../../../app/session/keytar-vault.ts';
import type { Clock } from '../../../app/ports.ts';

/** A clock whose timers fire when the test says so. */
function createHandClock(): Clock & { fire(): void } {
  const timers = new Set<() => void>();
  return {
    now: () => 0,
    uptimeMs: () => 0,
    after: (delayMs, callback) => {
      expect(delayMs).toBe(vaultDeadlineMs);
      timers.add(callback);
      return { cancel: () => timers.delete(callback) };
    },
    fire: () => {
      for (const timer of timers) {
        timers.delete(timer);
        timer();
      }
    },
  };
}

function createMemoryKeychain(): Keychain & { readonly entries: Map<string, string> } {
  const entries = new Map<string, string>();
  return {
    entries,
    getPassword: (service, account) => Promise.resolve(entries.get(`${service}|${account}`) ?? null),
    setPassword: (service, account, password) => {
      entries.set(`${service}|${account}`, password);
      return Promise.resolve();
    },
    deletePassword: (service, account) => Promise.resolve(entries.delete(`${service}|${account}`)),
  };
}

test('keeps, gives and removes entries, apart for every data directory', async () => {
  const keychain = createMemoryKeychain();
  const open = (dataDirectory: string) =>
    createKeytarVault({ clock: createHandClock(), dataDirectory, load: () => Promise.resolve(keychain) });
  const [till, other] = [open('/data/till'), open('/data/other')];
  expect(await till.read('refresh-token')).toEqual({ ok: true, value: null });
  expect(await till.write('refresh-token', 'made-up')).toMatchObject({ ok: true });
  expect(await till.read('refresh-token')).toEqual({ ok: true, value: 'made-up' });
  expect(await other.read('refresh-token')).toEqual({ ok: true, value: null });
  expect(await till.remove('refresh-token')).toMatchObject({ ok: true });
  expect(await till.remove('refresh-token')).toMatchObject({ ok: true });
  expect(keychain.entries.size).toBe(0);
});

test('a missing library and a service that refuses are vaultUnavailable, not a throw', async () => {
  const missing = createKeytarVault({
    clock: createHandClock(),
    dataDirectory: '/data',
    load: () => Promise.reject(new Error('no native library')),
  });
  expect(await missing.read('refresh-token')).toEqual({
    ok: false,
    failure: { kind: 'vaultUnavailable', message: 'no native library' },
  });
  const refusing = createKeytarVault({
    clock: createHandClock(),
    dataDirectory: '/data',
    load: () =>
      Promise.resolve({ ...createMemoryKeychain(), setPassword: () => Promise.reject(new Error('no D-Bus')) }),
  });
  expect(await refusing.write('refresh-token', 'made-up')).toMatchObject({
    ok: false,
    failure: { kind: 'vaultUnavailable' },
  });
  expect(await refusing.read('refresh-token')).toEqual({ ok: true, value: null });
});

test('a keychain that never answers is given up after the deadline, and what waited behind it never happens late', async () => {
  const keychain = createMemoryKeychain();
  const hung = Promise.withResolvers<string | null>();
  let calls = 0;
  const clock = createHandClock();
  const vault = createKeytarVault({
    clock,
    dataDirectory: '/data',
    load: () =>
      Promise.resolve({
        ...keychain,
        getPassword: () => {
          calls += 1;
          return hung.promise;
        },
      }),
  });
  const reading = vault.read('refresh-token');
  const writing = vault.write('refresh-token', 'old');
  await expect.poll(() => calls).toBe(1);
  clock.fire();
  expect(await reading).toMatchObject({ ok: false, failure: { kind: 'vaultUnavailable' } });
  expect(await writing).toMatchObject({ ok: false, failure: { kind: 'vaultUnavailable' } });
  hung.resolve(null);
  expect(await vault.write('other', 'new')).toMatchObject({ ok: true });
  expect([...keychain.entries.values()]).toEqual(['new']);
});
