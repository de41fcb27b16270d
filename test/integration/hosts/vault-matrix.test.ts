// The table of what can be the matter with a real keychain, and the proof that in every case the app's process lives
// on, answers in time, lets files be read meanwhile, and puts no secret anywhere else.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { vaultDeadlineMs } from '../../../app/session/keytar-vault.ts';
import { findSecretsIn } from '../../support/canary.ts';
import { nodeEnvironment } from '../../support/child.ts';
import { hasKeyring, startKeyring, type Keyring } from '../../support/keyring.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const secret = 'canary-refresh-token-7f1e';

interface Answered {
  readonly answers: readonly {
    readonly result: {
      readonly ok: boolean;
      readonly value?: unknown;
      readonly failure?: { readonly kind: string; readonly message?: string };
    };
    readonly isLate: boolean;
  }[];
  readonly fileReads: number;
  readonly medianFileMs: number;
}

type Call = readonly string[];

async function openCaller({ environment }: Pick<Keyring, 'environment'>) {
  const directory = temporaryDirectory();
  const child = spawn(process.execPath, [join(import.meta.dirname, '../../support/vault-caller.ts'), directory], {
    env: { ...nodeEnvironment(), ...environment, NODE_NO_WARNINGS: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  onTestFinished(() => {
    child.kill('SIGKILL');
  });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const died = once(child, 'exit').then(([code, signal]) => ({
    value: JSON.stringify({ died: [code, signal] as unknown }),
  }));
  expect(await lines.next()).toMatchObject({ value: 'ready' });
  return {
    directory,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    call: async (calls: readonly Call[]): Promise<Answered> => {
      child.stdin.write(`${JSON.stringify(calls)}\n`);
      const line = await Promise.race([lines.next(), died]);
      const answered = JSON.parse(line.value ?? (await died).value) as Answered;
      expect(answered).toHaveProperty('answers');
      expect(answered.answers.filter(({ isLate }) => isLate)).toEqual([]);
      expect(answered.fileReads).toBeGreaterThan(0);
      // Held up by a stuck keychain they would take as long as that.
      expect(answered.medianFileMs).toBeLessThan(vaultDeadlineMs);
      return answered;
    },
  };
}

const everyCall: readonly Call[] = [
  ['read', 'refresh-token'],
  ['write', 'refresh-token', secret],
  ['read', 'refresh-token'],
  ['remove', 'refresh-token'],
];
const unavailable = { result: { ok: false, failure: { kind: 'vaultUnavailable' } } };
const nothing = { result: { ok: true, value: null } };
const kindsOf = ({ answers }: Answered): unknown[] =>
  answers.map(({ result }) => (result.ok ? (result.value ?? null) : result.failure?.kind));

const isMissing = !hasKeyring();
const isWindows = process.platform === 'win32';

async function open(mood?: Parameters<typeof startKeyring>[0]) {
  const keyring = await startKeyring(mood);
  onTestFinished(() => keyring.stop());
  const caller = await openCaller(keyring);
  onTestFinished(() => {
    expect(findSecretsIn(caller.directory, { secret })).toEqual([]);
    expect(findSecretsIn(keyring.environment['HOME'] ?? '', { secret })).toEqual([]);
  });
  return { keyring, ...caller };
}

test.skipIf(process.platform !== 'linux')('no bus at all: every call fails at once', async () => {
  const { call, isAlive } = await openCaller({ environment: {} });
  expect((await call(everyCall)).answers).toMatchObject([unavailable, unavailable, unavailable, unavailable]);
  expect(isAlive()).toBe(true);
});

test.skipIf(isMissing && !isWindows)('a keychain that works keeps, gives and removes', async () => {
  const { call } = isWindows ? await openCaller({ environment: {} }) : await open();
  expect(kindsOf(await call(everyCall))).toEqual([null, null, secret, null]);
  expect(kindsOf(await call([['read', 'refresh-token']]))).toEqual([null]);
});

test.skipIf(isMissing).each(['absent', 'denied'] as const)('%s: every call fails in time', async (mood) => {
  const { call, isAlive } = await open(mood);
  expect((await call(everyCall)).answers).toMatchObject([unavailable, unavailable, unavailable, unavailable]);
  expect((await call(everyCall)).answers).toMatchObject([unavailable, unavailable, unavailable, unavailable]);
  expect(isAlive()).toBe(true);
});

test.skipIf(isMissing)(
  'locked: what is there looks as if it were not, no change is made, and unlocked it is all there',
  async () => {
    const { keyring, call, isAlive } = await open();
    expect(kindsOf(await call([['write', 'refresh-token', secret]]))).toEqual([null]);
    keyring.lock();
    expect((await call([['read', 'refresh-token']])).answers).toMatchObject([nothing]);
    expect(kindsOf(await call([['write', 'refresh-token', 'another']]))).toEqual(['vaultUnavailable']);
    // The library says of it, as of nothing there, that nothing was removed.
    expect(kindsOf(await call([['remove', 'refresh-token']]))).toEqual(['vaultUnavailable']);
    await call([['read', 'refresh-token']]);
    await keyring.unlock();
    await expect
      .poll(async () => kindsOf(await call([['read', 'refresh-token']])), { timeout: 20_000 })
      .toEqual([secret]);
    expect(isAlive()).toBe(true);
  },
);

test.skipIf(isMissing)(
  'never answering: each call is given up after three seconds, and never happens late',
  async () => {
    const { keyring, call, isAlive } = await open();
    expect(kindsOf(await call([['write', 'refresh-token', secret]]))).toEqual([null]);
    keyring.signal('SIGSTOP');
    onTestFinished(() => {
      if (isAlive()) {
        keyring.signal('SIGCONT');
      }
    });
    const reads = Array.from({ length: 20 }, (): Call => ['read', 'refresh-token']);
    const stuck = await call([...reads, ['write', 'refresh-token', 'too late'], ['remove', 'refresh-token']]);
    expect(new Set(kindsOf(stuck))).toEqual(new Set(['vaultUnavailable']));
    // More file reads than one thread pool full of stuck calls would let through.
    expect(stuck.fileReads).toBeGreaterThan(20);
    keyring.signal('SIGCONT');
    await expect
      .poll(async () => kindsOf(await call([['read', 'refresh-token']])), { timeout: 20_000 })
      .toEqual([secret]);
  },
);

test.skipIf(isMissing)('killed in the middle of a call: an answer in time, and the process lives on', async () => {
  const { keyring, call, isAlive } = await open();
  expect(kindsOf(await call([['write', 'refresh-token', secret]]))).toEqual([null]);
  keyring.signal('SIGSTOP');
  const asking = call([
    ['read', 'refresh-token'],
    ['write', 'refresh-token', 'another'],
    ['read', 'refresh-token'],
  ]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  keyring.signal('SIGKILL');
  expect(kindsOf(await asking)).toEqual(['vaultUnavailable', 'vaultUnavailable', 'vaultUnavailable']);
  expect(kindsOf(await call([['read', 'refresh-token']]))).toEqual(['vaultUnavailable']);
  expect(isAlive()).toBe(true);
});

test.skipIf(isMissing)('the bus itself killed in the middle of a call: an answer in time, and no crash', async () => {
  const { keyring, call, isAlive } = await open();
  keyring.signal('SIGSTOP');
  const asking = call([
    ['read', 'refresh-token'],
    ['read', 'refresh-token'],
  ]);
  await new Promise((resolve) => setTimeout(resolve, 300));
  await keyring.stop();
  expect(kindsOf(await asking)).toEqual(['vaultUnavailable', 'vaultUnavailable']);
  expect(kindsOf(await call([['read', 'refresh-token']]))).toEqual(['vaultUnavailable']);
  expect(isAlive()).toBe(true);
});
