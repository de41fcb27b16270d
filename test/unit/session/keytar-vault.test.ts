import { describe, expect, test } from 'vitest';
import { fail } from '../../../app/domain/result.ts';
import { createKeytarVault, quietMs, vaultDeadlineMs, type Keychain } from '../../../app/session/keytar-vault.ts';
import type { Clock, Vault } from '../../../app/ports.ts';

/** A clock whose timers fire when the test says so. */
function createHandClock(): Clock & { fire(): void; pass(ms: number): void } {
  const timers = new Set<() => void>();
  let uptimeMs = 0;
  return {
    now: () => 0,
    uptimeMs: () => uptimeMs,
    pass: (ms) => {
      uptimeMs += ms;
    },
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

test('what lies there for a place before a move is neither used nor told as missing', async () => {
  const keychain = createMemoryKeychain();
  const open = (dataDirectory: string, ...formerDirectories: readonly string[]) =>
    createKeytarVault({
      clock: createHandClock(),
      dataDirectory,
      formerDirectories,
      load: () => Promise.resolve(keychain),
    });
  await open('/data/till').write('refresh-token', 'made-up');
  const moved = open('/data/moved', '/data/wrong', '/data/till');
  expect(await moved.read('refresh-token')).toEqual({ ok: false, failure: { kind: 'vaultMoved' } });
  expect(await moved.read('client-secret')).toEqual({ ok: true, value: null });
  await moved.write('refresh-token', 'newer');
  expect(await moved.read('refresh-token')).toEqual({ ok: true, value: 'newer' });
});

test('a keychain that is too slow for all the places of before has nothing here all the same', async () => {
  const clock = createHandClock();
  const keychain = createMemoryKeychain();
  const { getPassword } = keychain;
  let slowCalls = 0;
  const answer = Promise.withResolvers<null>();
  const slow = (service: string, account: string): Promise<string | null> => {
    if (!service.includes('former')) {
      return getPassword(service, account);
    }
    slowCalls += 1;
    return answer.promise;
  };
  const vault = createKeytarVault({
    clock,
    dataDirectory: '/data/till',
    formerDirectories: ['/data/former-1', '/data/former-2'],
    load: () => Promise.resolve({ ...keychain, getPassword: slow }),
  });
  const read = vault.read('refresh-token');
  await new Promise(setImmediate);
  clock.fire();
  expect(await read).toEqual({ ok: true, value: null });
  // Each holds one of the four threads that files and addresses need, too; and what comes next waits for them.
  answer.resolve(null);
  expect(await vault.write('refresh-token', 'made-up')).toMatchObject({ ok: true });
  expect(slowCalls).toBe(1);
});

test('a missing library and a service that refuses are vaultUnavailable, not a throw', async () => {
  const missing = createKeytarVault({
    clock: createHandClock(),
    dataDirectory: '/data',
    load: () => Promise.reject(new Error('no native library')),
  });
  expect(await missing.read('refresh-token')).toEqual(fail({ kind: 'vaultUnavailable', message: 'no native library' }));
  const refusing = createKeytarVault({
    clock: createHandClock(),
    dataDirectory: '/data',
    load: () =>
      Promise.resolve({ ...createMemoryKeychain(), setPassword: () => Promise.reject(new Error('no D-Bus')) }),
  });
  expect(await refusing.write('refresh-token', 'made-up')).toMatchObject(fail({ kind: 'vaultUnavailable' }));
  expect(await refusing.read('refresh-token')).toEqual({ ok: true, value: null });
});

test('a silent keychain is given up after the deadline, and what waited behind it never happens late', async () => {
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
  expect(vaultDeadlineMs).toBe(3000);
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

describe('a locked keychain whose password the system asks a person for, at each reading', () => {
  /** `givesPassword`: what the person does, after two seconds. */
  function createAsking() {
    const clock = createHandClock();
    const keychain = createMemoryKeychain();
    const person = { givesPassword: false, asked: 0 };
    let isUnlocked = false;
    const isOpen = (): boolean => {
      if (!isUnlocked) {
        person.asked += 1;
        clock.pass(2000);
        isUnlocked = person.givesPassword;
      }
      return isUnlocked;
    };
    const locked: Keychain = {
      getPassword: async (service, account) => (isOpen() ? keychain.getPassword(service, account) : null),
      setPassword: async (service, account, password) => {
        if (!isOpen()) {
          throw new Error('Cannot create an item in a locked collection');
        }
        await keychain.setPassword(service, account, password);
      },
      // Nobody is asked.
      deletePassword: (service, account) =>
        isUnlocked ? keychain.deletePassword(service, account) : Promise.resolve(false),
    };
    const open = (from: Keychain): Vault =>
      createKeytarVault({ clock, dataDirectory: '/data', load: () => Promise.resolve(from) });
    return { clock, keychain, person, open, locked };
  }

  test('nobody who gave none twice is asked again for five minutes by what is read', async () => {
    const { clock, keychain, person, open, locked } = createAsking();
    await open(keychain).write('refresh-token', 'made-up');
    const vault = open(locked);
    for (let reading = 0; reading < 10; reading += 1) {
      expect(await vault.read('refresh-token')).toEqual({ ok: true, value: null });
      expect(await vault.read('client-secret')).toEqual({ ok: true, value: null });
      clock.pass(quietMs / 20);
    }
    expect(person.asked).toBe(2);
    clock.pass(quietMs);
    person.givesPassword = true;
    expect(await vault.read('refresh-token')).toEqual({ ok: true, value: 'made-up' });
    expect(person.asked).toBe(3);
  });

  test('an open one that is slow once, and has no such entry, is asked for the next', async () => {
    const { clock, keychain, open } = createAsking();
    const slow: Keychain = {
      ...keychain,
      getPassword: (service, account) => {
        clock.pass(account === 'client-secret' ? 2000 : 0);
        return keychain.getPassword(service, account);
      },
    };
    await open(keychain).write('refresh-token', 'made-up');
    const vault = open(slow);
    for (let reading = 0; reading < 3; reading += 1) {
      expect(await vault.read('client-secret')).toEqual({ ok: true, value: null });
      expect(await vault.read('refresh-token')).toEqual({ ok: true, value: 'made-up' });
    }
  });

  test('whoever waits for their sign-in is asked whatever was said before', async () => {
    const { keychain, person, open, locked } = createAsking();
    await open(keychain).write('refresh-token', 'made-up');
    const vault = open(locked);
    for (const asked of [1, 2, 2]) {
      expect(await vault.read('refresh-token')).toEqual({ ok: true, value: null });
      expect(person.asked).toBe(asked);
    }
    person.givesPassword = true;
    vault.askAnew?.();
    expect(await vault.read('refresh-token')).toEqual({ ok: true, value: 'made-up' });
  });

  test('a write asks whatever was said before, and what is then read is given at once', async () => {
    const { person, open, locked } = createAsking();
    const vault = open(locked);
    await vault.read('refresh-token');
    expect(await vault.write('refresh-token', 'made-up')).toMatchObject({ ok: false });
    person.givesPassword = true;
    expect(await vault.write('refresh-token', 'made-up')).toMatchObject({ ok: true });
    expect(await vault.read('refresh-token')).toEqual({ ok: true, value: 'made-up' });
  });

  test('nobody who gave none twice is asked by removals, which fail, and remove again once it is unlocked', async () => {
    const { clock, keychain, person, open, locked } = createAsking();
    await open(keychain).write('refresh-token 1', 'made-up');
    const vault = open(locked);
    for (let removal = 1; removal <= 5; removal += 1) {
      expect(await vault.remove(`refresh-token ${removal}`)).toMatchObject({ failure: { kind: 'vaultUnavailable' } });
    }
    expect(person.asked).toBe(2);
    expect(await vault.read('client-secret')).toEqual({ ok: true, value: null });
    expect(person.asked).toBe(2);
    clock.pass(quietMs);
    person.givesPassword = true;
    expect(await vault.remove('refresh-token 2')).toMatchObject({ ok: true });
    expect(person.asked).toBe(3);
    expect(await vault.read('refresh-token 1')).toEqual({ ok: true, value: 'made-up' });
  });

  test('what could not be removed is not told as removed', async () => {
    const { keychain, open, locked } = createAsking();
    await open(keychain).write('refresh-token', 'made-up');
    expect(await open(locked).remove('refresh-token')).toMatchObject({ failure: { kind: 'vaultUnavailable' } });
    expect(keychain.entries.size).toBe(1);
  });
});

describe('a keychain that keeps 2,560 bytes an entry, as Windows does', () => {
  class Crash extends Error {}

  /** `callsLeft`: after so many changes the process is gone. */
  function createSmallKeychain() {
    const keychain = createMemoryKeychain();
    const power = { callsLeft: Infinity };
    const change = <Value>(action: () => Promise<Value>): Promise<Value> => {
      power.callsLeft -= 1;
      return power.callsLeft < 0 ? Promise.reject(new Crash()) : action();
    };
    const small: Keychain = {
      getPassword: keychain.getPassword,
      setPassword: (service, account, password) =>
        Buffer.byteLength(password) > 2560
          ? Promise.reject(new Error('Stub received bad data.'))
          : change(() => keychain.setPassword(service, account, password)),
      deletePassword: (service, account) => change(() => keychain.deletePassword(service, account)),
    };
    const open = (): Vault =>
      createKeytarVault({ clock: createHandClock(), dataDirectory: '/data', load: () => Promise.resolve(small) });
    return { entries: keychain.entries, power, open };
  }

  const short = 'a short one';
  const long = `${'ção'.repeat(3000)}1`;
  const longer = `${'日本'.repeat(4000)}2`;

  test.each([
    ['short', short, long],
    ['short again', long, short],
    ['longer', long, longer],
    ['shorter', longer, long],
  ])('keeps the older secret or the newer one wherever it crashes: %s', async (_, before, after) => {
    const seen = new Set<string>();
    for (let calls = 0; ; calls += 1) {
      const { entries, power, open } = createSmallKeychain();
      expect(await open().write('refresh-token', before)).toMatchObject({ ok: true });
      power.callsLeft = calls;
      const written = await open().write('refresh-token', after);
      power.callsLeft = Infinity;
      const read = await open().read('refresh-token');
      expect([before, after]).toContain(read.ok && read.value);
      seen.add(String(read.ok && read.value));
      // A later write and a sign-out leave nothing behind, whatever the crash left.
      expect(await open().write('refresh-token', longer)).toMatchObject({ ok: true });
      expect(await open().read('refresh-token')).toEqual({ ok: true, value: longer });
      expect(await open().remove('refresh-token')).toMatchObject({ ok: true });
      expect([...entries.keys()]).toEqual([]);
      if (written.ok) {
        break;
      }
    }
    expect(seen).toEqual(new Set([before, after]));
  });

  test('an entry that lost a part is no secret, and the next write mends it', async () => {
    const { entries, open } = createSmallKeychain();
    await open().write('refresh-token', long);
    entries.delete([...entries.keys()].at(-2) ?? '');
    expect(await open().read('refresh-token')).toEqual({ ok: true, value: '' });
    await open().write('refresh-token', short);
    expect(await open().read('refresh-token')).toEqual({ ok: true, value: short });
  });
});
