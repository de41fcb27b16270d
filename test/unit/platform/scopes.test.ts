// The proof that scopes are read in whatever form they come, of which API v3 §4.2 shows none.
import { expect, test } from 'vitest';
import { reportOf, withScopes } from '../../../app/platform/connection-test.ts';
import { scopesAnswerSchema } from '../../../app/platform/scopes.ts';
import { fail, succeed } from '../../../app/domain/result.ts';

test.each([
  [['stock', 'coupons', 'stock']],
  [{ scopes: ['stock', 'coupons'] }],
  [{ data: { scopes: ['stock', 'coupons'] } }],
  [{ data: [{ id: 'stock', description: 'made up' }, { name: 'coupons' }, null, {}] }],
  [{ stock: 'Stock of a store', coupons: 'Coupons of products' }],
  [{ scope: 'stock coupons' }],
  ['stock  coupons'],
])('%j names them', (answer) => {
  expect(scopesAnswerSchema.parse(answer)).toEqual(['stock', 'coupons']);
});

test.each([[[]], [{}], [null], [7], [''], [[[]]], [{ data: { data: { data: { data: ['deep'] } } } }], [undefined]])(
  '%j names none',
  (answer) => {
    expect(scopesAnswerSchema.safeParse(answer).success).toBe(false);
  },
);

test('at most 100, each at most 100 characters', () => {
  const names = scopesAnswerSchema.parse(Array.from({ length: 500 }, (_, place) => `${place}${'x'.repeat(200)}`));
  expect([names.length, Math.max(...names.map((name) => name.length))]).toEqual([100, 100]);
});

test('a connection test names them beside the client, and is the same without them', async () => {
  const report = reportOf(null, null, null, 'stock');
  const named = await withScopes(report, { listScopes: () => Promise.resolve(succeed(['stock', 'coupons'])) });
  expect(named.steps.filter(({ detail }) => detail !== null)).toEqual([
    { step: 'client', outcome: 'passed', detail: 'stock, coupons', failure: null },
  ]);
  expect(await withScopes(report, { listScopes: () => Promise.resolve(fail({ kind: 'notFound', status: 404 })) })).toBe(
    report,
  );
});
