// The proof that progress which is only noted is believed at once, lost by a crash alone, and never older than ten
// minutes on disk.
import { cpSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { CatalogueStore } from '../../../../app/catalogue/store/store.ts';
import { noProgress } from '../../../../app/catalogue/sync/progress.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { openStore } from '../catalogue-fixture.ts';

const minuteMs = 60_000;
const startedAt = Date.UTC(2099, 0);
const at = (minutes: number) => ({ ...noProgress, lastPass: minutes, changesAt: startedAt + minutes * minuteMs });

/** How many minutes the progress of the only stock has, as this store and one opened after a crash of now read it. */
async function readBoth(store: CatalogueStore, path: string): Promise<readonly (number | undefined)[]> {
  const folder = temporaryDirectory();
  cpSync(dirname(path), folder, { recursive: true });
  const after = await openStore({ path: join(folder, 'catalogue.db') });
  return [store, after.store].map((one) => one.stocks()[0]?.progress.lastPass);
}

test('what is noted is believed, and on disk with what is saved, after ten minutes, or at the close', async () => {
  const { store, path } = await openStore();
  const [stock] = store.stocks();
  if (stock === undefined) {
    throw new Error('no stock');
  }
  store.noteProgress(stock, at(1));
  expect(await readBoth(store, path)).toEqual([1, 1]);
  store.noteProgress(stock, at(3));
  store.noteProgress(stock, at(10));
  expect(await readBoth(store, path)).toEqual([10, 1]);
  store.noteProgress(stock, at(11));
  expect(await readBoth(store, path)).toEqual([11, 11]);
  store.noteProgress(stock, at(12));
  store.saveProgress(stock, at(13));
  expect(await readBoth(store, path)).toEqual([13, 13]);
  // The clock was set back.
  store.noteProgress(stock, at(1));
  expect(await readBoth(store, path)).toEqual([1, 1]);
  store.noteProgress(stock, at(2));
  store.close();
  const again = await openStore({ path });
  expect(again.store.stocks()[0]?.progress.lastPass).toBe(2);
});
