// The proof of two pages of one till that scan into one count: what each of them takes back, over the whole terminal.
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { everyProduct } from '../../../app/contract/every-product.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { openTerminal, type Terminal } from '../../../app/terminal/terminal.ts';
import { startTrainingPlatform, type TrainingPlatform } from '../../../app/training/server.ts';
import type { Bridge } from '../../../renderer/bridge/bridge.ts';
import { createStocktakeStores } from '../../../renderer/stocktakes/stocktakes-store.ts';
import { makeLastingStore } from '../../../renderer/stores/make-store.ts';
import { makeSettingsFile, makeShell } from '../../support/ports.ts';
import { makePorts } from '../../support/real-ports.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';
import { valueOf } from '../../support/value-of.ts';

const patience = { timeout: 30_000, interval: 50 };
const folder = makeTemporaryDirectory();
let platform: TrainingPlatform;
let terminal: Terminal;
let codes: readonly string[] = [];
let stockId: Id;

const invoke: Bridge['call'] = (channel, input) => {
  const handler = terminal.handlers[channel] as unknown as (input: unknown) => ReturnType<Bridge['call']>;
  return handler(input) as never;
};

beforeAll(async () => {
  platform = await startTrainingPlatform({ directory: null, port: 0, productCount: 100, requestsPerMinute: 100_000 });
  const shell = makeShell(folder.path, {
    startPractice: () => Promise.resolve({ ...platform, close: async () => undefined }),
  });
  terminal = await openTerminal(makePorts({ settingsFile: makeSettingsFile({ mode: 'practice' }), shell }));
  const isCopied = async (): Promise<boolean> => {
    const { catalogue } = valueOf(await invoke('terminal:read', {}));
    return catalogue.stocks.length > 0 && catalogue.stocks.every(({ completeAsOf }) => completeAsOf !== null);
  };
  await vi.waitFor(async () => expect(await isCopied()).toBe(true), patience);
  stockId = valueOf(await invoke('terminal:read', {})).profile?.stockIds[0] as Id;
  const query = { ...everyProduct, stockId, orderBy: 'code' as const };
  const { rows } = valueOf(await invoke('stock:browse', { query, offset: 0, limit: 50 }));
  codes = rows.flatMap((row) => row?.code ?? []);
});
afterAll(async () => {
  await terminal.close();
  await platform.close();
  folder.remove();
});

/** A page that shows this count. */
async function openPage(stocktakeId: number) {
  const { store } = createStocktakeStores(
    makeLastingStore,
    { call: invoke, subscribe: () => () => undefined },
    () => () => undefined,
  );
  await store.getState().open(stocktakeId);
  const shown = (): unknown => {
    const { outcome } = store.getState();
    return outcome !== null && 'line' in outcome && outcome.line !== null
      ? [outcome.kind, outcome.line.code, outcome.line.quantity]
      : outcome?.kind;
  };
  return {
    scan: (text: string) => store.getState().scan(text, 'scan'),
    set: (quantity: number) => {
      const { outcome } = store.getState();
      const id = outcome !== null && 'line' in outcome ? (outcome.line?.id ?? -1) : -1;
      return store.getState().setQuantity(id, quantity);
    },
    withdraw: (text: string) => store.getState().withdraw(text),
    /** What the page shows then. */
    undo: async () => {
      await store.getState().undo();
      return shown();
    },
  };
}

async function openPages() {
  const { id } = valueOf(await invoke('stocktake:start', { name: 'Shelf 4', stockId, filter: null }));
  const counted = async (): Promise<Record<string, number | null>> => {
    const lines = await invoke('stocktake:listLines', { stocktakeId: id, state: null, offset: 0, limit: 50 });
    return Object.fromEntries(valueOf(lines).rows.map(({ code, quantity }) => [String(code), quantity]));
  };
  return { one: await openPage(id), other: await openPage(id), open: () => openPage(id), counted };
}

test('a page takes back what it shows as the last, and its own before that, never the other page’s', async () => {
  const [a = '', b = '', x = '', y = ''] = codes;
  const { one, other, counted } = await openPages();
  await one.scan(a);
  await other.scan(x);
  await one.scan(b);
  await other.scan(y);
  expect(await one.undo()).toEqual(['undone', b, null]);
  expect(await counted()).toEqual({ [a]: 1, [x]: 1, [y]: 1 });
  expect(await one.undo()).toEqual(['undone', a, null]);
  expect(await other.undo()).toEqual(['undone', y, null]);
  expect(await counted()).toEqual({ [x]: 1 });
});

test('where the other page has counted the same since, that is shown, and taken back only after that', async () => {
  const [a = ''] = codes;
  const { one, other, counted } = await openPages();
  await one.scan(a);
  await other.scan(a);
  await other.set(12);
  expect(await one.undo()).toEqual(['overtaken', a, 12]);
  expect(await counted()).toEqual({ [a]: 12 });
  expect(await one.undo()).toEqual(['undone', a, 2]);
  expect(await other.undo()).toEqual(['overtaken', a, 2]);
});

test('a page that has shown nothing as the last shows the newest first, step by step, to nothing', async () => {
  const [a = '', x = ''] = codes;
  const { one, other, open, counted } = await openPages();
  await one.scan(a);
  await other.scan(x);
  const later = await open();
  expect(await later.undo()).toEqual(['newest', x, 1]);
  expect(await counted()).toEqual({ [a]: 1, [x]: 1 });
  expect(await later.undo()).toEqual(['undone', x, null]);
  expect(await later.undo()).toEqual(['newest', a, 1]);
  expect(await later.undo()).toEqual(['undone', a, null]);
  expect(await later.undo()).toBe('newest');
  expect(await counted()).toEqual({});
});

test('a part of another scan is taken back also where the other page has counted something meanwhile', async () => {
  const [a = '', x = ''] = codes;
  const { one, other, counted } = await openPages();
  await one.scan(a);
  await other.scan(x);
  await one.withdraw(a);
  expect(await counted()).toEqual({ [x]: 1 });
});
