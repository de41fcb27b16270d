// The proof that progress which is only noted is believed at once, lost by a crash alone, and never older than ten
// minutes on disk.
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { CatalogueRepository } from '../../../../app/catalogue/repository/repository.ts';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { openRepository } from '../catalogue-fixture.ts';

const minuteMs = 60_000;
const startedAt = Date.UTC(2099, 0);
const at = (minutes: number) => ({ ...noProgress, lastPass: minutes, changesAt: startedAt + minutes * minuteMs });

/** How many minutes the progress of the only stock has, as this store and one opened after a crash of now read it. */
async function readBoth(repository: CatalogueRepository, path: string): Promise<readonly (number | undefined)[]> {
  const folder = temporaryDirectory();
  cpSync(dirname(path), folder, { recursive: true });
  const after = await openRepository({ path: join(folder, 'catalogue.db') });
  return [repository, after.repository].map((one) => one.stocks()[0]?.progress.lastPass);
}

test('what is noted is believed, and on disk with what is saved, after ten minutes, or at the close', async () => {
  const { repository, path } = await openRepository();
  const [stock] = repository.stocks();
  if (stock === undefined) {
    throw new Error('no stock');
  }
  repository.noteProgress(stock, at(1));
  expect(await readBoth(repository, path)).toEqual([1, 1]);
  repository.noteProgress(stock, at(3));
  repository.noteProgress(stock, at(10));
  expect(await readBoth(repository, path)).toEqual([10, 1]);
  repository.noteProgress(stock, at(11));
  expect(await readBoth(repository, path)).toEqual([11, 11]);
  repository.noteProgress(stock, at(12));
  repository.saveProgress(stock, at(13));
  expect(await readBoth(repository, path)).toEqual([13, 13]);
  // The clock was set back.
  repository.noteProgress(stock, at(1));
  expect(await readBoth(repository, path)).toEqual([1, 1]);
  repository.noteProgress(stock, at(2));
  repository.close();
  const again = await openRepository({ path });
  expect(again.repository.stocks()[0]?.progress.lastPass).toBe(2);
});
