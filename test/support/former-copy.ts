import { openTermIndex } from '../../app/catalogue/search/term-index.ts';
import { formerTermsOf, type Searchable } from '../../app/catalogue/search/words.ts';
import { catalogueMigrations } from '../../app/catalogue/repository/migrations.ts';
import { Database } from '../../app/storage/database.ts';

/**
 * The file must be closed, and is closed again; its last product bears this name then, if any is given. Throws
 * StorageError.
 */
export async function turnIntoSixthVersion(path: string, lastName?: string): Promise<void> {
  const database = await Database.open(path, { kind: 'disposable', migrations: catalogueMigrations });
  if (lastName !== undefined) {
    database.prepare('UPDATE products SET name = ? WHERE number = (SELECT max(number) FROM products)').run(lastName);
  }
  const rows = database
    .prepare<Searchable & { readonly number: number }>(
      'SELECT number, name, code, other_codes AS otherCodes FROM products',
    )
    .all();
  database.exec('DELETE FROM search_terms');
  openTermIndex(database).add(new Map(rows.map((row) => [row.number, formerTermsOf(row)])));
  database.exec(`
    ALTER TABLE aliases DROP COLUMN stocks;
    DROP TABLE balance_order;
    DROP TABLE unreadable_elements;
    ALTER TABLE stocks DROP COLUMN unreadable;
    DROP INDEX products_listing_changed;
    ALTER TABLE products DROP COLUMN listing_changed_at;
    DROP INDEX products_turned;
    ALTER TABLE products DROP COLUMN turned_at;
    ALTER TABLE origin DROP COLUMN former_words_from;
    PRAGMA user_version = 6;
  `);
  database.close();
}
