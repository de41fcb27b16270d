import { expect, test } from 'vitest';
import { moreFieldsIn } from '../../../app/conformance/checks/every-answer.ts';

const request = {
  method: 'GET' as const,
  url: 'https://shop.example.com/api/v3/stocks/1/products',
  headers: {},
  body: null,
};

test.each([
  [
    'an object',
    { data: { stock_products: [], cursor: 1 }, meta: { total: 1, seed: 2 }, took: 3 },
    ['data.cursor', 'meta.seed', 'took'],
  ],
  // Of a megabyte each sign would be a field, and hold up a till for seconds.
  ['a text', 'abc', []],
  ['an array', [{}, {}], []],
  ['texts and arrays in an object', { data: 'abc', meta: [1, 2] }, []],
] as const)('what %s carries besides is told by its fields alone', (_what, json, fields) => {
  const answer = { status: 200, headers: {}, text: JSON.stringify(json) };
  expect(moreFieldsIn({ request, answer, json })).toEqual(fields);
});
