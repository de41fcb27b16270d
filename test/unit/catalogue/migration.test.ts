// Owns the proof that a copy made by an earlier version opens: its products are copied anew, what a person looked up and what the
// platform resolved is still there.
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readerVersion } from '../../../app/catalogue/store/element.ts';
import { catalogueMigrations } from '../../../app/storage/catalogue-migrations.ts';
import { Database } from '../../../app/storage/database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { id, openStore, stockOne } from './catalogue-fixture.ts';

const fingerprint = 'https://platform.example.com 1';

/** A file of version 1 as that version would have left it. */
async function writeFirstVersion(path: string): Promise<void> {
  const database = await Database.open(path, { kind: 'disposable', migrations: catalogueMigrations.slice(0, 1) });
  database.prepare('INSERT INTO origin (id, fingerprint) VALUES (1, ?)').run(`${readerVersion} ${fingerprint}`);
  database.prepare("INSERT INTO stocks (number, stock_id, name, copied, progress) VALUES (1, ?, 'Loja', 2, '{}')").run(BigInt(stockOne));
  for (const number of [1, 2]) {
    database.prepare("INSERT INTO products (number, stock, product_id, pass, code, name) VALUES (?, 1, ?, 1, ?, 'Café')").run(number, number, `C${number}`);
    database.prepare('INSERT INTO details (number, raw) VALUES (?, ?)').run(number, `{"id":${number},"name":"Café","code":"C${number}"}`);
    database.prepare("INSERT INTO product_words (rowid, text) VALUES (?, 'cafe')").run(number);
    database.prepare('INSERT INTO code_fragments (rowid, code) VALUES (?, ?)').run(number, `c${number}`);
  }
  database.prepare("INSERT INTO aliases (key, product_id) VALUES ('LABEL-1', 2)").run();
  database.prepare("INSERT INTO recent_lookups (at, text, answer, stock_id, product_id) VALUES (5, 'LABEL-1', 'found', ?, 2)").run(BigInt(stockOne));
  database.close();
}

test.each(catalogueMigrations.map(({ version }) => version))('a file that went through version %d opens, keeps recent lookups and aliases, and is copied anew', async (version) => {
  const path = join(temporaryDirectory(), 'catalogue.db');
  await writeFirstVersion(path);
  const database = await Database.open(path, { kind: 'disposable', migrations: catalogueMigrations.slice(0, version) });
  database.close();
  const { store, wasRebuilt } = await openStore({ path, fingerprint });
  expect(wasRebuilt).toBe(false);
  expect(store.stocks()).toMatchObject([{ name: 'Loja', copied: 0, progress: { lastPass: 0, since: null } }]);
  expect(store.search.search('cafe', 5)).toEqual([]);
  expect(store.recent.list()).toMatchObject([{ text: 'LABEL-1', hit: null }]);
  const [stock] = store.stocks();
  store.writer.save(stock ?? { number: 0, stockId: stockOne }, [{ id: 2, name: 'Café moído', code: 'C2' }], { pass: 1, seenSince: 1, askedAt: 1 });
  expect(store.reader.findByAlias('label-1')).toEqual([store.reader.find(stockOne, id(2))]);
  expect(store.recent.list()).toMatchObject([{ text: 'LABEL-1', hit: { name: 'Café moído' } }]);
  expect(store.search.search('cafe', 5)).toHaveLength(1);
});
