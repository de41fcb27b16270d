// The proof of how the ages of the copy's figures are counted: all of a small copy, an even sample of a large one, in
// slices.
import { expect, test } from 'vitest';
import { openAges, maxAgesRead } from '../../../../app/catalogue/repository/ages.ts';
import { afterChanges, afterFull } from '../../../../app/catalogue/sync/plan.ts';
import { beginPass, noProgress } from '../../../../app/catalogue/sync/progress.ts';
import { ageBandsMs } from '../../../../app/contract/catalogue-age.ts';
import { catalogueMigrations } from '../../../../app/catalogue/repository/migrations.ts';
import { Database } from '../../../../app/storage/database.ts';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { temporaryDirectory } from '../../../support/temporary.ts';

const now = Date.UTC(2026, 0, 5, 12);
const always = (): Promise<boolean> => Promise.resolve(true);

async function open() {
  const database = await Database.open(join(temporaryDirectory(), 'catalogue.db'), {
    kind: 'disposable',
    migrations: catalogueMigrations,
  });
  onTestFinished(() => database.close());
  const insert = database.prepare(
    "INSERT INTO products (number, stock, product_id, pass, balance, balance_as_of, name, raw_digest) VALUES (?1, 1, ?1, 1, ?2, ?3, 'Product', 0)",
  );
  const add = (number: number, ageMs: number | null): void => {
    insert.run(number, ageMs === null ? null : 5, ageMs === null ? null : now - ageMs);
  };
  return { database, ages: openAges(database), add };
}

test('an empty copy has no ages', async () => {
  const { ages } = await open();
  expect(await ages.count(now, always)).toEqual({
    bands: [0, 0, 0, 0, 0, 0],
    withoutFigure: 0,
    counted: 0,
    isSample: false,
  });
});

test('each figure is in the band that its age falls into; one that nobody has told has none', async () => {
  const { ages, add } = await open();
  const wanted = [...ageBandsMs.flatMap((upToMs) => [upToMs, upToMs + 1]), -5_000, null, null];
  // Rows that have gone leave gaps.
  wanted.forEach((ageMs, place) => add(place * 37 + 5, ageMs));
  expect(await ages.count(now, always)).toEqual({
    // What lies ahead may be of any age.
    bands: [1, 2, 2, 2, 2, 2],
    withoutFigure: 2,
    counted: 13,
    isSample: false,
  });
});

test('of very many an even sample is read, no row twice, in slices between which everybody else has a turn', async () => {
  const { database, ages, add } = await open();
  database.transaction(() => {
    for (let number = 1; number <= 20_000; number += 1) {
      // A quarter is old, and lies together.
      add(number, number <= 5_000 ? 30 * 86_400_000 : 1_000);
    }
  });
  let turns = 0;
  const counted = await ages.count(now, () => {
    turns += 1;
    return always();
  });
  expect(counted).toMatchObject({ counted: maxAgesRead, isSample: true });
  expect(counted?.bands[5]).toBe(maxAgesRead / 4);
  expect(turns).toBe(8);
  expect(await ages.count(now, () => Promise.resolve(false))).toBeNull();
});

test('a large copy of which nearly all has gone is counted once a row', async () => {
  const { ages, add } = await open();
  add(1, 0);
  add(900_000, 0);
  add(1_000_000, 0);
  expect((await ages.count(now, always))?.counted).toBe(3);
});

test('a stock remembers when it was last read whole, until the next time', () => {
  const listed = afterFull(noProgress, { ...beginPass(1, 1_000, null), total: 0 });
  expect(listed.listedAt).toBe(1_000);
  const after = afterChanges(listed, beginPass(2, 5_000, 900), 0, 6_000);
  expect([after.listedAt, after.changesAt]).toEqual([1_000, 6_000]);
});
