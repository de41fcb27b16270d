import { expect, test } from 'vitest';
import { findCode } from '../../../../app/catalogue/lookup/code-lookup.ts';
import { matchCodes } from '../../../../app/catalogue/lookup/match-codes.ts';
import { readScan } from '../../../../app/domain/codes/scan.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { id, openRepository, stockOne, stockTwo } from '../catalogue-fixture.ts';
import { listed } from '../../../support/listed.ts';

test('a code names what has it as a barcode, else as its code, else as its id, and never by a name', async () => {
  const { repository } = await openRepository({ stockIds: [stockOne, stockTwo] });
  const save = (place: number, elements: readonly unknown[]): void => {
    const stock = repository.stocks()[place];
    if (stock !== undefined) {
      repository.writer.save(stock, listed(elements), { pass: 1, seenSince: 1, askedAt: 1 });
    }
  };
  save(0, [
    { id: 1, code: '9520000000028', name: 'Caneca' },
    { id: 2, code: 'A2', name: 'Prato', barcodes: ['9520000000028'] },
    { id: 3, code: 'TWICE', name: 'Copo' },
    { id: 4, code: 'twice', name: 'Copo alto' },
    { id: 5, code: 'ONLY', name: 'Garfo' },
    { id: 6, code: null, name: 'ONLY-A-NAME' },
  ]);
  save(1, [
    { id: 7, code: 'ONLY', name: 'Colher' },
    { id: 8, code: 'THERE', name: 'Faca' },
    { id: 2, code: 'A2', name: 'Prato', barcodes: ['9520000000028'] },
  ]);
  const namedIn =
    (stockId: Id | null) =>
    (...codes: string[]) =>
      matchCodes(repository.reader, stockId, codes).map((hits) => hits.map(({ productId }) => productId));
  const named = namedIn(stockOne);
  expect(
    named('9520000000028', 'a2', 'TWICE', 'ONLY', '6', 'THERE', 'ONLY-A-NAME', '', '99999999999999999999'),
  ).toEqual([[id(1), id(2)], [id(2)], [id(3), id(4)], [id(5)], [id(6)], [], [], [], []]);
  // Codes that are like an id but for their zeros are others, as in a lookup.
  expect(named('06', '0000000000006')).toEqual([[], []]);
  // Where no stock is said, a product that two have is one.
  expect(namedIn(null)('A2', 'ONLY', 'THERE', '2')).toEqual([[id(2)], [id(5), id(7)], [id(8)], [id(2)]]);
  const ids = matchCodes(repository.reader, null, ['2', 'A2', '9520000000028'], true);
  expect(ids.map((hits) => hits.map(({ productId }) => productId))).toEqual([[id(2)], [], []]);
});

test('a code names in a file and in the stock table what it names when it is scanned, whatever came along', async () => {
  const { repository } = await openRepository({ stockIds: [stockOne] });
  const [stock] = repository.stocks();
  const elements = [
    { id: 1, code: 'A-1', name: 'Caneca', barcodes: ['9520000000028'] },
    { id: 7654321, code: 'B 2', name: 'Prato' },
  ];
  if (stock !== undefined) {
    repository.writer.save(stock, listed(elements), { pass: 1, seenSince: 1, askedAt: 1 });
  }
  const { reader, browse } = repository;
  const named = (rows: readonly number[]) => [...new Set(rows.map((row) => reader.productOf(row)))];
  for (const code of ['9520000000028', 'A-1', 'a-1', 'B 2', '7654321', 'A-11', '9520000000029']) {
    const plain = named(findCode(reader, readScan(code, { year: 2026, layouts: [] }), null)?.rows ?? []);
    for (const given of [
      code,
      `\u200B${code}`,
      `${code}\u200E`,
      `\u202A${code}\u202C`,
      `${code.slice(0, 2)}\u00AD${code.slice(2)}`,
      `\u00A0${code}\u2028`,
      `]E0${code}\r`,
    ]) {
      const scanned = findCode(reader, readScan(given, { year: 2026, layouts: [] }), null)?.rows ?? [];
      expect(named(scanned), given).toEqual(plain);
      const [inFile = []] = matchCodes(reader, stockOne, [given]);
      expect(
        inFile.map(({ productId }) => productId),
        given,
      ).toEqual(plain);
      // An id has a filter of its own there.
      expect(named([...browse.matching(given)].flat()), given).toEqual(code === '7654321' ? [] : plain);
    }
  }
});
