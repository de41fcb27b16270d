// Proves that terminals take part in their shop's hub as whole terminals: they join, share, restart and leave, and the
// hub's address is in the keychain alone.
import { expect, onTestFinished, test } from 'vitest';
import type { HubReading } from '../../../app/contract/hub.ts';
import { succeed } from '../../../app/domain/result.ts';
import { printHubAddress } from '../../../app/hub/address.ts';
import { growAfterMs, reclaimAfterMs } from '../../../app/hub/document.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { signInForTraining, whileTimePasses } from '../../endurance/terminal-on-files.ts';
import { findSecretsIn } from '../../support/canary.ts';
import { hubAddress, hubAddressText } from '../../support/hub-register.ts';
import { joinAs, openHubShop, openSignedIn } from '../../support/hub-shop.ts';
import { openPracticeTerminal } from '../../support/practice-terminal.ts';

const passed = succeed({ wrongPart: null, failure: null });

const elsewhere = { ...hubAddress, host: '192.168.0.12', storeKey: Buffer.alloc(32, 1).toString('base64url') };

/** Two tills, signed in, which have joined the hub of a new shop. */
async function openTwo() {
  const shop = await openHubShop();
  const one = await openSignedIn(shop, shop.machine('one').start());
  const two = await openSignedIn(shop, shop.machine('two').start());
  expect(await joinAs(shop, one, 'Caixa 1')).toEqual(passed);
  expect(await joinAs(shop, two, 'Caixa 2')).toEqual(passed);
  return { shop, clock: shop.clock, one, two };
}

async function readHub({ handlers }: Terminal): Promise<HubReading['hub']> {
  const read = await handlers['hub:read']({});
  return read.ok ? read.value.hub : expect.fail(read.failure.kind);
}

test('two terminals join, see each other and take no more than the limit together; one leaves and is alone', async () => {
  const shop = await openHubShop();
  const { clock, machine } = shop;
  const [machineOne, machineTwo] = [machine('one'), machine('two')];
  const one = await openSignedIn(shop, machineOne.start());
  const two = await openSignedIn(shop, machineTwo.start());
  await clock.advance(60_000);
  expect(await readHub(one)).toBeNull();
  expect(shop.register.opened).toBe(0);
  expect(await joinAs(shop, one, 'Caixa 1')).toEqual(passed);
  expect(await joinAs(shop, two, 'Caixa 2')).toEqual(passed);
  await clock.advance(90_000);
  const state = {
    mode: 'shared',
    failure: null,
    limit: 60,
    later: null,
    tills: [
      { name: 'Caixa 1', isSelf: true, state: 'here', share: 30, appVersion: '0.0.0' },
      { name: 'Caixa 2', isSelf: false, state: 'here', share: 30 },
    ],
  };
  expect(await readHub(one)).toMatchObject({
    terminalName: 'Caixa 1',
    host: '192.168.0.10',
    port: 5432,
    database: 'tillside',
    state,
  });
  expect(await readHub(two)).toMatchObject({ state: { mode: 'shared', tills: [{ name: 'Caixa 2' }, {}] } });
  expect(await two.handlers['terminal:read']({})).toMatchObject(
    succeed({ phase: 'ready', session: { state: 'signedIn' }, catalogue: { phase: 'complete' } }),
  );
  expect(await whileTimePasses(clock, two.handlers['hub:test']({}))).toEqual(passed);

  expect(await whileTimePasses(clock, two.handlers['hub:leave']({}))).toEqual(succeed({}));
  expect(await readHub(two)).toBeNull();
  expect(machineTwo.settings()['hub']).toBeNull();
  expect([...machineTwo.secrets.keys()]).not.toContain('hub-address');
  expect(await two.handlers['hub:test']({})).toMatchObject({ failure: { kind: 'notFoundHere' } });
  expect(await two.handlers['audit:list']({ group: 'settings', offset: 0, limit: 10 })).toMatchObject(
    succeed({
      rows: [
        { action: { kind: 'setting', field: 'hub', from: 'Caixa 2: 192.168.0.10:5432/tillside', to: '' } },
        { action: { kind: 'setting', field: 'hub', from: '', to: 'Caixa 2: 192.168.0.10:5432/tillside' } },
        { action: { kind: 'provisioned' } },
      ],
    }),
  );
  // It keeps no share, and is forgotten when what it was lent is over.
  await clock.advance(60_000);
  expect(await readHub(one)).toMatchObject({ state: { tills: [{}, { name: 'Caixa 2', state: 'silent', share: 0 }] } });
  await clock.advance(reclaimAfterMs(60_000));
  expect(await readHub(one)).toMatchObject({ state: { tills: [{ name: 'Caixa 1', share: 60 }] } });
});

test('tills that are set to count each client ID say so, and until all are, all share one limit (H17)', async () => {
  const { clock, one, two } = await openTwo();
  await clock.advance(60_000);
  const change = one.handlers['settings:update']({ rateLimitAccount: 'client' });
  expect(await whileTimePasses(clock, change)).toEqual(succeed({}));
  expect(await one.handlers['terminal:read']({})).toMatchObject(
    succeed({ phase: 'ready', session: { state: 'signedIn' } }),
  );
  await clock.advance(5 * 60_000);
  const apart = { mode: 'shared', limit: 60, kept: 0 };
  expect(await readHub(two)).toMatchObject({
    state: {
      ...apart,
      tills: [
        { name: 'Caixa 2', countsBy: 'platform', share: 30 },
        { name: 'Caixa 1', countsBy: 'client', hasOwnLimit: false, share: 30 },
      ],
    },
  });
  const second = two.handlers['settings:update']({ rateLimitAccount: 'client' });
  expect(await whileTimePasses(clock, second)).toEqual(succeed({}));
  await clock.advance(5 * 60_000);
  // They sign in as one client, and go on sharing its limit.
  expect(await readHub(two)).toMatchObject({
    state: {
      ...apart,
      tills: [
        { countsBy: 'client', share: 30 },
        { countsBy: 'client', hasOwnLimit: false, share: 30 },
      ],
    },
  });
});

test('a till that joins another hub keeps its share at the first one, and takes no more at the second (H1)', async () => {
  const { shop, clock, one, two } = await openTwo();
  await clock.advance(90_000);
  expect(await joinAs(shop, one, 'Caixa 1', printHubAddress(elsewhere))).toEqual(passed);
  await clock.advance(growAfterMs(60_000) + 120_000);
  expect(await readHub(one)).toMatchObject({
    host: '192.168.0.12',
    state: {
      mode: 'shared',
      tills: [
        { name: 'Caixa 1', share: 30 },
        { name: 'Caixa 2', state: 'silent', share: 30 },
      ],
    },
  });
  expect(await readHub(two)).toMatchObject({
    state: {
      mode: 'shared',
      tills: [
        { name: 'Caixa 2', share: 30 },
        { name: 'Caixa 1', state: 'silent', share: 30 },
      ],
    },
  });
  expect(await joinAs(shop, two, 'Caixa 2', printHubAddress(elsewhere))).toEqual(passed);
  await clock.advance(growAfterMs(60_000) + 120_000);
  expect(await readHub(one)).toMatchObject({ state: { tills: [{ state: 'here' }, { state: 'here', share: 30 }] } });
});

test('a wrong address, a refusing hub, another shop’s and a locked keychain are named, and nothing is kept', async () => {
  const shop = await openHubShop();
  const till = shop.machine('one');
  const terminal = await openSignedIn(shop, till.start());
  const other = await openSignedIn(shop, shop.machine('two').start());
  const refused = (failure: string | null, wrongPart: string | null = null) => succeed({ wrongPart, failure });
  expect(await joinAs(shop, terminal, 'Caixa 1', 'https://hub.example.com')).toEqual(refused(null, 'protocol'));
  expect(await joinAs(shop, terminal, 'Caixa 1', hubAddressText.split('#')[0])).toEqual(refused(null, 'storeKey'));
  const withPassword = printHubAddress({ ...hubAddress, password: 'wrong' });
  expect(await joinAs(shop, terminal, 'Caixa 1', withPassword)).toEqual(refused('wrongPassword'));
  expect(await joinAs(shop, other, 'Caixa 2')).toEqual(passed);
  await shop.clock.advance(5_000);
  const withKey = printHubAddress({ ...hubAddress, storeKey: Buffer.alloc(32, 1).toString('base64url') });
  expect(await joinAs(shop, terminal, 'Caixa 1', withKey)).toEqual(refused('otherKey'));
  till.isKeychainLocked = true;
  expect(await joinAs(shop, terminal, 'Caixa 1')).toEqual(refused('keychain'));
  expect(await readHub(terminal)).toBeNull();
  expect(till.settings()['hub']).toBeNull();
  expect([...till.secrets.keys()]).not.toContain('hub-address');
});

test('nothing that a person asks for waits behind a hub that is tried and does not answer', async () => {
  const shop = await openHubShop();
  const terminal = await openSignedIn(shop, shop.machine('first').start());
  shop.register.failure = 'noAnswer';
  const joining = terminal.handlers['hub:join']({ address: hubAddressText, name: 'Caixa 1' });
  const first = await whileTimePasses(
    shop.clock,
    Promise.race([joining.then(() => 'tried'), terminal.handlers['hub:leave']({}).then(() => 'left')]),
  );
  expect(first).toBe('left');
  expect(await whileTimePasses(shop.clock, joining)).toMatchObject({ value: { failure: 'noAnswer' } });
});

test('a hub that passes late is not joined where somebody has left, joined another or come meanwhile', async () => {
  const shop = await openHubShop();
  const terminal = await openSignedIn(shop, shop.machine('first').start());
  const { handlers } = terminal;
  const cancelled = { failure: { kind: 'cancelled' } };
  const join = (name: string) => handlers['hub:join']({ address: hubAddressText, name });
  const late = (then: () => Promise<unknown>) => {
    const joining = join('Caixa 1');
    return whileTimePasses(
      shop.clock,
      then().then(() => joining),
    );
  };
  expect(await late(() => handlers['hub:leave']({}))).toMatchObject(cancelled);
  expect(await late(() => signInForTraining(terminal, shop.clock))).toMatchObject(cancelled);
  expect(await late(() => join('Caixa 2'))).toMatchObject(cancelled);
  expect(await readHub(terminal)).toMatchObject({ terminalName: 'Caixa 2' });
});

test('a hub that passes late is not joined in a shop that was opened anew meanwhile', async () => {
  const shop = await openHubShop();
  const terminal = await openSignedIn(shop, shop.machine('first').start());
  const { handlers } = terminal;
  const { register, clock } = shop;
  const [open, answers] = [register.open, Promise.withResolvers<undefined>()];
  register.open = (address) => {
    const link = open(address);
    return { ...link, read: (...given) => answers.promise.then(() => link.read(...given)) };
  };
  const joining = handlers['hub:join']({ address: hubAddressText, name: 'Caixa 1' });
  for (const change of [
    () => handlers['session:signOut']({}),
    () => handlers['profile:leave']({}),
    () => handlers['profile:switch']({ profileId: 1 }),
  ]) {
    expect(await whileTimePasses(clock, change())).toMatchObject({ ok: true });
  }
  expect(await signInForTraining(terminal, clock)).toBe(true);
  answers.resolve(undefined);
  expect(await whileTimePasses(clock, joining)).toMatchObject({ failure: { kind: 'cancelled' } });
  expect(await readHub(terminal)).toBeNull();
});

test('a restart keeps the membership; without the keychain the till is cut off and goes on with its share', async () => {
  const shop = await openHubShop();
  const { clock } = shop;
  const till = shop.machine('one');
  const first = await openSignedIn(shop, till.start());
  expect(await joinAs(shop, first, 'Caixa 1')).toEqual(passed);
  await clock.advance(growAfterMs(60_000) + 60_000);
  expect(await readHub(first)).toMatchObject({ state: { mode: 'shared' } });
  const joined = till.settings()['hub'];
  await whileTimePasses(clock, first.close());

  const second = await till.start();
  await clock.advance(15_000);
  expect(till.settings()['hub']).toEqual(joined);
  expect(await readHub(second)).toMatchObject({ state: { mode: 'shared', tills: [{ name: 'Caixa 1' }] } });
  await clock.advance(60_000);
  shop.register.failure = 'unreachable';
  await clock.advance(15_000);
  expect(await readHub(second)).toMatchObject({
    state: { mode: 'cutOff', failure: 'unreachable', limit: 3, later: { limit: 60 } },
  });
  await clock.advance(growAfterMs(60_000));
  expect(await readHub(second)).toMatchObject({ state: { mode: 'alone', limit: 60, later: null } });
  shop.register.failure = null;
  await clock.advance(15_000);
  expect(await readHub(second)).toMatchObject({ state: { mode: 'shared', limit: 60 } });
  await whileTimePasses(clock, second.close());

  // One that has told that it ends leaves the others its share, but for what a start needs.
  till.isKeychainLocked = true;
  const third = await till.start();
  await clock.advance(15_000);
  expect(await readHub(third)).toMatchObject({ state: { mode: 'cutOff', failure: 'keychain', limit: 3, later: null } });
  till.isKeychainLocked = false;
  await clock.advance(90_000);
  expect(await readHub(third)).toMatchObject({ state: { mode: 'shared', failure: null } });
});

test('a hub whose document nobody can read is written anew, and nothing is lent until all is over (H8)', async () => {
  const shop = await openHubShop();
  const { clock, register } = shop;
  const terminal = await openSignedIn(shop, shop.machine('one').start());
  expect(await joinAs(shop, terminal, 'Caixa 1')).toEqual(passed);
  await clock.advance(growAfterMs(60_000) + 60_000);
  register.spoil();
  await clock.advance(60_000);
  expect(await readHub(terminal)).toMatchObject({ state: { mode: 'joining', failure: null, limit: 3 } });
  await clock.advance(growAfterMs(60_000));
  expect(await readHub(terminal)).toMatchObject({ state: { mode: 'shared', limit: 60, failure: null } });
});

test('a provisioning file joins without asking the hub, and again each time as the same till', async () => {
  const shop = await openHubShop();
  const { clock, register } = shop;
  const till = shop.machine('one');
  register.failure = 'unreachable';
  const hub = { address: hubAddress, name: 'Caixa 1' };
  const first = await till.start(hub);
  const joined = till.settings()['hub'];
  expect(joined).toMatchObject({ terminalName: 'Caixa 1', host: '192.168.0.10', port: 5432, database: 'tillside' });
  expect(till.secrets.get('hub-address')).toBe(hubAddressText);
  await whileTimePasses(clock, first.close());
  // A sign-in of its own stays.
  const own = printHubAddress({ ...hubAddress, user: 'tillside_tills_0123456789abcdef', password: 'own' });
  till.secrets.set('hub-address', own);
  await whileTimePasses(clock, (await till.start(hub)).close());
  expect(till.secrets.get('hub-address')).toBe(own);
  const moved = { ...hubAddress, host: '192.168.0.11' };
  const second = await till.start({ ...hub, address: moved });
  expect(till.settings()['hub']).toEqual({ ...joined, host: '192.168.0.11' });
  await whileTimePasses(clock, second.close());
  await till.start({ ...hub, address: { ...moved, storeKey: Buffer.alloc(32, 1).toString('base64url') } });
  expect(till.settings()['hub']?.['terminalId']).not.toBe(joined?.['terminalId']);
});

test.each([
  ['brings what the others use at the first one', null],
  ['brings nothing where the first one does not answer', 'unreachable'],
] as const)('a till that a file takes to another hub %s (H1)', async (_what, failure) => {
  const shop = await openHubShop();
  const { clock, machine, register } = shop;
  const till = machine('one');
  const hub = { address: hubAddress, name: 'Caixa 1' };
  const before = await openSignedIn(shop, till.start(hub));
  const stays = await openSignedIn(shop, machine('two').start({ ...hub, name: 'Caixa 2' }));
  await clock.advance(90_000);
  const sharesAt = async (terminal: Terminal): Promise<unknown> =>
    (await readHub(terminal))?.state?.tills.map(({ name, share }) => [name, share]);
  const atFirst = [
    ['Caixa 2', 30],
    ['Caixa 1', 30],
  ];
  expect(await sharesAt(stays)).toEqual(atFirst);
  await whileTimePasses(clock, before.close());
  await clock.advance(growAfterMs(60_000));
  // The other one may use meanwhile what the first does not need.
  expect(await sharesAt(stays)).toEqual([atFirst[0], ['Caixa 1', 3]]);
  register.failure = failure;
  const moved = await openSignedIn(shop, till.start({ address: elsewhere, name: 'Caixa 4' }));
  await clock.advance(growAfterMs(60_000) + 120_000);
  expect(till.settings()['hub']).toMatchObject({ host: '192.168.0.12', terminalName: 'Caixa 4' });
  if (failure === null) {
    expect(await sharesAt(stays)).toEqual(atFirst);
    expect(await sharesAt(moved)).toEqual([
      ['Caixa 4', 30],
      ['Caixa 2', 30],
    ]);
  } else {
    expect(await sharesAt(moved)).toEqual([['Caixa 4', 60]]);
  }
});

test('a till that joins another hub by hand, before a file has taken it to one, stays there', async () => {
  const shop = await openHubShop();
  const { clock, machine, register } = shop;
  const till = machine('one');
  const before = await openSignedIn(shop, till.start({ address: hubAddress, name: 'Caixa 1' }));
  await clock.advance(90_000);
  await whileTimePasses(clock, before.close());
  // The hub of before does not answer, and is waited for.
  register.failure = 'unreachable';
  const moved = await openSignedIn(shop, till.start({ address: elsewhere, name: 'Caixa 4' }));
  const third = { ...hubAddress, host: '192.168.0.13', storeKey: Buffer.alloc(32, 2).toString('base64url') };
  await joinAs(shop, moved, 'Caixa 5', printHubAddress(third));
  await clock.advance(60_000);
  expect(till.settings()['hub']).toMatchObject({ host: '192.168.0.13' });
  // That a file names, at each start, what it named before is no news; that it names another one is.
  await whileTimePasses(clock, moved.close());
  const again = await openSignedIn(shop, till.start({ address: elsewhere, name: 'Caixa 5' }));
  await clock.advance(60_000);
  expect(till.settings()['hub']).toMatchObject({ host: '192.168.0.13' });
  await whileTimePasses(clock, again.close());
  await openSignedIn(shop, till.start({ address: hubAddress, name: 'Caixa 5' }));
  await clock.advance(60_000);
  expect(till.settings()['hub']).toMatchObject({ host: hubAddress.host });
});

test('a till that has left and joined again by hand stays there when its file names the hub before', async () => {
  const shop = await openHubShop();
  const { clock, machine } = shop;
  const till = machine('one');
  const file = { address: hubAddress, name: 'Caixa 1' };
  const first = await openSignedIn(shop, till.start(file));
  await whileTimePasses(clock, first.handlers['hub:leave']({}));
  await joinAs(shop, first, 'Caixa 1', printHubAddress(elsewhere));
  await whileTimePasses(clock, first.close());
  const second = await openSignedIn(shop, till.start(file));
  expect(till.secrets.get('hub-address')).toBe(printHubAddress(elsewhere));
  // Who has left by hand joins by the next start's file.
  await whileTimePasses(clock, second.handlers['hub:leave']({}));
  await whileTimePasses(clock, second.close());
  await till.start(file);
  expect(till.secrets.get('hub-address')).toBe(hubAddressText);
});

test('a sign-in of the till’s own is ended when it leaves, when it joins again, and when a file moves it', async () => {
  const shop = await openHubShop();
  const { clock, register } = shop;
  const ways = {
    leaves: async (till: Terminal): Promise<unknown> => whileTimePasses(clock, till.handlers['hub:leave']({})),
    renames: (till: Terminal): Promise<unknown> => joinAs(shop, till, 'Caixa 9'),
  };
  for (const [name, change] of Object.entries(ways)) {
    const till = shop.machine(name);
    const terminal = await openSignedIn(shop, till.start({ address: { ...hubAddress, user: `own ${name}` }, name }));
    await clock.advance(15_000);
    expect(await readHub(terminal)).toMatchObject({ state: { mode: 'shared' } });
    expect(register.ended).not.toContain(`own ${name}`);
    await change(terminal);
    expect(register.ended).toContain(`own ${name}`);
  }
  const till = shop.machine('moves');
  const own = { ...hubAddress, user: 'own moves' };
  await whileTimePasses(clock, (await till.start({ address: own, name: 'Caixa 3' })).close());
  expect(register.ended).not.toContain('own moves');
  await till.start({ address: { ...hubAddress, port: 5433 }, name: 'Caixa 3' });
  await clock.advance(1_000);
  expect(register.ended).toContain('own moves');
});

test('the practice store takes no part', async () => {
  const place = { terminalName: 'Caixa 1', host: '192.168.0.10', port: 5432, database: 'tillside' };
  const till = await openPracticeTerminal({
    settings: { hub: { ...place, terminalId: '0f8fad5b-d9cb-469f-a165-70867728950e' } },
    openHub: () => expect.fail('it asked the hub'),
  });
  onTestFinished(till.close);
  expect(await till.terminal.handlers['coupon:refresh']({})).toEqual(succeed({}));
  expect(await readHub(till.terminal)).toEqual({ ...place, isPractice: false, fingerprint: null, state: null });
});

test("neither the terminal's files nor what it hands over hold the hub's password or key", async () => {
  const shop = await openHubShop();
  const till = shop.machine('one');
  const terminal = await openSignedIn(shop, till.start());
  expect(await joinAs(shop, terminal, 'Caixa 1')).toEqual(passed);
  await shop.clock.advance(growAfterMs(60_000) + 30_000);
  const secrets = {
    password: hubAddress.password,
    key: hubAddress.storeKey,
    rawKey: 'canary-key-of-thirty-two-bytes..',
  };
  const bundle = await whileTimePasses(shop.clock, terminal.handlers['support:readBundle']({}));
  const reported = JSON.stringify([
    bundle,
    await terminal.handlers['terminal:read']({}),
    await terminal.handlers['hub:read']({}),
    await terminal.handlers['audit:list']({ group: 'all', offset: 0, limit: 50 }),
  ]);
  expect(Object.values(secrets).filter((secret) => reported.includes(secret))).toEqual([]);
  // The control: the rest of the address is told.
  expect(reported).toContain('192.168.0.10');
  expect(reported).toContain(hubAddress.fingerprint);
  await whileTimePasses(shop.clock, terminal.close());
  expect(findSecretsIn(till.directory, secrets)).toEqual([]);
  expect([...till.secrets.values()]).toContain(hubAddressText);
});

test('a till that is gone for good is removed, and the others share what it had', async () => {
  const { clock, one, two } = await openTwo();
  await clock.advance(90_000);
  const hub = await readHub(one);
  const id = hub?.state?.tills[1]?.id ?? '';
  const remove = (ids = [id]) => whileTimePasses(clock, one.handlers['hub:remove']({ ids }));
  // It is here.
  expect(await remove()).toEqual(passed);
  await clock.advance(20_000);
  expect(await readHub(one)).toMatchObject({ state: { tills: [{}, { name: 'Caixa 2', share: 30 }] } });
  await whileTimePasses(clock, two.close());
  await clock.advance(60_000);
  expect(await readHub(one)).toMatchObject({
    state: { mode: 'shared', limit: 57, kept: 3, tills: [{}, { state: 'silent', share: 3 }] },
  });
  expect(await remove()).toEqual(passed);
  expect(await readHub(one)).toMatchObject({
    state: { limit: 60, kept: 0, tills: [{}, { state: 'silent', share: 0 }] },
  });
  await clock.advance(reclaimAfterMs(60_000));
  expect(await readHub(one)).toMatchObject({ state: { tills: [{ name: 'Caixa 1', share: 60 }] } });
  expect(await remove(['nobody'])).toEqual(passed);
  // The list names it as the hub does, and tells nothing of a till that the hub does not know.
  expect(await one.handlers['audit:list']({ group: 'settings', offset: 0, limit: 1 })).toMatchObject({
    value: { rows: [{ action: { kind: 'setting', field: 'hub', from: 'Caixa 2', to: '' } }] },
  });
});

test.each(['joins again', 'finds that the hub has lost all'])(
  'no till is told to be silent to one that %s before it had the time to write',
  async (how) => {
    const { shop, clock, one } = await openTwo();
    await clock.advance(90_000);
    if (how === 'joins again') {
      expect(await whileTimePasses(clock, one.handlers['hub:leave']({}))).toEqual(succeed({}));
      await clock.advance(5 * 60_000);
      expect(await joinAs(shop, one, 'Caixa 1')).toEqual(passed);
    } else {
      shop.register.empty();
    }
    const seen = new Set<unknown>();
    for (let ms = 0; ms < 60_000; ms += 250) {
      await clock.advance(250);
      const { kept, tills = [] } = (await readHub(one))?.state ?? {};
      seen.add(JSON.stringify([kept, tills[1]?.state]));
    }
    expect(seen).toEqual(new Set(['[0,"here"]', '[0,"unheard"]']));
  },
);
