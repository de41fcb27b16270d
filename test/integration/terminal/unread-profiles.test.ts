// Proves over real HTTP what becomes of the sign-in, the PIN and the secret of a profile that this version cannot read.
import { expect, test } from 'vitest';
import { succeed } from '../../../app/domain/result.ts';
import {
  connect,
  openCopied,
  openMachine,
  openPlatformForTest,
  profileOf,
  signIn,
  stateOf,
} from '../../support/machine.ts';

type Document = Record<string, unknown>;

/** A till, with a PIN unless told, closed: its settings as a backup has them, and its keychain. */
async function leaveTill(hasPin = true) {
  const { platform, machine, terminal, handlers } = await openCopied();
  if (hasPin) {
    expect(await handlers['cashier:setPin']({ pin: '1357' })).toEqual(succeed({}));
  }
  await terminal.close();
  return { platform, backup: structuredClone(machine.settings()), secrets: new Map(machine.secrets) };
}

function machineWith(document: Document, secrets: ReadonlyMap<string, string>) {
  const machine = openMachine(structuredClone(document));
  for (const [name, secret] of secrets) {
    machine.secrets.set(name, secret);
  }
  return machine;
}

const profileIn = (document: Document): Document => (document['profiles'] as Document[])[0] ?? {};

const altered: readonly (readonly [what: string, alter: (document: Document) => Document])[] = [
  ['a damaged number of the company', (one) => ({ ...one, profiles: [{ ...profileIn(one), companyId: 'x' }] })],
  ['a damaged address', (one) => ({ ...one, profiles: [{ ...profileIn(one), platformUrl: 7, vaultName: 7 }] })],
  ['a damaged name in the keychain', (one) => ({ ...one, profiles: [{ ...profileIn(one), vaultName: 'https://x' }] })],
  ['a damaged list', (one) => ({ ...one, profiles: { 0: profileIn(one) } })],
  ['a newer version', (one) => ({ ...one, version: 9, profiles: [{ ...profileIn(one), companyId: { is: 1 } }] })],
  [
    'a number of another',
    (one) => ({
      ...one,
      profiles: [{ ...profileIn(one), platformUrl: 'https://x', vaultName: 'https://x' }, profileIn(one)],
    }),
  ],
];

test.each(altered)('a profile that cannot be read keeps its sign-in, PIN and secret: %s', async (_what, alter) => {
  const { platform, backup, secrets } = await leaveTill();
  const document = alter(backup);
  const machine = machineWith(document, secrets);
  for (const theme of ['dark', 'light'] as const) {
    const terminal = await machine.start();
    expect(await terminal.handlers['settings:update']({ theme })).toEqual(succeed({}));
    await terminal.close();
  }
  expect([...machine.secrets]).toEqual([...secrets]);
  expect(machine.settings()).toMatchObject({ cashiers: backup['cashiers'] });
  // As the next version, or whoever mends the file, finds it.
  const listed = document['profiles'];
  expect(machine.settings()['profiles']).toEqual(Array.isArray(listed) ? listed : [listed]);
  const restored = await machineWith(backup, machine.secrets).start();
  expect(await restored.handlers['cashier:comeBack']({ email: platform.email, pin: '1357' })).toMatchObject({
    ok: true,
  });
  await expect.poll(() => stateOf(restored)).toMatchObject({ phase: 'ready', session: { email: platform.email } });
});

test('another profile beside one that cannot be read has a number of its own, and leaves no secret', async () => {
  const { backup, secrets } = await leaveTill();
  const machine = machineWith({ ...backup, profiles: [{ ...profileIn(backup), companyId: 'x' }] }, secrets);
  const terminal = await machine.start();
  const other = await openPlatformForTest();
  await connect(terminal, other);
  await signIn(terminal, other);
  expect(machine.settings()['profiles']).toMatchObject([{ id: 2 }, { id: 1, companyId: 'x' }]);
  expect(await terminal.handlers['profile:remove']({ profileId: 2 })).toEqual(succeed({}));
  expect([...machine.secrets]).toEqual([...secrets]);
});

test('a PIN of a profile that cannot be read keeps nobody from setting it up anew', async () => {
  const { platform, backup, secrets } = await leaveTill();
  const machine = machineWith({ ...backup, profiles: [{ ...profileIn(backup), companyId: 'x' }] }, secrets);
  const terminal = await machine.start();
  await connect(terminal, platform);
  expect(machine.settings()['cashiers']).toEqual([]);
  expect(await terminal.handlers['coupon:list']({ filter: 'all', offset: 0, limit: 1 })).toMatchObject({ ok: false });
});

test.each([
  ['at once', false, false],
  ['after a restart', false, true],
  ['after a restart, with a PIN', true, true],
])('what is set up anew in the place of one leaves no sign-in once removed: %s', async (_when, hasPin, restarts) => {
  const { platform, backup, secrets } = await leaveTill(hasPin);
  const machine = machineWith({ ...backup, profiles: [{ ...profileIn(backup), companyId: 'x' }] }, secrets);
  const other = await openPlatformForTest();
  const first = await machine.start();
  for (const each of [platform, other]) {
    await connect(first, each);
    await signIn(first, each);
  }
  if (restarts) {
    await first.close();
  }
  const terminal = restarts ? await machine.start() : first;
  expect(await terminal.handlers['profile:remove']({ profileId: 2 })).toEqual(succeed({}));
  expect([...machine.secrets.keys()].filter((name) => name.includes(platform.platformUrl))).toEqual([]);
  // Nobody is signed in as who was, by naming the connection again.
  expect(await terminal.handlers['profile:connect'](profileOf(platform))).not.toMatchObject({
    value: { passed: true },
  });
  expect(machine.settings()['profiles']).toContainEqual({ ...profileIn(backup), companyId: 'x' });
});

test('another client of the platform shares nothing with a profile that cannot be read', async () => {
  const { platform, backup, secrets } = await leaveTill(false);
  const machine = machineWith({ ...backup, profiles: [{ ...profileIn(backup), companyId: 'x' }] }, secrets);
  const terminal = await machine.start();
  await connect(terminal, platform, platform.otherClient);
  await signIn(terminal, platform);
  expect([...machine.secrets]).toEqual(expect.arrayContaining([...secrets]));
  expect(await terminal.handlers['profile:remove']({ profileId: 2 })).toEqual(succeed({}));
  expect([...machine.secrets]).toEqual([...secrets]);
});
