// Checks the invariants of app/stocktakes/lines.ts by number, on a real database.
import { expect, test, vi } from 'vitest';
import fc from 'fast-check';
import type { StocktakeLine } from '../../../app/contract/stocktakes.ts';
import { openLines, type Subject } from '../../../app/stocktakes/lines.ts';
import type { StocktakeRepository } from '../../../app/stocktakes/repository.ts';
import { differenceOf } from '../../../renderer/stocktakes/line-words.ts';
import { begin, entry, now, openDatabase, openRepository, product, undoNewest } from './stocktake-fixture.ts';
import { valueOf } from '../../support/value-of.ts';

const unknown: Subject = { productId: null, code: '4006381333931', miss: 'unknown' };

function scan(
  repository: StocktakeRepository,
  id: number,
  subject: Subject,
  figure: number | null = null,
  quantity = 1,
): StocktakeLine {
  return valueOf(repository.lines.add(id, subject, { ...entry(figure), text: subject.code ?? '', quantity }));
}

test('the same product again adds one, another product is a line of its own, and the newest comes first', async () => {
  const repository = await openRepository();
  const id = begin(repository);
  scan(repository, id, product(1), 5);
  scan(repository, id, product(2), 1);
  expect(scan(repository, id, product(1), 5)).toMatchObject({ quantity: 2, figure: 5, state: 'different' });
  const { total, rows } = repository.lines.list(id, null, 0, 10);
  expect([total, rows.map(({ productId, quantity }) => `${productId} ${quantity}`)]).toEqual([2, ['1 2', '2 1']]);
  expect(repository.find(id)?.lines).toEqual({ same: 1, different: 1, noFigure: 0, unknownCode: 0, notCounted: 0 });
});

test('a line stands against the figure at its newest scan, and says that it has moved (L2)', async () => {
  const repository = await openRepository();
  const id = begin(repository);
  expect(scan(repository, id, product(1), 5)).toMatchObject({
    figure: 5,
    figureAsOf: now - 60_000,
    hasFigureMoved: false,
  });
  expect(scan(repository, id, product(1), 2)).toMatchObject({ figure: 2, hasFigureMoved: true, state: 'same' });
  expect(scan(repository, id, product(1), 2)).toMatchObject({ figure: 2, hasFigureMoved: true, state: 'different' });
});

test('a figure that nobody knows is no nought: nothing differs from it, and nothing equals it (L4)', async () => {
  const repository = await openRepository();
  const id = begin(repository);
  expect(scan(repository, id, product(1), null)).toMatchObject({ figure: null, state: 'noFigure' });
  const line = scan(repository, id, product(2), 0);
  expect(line.state).toBe('different');
  expect(repository.lines.set(line, { ...entry(0), quantity: 0 })).toMatchObject({ quantity: 0, state: 'same' });
  // It was known once; now it is not.
  expect(scan(repository, id, product(2), null)).toMatchObject({ figure: null, figureAsOf: null, state: 'noFigure' });
});

test('a code that names no product is a line of its own, and counts like the others', async () => {
  const repository = await openRepository();
  const id = begin(repository);
  scan(repository, id, unknown);
  expect(scan(repository, id, unknown)).toMatchObject({
    productId: null,
    code: '4006381333931',
    quantity: 2,
    state: 'unknownCode',
    miss: 'unknown',
  });
});

test('weights add up as a scale writes them', async () => {
  const repository = await openRepository();
  const id = begin(repository);
  scan(repository, id, product(1), 0.3, 0.1);
  expect(scan(repository, id, product(1), 0.3, 0.2)).toMatchObject({ quantity: 0.3, state: 'same' });
});

test('a line stands as the difference says that is shown of it', async () => {
  const repository = await openRepository();
  const id = begin(repository);
  const line = scan(repository, id, product(1));
  const decimal = fc.tuple(fc.integer({ min: 0, max: 3_000 }), fc.integer({ min: 0, max: 9 }));
  const check = (quantity: number, figure: number): void => {
    const set = repository.lines.set(line, { ...entry(figure), quantity });
    expect(set.state, `${quantity} of ${figure}`).toBe(differenceOf(set) === 0 ? 'same' : 'different');
  };
  check(1_000_000_000, 3_000_000_000);
  check(1, 1.0000005);
  fc.assert(
    fc.property(decimal, decimal, ([one, places], [other, morePlaces]) => {
      check(one / 10 ** Math.min(places, 6), other / 10 ** morePlaces);
    }),
    { numRuns: 300, seed: 1 },
  );
});

test('what is typed takes the place of what was counted, and a line that is taken out is listed no more', async () => {
  const repository = await openRepository();
  const id = begin(repository);
  const line = scan(repository, id, product(1), 12);
  expect(repository.lines.set(line, { ...entry(12), quantity: 12 })).toMatchObject({ quantity: 12, state: 'same' });
  expect(scan(repository, id, product(1), 12).quantity).toBe(13);
  repository.lines.set(line, { ...entry(12), quantity: null });
  expect(repository.lines.list(id, null, 0, 10)).toEqual({ total: 0, rows: [] });
  expect(scan(repository, id, product(1), 12).quantity).toBe(1);
});

test('undoing goes back step by step through all lines, to nothing (L3)', async () => {
  const repository = await openRepository();
  const id = begin(repository);
  const line = scan(repository, id, product(1), 5);
  scan(repository, id, product(2), 5);
  scan(repository, id, product(1), 6);
  repository.lines.set(line, { ...entry(6), quantity: 6 });
  expect(undoNewest(repository, id)).toMatchObject({ productId: '1', quantity: 2, figure: 6, hasFigureMoved: true });
  expect(undoNewest(repository, id)).toMatchObject({ productId: '1', quantity: 1, figure: 5, hasFigureMoved: false });
  expect(undoNewest(repository, id)).toMatchObject({ productId: '2', quantity: null });
  expect(undoNewest(repository, id)).toMatchObject({ productId: '1', quantity: null });
  expect(undoNewest(repository, id)).toBeNull();
  expect(repository.lines.list(id, null, 0, 10).total).toBe(0);
});

test('an entry is undone while its line shows it, whatever came since; else what stands is told (L3)', async () => {
  const repository = await openRepository();
  const [id, elsewhere] = [begin(repository), begin(repository, 'Shelf 5')];
  const first = scan(repository, id, product(1));
  scan(repository, id, product(2));
  const again = scan(repository, id, product(1));
  const other = scan(repository, elsewhere, product(3));
  const quantities = () =>
    repository.lines.list(id, null, 0, 10).rows.map(({ productId, quantity }) => [productId, quantity]);
  expect(repository.lines.undo(id, first.step)).toMatchObject({
    undone: null,
    line: { quantity: 2, step: again.step },
  });
  expect(repository.lines.undo(id, other.step)).toMatchObject({ undone: null, line: { productId: '1', quantity: 2 } });
  scan(repository, id, product(2));
  expect(repository.lines.undo(id, again.step)).toMatchObject({ undone: again.step, line: { quantity: 1 } });
  expect(repository.lines.undo(id, again.step)).toMatchObject({ undone: null, line: { step: first.step } });
  expect(repository.lines.undo(id, first.step)).toMatchObject({ undone: first.step, line: { quantity: null } });
  expect(repository.lines.undo(id, first.step)).toMatchObject({ undone: null, line: { quantity: null, step: null } });
  expect([quantities(), repository.find(elsewhere)?.lines.noFigure]).toEqual([[['2', 2]], 1]);
});

test('scans that went from a code to its product come back together, or not at all (L3)', async () => {
  const repository = await openRepository();
  const id = begin(repository);
  const scanned = scan(repository, id, unknown);
  const choose = () =>
    valueOf(repository.lines.add(id, product(1), { ...entry(null), text: 'A-1', quantity: 1 }, scanned));
  const states = () =>
    repository.lines.list(id, null, 0, 10).rows.map(({ productId, quantity }) => [productId, quantity]);
  const chosen = choose();
  // The line that was scanned has nothing left: its scans are the product's.
  expect(repository.lines.undo(id, scanned.step)).toMatchObject({ undone: null, line: { step: chosen.step } });
  // The part of the step that took the line out means the whole step.
  expect(repository.lines.undo(id, (chosen.step ?? 0) - 1)).toMatchObject({ undone: chosen.step });
  expect(states()).toEqual([[null, 1]]);
  const anew = choose();
  const since = scan(repository, id, unknown);
  expect(repository.lines.undo(id, anew.step)).toMatchObject({ undone: null, line: { step: since.step } });
  expect(states()).toEqual([
    [null, 1],
    ['1', 1],
  ]);
  repository.lines.undo(id, since.step);
  repository.lines.undo(id, anew.step);
  expect(states()).toEqual([[null, 1]]);
});

test('the last scan of a text is told while its line shows it', async () => {
  const repository = await openRepository();
  const id = begin(repository);
  const find = (subject: Subject) => repository.lines.scanOf(id, subject, subject.code ?? '');
  expect(find(product(1))).toBeNull();
  const code = scan(repository, id, unknown);
  const line = scan(repository, id, product(1));
  expect([find(unknown), find(product(1))]).toEqual([code.step, line.step]);
  expect(repository.lines.scanOf(id, product(1), 'another code of it')).toBeNull();
  // A person has set it since: it is no scan any more.
  const set = repository.lines.set(line, { ...entry(null), quantity: 3 });
  expect(find(product(1))).toBeNull();
  repository.lines.undo(id, set.step);
  expect(find(product(1))).toBe(line.step);
  valueOf(repository.lines.add(id, product(2), { ...entry(null), text: 'A-2', quantity: 1 }, code));
  expect(find(unknown)).toBeNull();
});

test('products of the filter are listed before anybody has counted them, and come back to that', async () => {
  const repository = await openRepository();
  const id = begin(repository);
  const products = [1, 2, 3].map((number) => ({ subject: product(number), figure: { amount: number, asOf: now } }));
  expect(repository.lines.expect(id, products)).toEqual({ ok: true, value: undefined });
  expect(repository.lines.expect(id, products)).toEqual({ ok: true, value: undefined });
  expect(repository.find(id)?.lines.notCounted).toBe(3);
  scan(repository, id, product(2), 7);
  expect(repository.lines.list(id, null, 0, 10).rows.map(({ productId }) => productId)).toEqual(['2', '1', '3']);
  expect(undoNewest(repository, id)).toMatchObject({ quantity: null, state: 'notCounted' });
  expect(repository.lines.list(id, 'notCounted', 0, 10)).toMatchObject({
    total: 3,
    rows: [{ productId: '1', figure: 1 }, { productId: '2' }, { productId: '3' }],
  });
});

test('a file has every line once, in the order in which they came, whatever is counted meanwhile', async () => {
  const repository = await openRepository();
  const [id, other] = [begin(repository), begin(repository, 'Shelf 5')];
  for (let number = 1; number <= 5; number += 1) {
    scan(repository, id, product(number));
    scan(repository, other, product(number));
  }
  const first = repository.lines.page(id, 0, 2);
  scan(repository, id, product(5));
  const rest = repository.lines.page(id, first.at(-1)?.id ?? 0, 10);
  expect([...first, ...rest].map(({ productId }) => productId)).toEqual(['1', '2', '3', '4', '5']);
});

test('no step looks at more lines than the one that it changes (L5)', async () => {
  const database = await openDatabase();
  const prepare = vi.spyOn(database, 'prepare');
  openLines(database);
  const reading = prepare.mock.calls.map(([sql]) => sql).filter((sql) => !sql.startsWith('INSERT'));
  expect(reading.length).toBeGreaterThan(8);
  for (const sql of reading) {
    const plan = database
      .prepare<{ detail: string }>(`EXPLAIN QUERY PLAN ${sql}`)
      .all()
      .map(({ detail }) => detail)
      .join(', ');
    expect(plan, sql).toMatch(/^SEARCH \w+ USING (INDEX|INTEGER PRIMARY KEY|PRIMARY KEY)[^,]*$/);
  }
});

test('whatever is done and undone, what is told of the lines adds up', async () => {
  const repository = await openRepository();
  const doing = fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ product: fc.integer({ min: 1, max: 4 }), figure: fc.constantFrom(null, 0, 1, 2) }),
    },
    { weight: 2, arbitrary: fc.constant('undo' as const) },
    { weight: 2, arbitrary: fc.record({ set: fc.constantFrom(null, 0, 1, 2) }) },
  );
  fc.assert(
    fc.property(fc.array(doing, { maxLength: 30 }), (entries) => {
      const id = begin(repository);
      // The notes that a person would keep on paper: quantities by product, and a copy of the page before each step.
      let paper = new Map<string, number>();
      const before: Map<string, number>[] = [];
      for (const one of entries) {
        const newest = repository.lines.list(id, null, 0, 1).rows[0];
        if (one === 'undo') {
          paper = before.pop() ?? paper;
          undoNewest(repository, id);
        } else if ('product' in one) {
          before.push(new Map(paper));
          paper.set(String(one.product), (paper.get(String(one.product)) ?? 0) + 1);
          scan(repository, id, product(one.product), one.figure);
        } else if (newest !== undefined && newest.productId !== null) {
          before.push(new Map(paper));
          repository.lines.set(newest, { ...entry(1), quantity: one.set });
          if (one.set === null) {
            paper.delete(newest.productId);
          } else {
            paper.set(newest.productId, one.set);
          }
        }
        const { total, rows } = repository.lines.list(id, null, 0, 100);
        expect(new Map(rows.map(({ productId, quantity }) => [productId, quantity]))).toEqual(paper);
        expect(total).toBe(rows.length);
        for (const [state, lines] of Object.entries(repository.find(id)?.lines ?? {})) {
          expect(rows.filter((row) => row.state === state)).toHaveLength(lines);
        }
      }
    }),
    { numRuns: 60 },
  );
});

test('whichever step is named, in whatever order, each line has what its steps that stand add up to (L3)', async () => {
  const repository = await openRepository();
  const one = fc.integer({ min: 1, max: 3 });
  const doing = fc.oneof(
    { weight: 4, arbitrary: fc.record({ product: one }) },
    { weight: 1, arbitrary: fc.record({ product: one, set: fc.constantFrom(null, 0, 7) }) },
    { weight: 4, arbitrary: fc.record({ undo: fc.nat({ max: 12 }) }) },
  );
  fc.assert(
    fc.property(fc.array(doing, { maxLength: 40 }), (actions) => {
      const id = begin(repository);
      let standing: { readonly product: number; readonly step: number; readonly after: number | null }[] = [];
      const newestOf = (number: number) => standing.findLast((step) => step.product === number);
      const named: number[] = [];
      for (const action of actions) {
        if ('undo' in action) {
          const step = named.at(-1 - action.undo) ?? null;
          const mine = standing.find((each) => each.step === step);
          const isShown = mine !== undefined && newestOf(mine.product) === mine;
          expect(repository.lines.undo(id, step).undone).toBe(isShown ? step : null);
          standing = standing.filter((each) => !isShown || each !== mine);
          continue;
        }
        const before = newestOf(action.product)?.after ?? null;
        const known = repository.lines
          .list(id, null, 0, 9)
          .rows.find((row) => row.productId === String(action.product));
        const isSet = 'set' in action && known !== undefined;
        const line = isSet
          ? repository.lines.set(known, { ...entry(1), quantity: action.set })
          : scan(repository, id, product(action.product), 1);
        const step = line.step ?? 0;
        standing.push({ product: action.product, step, after: isSet ? action.set : (before ?? 0) + 1 });
        named.push(step);
      }
      for (const number of [1, 2, 3]) {
        const row = repository.lines.list(id, null, 0, 9).rows.find(({ productId }) => productId === String(number));
        expect(row?.quantity ?? null).toBe(newestOf(number)?.after ?? null);
      }
    }),
    { numRuns: 100 },
  );
});
