// The proof that the test of a connection names the step that failed.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { testAddress, testStocks } from '../../../app/platform/connection-test.ts';
import { emptyListing, htmlHeaders, openClient, portalPage } from './open-client.ts';
import { sayJson } from '../../support/scripted-platform.ts';

test.each([
  [sayJson(401, {}), true, null],
  [sayJson(403, {}), true, null],
  [sayJson(404, {}), false, 'address'],
  [{ status: 404, headers: htmlHeaders, body: portalPage }, false, 'address'],
  [{ status: 200, headers: htmlHeaders, body: portalPage }, false, 'address'],
  [{ status: 500 }, false, 'address'],
  ['reset', false, 'address'],
] as const)('the test of an address, %j: %s', async (said, passed, step) => {
  const { platform, exchange, rateLimit } = await openClient();
  platform.answer = () => said;
  const report = await testAddress(exchange, rateLimit);
  expect(report.passed).toBe(passed);
  expect(report.steps.find(({ outcome }) => outcome === 'failed')?.step ?? null).toBe(step);
  expect(report.steps).toHaveLength(6);
});

test('plain HTTP where TLS is spoken of fails at the step of TLS', async () => {
  const { platform } = await openClient();
  const { exchange, rateLimit } = await openClient(platform.url.replace('http:', 'https:'));
  const report = await testAddress(exchange, rateLimit);
  expect(report.steps.map(({ outcome }) => outcome)).toEqual([
    'passed',
    'failed',
    'skipped',
    'skipped',
    'skipped',
    'skipped',
  ]);
});
test.each([
  [sayJson(401, {}), 'user'],
  [sayJson(401, { code: 'unauthorized', meta: [{ field: 'client_id', validations: [] }] }), 'client'],
  [sayJson(403, {}), 'company'],
  [sayJson(400, { code: 'missing_headers' }), 'company'],
  [sayJson(404, {}), 'stock'],
  [sayJson(422, {}), 'stock'],
  [sayJson(500, {}), 'address'],
] as const)('the test of the stocks says which step failed, and for which stock: %j', async (said, step) => {
  const { platform, client, tokens } = await openClient();
  platform.answer = (asked) => (asked.url.includes('/stocks/2/') ? said : sayJson(200, emptyListing));
  const report = await testStocks(client, tokens, ['1' as Id, '2' as Id, '3' as Id]);
  expect([report.passed, report.steps.find(({ outcome }) => outcome === 'failed')]).toMatchObject([
    false,
    { step, detail: '2' },
  ]);
  expect((await testStocks(client, tokens, ['1' as Id, '3' as Id])).passed).toBe(true);
});

test.each([
  ['2', sayJson(403, {}), true],
  ['1', sayJson(404, {}), true],
  ['123', sayJson(403, {}), false],
  ['1', sayJson(401, {}), false],
  ['1', sayJson(500, {}), false],
] as const)('for a sign-in one stock is enough: stocks %s answered %j', async (refused, said, passes) => {
  const { platform, client, tokens } = await openClient();
  const stockOf = (url: string): string => /\/stocks\/(\d)\//.exec(url)?.[1] ?? '';
  platform.answer = ({ url }) => (refused.includes(stockOf(url)) ? said : sayJson(200, emptyListing));
  const report = await testStocks(client, tokens, ['1' as Id, '2' as Id, '3' as Id], true);
  expect([report.passed, report.steps.find(({ outcome }) => outcome === 'failed')?.detail]).toEqual(
    passes ? [true, undefined] : [false, refused.charAt(0)],
  );
});

test.each([500, 429] as const)(
  'for a sign-in, a stock that answers %i after a refused one is trouble on the way',
  async (status) => {
    const { platform, client, tokens } = await openClient();
    platform.answer = ({ url }) => (url.includes('/stocks/1/') ? sayJson(403, {}) : sayJson(status, {}));
    const report = await testStocks(client, tokens, ['1' as Id, '2' as Id], true);
    expect(report.steps.find(({ outcome }) => outcome === 'failed')).toMatchObject({ step: 'address', detail: '2' });
  },
);
