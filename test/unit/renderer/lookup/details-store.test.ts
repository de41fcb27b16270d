// The invariants are those of renderer/lookup/details-store.ts.
import { expect, test } from 'vitest';
import type { ProductMovements, ReadBatches } from '../../../../app/contract/details.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../../../app/domain/result.ts';
import type { Bridge } from '../../../../renderer/bridge/bridge.ts';
import { createDetailsStore } from '../../../../renderer/lookup/details-store.ts';
import { makeLastingStore } from '../../../../renderer/stores/make-store.ts';

const stock = '11' as Id;
const product = '101' as Id;
const option = '7' as Id;

const movements = (all: number): ProductMovements => ({
  in: all + 6,
  out: -6,
  all,
  options: [{ name: 'P', ids: [option], in: 8, out: -4, all: 4 }],
  asOf: all,
});
const batches = (total: number): ReadBatches => ({
  product: { id: product, name: null, sku: null, unit: null },
  optionNames: '',
  total,
  batches: [],
  asOf: total,
});

interface Call {
  readonly channel: string;
  readonly input: unknown;
  readonly answer: (result: Result<unknown, { kind: 'unreachable' }>) => void;
}

function prepare(isOffline = false) {
  const calls: Call[] = [];
  let kept: { movements: ProductMovements | null; batches: ReadBatches | null } = { movements: null, batches: null };
  const bridge = {
    call: (channel: string, input: unknown) =>
      channel === 'product:readKept'
        ? Promise.resolve(succeed(kept))
        : new Promise((answer) => calls.push({ channel, input, answer })),
    subscribe: () => () => undefined,
  } as unknown as Bridge;
  const store = createDetailsStore(makeLastingStore, bridge, () => isOffline);
  const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve));
  return { store, calls, settle, keep: (next: typeof kept) => (kept = next) };
}

test('opening shows what is kept at once, asks both questions, and each answer takes its place', async () => {
  const { store, calls, settle, keep } = prepare();
  expect(calls).toEqual([]);
  keep({ movements: movements(3), batches: null });
  const opened = store.getState().open(stock, product);
  await settle();
  expect(store.getState()).toMatchObject({
    stockId: stock,
    productId: product,
    movements: { whole: { all: 3 }, isReading: true },
    batches: { whole: null, isReading: true },
  });
  expect(calls.map(({ channel, input }) => [channel, input])).toEqual([
    ['product:readMovements', { stockId: stock, productId: product, optionIds: [] }],
    ['product:readBatches', { stockId: stock, productId: product, optionIds: [] }],
  ]);
  calls[1]?.answer(fail({ kind: 'unreachable' }));
  calls[0]?.answer(succeed(movements(12)));
  await opened;
  expect(store.getState()).toMatchObject({
    movements: { whole: { all: 12 }, isReading: false, failure: null },
    batches: { whole: null, isReading: false, failure: { kind: 'unreachable' } },
  });
});

test('offline shows what is kept and asks nothing', async () => {
  const { store, calls, keep } = prepare(true);
  keep({ movements: movements(3), batches: batches(2) });
  await store.getState().open(stock, product);
  expect(store.getState()).toMatchObject({
    movements: { whole: { all: 3 }, isReading: false },
    batches: { whole: { total: 2 } },
  });
  expect(calls).toEqual([]);
});

test('invariant 1: what comes after the details were closed, or after another choice, is not shown', async () => {
  const { store, calls, settle } = prepare();
  void store.getState().open(stock, product);
  await settle();
  store.getState().close();
  calls[0]?.answer(succeed(movements(12)));
  await settle();
  expect(store.getState()).toMatchObject({ productId: null, movements: { whole: null } });

  void store.getState().open(stock, product);
  await settle();
  void store.getState().choose([option]);
  calls[2]?.answer(succeed(movements(99)));
  await settle();
  expect(store.getState().movements).toMatchObject({ whole: null, chosen: null, isReading: true });
});

test('invariant 3: the answer about a choice stands beside the whole, and goes with the choice', async () => {
  const { store, calls, settle } = prepare();
  void store.getState().open(stock, product);
  await settle();
  calls[0]?.answer(succeed(movements(12)));
  calls[1]?.answer(succeed(batches(5)));
  await settle();
  void store.getState().choose([option]);
  await settle();
  expect(store.getState()).toMatchObject({ movements: { whole: { all: 12 }, chosen: null } });
  calls[2]?.answer(succeed(movements(4)));
  calls[3]?.answer(succeed(batches(1)));
  await settle();
  expect(store.getState()).toMatchObject({
    optionIds: [option],
    movements: { whole: { all: 12 }, chosen: { all: 4 } },
    batches: { whole: { total: 5 }, chosen: { total: 1 } },
  });
  void store.getState().choose([]);
  expect(store.getState()).toMatchObject({ optionIds: [], movements: { whole: { all: 12 }, chosen: null } });
});
