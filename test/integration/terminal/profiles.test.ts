// Proves over real HTTP and real files what becomes of sign-ins, updates and copies when a terminal has several
// profiles: a settings document from before opens as it was, a switch keeps all of it, and a profile's removal takes
// its copy and its secrets with it.
import { expect, test } from 'vitest';
import { everyProduct } from '../../../app/contract/every-product.ts';
import type { Profile } from '../../../app/contract/profiles.ts';
import { shopShownBy, shownForOf } from '../../../app/contract/shown-for.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { maxProfiles } from '../../../app/contract/limits/profiles.ts';
import { parseProvision } from '../../../app/hosts/provisioning/file.ts';
import type { Provision } from '../../../app/terminal/provisioning/provisioning.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import {
  connect,
  connectionOf,
  copied,
  openConnected,
  openCopied,
  openMachine,
  openPlatformForTest,
  profileOf,
  provisionOf,
  signIn,
  stateOf,
} from '../../support/machine.ts';
import { valueOf } from '../../support/value-of.ts';

test('settings from before several profiles open with one, signed in, with its copy and keychain entries', async () => {
  const {
    platform,
    machine,
    terminal: first,
  } = await openCopied(openMachine({ version: 1, language: 'en', theme: 'dark', mode: null }));
  await first.close();
  expect([...machine.secrets.keys()].toSorted()).toEqual([
    `client-secret ${platform.platformUrl}`,
    `refresh-token ${platform.platformUrl}`,
  ]);

  // As version 1 wrote it.
  const { profiles: _profiles, profileId: _id, signIns: _signIns, ...rest } = machine.settings();
  const before = openMachine({
    ...rest,
    version: 1,
    profile: profileOf(platform),
    isSecretInVault: true,
    session: { email: platform.email },
  });
  machine.secrets.forEach((secret, name) => before.secrets.set(name, secret));
  const second = await before.start();
  expect(await stateOf(second)).toMatchObject({
    phase: 'ready',
    mode: 'platform',
    theme: 'dark',
    profile: profileOf(platform),
    profileId: 1,
    isSecretNeeded: false,
    session: { state: 'signedIn', email: platform.email, keptIn: 'keychain' },
    profiles: [{ profileId: 1, name: null, email: platform.email }],
  });
  await copied(second);
  expect(before.has('catalogue.db')).toBe(true);
});

test('a switch between two platforms keeps sign-ins, copies and updates, and sends nothing for the other', async () => {
  const [one, other] = [await openPlatformForTest(), await openPlatformForTest()];
  const machine = openMachine();
  const terminal = await machine.start();
  const { handlers } = terminal;
  const setUp = async (platform: TrainingPlatform, name: string): Promise<void> => {
    await connect(terminal, platform, { name });
    await signIn(terminal, platform);
    await copied(terminal);
  };
  await setUp(one, 'Front');
  const productId = String(one.products.idAt(3)) as Id;
  // The same id, and another product.
  other.renameProduct(productId, 'Sabonete 90 g');
  one.setNetworkDown(true);
  expect(await handlers['coupon:switch']({ productId, isEnabled: true })).toMatchObject({ ok: true });
  expect(await handlers['profile:leave']({})).toMatchObject({ ok: false, failure: { kind: 'inputInvalid' } });
  await setUp(other, 'Back');
  expect(await stateOf(terminal)).toMatchObject({
    profileId: 2,
    queue: { pending: 0, ofOthers: { count: 0 }, elsewhere: [{ platformUrl: one.platformUrl, count: 1 }] },
    profiles: [
      { profileId: 1, name: 'Front', waiting: 1 },
      { profileId: 2, name: 'Back', waiting: null },
    ],
  });

  // Neither the list nor the file gives it the name of this shop's product, and it is not this user's, though both have
  // the same e-mail and company.
  const theirName = one.products.nameAt(3);
  const own = await handlers['coupon:switch']({ productId, isEnabled: true });
  expect(own).toMatchObject({ ok: true });
  expect(await handlers['queue:list']({ statuses: [], offset: 0, limit: 10 })).toMatchObject(
    succeed({
      rows: [
        { productId, productName: 'Sabonete 90 g', isOwn: true },
        { productId, productName: theirName, isOwn: false },
      ],
    }),
  );
  for (const [term, ids] of [
    ['sabonete', [2]],
    [theirName.split(' ')[0] ?? '', [1]],
    [productId, [2, 1]],
  ] as const) {
    expect(await handlers['queue:list']({ statuses: [], term, offset: 0, limit: 10 }), term).toMatchObject(
      succeed({ total: ids.length, rows: ids.map((id) => ({ id })) }),
    );
  }
  const file = await handlers['queue:export']({ after: 0 });
  expect(
    file.ok
      ? file.value.rows.map(({ update }) => [update.id, update.kind === 'coupon' ? update.productName : null])
      : file,
  ).toEqual([
    [1, theirName],
    [2, 'Sabonete 90 g'],
  ]);
  await expect.poll(async () => (await stateOf(terminal)).queue.delivered, { timeout: 15_000 }).toBe(1);

  const phases = new Set<string>();
  terminal.subscribe((name, payload) => name === 'terminal:changed' && 'phase' in payload && phases.add(payload.phase));
  one.setNetworkDown(false);
  expect(await handlers['profile:switch']({ profileId: 1 })).toEqual({ ok: true, value: {} });
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'ready',
    profileId: 1,
    session: { state: 'signedIn', email: one.email },
  });
  expect((await stateOf(terminal)).catalogue.copied).toBeGreaterThan(0);
  await expect.poll(async () => (await stateOf(terminal)).queue.delivered, { timeout: 15_000 }).toBe(1);
  expect(other.arrivals().filter(({ method }) => method === 'PUT')).toHaveLength(1);
  expect(one.arrivals().filter(({ method, status }) => method === 'PUT' && status !== null)).toHaveLength(1);
  expect([...phases]).toEqual(['ready']);
  expect(machine.has('catalogue.db') && machine.has('catalogue-2.db')).toBe(true);

  await terminal.close();
  const again = await machine.start();
  expect(await stateOf(again)).toMatchObject({ phase: 'ready', profileId: 1, session: { state: 'signedIn' } });
  expect(await again.handlers['profile:switch']({ profileId: 2 })).toEqual({ ok: true, value: {} });
  expect(await stateOf(again)).toMatchObject({ phase: 'ready', session: { state: 'signedIn', email: other.email } });
  expect(await again.handlers['profile:switch']({ profileId: 3 })).toMatchObject(fail({ kind: 'notFoundHere' }));
});

test('a changed connection uses the secret kept for its platform and client, and no other', async () => {
  const [platform, other] = [await openPlatformForTest(), await openPlatformForTest()];
  const machine = openMachine();
  const first = await machine.start();
  expect(await first.handlers['profile:connect'](profileOf(platform))).toMatchObject({ ok: false });
  await connect(first, platform);
  await first.close();

  const { handlers } = await machine.start();
  const [stockId] = platform.stockIds as [Id];
  const changed = { ...profileOf(platform), stockIds: [stockId], profileId: 1 };
  expect(await handlers['profile:connect'](changed)).toMatchObject({ ok: true, value: { passed: true } });
  const elsewhere = { ...profileOf(other), profileId: 1 };
  expect(await handlers['profile:connect'](elsewhere)).toMatchObject(fail({ kind: 'vaultUnavailable' }));
  expect(other.arrivals()).toEqual([]);
  await signIn({ handlers }, platform);
});

test('a profile does not become another one that is kept, in whatever order its stocks come', async () => {
  const platform = await openPlatformForTest();
  const terminal = await openMachine().start();
  const ask = (more: Partial<Profile> & { readonly profileId?: number; readonly name?: string }) =>
    terminal.handlers['profile:connect']({ ...connectionOf(platform), ...more });
  const [one, two] = platform.stockIds as [Id, Id];
  await ask({ stockIds: [one, two], name: 'Front' });
  await ask({ stockIds: [two] });
  expect(await ask({ stockIds: [two, one], profileId: 2 })).toEqual(fail({ kind: 'profileTwice', message: 'Front' }));
  const { host } = new URL(platform.platformUrl);
  expect(await ask({ stockIds: [two], profileId: 1 })).toEqual(fail({ kind: 'profileTwice', message: host }));
  expect((await stateOf(terminal)).profiles.map(({ stockIds }) => stockIds)).toEqual([[one, two], [two]]);
  expect(await ask({ stockIds: [two], profileId: 2 })).toMatchObject({ ok: true });
  expect(await ask({ stockIds: [two, one] })).toMatchObject({ ok: true });
  expect(await stateOf(terminal)).toMatchObject({ profileId: 1, profiles: [{}, {}] });
});

test('two profiles that are one, as older settings have them, each take another client; a file has one', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const first = await machine.start();
  const wanted = connectionOf(platform);
  await first.handlers['profile:connect'](wanted);
  await first.close();
  const settings = machine.settings();
  const [kept] = settings['profiles'] as readonly object[];
  const before = openMachine({ ...settings, profiles: [kept, { ...kept, id: 2 }] });
  const till = await before.start();
  const { handlers } = till;
  const passes = { ok: true, value: { passed: true } };
  for (const profileId of [1, 2]) {
    expect(await handlers['profile:connect']({ ...wanted, profileId, clientId: `till-${profileId}` })).toMatchObject(
      passes,
    );
  }
  expect(await handlers['profile:connect'](wanted)).toMatchObject(passes);
  expect(before.settings()).toMatchObject({ profileId: 1, profiles: [{ id: 1 }, { id: 2, clientId: 'till-2' }] });
  await signIn(till, platform);
  const file = valueOf(await handlers['provisioning:export']({}));
  expect(JSON.parse(file.text)).not.toHaveProperty('otherProfiles');
});

test('another company of a platform keeps a sign-in that is good for it, and asks for one otherwise', async () => {
  const { platform, machine, terminal, handlers } = await openConnected();
  await signIn(terminal, platform);
  const secretsBefore = [...machine.secrets.keys()].toSorted();
  const [stockId] = platform.stockIds as [Id];
  await connect(terminal, platform, { stockIds: [stockId] });
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'ready',
    profileId: 2,
    session: { state: 'signedIn', email: platform.email },
  });
  await connect(terminal, platform, { companyId: platform.forbiddenCompanyId });
  const atOther = await stateOf(terminal);
  expect(atOther).toMatchObject({ phase: 'signIn', profileId: 3, session: { state: 'signedOut' } });
  expect(atOther.notices).toMatchObject([{ kind: 'companyRefused', detail: platform.email }]);
  expect(await handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'ready',
    session: { state: 'signedIn', email: platform.email },
  });
  expect((await stateOf(terminal)).notices).toEqual([]);
  expect([...machine.secrets.keys()].toSorted()).toEqual(secretsBefore);
});

test('while one company replaces another, no switch is kept for one that the state does not show', async () => {
  const { platform, machine, terminal, handlers } = await openConnected();
  await signIn(terminal, platform);
  const kiosk = { companyId: '4102' as Id, stockIds: ['9007199254740993' as Id] };
  machine.keychainMs = 40;
  const shown: string[] = [];
  const progress = { isDone: false };
  const connecting = handlers['profile:connect']({ ...profileOf(platform), ...kiosk }).finally(() => {
    progress.isDone = true;
  });
  for (let isEnabled = true; !progress.isDone; isEnabled = !isEnabled) {
    // In one moment: what somebody sees, and what their finger does.
    const reading = handlers['terminal:read']({});
    const switching = handlers['coupon:switch']({ productId: String(platform.products.idAt(3)) as Id, isEnabled });
    const [state, switched] = [await reading, await switching];
    if (switched.ok && state.ok) {
      shown.push(state.value.profile?.companyId ?? 'none');
    }
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  expect(await connecting).toMatchObject({ ok: true, value: { passed: true } });
  expect((await stateOf(terminal)).profile?.companyId).toBe(kiosk.companyId);
  const listed = await handlers['queue:list']({ statuses: [], offset: 0, limit: 200 });
  expect(shown.length).toBeGreaterThan(0);
  expect(listed.ok ? listed.value.rows.toReversed().map(({ companyId }) => companyId) : listed).toEqual(shown);
});

test('what a screen asked for at one shop is not done at the one that has come meanwhile', async () => {
  const { platform: one, machine, terminal, handlers } = await openCopied();
  const other = await openPlatformForTest();
  await connect(terminal, other);
  await signIn(terminal, other);
  await copied(terminal);
  const atOther = shownForOf(await stateOf(terminal));
  const page = { shown: atOther, isSwitched: false };
  terminal.subscribe((name, payload) => {
    page.shown = name === 'terminal:changed' ? shownForOf(payload as TerminalState) : page.shown;
  });
  const productId = String(one.products.idAt(3)) as Id;
  const shopShown = shopShownBy(await stateOf(terminal));
  const [answers, found]: [unknown[], unknown[]] = [[], []];
  machine.keychainMs = 40;
  const switching = handlers['profile:switch']({ profileId: 1 }).finally(() => {
    page.isSwitched = true;
  });
  while (!page.isSwitched || page.shown === atOther) {
    answers.push(await handlers['coupon:switch']({ productId, isEnabled: true }, atOther));
    found.push(await handlers['lookup:find']({ text: productId, source: 'scan' }, shopShown));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await switching).toMatchObject({ ok: true });
  answers.push(await handlers['coupon:switch']({ productId, isEnabled: true }, atOther));
  // Until the switch began it was done where it was asked for.
  expect(new Set(answers.slice(1).map((answer) => JSON.stringify(answer)))).toEqual(
    new Set([JSON.stringify(fail({ kind: 'notReady' }))]),
  );
  // Nor is anything looked up for it in the copy of the next one.
  expect(found.length).toBeGreaterThan(3);
  expect(found.slice(1)).toEqual(found.slice(1).map(() => fail({ kind: 'notReady' })));
  expect(await stateOf(terminal)).toMatchObject({ profileId: 1, queue: { pending: 0, inFlight: 0 } });
  expect(await handlers['coupon:switch']({ productId, isEnabled: true }, page.shown)).toMatchObject({ ok: true });
});

test('what a screen asks for where nobody has come meanwhile is done, whatever is open', async () => {
  const platform = await openPlatformForTest();
  const terminal = await openMachine().start();
  const { handlers } = terminal;
  const themes = ['dark', 'light'] as const;
  const done: unknown[] = [];
  const ask = async (): Promise<void> => {
    const state = await stateOf(terminal);
    const theme = themes[done.length % 2] ?? 'dark';
    const { ok } = await handlers['settings:update']({ theme }, shownForOf(state));
    const read = await handlers['lookup:listRecent']({}, shopShownBy(state));
    done.push([state.phase, state.mode, state.session.email !== null, ok, read.ok || read.failure.kind]);
  };
  await ask();
  await handlers['practice:start']({});
  await ask();
  await handlers['profile:leave']({});
  await connect(terminal, platform);
  await ask();
  await signIn(terminal, platform);
  await ask();
  await handlers['cashier:setPin']({ pin: '2580' });
  await handlers['cashier:lock']({});
  await ask();
  expect(done).toEqual([
    ['firstRun', null, false, true, 'notReady'],
    ['ready', 'practice', true, true, true],
    ['signIn', 'platform', false, true, 'signInNeeded'],
    ['ready', 'platform', true, true, true],
    ['signIn', 'platform', false, true, 'signInNeeded'],
  ]);
});

test('a removed profile, open or not, takes its copy and secrets along; a failed trial leaves nothing', async () => {
  const { platform: one, machine, terminal, handlers } = await openConnected();
  const other = await openPlatformForTest();
  await signIn(terminal, one);
  expect(
    await handlers['profile:connect']({
      ...profileOf(other),
      platformUrl: 'http://127.0.0.1:9',
      clientSecret: 'made-up',
    }),
  ).toMatchObject({ ok: true, value: { passed: false } });
  expect(machine.has('catalogue-2.db')).toBe(false);
  await connect(terminal, other);
  await signIn(terminal, other);
  expect(machine.secrets.size).toBe(4);

  expect(await handlers['profile:rename']({ profileId: 2, name: 'Depot' })).toMatchObject({ ok: true });
  expect(await handlers['profile:remove']({ profileId: 1 })).toEqual({ ok: true, value: {} });
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'ready',
    profileId: 2,
    profiles: [{ profileId: 2, name: 'Depot' }],
  });
  expect(machine.has('catalogue.db')).toBe(false);
  expect([...machine.secrets.keys()].every((name) => name.endsWith(other.platformUrl))).toBe(true);

  expect(await handlers['profile:remove']({ profileId: 2 })).toEqual({ ok: true, value: {} });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'firstRun', profileId: null, profiles: [] });
  expect([machine.secrets.size, machine.has('catalogue-2.db')]).toEqual([0, false]);
  await terminal.close();
  expect((await stateOf(await machine.start())).phase).toBe('firstRun');
});

test('a company whose stocks could not be asked for is said to refuse nobody', async () => {
  const { platform, machine, terminal, handlers } = await openConnected();
  await signIn(terminal, platform);
  machine.losesListings = true;
  await connect(terminal, platform, { companyId: '4102' as Id });
  expect(await stateOf(terminal)).toMatchObject({ phase: 'ready', profileId: 2 });
  await handlers['session:signOut']({});
  expect(await stateOf(terminal)).toMatchObject({ phase: 'signIn', notices: [] });
});

test('a refused change of a profile leaves its copy alone, and the open store answers meanwhile', async () => {
  const { platform, machine, terminal, handlers } = await openCopied();
  const known = await handlers['stock:browse']({ query: { ...everyProduct, orderBy: 'code' }, offset: 0, limit: 1 });
  const [row] = known.ok ? known.value.rows : [];
  const text = row?.productId ?? expect.unreachable('a product');
  const scan = () => handlers['lookup:find']({ text, source: 'scan' });
  const found = { ok: true, value: { kind: 'found', cards: [{ productId: text }, {}] } };
  const { copied: before } = (await stateOf(terminal)).catalogue;

  const change = (more: Partial<Profile>) =>
    handlers['profile:connect']({ ...connectionOf(platform), profileId: 1, ...more });
  const [kept] = platform.stockIds as [Id];
  const refused: readonly [Partial<Profile>, string, boolean][] = [
    [{ platformUrl: 'http://127.0.0.1:9' }, 'address', false],
    [{ stockIds: [kept, '999999' as Id] }, 'stock', false],
    [{ stockIds: [kept] }, 'address', true],
  ];
  for (const [more, failedStep, losesListings] of refused) {
    machine.losesListings = losesListings;
    const phases = new Set<string>();
    const trial = change(more);
    let report: Awaited<typeof trial> | null = null;
    while (report === null) {
      expect(await scan()).toMatchObject(found);
      phases.add((await stateOf(terminal)).phase);
      report = await Promise.race([trial, new Promise<null>((resolve) => setTimeout(() => resolve(null), 5))]);
    }
    expect(
      report.ok && [report.value.passed, report.value.steps.find(({ outcome }) => outcome === 'failed')?.step],
    ).toEqual([false, failedStep]);
    expect([...phases]).toEqual(['ready']);
    expect(await scan()).toMatchObject(found);
    expect(await stateOf(terminal)).toMatchObject({
      phase: 'ready',
      profileId: 1,
      profile: profileOf(platform),
      session: { state: 'signedIn' },
      catalogue: { copied: before },
    });
  }
  expect([1, 2, 3].map((id) => machine.has(id === 1 ? 'catalogue.db' : `catalogue-${id}.db`))).toEqual([
    true,
    false,
    false,
  ]);

  machine.losesListings = false;
  // One that passes takes only the rows of the stock that has gone.
  expect(await change({ stockIds: [kept] })).toMatchObject({ ok: true, value: { passed: true } });
  expect(await stateOf(terminal)).toMatchObject({
    phase: 'ready',
    profile: { stockIds: [kept] },
    session: { state: 'signedIn' },
  });
  const afterwards = await scan();
  expect(
    afterwards.ok && afterwards.value.kind === 'found' && afterwards.value.cards.map(({ stockId }) => stockId),
  ).toEqual([kept]);
});

test('a provisioning file takes up its company’s profile, changed stocks and all, and adds another’s', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const provision = provisionOf(platform);
  const first = await machine.start(provision);
  await signIn(first, platform);
  await first.close();
  const [stockId] = platform.stockIds as [Id];
  const second = await machine.start({ ...provision, profile: { ...provision.profile, stockIds: [stockId] } });
  expect(await stateOf(second)).toMatchObject({
    phase: 'ready',
    profileId: 1,
    profile: { stockIds: [stockId] },
    profiles: [{ profileId: 1 }],
    session: { state: 'signedIn' },
  });
  await second.close();
  const third = await machine.start({
    ...provision,
    profile: { ...provision.profile, companyId: platform.forbiddenCompanyId },
  });
  expect((await stateOf(third)).profiles.map(({ profileId, companyId }) => [profileId, companyId])).toEqual([
    [1, platform.companyId],
    [2, platform.forbiddenCompanyId],
  ]);
});

test('a provisioning file keeps several profiles and any setting; the first is opened, unless one is', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const { clientSecret } = platform;
  const profile = { ...profileOf(platform), name: 'Matriz' };
  const other = { ...profileOf(platform), companyId: platform.forbiddenCompanyId, name: 'Filial' };
  const provision: Provision = {
    profile,
    clientSecret,
    otherProfiles: [{ profile: other, clientSecret }],
    settings: { quietHours: { from: 20, to: 4 }, theme: 'dark', lookupNeedsSignIn: true },
  };
  const first = await machine.start(provision);
  expect(await stateOf(first)).toMatchObject({
    profileId: 1,
    profiles: [
      { name: 'Matriz', companyId: platform.companyId },
      { name: 'Filial', companyId: platform.forbiddenCompanyId },
    ],
    quietHours: { from: 20, to: 4 },
    theme: 'dark',
    lookupNeedsSignIn: true,
  });
  expect(await first.handlers['profile:switch']({ profileId: 2 })).toMatchObject({ ok: true });
  await first.close();
  const second = await machine.start(provision);
  expect(await stateOf(second)).toMatchObject({ profileId: 2, profile: { companyId: platform.forbiddenCompanyId } });
  await second.close();
  // A file of one profile opens it, as ever, and leaves the other one and the settings alone.
  const third = await machine.start({ profile, clientSecret });
  expect(await stateOf(third)).toMatchObject({
    profileId: 1,
    profiles: [{ name: 'Matriz' }, { name: 'Filial' }],
    theme: 'dark',
  });
});

test("the shop's file of a till with two profiles of one company sets up another till, and changes none", async () => {
  const platform = await openPlatformForTest();
  const ofStock = (place: number) => ({ ...profileOf(platform), stockIds: platform.stockIds.slice(place, place + 1) });
  const [shop, depot] = [ofStock(0), ofStock(1)];
  const first = openMachine();
  const { clientSecret } = platform;
  const till = await first.start({ profile: shop, clientSecret });
  valueOf(await till.handlers['profile:connect']({ ...depot, clientSecret, name: 'Depot' }));
  await signIn(till, platform);
  const { text } = valueOf(await till.handlers['provisioning:export']({}));
  const file = parseProvision(text.replaceAll('"clientSecret": ""', `"clientSecret": "${clientSecret}"`));
  const stocksOf = async (machine: typeof first): Promise<unknown> => {
    const started = await machine.start(valueOf(file));
    const { profiles } = await stateOf(started);
    await started.close();
    return profiles.map(({ name, stockIds }) => [name, ...stockIds]);
  };
  await till.close();
  const both = [
    ['Depot', ...depot.stockIds],
    [null, ...shop.stockIds],
  ];
  const other = openMachine();
  expect(await stocksOf(other)).toEqual(both);
  expect(await stocksOf(other)).toEqual(both);
  expect(await stocksOf(first)).toEqual(both.toReversed());
});

test.each([
  [
    'a new one at the top, and the open one with one stock more',
    [
      ['Depot', 1],
      ['Shop', 0, 1],
    ],
    [
      ['Shop', 0, 1],
      ['Depot', 1],
    ],
    1,
  ],
  [
    'the open one with one stock more at the top, and a new one',
    [
      ['Shop', 0, 1],
      ['Depot', 1],
    ],
    [
      ['Shop', 0, 1],
      ['Depot', 1],
    ],
    1,
  ],
  [
    'two new ones',
    [
      ['Depot', 1],
      ['Other', 2],
    ],
    [
      ['Shop', 0],
      ['Depot', 1],
      ['Other', 2],
    ],
    2,
  ],
] as const)('a file leaves the copy of the open profile: %s', async (_what, wanted, kept, openId) => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const stockIds = [...platform.stockIds.slice(0, 2), '9005' as Id];
  const { clientSecret } = platform;
  const file = ([name, ...places]: readonly [string, ...number[]]) => ({
    profile: { ...profileOf(platform), stockIds: places.map((place) => stockIds[place] as Id), name },
    clientSecret,
  });
  const first = await machine.start(file(['Shop', 0]));
  await signIn(first, platform);
  await copied(first);
  await first.close();
  await platform.close();
  const next = await machine.start({ ...file(wanted[0]), otherProfiles: [file(wanted[1])] });
  const { profiles, profileId, catalogue } = await stateOf(next);
  expect(profiles.map(({ name, stockIds: ids }) => [name, ...ids.map((id) => stockIds.indexOf(id))])).toEqual(kept);
  expect([profileId, catalogue.stocks[0]?.completeAsOf !== null]).toEqual([openId, openId === 1]);
});

test('where there are as many profiles as can be, none of the file makes way for another of it', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const { clientSecret } = platform;
  const of = (companyId: number) => ({
    profile: { ...profileOf(platform), companyId: String(companyId) as Id },
    clientSecret,
  });
  const many = (from: number): Provision => {
    const [first, ...otherProfiles] = Array.from({ length: maxProfiles }, (_, place) => of(from + place));
    return { ...(first ?? of(from)), otherProfiles };
  };
  const before = await machine.start(many(100));
  await before.close();
  const after = await machine.start(many(105));
  const companies = (await stateOf(after)).profiles.map(({ companyId }) => Number(companyId));
  expect(companies.toSorted((one, other) => one - other)).toEqual(
    Array.from({ length: maxProfiles }, (_, place) => 105 + place),
  );
});

test('nobody who goes to another profile waits until its rate limit is free', async () => {
  const platform = await openPlatformForTest();
  const machine = openMachine();
  const first = await machine.start(provisionOf(platform));
  await signIn(first, platform);
  await copied(first);
  await connect(first, platform, { companyId: platform.forbiddenCompanyId });
  expect(await first.handlers['profile:switch']({ profileId: 1 })).toMatchObject({ ok: true });
  // The requests sent so far are more than this allows for ten minutes.
  expect(
    await first.handlers['settings:update']({ allowanceLimits: { limit: 2, windowSeconds: 600, reserve: 1 } }),
  ).toMatchObject({ ok: true });
  await first.close();

  const second = await machine.start();
  const { handlers } = second;
  // To send this the token must be renewed first, and the queue waits for that as that waits for a slot.
  expect(
    await handlers['coupon:switch']({ productId: String(platform.products.idAt(0)) as Id, isEnabled: true }),
  ).toMatchObject({ ok: true });
  await expect.poll(async () => (await stateOf(second)).queue.pending).toBe(1);
  await new Promise((resolve) => setTimeout(resolve, 300));
  // The slot comes in ten minutes.
  expect(await handlers['profile:switch']({ profileId: 2 })).toMatchObject({ ok: true });
  expect((await stateOf(second)).profileId).toBe(2);
});

test('what waits for a company is told at no other profile of it: it goes out there as well', async () => {
  const platform = await openPlatformForTest();
  const [one, two] = platform.stockIds as [Id, Id];
  const terminal = await openMachine().start();
  await connect(terminal, platform, { stockIds: [one] });
  await signIn(terminal, platform);
  await copied(terminal);
  await connect(terminal, platform, { stockIds: [two] });
  platform.setNetworkDown(true);
  valueOf(
    await terminal.handlers['coupon:switch']({ productId: String(platform.products.idAt(3)) as Id, isEnabled: true }),
  );
  expect((await stateOf(terminal)).profiles.map(({ waiting }) => waiting)).toEqual([null, null]);
});
