// What a code leads to in a copy whose files are of different moments, of which SQLite sees nothing.
import { DatabaseSync } from 'node:sqlite';
import { expect, test } from 'vitest';
import { openRepository } from '../catalogue-fixture.ts';
import { coffee, names, save } from './repository-fixture.ts';

const tea = { id: 2, code: 'TE-002', name: 'Chá preto', barcode: '9520000000028', balance: 3 };
const swap = (table: string, column: string): string =>
  `UPDATE ${table} SET ${column} = ${column} - 3; UPDATE ${table} SET ${column} = -${column}`;

test.each([
  ['keys', swap('product_keys', 'product'), ['barcode']],
  ['elements', swap('details', 'number'), ['barcode', 'code']],
  ['rows', swap('products', 'number'), ['barcode', 'code']],
] as const)('a code is damage where the %s are those of another moment', async (_what, sql, wrong) => {
  const { repository, path } = await openRepository();
  save(repository, [coffee, tea]);
  const found = {
    barcode: () => names(repository, repository.reader.findByBarcode(coffee.barcode)),
    code: () => names(repository, repository.reader.findByCode(coffee.code)),
  };
  expect([found.barcode(), found.code()]).toEqual([[coffee.name], [coffee.name]]);
  const other = new DatabaseSync(path);
  other.exec(sql);
  other.close();
  for (const by of wrong) {
    expect(found[by]).toThrow('a code leads to a product without it');
  }
});
