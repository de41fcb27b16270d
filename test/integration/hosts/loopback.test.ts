// The proof that programs are answered at the loopback address as they are told, over real sockets: each answer by the
// description that is served, scans and the queue as they happen, and nothing when it is switched off.
import { readFileSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, onTestFinished, test } from 'vitest';
import { defaultLocalApi } from '../../../app/contract/local-api.ts';
import { shopShownBy } from '../../../app/contract/shown-for.ts';
import type { TerminalState } from '../../../app/contract/terminal-state.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { createNodeClock } from '../../../app/hosts/node/node-ports.ts';
import { newSecret } from '../../../app/hosts/node/secrets.ts';
import { hashOfToken } from '../../../app/hosts/programs/loopback-gate.ts';
import { createLoopback } from '../../../app/hosts/programs/loopback.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { openCopiedPractice, openStrictTill } from '../../support/asked-tills.ts';
import { startBrowserHost } from '../../support/browser-host.ts';
import { findSecretsIn } from '../../support/canary.ts';
import { createFakeEvents, createFakeHandlers, firstRunState } from '../../support/fake-handlers.ts';
import { ask } from '../../support/gated-host.ts';
import { openLoopback, patience } from '../../support/loopback.ts';
import { stateOf } from '../../support/machine.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openPracticeTerminal } from '../../support/practice-terminal.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

interface Described {
  readonly paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
  readonly components: { readonly schemas: Record<string, object> };
}

const idAt = (platform: TrainingPlatform, index: number): Id => String(platform.products.idAt(index)) as Id;

async function openPracticed(chosen: Parameters<typeof openLoopback>[1] = {}) {
  const practice = await openCopiedPractice();
  const loopback = await openLoopback(practice.terminal, chosen);
  const { body } = await loopback.get('/v1/openapi.json');
  const document = JSON.parse(body) as Described;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  ajv.addSchema({ ...document, $id: 'https://tillside.example/openapi' });
  /** Problems of a body by the schema of this name. */
  const wrongBy = (name: string, value: unknown) => {
    const validate = ajv.compile({ $ref: `https://tillside.example/openapi#/components/schemas/${name}` });
    return validate(value) ? null : validate.errors;
  };
  return { practice, loopback, document, wrongBy };
}

test('every answer follows the description, which a linter finds nothing in', async () => {
  const { practice, loopback, document, wrongBy } = await openPracticed({ mayChangeCoupons: true });
  const config = await createConfig({
    extends: ['recommended-strict'],
    // A web socket answers 101 and nothing below 300.
    rules: { 'operation-2xx-response': 'off' },
  });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  expect(problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([]);

  const { platform } = practice;
  const productId = String(platform.products.idAt(0));
  const asked: readonly [string, string, string, number][] = [
    ['/v1/lookup', 'Lookup', `/v1/lookup?code=${productId}`, 200],
    ['/v1/lookup', 'Lookup', '/v1/lookup?code=NO-SUCH-1', 200],
    ['/v1/lookup', 'Error', `/v1/lookup?code=${'1'.repeat(5000)}`, 400],
    ['/v1/queue', 'Queue', '/v1/queue', 200],
    ['/v1/status', 'Status', '/v1/status', 200],
    ['/v1/events', 'Error', '/v1/events', 426],
  ];
  for (const [path, schema, address, status] of asked) {
    const answer = await loopback.get(address);
    expect([address.slice(0, 40), answer.status]).toEqual([address.slice(0, 40), status]);
    expect(wrongBy(schema, JSON.parse(answer.body))).toBeNull();
    expect(Object.keys(document.paths[path]?.['get']?.responses ?? {})).toContain(String(status));
  }
  expect(wrongBy('Lookup', { code: 1 })).not.toBeNull();

  const switched = await loopback.put(`/v1/coupons/${productId}`, '{"isOn":true}');
  expect([switched.status, wrongBy('Coupon', JSON.parse(switched.body))]).toEqual([200, null]);
  expect(JSON.parse(switched.body)).toMatchObject({ productId, isOn: true });
});

test('a lookup is answered as the screen is, spends nothing, and names product, stock and age', async () => {
  const { practice, loopback } = await openPracticed();
  const { product, spent } = practice;
  const before = await spent();
  const { body } = await loopback.get(`/v1/lookup?code=${product.code}`);
  expect(JSON.parse(body)).toMatchObject({
    isFound: true,
    mode: 'practice',
    products: expect.arrayContaining([
      expect.objectContaining({ name: product.name, balanceAsOf: expect.any(String) as unknown }),
    ]) as unknown,
  });
  const status = JSON.parse((await loopback.get('/v1/status')).body) as { stocks: { ageSeconds: number }[] };
  expect(status).toMatchObject({ isSignedIn: true, connection: 'online' });
  expect(status.stocks.every(({ ageSeconds }) => ageSeconds >= 0)).toBe(true);
  expect(JSON.parse((await loopback.get('/v1/queue')).body)).toMatchObject({ waiting: 0, toDecide: 0 });
  expect(await spent()).toEqual(before);
});

test('where looking up needs a sign-in, and while nothing is set up, a program is told so', async () => {
  const { terminal, code } = await openStrictTill();
  const { handlers } = terminal;
  const loopback = await openLoopback(terminal, { mayChangeCoupons: true });
  await handlers['session:signOut']({});
  for (const answer of [
    await loopback.get('/v1/lookup?code=1'),
    await loopback.put(`/v1/coupons/${code}`, '{"isOn":true}'),
  ]) {
    expect([answer.status, answer.body]).toEqual([403, '{"error":"signInNeeded"}']);
  }
  const empty = await openLoopback();
  for (const path of ['/v1/lookup?code=1', '/v1/queue']) {
    expect((await empty.get(path)).status).toBe(503);
  }
  expect(JSON.parse((await empty.get('/v1/status')).body)).toMatchObject({ mode: null, isSignedIn: false, stocks: [] });
});

test('a coupon is switched only where settings allow it, once, under the lock, and listed as a program’s', async () => {
  const { practice, loopback } = await openPracticed();
  const { terminal, platform } = practice;
  const productId = idAt(platform, 0);
  const put = (body = '{"isOn":false}', id = String(productId)) => loopback.put(`/v1/coupons/${id}`, body);
  expect((await put()).body).toBe('{"error":"notAllowed"}');
  loopback.choose({ mayChangeCoupons: true });
  for (const body of ['', '{', '[]', '{"isOn":"true"}', '{"isOn":true,"more":1}']) {
    expect((await put(body)).status).toBe(400);
  }
  expect((await put(`{"isOn":true${' '.repeat(4000)}}`)).status).toBe(413);
  expect((await loopback.put(`/v1/coupons/${productId}`, '{"isOn":true}', loopback.good)).status).toBe(415);
  expect([(await put(undefined, '999999999')).status, (await put(undefined, '99999999999999999999')).status]).toEqual([
    404, 404,
  ]);
  expect(await practice.updates()).toEqual([]);
  expect((await put()).status).toBe(200);
  await expect
    .poll(async () => (await practice.updates()).map(({ status }) => status), patience)
    .toEqual(['delivered']);
  expect((await put()).status).toBe(200);
  expect(await practice.updates()).toHaveLength(1);
  const listed = async () => {
    const audit = await terminal.handlers['audit:list']({ group: 'coupons', offset: 0, limit: 10 });
    return audit.ok ? audit.value.rows.map(({ action }) => action) : [];
  };
  expect(await listed()).toEqual([
    { kind: 'coupon', productId, name: platform.products.at(0).name, isEnabled: false, isByProgram: true },
  ]);

  // A lock that a person has opened, also for many minutes, is not open to a program.
  await terminal.handlers['lock:setPin']({ pin: '2580' });
  expect((await put('{"isOn":true}')).body).toBe('{"error":"locked"}');
  await terminal.handlers['lock:unlock']({ pin: '2580', opens: 'coupons' });
  expect((await put('{"isOn":true}')).body).toBe('{"error":"locked"}');
  expect((await terminal.handlers['coupon:switch']({ productId, isEnabled: true })).ok).toBe(true);
});

test('who listens is told scans as they are answered, the queue as it changes, and nothing that is typed', async () => {
  const { practice, loopback, wrongBy } = await openPracticed();
  const { platform } = practice;
  const code = String(platform.products.idAt(0));
  const { received, socket } = await loopback.listen();
  await expect.poll(() => received.length, patience).toBe(1);
  expect(received[0]).toMatchObject({ event: 'queue', waiting: 0 });
  await loopback.handlers['lookup:find']({ text: code, source: 'typed' });
  await loopback.handlers['lookup:find']({ text: code, source: 'program' });
  const shown = await loopback.handlers['lookup:find']({ text: code, source: 'scan' });
  expect(shown.ok).toBe(true);
  await loopback.handlers['lookup:find']({ text: code, source: 'scan', isAgain: true });
  await loopback.handlers['lookup:withdraw']({ text: code });
  await expect.poll(() => received.length, patience).toBe(3);
  expect(received.slice(1)).toMatchObject([
    { event: 'scan', code, isFound: true, answer: 'found', products: [{ name: platform.products.at(0).name }, {}] },
    { event: 'withdrawn', code },
  ]);
  await loopback.handlers['coupon:switch']({ productId: idAt(platform, 1), isEnabled: true });
  await expect
    .poll(() => received.at(-1), patience)
    .toMatchObject({ event: 'queue', waiting: 0, sending: 0, delivered: 1 });
  expect(received.map((event) => wrongBy('Event', event))).toEqual(received.map(() => null));
  expect(JSON.stringify(received)).not.toContain(platform.email);
  socket.close();
});

test('what a page asks is judged by the shop that it shows while programs listen, too', async () => {
  const asked: unknown[] = [];
  const fake = createFakeHandlers();
  const names = ['lookup:find', 'lookup:ask', 'product:read', 'lookup:choose', 'lookup:withdraw'] as const;
  const handlers = Object.fromEntries(
    names.map((name) => [
      name,
      (_input: unknown, shownFor?: string) => {
        asked.push([name, shownFor]);
        return Promise.resolve(fail({ kind: 'notReady' as const }));
      },
    ]),
  );
  const loopback = await openLoopback({ handlers: { ...fake, ...handlers } });
  for (const name of names) {
    await loopback.handlers[name]({} as never, 'one shop');
  }
  expect(asked).toEqual(names.map((name) => [name, 'one shop']));
});

/** A terminal at a shop that the test changes, without a word to anybody; it knows no code. */
function openShops() {
  // As long as a platform's address may be.
  const platformUrl = `https://platform.example.com/${'a'.repeat(1970)}`;
  const profile = { platformUrl, clientId: 'c', companyId: '7', stockIds: ['11'] };
  const at = {
    state: { ...firstRunState, mode: 'platform', profileId: 1, profile } as unknown as TerminalState,
    switched: [] as unknown[],
  };
  const answer = { kind: 'unknown', text: '7', asked: false } as const;
  const handlers = createFakeHandlers({
    'terminal:read': () => Promise.resolve(succeed(at.state)),
    'lookup:find': (_input, shownFor) =>
      Promise.resolve(
        shownFor === undefined || shownFor === shopShownBy(at.state) ? succeed(answer) : fail({ kind: 'notReady' }),
      ),
    'coupon:switch': ({ isEnabled }, shownFor) => {
      at.switched.push(shownFor);
      return Promise.resolve(succeed({ isEnabled, status: 'waiting' as const, failure: null }));
    },
  });
  return { at, handlers };
}

test('a switch that names the shop of the lookup is refused where another is open', async () => {
  const { at, handlers } = openShops();
  const loopback = await openLoopback({ handlers }, { mayChangeCoupons: true });
  const answer = await loopback.get('/v1/lookup?code=7');
  const { shop } = JSON.parse(answer.body) as { readonly shop: unknown };
  expect(shop).toEqual(expect.any(String));
  expect(JSON.parse((await loopback.get('/v1/status')).body)).toMatchObject({ mode: 'platform', shop });
  const put = async (body: object) => {
    const { status, body: text } = await loopback.put('/v1/coupons/7', JSON.stringify({ isOn: true, ...body }));
    return [status, (JSON.parse(text) as { readonly error?: string }).error];
  };
  expect(await put({ shop })).toEqual([200, undefined]);
  at.state = { ...at.state, profileId: 2 };
  expect(await put({ shop })).toEqual([409, 'otherShop']);
  expect(await put({})).toEqual([200, undefined]);
  expect(await put({ shop: shopShownBy(at.state) })).toEqual([200, undefined]);
  expect(at.switched).toEqual([shop, undefined, shopShownBy(at.state)]);
});

test('of switches a program makes sixty, and then one a second: none fills the queue', async () => {
  const { at, handlers } = openShops();
  const clock = createManualClock();
  const loopback = await openLoopback({ handlers }, { mayChangeCoupons: true, clock });
  const made = async (count: number): Promise<number> => {
    const before = at.switched.length;
    for (let turn = 0; turn < count; turn += 1) {
      // Of answers there are twenty a second.
      clock.sleep(50);
      await loopback.put('/v1/coupons/7', '{"isOn":true}');
    }
    return at.switched.length - before;
  };
  expect(await made(100)).toBe(64);
  clock.sleep(10_000);
  expect(await made(20)).toBe(11);
});

test('a scan is told with the shop and the mode that have answered it, however new they are', async () => {
  const { at, handlers } = openShops();
  const loopback = await openLoopback({ handlers });
  const { received } = await loopback.listen();
  const scan = () => loopback.handlers['lookup:find']({ text: '7', source: 'scan' });
  await scan();
  const shop = shopShownBy(at.state);
  at.state = { ...at.state, mode: 'practice', profileId: null };
  await scan();
  await expect.poll(() => received.length, patience).toBe(3);
  expect(received.slice(1)).toMatchObject([
    { event: 'scan', mode: 'platform', shop },
    { event: 'scan', mode: 'practice', shop: shopShownBy(at.state) },
  ]);
});

const cardOf = (productId: string, stockId = '1') => ({
  productId,
  stockId,
  stockName: null,
  name: `Produto ${productId}`,
  code: null,
  unit: null,
  balance: { amount: 3, asOf: null },
  barcodes: [],
  extra: [],
  coupon: { isEnabled: true },
});

test('a code that the platform knows is told again with its answer', async () => {
  const card = { kind: 'found', text: '123', cards: [cardOf('1')], read: null } as never;
  const loopback = await openLoopback({
    handlers: createFakeHandlers({
      'lookup:find': ({ text }) => Promise.resolve(succeed({ kind: 'unknown', text } as never)),
      'lookup:ask': ({ text }) => Promise.resolve(text === '123' ? succeed(card) : fail({ kind: 'unreachable' })),
    }),
  });
  const { received } = await loopback.listen();
  await loopback.handlers['lookup:ask']({ text: '123' });
  await loopback.handlers['lookup:find']({ text: '123', source: 'scan' });
  await loopback.handlers['lookup:ask']({ text: '456' });
  await loopback.handlers['lookup:ask']({ text: '123' });
  await expect
    .poll(() => received.slice(1), patience)
    .toMatchObject([
      { event: 'scan', answer: 'unknown' },
      { event: 'scan', answer: 'found' },
    ]);
});

test('a card that makes way as the copy grows is told again, until a person has chosen', async () => {
  const named = [[cardOf('1')], [cardOf('1'), cardOf('1', '2')], [cardOf('2')]];
  const loopback = await openLoopback({
    handlers: createFakeHandlers({
      'lookup:find': ({ text }) => {
        const cards = named.shift();
        const hits = [cardOf('2'), cardOf('3')];
        const answer = cards === undefined ? { kind: 'several', text, hits } : { kind: 'found', text, cards };
        return Promise.resolve(succeed(answer as never));
      },
      'product:read': () => Promise.resolve(succeed(cardOf('2') as never)),
    }),
  });
  const { received } = await loopback.listen();
  const { handlers } = loopback;
  const grow = () => handlers['lookup:find']({ text: '77', source: 'scan', isAgain: true });
  await handlers['lookup:find']({ text: '77', source: 'scan' });
  await grow();
  await grow();
  await grow();
  const key = { stockId: '1', productId: '2', isOpened: true, text: '77' } as never;
  await handlers['product:read'](key);
  await grow();
  await expect
    .poll(() => received.slice(1), patience)
    .toMatchObject([
      { answer: 'found', products: [{ productId: '1' }] },
      { answer: 'found', products: [{ productId: '2' }] },
      { answer: 'several' },
      { answer: 'found', products: [{ productId: '2' }] },
    ]);
});

test('of several that share a code, the one that a person chooses is told with the code', async () => {
  const chosen = { productId: '9', stockId: '1', stockName: null, name: 'Pilha', code: null, unit: null } as const;
  const card = { ...chosen, balance: { amount: 3, asOf: null }, barcodes: [], extra: [], coupon: { isEnabled: true } };
  const loopback = await openLoopback({
    handlers: createFakeHandlers({
      'lookup:find': ({ text }) => Promise.resolve(succeed({ kind: 'several', text, hits: [] } as never)),
      'product:read': () => Promise.resolve(succeed(card as never)),
    }),
  });
  const { received } = await loopback.listen();
  const key = { stockId: '1', productId: '9' } as never;
  await loopback.handlers['lookup:find']({ text: '789', source: 'scan' });
  await loopback.handlers['product:read'](key);
  await loopback.handlers['product:read']({ ...(key as object), isOpened: true } as never);
  await loopback.handlers['product:read']({ ...(key as object), isOpened: true, text: '789' } as never);
  await expect
    .poll(() => received.slice(1), patience)
    .toMatchObject([
      { event: 'scan', code: '789', answer: 'several' },
      { event: 'scan', code: '789', answer: 'found', products: [{ name: 'Pilha', balance: 3 }] },
    ]);
});

test("of a scale's label, the chosen product is told, and the list to choose again is no scan", async () => {
  const chosen = { productId: '9', stockId: '1', stockName: null, name: 'Queijo', code: null, unit: 'KG' } as const;
  const card = { ...chosen, balance: { amount: 3, asOf: null }, barcodes: [], extra: [], coupon: { isEnabled: true } };
  const loopback = await openLoopback({
    handlers: createFakeHandlers({
      'lookup:find': ({ text }) => Promise.resolve(succeed({ kind: 'several', text, hits: [] } as never)),
      'lookup:choose': ({ text }) => Promise.resolve(succeed({ kind: 'found', text, cards: [card] } as never)),
    }),
  });
  const { received } = await loopback.listen();
  await loopback.handlers['lookup:find']({ text: '212', source: 'scan' });
  await loopback.handlers['lookup:find']({ text: '212', source: 'scan', isChoosing: true });
  await loopback.handlers['lookup:choose']({ text: '212', productId: '9' as never });
  await expect
    .poll(() => received.slice(1), patience)
    .toMatchObject([
      { event: 'scan', code: '212', answer: 'several' },
      { event: 'scan', code: '212', answer: 'found', products: [{ name: 'Queijo', balance: 3 }] },
    ]);
});

test('many changes of state are one event a change of the queue, and none for anything else', async () => {
  const events = createFakeEvents();
  const loopback = await openLoopback({ subscribe: events.subscribe });
  const { received } = await loopback.listen();
  const state = { ...firstRunState, mode: 'platform' as const };
  for (const [revision, pending] of [1, 1, 1, 2, 2].entries()) {
    events.fire('terminal:changed', { ...state, revision, queue: { ...state.queue, pending } });
    events.fire('queue:changed', { revision });
  }
  await expect.poll(() => received.slice(1), patience).toMatchObject([{ waiting: 1 }, { waiting: 2 }]);
});

test('who came to listen at the check station is told the queue once that is left', async () => {
  const events = createFakeEvents();
  const queue = { ...firstRunState.queue, pending: 1 };
  const atShop: TerminalState = { ...firstRunState, mode: 'platform', queue };
  const atStation: TerminalState = { ...atShop, station: { ...atShop.station, isOn: true } };
  const handlers = createFakeHandlers({ 'terminal:read': () => Promise.resolve(succeed(atStation)) });
  const loopback = await openLoopback({ subscribe: events.subscribe, handlers });
  events.fire('terminal:changed', atShop);
  events.fire('terminal:changed', atStation);
  const { received } = await loopback.listen();
  events.fire('terminal:changed', atStation);
  events.fire('terminal:changed', atShop);
  await expect.poll(() => received, patience).toMatchObject([{ event: 'queue', waiting: 1 }]);
});

test('off closes everything; on again answers with the same token, until another is made', async () => {
  const loopback = await openLoopback();
  const { socket } = await loopback.listen();
  expect((await loopback.get('/v1/status')).status).toBe(200);
  loopback.choose({ isOn: false });
  const [code] = (await once(socket, 'close')) as [number];
  expect(code).toBe(1001);
  await loopback.until('off');
  await expect(loopback.get('/v1/status')).rejects.toThrow('ECONNREFUSED');

  loopback.choose({ isOn: true });
  await loopback.until('open');
  expect((await loopback.get('/v1/status')).status).toBe(200);
  const again = await loopback.listen();
  const next = loopback.newToken();
  loopback.choose({}, next.hash);
  await once(again.socket, 'close');
  expect((await loopback.get('/v1/status')).status).toBe(401);
  expect((await loopback.get('/v1/status', { Authorization: `Bearer ${next.token}` })).status).toBe(200);
  loopback.choose({}, null);
  await loopback.until('noToken');
});

test('a manager turns it on and makes a token behind the lock; that is listed, and no token is kept', async () => {
  const api = createLoopback({ clock: createNodeClock(), log: () => undefined });
  onTestFinished(api.close);
  const practice = await openPracticeTerminal({ shell: { localApi: api } });
  onTestFinished(practice.close);
  const { handlers } = practice.terminal;
  api.begin(practice.terminal);
  const localApi = async () => (await stateOf(practice.terminal)).localApi;
  expect(await localApi()).toEqual({ ...defaultLocalApi, status: 'off', openPort: null });
  const choose = () => handlers['settings:update']({ localApi: { ...defaultLocalApi, isOn: true, port: 0 } });
  await handlers['lock:setPin']({ pin: '2580' });
  expect([await choose(), await handlers['localApi:makeToken']({})]).toEqual([
    fail({ kind: 'locked' }),
    fail({ kind: 'locked' }),
  ]);
  await handlers['lock:unlock']({ pin: '2580', opens: 'settings' });
  await choose();
  await expect.poll(async () => (await localApi())?.status, patience).toBe('noToken');
  await handlers['lock:unlock']({ pin: '2580', opens: 'tokens' });
  const made = await handlers['localApi:makeToken']({});
  const token = made.ok ? made.value.token : '';
  await expect.poll(async () => (await localApi())?.status, patience).toBe('open');
  const answer = await ask((await localApi())?.openPort ?? 0, 'GET', '/v1/queue', { Authorization: `Bearer ${token}` });
  expect(answer.status).toBe(200);
  await handlers['lock:unlock']({ pin: '2580', opens: 'audit' });
  const audit = await handlers['audit:list']({ group: 'settings', offset: 0, limit: 10 });
  expect(audit.ok && audit.value.rows.map(({ action }) => action)).toMatchObject([
    { kind: 'programTokenMade' },
    { kind: 'setting', field: 'localApi.port' },
    { kind: 'setting', field: 'localApi.isOn', from: 'false', to: 'true' },
  ]);
  const bundle = await handlers['support:readBundle']({});
  for (const shown of [audit, bundle, await stateOf(practice.terminal)]) {
    expect(JSON.stringify(shown)).not.toContain(token);
  }
  expect(findSecretsIn(practice.directory, { token })).toEqual([]);
});

test('a process that finds it switched on answers, and again after a restart with the same token', async () => {
  const dataDirectory = temporaryDirectory();
  const token = newSecret();
  const document = {
    version: 2,
    localApi: { ...defaultLocalApi, isOn: true, port: 0 },
    localApiTokenHash: hashOfToken(token),
  };
  writeFileSync(join(dataDirectory, 'settings.json'), JSON.stringify({ document }));
  for (const times of [1, 2]) {
    const { child } = await startBrowserHost(['--data-dir', dataDirectory]);
    onTestFinished(() => child.kill());
    const ports = () => [
      ...readFileSync(join(dataDirectory, 'logs', 'tillside.log'), 'utf8').matchAll(
        /answered on loopback.*?(\d{4,5})/g,
      ),
    ];
    await expect.poll(() => ports().length, patience).toBe(times);
    const port = Number(ports().at(-1)?.[1]);
    const answer = await ask(port, 'GET', '/v1/status', { Authorization: `Bearer ${token}` });
    expect([answer.status, JSON.parse(answer.body)]).toMatchObject([200, { mode: null, isSignedIn: false }]);
    await child.stop();
    await expect(ask(port, 'GET', '/v1/status')).rejects.toThrow('ECONNREFUSED');
  }
});

test('a port that is taken is said, tried again without a word, and answered at as soon as it is free', async () => {
  const other = createServer();
  other.listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const clock = createManualClock();
  const loopback = await openLoopback({}, { clock });
  loopback.choose({ port });
  await loopback.until('portTaken');
  await clock.advance(30_000);
  await loopback.until('portTaken');
  const warnings = () => loopback.logged.filter(([level]) => level === 'warning');
  expect(warnings()).toEqual([
    ['warning', 'programs: the loopback address cannot be opened', { port, reason: 'EADDRINUSE' }],
  ]);
  other.close();
  await once(other, 'close');
  await expect
    .poll(async () => {
      await clock.advance(30_000);
      return loopback.until('open').catch(() => 0);
    }, patience)
    .toBe(port);
});

test('a port that only one of the two loopback addresses has free is a taken one', async (context) => {
  const other = createServer();
  other.listen({ host: '::1', port: 0, ipv6Only: true });
  const isThere = await once(other, 'listening').then(
    () => true,
    () => false,
  );
  // Without ::1 there is no second address that could be taken.
  context.skip(!isThere, 'this machine has no ::1');
  onTestFinished(() => void other.close());
  const loopback = await openLoopback();
  loopback.choose({ port: (other.address() as { port: number }).port });
  expect(await loopback.until('portTaken')).toBe(0);
});
