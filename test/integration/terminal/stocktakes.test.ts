// The proof of counting over the whole terminal: real files, a real platform, the calls of the page.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { ProductHit } from '../../../app/contract/products.ts';
import type { Stocktake } from '../../../app/contract/stocktakes.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { openTerminal, type Terminal } from '../../../app/terminal/terminal.ts';
import { startTrainingPlatform, type TrainingPlatform } from '../../../app/training/server.ts';
import { makeSettingsFile, makeShell } from '../../support/ports.ts';
import { makePorts } from '../../support/real-ports.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';
import { everyProduct } from '../../../app/contract/every-product.ts';
import { valueOf } from '../../support/value-of.ts';

const productCount = 600;
const patience = { timeout: 30_000, interval: 50 };
const folder = makeTemporaryDirectory();
let platform: TrainingPlatform;
let terminal: Terminal;

async function openTill(): Promise<Terminal> {
  const shell = makeShell(folder.path, {
    startPractice: () => Promise.resolve({ ...platform, close: async () => undefined }),
  });
  return openTerminal(makePorts({ settingsFile: makeSettingsFile({ mode: 'practice' }), shell }));
}

const call: Terminal['handlers'] = new Proxy({} as Terminal['handlers'], {
  get: (_target, name: keyof Terminal['handlers']) => terminal.handlers[name],
});

let hits: readonly ProductHit[] = [];
let stockId: Id;

beforeAll(async () => {
  platform = await startTrainingPlatform({ directory: null, port: 0, productCount, requestsPerMinute: 100_000 });
  terminal = await openTill();
  const isCopied = async (): Promise<boolean> => {
    const { catalogue } = valueOf(await call['terminal:read']({}));
    return catalogue.stocks.length > 0 && catalogue.stocks.every(({ completeAsOf }) => completeAsOf !== null);
  };
  await vi.waitFor(async () => expect(await isCopied()).toBe(true), patience);
  const { profile } = valueOf(await call['terminal:read']({}));
  stockId = profile?.stockIds[0] as Id;
  const page = valueOf(
    await call['stock:browse']({ query: { ...everyProduct, stockId, orderBy: 'code' }, offset: 0, limit: 50 }),
  );
  hits = page.rows
    .filter((row) => row !== null)
    .filter(({ code, balance }) => code !== null && balance.amount !== null);
});
afterAll(async () => {
  await terminal.close();
  await platform.close();
  folder.remove();
});

const start = async (name: string, filter: Stocktake['filter'] = null): Promise<Stocktake> =>
  valueOf(await call['stocktake:start']({ name, stockId, filter }));
const scan = async (stocktakeId: number, text: string, source: 'scan' | 'typed' = 'scan') =>
  valueOf(await call['stocktake:scan']({ stocktakeId, text, source }));
const undoNewest = async (stocktakeId: number) => {
  const { line } = valueOf(await call['stocktake:undo']({ stocktakeId, step: null }));
  return valueOf(await call['stocktake:undo']({ stocktakeId, step: line?.step ?? null }));
};

test('a shelf: scans add up against the copy’s figure, a mistake is corrected, and no lookup is made', async () => {
  const { id } = await start('Shelf 4');
  const recent = valueOf(await call['lookup:listRecent']({}));
  const [hit] = hits;
  const { email } = valueOf(await call['terminal:read']({})).session;
  await scan(id, hit?.code ?? '');
  expect(await scan(id, hit?.code ?? '')).toMatchObject({
    kind: 'counted',
    line: {
      productId: hit?.productId,
      name: hit?.name,
      quantity: 2,
      figure: hit?.balance.amount,
      figureAsOf: hit?.balance.asOf,
      countedBy: email,
    },
  });
  expect(await scan(id, '4006381333931')).toMatchObject({ line: { code: '4006381333931', miss: 'unknown' } });
  const { rows } = valueOf(await call['stocktake:listLines']({ stocktakeId: id, state: null, offset: 0, limit: 10 }));
  const lineId = rows[1]?.id ?? 0;
  const figure = hit?.balance.amount ?? 0;
  const quantity = Math.max(0, figure);
  expect(valueOf(await call['stocktake:setQuantity']({ stocktakeId: id, lineId, quantity }))).toMatchObject({
    line: { quantity, state: figure < 0 ? 'different' : 'same' },
  });
  expect(await undoNewest(id)).toMatchObject({ line: { quantity: 2 } });
  expect(valueOf(await call['stocktake:undo']({ stocktakeId: id, step: '4006381333931' }))).toMatchObject({
    line: { quantity: null },
    stocktake: { lines: { unknownCode: 0 } },
  });
  expect(valueOf(await call['lookup:listRecent']({}))).toEqual(recent);
});

test('what is typed must name one product: several are offered, none is counted unseen', async () => {
  const { id } = await start('typed');
  const word = hits[0]?.name.split(' ')[0] ?? '';
  const several = await scan(id, word, 'typed');
  expect(several).toMatchObject({ kind: 'several' });
  expect(await scan(id, 'nothing like it', 'typed')).toEqual({ kind: 'none', text: 'nothing like it' });
  const chosen = several.kind === 'several' ? several.hits[0] : undefined;
  expect(valueOf(await call['stocktake:add']({ stocktakeId: id, productId: chosen?.productId as Id }))).toMatchObject({
    line: { name: chosen?.name, quantity: 1 },
  });
  expect(await call['stocktake:add']({ stocktakeId: id, productId: '9007199254740993' as Id })).toMatchObject({
    failure: { kind: 'notFoundHere' },
  });
});

test('all scans of a code go to the product that is chosen for it, once, and come back by undoing', async () => {
  const { id } = await start('Of a code');
  await scan(id, 'NO-1', 'scan');
  const counted = await scan(id, 'NO-1', 'scan');
  const instead = counted.kind === 'counted' ? counted.line.id : -1;
  const given = { stocktakeId: id, productId: hits[0]?.productId as Id, instead };
  const states = async (): Promise<unknown> =>
    valueOf(await call['stocktake:listLines']({ stocktakeId: id, state: null, offset: 0, limit: 9 })).rows.map(
      ({ productId, quantity }) => [productId, quantity],
    );
  await call['stocktake:add'](given);
  expect(await states()).toEqual([[given.productId, 2]]);
  // By then the line has nothing left to give.
  await call['stocktake:add'](given);
  expect(await states()).toEqual([[given.productId, 3]]);
  await undoNewest(id);
  await undoNewest(id);
  expect(await states()).toEqual([[null, 2]]);
});

test('a filter: what fits is listed as not counted, with its figure, whatever else is scanned', async () => {
  const word = hits[0]?.name.split(' ')[0] ?? '';
  const filter = { term: word, amount: 'all' } as const;
  const query = { ...everyProduct, stockId, ...filter };
  const fitting = valueOf(await call['stock:browse']({ query, offset: 0, limit: 200 }));
  const stocktake = await start('By a filter', filter);
  expect(stocktake).toMatchObject({ filter, lines: { notCounted: fitting.total, same: 0 } });
  const exported = valueOf(await call['stocktake:export']({ stocktakeId: stocktake.id, after: 0 }));
  expect(exported.rows.map(({ productId, figure }) => [productId, figure])).toEqual(
    fitting.rows.map((row) => [row?.productId, row?.balance.amount]),
  );
  const other = hits.find(({ name }) => !name.startsWith(word));
  await scan(stocktake.id, other?.code ?? '');
  expect(valueOf(await call['stocktake:read']({ stocktakeId: stocktake.id })).lines.notCounted).toBe(fitting.total);
});

test('a closed count takes nothing in until reopened; a deleted one is gone, and on the audit list', async () => {
  const { id } = await start('closed');
  expect(valueOf(await call['stocktake:setClosed']({ stocktakeId: id, isClosed: true })).closedAt).not.toBeNull();
  for (const refused of [
    call['stocktake:scan']({ stocktakeId: id, text: '1', source: 'scan' }),
    call['stocktake:undo']({ stocktakeId: id, step: null }),
    call['stocktake:setQuantity']({ stocktakeId: id, lineId: 1, quantity: 1 }),
  ]) {
    expect(await refused).toEqual({ ok: false, failure: { kind: 'notFoundHere' } });
  }
  valueOf(await call['stocktake:setClosed']({ stocktakeId: id, isClosed: false }));
  await scan(id, hits[0]?.code ?? '');
  valueOf(await call['stocktake:delete']({ stocktakeId: id }));
  expect(await call['stocktake:read']({ stocktakeId: id })).toMatchObject({ failure: { kind: 'notFoundHere' } });
  expect(valueOf(await call['audit:list']({ group: 'stocktakes', offset: 0, limit: 10 })).rows).toMatchObject([
    { action: { kind: 'stocktakeDeleted', name: 'closed', count: 1 }, isWithPin: false },
  ]);
});

test('a line of another count is not to be set', async () => {
  const [one, other] = [await start('one'), await start('other')];
  const counted = await scan(one.id, hits[0]?.code ?? '');
  const lineId = counted.kind === 'counted' ? counted.line.id : 0;
  expect(await call['stocktake:setQuantity']({ stocktakeId: other.id, lineId, quantity: 9 })).toMatchObject({
    failure: { kind: 'notFoundHere' },
  });
});

test('an unfinished count is there after a restart, and goes on', async () => {
  const { id } = await start('over a restart');
  await scan(id, hits[0]?.code ?? '');
  await terminal.close();
  terminal = await openTill();
  await expect.poll(async () => valueOf(await call['terminal:read']({})).session.state, patience).toBe('signedIn');
  expect(valueOf(await call['stocktake:list']({ offset: 0, limit: 10 })).rows[0]).toMatchObject({ id, closedAt: null });
  expect(await scan(id, hits[0]?.code ?? '')).toMatchObject({ line: { quantity: 2 } });
});

test.each([
  ['damaged', 'this is no database at all, but long enough to be read as one'],
  ['emptied', ''],
])('a file that is %s is set aside and said; counting begins anew', async (_, text) => {
  await terminal.close();
  const directory = join(folder.path, 'practice');
  const asides = (): number =>
    readdirSync(directory).filter((name) => name.startsWith('stocktakes.db.damaged-')).length;
  const before = asides();
  writeFileSync(join(directory, 'stocktakes.db'), text);
  terminal = await openTill();
  await expect.poll(async () => valueOf(await call['terminal:read']({})).session.state, patience).toBe('signedIn');
  expect(valueOf(await call['stocktake:list']({ offset: 0, limit: 10 })).total).toBe(0);
  expect(valueOf(await call['terminal:read']({})).notices).toMatchObject([
    { kind: 'stocktakesSetAside', detail: expect.stringContaining('stocktakes.db.damaged-') },
  ]);
  expect(asides()).toBe(before + 1);
});

test('whatever changes a count is told to every page, once for a burst of scans; reading tells nothing', async () => {
  const told: number[] = [];
  const unsubscribe = terminal.subscribe((name, payload) => {
    if (name === 'terminal:changed' && 'stocktakeChanges' in payload && payload.stocktakeChanges !== told.at(-1)) {
      told.push(payload.stocktakeChanges);
    }
  });
  const newest = async (): Promise<number> => valueOf(await call['terminal:read']({})).stocktakeChanges;
  const movesBy = async (action: () => Promise<unknown>): Promise<void> => {
    const before = await newest();
    await action();
    await vi.waitFor(async () => expect(await newest()).toBeGreaterThan(before), patience);
  };
  const { id } = await start('Shelf of two pages');
  await movesBy(() => scan(id, hits[0]?.code ?? ''));
  told.length = 0;
  await movesBy(async () => {
    for (let scanned = 0; scanned < 40; scanned += 1) {
      await scan(id, hits[scanned % 2]?.code ?? '');
    }
  });
  expect(told.length).toBeLessThan(10);
  const page = valueOf(await call['stocktake:listLines']({ stocktakeId: id, state: null, offset: 0, limit: 9 }));
  await movesBy(() => call['stocktake:setQuantity']({ stocktakeId: id, lineId: page.rows[0]?.id ?? 0, quantity: 7 }));
  await movesBy(() => undoNewest(id));
  await movesBy(() => call['stocktake:setClosed']({ stocktakeId: id, isClosed: true }));
  const settled = await newest();
  await call['stocktake:read']({ stocktakeId: id });
  await call['stocktake:list']({ offset: 0, limit: 9 });
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  expect(await newest()).toBe(settled);
  await movesBy(() => call['stocktake:delete']({ stocktakeId: id }));
  unsubscribe();
});
