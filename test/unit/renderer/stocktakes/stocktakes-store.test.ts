// Checks the invariants of renderer/stocktakes/stocktakes-store.ts by number.
import { expect, test } from 'vitest';
import { createStocktakeStores } from '../../../../renderer/stocktakes/stocktakes-store.ts';
import { createHeldBridge, failed, id, ok } from '../stores/held-bridge.ts';
import { createPersonStores } from '../../../../renderer/stores/make-store.ts';

const stocktake = {
  id: 7,
  name: 'Shelf 4',
  stockId: id('11'),
  stockName: 'Shop',
  filter: null,
  startedAt: 0,
  startedBy: null,
  closedAt: null,
  lines: { same: 0, different: 0, noFigure: 0, unknownCode: 0, notCounted: 0 },
};
const counted = (name: string) => ok({ kind: 'counted', line: { name }, stocktake, doubt: null });

async function open() {
  const wall = createHeldBridge();
  const due: (() => void)[] = [];
  const people = createPersonStores();
  const stores = createStocktakeStores(people.make, wall.bridge, (_delayMs, callback) => {
    due.push(callback);
    return () => undefined;
  });
  const opening = stores.store.getState().open(7);
  await wall.next('stocktake:read').answer(ok(stocktake));
  expect(await opening).toBe(true);
  return { ...stores, ...wall, people, due, now: () => stores.store.getState() };
}

const shown = (outcome: object | null): unknown => (outcome !== null && 'line' in outcome ? outcome.line : outcome);

test('calls go out in the order of the scans, and a later answer is never taken over by an earlier one (1)', async () => {
  const { now, next, calls } = await open();
  void now().scan('A', 'scan');
  void now().scan('B', 'scan');
  expect(calls.slice(-2).map(({ input }) => input['text'])).toEqual(['A', 'B']);
  const [first, second] = [next('stocktake:scan'), next('stocktake:scan')];
  await second.answer(counted('B'));
  await first.answer(counted('A'));
  expect(shown(now().outcome)).toEqual({ name: 'B' });
});

test('scans that were not kept are listed in their order until they have been read (2)', async () => {
  const { now, next } = await open();
  for (const text of ['A', 'B', 'C']) {
    void now().scan(text, 'scan');
  }
  await next('stocktake:scan').answer(failed('storageFull'));
  await next('stocktake:scan').answer(counted('B'));
  await next('stocktake:scan').answer(failed('effectUnknown'));
  // No older one stands as the last: undoing would take back what may have been counted (4).
  expect([now().lost, now().unsure, now().failure, now().outcome]).toEqual([['A'], ['C'], null, null]);
  now().forgetLost();
  expect([now().lost, now().unsure, now().failure]).toEqual([[], [], null]);
});

test('an older answer that comes after a lost one does not stand as the last, and a newer one stays (4)', async () => {
  const { now, next } = await open();
  void now().scan('A', 'scan');
  void now().scan('B', 'scan');
  const [first, second] = [next('stocktake:scan'), next('stocktake:scan')];
  await second.answer(failed('effectUnknown'));
  await first.answer(counted('A'));
  expect([now().outcome, now().unsure]).toEqual([null, ['B']]);
  void now().scan('C', 'scan');
  void now().scan('D', 'scan');
  const [third, fourth] = [next('stocktake:scan'), next('stocktake:scan')];
  await fourth.answer(counted('D'));
  await third.answer(failed('effectUnknown'));
  expect([shown(now().outcome), now().unsure]).toEqual([{ name: 'D' }, ['B', 'C']]);
});

test('read again, a count is as the main process has it, unless more was counted meanwhile', async () => {
  const { now, next, lines, calls } = await open();
  lines.getState().see(0, 10);
  const readings = (): number => calls.filter(({ channel }) => channel === 'stocktake:listLines').length;
  const before = readings();
  now().readAgain();
  await next('stocktake:read').answer(ok({ ...stocktake, name: 'Shelf 5' }));
  expect([now().current?.name, readings() - before]).toEqual(['Shelf 5', 1]);
  now().readAgain();
  void now().scan('A', 'scan');
  await next('stocktake:scan').answer(counted('A'));
  await next('stocktake:read').answer(ok({ ...stocktake, name: 'Shelf 6' }));
  expect(now().current?.name).toBe('Shelf 4');
  // One that was on its way before is newer than what was read, too.
  void now().scan('B', 'scan');
  now().readAgain();
  await next('stocktake:scan').answer(counted('B'));
  await next('stocktake:read').answer(ok({ ...stocktake, name: 'Shelf 7' }));
  expect(now().current?.name).toBe('Shelf 4');
  now().readAgain();
  await next('stocktake:read').answer(failed('notFoundHere'));
  expect(now().current).toBeNull();
});

test('a count that another page has closed is so here once scans into it are refused, as in a burst', async () => {
  const { now, next, calls } = await open();
  const closed = ok({ ...stocktake, closedAt: 5 });
  const sent = (wanted: string) => calls.filter(({ channel }) => channel === wanted);
  now().readAgain();
  const texts = Array.from({ length: 100 }, (_, place) => String(place));
  texts.forEach((text) => void now().scan(text, 'scan'));
  await next('stocktake:read').answer(closed);
  const before = sent('stocktake:read').length;
  for (let place = 0; place < texts.length; place += 1) {
    await sent('stocktake:scan')[place]?.answer(failed('notFoundHere'));
  }
  const readings = sent('stocktake:read').slice(before);
  expect(readings.length).toBeLessThan(10);
  for (const reading of readings) {
    await reading.answer(closed);
  }
  expect([now().current?.closedAt, now().lost, now().failure?.kind]).toEqual([5, texts, 'notFoundHere']);
});

test('what a scanner has stored is counted whole, in turns and in order, and drawn for the last of it (3)', async () => {
  const { now, calls, store } = await open();
  let drawn = 0;
  store.subscribe(() => (drawn += 1));
  for (let code = 1; code <= 3000; code += 1) {
    void now().scan(String(code), 'scan');
  }
  const scans = () => calls.filter(({ channel }) => channel === 'stocktake:scan');
  expect(scans().length).toBeLessThan(10);
  for (let answered = 0; answered < scans().length; answered += 1) {
    await scans()[answered]?.answer(counted(String(scans()[answered]?.input['text'])));
  }
  expect(scans().map(({ input }) => [input['stocktakeId'], input['text']])).toEqual(
    Array.from({ length: 3000 }, (_, place) => [7, String(place + 1)]),
  );
  expect(drawn).toBeLessThan(200);
  expect([shown(now().outcome), now().answered, now().lost]).toEqual([{ name: '3000' }, now().asked(), []]);
});

test('the lines are read again once for a burst', async () => {
  const { now, next, due, lines, calls } = await open();
  lines.getState().see(0, 10);
  const readings = (): number => calls.filter(({ channel }) => channel === 'stocktake:listLines').length;
  const before = readings();
  for (let scan = 0; scan < 20; scan += 1) {
    void now().scan('A', 'scan');
    await next('stocktake:scan').answer(counted('A'));
  }
  expect([due.length, readings() - before]).toEqual([1, 0]);
  due[0]?.();
  expect(readings() - before).toBe(1);
});

test('an answer that comes after somebody has left the count changes nothing', async () => {
  const { now, next } = await open();
  void now().scan('A', 'scan');
  now().leave();
  await next('stocktake:scan').answer(counted('A'));
  expect([now().current, now().outcome]).toEqual([null, null]);
});

test('a part of another scan is taken back, and nothing to undo is said', async () => {
  const { now, next } = await open();
  void now().withdraw('12');
  const withdrawn = next('stocktake:undo');
  expect(withdrawn.input).toEqual({ stocktakeId: 7, text: '12' });
  await withdrawn.answer(ok({ line: { name: 'A' }, stocktake }));
  void now().undo();
  await next('stocktake:undo').answer(ok({ line: null, stocktake }));
  expect(now().outcome).toMatchObject({ kind: 'undone', line: null });
});

test('a count that is not there any more is not opened', async () => {
  const { now, next } = await open();
  const opening = now().open(8);
  await next('stocktake:read').answer(failed('notFoundHere'));
  expect([await opening, now().failure]).toEqual([false, null]);
});

test('nothing of a count stands before the next person but scans that were not kept (2)', async () => {
  const { now, next, people } = await open();
  void now().scan('A', 'scan');
  void now().scan('B', 'scan');
  await next('stocktake:scan').answer(failed('storageFull'));
  people.take('next', false);
  await next('stocktake:scan').answer(failed('storageFull'));
  expect(now()).toMatchObject({ current: null, outcome: null, lost: ['A', 'B'], failure: null });
});

test('scans that waited for their turn when another person came are not sent, and are listed', async () => {
  const { now, next, calls, people } = await open();
  for (let code = 1; code <= 10; code += 1) {
    void now().scan(String(code), 'scan');
  }
  people.take('next', false);
  for (let code = 1; code <= 8; code += 1) {
    await next('stocktake:scan').answer(counted(String(code)));
  }
  expect([calls.filter(({ channel }) => channel === 'stocktake:scan').length, now().lost]).toEqual([8, ['9', '10']]);
});

test('a count is closed, and read for a file, after the scans that wait', async () => {
  const { now, next, calls } = await open();
  for (let code = 1; code <= 10; code += 1) {
    void now().scan(String(code), 'scan');
  }
  void now().setClosed(7, true);
  let isKept = false;
  void now()
    .allKept()
    .then(() => (isKept = true));
  const closings = () => calls.filter(({ channel }) => channel === 'stocktake:setClosed').length;
  expect([closings(), isKept]).toEqual([0, false]);
  for (let code = 1; code <= 10; code += 1) {
    await next('stocktake:scan').answer(counted(String(code)));
  }
  expect([closings(), isKept, now().lost]).toEqual([1, true, []]);
});
