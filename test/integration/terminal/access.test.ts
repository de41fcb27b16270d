// The proof over a whole terminal with real stores that the first screen and practice are no way around the sign-in: what
// is the terminal's own stays so once a profile exists, and neither its settings nor its list leave it.
import { describe, expect, test } from 'vitest';
import type { Channel } from '../../../app/contract/contract.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { connect, openConnected, openMachine, openPlatformForTest, signIn, stateOf } from '../../support/machine.ts';

const loopback = { isOn: true, port: 17_399, origins: ['https://somewhere-else.example.com'], mayChangeCoupons: true };

type Asked = readonly [Channel, unknown];

/** A workspace's own data, each asked for as somebody would who means harm. */
const storesOwn: readonly Asked[] = [
  ['audit:list', { group: 'all', offset: 0, limit: 50 }],
  ['audit:export', { group: 'all', after: 0 }],
  ['localApi:makeToken', {}],
  ['settings:update', { localApi: loopback }],
  ['settings:update', { lookupNeedsSignIn: false }],
  ['settings:update', { language: 'es', cashierChange: { keptDays: 365, lockAfterMinutes: 0, badges: true } }],
  ['scanner:listDevices', {}],
  ['printer:list', {}],
];

/** Data that belongs to the machine. */
const machinesOwn: readonly Asked[] = [
  ['hub:join', { address: 'postgresql://till:secret@hub.example.com:5432/tillside', name: 'Till 1' }],
  ['hub:leave', {}],
  ['hub:test', {}],
  ['profile:rename', { profileId: 1, name: 'Theirs' }],
  ['profile:remove', { profileId: 1 }],
  ['provisioning:export', {}],
  ['provisioning:open', { text: '{}' }],
  ['device:checkForUpdate', {}],
  ['device:setStartsAtSignIn', { isOn: true }],
];

const call = ({ handlers }: Terminal, channel: Channel, input: unknown): Promise<unknown> =>
  (handlers[channel] as (input: unknown) => Promise<unknown>)(input);

/** A shop's terminal with a profile, at which nobody is signed in any more. */
async function shop() {
  const machine = openMachine({ mode: null, localApiTokenHash: null, lookupNeedsSignIn: true });
  machine.practice = await openPlatformForTest();
  const { platform, terminal } = await openConnected(machine);
  await signIn(terminal, platform);
  expect(await terminal.handlers['session:signOut']({})).toEqual(succeed({}));
  return { platform, machine, terminal };
}

async function expectHeld(
  terminal: Terminal,
  kind: 'signInNeeded' | 'notInPractice',
  asked: readonly Asked[],
): Promise<void> {
  for (const [channel, input] of asked) {
    expect(await call(terminal, channel, input), `${channel} ${JSON.stringify(input)}`).toEqual(fail({ kind }));
  }
}

/** All of the settings document but which store is open. */
const keptOf = ({ settings }: ReturnType<typeof openMachine>): string => JSON.stringify({ ...settings(), mode: null });

describe('where a profile exists and nobody is signed in', () => {
  test('the first screen gives nothing of the terminal', async () => {
    const { terminal, machine } = await shop();
    expect(await terminal.handlers['profile:leave']({})).toEqual(succeed({}));
    expect(await stateOf(terminal)).toMatchObject({ phase: 'firstRun', profiles: [{ profileId: 1 }] });
    const before = keptOf(machine);
    await expectHeld(terminal, 'signInNeeded', [...storesOwn, ...machinesOwn]);
    expect(keptOf(machine)).toBe(before);
    expect(await call(terminal, 'lock:setPin', { pin: '2580' })).toEqual(fail({ kind: 'signInNeeded' }));
  });

  test('practice gives nothing of the machine, and of a store its own', async () => {
    const { terminal, machine } = await shop();
    expect(await terminal.handlers['practice:start']({})).toEqual(succeed({}));
    const before = keptOf(machine);
    await expectHeld(terminal, 'notInPractice', machinesOwn);
    for (const [channel, input] of storesOwn) {
      expect(await call(terminal, channel, input), channel).not.toMatchObject({
        failure: { kind: expect.stringMatching(/signInNeeded|notInPractice|locked/) },
      });
    }
    expect(keptOf(machine)).toBe(before);
    const coupon = { productId: '1001' as Id, isEnabled: true };
    expect(await terminal.handlers['coupon:switch'](coupon)).toMatchObject({ ok: true });
    expect(await terminal.handlers['settings:update']({ language: 'es', theme: 'dark' })).toEqual(succeed({}));
    expect(keptOf(machine)).toBe(before);
    expect(await terminal.handlers['profile:leave']({})).toEqual(fail({ kind: 'inputInvalid' }));
    expect(await terminal.handlers['session:signOut']({})).toEqual(succeed({}));
    await expectHeld(terminal, 'signInNeeded', [...storesOwn, ...machinesOwn]);
    expect(await stateOf(terminal)).toMatchObject({ language: 'en', theme: 'system', lookupNeedsSignIn: true });
  });

  test('two profiles, another one or practice are no way round, and none of them empties a terminal', async () => {
    const { terminal, platform } = await shop();
    const other = await openPlatformForTest();
    await connect(terminal, other);
    expect((await stateOf(terminal)).profiles).toHaveLength(2);
    expect(await terminal.handlers['profile:leave']({})).toEqual(succeed({}));
    await expectHeld(terminal, 'signInNeeded', [...storesOwn, ...machinesOwn]);
    expect(await terminal.handlers['practice:start']({})).toEqual(succeed({}));
    await expectHeld(terminal, 'notInPractice', machinesOwn);
    expect((await stateOf(terminal)).profiles).toHaveLength(2);
    // Whoever signs in at one of them manages the terminal again.
    expect(await terminal.handlers['profile:switch']({ profileId: 1 })).toEqual(succeed({}));
    await signIn(terminal, platform);
    expect(await terminal.handlers['settings:update']({ lookupNeedsSignIn: false })).toEqual(succeed({}));
  });
});

test('before there is a profile, the first screen and practice give everything', async () => {
  const machine = openMachine();
  machine.practice = await openPlatformForTest();
  const terminal = await machine.start();
  expect(await terminal.handlers['audit:list']({ group: 'all', offset: 0, limit: 50 })).toMatchObject({ ok: true });
  expect(await terminal.handlers['settings:update']({ lookupNeedsSignIn: true })).toEqual(succeed({}));
  expect(await terminal.handlers['practice:start']({})).toEqual(succeed({}));
  expect(await terminal.handlers['settings:update']({ lookupNeedsSignIn: false })).toEqual(succeed({}));
  expect(await terminal.handlers['audit:export']({ group: 'all', after: 0 })).toMatchObject({ ok: true });
  expect(await terminal.handlers['device:setStartsAtSignIn']({ isOn: true })).toEqual(fail({ kind: 'notReady' }));
  expect(machine.settings()).toMatchObject({ mode: 'practice', lookupNeedsSignIn: false });
});
