// Proves over real HTTP and real files that minimums outlive the copy, a restart, and a product's leaving; that the
// counts follow every figure that comes in; and that a manager's lock holds.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { everyProduct } from '../../../app/contract/every-product.ts';
import type { StockQuery, StockRow } from '../../../app/contract/browse.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import type { TrainingPlatform } from '../../../app/training/server.ts';
import { copied, openCopied, signIn, stateOf } from '../../support/machine.ts';

const idAt = (platform: TrainingPlatform, index: number): Id => String(platform.products.idAt(index)) as Id;
const stockOf = (platform: TrainingPlatform): Id => platform.stockIds[0] as Id;
async function listed({ handlers }: Terminal, list: StockQuery['list']): Promise<readonly StockRow[]> {
  const page = await handlers['stock:browse']({ query: { ...everyProduct, list }, offset: 0, limit: 200 });
  return page.ok ? page.value.rows.filter((row) => row !== null) : expect.fail(page.failure.kind);
}

/** The platform has this figure now, and somebody looks at the product. */
async function figure(terminal: Terminal, platform: TrainingPlatform, productId: Id, amount: number): Promise<void> {
  const stockId = stockOf(platform);
  platform.changeBalance(stockId, productId, amount);
  expect(await terminal.handlers['product:refresh']({ stockId, productId })).toMatchObject(
    succeed({ balance: { amount } }),
  );
}

const watchListOf = async (terminal: Terminal) => (await stateOf(terminal)).watchList;

test('the counts and lists follow the figures, and what ran out or came back is told', async () => {
  const { platform, terminal } = await openCopied();
  const stockId = stockOf(platform);
  const [first, second] = [idAt(platform, 0), idAt(platform, 1)];
  await figure(terminal, platform, first, 20);
  await figure(terminal, platform, second, 3);
  expect(
    await terminal.handlers['watchList:set']({
      minima: [
        { stockId, productId: first, minimum: 10 },
        { stockId, productId: second, minimum: 5 },
        { stockId, productId: '999999999' as Id, minimum: 5 },
      ],
    }),
  ).toEqual({ ok: true, value: { kept: 2 } });
  expect(await watchListOf(terminal)).toEqual({ watched: 2, below: 1, unknown: 0, absent: 0 });
  expect(await listed(terminal, 'below')).toMatchObject([{ productId: second, minimum: 5, balance: { amount: 3 } }]);

  await figure(terminal, platform, first, 0);
  await figure(terminal, platform, second, 5);
  await expect.poll(() => watchListOf(terminal)).toEqual({ watched: 2, below: 1, unknown: 0, absent: 0 });
  expect(await listed(terminal, 'below')).toMatchObject([{ productId: first }]);
  expect(await listed(terminal, 'ranOut')).toMatchObject([
    { productId: first, turnedAt: expect.any(Number) as number },
  ]);
  await figure(terminal, platform, first, 12.5);
  await expect.poll(() => watchListOf(terminal)).toMatchObject({ below: 0 });
  expect(await listed(terminal, 'cameBack')).toMatchObject([{ productId: first }]);
  expect(await listed(terminal, 'ranOut')).toEqual([]);
  // The card has it too, and one that is taken off is gone at once.
  expect(await terminal.handlers['product:read']({ stockId, productId: first })).toMatchObject({
    value: { minimum: 10 },
  });
  await terminal.handlers['watchList:set']({ minima: [{ stockId, productId: first, minimum: null }] });
  expect(await listed(terminal, 'watched')).toMatchObject([{ productId: second }]);
});

test('a minimum whose product is no id any more ends no start, and hides no other', async () => {
  const { platform, machine, terminal } = await openCopied();
  const stockId = stockOf(platform);
  const [first, second] = [idAt(platform, 0), idAt(platform, 1)];
  await figure(terminal, platform, second, 3);
  await terminal.handlers['watchList:set']({
    minima: [first, second].map((productId) => ({ stockId, productId, minimum: 5 })),
  });
  await terminal.close();
  // One bit of a disk makes an "s" of a 3, and no check of SQLite's sees it.
  const queue = new DatabaseSync(join(machine.store, 'queue.db'));
  const damaged = `s${first.slice(1)}`;
  queue.prepare('UPDATE minima SET product_id = ? WHERE product_id = ?').run(damaged, first);
  queue.close();
  const again = await machine.start();
  await expect.poll(() => watchListOf(again)).toMatchObject({ watched: 2, absent: 1, below: 1 });
  expect(await listed(again, 'below')).toMatchObject([{ productId: second, minimum: 5 }]);
  expect(await listed(again, 'watched')).toMatchObject([{ productId: second }]);
});

test('minimums outlive a restart, a copy made anew, and the leaving and return of a product', async () => {
  const { platform, machine, terminal } = await openCopied();
  const stockId = stockOf(platform);
  const productId = idAt(platform, 2);
  await figure(terminal, platform, productId, 1);
  await terminal.handlers['watchList:set']({ minima: [{ stockId, productId, minimum: 4 }] });
  await terminal.close();
  for (const file of readdirSync(machine.store).filter((name) => name.startsWith('catalogue'))) {
    rmSync(join(machine.store, file));
  }
  // Without a network: the minimum is there, and nothing is said of a figure that is not.
  machine.losesListings = true;
  const empty = await machine.start();
  await expect.poll(() => watchListOf(empty)).toEqual({ watched: 1, below: 0, unknown: 0, absent: 1 });
  machine.losesListings = false;
  await signIn(empty, platform);
  await copied(empty);
  await expect.poll(() => watchListOf(empty)).toEqual({ watched: 1, below: 1, unknown: 0, absent: 0 });

  platform.removeProduct(productId);
  await empty.handlers['catalogue:copy']({});
  await expect.poll(() => watchListOf(empty), { timeout: 15_000 }).toMatchObject({ watched: 1, absent: 1 });
  platform.removeProduct(productId, false);
  await empty.handlers['catalogue:copy']({});
  await expect
    .poll(() => watchListOf(empty), { timeout: 15_000 })
    .toEqual({ watched: 1, below: 1, unknown: 0, absent: 0 });
});

test('a code of a file names what the copy has under it, and never a name', async () => {
  const { platform, handlers } = await openCopied();
  const stockId = stockOf(platform);
  const product = platform.products.at(0);
  const productId = idAt(platform, 0);
  await handlers['watchList:set']({ minima: [{ stockId, productId, minimum: 2 }] });
  const matched = await handlers['watchList:match']({ stockId, codes: [productId, product.name, 'NO-SUCH-1'] });
  expect(matched).toMatchObject(succeed({ matches: [[{ productId, name: product.name, minimum: 2 }], [], []] }));
  const ofSet = await handlers['couponSet:match']({ codes: [productId, product.name], areIds: true });
  expect(ofSet).toEqual({ ok: true, value: { matches: [[{ productId, name: product.name }], []] } });
});

test('where settings are locked, minimums are the manager’s; who set one is on the list', async () => {
  const { platform, terminal } = await openCopied();
  const { handlers } = terminal;
  const stockId = stockOf(platform);
  const minimum = (index: number, value: number | null) => ({
    stockId,
    productId: idAt(platform, index),
    minimum: value,
  });
  expect(await handlers['lock:setPin']({ pin: '2580' })).toMatchObject({ ok: true });
  expect(await handlers['watchList:set']({ minima: [minimum(0, 3)] })).toEqual(fail({ kind: 'locked' }));
  expect(await watchListOf(terminal)).toMatchObject({ watched: 0 });
  // Whoever stands there may read.
  expect(await listed(terminal, 'watched')).toEqual([]);
  await handlers['lock:unlock']({ pin: '2580', opens: 'settings' });
  expect(await handlers['watchList:set']({ minima: [minimum(0, 3)] })).toMatchObject({ ok: true });
  await handlers['lock:unlock']({ pin: '2580', opens: 'settings' });
  expect(await handlers['watchList:set']({ minima: [minimum(0, null), minimum(1, 2)] })).toMatchObject({ ok: true });
  await handlers['lock:unlock']({ pin: '2580', opens: 'audit' });
  const audit = await handlers['audit:list']({ group: 'settings', offset: 0, limit: 10 });
  expect(audit.ok && audit.value.rows.map(({ action, isWithPin }) => ({ ...action, isWithPin }))).toMatchObject([
    { kind: 'minima', count: 2, isWithPin: true },
    { kind: 'minimum', productId: idAt(platform, 0), name: platform.products.at(0).name, minimum: 3, isWithPin: true },
    { kind: 'profile' },
  ]);
  await handlers['session:signOut']({});
  expect(await handlers['watchList:set']({ minima: [minimum(0, 3)] })).toEqual(fail({ kind: 'signInNeeded' }));
  expect(await listed(terminal, 'watched')).toMatchObject([{ productId: idAt(platform, 1) }]);
});
