import { createConfig, lintFromString } from '@redocly/openapi-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { errorCodes } from '../../app/service/answers.ts';
import { describeInterface } from '../../app/service/openapi/openapi.ts';
import { createInterfaceCheck, readDescription, type SeenRequest } from '../support/interface-check.ts';
import { type Caller, couponsPath, startSignedIn } from '../support/training-caller.ts';

let caller: Caller;
beforeAll(async () => {
  caller = await startSignedIn({ productCount: 50 });
});
afterAll(() => caller.platform.close());

async function lint(document: unknown): Promise<string[]> {
  const config = await createConfig({ extends: ['recommended-strict'] });
  const problems = await lintFromString({ source: JSON.stringify(document), config });
  return problems.map((problem) => `${problem.ruleId}: ${problem.message}`);
}

describe('the document', () => {
  it('is served to anybody on this machine, with the address that it was asked at', async () => {
    const answer = await fetch(`${caller.platform.platformUrl}/openapi.json`);
    expect([
      answer.status,
      answer.headers.get('content-type'),
      answer.headers.get('access-control-allow-origin'),
    ]).toEqual([200, 'application/json', null]);
    expect(await answer.json()).toEqual(JSON.parse(JSON.stringify(describeInterface(caller.platform.platformUrl))));
  });

  it('passes the linter, which would find a fault', async () => {
    const document = describeInterface('http://127.0.0.1:4000');
    expect(await lint(document)).toEqual([]);
    expect(
      await lint({
        ...document,
        paths: { '/x': { get: { responses: { 200: { $ref: '#/components/responses/Nothing' } } } } },
      }),
    ).not.toEqual([]);
  });

  it('names every operation of API v3 §4 and every code of §7', () => {
    const document = JSON.parse(JSON.stringify(describeInterface(''))) as {
      paths: Record<string, Record<string, { operationId: string }>>;
      components: { schemas: { Error: { properties: { code: { description: string } } } } };
    };
    const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    );
    expect(operations.toSorted()).toEqual([
      'GET /api/v3/products/consumption-coupons',
      'GET /api/v3/stocks/{stockId}/products',
      'GET /api/v3/stocks/{stockId}/products/{productId}/balance',
      'GET /api/v3/stocks/{stockId}/products/{productId}/batches',
      'GET /oauth/scopes',
      'POST /api/v3/categories',
      'POST /api/v3/users/{userId}',
      'POST /oauth/token',
      'PUT /api/v3/products/consumption-coupons',
    ]);
    const { description } = document.components.schemas.Error.properties.code;
    expect(errorCodes.filter((code) => !description.includes(`\`${code}\``))).toEqual([]);
    expect(errorCodes).toHaveLength(21);
  });
});

describe('the judgement', () => {
  const check = createInterfaceCheck(readDescription(describeInterface('http://127.0.0.1')));
  const good: SeenRequest = {
    method: 'PUT',
    url: `http://127.0.0.1${couponsPath}`,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json',
      authorization: 'Bearer made-up',
      'service-company-id': '4101',
      'idempotency-key': 'made-up',
    },
    body: '{"items":[{"product_id":9223372036854775807,"is_enabled":true}]}',
  };
  const listing: SeenRequest = {
    ...good,
    method: 'GET',
    url: 'http://127.0.0.1/api/v3/stocks/1201/products',
    body: '',
  };

  it('finds nothing wrong with what is right', () => {
    expect(check.request(good)).toEqual([]);
    expect(
      check.request({
        ...listing,
        url: `${listing.url}?term=x&order_by_field=name&order_by_type=asc&product_ids=1,2&amount_in_stock=zero&page=1&per_page=100&updated_from=2026-01-01T00:00:00%2B03:00`,
      }),
    ).toEqual([]);
  });

  it.each<[string, Partial<SeenRequest>, string]>([
    ['a header of §1', { headers: { ...good.headers, accept: undefined } }, 'accept'],
    ['the token', { headers: { ...good.headers, authorization: undefined } }, 'authorization'],
    ['the company', { headers: { ...good.headers, 'service-company-id': undefined } }, 'Service-Company-Id'],
    ['a company that is a number', { headers: { ...good.headers, 'service-company-id': 'x' } }, 'Service-Company-Id'],
    [
      'a key of at most 100 characters',
      { headers: { ...good.headers, 'idempotency-key': 'k'.repeat(101) } },
      'Idempotency-Key',
    ],
    ['the body', { body: '' }, 'body'],
    ['items', { body: '{}' }, 'items'],
    ['ids that are integers', { body: '{"items":[{"product_id":"1","is_enabled":true}]}' }, 'product_id'],
    ['a path that is described', { url: 'http://127.0.0.1/api/v3/purchases' }, 'purchases'],
    ['parameters that are described', { url: `${good.url}?page=1` }, 'page'],
  ])('misses %s', (_what, change, named) => {
    expect(check.request({ ...good, ...change }).join()).toContain(named);
  });

  it.each([
    'page=0',
    'page=x',
    'per_page=0',
    'per_page=101',
    'order_by_field=price',
    'order_by_type=up',
    'amount_in_stock=some',
    'product_ids=1,x',
    'updated_from=2026-01-01',
  ])('refuses %s', (query) => {
    expect(check.request({ ...listing, url: `${listing.url}?${query}` })).toHaveLength(1);
  });

  it('finds fault with answers', () => {
    const answer = (
      status: number,
      body: string,
      headers: Record<string, string> = { 'content-type': 'application/json' },
    ) => check.answer(listing, { status, body, headers: { get: (name) => headers[name] ?? null } });
    expect(
      answer(200, '{"data":{"stock_products":[]},"meta":{"current_page":1,"last_page":1,"per_page":30,"total":0}}'),
    ).toEqual([]);
    expect(
      answer(200, '{"data":{"stock_products":[]},"meta":{"current_page":1,"last_page":1,"per_page":30}}'),
    ).toHaveLength(1);
    expect(answer(200, '<html></html>', { 'content-type': 'text/html' })).toHaveLength(1);
    expect(answer(206, '{}')).toHaveLength(1);
    expect(answer(422, '{"message":"no code"}')).toHaveLength(1);
    expect(answer(404, 'anything', {})).toEqual([]);
    const done = { status: 204, body: '', headers: { get: () => null } };
    expect(check.answer(good, done)).toEqual([
      'the answer lacks Idempotency-Key',
      'the answer lacks Idempotency-Replayed',
    ]);
  });
});
