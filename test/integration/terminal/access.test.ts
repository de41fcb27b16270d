// The proof over a whole terminal with real stores that the first screen and practice are no way around the sign-in: what
// is the terminal's own stays so once a profile exists, and neither its settings nor its list leave it.
import { describe, expect, test } from 'vitest';
import type { Channel } from '../../../app/contract/contract.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { openMachine, openPlatformForTest, profileOf, stateOf } from '../../support/machine.ts';

const loopback = { isOn: true, port: 17_399, origins: ['https://somewhere-else.example.com'], mayChangeCoupons: true };

/** What belongs to the terminal, each asked for as somebody would who means harm. */
const terminalsOwn: readonly (readonly [Channel, unknown])[] = [
  ['audit:list', { group: 'all', offset: 0, limit: 50 }],
  ['audit:export', { after: 0 }],
  ['localApi:makeToken', {}],
  ['settings:update', { localApi: loopback }],
  ['settings:update', { lookupNeedsSignIn: false }],
  ['settings:update', { language: 'es', cashierChange: { keptDays: 365, lockAfterMinutes: 0, badges: true } }],
  ['hub:join', { address: 'postgresql://till:secret@hub.example.com:5432/tillside', name: 'Till 1' }],
  ['hub:leave', {}],
  ['hub:test', {}],
  ['profile:rename', { profileId: 1, name: 'Theirs' }],
  ['profile:remove', { profileId: 1 }],
  ['provisioning:export', {}],
  ['provisioning:open', { text: '{}' }],
  ['device:checkForUpdate', {}],
  ['device:setStartsAtSignIn', { isOn: true }],
  ['scanner:listDevices', {}],
  ['printer:list', {}],
];

const call = ({ handlers }: Terminal, channel: Channel, input: unknown): Promise<unknown> =>
  (handlers[channel] as (input: unknown) => Promise<unknown>)(input);

/** A shop's terminal with a profile, at which nobody is signed in any more. */
async function shop() {
  const platform = await openPlatformForTest();
  const machine = openMachine({ mode: null, localApiTokenHash: null, lookupNeedsSignIn: true });
  machine.practice = await openPlatformForTest();
  const terminal = await machine.start();
  await terminal.handlers['profile:connect']({ ...profileOf(platform), clientSecret: platform.clientSecret });
  await terminal.handlers['session:signIn']({ email: platform.email, password: platform.password });
  expect(await terminal.handlers['session:signOut']({})).toEqual(succeed({}));
  return { platform, machine, terminal };
}

async function expectHeld(terminal: Terminal, kind: 'signInNeeded' | 'notInPractice'): Promise<void> {
  for (const [channel, input] of terminalsOwn) {
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
    await expectHeld(terminal, 'signInNeeded');
    expect(keptOf(machine)).toBe(before);
    expect(await call(terminal, 'lock:setPin', { pin: '2580' })).toEqual(fail({ kind: 'signInNeeded' }));
  });

  test('practice gives nothing of the terminal, says so, and goes on as a store', async () => {
    const { terminal, machine } = await shop();
    expect(await terminal.handlers['practice:start']({})).toEqual(succeed({}));
    const before = keptOf(machine);
    await expectHeld(terminal, 'notInPractice');
    expect(keptOf(machine)).toBe(before);
    const coupon = { productId: '1001' as Id, isEnabled: true };
    expect(await terminal.handlers['coupon:switch'](coupon)).toMatchObject({ ok: true });
    expect(await terminal.handlers['settings:update']({ language: 'es', theme: 'dark' })).toEqual(succeed({}));
  });

  test('two profiles, another profile, then practice is no way round either, nor is a terminal emptied through it', async () => {
    const { terminal, platform } = await shop();
    const other = await openPlatformForTest();
    await terminal.handlers['profile:connect']({ ...profileOf(other), clientSecret: other.clientSecret });
    expect((await stateOf(terminal)).profiles).toHaveLength(2);
    expect(await terminal.handlers['profile:leave']({})).toEqual(succeed({}));
    await expectHeld(terminal, 'signInNeeded');
    expect(await terminal.handlers['practice:start']({})).toEqual(succeed({}));
    await expectHeld(terminal, 'notInPractice');
    expect((await stateOf(terminal)).profiles).toHaveLength(2);
    // Whoever signs in at one of them manages the terminal again.
    expect(await terminal.handlers['profile:switch']({ profileId: 1 })).toEqual(succeed({}));
    await terminal.handlers['session:signIn']({ email: platform.email, password: platform.password });
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
  expect(await terminal.handlers['audit:export']({ after: 0 })).toMatchObject({ ok: true });
});

test("in practice a terminal's PIN is not taken away, and one that is tried out there is practice's own", async () => {
  const { terminal, platform } = await shop();
  await terminal.handlers['practice:start']({});
  expect(await terminal.handlers['lock:setPin']({ pin: '2580' })).toEqual(succeed({}));
  expect((await stateOf(terminal)).lock).toMatchObject({ hasPin: true, isOfPractice: true });
  await terminal.handlers['profile:switch']({ profileId: 1 });
  await terminal.handlers['session:signIn']({ email: platform.email, password: platform.password });
  expect(await terminal.handlers['lock:setPin']({ pin: '1357' })).toEqual(succeed({}));
  await terminal.handlers['practice:start']({});
  expect((await stateOf(terminal)).lock).toMatchObject({ hasPin: true, isOfPractice: false });
  expect(await terminal.handlers['lock:setPin']({ pin: null, oldPin: '1357' })).toEqual(
    fail({ kind: 'notInPractice' }),
  );
  expect(await terminal.handlers['lock:choose']({ kinds: [], opensForMinutes: 0 })).toEqual(
    fail({ kind: 'notInPractice' }),
  );
});
