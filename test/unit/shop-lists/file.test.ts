import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { readLists, writeLists, type ShopLists } from '../../../app/shop-lists/file.ts';

const lists = { savedAt: 0, platform: 'https://platform.example.com', companyId: '7' as Id, sets: [] };
const withMinima = (minima: object): string => writeLists({ ...lists, minima: minima as ShopLists['minima'] });

test.for<readonly [minima: object]>([
  [{ '11': { '1': 0 } }],
  [{ '11': { '1': '5' } }],
  [{ '11': { '1': 1e10 } }],
  [{ '11': { '01': 5 } }],
  [{ '11': { constructor: 5 } }],
  [{ '11': [5] }],
  [{ x: { '1': 5 } }],
  [[]],
  [JSON.parse('{"11":{"__proto__":5}}') as object],
])('minimums such as %j are no such file', ([minima]) => {
  expect(readLists(withMinima(minima))).toEqual({ ok: false, failure: 'unreadable' });
});

// A schema that keeps an issue for each fault ends in a RangeError at so many.
test('a file with 150,000 wrong minimums is one that cannot be read', () => {
  const wrong = Array.from({ length: 150_000 }, (_, place) => `"a${place}":5`).join();
  const text = withMinima({}).replace('"minima":{}', () => `"minima":{"11":{${wrong}}}`);
  expect(readLists(text)).toEqual({ ok: false, failure: 'unreadable' });
});
