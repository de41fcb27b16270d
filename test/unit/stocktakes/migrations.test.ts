// The proof that stocktakes.db of an earlier version opens with every scan that was in it, and was backed up first.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openStocktakeRepository } from '../../../app/stocktakes/repository.ts';
import { Database } from '../../../app/storage/database.ts';
import { stocktakeMigrations } from '../../../app/stocktakes/migrations.ts';
import { shop, entry, product, undoNewest } from '../stocktakes/stocktake-fixture.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

/** As the first version left it in the middle of a count: two scans of one product, and a code that names none. */
const firstRows = `
  INSERT INTO stocktakes (id, platform, company_id, stock_id, stock_name, name, filter, started_at, started_by, state)
    VALUES (3, '${shop.platform}', '${shop.companyId}', '11', 'Loja', 'Shelf 4', '{"term":"caf","amount":"all"}', 1000, 'ana@example.com', 'open');
  INSERT INTO lines (id, stocktake_id, product_id, code, name, unit, is_expected, quantity, figure, figure_as_of, standing, place, counted_at, counted_by)
    VALUES (7, 3, '1', 'A-1', 'Produto 1', 'UNID', 0, 2, 5, 900, 'different', -12, 2000, 'ana@example.com');
  INSERT INTO lines (id, stocktake_id, code, miss, is_expected, quantity, standing, place, counted_at)
    VALUES (8, 3, '4006381333931', 'unknown', 0, 1, 'unknownCode', -13, 2500);
  INSERT INTO entries (id, stocktake_id, line_id, at, email, text, quantity, figure, figure_as_of, has_figure_moved)
    VALUES (11, 3, 7, 1500, 'ana@example.com', 'A-1', 1, 5, 900, 0), (12, 3, 7, 2000, 'ana@example.com', 'A-1', 2, 5, 900, 0),
      (13, 3, 8, 2500, NULL, '4006381333931', 1, NULL, NULL, 0);
`;

test('a count of the first version goes on where it was, each scan still one that can be undone', async () => {
  const path = join(temporaryDirectory(), 'stocktakes.db');
  const first = await Database.open(path, { kind: 'precious', migrations: stocktakeMigrations.slice(0, 1) });
  first.exec(firstRows);
  first.close();
  const newest = stocktakeMigrations.at(-1)?.version ?? 0;
  const database = await Database.open(path, { kind: 'precious', migrations: stocktakeMigrations });
  const repository = openStocktakeRepository(database, shop);
  expect(repository.list(0, 10)).toMatchObject({
    total: 1,
    rows: [{ id: 3, filter: { term: 'caf', amount: 'all' }, lines: { different: 1, unknownCode: 1 } }],
  });
  expect(repository.lines.add(3, product(1), { ...entry(5), text: 'A-1', quantity: 1 })).toMatchObject({
    value: { id: 7, quantity: 3 },
  });
  const undone = [1, 2, 3, 4, 5].map(() => undoNewest(repository, 3)?.quantity);
  expect(undone).toEqual([2, null, 1, null, undefined]);
  expect(existsSync(`${path}.before-${newest}`)).toBe(newest > 1);
  database.close();
});

test('one of a later version is left as it is', async () => {
  const path = join(temporaryDirectory(), 'stocktakes.db');
  const newest = stocktakeMigrations.at(-1)?.version ?? 0;
  const later = await Database.open(path, { kind: 'precious', migrations: stocktakeMigrations });
  later.exec(`PRAGMA user_version = ${newest + 1}`);
  later.close();
  await expect(Database.open(path, { kind: 'precious', migrations: stocktakeMigrations })).rejects.toMatchObject({
    failure: { kind: 'storageFromFuture' },
  });
});
