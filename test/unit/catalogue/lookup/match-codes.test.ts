import { expect, test } from 'vitest';
import { matchCodes } from '../../../../app/catalogue/lookup/match-codes.ts';
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
