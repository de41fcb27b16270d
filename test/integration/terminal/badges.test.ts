// Proves over real HTTP and real files that a badge changes the cashier as a PIN does, and leaves no trace of its code.
import { createHash, createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { newBadge } from '../../../app/domain/codes/badge.ts';
import { dispatch } from '../../../app/hosts/dispatch.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { anasPin, beasPin, openTill, signIn } from '../../support/cashier-till.ts';
import { stateOf } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

const product = '1000003' as Id;
const dayMs = 86_400_000;
const nobodys = newBadge('00000000-0000-4000-8000-000000000001');

async function makeBadge({ handlers }: Terminal, pin: string): Promise<string> {
  const made = await handlers['cashier:makeBadge']({ pin });
  return made.ok ? made.value.code : expect.fail(made.failure.kind);
}

const scan = ({ handlers }: Terminal, code: string) => handlers['cashier:scanBadge']({ code });
const came = (email: string) => ({ ok: true, value: { outcome: 'came', email } });

/** Two users have a PIN and a badge; the second one is at work. */
async function openTillWithBadges() {
  const till = await openTill();
  const { terminal, handlers, ana, bea } = till;
  const badges: string[] = [];
  for (const [user, pin] of [
    [ana, anasPin],
    [bea, beasPin],
  ] as const) {
    await signIn(terminal, user);
    await handlers['cashier:setPin']({ pin });
    badges.push(await makeBadge(terminal, pin));
  }
  const [anas = '', beas = ''] = badges;
  return { ...till, anas, beas };
}

async function actionsOf({ handlers }: Terminal, last: number): Promise<string[]> {
  const listed = await handlers['audit:list']({ group: 'all', offset: 0, limit: last });
  const rows = listed.ok ? listed.value.rows : [];
  return rows.toReversed().map(({ email, action }) => `${email ?? 'nobody'} ${action.kind}`);
}

test('a badge changes the cashier at once offline, locked or at work; each action is its author’s', async () => {
  const { terminal, handlers, machine, ana, bea, anas, beas } = await openTillWithBadges();
  machine.isNetworkDown = true;
  await handlers['cashier:lock']({});
  expect(await scan(terminal, anas)).toEqual(came(ana.email));
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', session: { email: ana.email } });
  expect(await handlers['coupon:switch']({ productId: product, isEnabled: true })).toMatchObject({ ok: true });
  expect(await scan(terminal, anas)).toEqual({ ok: true, value: { outcome: 'here', email: ana.email } });
  expect(await scan(terminal, ` ]C0${beas.toLowerCase()}`)).toEqual(came(bea.email));
  expect(await stateOf(terminal)).toMatchObject({
    session: { email: bea.email },
    queue: { ofKept: { count: 1, emails: [ana.email] } },
  });
  expect(await actionsOf(terminal, 4)).toEqual([
    `${bea.email} tillLocked`,
    `${ana.email} cameByBadge`,
    `${ana.email} coupon`,
    `${bea.email} cameByBadge`,
  ]);
});

test('who has no PIN to come back with is not put out by another’s badge', async () => {
  const { terminal, handlers, bea, anas } = await openTillWithBadges();
  await handlers['cashier:setPin']({ pin: null, oldPin: beasPin });
  expect(await scan(terminal, anas)).toEqual({ ok: true, value: { outcome: 'signOutFirst', email: bea.email } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', session: { email: bea.email } });
});

test('unknown badges wait, also after a restart and for a right one; PINs do not', async () => {
  const { terminal, machine, anas, ana, handlers } = await openTillWithBadges();
  await handlers['cashier:lock']({});
  for (let wrong = 0; wrong < 3; wrong += 1) {
    expect(await scan(terminal, nobodys)).toMatchObject({ ok: false, failure: { kind: 'badgeUnknown' } });
  }
  expect(await scan(terminal, anas)).toMatchObject({ ok: false, failure: { kind: 'badgeWaits' } });
  await terminal.close();
  const again = await machine.start();
  expect(await scan(again, anas)).toMatchObject({ ok: false, failure: { kind: 'badgeWaits' } });
  expect(await again.handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toMatchObject({ ok: true });
  expect(await actionsOf(again, 4)).toEqual([
    'nobody badgeUnknown',
    'nobody badgeUnknown',
    'nobody badgeUnknown',
    `${ana.email} cameBack`,
  ]);
});

test('a badge brings back after a restart; after the manager’s days or a refusal it takes the password', async () => {
  const { terminal, machine, platform, ana, bea, anas, beas } = await openTillWithBadges();
  await terminal.close();
  const again = await machine.start();
  expect(await scan(again, anas)).toEqual(came(ana.email));
  expect(await again.handlers['coupon:refresh']({})).toMatchObject({ ok: true });
  machine.sleptMs = 31 * dayMs;
  expect(await scan(again, beas)).toEqual({ ok: true, value: { outcome: 'passwordFirst', email: bea.email } });
  expect(await stateOf(again)).toMatchObject({ session: { email: ana.email } });
  platform.revokeRefreshTokens();
  platform.expireAccessTokens();
  await again.handlers['coupon:refresh']({});
  await expect.poll(async () => (await stateOf(again)).phase).toBe('signIn');
  expect(await scan(again, anas)).toEqual({ ok: true, value: { outcome: 'passwordFirst', email: ana.email } });
  expect(await stateOf(again)).toMatchObject({ phase: 'signIn' });
});

test('a badge that a full disk does not let go is there, as is said, and can be removed once there is room', async () => {
  const { terminal, handlers, machine, beas } = await openTillWithBadges();
  const hasBadge = async () => (await stateOf(terminal)).cashiers.users.map((user) => user.hasBadge);
  machine.isSettingsDiskFull = true;
  expect(await handlers['cashier:removeBadge']({})).toMatchObject({ failure: { kind: 'storageFull' } });
  expect(await hasBadge()).toEqual([true, true]);
  expect(await scan(terminal, beas)).toMatchObject({ value: { outcome: 'here' } });
  machine.isSettingsDiskFull = false;
  expect(await handlers['cashier:removeBadge']({})).toMatchObject({ ok: true });
  expect(await hasBadge()).toEqual([true, false]);
});

test('a new badge makes the old one void; it goes with the PIN, by hand, and where none are allowed', async () => {
  const { terminal, handlers, anas, beas, bea } = await openTillWithBadges();
  expect(await handlers['cashier:makeBadge']({ pin: '0000' })).toMatchObject({ failure: { kind: 'pinWrong' } });
  const next = await makeBadge(terminal, beasPin);
  expect(next).not.toBe(beas);
  expect(await scan(terminal, beas)).toMatchObject({ failure: { kind: 'badgeUnknown' } });
  expect(await scan(terminal, next)).toMatchObject({ value: { outcome: 'here' } });
  await handlers['cashier:removeBadge']({});
  expect(await scan(terminal, next)).toMatchObject({ failure: { kind: 'badgeUnknown' } });
  expect((await stateOf(terminal)).cashiers.users.map(({ hasBadge }) => hasBadge)).toEqual([true, false]);

  const last = await makeBadge(terminal, beasPin);
  await handlers['settings:update']({ cashierChange: { keptDays: 30, lockAfterMinutes: 0, badges: false } });
  expect(await scan(terminal, anas)).toMatchObject({ failure: { kind: 'notReady' } });
  expect(await handlers['cashier:makeBadge']({ pin: beasPin })).toMatchObject({ failure: { kind: 'notReady' } });
  await handlers['settings:update']({ cashierChange: { keptDays: 30, lockAfterMinutes: 0, badges: true } });
  await handlers['cashier:setPin']({ pin: null, oldPin: beasPin });
  await handlers['cashier:setPin']({ pin: beasPin });
  expect(await scan(terminal, last)).toMatchObject({ failure: { kind: 'badgeUnknown' } });
  expect((await actionsOf(terminal, 20)).filter((action) => action.includes('adge'))).toEqual([
    expect.stringContaining('badgeMade'),
    expect.stringContaining('badgeMade'),
    `${bea.email} badgeMade`,
    `${bea.email} badgeUnknown`,
    `${bea.email} badgeRemoved`,
    `${bea.email} badgeUnknown`,
    `${bea.email} badgeMade`,
    `${bea.email} badgeUnknown`,
  ]);
});

const plainHashOf = (code: string): string => createHash('sha256').update(code).digest('hex');

/** The badges in the settings, by e-mail. */
function heldOf(machine: { readonly settings: () => Record<string, unknown> }): Record<string, string | null> {
  const cashiers = machine.settings()['cashiers'] as readonly { email: string; badgeHash: string | null }[];
  return Object.fromEntries(cashiers.map(({ email, badgeHash }) => [email, badgeHash]));
}

/** The settings of a till of before there was a key. */
function withPlainHashes(machine: { readonly settings: () => Record<string, unknown> }, codes: Record<string, string>) {
  for (const cashier of machine.settings()['cashiers'] as { email: string; badgeHash: string | null }[]) {
    cashier.badgeHash = plainHashOf(codes[cashier.email] ?? '');
  }
}

test('a badge that is made while another cashier comes is nobody’s: the other would see its code', async () => {
  const { terminal, handlers, ana, bea, anas, beas } = await openTillWithBadges();
  const making = handlers['cashier:makeBadge']({ pin: beasPin });
  expect(await scan(terminal, anas)).toEqual(came(ana.email));
  expect(await making).toEqual(fail({ kind: 'userChanged' }));
  expect(await scan(terminal, beas)).toEqual(came(bea.email));
});

test('a wrong PIN is listed with who tried it, though another cashier has come before it was compared', async () => {
  const { terminal, handlers, ana, bea, anas } = await openTillWithBadges();
  const managersPin = '73105946';
  await handlers['lock:setPin']({ pin: managersPin });
  const guesses = [
    handlers['lock:unlock']({ pin: '0000', opens: 'settings' }),
    handlers['lock:setPin']({ pin: '1111', oldPin: '0000' }),
    handlers['cashier:setPin']({ pin: null, oldPin: '0000' }),
  ];
  expect(await scan(terminal, anas)).toEqual(came(ana.email));
  expect(await Promise.all(guesses)).toMatchObject(guesses.map(() => ({ failure: { kind: 'pinWrong' } })));
  await handlers['lock:unlock']({ pin: managersPin, opens: 'audit' });
  const listed = await actionsOf(terminal, 5);
  expect(listed.toSorted()).toEqual([
    `${ana.email} cameByBadge`,
    `${ana.email} unlocked`,
    `${bea.email} ownPinWrong`,
    `${bea.email} pinWrong`,
    `${bea.email} pinWrong`,
  ]);
});

test('who has the settings cannot try codes: a badge is kept keyed, with the key in the keychain alone', async () => {
  const { machine, anas, beas, ana, bea } = await openTillWithBadges();
  const text = JSON.stringify(machine.settings());
  expect(text).not.toContain(plainHashOf(anas));
  const key = machine.secrets.get('badge-key') ?? expect.fail('no key');
  const keyed = (code: string): string => `hmac-sha256:${createHmac('sha256', key).update(code).digest('hex')}`;
  expect(heldOf(machine)).toEqual({ [ana.email]: keyed(anas), [bea.email]: keyed(beas) });
  expect(key.length).toBeGreaterThan(64);
  expect(text).not.toContain(key);
});

test('a badge from before there was a key works, and its next use replaces it if the keychain can', async () => {
  const { terminal, machine, anas, beas, ana, bea } = await openTillWithBadges();
  await terminal.close();
  machine.secrets.delete('badge-key');
  withPlainHashes(machine, { [ana.email]: anas, [bea.email]: beas });
  machine.isKeychainLocked = true;
  const locked = await machine.start();
  expect(await scan(locked, anas)).toEqual(came(ana.email));
  expect(heldOf(machine)).toMatchObject({ [ana.email]: plainHashOf(anas) });
  machine.isKeychainLocked = false;
  await locked.handlers['cashier:lock']({});
  expect(await scan(locked, anas)).toEqual(came(ana.email));
  await expect.poll(() => heldOf(machine)[ana.email]).toMatch(/^hmac-sha256:/);
  expect(heldOf(machine)).toMatchObject({ [bea.email]: plainHashOf(beas) });
  await locked.close();
  const again = await machine.start();
  expect(await scan(again, anas)).toEqual(came(ana.email));
  expect(await scan(again, beas)).toEqual(came(bea.email));
  await expect.poll(() => heldOf(machine)[bea.email]).toMatch(/^hmac-sha256:/);
  expect(await scan(again, nobodys)).toMatchObject({ failure: { kind: 'badgeUnknown' } });
});

test('a locked keychain is told and holds up nobody; the PIN works, and the badge once it is open', async () => {
  const { terminal, machine, anas, ana } = await openTillWithBadges();
  await terminal.close();
  machine.isKeychainLocked = true;
  const again = await machine.start();
  for (let scans = 0; scans < 5; scans += 1) {
    expect(await scan(again, anas)).toMatchObject({ ok: false, failure: { kind: 'vaultLocked' } });
  }
  expect(await again.handlers['cashier:comeBack']({ email: ana.email, pin: anasPin })).toMatchObject({ ok: true });
  expect(await again.handlers['cashier:makeBadge']({ pin: anasPin })).toMatchObject({
    failure: { kind: 'vaultLocked' },
  });
  await again.handlers['cashier:lock']({});
  machine.isKeychainLocked = false;
  expect(await scan(again, anas)).toEqual(came(ana.email));
});

test('a keychain that lost the key makes every badge void and says so; the next one gets a new key', async () => {
  const { terminal, machine, anas, beas, ana, bea } = await openTillWithBadges();
  await terminal.close();
  machine.secrets.delete('badge-key');
  const again = await machine.start();
  machine.isKeychainLocked = true;
  expect(await scan(again, beas)).toMatchObject({ failure: { kind: 'vaultLocked' } });
  machine.isKeychainLocked = false;
  expect(await scan(again, beas)).toMatchObject({ failure: { kind: 'badgeVoid' } });
  // It may be somebody's: nobody waits for it.
  for (let scans = 0; scans < 4; scans += 1) {
    expect(await scan(again, 'TILL0000000000000000')).toMatchObject({ failure: { kind: 'badgeVoid' } });
  }
  await again.handlers['cashier:comeBack']({ email: ana.email, pin: anasPin });
  const next = await makeBadge(again, anasPin);
  expect((await stateOf(again)).cashiers.users.map(({ email, hasBadge }) => [email, hasBadge])).toEqual([
    [ana.email, true],
    [bea.email, false],
  ]);
  expect(await scan(again, beas)).toMatchObject({ failure: { kind: 'badgeUnknown' } });
  expect(await scan(again, anas)).toMatchObject({ failure: { kind: 'badgeUnknown' } });
  expect(await scan(again, next)).toMatchObject({ value: { outcome: 'here' } });
});

test('the code of a badge, known or not, stands in no file, no log and no list, whatever calls for it', async () => {
  const { terminal, handlers, machine, anas, beas } = await openTillWithBadges();
  for (const code of [anas, beas, nobodys]) {
    await scan(terminal, code);
    for (const input of [
      ['lookup:find', { text: code, source: 'scan' }],
      ['lookup:find', { text: code, source: 'program' }],
      ['lookup:ask', { text: code }],
      ['lookup:search', { text: code, limit: 5 }],
      ['stocktake:scan', { stocktakeId: 1, text: code, source: 'scan' }],
    ] as const) {
      const logged: unknown[] = [];
      const answer = await dispatch(handlers, input[0], input[1], (...line) => void logged.push(line));
      expect(answer).toMatchObject({ ok: false, failure: { kind: 'inputInvalid' } });
      expect(JSON.stringify(logged)).not.toContain(code);
    }
  }
  const recent = await handlers['lookup:listRecent']({});
  expect(recent).toEqual({ ok: true, value: [] });
  const bundle = await handlers['support:readBundle']({});
  await terminal.close();
  const all = [
    JSON.stringify(bundle),
    JSON.stringify(machine.settings()),
    ...readdirSync(machine.folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
      try {
        return [readFileSync(join(machine.folder, name), 'latin1')];
      } catch {
        return [];
      }
    }),
  ];
  for (const code of [anas, beas, nobodys]) {
    expect(all.filter((text) => text.includes(code) || text.includes(code.slice(4)))).toEqual([]);
  }
});

test.each(['/oauth/token', '/stocks/'])('a badge waits for no sign-in of somebody without a PIN: %s', async (path) => {
  const { terminal, handlers, machine, ana, bea } = await openTill();
  await signIn(terminal, bea);
  await handlers['cashier:setPin']({ pin: beasPin });
  await handlers['settings:update']({ cashierChange: { keptDays: 30, lockAfterMinutes: 0, badges: true } });
  const code = valueOf(await handlers['cashier:makeBadge']({ pin: beasPin })).code;
  await handlers['cashier:lock']({});
  const held = Promise.withResolvers<void>();
  let isAsked = false;
  machine.between = async (url, next) => {
    if (!url.includes(path)) {
      return next();
    }
    isAsked = true;
    await held.promise;
    return path === '/stocks/' ? succeed({ status: 404, headers: {}, body: '{}' }) : next();
  };
  const trying = signIn(terminal, ana);
  await expect.poll(() => isAsked).toBe(true);
  expect(await handlers['cashier:scanBadge']({ code })).toMatchObject({ ok: true, value: { outcome: 'came' } });
  held.resolve();
  expect(await trying).toMatchObject({ ok: false, failure: { kind: 'cancelled' } });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', session: { email: bea.email } });
  expect([...machine.secrets.values()].filter((text) => text.includes(ana.email))).toEqual([]);
});
