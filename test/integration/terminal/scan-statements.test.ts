// The proof that a scan asks the databases no more of a till with a long watch list and a long count: what is counted is
// statements, for a time says little on a busy machine.
import { join } from 'node:path';
import { DatabaseSync, StatementSync } from 'node:sqlite';
import { expect, test, vi } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import type { Terminal } from '../../../app/terminal/terminal.ts';
import { copied, openCopied, stateOf } from '../../support/machine.ts';

const watched = 5_000;
const lines = 20_000;

/** How many statements a call runs; the least of several, for what goes on beside it runs some as well. */
async function statementsOf(call: () => Promise<unknown>): Promise<number> {
  const counts: number[] = [];
  const spies = (['get', 'all', 'run', 'iterate'] as const).map((name) => vi.spyOn(StatementSync.prototype, name));
  for (let time = 0; time < 5; time += 1) {
    spies.forEach((spy) => spy.mockClear());
    expect(await call()).toMatchObject({ ok: true });
    counts.push(spies.reduce((sum, { mock }) => sum + mock.calls.length, 0));
  }
  spies.forEach((spy) => spy.mockRestore());
  return Math.min(...counts);
}

test('a scan runs as many statements with a watch list of 5,000 and a count of 20,000 lines as without', async () => {
  const { platform, machine, terminal: first } = await openCopied();
  const [stockId] = platform.stockIds as [Id];
  const productId = String(platform.products.idAt(0)) as Id;
  const text = platform.products.at(0).barcodes[0] ?? expect.fail('the product has no barcode');
  const scan = ({ handlers }: Terminal) => statementsOf(() => handlers['lookup:find']({ text, source: 'scan' }));
  const scanInCount = ({ handlers }: Terminal) =>
    statementsOf(() => handlers['stocktake:scan']({ stocktakeId: 1, text, source: 'scan' }));

  const alone = await scan(first);
  expect(alone).toBeGreaterThan(0);
  await first.handlers['watchList:set']({ minima: [{ stockId, productId, minimum: 5 }] });
  await first.handlers['stocktake:start']({ name: 'Shelf', stockId, filter: null });
  const inShortCount = await scanInCount(first);
  await first.close();

  const fill = (file: string, sql: string): void => {
    const database = new DatabaseSync(join(machine.store, file));
    database.exec(sql);
    database.close();
  };
  const numbers = (count: number): string =>
    `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < ${count})`;
  fill(
    'queue.db',
    `${numbers(watched - 1)} INSERT INTO minima SELECT platform, company_id, stock_id, 900000000 + n, 5 FROM minima, numbers`,
  );
  fill(
    'stocktakes.db',
    `${numbers(lines)} INSERT INTO lines (stocktake_id, product_id, is_expected, standing) SELECT 1, 900000000 + n, 1, 'notCounted' FROM numbers;
     INSERT OR REPLACE INTO tallies (stocktake_id, standing, lines) VALUES (1, 'notCounted', ${lines})`,
  );

  const second = await machine.start();
  await copied(second);
  await expect.poll(async () => (await stateOf(second)).watchList?.watched).toBe(watched);
  expect(await second.handlers['stocktake:read']({ stocktakeId: 1 })).toMatchObject({
    value: { lines: { notCounted: lines } },
  });
  expect(await scan(second)).toBe(alone);
  expect(await scanInCount(second)).toBe(inShortCount);
});
