import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import type { HostBridge } from '../../../../app/contract/bridge.ts';
import { openStores } from '../../../../renderer/stores/stores.ts';
import { readyState } from '../../../ui/ready-state.ts';
import { card, failed, found, ok } from './held-bridge.ts';

/** Looks for open dialogs whenever told that the page has changed. */
let changePage = (): void => undefined;
beforeAll(() => {
  vi.stubGlobal('document', { querySelector: () => null, body: null });
  vi.stubGlobal(
    'MutationObserver',
    class {
      constructor(look: () => void) {
        changePage = look;
      }
      observe = (): void => undefined;
      disconnect = (): void => undefined;
    },
  );
});
afterAll(() => {
  vi.unstubAllGlobals();
});

const state = (revision: number) => ({ ...readyState(0), revision });

/** The page's stores over a bridge that answers so. */
function open(answer: (channel: string, input: Readonly<Record<string, unknown>>) => unknown) {
  let calls: string[] = [];
  let send = (_name: string, _payload: unknown): void => undefined;
  const bridge = {
    invoke: async (channel: string, input: Readonly<Record<string, unknown>>) => {
      calls.push(channel);
      return Promise.resolve(answer(channel, input));
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
  return {
    stores,
    send: (name: string, payload: unknown) => send(name, payload),
    callsOf: async (action: () => unknown): Promise<readonly string[]> => {
      calls = [];
      await action();
      return calls;
    },
  };
}

it('lists are read again for their own events, and for any that a broken way has lost', async () => {
  let revision = 1;
  const { stores, send, callsOf } = open((channel) =>
    channel === 'terminal:read'
      ? ok({ ...state(revision), stocktakeChanges: revision > 2 ? 1 : 0 })
      : failed('notReady'),
  );
  await stores.readTerminal();
  stores.coupons.list.getState().see(0, 0);
  stores.queue.list.getState().see(0, 0);
  stores.stock.getState().see(0, 0);
  stores.stocktakes.list.getState().see(0, 0);
  const readBy = async (action: () => unknown): Promise<readonly string[]> => {
    const calls = await callsOf(action);
    return calls.filter((channel) => channel.endsWith(':list') || channel === 'stock:browse');
  };
  const all = ['coupon:list', 'queue:list', 'stocktake:list'];
  expect(await readBy(() => send('terminal:changed', state(2)))).toEqual([]);
  expect(await readBy(() => send('queue:changed', { revision: 2 }))).toEqual(['queue:list']);
  expect(await readBy(() => send('coupon:changed', { revision: 2 }))).toEqual(['coupon:list']);
  expect(await readBy(() => send('terminal:changed', { ...state(3), stocktakeChanges: 1 }))).toEqual([
    'stocktake:list',
  ]);
  expect(await readBy(() => send('terminal:changed', { ...state(5), stocktakeChanges: 1 }))).toEqual(all);
  revision = 5;
  expect(await readBy(() => stores.readTerminal())).toEqual([]);
  revision = 6;
  expect(await readBy(() => stores.readTerminal())).toEqual(all);
});

it('each is read again once when the main process answers again, also where much has happened meanwhile', async () => {
  let [revision, isThere] = [1, true];
  const { stores, callsOf } = open((channel) => {
    if (!isThere) {
      throw new Error('gone');
    }
    return channel === 'terminal:read' ? ok(state(revision)) : failed('notReady');
  });
  await stores.readTerminal();
  stores.coupons.list.getState().see(0, 0);
  stores.stock.getState().see(0, 0);
  isThere = false;
  await stores.readTerminal();
  expect(stores.terminal.getState().isGone).toBe(true);
  [revision, isThere] = [9, true];
  const calls = await callsOf(() => stores.readTerminal());
  const timesOf = (name: string): number => calls.filter((channel) => channel === name).length;
  expect([timesOf('coupon:list'), timesOf('stock:browse')]).toEqual([1, 1]);
  expect(stores.terminal.getState().missed).toBe(1);
});

it('a table is read again after lost events, but does not begin anew before it has been counted', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let [revision, isWhole] = [1, false];
  const views: unknown[] = [];
  const part = () => ok({ view: 1, isWhole, found: 1, offset: 0, rows: [null], of: 1 });
  const { stores } = open((channel, input) => {
    if (channel === 'stock:browse') {
      views.push(input['view']);
      return part();
    }
    return channel === 'terminal:read' ? ok(state((revision += 2))) : failed('notReady');
  });
  await stores.readTerminal();
  stores.stock.getState().see(0, 0);
  const begunIn = async (seconds: number): Promise<number> => {
    const before = views.length;
    for (let second = 0; second < seconds; second += 1) {
      await stores.readTerminal();
      await vi.advanceTimersByTimeAsync(1000);
    }
    return views.slice(before).filter((view) => view === undefined).length;
  };
  expect(await begunIn(20)).toBe(0);
  isWhole = true;
  expect(await begunIn(20)).toBe(4);
});

it('the list of minimums is read again for one that another page has changed, though as many are watched', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const page = ok({ view: 1, isWhole: true, found: 1, offset: 0, rows: [null], of: 1 });
  const answers: Readonly<Record<string, unknown>> = { 'stock:browse': page, 'terminal:read': ok(state(1)) };
  const { stores, send, callsOf } = open((channel) => answers[channel] ?? failed('notReady'));
  await stores.readTerminal();
  const browsedIn = async (shown: 'watched' | 'below' | 'all'): Promise<number> => {
    stores.stock.getState().show(shown);
    stores.stock.getState().see(0, 0);
    await vi.advanceTimersByTimeAsync(10_000);
    const calls = await callsOf(async () => {
      send('coupon:changed', { revision: 1 });
      await vi.advanceTimersByTimeAsync(10_000);
    });
    return calls.filter((channel) => channel === 'stock:browse').length;
  };
  expect([await browsedIn('watched'), await browsedIn('below'), await browsedIn('all')]).toEqual([1, 1, 0]);
});

it('a card is read again when coupons or the copy have changed, however many others were shown since', async () => {
  const shown = { isEnabled: true };
  const cardNow = () => card('1', { coupon: { isEnabled: shown.isEnabled, status: 'confirmed', failure: null } });
  const { stores, send } = open((channel) => {
    if (channel === 'terminal:read') {
      return ok(state(1));
    }
    if (channel === 'product:readKept') {
      return ok({ movements: null, batches: null });
    }
    const others = channel === 'lookup:listRecent' ? ok([]) : ok(cardNow());
    return channel === 'lookup:find' ? found('x', cardNow()) : others;
  });
  const isEnabled = () => {
    const { answer } = stores.lookup.getState();
    return answer?.kind === 'found' ? answer.cards[0]?.coupon.isEnabled : null;
  };
  await stores.readTerminal();
  await stores.lookup.getState().find('x', 'scan');
  expect(isEnabled()).toBe(true);
  shown.isEnabled = false;
  send('coupon:changed', { revision: 2 });
  await expect.poll(isEnabled).toBe(false);
  shown.isEnabled = true;
  const { catalogue } = state(2);
  send('terminal:changed', { ...state(2), catalogue: { ...catalogue, changes: catalogue.changes + 1 } });
  await expect.poll(isEnabled).toBe(true);
});

it('a card waits while a PIN is asked for, and the question stays', async () => {
  let product = '7';
  const { stores } = open((channel) => (channel === 'lookup:find' ? found('x', card(product)) : failed('notReady')));
  const { lookup, pin } = stores;
  const shown = (): unknown => {
    const { answer } = lookup.getState();
    return answer?.kind === 'found' ? answer.cards[0]?.productId : null;
  };
  pin.getState().attach();
  await lookup.getState().find('x', 'scan');
  void pin.getState().ask('coupons', null);
  product = '8';
  const noticed = lookup.getState().noticeCopy();
  await vi.waitFor(() => changePage());
  expect([pin.getState().asked, shown()]).toEqual(['coupons', '7']);
  pin.getState().giveUp();
  changePage();
  await noticed;
  expect(shown()).toBe('8');
});
