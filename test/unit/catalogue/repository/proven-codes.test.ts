// What a code leads to in a copy whose files are of different moments, of which SQLite sees nothing.
import { readFileSync, writeFileSync } from 'node:fs';
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

/** The leaves of an index in the file, by their places in it. */
function leavesOf(path: string, index: string): number[] {
  const file = new DatabaseSync(path);
  file.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const pages = file.prepare("SELECT pageno FROM dbstat WHERE name = ? AND pagetype = 'leaf'").all(index);
  file.close();
  return pages.map(({ pageno }) => (Number(pageno) - 1) * 4096);
}

const code = (place: number): string => `${place % 2 === 0 ? 'CF' : 'te'}-${String(place * 7).padStart(5, '0')}é`;
const many = Array.from({ length: 1_500 }, (_, place) => ({
  id: place + 1,
  code: code(place),
  name: `Product ${String(place)}`,
  barcode: `K-${String(place * 13)}`,
}));

test.each([
  ['product_keys', 'barcode'],
  ['products_code', 'code'],
] as const)('a page of %s in the place of another one is damage where it hides a product', async (index, by) => {
  const whole = await openRepository();
  save(whole.repository, many);
  const find = ({ reader }: typeof whole.repository, text: string): number =>
    (by === 'code' ? reader.findByCode(text) : reader.findByBarcode(text)).length;
  expect(new Set(many.map((product) => find(whole.repository, product[by])))).toEqual(new Set([1]));
  const strange = many.flatMap((product) => [`${product[by]}0`, product[by].slice(0, -1)]);
  const absent = ['', '0', '~', 'Z', ...strange].filter((text) => many.every((product) => product[by] !== text));
  expect(new Set(absent.map((text) => find(whole.repository, text)))).toEqual(new Set([0]));
  whole.repository.close();
  const leaves = leavesOf(whole.path, index);
  expect(leaves.length).toBeGreaterThan(4);
  const bytes = readFileSync(whole.path);
  for (const [place, leaf] of leaves.entries()) {
    const changed = Buffer.from(bytes);
    const other = leaves[(place * 3 + 1) % leaves.length] ?? 0;
    bytes.copy(changed, leaf, other, other + 4096);
    writeFileSync(whole.path, changed);
    const { repository } = await openRepository({ path: whole.path });
    const outcomes = many.map((product) => {
      try {
        return find(repository, product[by]) === 1 ? 'found' : 'hidden';
      } catch {
        return 'damage';
      }
    });
    expect(outcomes).not.toContain('hidden');
    expect(new Set(outcomes)).toEqual(new Set(other === leaf ? ['found'] : ['found', 'damage']));
    repository.close();
  }
});
