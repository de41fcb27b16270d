// Checks the invariants of renderer/stocktakes/stocktakes-store.ts by number.
import { expect, test } from 'vitest';
import { createStocktakeStores, type CountOutcome } from '../../../../renderer/stocktakes/stocktakes-store.ts';
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
let steps = 0;
const counted = (name: string) => {
  steps += 1;
  return ok({ kind: 'counted', line: { name, step: steps }, stocktake, doubt: null });
};

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

const shown = (outcome: CountOutcome | null): unknown =>
  outcome !== null && 'line' in outcome ? outcome.line?.name : outcome;

test('calls go out in the order of the scans, and a later answer is never taken over by an earlier one (1)', async () => {
  const { now, next, calls } = await open();
  void now().scan('A', 'scan');
  void now().scan('B', 'scan');
  expect(calls.slice(-2).map(({ input }) => input['text'])).toEqual(['A', 'B']);
  const [first, second] = [next('stocktake:scan'), next('stocktake:scan')];
  await second.answer(counted('B'));
  await first.answer(counted('A'));
  expect(shown(now().outcome)).toBe('B');
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
  expect([shown(now().outcome), now().unsure]).toEqual(['D', ['B', 'C']]);
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
  expect([shown(now().outcome), now().answered, now().lost]).toEqual(['3000', now().asked(), []]);
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
  expect(withdrawn.input).toEqual({ stocktakeId: 7, step: '12' });
  await withdrawn.answer(ok({ undone: 1, line: { name: 'A' }, stocktake }));
  expect(now().outcome).toBeNull();
  void now().undo();
  await next('stocktake:undo').answer(ok({ undone: null, line: null, stocktake }));
  expect(now().outcome).toMatchObject({ kind: 'newest', line: null });
});

/** A page whose scans are answered at once; `undo` answers what it named. */
async function openCounting() {
  const page = await open();
  const { now, next, calls } = page;
  const scan = async (name: string, step: number): Promise<void> => {
    void now().scan(name, 'scan');
    await next('stocktake:scan').answer(ok({ kind: 'counted', line: { name, step }, stocktake, doubt: null }));
  };
  const undo = async (answer: unknown = null): Promise<unknown> => {
    void now().undo();
    const call = next('stocktake:undo');
    const { step } = call.input;
    await call.answer(answer ?? ok({ undone: step, line: { name: 'then', step: null }, stocktake }));
    return step;
  };
  return { ...page, scan, undo, calls };
}

const stands = (step: number | null) => ok({ undone: null, line: { name: 'then', step }, stocktake });

test('what is undone is what is shown, then what this page did before it, then nothing unseen (5)', async () => {
  const { now, scan, undo } = await openCounting();
  await scan('A', 3);
  await scan('B', 5);
  await scan('C', 8);
  expect([await undo(), await undo()]).toEqual([8, 5]);
  await scan('D', 9);
  expect([await undo(), await undo(), await undo(stands(2))]).toEqual([9, 3, null]);
  expect(now().outcome).toMatchObject({ kind: 'newest', line: { step: 2 } });
  expect([await undo(), await undo(stands(null)), await undo(stands(null))]).toEqual([2, null, null]);
});

test('once another page has counted the same, each step is shown before it is undone (5)', async () => {
  const { now, scan, undo } = await openCounting();
  await scan('A', 3);
  await scan('B', 5);
  expect(await undo(stands(7))).toBe(5);
  expect(now().outcome).toMatchObject({ kind: 'overtaken', line: { step: 7 } });
  expect([await undo(), await undo(stands(5)), await undo()]).toEqual([7, null, 5]);
});

test('a withdrawn part is no step to go back to, and answers that come late are, in their order (5)', async () => {
  const { now, next, scan, undo } = await openCounting();
  await scan('12', 3);
  void now().withdraw('12');
  await next('stocktake:undo').answer(ok({ undone: 3, line: { name: '12', step: null }, stocktake }));
  void now().scan('A', 'scan');
  void now().scan('B', 'scan');
  const [first, second] = [next('stocktake:scan'), next('stocktake:scan')];
  const line = (name: string, step: number) => ok({ kind: 'counted', line: { name, step }, stocktake, doubt: null });
  await second.answer(line('B', 5));
  await first.answer(line('A', 4));
  expect([await undo(), await undo(), await undo(stands(null))]).toEqual([5, 4, null]);
});

test('undone while a scan is under way, it is the line that is shown (5)', async () => {
  const { now, next, scan, undo } = await openCounting();
  await scan('A', 3);
  void now().scan('B', 'scan');
  expect(await undo()).toBe(3);
  await next('stocktake:scan').answer(ok({ kind: 'counted', line: { name: 'B', step: 4 }, stocktake, doubt: null }));
  expect([shown(now().outcome), await undo(), await undo(stands(null))]).toEqual(['then', 4, null]);
});

test('after a lost answer, another count or another person, nothing is undone before it is shown (4, 5)', async () => {
  const { now, next, scan, undo, people } = await openCounting();
  const reopen = async (): Promise<void> => {
    void now().open(7);
    await next('stocktake:read').answer(ok(stocktake));
  };
  await scan('A', 3);
  void now().scan('B', 'scan');
  await next('stocktake:scan').answer(failed('effectUnknown'));
  expect(await undo(stands(4))).toBeNull();
  expect(await undo(failed('effectUnknown'))).toBe(4);
  expect(await undo(stands(null))).toBeNull();
  await scan('C', 5);
  await scan('D', 6);
  now().leave();
  await reopen();
  expect([await undo(stands(6)), await undo(), await undo(stands(5))]).toEqual([null, 6, null]);
  await scan('E', 7);
  people.take('next', false);
  await reopen();
  await scan('F', 8);
  expect([await undo(), await undo(stands(7))]).toEqual([8, null]);
});

test('a scan of the count before, answered late, is no step of the one that is shown by then (5)', async () => {
  const { now, next, undo } = await openCounting();
  const shelf8 = { ...stocktake, id: 8 };
  void now().scan('A', 'scan');
  now().leave();
  void now().open(8);
  await next('stocktake:read').answer(ok(shelf8));
  await next('stocktake:scan').answer(ok({ kind: 'counted', line: { name: 'A', step: 3 }, stocktake, doubt: null }));
  void now().scan('B', 'scan');
  await next('stocktake:scan').answer(
    ok({ kind: 'counted', line: { name: 'B', step: 4 }, stocktake: shelf8, doubt: null }),
  );
  const undone = ok({ undone: 4, line: { name: 'B', step: null }, stocktake: shelf8 });
  expect([await undo(undone), await undo(stands(null))]).toEqual([4, null]);
});

test('a typed text of the count before, answered late, asks nothing in the one that is shown by then', async () => {
  const { now, next } = await openCounting();
  void now().scan('agua', 'typed');
  now().leave();
  void now().open(8);
  await next('stocktake:read').answer(ok({ ...stocktake, id: 8 }));
  await next('stocktake:scan').answer(ok({ kind: 'several', text: 'agua', products: [], more: false }));
  expect(now().outcome).toBeNull();
});

test('a refused undoing changes nothing of what the next one names (5)', async () => {
  const { scan, undo } = await openCounting();
  await scan('A', 3);
  await scan('B', 4);
  expect([await undo(failed('storageFull')), await undo(), await undo()]).toEqual([4, 4, 3]);
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
