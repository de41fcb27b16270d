// The proof that any answer, of any shape, is read without a throw and named as API v3 §7 names it.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { failureSchema } from '../../../app/contract/basics.ts';
import { failureOf, isPage, readAnswer, readPlatformTime, readRetryAfterMs } from '../../../app/platform/answer.ts';
import { balanceAnswerSchema, couponSettingsAnswerSchema, tokenAnswerSchema } from '../../../app/platform/wire.ts';
import { listingAnswerSchema } from '../../../app/platform/listing/wire.ts';
import { writeJson } from '../../../app/domain/json.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import type { HttpResponse } from '../../../app/ports.ts';

function json(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): HttpResponse {
  return { status, headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

const listing = { data: { stock_products: [] }, meta: { current_page: 1, last_page: 1, per_page: 30, total: 0 } };
const portal = '<!DOCTYPE html><html><body>Sign in to the guest network</body></html>';

test('a refusal with as many values as are read holds nothing up while the secrets are taken out', () => {
  const validation = { type: 'exists', value: Array.from({ length: 50 }, () => 1) };
  const problem = { field: 'items.0', validations: Array.from({ length: 50 }, () => validation) };
  const refusal = json(422, { code: 'unprocessable_entity', meta: Array.from({ length: 100 }, () => problem) });
  const began = performance.now();
  const { fields } = failureOf({ ...refusal, secrets: ['an access token '.repeat(60)] });
  expect(performance.now() - began).toBeLessThan(3000);
  expect(fields?.[99]?.validations[49]?.values).toHaveLength(50);
});

test('what a refusal quotes of the secrets that were sent stays out of every part of its failure', () => {
  const secret = 's3cr3t-1';
  for (const words of [
    { code: secret, message: secret },
    { error: secret, error_description: `not ${secret}` },
  ]) {
    const validations = [{ type: `is ${secret}`, value: [secret] }];
    const failure = failureOf({
      ...json(400, { ...words, meta: [{ field: secret, validations }] }),
      secrets: [secret],
    });
    expect(failure.fields?.[0]?.validations).toHaveLength(1);
    expect(failure.message).toContain('[redacted]');
    expect(JSON.stringify(failure)).not.toContain(secret);
  }
});

describe('what an answer stands for', () => {
  test.each([
    [302, 'notThePlatform'],
    [400, 'badRequest'],
    [401, 'unauthorized'],
    [403, 'forbidden'],
    [404, 'notFound'],
    [199, 'notThePlatform'],
    [304, 'notThePlatform'],
    [405, 'refused'],
    [406, 'refused'],
    [407, 'notThePlatform'],
    [409, 'refused'],
    [415, 'refused'],
    [418, 'refused'],
    [422, 'unprocessable'],
    [429, 'tooManyRequests'],
    [500, 'platformFailed'],
    [503, 'platformFailed'],
    [511, 'notThePlatform'],
    [599, 'platformFailed'],
  ] as const)('%i is %s', (status, kind) => {
    expect(failureOf(json(status, { code: 'made_up' }))).toMatchObject({ kind, status });
  });

  test('an expired sign-in and too many requests are known by their code, whatever the status below 500', () => {
    expect([400, 403, 405, 422].map((status) => failureOf(json(status, { code: 'unauthorized' })).kind)).toEqual([
      'unauthorized',
      'unauthorized',
      'unauthorized',
      'unauthorized',
    ]);
    expect(failureOf(json(403, { code: 'too_many_requests' })).kind).toBe('tooManyRequests');
    expect(failureOf(json(500, { code: 'unauthorized' }))).toEqual({
      kind: 'platformFailed',
      status: 500,
      code: 'unauthorized',
    });
  });

  test.each([
    '',
    ' ',
    'null',
    '[]',
    '7',
    '"text"',
    '{',
    '{"code":null}',
    '{"code":{"a":1}}',
    '\uFEFF',
    '{"meta":[[[]]]}',
  ])('a refusal with the body %j is named by its status', (body) => {
    for (const [status, kind] of [
      [401, 'unauthorized'],
      [404, 'notFound'],
    ] as const) {
      expect(failureOf({ status, headers: {}, body })).toEqual({ kind, status });
    }
  });

  test('code, message and fields come as the platform wrote them', () => {
    const body = {
      code: 'unprocessable_entity',
      message: 'Dados inválidos',
      meta: [
        {
          field: 'items.0.product_id',
          validations: [
            { type: 'exists', value: [] },
            { type: 'max', value: [10, 'x'] },
          ],
        },
      ],
    };
    expect(failureOf(json(422, body))).toEqual({
      kind: 'unprocessable',
      status: 422,
      code: 'unprocessable_entity',
      message: 'Dados inválidos',
      fields: [
        {
          field: 'items.0.product_id',
          validations: [
            { type: 'exists', values: [] },
            { type: 'max', values: ['10', 'x'] },
          ],
        },
      ],
    });
  });

  test('one problem may come without its array', () => {
    expect(
      failureOf(json(422, { code: 'unprocessable_entity', meta: { field: 'items.1.product_id' } })).fields,
    ).toEqual([{ field: 'items.1.product_id', validations: [] }]);
  });

  test("the token endpoint's words of RFC 6749 §5.2 are read too", () => {
    expect(failureOf(json(400, { error: 'invalid_grant', error_description: 'made up' }))).toMatchObject({
      code: 'invalid_grant',
      message: 'made up',
    });
  });

  test.each([400, 403, 404, 405])("a page of %i is a firewall's or a portal's, not the platform's", (status) => {
    expect(failureOf({ status, headers: { 'content-type': 'text/html' }, body: portal })).toEqual({
      kind: 'notThePlatform',
      status,
    });
  });

  test('a page of 401, 429 or 5xx asks for the same as the platform would', () => {
    expect([401, 429, 502].map((status) => failureOf({ status, headers: {}, body: portal }).kind)).toEqual([
      'unauthorized',
      'tooManyRequests',
      'platformFailed',
    ]);
  });
});

describe('a page', () => {
  test.each([
    ['text/html; charset=utf-8', 'Welcome', true],
    ['TEXT/HTML', portal, true],
    ['application/json', portal, true],
    ['', '\n  <html>', true],
    ['', '<?xml version="1.0"?>', true],
    ['text/html; charset=UTF-8', '', false],
    ['text/html', ' \r\n', false],
    ['application/json', '{"html":"<html>"}', false],
    ['text/plain', 'html', false],
  ])('%j with %j: %s', (type, body, expected) => {
    expect(isPage({ status: 200, headers: { 'content-type': type }, body })).toBe(expected);
  });
});

describe('a success that must have a shape', () => {
  test('a captive portal with status 200 is not the platform', () => {
    expect(
      readAnswer({ status: 200, headers: { 'content-type': 'text/html' }, body: portal }, listingAnswerSchema),
    ).toEqual({ ok: false, failure: { kind: 'notThePlatform', status: 200 } });
  });

  test('every cut of a good answer is malformed, and nothing else', () => {
    const { body } = json(200, { ...listing, data: { stock_products: [{ id: 1, name: 'café' }] } });
    for (let length = 0; length < body.length; length += 1) {
      expect(readAnswer({ status: 200, headers: {}, body: body.slice(0, length) }, listingAnswerSchema)).toMatchObject(
        fail({ kind: 'answerMalformed' }),
      );
    }
    expect(readAnswer({ status: 200, headers: {}, body }, listingAnswerSchema)).toMatchObject({ ok: true });
  });

  test('an element of a listing is written as it came: no zero of a price, and no digit of an id, is lost', () => {
    const elements = '[{"id":9007199254740993,"price":12.50},{"product":{"price":1.0}}]';
    const body = `{"data":{"stock_products":${elements}},"meta":{"current_page":1.0,"last_page":1,"per_page":30,"total":2.00}}`;
    const read = readAnswer({ status: 200, headers: {}, body }, listingAnswerSchema);
    expect(read).toMatchObject({ ok: true, value: { currentPage: 1, total: 2 } });
    expect(writeJson(read.ok ? read.value.elements : null)).toBe(elements);
  });

  test.each([
    [listingAnswerSchema, { ...listing, meta: { ...listing.meta, total: 'many' } }],
    [listingAnswerSchema, { ...listing, meta: { ...listing.meta, total: -1 } }],
    [listingAnswerSchema, { ...listing, meta: undefined }],
    [listingAnswerSchema, { ...listing, data: [] }],
    [listingAnswerSchema, { ...listing, data: { stock_products: {} } }],
    [listingAnswerSchema, []],
    [listingAnswerSchema, null],
    [balanceAnswerSchema, {}],
    [balanceAnswerSchema, { balance: null }],
    [balanceAnswerSchema, { balance: 'a lot' }],
    [balanceAnswerSchema, { balance: [1] }],
    [couponSettingsAnswerSchema, { items: null }],
    [balanceAnswerSchema, { balance: '9007199254740993' }],
    [balanceAnswerSchema, { balance: 1e300 }],
    [couponSettingsAnswerSchema, { items: [{ id: 1, enabled: true }] }],
    [
      couponSettingsAnswerSchema,
      {
        items: [
          { product_id: 1, is_enabled: true },
          { product_id: 2, is_enabled: 'perhaps' },
        ],
      },
    ],
    [
      couponSettingsAnswerSchema,
      {
        items: [
          { product_id: 1, is_enabled: true },
          { product_id: '1', is_enabled: false },
        ],
      },
    ],
    [tokenAnswerSchema, { access_token: '' }],
    [tokenAnswerSchema, { access_token: 5 }],
    [tokenAnswerSchema, {}],
  ])('wrong types are malformed (%#)', (schema, body) => {
    expect(readAnswer<unknown>(json(200, body), schema)).toMatchObject(fail({ kind: 'answerMalformed' }));
  });

  test('more values than a page has are malformed', () => {
    const flat = (count: number): HttpResponse => json(200, { items: Array.from({ length: count }, () => 0) });
    const anything = z.object({ items: z.array(z.unknown()) });
    expect(readAnswer(flat(199_000), anything).ok).toBe(true);
    expect(readAnswer(flat(201_000), anything)).toMatchObject({ ok: false, failure: { kind: 'answerMalformed' } });
  });

  test('unknown fields pass, numbers may be text, an empty list is a list', () => {
    expect(
      readAnswer(
        json(200, { ...listing, meta: { ...listing.meta, total: '12', from: 1 }, links: {} }),
        listingAnswerSchema,
      ),
    ).toMatchObject({ ok: true, value: { total: 12 } });
    expect(readAnswer(json(200, { balance: '-1.5', stock: 7, extra: true }), balanceAnswerSchema)).toEqual(
      succeed({
        stock: { id: null, name: null },
        product: { id: null, name: null, sku: null, unit: null },
        balance: -1.5,
        options: [],
      }),
    );
    expect(readAnswer(json(200, { items: [] }), couponSettingsAnswerSchema)).toEqual(succeed({ items: [] }));
  });

  test('ids beyond 2^53 come through digit for digit; an element that cannot be read is left out', () => {
    const body =
      '{"items":[{"product_id":9007199254740993,"is_enabled":true,"more":1},{"product_id":"9223372036854775807","is_enabled":0},{"product_id":1.5,"is_enabled":true},7]}';
    expect(readAnswer({ status: 200, headers: {}, body }, couponSettingsAnswerSchema)).toEqual(
      succeed({
        items: [
          { product_id: '9007199254740993', is_enabled: true, company_id: null },
          { product_id: '9223372036854775807', is_enabled: false, company_id: null },
        ],
      }),
    );
  });

  test('a setting may be written as text; an element without one is left out', () => {
    const items = [
      { product_id: '1', is_enabled: 'true' },
      { product_id: 1, is_enabled: 1 },
      { product_id: 2, is_enabled: '0' },
      { product_id: 3, is_enabled: null },
      { product_id: 4 },
    ];
    expect(readAnswer(json(200, { items }), couponSettingsAnswerSchema)).toEqual(
      succeed({
        items: [
          { product_id: '1', is_enabled: true, company_id: null },
          { product_id: '2', is_enabled: false, company_id: null },
        ],
      }),
    );
  });

  test('a number that JSON can write and nothing can hold is malformed', () => {
    expect(readAnswer({ status: 200, headers: {}, body: '{"balance":1e999}' }, balanceAnswerSchema)).toMatchObject({
      ok: false,
    });
  });
});

describe('Retry-After', () => {
  const date = 'Sun, 01 Jun 2025 10:00:00 GMT';
  test.each([
    ['0', 0],
    ['120', 120_000],
    [' 7 ', 7_000],
    ['Sun, 01 Jun 2025 10:00:30 GMT', 30_000],
    ['Sun, 01 Jun 2025 09:59:00 GMT', 0],
    ['Sunday, 01-Jun-25 10:00:30 GMT', 30_000],
    ['Sun Jun  1 10:00:30 2025', 30_000],
    ['Sun, 01 Jun 2025 10:00:30', 30_000],
    ['Sun, 01 Jun 2025 12:00:30 +0200', 30_000],
    ['', undefined],
    ['soon', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['9'.repeat(30), 300_000],
    ['Mon, 01 Jun 2099 10:00:00 GMT', 300_000],
  ])('%j', (text, expected) => {
    expect(readRetryAfterMs({ 'retry-after': text }, readPlatformTime({ date }))).toBe(expected);
  });

  test("a date counts by the platform's clock, and without that by ours", () => {
    expect(
      failureOf({ status: 503, headers: { 'retry-after': 'Sun, 01 Jun 2025 10:00:30 GMT', date }, body: '' })
        .retryAfterMs,
    ).toBe(30_000);
    expect(
      failureOf({
        status: 503,
        headers: { 'retry-after': 'Sun, 01 Jun 2025 10:00:30 GMT' },
        body: '',
        receivedAt: Date.parse('Sun, 01 Jun 2025 10:00:18 GMT'),
      }).retryAfterMs,
    ).toBe(12_000);
    expect(
      failureOf({ status: 503, headers: { 'retry-after': 'Sun, 01 Jun 2025 10:00:30 GMT' }, body: '' }).retryAfterMs,
    ).toBeUndefined();
  });
});

test('no body, header or status makes the reading throw, and every failure fits through the bridge', () => {
  const mapping = fc.dictionary(
    fc.constantFrom(
      'code',
      'message',
      'meta',
      'field',
      'validations',
      'type',
      'value',
      'error',
      '__proto__',
      'items',
      'data',
    ),
    fc.jsonValue({ maxDepth: 4 }),
  );
  const shaped = fc.record({
    code: fc.jsonValue(),
    message: fc.oneof(fc.string({ maxLength: 2_000 }), fc.jsonValue()),
    meta: fc.oneof(
      fc.jsonValue(),
      fc.array(fc.record({ field: fc.jsonValue(), validations: fc.oneof(fc.jsonValue(), fc.array(mapping)) }), {
        maxLength: 150,
      }),
    ),
  });
  const body = fc.oneof(
    fc.string(),
    fc.jsonValue().map((value) => JSON.stringify(value)),
    mapping.map((value) => JSON.stringify(value)),
    shaped.map((value) => JSON.stringify(value)),
    fc.constantFrom(10, 1_000, 50_000).map((depth) => '['.repeat(depth)),
  );
  const headers = fc.dictionary(fc.constantFrom('content-type', 'retry-after', 'date', 'idempotency-key'), fc.string());
  fc.assert(
    fc.property(fc.integer({ min: 100, max: 599 }), headers, body, (status, names, text) => {
      const response = { status, headers: names, body: text };
      const failure = failureOf(response);
      expect(failureSchema.safeParse(failure).success).toBe(true);
      isPage(response);
      for (const schema of [listingAnswerSchema, balanceAnswerSchema, couponSettingsAnswerSchema, tokenAnswerSchema]) {
        const answer = readAnswer<unknown>(response, schema);
        if (!answer.ok) {
          expect(failureSchema.safeParse(answer.failure).success).toBe(true);
        }
      }
    }),
    { numRuns: 600, seed: 1 },
  );
});
