// The proof that a customer at the check station gets answers to codes and nothing else: over a whole terminal with a
// real store, with calls that no page of ours makes, through a restart, and until the manager's PIN.
import { expect, test } from 'vitest';
import type { EventListener } from '../../../app/contract/bridge.ts';
import { invokes, type Channel } from '../../../app/contract/contract.ts';
import { accessRows } from '../../../app/contract/access.ts';
import { defaultStation, type StationChoice } from '../../../app/contract/station.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { dispatch } from '../../../app/hosts/dispatch.ts';
import { createProgramCalls } from '../../../app/hosts/programs/answers.ts';
import { stationStockOf } from '../../../app/terminal/station/answer.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { openCopied, openMachine, openPlatformForTest, provisionOf, stateOf } from '../../support/machine.ts';

const pin = '25801379';
const on: StationChoice = { ...defaultStation, isOn: true };
const quiet = (): void => undefined;

/** A terminal at work, with a manager's PIN. */
async function atWork(more: Partial<StationChoice> | null = {}, hasKeychain = true) {
  const { platform, machine, terminal } = await openCopied(openMachine(null, hasKeychain));
  await terminal.handlers['lock:setPin']({ pin });
  await terminal.handlers['lock:unlock']({ pin, opens: 'coupons' });
  await terminal.handlers['lock:unlock']({ pin, opens: 'settings' });
  if (more !== null) {
    expect(await terminal.handlers['settings:update']({ station: { ...on, ...more } })).toEqual(succeed({}));
  }
  return { platform, machine, terminal };
}

const find = async ({ handlers }: Terminal, text: string) => {
  const found = await handlers['station:find']({ text });
  return found.ok ? found.value : found.failure.kind;
};

/** A product whose figure is more than the copy would call few. */
function plentiful(platform: TrainingPlatform): { readonly productId: Id; readonly name: string } {
  const products = Array.from({ length: 50 }, (_, index) => ({
    productId: String(platform.products.idAt(index)) as Id,
    ...platform.products.at(index),
  }));
  const [first] = products;
  if (first === undefined) {
    expect.fail('no product');
  }
  return first;
}

test('every other call is refused, however made and whatever the PIN has opened, and changes nothing', async () => {
  const { terminal, platform, machine } = await atWork();
  const before = JSON.stringify(machine.settings());
  const arrived = platform.arrivals().length;
  const refused = (Object.keys(invokes) as Channel[]).filter((channel) => !('station' in accessRows[channel]));
  expect(refused.length).toBe(Object.keys(invokes).length - 3);
  for (const channel of refused) {
    for (const input of [{}, { pin }, { text: '1', source: 'scan' }]) {
      const handle = terminal.handlers[channel] as (input: unknown) => Promise<unknown>;
      expect(await handle(input), channel).toEqual(fail({ kind: 'locked' }));
      expect(await dispatch(terminal.handlers, channel, input, quiet), channel).toMatchObject({ ok: false });
    }
  }
  expect(JSON.stringify(machine.settings())).toBe(before);
  expect(platform.arrivals()).toHaveLength(arrived);
});

test('a customer gets name and words, no figure; nothing is remembered or asked of the platform', async () => {
  const { terminal, platform } = await atWork(null);
  const { productId, name } = plentiful(platform);
  const own = await terminal.handlers['lookup:find']({ text: productId, source: 'program' });
  const card = own.ok && own.value.kind === 'found' ? own.value.cards[0] : undefined;
  const amount = card?.balance.amount ?? null;
  const { kind: word } = stationStockOf({ amount, asOf: null, source: null }, null, on);
  await terminal.handlers['settings:update']({ station: on });
  const arrived = platform.arrivals().length;

  const answer = await find(terminal, productId);
  expect(answer).toMatchObject({ kind: 'found', products: [{ name, stock: { kind: word } }] });
  expect(JSON.stringify(answer)).not.toContain('amount');
  expect(await find(terminal, 'NO-SUCH-1')).toEqual({ kind: 'askUs' });
  expect(await find(terminal, name), 'a name is no code').toEqual({ kind: 'askUs' });
  expect(platform.arrivals()).toHaveLength(arrived);

  const programs = createProgramCalls(terminal.handlers, quiet);
  for (const asked of [await programs.lookUp(productId), await programs.queue(), await programs.status(0)]) {
    expect(asked, 'other programs').toEqual(fail({ kind: 'locked' }));
  }
  await terminal.handlers['station:leave']({ pin });
  const recent = await terminal.handlers['lookup:listRecent']({});
  expect(recent).toEqual(succeed([]));
});

test('the state and the events tell of nobody, and no card, queue or coupon is told of', async () => {
  const { terminal, platform } = await atWork(null);
  const events: [string, string][] = [];
  const listener: EventListener = (name, payload) => {
    events.push([name, JSON.stringify(payload)]);
  };
  terminal.subscribe(listener);
  const { productId } = plentiful(platform);
  await terminal.handlers['product:read']({ ...(await keyOf(terminal, productId)) });
  await terminal.handlers['coupon:switch']({ productId, isEnabled: false });
  await terminal.handlers['settings:update']({ station: on });
  events.length = 0;
  // The update that waits is sent all the same.
  await expect
    .poll(() => platform.effects().map((effect) => effect.productId), { timeout: 20_000 })
    .toEqual([productId]);
  await expect.poll(() => terminal.status().queue.waiting, { timeout: 20_000 }).toBe(0);
  await expect.poll(() => events.length, { timeout: 20_000 }).toBeGreaterThan(0);
  expect([...new Set(events.map(([name]) => name))]).toEqual(['terminal:changed']);
  const state = JSON.stringify(await stateOf(terminal));
  for (const said of [state, ...events.map(([, payload]) => payload)]) {
    expect(said).not.toContain(platform.email);
    expect(said).not.toContain(platform.platformUrl);
    expect(said).not.toMatch(/"(?:pending|delivered|parked|copied)":[1-9]/);
  }
});

async function keyOf({ handlers }: Terminal, productId: Id) {
  const found = await handlers['lookup:find']({ text: productId, source: 'program' });
  const card = found.ok && found.value.kind === 'found' ? found.value.cards[0] : undefined;
  return { stockId: card?.stockId ?? ('0' as Id), productId };
}

test('a restart comes back into the station, and only the manager’s PIN leaves it', async () => {
  const { terminal, machine, platform } = await atWork();
  await terminal.close();
  const after = await machine.start();
  expect(await stateOf(after)).toMatchObject({ station: { isOn: true }, session: { email: null } });
  expect(await after.handlers['session:signOut']({})).toEqual(fail({ kind: 'locked' }));
  expect(await after.handlers['lock:unlock']({ pin, opens: 'settings' })).toEqual(fail({ kind: 'locked' }));
  for (const tried of ['0000', '2580']) {
    expect(await after.handlers['station:leave']({ pin: tried })).toMatchObject({ failure: { kind: 'pinWrong' } });
  }
  expect(await after.handlers['station:leave']({ pin })).toEqual(succeed({}));
  expect(await stateOf(after)).toMatchObject({ station: { isOn: false }, session: { email: platform.email } });
  expect(await after.handlers['station:find']({ text: '1' })).toEqual(fail({ kind: 'notReady' }));
  expect(await after.handlers['station:leave']({ pin })).toEqual(fail({ kind: 'notReady' }));
  await after.handlers['lock:unlock']({ pin, opens: 'audit' });
  const noted = await after.handlers['audit:list']({ group: 'settings', offset: 0, limit: 2 });
  expect(noted.ok && noted.value.rows.map(({ action }) => action)).toMatchObject([
    { field: 'station.isOn', from: 'true', to: 'false' },
    { field: 'station.isOn', from: 'false', to: 'true' },
  ]);
});

test('without a PIN it is never on: not by a person, not by a settings file, and not after a forgotten PIN', async () => {
  const { terminal, machine } = await atWork(null);
  await terminal.handlers['lock:setPin']({ pin: null, oldPin: pin });
  expect(await terminal.handlers['settings:update']({ station: on })).toEqual(fail({ kind: 'inputInvalid' }));
  expect(await stateOf(terminal)).toMatchObject({ station: { isOn: false } });
  await terminal.close();
  const damaged = openMachine({ ...machine.settings(), station: { ...on, fewBelow: 'many' } });
  const after = await damaged.start();
  expect(await stateOf(after)).toMatchObject({ station: { isOn: false, fewBelow: 5 } });
  expect(damaged.settings()).toMatchObject({ station: { isOn: false } });
});

test('signed out, the copy answers, also where looking up needs a sign-in: the manager has opened it', async () => {
  const { terminal, platform, machine } = await atWork({}, false);
  const { productId } = plentiful(platform);
  await terminal.close();
  const after = await machine.start();
  expect(after.status().phase).toBe('signIn');
  expect(await find(after, productId)).toMatchObject({ kind: 'found' });
  await after.close();
  Object.assign(machine.settings(), { lookupNeedsSignIn: true });
  const opened = await machine.start();
  expect(await find(opened, productId)).toMatchObject({ kind: 'found' });
  expect(await stateOf(opened)).toMatchObject({ phase: 'ready', station: { isOn: true } });
  await opened.handlers['station:leave']({ pin });
  expect(await opened.handlers['lookup:find']({ text: productId, source: 'scan' })).toMatchObject({
    failure: { kind: 'signInNeeded' },
  });
});

test('a provisioning file switches it on for a terminal that it gives a PIN, and for no other', async () => {
  const platform = await openPlatformForTest();
  const file = { ...provisionOf(platform), settings: { station: on } };
  const bare = await openMachine().start(file);
  expect(await stateOf(bare)).toMatchObject({ station: { isOn: false } });
  const pinned = await openMachine().start({ ...file, managerLock: { pin } });
  expect(await stateOf(pinned)).toMatchObject({ station: { isOn: true } });
  expect(await pinned.handlers['session:signIn']({ email: platform.email, password: platform.password })).toEqual(
    fail({ kind: 'locked' }),
  );
});
