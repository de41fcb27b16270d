// The proof that a scan into a count of 20,000 lines costs what one into an empty count does, on a real disk.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { openStocktakeRepository } from '../../../app/stocktakes/repository.ts';
import { Database } from '../../../app/storage/database.ts';
import { stocktakeMigrations } from '../../../app/stocktakes/migrations.ts';
import { begin, entry, product, shop, undoNewest } from '../../unit/stocktakes/stocktake-fixture.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const manyLines = 20_000;
const rounds = 30;

test('neither a scan, nor its undoing, nor the page on the screen grows with the lines', async () => {
  const database = await Database.open(join(temporaryDirectory(), 'stocktakes.db'), {
    kind: 'precious',
    migrations: stocktakeMigrations,
  });
  const repository = openStocktakeRepository(database, shop);
  const counts = { empty: begin(repository, 'empty'), large: begin(repository, 'large') };
  database.transaction(() => {
    for (let number = 0; number < manyLines; number += 1) {
      repository.lines.add(counts.large, product(number), { ...entry(number % 3), text: `A-${number}`, quantity: 1 });
    }
  });
  expect(repository.lines.list(counts.large, null, 0, 1).total).toBe(manyLines);

  const times = { empty: [] as number[], large: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    for (const name of ['empty', 'large'] as const) {
      const subject = { ...product(round * 600), productId: String(round * 600) as Id };
      const before = process.cpuUsage();
      repository.lines.add(counts[name], subject, { ...entry(1), text: subject.code ?? '', quantity: 1 });
      repository.find(counts[name]);
      repository.lines.list(counts[name], null, 0, 100);
      repository.lines.list(counts[name], 'different', 0, 100);
      undoNewest(repository, counts[name]);
      const { user, system } = process.cpuUsage(before);
      times[name].push((user + system) / 1000);
    }
  }
  // Of the processor's time the best of all rounds: other work on the machine changes it little. A page of the large
  // one is full: a hundred rows are read, not twenty thousand.
  expect(Math.min(...times.large)).toBeLessThan(2 * Math.min(...times.empty) + 20);
  database.close();
});
