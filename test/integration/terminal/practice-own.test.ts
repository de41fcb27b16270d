// The proof over a whole terminal that practice has settings, a lock, a list and a token of its own: what is chosen there
// reaches the devices while it is open, and never the terminal's document, its list or the next stay.
import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import type { AuditEntry } from '../../../app/contract/audit.ts';
import { defaultLocalApi } from '../../../app/contract/local-api.ts';
import { defaultSettings } from '../../../app/contract/settings.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { createNodeClock } from '../../../app/hosts/node/node-ports.ts';
import { createLoopback } from '../../../app/hosts/programs/loopback.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { ask } from '../../support/gated-host.ts';
import { patience } from '../../support/loopback.ts';
import { openMachine, openPlatformForTest, profileOf, stateOf } from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

const pin = '2580';
const practicePin = '1357';
const localApi = { ...defaultLocalApi, isOn: true, port: 0 } as const;
const labelPrinter = { kind: 'network', host: '192.0.2.7', port: 9100, language: 'zpl', dpi: 203 } as const;

const actionsOf = async ({ handlers }: Terminal): Promise<readonly AuditEntry['action'][]> =>
  valueOf(await handlers['audit:list']({ group: 'all', offset: 0, limit: 50 })).rows.map(({ action }) => action);

/** A shop's terminal with somebody signed in, and what stands around it. */
async function shop() {
  const platform = await openPlatformForTest();
  const machine = openMachine({ mode: null, theme: 'dark' });
  machine.practice = await openPlatformForTest();
  const api = createLoopback({ clock: createNodeClock(), log: () => undefined });
  onTestFinished(api.close);
  const shortcuts: (string | null)[] = [];
  const scanners: (string | null)[] = [];
  machine.around = {
    localApi: api,
    desktop: {
      holdShortcut: (shortcut) => (shortcuts.push(shortcut), true),
      hideCompanion: () => undefined,
      fitCompanion: () => undefined,
      showWindow: () => undefined,
    },
    scannerDevices: {
      list: () => Promise.resolve([]),
      use: (choice) => void scanners.push(choice === null ? null : JSON.stringify(choice)),
      connection: () => 'off',
      listen: () => undefined,
    },
  };
  const terminal = await machine.start();
  const handlers = api.begin(terminal);
  const { email, password, clientSecret } = platform;
  await handlers['profile:connect']({ ...profileOf(platform), clientSecret });
  const signIn = () => handlers['session:signIn']({ email, password });
  await signIn();
  /** The answer to a program with this token. */
  const asked = async (token: string) => {
    const port = (await stateOf(terminal)).localApi?.openPort ?? null;
    return port === null ? null : (await ask(port, 'GET', '/v1/queue', { Authorization: `Bearer ${token}` })).status;
  };
  const isOpen = () => expect.poll(async () => (await stateOf(terminal)).localApi?.status, patience).toBe('open');
  /** The document without what says which store is open. */
  const kept = (): unknown => ({ ...machine.settings(), mode: null });
  return { machine, terminal, handlers, signIn, asked, isOpen, kept, shortcuts, scanners };
}

test("what is chosen in practice is practice's own, and neither the terminal's nor the next stay's", async () => {
  const { terminal, handlers, kept, shortcuts, scanners } = await shop();
  const before = await stateOf(terminal);
  expect(await handlers['practice:start']({})).toEqual(succeed({}));
  const document = kept();
  const heldBefore = [shortcuts.at(-1), scanners.at(-1)];
  expect(await stateOf(terminal)).toMatchObject({ theme: 'dark', queueLimits: before.queueLimits });
  const chosen = {
    theme: 'light',
    language: 'es',
    labelPrinter,
    queueLimits: { historyDays: 7, askAfterHours: 1 },
    lookupNeedsSignIn: true,
    scannerDevice: { kind: 'serial', vendorId: 1, productId: 2, serialNumber: null, name: 'COM3', baudRate: 9600 },
    companion: { ...defaultSettings.companion, shortcut: 'Control+Shift+F9' },
  } as const;
  expect(await handlers['settings:update'](chosen)).toEqual(succeed({}));
  const { companion, scannerDevice: _held, ...shown } = chosen;
  expect(await stateOf(terminal)).toMatchObject({ ...shown, companion: { shortcut: companion.shortcut } });
  expect(shortcuts.at(-1)).toBe('Control+Shift+F9');
  expect(scanners.at(-1)).toBe(JSON.stringify(chosen.scannerDevice));
  expect(kept()).toEqual(document);

  expect(await handlers['profile:switch']({ profileId: 1 })).toEqual(succeed({}));
  const { theme, language, labelPrinter: printer, queueLimits, lookupNeedsSignIn } = before;
  expect(await stateOf(terminal)).toMatchObject({
    mode: 'platform',
    theme,
    language,
    labelPrinter: printer,
    queueLimits,
    lookupNeedsSignIn,
  });
  expect([shortcuts.at(-1), scanners.at(-1)]).toEqual(heldBefore);
  expect(kept()).toEqual(document);
  expect(await handlers['practice:start']({})).toEqual(succeed({}));
  expect(await stateOf(terminal)).toMatchObject({ theme: 'dark', labelPrinter: printer, queueLimits });
});

test('nothing of practice is on disk while it is open, and a start begins it anew', async () => {
  const { machine, terminal, handlers, kept } = await shop();
  await handlers['lock:setPin']({ pin });
  await handlers['practice:start']({});
  const document = kept();
  await handlers['settings:update']({ theme: 'light', quietHours: { from: 1, to: 2 } });
  await handlers['lock:setPin']({ pin: practicePin });
  expect((await stateOf(terminal)).lock.hasPin).toBe(true);
  expect(kept()).toEqual(document);
  await terminal.close();
  expect(kept()).toEqual(document);
  const next = await machine.start();
  expect(await stateOf(next)).toMatchObject({
    mode: 'practice',
    theme: 'dark',
    quietHours: defaultSettings.quietHours,
    lock: { hasPin: false, newestEntry: 0 },
  });
});

test("practice has a list of its own; what leads into it, out of it or to the machine is in the terminal's", async () => {
  const { terminal, handlers, signIn } = await shop();
  await handlers['practice:start']({});
  expect(await actionsOf(terminal)).toEqual([]);
  await handlers['lock:setPin']({ pin: practicePin });
  await handlers['lock:unlock']({ pin: '0000', opens: 'settings' });
  await handlers['lock:unlock']({ pin: practicePin, opens: 'settings' });
  await handlers['settings:update']({ quietHours: { from: 1, to: 2 } });
  await handlers['lock:unlock']({ pin: practicePin, opens: 'audit' });
  expect((await actionsOf(terminal)).map(({ kind }) => kind)).toEqual([
    'unlocked',
    'setting',
    'setting',
    'unlocked',
    'pinWrong',
    'pinSet',
  ]);
  const exported = valueOf(await handlers['audit:export']({ group: 'all', after: 4 }));
  expect(exported).toMatchObject({ rows: [{ id: 5, isPractice: true }, { id: 6 }], next: null });
  const ofSettings = await handlers['audit:list']({ group: 'settings', offset: 1, limit: 1 });
  expect(valueOf(ofSettings).rows).toMatchObject([{ action: { kind: 'setting', field: 'quietHours.from' } }]);

  await handlers['profile:switch']({ profileId: 1 });
  await signIn();
  expect(await actionsOf(terminal)).toMatchObject([
    { kind: 'signIn' },
    { kind: 'profile', did: 'switched' },
    { kind: 'practiceOpened' },
    { kind: 'signIn' },
    { kind: 'profile', did: 'connected' },
  ]);
  await handlers['practice:start']({});
  expect(await actionsOf(terminal)).toEqual([]);
});

test("a token of practice opens practice alone; the terminal's is neither shown nor taken away there", async () => {
  const { terminal, handlers, asked, isOpen, kept, signIn } = await shop();
  await handlers['settings:update']({ localApi });
  const { token } = valueOf(await handlers['localApi:makeToken']({}));
  await isOpen();
  expect(await asked(token)).toBe(200);

  await handlers['practice:start']({});
  const document = kept();
  expect((await stateOf(terminal)).localApiTokenHash).toBe(null);
  expect(await asked(token), 'as before, it reaches whatever store is open').toBe(200);
  const { token: ofPractice } = valueOf(await handlers['localApi:makeToken']({}));
  expect((await stateOf(terminal)).localApiTokenHash).not.toBe(null);
  expect([await asked(token), await asked(ofPractice)]).toEqual([200, 200]);
  await handlers['settings:update']({ localApiTokenHash: null });
  expect([await asked(token), await asked(ofPractice)]).toEqual([200, 401]);
  const { token: another } = valueOf(await handlers['localApi:makeToken']({}));
  expect(await asked(another)).toBe(200);
  expect(kept()).toEqual(document);

  await handlers['profile:switch']({ profileId: 1 });
  await signIn();
  expect([await asked(token), await asked(another)]).toEqual([200, 401]);
  await handlers['practice:start']({});
  expect([await asked(token), await asked(another)]).toEqual([200, 401]);
});

test('what a program has begun to ask for by a token of practice switches nothing once that has ended', async () => {
  const { terminal, handlers, isOpen } = await shop();
  await handlers['settings:update']({ localApi });
  await handlers['localApi:makeToken']({});
  await isOpen();
  await handlers['practice:start']({});
  await handlers['settings:update']({ localApi: { ...localApi, mayChangeCoupons: true } });
  const { token } = valueOf(await handlers['localApi:makeToken']({}));
  const port = (await stateOf(terminal)).localApi?.openPort ?? 0;
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json', 'Content-Length': 13 };
  const asking = httpRequest({ host: '127.0.0.1', port, method: 'PUT', path: '/v1/coupons/1000003', headers });
  onTestFinished(() => void asking.destroy());
  const answered = once(asking, 'response');
  asking.write('{"isOn":');
  await expect.poll(() => asking.writableLength, patience).toBe(0);
  // A request that is whole is answered after it, on a connection that was opened later.
  expect((await ask(port, 'GET', '/v1/queue', { Authorization: `Bearer ${token}` })).status).toBe(200);
  await handlers['profile:switch']({ profileId: 1 });
  expect(await stateOf(terminal)).toMatchObject({ mode: 'platform', phase: 'ready' });
  asking.end('true}');
  expect(await answered).toMatchObject([{ statusCode: 403 }]);
  expect(await stateOf(terminal)).toMatchObject({ queue: { pending: 0, inFlight: 0, delivered: 0 } });
});

test("the terminal's PIN holds the machine in practice as well; a station tried there ends with it", async () => {
  const { machine, terminal, handlers, kept } = await shop();
  await handlers['lock:setPin']({ pin });
  await handlers['practice:start']({});
  const document = kept();
  const station = { ...defaultSettings.station, isOn: true };
  expect(await handlers['settings:update']({ station }), 'without a PIN').toEqual(fail({ kind: 'inputInvalid' }));
  expect(await handlers['device:quit']({})).toEqual(fail({ kind: 'notInPractice' }));
  expect(await handlers['device:setStartsAtSignIn']({ isOn: true })).toEqual(fail({ kind: 'notInPractice' }));
  await handlers['lock:setPin']({ pin: practicePin });
  await handlers['lock:unlock']({ pin: practicePin, opens: 'settings' });
  expect(await handlers['settings:update']({ station })).toEqual(succeed({}));
  expect((await stateOf(terminal)).station.isOn).toBe(true);
  expect(await handlers['station:leave']({ pin })).toMatchObject({ failure: { kind: 'pinWrong' } });
  expect(await handlers['station:leave']({ pin: practicePin })).toEqual(succeed({}));
  await handlers['lock:unlock']({ pin: practicePin, opens: 'settings' });
  await handlers['settings:update']({ station });
  await terminal.close();
  const next = await machine.start();
  expect(await stateOf(next)).toMatchObject({ mode: 'practice', station: { isOn: false }, lock: { hasPin: false } });
  expect(kept()).toEqual(document);
});

test("with a PIN and no profile, what is chosen in practice is practice's own as well", async () => {
  const { terminal, machine } = await shop();
  const { handlers } = terminal;
  await handlers['lock:setPin']({ pin });
  await handlers['lock:unlock']({ pin, opens: 'settings' });
  expect(await handlers['profile:remove']({ profileId: 1 })).toEqual(succeed({}));
  expect(await handlers['settings:update']({ localApi })).toEqual(fail({ kind: 'locked' }));
  const before = JSON.stringify({ ...machine.settings(), mode: null });
  await handlers['practice:start']({});
  expect(await handlers['settings:update']({ localApi, labelPrinter, language: 'es' })).toEqual(succeed({}));
  expect(JSON.stringify({ ...machine.settings(), mode: null })).toBe(before);
});

test('while practice is being opened nobody has the settings, the list or the tokens of the terminal', async () => {
  const { machine, terminal, handlers, kept } = await shop();
  const [practice, answers] = [machine.practice, [] as unknown[]];
  if (practice === null) {
    throw new Error('no practice store');
  }
  const document = kept();
  machine.startsPractice = async () => {
    answers.push(
      await handlers['settings:update']({ lookupNeedsSignIn: true }),
      await handlers['lock:setPin']({ pin: practicePin }),
      await handlers['localApi:makeToken']({}),
      await handlers['audit:list']({ group: 'all', offset: 0, limit: 1 }),
    );
    return { ...practice, close: () => Promise.resolve() };
  };
  expect(await handlers['practice:start']({})).toEqual(succeed({}));
  expect(answers).toEqual(answers.map(() => fail({ kind: 'signInNeeded' })));
  expect(answers).toHaveLength(4);
  expect(kept()).toEqual(document);
  expect((await stateOf(terminal)).lock.hasPin).toBe(false);
});
