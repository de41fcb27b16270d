// The proof of what the station's page remembers: the newest answer for so many seconds, and then nothing.
import { expect, test } from 'vitest';
import type { StationAnswer } from '../../../../app/contract/station.ts';
import { fail, succeed } from '../../../../app/domain/result.ts';
import type { Bridge } from '../../../../renderer/bridge/bridge.ts';
import { createStationStore } from '../../../../renderer/station/station-store.ts';

const found = (name: string): StationAnswer => ({
  kind: 'found',
  products: [{ name, code: null, stock: { kind: 'inStock' }, fields: [], asOf: null }],
});

function open(seconds = 20) {
  const waiting: { readonly text: string; readonly answer: (value: unknown) => void }[] = [];
  const timers = new Map<number, { readonly ms: number; readonly fire: () => void }>();
  let timer = 0;
  const cleared = { times: 0 };
  const bridge = {
    call: (_channel: string, { text }: { readonly text: string }) =>
      new Promise((answer) => waiting.push({ text, answer })),
  } as unknown as Bridge;
  const store = createStationStore({
    bridge,
    later: (ms, fire) => {
      timer += 1;
      const own = timer;
      timers.set(own, { ms, fire });
      return () => void timers.delete(own);
    },
    clearAfterSeconds: () => seconds,
    onClear: () => {
      cleared.times += 1;
    },
  });
  return { store, waiting, timers, cleared };
}

test('of scans quickly after another the newest is shown, whichever is answered last', async () => {
  const { store, waiting } = open();
  const both = [store.getState().find('1'), store.getState().find('2')];
  waiting[1]?.answer(succeed(found('B')));
  waiting[0]?.answer(succeed(found('A')));
  await Promise.all(both);
  expect(store.getState()).toMatchObject({ shown: found('B'), answered: 1 });
});

test('each use begins the time anew, and in the end nothing is left', async () => {
  const { store, waiting, timers, cleared } = open(7);
  store.getState().type('95');
  store.getState().type('x'.repeat(500));
  expect(store.getState().typed).toHaveLength(100);
  const asked = store.getState().find('95');
  expect(store.getState().typed).toBe('');
  waiting[0]?.answer(succeed(found('A')));
  await asked;
  store.getState().leave(true);
  store.getState().type('9');
  expect([...timers.values()].map(({ ms }) => ms)).toEqual([7000]);
  [...timers.values()][0]?.fire();
  expect(store.getState()).toMatchObject({ typed: '', shown: null, isLeaving: false });
  expect(cleared.times).toBe(1);
  expect(timers.size).toBe(0);
});

test('an answer that comes after the time is over is not shown', async () => {
  const { store, waiting } = open();
  const asked = store.getState().find('1');
  store.getState().clear();
  waiting[0]?.answer(succeed(found('A')));
  await asked;
  expect(store.getState().shown).toBeNull();
});

test('whatever fails, a customer is to ask; a scan in pieces is to be repeated', async () => {
  const { store, waiting } = open();
  const asked = store.getState().find('1');
  waiting[0]?.answer(fail({ kind: 'storageFailed' }));
  await asked;
  expect(store.getState().shown).toEqual({ kind: 'askUs' });
  store.getState().showPieces();
  expect(store.getState().shown).toEqual({ kind: 'pieces' });
});
