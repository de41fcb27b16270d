import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { AuditEntry } from '../../../app/contract/audit.ts';
import type { InvokeInput } from '../../../app/contract/contract.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { dispatch } from '../../../app/hosts/dispatch.ts';
import { newSecret } from '../../../app/hosts/node/secrets.ts';
import { hashOfToken } from '../../../app/hosts/programs/loopback-gate.ts';
import { auditMigrations } from '../../../app/lock/migrations.ts';
import { Database } from '../../../app/storage/database.ts';
import { queueMigrations } from '../../../app/terminal/workspace/queue-migrations.ts';
import { type Terminal } from '../../../app/terminal/terminal.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import {
  connect,
  connectionOf,
  openMachine,
  openPlatformForTest,
  provisionOf,
  signIn,
  stateOf,
} from '../../support/machine.ts';

const pin = '73105946';
const product = '1001' as Id;

/** One machine, on which the terminal can be opened again and again, and a platform, which is its practice store's as well. */
async function prepare(document: unknown = null) {
  const platform = await openPlatformForTest();
  const machine = openMachine(document, false);
  machine.practice = platform;
  // Everything that left the terminal for a place where no PIN may be.
  const logged = machine.written;
  machine.around = { log: (...line) => void logged.push(JSON.stringify(line)) };
  const start: typeof machine.start = async (...given) => {
    const terminal = await machine.start(...given);
    terminal.subscribe((name, payload) => void logged.push(JSON.stringify([name, payload])));
    return terminal;
  };
  return { platform, machine, logged, start };
}

/** With somebody signed in at a profile. */
async function open(document: unknown = null) {
  const prepared = await prepare(document);
  const { platform, start } = prepared;
  const terminal = await start();
  await connect(terminal, platform);
  await signIn(terminal, platform);
  return { ...prepared, terminal, handlers: terminal.handlers };
}

/** Without a keychain the next start needs the secret anew. */
async function signInWithSecret({ handlers }: Terminal, { email, password, clientSecret }: TrainingPlatform) {
  const answer = await handlers['session:signIn']({ email, password, clientSecret });
  expect(answer).toMatchObject({ ok: true, value: { passed: true } });
}

/** Those that reading the list with this PIN has added. */
const ownEntries = new WeakMap<Terminal, Set<number>>();

async function entriesOf(terminal: Terminal, managersPin = pin): Promise<readonly AuditEntry[]> {
  const { handlers } = terminal;
  const own = ownEntries.get(terminal) ?? new Set<number>();
  ownEntries.set(terminal, own);
  const before = await stateOf(terminal);
  if (before.lock.hasPin && !before.lock.openKinds.includes('audit')) {
    expect(await handlers['audit:list']({ group: 'all', offset: 0, limit: 200 })).toEqual(fail({ kind: 'locked' }));
    expect(await handlers['lock:unlock']({ pin: managersPin, opens: 'audit' })).toMatchObject({ ok: true });
    own.add((await stateOf(terminal)).lock.newestEntry);
  }
  const listed = await handlers['audit:list']({ group: 'all', offset: 0, limit: 200 });
  return listed.ok ? listed.value.rows.filter(({ id }) => !own.has(id)) : [];
}

/** As it lies in the file of a terminal that is closed. */
async function writtenIn(directory: string): Promise<string[]> {
  const options = { kind: 'precious', migrations: auditMigrations } as const;
  const list = await Database.open(join(directory, 'audit.db'), options);
  const rows = list.prepare<{ kind: string }>('SELECT kind FROM entries ORDER BY id').all();
  list.close();
  return rows.map(({ kind }) => kind);
}

const actionsOf = async (terminal: Terminal): Promise<string[]> =>
  (await entriesOf(terminal)).map(({ action }) => action.kind).toReversed();

test('what is locked changes nothing without the PIN, and is listed with who, where and whether by PIN', async () => {
  const { terminal, handlers } = await open();
  expect((await stateOf(terminal)).lock).toMatchObject({
    hasPin: false,
    openUntil: null,
    waitUntil: null,
    kinds: ['coupons', 'users', 'settings', 'discarding'],
    opensForMinutes: 0,
  });
  expect(await handlers['lock:setPin']({ pin })).toMatchObject({ ok: true });
  const queueLimits = { historyDays: 60, askAfterHours: 72 };
  const locked: [string, Promise<unknown>][] = [
    ['coupon', handlers['coupon:switch']({ productId: product, isEnabled: true })],
    ['coupons', handlers['coupon:switchMany']({ productIds: [product], isEnabled: true, ownerId: 1, needed: 1 })],
    ['user', handlers['user:restore']({ userId: '5' as Id })],
    ['settings', handlers['settings:update']({ theme: 'dark', queueLimits })],
    ['choice', handlers['lock:choose']({ kinds: [], opensForMinutes: 60 })],
    ['removal', handlers['lock:setPin']({ pin: null })],
  ];
  for (const [what, answer] of locked) {
    expect(await answer, what).toEqual(fail({ kind: 'locked' }));
  }
  expect(await handlers['settings:update']({ theme: 'dark', language: 'es' })).toMatchObject({ ok: true });
  const before = await stateOf(terminal);
  expect(before).toMatchObject({
    theme: 'dark',
    queue: { pending: 0, inFlight: 0, delivered: 0 },
    queueLimits: { historyDays: 30 },
    lock: { hasPin: true, opensForMinutes: 0 },
  });
  expect(await handlers['lock:unlock']({ pin: '0000', opens: 'coupons' })).toMatchObject(fail({ kind: 'pinWrong' }));
  expect(await handlers['lock:unlock']({ pin, opens: 'coupons' })).toMatchObject({ ok: true });
  expect((await stateOf(terminal)).lock.openUntil).toBeGreaterThan(Date.now());
  expect(await handlers['coupon:switch']({ productId: product, isEnabled: true })).toMatchObject({ ok: true });
  expect(await handlers['settings:update']({ queueLimits }), 'a PIN for a coupon').toEqual(fail({ kind: 'locked' }));
  expect(await handlers['lock:choose']({ kinds: [], opensForMinutes: 60 })).toEqual(fail({ kind: 'locked' }));
  await handlers['lock:unlock']({ pin, opens: 'settings' });
  expect(await handlers['settings:update']({ queueLimits })).toMatchObject({ ok: true });
  await handlers['lock:unlock']({ pin, opens: 'users' });
  await handlers['lock:unlock']({ pin, opens: 'updates' });
  expect(await handlers['lock:lockNow']({ opened: 'updates' }), 'nobody waits for it').toMatchObject({ ok: true });
  expect((await stateOf(terminal)).lock.openKinds).toEqual(['users']);
  expect(await handlers['lock:lockNow']({})).toMatchObject({ ok: true });
  expect(await handlers['user:restore']({ userId: '5' as Id })).toEqual(fail({ kind: 'locked' }));

  expect(await actionsOf(terminal)).toEqual([
    'profile',
    'signIn',
    'pinSet',
    'pinWrong',
    'unlocked',
    'coupon',
    'unlocked',
    'setting',
    'unlocked',
    'unlocked',
    'lockedNow',
  ]);
  const entries = await entriesOf(terminal);
  expect(entries.find(({ action }) => action.kind === 'coupon')).toMatchObject({
    email: before.session.email,
    companyId: before.profile?.companyId,
    isPractice: false,
    isWithPin: true,
  });
  expect(entries.find(({ action }) => action.kind === 'setting')?.action).toEqual({
    kind: 'setting',
    field: 'queueLimits.historyDays',
    from: '30',
    to: '60',
  });
  expect((await stateOf(terminal)).lock.newestEntry).toBe(12);
});

test('for one action lets one pass; signing out ends an unlocking and the next one must ask anew', async () => {
  const { terminal, handlers, platform } = await open();
  await handlers['lock:setPin']({ pin });
  await handlers['lock:unlock']({ pin, opens: 'lock' });
  expect(await handlers['lock:choose']({ kinds: ['users', 'coupons'], opensForMinutes: 0 })).toMatchObject({
    ok: true,
  });
  await handlers['lock:lockNow']({});
  await handlers['lock:unlock']({ pin, opens: 'users' });
  expect(await handlers['user:restore']({ userId: '5' as Id })).toMatchObject({ ok: true });
  expect(await handlers['user:restore']({ userId: '6' as Id })).toEqual(fail({ kind: 'locked' }));
  expect(await handlers['settings:update']({ quietHours: { from: 1, to: 2 } })).toMatchObject({ ok: true });
  await handlers['lock:unlock']({ pin, opens: 'users' });
  await handlers['session:signOut']({});
  await signIn(terminal, platform);
  expect(await handlers['user:restore']({ userId: '6' as Id })).toEqual(fail({ kind: 'locked' }));
  expect((await stateOf(terminal)).lock).toMatchObject({
    kinds: ['users', 'coupons'],
    opensForMinutes: 0,
    openUntil: null,
  });
});

test('PIN, waiting and list outlast a restart; a terminal whose document has no lock yet opens without one', async () => {
  const { terminal, handlers, platform, machine, start } = await open({
    version: 2,
    language: 'en',
    theme: 'dark',
    mode: null,
  });
  await handlers['lock:setPin']({ pin });
  // The last of them makes the next wait for minutes: a busy machine is sure to be there before.
  const wrongPins = 8;
  for (let count = 0; count < wrongPins; count += 1) {
    machine.sleptMs += 15 * 60_000;
    await handlers['lock:unlock']({ pin: '0000', opens: 'coupons' });
  }
  await terminal.close();
  expect(machine.settings()).toMatchObject({ theme: 'dark', lock: { wrong: wrongPins } });
  const next = await start();
  await signInWithSecret(next, platform);
  expect(await next.handlers['lock:unlock']({ pin, opens: 'coupons' })).toMatchObject(
    fail({ kind: 'pinWaits', retryAfterMs: expect.any(Number) }),
  );
  expect((await stateOf(next)).lock.waitUntil).toBeGreaterThan(Date.now() - 1);
  expect(await next.handlers['coupon:switch']({ productId: product, isEnabled: true })).toEqual(
    fail({ kind: 'locked' }),
  );
  await next.close();
  const all = ['profile', 'signIn', 'pinSet', ...Array<string>(wrongPins).fill('pinWrong'), 'signIn'];
  expect(await writtenIn(machine.folder)).toEqual(all);
});

test('a forgotten PIN is given up at the start by who can start the app so, which is said and on the list', async () => {
  const { terminal, handlers, platform, machine, start } = await open();
  await handlers['lock:setPin']({ pin });
  await terminal.close();
  const next = await start(undefined, { forgetPin: true });
  await signInWithSecret(next, platform);
  expect(await next.handlers['settings:update']({ quietHours: { from: 1, to: 2 } })).toMatchObject({ ok: true });
  expect((await stateOf(next)).notices).toMatchObject([{ kind: 'pinForgotten' }]);
  expect(machine.settings()).toMatchObject({ lock: { pinHash: null } });
  expect(await actionsOf(next)).toContain('pinForgotten');
  await next.close();
  // Where there is none, there is nothing to say.
  expect((await stateOf(await start(undefined, { forgetPin: true }))).notices).toEqual([]);
});

test('a forgotten PIN stays so at a start whose provisioning file sets one; the next start sets it', async () => {
  const { start, platform } = await prepare();
  const provision = { ...provisionOf(platform), managerLock: { pin } };
  await (await start(provision)).close();
  const forgotten = await start(provision, { forgetPin: true });
  expect(await stateOf(forgotten)).toMatchObject({ lock: { hasPin: false }, notices: [{ kind: 'pinForgotten' }] });
  await forgotten.close();
  expect((await stateOf(await start(provision))).lock.hasPin).toBe(true);
});

/** The list is for who is signed in; that entry is left out. */
async function actionsBefore(terminal: Terminal, platform: TrainingPlatform): Promise<readonly string[]> {
  await signIn(terminal, platform);
  return (await actionsOf(terminal)).filter((kind) => kind !== 'signIn');
}

test('what a full disk keeps from being chosen locks as before, and is not on the list', async () => {
  const { machine, terminal, handlers } = await open();
  await handlers['lock:setPin']({ pin });
  const { kinds } = (await stateOf(terminal)).lock;
  machine.isSettingsDiskFull = true;
  await handlers['lock:unlock']({ pin, opens: 'lock' });
  expect(await handlers['lock:choose']({ kinds: [], opensForMinutes: 0 })).toEqual(fail({ kind: 'storageFull' }));
  expect((await stateOf(terminal)).lock.kinds).toEqual(kinds);
  expect(await handlers['coupon:switch']({ productId: product, isEnabled: true })).toEqual(fail({ kind: 'locked' }));
  await handlers['lock:unlock']({ pin, opens: 'settings' });
  for (const chosen of [{ lookupNeedsSignIn: true }, { theme: 'dark' }] as const) {
    expect(await handlers['settings:update'](chosen)).toEqual(fail({ kind: 'storageFull' }));
  }
  expect(await stateOf(terminal)).toMatchObject({ lookupNeedsSignIn: false, theme: 'dark' });
  const listed = await actionsOf(terminal);
  expect(listed.filter((kind) => kind === 'lockChosen' || kind === 'setting')).toEqual([]);
});

test('what is unlocked stays so where a full disk keeps the lock from being chosen', async () => {
  const { machine, handlers } = await open();
  await handlers['lock:setPin']({ pin });
  await handlers['lock:unlock']({ pin, opens: 'lock' });
  await handlers['lock:choose']({ kinds: ['coupons'], opensForMinutes: 5 });
  machine.isSettingsDiskFull = true;
  await handlers['lock:unlock']({ pin, opens: 'coupons' });
  await handlers['lock:unlock']({ pin, opens: 'lock' });
  expect(await handlers['lock:choose']({ kinds: [], opensForMinutes: 0 })).toEqual(fail({ kind: 'storageFull' }));
  expect(await handlers['coupon:switch']({ productId: product, isEnabled: true })).toMatchObject({ ok: true });
});

test('a PIN that is provisioned locks from the first moment on', async () => {
  const { start, platform, machine, logged } = await prepare();
  const { platformUrl, companyId, clientSecret } = platform;
  const provision = provisionOf(platform);
  const terminal = await start({
    ...provision,
    managerLock: { pin, kinds: ['users', 'settings'], opensForMinutes: 5 },
  });
  expect((await stateOf(terminal)).lock).toMatchObject({
    hasPin: true,
    kinds: ['users', 'settings'],
    opensForMinutes: 5,
  });
  expect(await terminal.handlers['profile:connect'](connectionOf(platform))).toEqual(fail({ kind: 'locked' }));
  expect(await terminal.handlers['lock:setPin']({ pin: '1111', oldPin: pin })).toEqual(fail({ kind: 'signInNeeded' }));
  expect(await actionsBefore(terminal, platform)).toEqual(['pinProvisioned', 'provisioned']);
  expect(await terminal.handlers['profile:remove']({ profileId: 1 })).toEqual(fail({ kind: 'locked' }));
  const entry = (await entriesOf(terminal)).find(({ action }) => action.kind === 'provisioned');
  expect(entry).toMatchObject({
    email: null,
    companyId,
    isPractice: false,
    action: {
      name: `${new URL(platformUrl).host} ${companyId}`,
      fields: ['platformUrl', 'clientId', 'clientSecret', 'companyId', 'stockIds'],
    },
  });
  expect(logged.filter((line) => line.includes('set up by the provisioning file'))).toHaveLength(1);
  expect(logged.join('\n')).not.toContain(clientSecret);
  const { pinHash } = (machine.settings() as { lock: { pinHash: string } }).lock;
  await terminal.close();
  const other = await prepare();
  const second = await other.start({ ...provision, managerLock: { pinHash } });
  expect(await second.handlers['lock:unlock']({ pin, opens: 'coupons' })).toMatchObject({ ok: true });
});

test('an unchanged provisioning file is one entry for all starts and takes no wrong attempt back', async () => {
  const { start, platform, machine } = await prepare();
  const provision = { ...provisionOf(platform), managerLock: { pin, opensForMinutes: 5 } };
  const first = await start(provision);
  for (let count = 0; count < 3; count += 1) {
    expect(await first.handlers['lock:unlock']({ pin: '0000', opens: 'coupons' })).toMatchObject(
      fail({ kind: 'pinWrong' }),
    );
  }
  await first.close();
  const next = await start(provision);
  expect(machine.settings()).toMatchObject({ lock: { wrong: 3 } });
  await next.close();
  expect(await writtenIn(machine.folder)).toEqual([
    'pinProvisioned',
    'provisioned',
    'pinWrong',
    'pinWrong',
    'pinWrong',
  ]);
  const last = await start({ ...provision, managerLock: { pin: '1357', opensForMinutes: 5 } });
  expect(await last.handlers['lock:unlock']({ pin: '1357', opens: 'coupons' })).toMatchObject({ ok: true });
  await last.close();
  expect(await writtenIn(machine.folder)).toEqual([
    'pinProvisioned',
    'provisioned',
    'pinWrong',
    'pinWrong',
    'pinWrong',
    'pinProvisioned',
    'unlocked',
  ]);
  const language = 'es' as const;
  const other = await start({
    ...provision,
    language,
    managerLock: { pin: '1357', opensForMinutes: 5 },
    profile: { ...provision.profile, stockIds: provision.profile.stockIds.slice(0, 1) },
  });
  await signIn(other, platform);
  expect((await entriesOf(other, '1357')).find(({ action }) => action.kind === 'provisioned')?.action).toMatchObject({
    kind: 'provisioned',
    fields: ['stockIds', 'language'],
  });
});

test('the list is handed over for a file, page by page', async () => {
  const { handlers } = await open();
  await handlers['lock:setPin']({ pin });
  expect(await handlers['audit:export']({ group: 'all', after: 0 })).toEqual(fail({ kind: 'locked' }));
  await handlers['lock:unlock']({ pin, opens: 'coupons' });
  expect(await handlers['audit:export']({ group: 'all', after: 0 }), 'a PIN for a coupon').toEqual(
    fail({ kind: 'locked' }),
  );
  await handlers['lock:unlock']({ pin, opens: 'audit' });
  const exported = await handlers['audit:export']({ group: 'all', after: 0 });
  expect(exported).toMatchObject(
    succeed({
      rows: [
        { id: 1 },
        { id: 2 },
        { id: 3, isPractice: false, isWithPin: false, action: { kind: 'pinSet' } },
        { id: 4 },
        { id: 5 },
      ],
      next: null,
    }),
  );
});

test('a list that cannot be kept is said and holds nobody up; a damaged one is set aside', async () => {
  const blocked = openMachine();
  mkdirSync(join(blocked.folder, 'audit.db'));
  const terminal = await blocked.start();
  expect(await terminal.handlers['practice:start']({})).toMatchObject({ ok: true });
  expect((await stateOf(terminal)).notices).toMatchObject([{ kind: 'auditNotKept' }]);

  const damaged = openMachine();
  writeFileSync(join(damaged.folder, 'audit.db'), 'not a database, '.repeat(500));
  expect((await stateOf(await damaged.start())).notices).toMatchObject([
    { kind: 'auditSetAside', detail: expect.stringContaining('audit.db.damaged-') },
  ]);
});

test('a terminal that cannot open leaves the list free for the next try', async () => {
  const machine = openMachine({ mode: 'practice' });
  const directory = join(machine.folder, 'practice');
  mkdirSync(directory);
  const later = await Database.open(join(directory, 'queue.db'), {
    kind: 'precious',
    migrations: [...queueMigrations, { version: 999, sql: 'CREATE TABLE later (id INTEGER) STRICT' }],
  });
  later.close();
  await expect(machine.start()).rejects.toThrow('version 999');
  const list = await Database.open(join(machine.folder, 'audit.db'), { kind: 'precious', migrations: auditMigrations });
  list.close();
});

test('no PIN is in the log, the settings, an event, an answer or a file', async () => {
  const { terminal, handlers, logged, machine } = await open();
  const answers: unknown[] = [];
  const setPins: InvokeInput<'lock:setPin'>[] = [
    { pin },
    { pin: '86420975' },
    { pin: null, oldPin: '86420975' },
    { pin: '86420975', oldPin: pin },
    { pin, oldPin: '86420975' },
  ];
  for (const input of setPins) {
    answers.push(await handlers['lock:setPin'](input));
  }
  answers.push(
    await handlers['lock:unlock']({ pin: '86420975', opens: 'coupons' }),
    await handlers['lock:unlock']({ pin, opens: 'coupons' }),
    await handlers['audit:export']({ group: 'all', after: 0 }),
    await entriesOf(terminal),
    await stateOf(terminal),
  );
  await terminal.close();
  const files = readdirSync(machine.folder, { recursive: true, encoding: 'utf8' }).flatMap((name) => {
    try {
      return [readFileSync(join(machine.folder, name), 'latin1')];
    } catch {
      return [];
    }
  });
  expect(files.length).toBeGreaterThan(2);
  const everything = [JSON.stringify(answers), ...logged, ...files];
  for (const secret of [pin, '86420975']) {
    expect(everything.filter((text) => text.includes(secret))).toEqual([]);
  }
  // The search can find: what was noted is there.
  expect(everything.some((text) => text.includes('pinWrong'))).toBe(true);
});

test('practice has a PIN of its own: neither opens what the other holds, and it is gone with practice', async () => {
  const { platform, start } = await prepare();
  const terminal = await start();
  const { handlers } = terminal;
  const switchCoupon = () => handlers['coupon:switch']({ productId: product, isEnabled: true });
  expect(await handlers['practice:start']({})).toMatchObject({ ok: true });
  expect(await handlers['lock:setPin']({ pin })).toMatchObject({ ok: true });
  expect(await switchCoupon()).toEqual(fail({ kind: 'locked' }));

  // It holds nothing of the terminal, where nobody has set any.
  await connect(terminal, platform);
  await signIn(terminal, platform);
  expect((await stateOf(terminal)).lock).toMatchObject({ hasPin: false, openUntil: null });
  expect(await switchCoupon()).toMatchObject({ ok: true });
  expect(await handlers['lock:setPin']({ pin: '1357' })).toMatchObject({ ok: true });

  expect(await handlers['practice:start']({})).toMatchObject({ ok: true });
  expect((await stateOf(terminal)).lock).toMatchObject({ hasPin: false });
  expect(await handlers['lock:setPin']({ pin })).toMatchObject({ ok: true });
  expect(await handlers['lock:unlock']({ pin: '1357', opens: 'coupons' })).toMatchObject({
    failure: { kind: 'pinWrong' },
  });
  expect(await handlers['lock:unlock']({ pin, opens: 'settings' })).toMatchObject({ ok: true });
  // Settings under the terminal's PIN are not opened from here, by whichever PIN.
  expect(await handlers['profile:connect'](connectionOf(platform))).toEqual(fail({ kind: 'notInPractice' }));
  expect(await handlers['settings:update']({ quietHours: { from: 1, to: 2 } })).toMatchObject({ ok: true });

  await terminal.close();
  const later = await start();
  expect((await stateOf(later)).lock).toMatchObject({ hasPin: false });
  expect(await later.handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
  expect((await stateOf(later)).lock).toMatchObject({ hasPin: true });
});

test('a token for programs is made behind its own lock alone, whatever the settings are open to', async () => {
  const { terminal, handlers } = await open();
  await handlers['lock:setPin']({ pin });
  await handlers['lock:unlock']({ pin, opens: 'lock' });
  await handlers['lock:choose']({ kinds: ['coupons'], opensForMinutes: 0 });
  const update = (hash: string | null) =>
    dispatch(handlers, 'settings:update', { localApiTokenHash: hash }, () => undefined);
  expect(await update(hashOfToken(newSecret()))).toMatchObject({ ok: false, failure: { kind: 'inputInvalid' } });
  expect((await stateOf(terminal)).localApiTokenHash).toBe(null);
  expect(await update(null)).toMatchObject({ ok: true });
});

test('signing out, leaving, switching and renaming that do nothing push nothing out of the list', async () => {
  const { platform, terminal, handlers } = await open();
  const listedBy = async (call: () => Promise<{ readonly ok: boolean }>): Promise<number> => {
    const { newestEntry } = (await stateOf(terminal)).lock;
    expect(await call()).toMatchObject({ ok: true });
    return (await stateOf(terminal)).lock.newestEntry - newestEntry;
  };
  const switching = () => handlers['profile:switch']({ profileId: 1 });
  const signingOut = () => handlers['session:signOut']({});
  const leaving = () => handlers['profile:leave']({});
  expect(await listedBy(switching)).toBe(0);
  const renaming = () => handlers['profile:rename']({ profileId: 1, name: 'Centro' });
  expect(await listedBy(renaming)).toBe(1);
  expect(await listedBy(renaming)).toBe(0);
  expect(await listedBy(signingOut)).toBe(1);
  expect(await listedBy(signingOut)).toBe(0);
  expect(await listedBy(switching)).toBe(0);
  expect(await listedBy(leaving)).toBe(1);
  expect(await listedBy(leaving)).toBe(0);
  expect(await listedBy(switching)).toBe(1);
  // Of many at once, one does something.
  const atOnce = (call: () => Promise<{ readonly ok: boolean }>) => async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, call));
    return { ok: answers.every(({ ok }) => ok) };
  };
  expect(await listedBy(atOnce(leaving))).toBe(1);
  expect(await listedBy(atOnce(switching))).toBe(1);
  await signIn(terminal, platform);
  expect(await listedBy(atOnce(signingOut))).toBe(1);
});
