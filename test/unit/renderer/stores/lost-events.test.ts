import { expect, it } from 'vitest';
import type { HostBridge } from '../../../../app/contract/bridge.ts';
import { openStores } from '../../../../renderer/stores/stores.ts';
import { readyState } from '../../../ui/ready-state.ts';
import { failed, ok } from './held-bridge.ts';

const state = (revision: number) => ({ ...readyState(0), revision });

it('lists are read again for their own events, and for any that a broken way has lost', async () => {
  let calls: string[] = [];
  let revision = 1;
  let send = (_name: string, _payload: unknown): void => undefined;
  const bridge = {
    invoke: (channel: string) => {
      calls.push(channel);
      return Promise.resolve(channel === 'terminal:read' ? ok(state(revision)) : failed('notReady'));
    },
    subscribe: (listener: typeof send) => {
      send = listener;
      return () => undefined;
    },
  } as unknown as HostBridge;
  const stores = openStores(bridge, { fragment: '', show: () => undefined }, {
    read: () => null,
    keep: () => undefined,
    drop: () => undefined,
  } as never);
  await stores.readTerminal();
  stores.coupons.list.getState().see(0, 0);
  stores.queue.list.getState().see(0, 0);
  const readBy = async (action: () => unknown): Promise<readonly string[]> => {
    calls = [];
    await action();
    return calls.filter((channel) => channel.endsWith(':list'));
  };
  const both = ['coupon:list', 'queue:list'];
  expect(await readBy(() => send('terminal:changed', state(2)))).toEqual([]);
  expect(await readBy(() => send('queue:changed', { revision: 2 }))).toEqual(['queue:list']);
  expect(await readBy(() => send('coupon:changed', { revision: 2 }))).toEqual(['coupon:list']);
  expect(await readBy(() => send('terminal:changed', state(4)))).toEqual(both);
  revision = 4;
  expect(await readBy(() => stores.readTerminal())).toEqual([]);
  revision = 5;
  expect(await readBy(() => stores.readTerminal())).toEqual(both);
});
