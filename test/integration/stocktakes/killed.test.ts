// The proof that a scan that was told as counted outlives a kill in the middle of the next ones, and none counts twice.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { openStocktakeRepository } from '../../../app/stocktakes/repository.ts';
import { Database } from '../../../app/storage/database.ts';
import { stocktakeMigrations } from '../../../app/stocktakes/migrations.ts';
import { startChild } from '../../support/child.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const shop = { platform: 'https://platform.example.com', companyId: '7' as Id, stockIds: ['11' as Id] };

test('killed between two scans, again and again, the count has each scan that was told, once', async () => {
  const directory = temporaryDirectory();
  let reported = 0;
  for (const more of [1, 7, 23, 40]) {
    const till = startChild(process.execPath, ['test/support/counting-till.ts', directory]);
    await till.waitForLine(new RegExp(`^counted ${reported + more}$`));
    await till.stop('SIGKILL');
    const last = Number(till.lines.at(-1)?.split(' ')[1]);
    const database = await Database.open(join(directory, 'stocktakes.db'), {
      kind: 'precious',
      migrations: stocktakeMigrations,
    });
    const repository = openStocktakeRepository(database, shop);
    const { id = 0, lines } = repository.list(0, 1).rows[0] ?? {};
    const [line] = repository.lines.list(id, null, 0, 10).rows;
    const entries = database.prepare<{ entries: number }>('SELECT count(*) AS entries FROM entries').get()?.entries;
    // The kill may have come after the next one was on disk, and before it was told.
    expect([last, last + 1]).toContain(line?.quantity);
    expect([entries, repository.list(0, 10).total, (lines?.same ?? 0) + (lines?.different ?? 0)]).toEqual([
      line?.quantity,
      1,
      1,
    ]);
    reported = line?.quantity ?? 0;
    database.close();
  }
});
