import { describe, expect, it, vi } from 'vitest';
import { whoOf } from '../../../../app/contract/access.ts';
import type { HostBridge } from '../../../../app/contract/bridge.ts';
import type { Channel } from '../../../../app/contract/contract.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { actionsOf } from '../../../../app/lock/audit-entries.ts';
import { openBridge, type BridgeListener } from '../../../../renderer/bridge/bridge.ts';

const never = (): (() => void) => () => undefined;
const nobody = { shop: () => undefined, person: () => undefined, known: () => null };
const host = (invoke: HostBridge['invoke']): HostBridge => ({ invoke, subscribe: never });

describe('a call', () => {
  it('answers what the main process answered', async () => {
    const bridge = openBridge(
      host(() => Promise.resolve({ ok: true, value: [] })),
      () => undefined,
      nobody,
    );
    expect(await bridge.call('lookup:listRecent', {})).toEqual({ ok: true, value: [] });
  });

  it('answers the failure that the main process gave', async () => {
    const bridge = openBridge(
      host(() => Promise.resolve({ ok: false, failure: { kind: 'queueFull' } })),
      () => undefined,
      nobody,
    );
    expect(await bridge.call('queue:retry', { updateId: 1 })).toEqual({ ok: false, failure: { kind: 'queueFull' } });
  });

  it('tells that the main process has gone when the host rejects', async () => {
    const onGone = vi.fn();
    const bridge = openBridge(
      host(() => Promise.reject(new Error('closed'))),
      onGone,
      nobody,
    );
    expect(await bridge.call('terminal:read', {})).toEqual({ ok: false, failure: { kind: 'cancelled' } });
    expect(onGone).toHaveBeenCalledOnce();
    expect(onGone).toHaveBeenLastCalledWith(false);
  });

  it('that was to keep something, and whose answer never came, may have been done', async () => {
    const bridge = openBridge(
      host(() => Promise.reject(new Error('closed'))),
      () => undefined,
      nobody,
    );
    const updateId = 1;
    expect(await bridge.call('queue:retry', { updateId })).toEqual({ ok: false, failure: { kind: 'effectUnknown' } });
    expect(await bridge.call('queue:history', { updateId })).toEqual({ ok: false, failure: { kind: 'cancelled' } });
  });

  it.each([
    ['hub:join', { address: 'postgres://hub', name: 'Till 1' }],
    ['hub:leave', {}],
    ['hub:remove', { ids: ['1'] }],
    ['cashier:forget', { email: 'ana@example.com' }],
    ['localApi:makeToken', {}],
    ['device:setStartsAtSignIn', { isOn: true }],
    ['provisioning:open', { text: '' }],
    ['session:signOut', {}],
    ['profile:switch', { profileId: 1 }],
    ['printer:printPage', {}],
    ['shopLists:export', {}],
  ] as const)('to %s, whose answer never came, may have been made', async (channel, input) => {
    const closed = host(() => Promise.reject(new Error('closed')));
    const bridge = openBridge(closed, () => undefined, nobody);
    expect(await bridge.call(channel, input as never)).toEqual({ ok: false, failure: { kind: 'effectUnknown' } });
  });

  it('tells that this page is shut out when a host answers that does not know it', async () => {
    const onGone = vi.fn();
    await openBridge(
      host(() => Promise.reject(Object.assign(new Error('401'), { name: 'NotAdmitted' }))),
      onGone,
      nobody,
    ).call('terminal:read', {});
    expect(onGone).toHaveBeenLastCalledWith(true);
  });
});

it('a call that writes says for whom, one that reads at which shop; what belongs to no shop says neither', async () => {
  const asked: unknown[] = [];
  const bridge = openBridge(
    host((channel, _input, shownFor) => Promise.resolve(asked.push([channel, shownFor]))),
    () => undefined,
    { shop: () => 'one shop', person: () => 'Ana at one shop', known: () => null },
  );
  await bridge.call('coupon:switch', { productId: '7' as Id, isEnabled: true });
  await bridge.call('profile:rename', { profileId: 1, name: null });
  await bridge.call('cashier:setPin', { pin: '1234' });
  await bridge.call('lookup:find', { text: '7', source: 'scan' });
  await bridge.call('stock:browse', {} as never);
  await bridge.call('terminal:read', {});
  await bridge.call('profile:switch', { profileId: 2 });
  expect(asked).toEqual([
    ['coupon:switch', 'Ana at one shop'],
    ['profile:rename', 'Ana at one shop'],
    ['cashier:setPin', 'Ana at one shop'],
    ['lookup:find', 'one shop'],
    ['stock:browse', 'one shop'],
    ['terminal:read', undefined],
    ['profile:switch', undefined],
  ]);
});

it('a call for a person waits until it is known who comes, and is for whom the page showed', async () => {
  const asked: unknown[] = [];
  let person = 'Ana';
  const known = Promise.withResolvers<void>();
  const bridge = openBridge(
    host((channel, _input, shownFor) => Promise.resolve(asked.push([channel, shownFor]))),
    () => undefined,
    { shop: () => 'one shop', person: () => person, known: () => known.promise },
  );
  const switched = bridge.call('coupon:switch', { productId: '7' as Id, isEnabled: true });
  await bridge.call('lookup:find', { text: '7', source: 'scan' });
  await bridge.call('cashier:scanBadge', { code: 'TILLSIDE' });
  person = 'Bea';
  known.resolve();
  await switched;
  expect(asked).toEqual([
    ['lookup:find', 'one shop'],
    ['cashier:scanBadge', undefined],
    ['coupon:switch', 'Ana'],
  ]);
});

it('a call that is listed says for whom, but for those of anybody: whoever comes would be listed with it', async () => {
  const asked = new Map<string, string | undefined>();
  const bridge = openBridge(
    host((channel, _input, shownFor) => Promise.resolve(asked.set(channel, shownFor))),
    () => undefined,
    { shop: () => 'one shop', person: () => 'Ana at one shop', known: () => null },
  );
  const listed = (Object.keys(actionsOf) as Channel[]).filter(
    (channel) => whoOf({ channel, isMild: false }) !== 'nobody',
  );
  for (const channel of [...listed, 'profile:connect'] as const) {
    await bridge.call(channel, {});
  }
  expect(asked.size).toBeGreaterThan(20);
  expect([...asked].filter(([, shownFor]) => shownFor !== 'Ana at one shop')).toEqual([]);
});

describe('an event', () => {
  it('reaches the listener that names it; one that nobody listens for reaches nobody', () => {
    let send: (name: string, payload: unknown) => void = () => undefined;
    const ownHost: HostBridge = {
      invoke: () => Promise.resolve(null),
      subscribe: (listener) => {
        send = listener;
        return () => undefined;
      },
    };
    const heard: unknown[] = [];
    const listener: BridgeListener = {
      'terminal:changed': (state) => heard.push(state),
      'queue:changed': (change) => heard.push(change),
    };
    openBridge(ownHost, () => undefined, nobody).subscribe(listener);
    send('queue:changed', { revision: 3 });
    send('product:changed', {});
    send('terminal:changed', { revision: 1 });
    expect(heard).toEqual([{ revision: 3 }, { revision: 1 }]);
  });
});
