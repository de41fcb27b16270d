// The proof that a copy made by an earlier version opens: its products are copied anew, what a person looked up and
// what the platform resolved is still there, but for what may have been a fragment.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { catalogueMigrations } from '../../../../app/catalogue/repository/migrations.ts';
import { readerVersion } from '../../../../app/platform/listing/listed.ts';
import { Database } from '../../../../app/storage/database.ts';
import { turnIntoSixthVersion } from '../../../support/former-copy.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { id, openRepository, stockOne } from '../catalogue-fixture.ts';
import { listed } from '../../../support/listed.ts';

const noStock = { number: 0, stockId: stockOne, copied: 0 };
const pass = (number: number) => ({ pass: number, seenSince: number, askedAt: number });

const fingerprint = 'https://platform.example.com 1';

const wholeCodes = ['9520000000028', '95200002', '19520000000025'];
const fragments = ['LABEL-1', '78910000535', 95_200_000_004n];

/** A file of version 1 as that version would have left it. */
async function writeFirstVersion(path: string): Promise<void> {
  const database = await Database.open(path, { kind: 'disposable', migrations: catalogueMigrations.slice(0, 1) });
  database.prepare('INSERT INTO origin (id, fingerprint) VALUES (1, ?)').run(`${readerVersion} ${fingerprint}`);
  database
    .prepare("INSERT INTO stocks (number, stock_id, name, copied, progress) VALUES (1, ?, 'Loja', 2, '{}')")
    .run(BigInt(stockOne));
  for (const number of [1, 2]) {
    database
      .prepare("INSERT INTO products (number, stock, product_id, pass, code, name) VALUES (?, 1, ?, 1, ?, 'Café')")
      .run(number, number, `C${number}`);
    database
      .prepare('INSERT INTO details (number, raw) VALUES (?, ?)')
      .run(number, `{"id":${number},"name":"Café","code":"C${number}"}`);
    database.prepare("INSERT INTO product_words (rowid, text) VALUES (?, 'cafe')").run(number);
    database.prepare('INSERT INTO code_fragments (rowid, code) VALUES (?, ?)').run(number, `c${number}`);
  }
  for (const key of [...wholeCodes.map(BigInt), ...fragments]) {
    database.prepare('INSERT INTO aliases (key, product_id) VALUES (?, 2)').run(key);
  }
  database
    .prepare("INSERT INTO recent_lookups (at, text, answer, stock_id, product_id) VALUES (5, 'LABEL-1', 'found', ?, 2)")
    .run(BigInt(stockOne));
  database.close();
}

test.each(catalogueMigrations.map(({ version }) => version))(
  'a file that went through version %d opens, keeps lookups and aliases, and is copied anew',
  async (version) => {
    const path = join(temporaryDirectory(), 'catalogue.db');
    await writeFirstVersion(path);
    const database = await Database.open(path, {
      kind: 'disposable',
      migrations: catalogueMigrations.slice(0, version),
    });
    database.close();
    const { repository, wasRebuilt } = await openRepository({ path, fingerprint });
    expect(wasRebuilt).toBe(false);
    expect(repository.stocks()).toMatchObject([{ name: 'Loja', copied: 0, progress: { lastPass: 0, since: null } }]);
    expect(repository.search.search('cafe', 5)).toEqual([]);
    expect(repository.recent.list()).toMatchObject([{ text: 'LABEL-1', hit: null }]);
    const [stock = noStock] = repository.stocks();
    repository.writer.save(
      stock ?? { number: 0, stockId: stockOne },
      listed([{ id: 2, name: 'Café moído', code: 'C2' }]),
      pass(1),
    );
    expect(wholeCodes.map((code) => repository.reader.findByAlias(code))).toEqual(
      wholeCodes.map(() => [repository.reader.find(stockOne, id(2))]),
    );
    expect(fragments.flatMap((code) => repository.reader.findByAlias(String(code)))).toEqual([]);
    expect(repository.recent.list()).toMatchObject([{ text: 'LABEL-1', hit: { name: 'Café moído' } }]);
    expect(repository.search.search('cafe', 5)).toHaveLength(1);
  },
);

const goods = [
  { id: 1, name: 'Maisena 200g', code: 'M200' },
  { id: 2, name: 'Leite 1L', code: 'L1' },
  { id: 3, name: 'Cabo HDMI2', code: 'S5' },
  { id: 4, name: 'TOTAL9 cera', code: 'C2' },
];

/** The file that version 6 would have left of these: the same rows, under its terms. */
async function writeSixthVersion(path: string): Promise<void> {
  const { repository } = await openRepository({ path, fingerprint });
  const [stock = noStock] = repository.stocks();
  repository.writer.save(stock, listed(goods), pass(1));
  repository.close();
  await turnIntoSixthVersion(path);
}

test('a copy whose words joined letters and digits keeps every row, and gets the words of now', async () => {
  const path = join(temporaryDirectory(), 'catalogue.db');
  await writeSixthVersion(path);
  const { repository, wasRebuilt } = await openRepository({ path, fingerprint });
  const [stock = noStock] = repository.stocks();
  const named = (text: string): (string | undefined)[] =>
    repository.search.search(text, 9).map((row) => repository.reader.hit(row)?.name);
  expect(wasRebuilt).toBe(false);
  expect(stock.copied).toBe(4);
  // Before the first slice: whole words of letters are found, and so are codes.
  expect(named('maisena')).toEqual(['Maisena 200g']);
  expect(named('m200')).toEqual(['Maisena 200g']);
  expect(named('maisena 200g')).toEqual([]);
  // A product that changes or goes meanwhile leaves nothing of its former terms behind.
  repository.writer.save(stock, listed([{ id: 3, name: 'Espuma', code: 'S5' }]), pass(2));
  repository.writer.remove(stock, [id(4)]);
  expect(repository.writer.renewWords(2)).toBe(true);
  expect(named('maisena 200g')).toEqual(['Maisena 200g']);
  expect(repository.writer.renewWords(2)).toBe(false);
  repository.writer.save(stock, listed([{ id: 5, name: 'Vela', code: 'V' }]), pass(2));
  expect(named('leite 1 l')).toEqual(['Leite 1L']);
  // By a range of whole words the former ones would still be found, under the number of a row that is another product's
  // now.
  for (const gone of ['cabo', 'hdmi', 'hdmi2', 'total', 'total9', 'cera']) {
    expect(named(gone)).toEqual([]);
  }
  expect(repository.writer.renewWords(2)).toBe(false);
});

/** A copy of these goods after what takes it back to an earlier version, opened today. */
async function openTurnedBack(elements: readonly object[], sql: string) {
  const path = join(temporaryDirectory(), 'catalogue.db');
  const former = await openRepository({ path, fingerprint });
  const [stock = noStock] = former.repository.stocks();
  former.repository.writer.save(stock, listed(elements), pass(1));
  former.repository.close();
  const database = await Database.open(path, { kind: 'disposable', migrations: catalogueMigrations });
  database.exec(`ALTER TABLE aliases DROP COLUMN stocks; ${sql}`);
  database.close();
  return { stock, ...(await openRepository({ path, fingerprint })) };
}

test('a copy from before changes of the listing were noted keeps every row, as not changed since', async () => {
  const { stock, repository, wasRebuilt } = await openTurnedBack(
    goods,
    `
    DROP TABLE balance_order;
    DROP TABLE unreadable_elements;
    ALTER TABLE stocks DROP COLUMN unreadable;
    DROP INDEX products_listing_changed;
    ALTER TABLE products DROP COLUMN listing_changed_at;
    PRAGMA user_version = 9;
  `,
  );
  const changed = (): readonly (string | undefined)[] =>
    [...repository.browse.listedFrom(0, Infinity)].flat().map((row) => repository.reader.hit(row)?.name);
  expect([wasRebuilt, repository.stocks()[0]?.copied, changed()]).toEqual([false, 4, []]);
  repository.writer.save(stock, listed([goods[0], { ...goods[1], name: 'Leite integral 1L' }]), pass(2));
  expect(changed()).toEqual(['Leite integral 1L']);
});

test('a copy from before unreadable rows were counted keeps every row, and counts from its next listing', async () => {
  const { stock, repository, wasRebuilt } = await openTurnedBack(
    goods,
    `
    DROP TABLE balance_order;
    DROP TABLE unreadable_elements;
    ALTER TABLE stocks DROP COLUMN unreadable;
    PRAGMA user_version = 10;
  `,
  );
  expect([wasRebuilt, repository.stocks()]).toMatchObject([false, [{ copied: 4, unreadable: 0 }]]);
  repository.writer.save(stock, listed([...goods, null]), {
    pass: 2,
    seenSince: 2,
    askedAt: 2,
    place: { kind: 'full', first: 0 },
  });
  expect(repository.stocks()).toMatchObject([{ copied: 4, unreadable: 1 }]);
});

test('a copy from before the order by balance keeps every row, and is sorted by balance at once', async () => {
  const balances = [4, -1, undefined, 4];
  const balanced = goods.map((one, place) => ({ ...one, balance: balances[place] }));
  const { stock, repository, wasRebuilt } = await openTurnedBack(
    balanced,
    'DROP TABLE balance_order; PRAGMA user_version = 11',
  );
  const sorted = (direction: 'asc' | 'desc'): readonly (string | undefined)[] =>
    repository.browse
      .legs({ orderBy: 'balance', direction }, { stock: null, level: undefined })
      .flatMap((leg) => repository.browse.stretch(leg, leg.from, 9).rows)
      .map((row) => repository.reader.hit(row)?.name);
  expect([wasRebuilt, repository.stocks()[0]?.copied]).toEqual([false, 4]);
  expect(sorted('asc')).toEqual(['Leite 1L', 'Maisena 200g', 'TOTAL9 cera', 'Cabo HDMI2']);
  repository.writer.saveBalance(stock, id(1), { amount: 0, options: [], asOf: 2 });
  repository.writer.remove(stock, [id(2)]);
  expect(sorted('desc')).toEqual(['TOTAL9 cera', 'Maisena 200g', 'Cabo HDMI2']);
});

const hidden = '\u202e';
const element = { id: 7, name: `Ca${hidden}fé`, code: `C${hidden}7`, barcode: `95200000${hidden}00028` };

/** A copy as another version of the reader left it, with what that did not take out. */
async function writeByReader(path: string, version: number): Promise<void> {
  const { repository } = await openRepository({ path, fingerprint });
  const [stock = noStock] = repository.stocks();
  repository.writer.save(stock, listed([element]), pass(1));
  repository.close();
  const database = await Database.open(path, { kind: 'disposable', migrations: catalogueMigrations });
  database.prepare('UPDATE origin SET fingerprint = ?').run(`${version} ${fingerprint}`);
  database.prepare('UPDATE products SET name = ?, code = ?, raw_digest = 0').run(element.name, element.code);
  database.prepare('DELETE FROM product_keys').run();
  database.close();
}

test('rows of a former reader with the same codes answer; writing them anew is no change', async () => {
  const path = join(temporaryDirectory(), 'catalogue.db');
  await writeByReader(path, 2);
  const { repository } = await openRepository({ path, fingerprint });
  const [row] = repository.reader.findById(id(7));
  const hitNow = () => (row === undefined ? null : repository.reader.hit(row));
  expect(hitNow()).toMatchObject({ name: element.name });
  expect(repository.reader.findByBarcode('9520000000028')).toEqual([]);
  const [stock = noStock] = repository.stocks();
  repository.writer.save(stock, listed([element]), { pass: 2, seenSince: 2, askedAt: 9 });
  expect(hitNow()).toMatchObject({ name: 'Café', code: 'C7' });
  expect(repository.reader.findByBarcode('9520000000028')).toEqual([row]);
  expect([...repository.browse.listedFrom(0, Infinity)].flat()).toEqual([]);
});

test('rows of a reader whose codes may be other ones are gone at once', async () => {
  const path = join(temporaryDirectory(), 'catalogue.db');
  await writeByReader(path, 1);
  const { repository } = await openRepository({ path, fingerprint });
  expect(repository.reader.findById(id(7))).toEqual([]);
});
