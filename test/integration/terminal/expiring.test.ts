// The list of what expires over the whole terminal: real files, a real platform, the calls of the page.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { everyProduct } from '../../../app/contract/every-product.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { openPracticeTerminal, type PracticeTerminal } from '../../support/practice-terminal.ts';
import { valueOf } from '../../support/value-of.ts';

const patience = { timeout: 20_000, interval: 50 };
/** A second's window, so that nobody waits for the rate limit. */
const quick = { limit: 60, windowSeconds: 1, reserve: 3 };

async function openCopied(settings: object = {}): Promise<PracticeTerminal> {
  const till = await openPracticeTerminal({ productCount: 120, settings: { allowanceLimits: quick, ...settings } });
  onTestFinished(till.close);
  await vi.waitFor(async () => {
    const { catalogue } = valueOf(await till.terminal.handlers['terminal:read']({}));
    expect(catalogue.stocks.map(({ completeAsOf }) => completeAsOf === null)).toEqual([false, false]);
  }, patience);
  return till;
}

const asksOf = ({ platform }: PracticeTerminal) => platform.arrivals().filter(({ path }) => path.endsWith('/batches'));

test('nothing is asked for before somebody switches it on; then all with stock are, most in one go', async () => {
  const till = await openCopied();
  const { handlers } = till.terminal;
  const coverage = async () => valueOf(await handlers['expiring:readCoverage']({}));
  expect(await coverage()).toMatchObject({ asked: 0, since: null, night: 'off', nextNightAt: null });
  expect(asksOf(till)).toEqual([]);

  valueOf(await handlers['settings:update']({ expiryAsking: { isOn: true } }));
  const { withStock } = await coverage();
  expect(withStock).toBeGreaterThan(60);
  // A survey is good for some seconds; what was asked shows in the list at once.
  await vi.waitFor(() => expect(new Set(asksOf(till).map(({ path }) => path)).size).toBe(withStock), patience);
  const page = valueOf(await handlers['expiring:list']({ span: 'past', term: '', offset: 0, limit: 500 }));
  expect(page.total).toBe(page.rows.length);
  const days = page.rows.map((row) => row?.day ?? '');
  expect(days.length).toBeGreaterThan(0);
  expect(days).toEqual(days.toSorted());
  expect(page.rows.every((row) => (row?.hit.balance.amount ?? 0) > 0)).toBe(true);
  const [first] = page.rows;
  const found = valueOf(
    await handlers['expiring:list']({ span: 'past', term: first?.hit.name ?? '', offset: 0, limit: 10 }),
  );
  expect(found.rows).toContainEqual(first);
});

test('what a person was told is kept, without a request of its own, and outlives network and restart', async () => {
  const till = await openCopied();
  const { handlers } = till.terminal;
  const { rows } = valueOf(
    await handlers['stock:browse']({
      query: { ...everyProduct, stockId: till.platform.stockIds[0] as Id, amount: 'positive' },
      offset: 0,
      limit: 40,
    }),
  );
  let dated: { readonly day: string; readonly productId: Id } | null = null;
  for (const row of rows) {
    if (row !== null && dated === null) {
      const { stockId, productId } = row;
      const reported = valueOf(await handlers['product:readBatches']({ stockId, productId, optionIds: [] }));
      const day = reported.batches[0]?.expiresOn?.day;
      dated = day === undefined ? null : { day, productId };
    }
  }
  till.platform.setNetworkDown(true);
  const asks = asksOf(till).length;
  const spans = ['past', '90'] as const;
  await vi.waitFor(async () => {
    const lists = await Promise.all(
      spans.map(async (span) => valueOf(await handlers['expiring:list']({ span, term: '', offset: 0, limit: 100 }))),
    );
    expect(lists.flatMap((list) => list.rows).length).toBeGreaterThan(0);
  }, patience);
  expect(valueOf(await handlers['expiring:readCoverage']({}))).toMatchObject({ night: 'off' });
  expect(asksOf(till)).toHaveLength(asks);
});

test('a damaged file makes way for an empty one, and nothing else is lost', async () => {
  const till = await openCopied();
  const { handlers } = till.terminal;
  writeFileSync(join(till.directory, 'practice', 'batches.db'), 'no database');
  expect(valueOf(await handlers['expiring:list']({ span: '30', term: '', offset: 0, limit: 10 }))).toEqual({
    total: 0,
    rows: [],
    next: null,
  });
  expect(readFileSync(join(till.directory, 'practice', 'batches.db'), 'latin1')).toContain('SQLite format 3');
  expect(valueOf(await handlers['terminal:read']({})).catalogue.copied).toBeGreaterThan(100);
});

test('nothing is asked for while a person has used the rate limit in this window (I22)', async () => {
  const till = await openCopied();
  const { handlers } = till.terminal;
  valueOf(await handlers['settings:update']({ allowanceLimits: { ...quick, windowSeconds: 60 } }));
  const stockId = till.platform.stockIds[0] as Id;
  const productId = String(till.platform.products.idAt(3)) as Id;
  valueOf(await handlers['product:refresh']({ stockId, productId }));
  valueOf(await handlers['settings:update']({ expiryAsking: { isOn: true } }));
  expect(valueOf(await handlers['expiring:readCoverage']({})).night).toBe('busy');
  expect(asksOf(till)).toEqual([]);
});
