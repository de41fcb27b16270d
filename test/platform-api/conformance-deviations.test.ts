// Each line of the kit of app/conformance is broken on purpose, by a machine between it and the training platform.
import { describe, expect, it } from 'vitest';
import type { WireAnswer, WireRequest } from '../../app/conformance/http-send.ts';
import type { Report } from '../../app/conformance/run.ts';
import { parseJson, writeJson } from '../../app/domain/json.ts';
import type { Fault } from '../../app/training/options/faults.ts';
import { couponProduct, openJudgedPlatform, type Between } from '../support/judged-platform.ts';

const brokenIn = ({ lines }: Report): readonly string[] =>
  lines.filter(({ verdict }) => verdict === 'broken').map(({ id }) => id);

type Json = Record<string, unknown>;
type Match = (request: WireRequest) => boolean;

const to =
  (part: RegExp, method = 'GET'): Match =>
  (request) =>
    request.method === method && part.test(request.url);
const listing = to(/\/products(?:\?|$)/);
const balance = to(/\/balance/);
const batches = to(/\/batches/);
const coupons = to(/consumption-coupons/);
const update = to(/consumption-coupons/, 'PUT');
const tokens = to(/oauth\/token/, 'POST');
const any: Match = () => true;

/** Changes answers that have come. */
const answers =
  (match: Match, change: (answer: WireAnswer, request: WireRequest) => WireAnswer): Between =>
  async (request, next) => {
    const answer = await next(request);
    return match(request) && typeof answer !== 'string' ? change(answer, request) : answer;
  };
/** Changes the JSON of successes. */
const json = (match: Match, change: (document: Json, request: WireRequest) => unknown): Between =>
  answers(match, (answer, request) =>
    answer.status === 200 ? { ...answer, text: writeJson(change(parseJson(answer.text) as Json, request)) } : answer,
  );
const errors = (match: Match, change: (document: Json, answer: WireAnswer) => Json): Between =>
  answers(match, (answer) =>
    answer.status >= 400 ? { ...answer, text: writeJson(change(parseJson(answer.text) as Json, answer)) } : answer,
  );
/** Changes requests on their way. */
const requests =
  (match: Match, change: (request: WireRequest) => WireRequest): Between =>
  (request, next) =>
    next(match(request) ? change(request) : request);
const withUrl = (match: Match, from: string | RegExp, into: string): Between =>
  requests(match, (request) => ({ ...request, url: request.url.replace(from, into) }));
const without = (name: string): Between => withUrl(listing, new RegExp(`${name}=[^&]*&?`), '');
const withHeaders = (request: WireRequest, headers: Readonly<Record<string, string>>): WireRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});
const withText = (from: RegExp, into: string): Between =>
  answers(any, (answer) => ({ ...answer, text: answer.text.replaceAll(from, into) }));
const withFirstCompany = (match: Match): Between =>
  requests(match, (request) => withHeaders(request, { 'Service-Company-Id': '4101' }));
const withCodeFor = (match: Match, from: string, into: string): Between =>
  errors(match, (document) => (document['code'] === from ? { ...document, code: into } : document));
const withStatusFor = (match: Match, from: number, into: number): Between =>
  answers(match, (answer) => (answer.status === from ? { ...answer, status: into } : answer));
const renewals = (change: (answer: WireAnswer) => WireAnswer): Between =>
  answers(tokens, (answer, { body }) => (body?.includes('"refresh_token"') === true ? change(answer) : answer));
const withStatus = (match: Match, status: number): Between => answers(match, (answer) => ({ ...answer, status }));

const elementsOf = (document: Json): Json[] => (document['data'] as { stock_products: Json[] }).stock_products;
const hash = (element: Json): number => Number((element['product'] as Json)['id']) * 7919;
const metaOf = (document: Json): Json => document['meta'] as Json;
const withMeta = (change: (meta: Json) => Json): Between =>
  json(listing, (document) => ({ ...document, meta: change(metaOf(document)) }));
const withElements = (change: (elements: Json[], request: WireRequest) => unknown[]): Between =>
  json(listing, (document, request) => ({
    ...document,
    data: { stock_products: change(elementsOf(document), request) },
  }));
const withField = (match: Match, name: string, value: unknown): Between =>
  json(match, (document) => ({ ...document, [name]: value }));
const withHeader = (match: Match, name: string, value: string): Between =>
  answers(match, (answer) => ({ ...answer, headers: { ...answer.headers, [name]: value } }));

/** Good credentials, whoever asks. */
let goodToken = '';
const remember: Between = answers(tokens, (answer) => {
  goodToken = ((parseJson(answer.text) as Json)['access_token'] as string | undefined) ?? goodToken;
  return answer;
});
const letsIn =
  (match: Match): Between =>
  (request, next) =>
    remember(match(request) ? withHeaders(request, { Authorization: `Bearer ${goodToken}` }) : request, next);
const withGoodBody = (change: Json): Between =>
  requests(tokens, (request) => {
    const body = parseJson(request.body ?? '') as Json | undefined;
    return body === undefined ? request : { ...request, body: writeJson({ ...body, ...change }) };
  });
const freshKeys = (): Between => {
  let count = 0;
  return requests(update, (request) => {
    count += 1;
    const key = request.headers['Idempotency-Key'];
    return key === undefined || key.length > 100
      ? request
      : withHeaders(request, { 'Idempotency-Key': `fresh ${count}` });
  });
};
/** As if the platform had not seen what is wrong with it. */
const accepts =
  (match: Match, isWrong: (request: WireRequest) => boolean): Between =>
  async (request, next) =>
    match(request) && isWrong(request) ? { status: 204, headers: {}, text: '' } : next(request);

const tooManyOnce = (retryAfter: string): Between => {
  let count = 0;
  return answers(balance, (answer) => {
    count += 1;
    const text = '{"code":"too_many_requests"}';
    return count > 1
      ? answer
      : { status: 429, headers: { 'content-type': 'application/json', 'retry-after': retryAfter }, text };
  });
};

const deviations: readonly (readonly [deviation: string, broken: string, between: Between])[] = [
  [
    'answers 200 to a wrong token',
    '5:wrong-token',
    letsIn(({ headers }) => headers['Authorization'] === 'Bearer wrong'),
  ],
  ['answers 200 without a token', '5:no-token', letsIn(({ headers }) => headers['Authorization'] === undefined)],
  ['answers 403 to a wrong token', '5:wrong-token', withStatusFor(any, 401, 403)],
  ['lets a wrong password in', '5:wrong-password', withGoodBody({ password: 'praticar-aqui-1' })],
  ['lets a wrong secret in', '5:wrong-secret', withGoodBody({ client_secret: 'practice-secret-for-nobody' })],
  [
    'lets in who sends no secret',
    '5:missing-credential',
    withGoodBody({ client_secret: 'practice-secret-for-nobody' }),
  ],
  ['allows an unknown scope', '5:invalid-scope', withGoodBody({ scope: '*' })],
  ['calls an unknown scope a bad request', '5:invalid-scope', withCodeFor(tokens, 'invalid_scope', 'bad_request')],
  [
    'calls the access token otherwise',
    '4.1:token',
    json(tokens, ({ access_token: token, ...others }) => ({ ...others, token })),
  ],
  ['gives a refresh token that gives nothing', '2:refresh', renewals((answer) => ({ ...answer, text: '{}' }))],
  ['refuses its own refresh token', '2:refresh', renewals(() => ({ status: 401, headers: {}, text: '' }))],
  [
    'answers 200 to a body that is no JSON',
    '7:malformed',
    answers(tokens, (answer, { body }) =>
      body === '{"grant_type":' ? { ...answer, status: 200, text: '{}' } : answer,
    ),
  ],
  ['wants a token for the scopes', '4.2:scopes', withStatus(to(/oauth\/scopes/), 401)],
  ['answers GET at the token endpoint', '7:method', withStatus(to(/oauth\/token/), 200)],
  ['ignores the company', '5:other-company', withFirstCompany(listing)],
  [
    'takes the first company where none is named',
    '5:no-company',
    withFirstCompany(({ headers, url }) => headers['Service-Company-Id'] === undefined && url.includes('/stocks/')),
  ],
  [
    'reads a company that is no number',
    '2:company-number',
    withFirstCompany(({ headers }) => headers['Service-Company-Id'] === 'x'),
  ],
  ['calls a missing header forbidden', '5:no-company', withCodeFor(listing, 'missing_headers', 'forbidden')],
  [
    'calls a missing Accept forbidden',
    '1:no-accept',
    errors(
      ({ headers }) => headers['Accept'] === undefined,
      (document) => ({ ...document, code: 'forbidden' }),
    ),
  ],
  ['answers an unknown path with 200', '7:unknown-path', withStatus(to(/no-such-resource/), 200)],
  ['answers an unknown stock with another', '7:unknown-stock', withUrl(listing, '9223372036854775807', '1201')],
  [
    'answers an unknown product with a balance of zero',
    '7:unknown-product',
    withStatus(to(/9223372036854775807\/balance/), 200),
  ],
  [
    'calls stock_products otherwise',
    '4.3:shape',
    json(listing, (document) => ({ ...document, data: { products: elementsOf(document) } })),
  ],
  ['lists without an envelope', '4.3:shape', json(listing, (document) => ({ stock_products: elementsOf(document) }))],
  [
    'lists a thousand elements and one',
    '4.3:shape',
    withElements((elements) => Array.from({ length: 1001 }, (_, place) => elements[place % elements.length])),
  ],
  ['leaves meta.total out', '4.3:shape', withMeta(({ total: _total, ...meta }) => meta)],
  ['gives meta.total as text', '4.3:shape', withMeta((meta) => ({ ...meta, total: String(meta['total']) }))],
  [
    'gives one too many as the total',
    '2:last-page',
    withMeta((meta) => ({ ...meta, total: Number(meta['total']) + 1 })),
  ],
  ['gives a wrong last_page', '2:meta', withMeta((meta) => ({ ...meta, last_page: Number(meta['last_page']) + 1 }))],
  ['counts pages from 0', '2:meta', withMeta((meta) => ({ ...meta, current_page: Number(meta['current_page']) - 1 }))],
  ['ignores per_page', '4.3:per-page', without('per_page')],
  [
    'gives 20 elements by default',
    '4.3:defaults',
    requests(
      ({ url }) => url.endsWith('/products'),
      (request) => ({ ...request, url: `${request.url}?per_page=20` }),
    ),
  ],
  ['ignores page, so that reading never ends', '4.3:page', without('(?<=[?&])page')],
  ['gives the last page again after it', '2:page-beyond', withUrl(listing, 'page=4', 'page=2')],
  [
    'lists an element twice',
    '2:once',
    withElements((elements) => (elements.length < 3 ? elements : [...elements.slice(0, -1), elements[0]])),
  ],
  ['leaves an element of each page out', '2:meta', withElements((elements) => elements.slice(1))],
  ['ignores order_by_field', '4.3:order-name', without('order_by_field')],
  [
    'shuffles each page',
    '4.3:order-code',
    withElements((elements) => elements.toSorted((left, right) => (hash(left) % 101) - (hash(right) % 101))),
  ],
  [
    'turns the order of each page',
    '4.3:descending',
    withElements((elements, { url }) => (url.includes('order_by_type=desc') ? elements.toReversed() : elements)),
  ],
  ['ignores order_by_type', '4.3:descending', without('order_by_type')],
  [
    'sorts up by default',
    '4.3:default-direction',
    requests(
      ({ url }) => /order_by_field=code&per_page/.test(url),
      (request) => ({ ...request, url: `${request.url}&order_by_type=asc` }),
    ),
  ],
  ['ignores term', '4.3:term-nothing', without('term')],
  ['finds no code', '4.3:term', withUrl(listing, /term=[^&]*/, 'term=zqxj')],
  ['ignores product_ids', '4.3:product-ids', without('product_ids')],
  ['ignores amount_in_stock', '4.3:amounts', without('amount_in_stock')],
  ['takes all for positive', '4.3:amount-all', withUrl(listing, 'stock=all', 'stock=positive')],
  ['ignores updated_from', '4.3:updated-from-later', without('updated_from')],
  [
    'leaves out what changed at the moment itself',
    '4.3:updated-from',
    withUrl(listing, /(updated_from=20\d\d[^&]*%3A\d)\d(?=%2B)/, '$19'),
  ],
  [
    'sorts but the first ten by nothing',
    '4.3:descending',
    withElements((elements) => [...elements.slice(0, 10), ...elements.slice(10).toReversed()]),
  ],
  ['takes the offset for UTC', '4.3:offset', withUrl(listing, /(updated_from=[^&]*)%2B10%3A00/, '$1%2B00%3A00')],
  ['takes a per_page of 101', '4.3:refuses-per_page-101', withUrl(listing, 'per_page=101', 'per_page=100')],
  ['takes a per_page of 0', '4.3:refuses-per_page-0', withUrl(listing, /per_page=0/, 'per_page=30')],
  ['takes a page of 0', '4.3:refuses-page-0', withUrl(listing, /(?<=[?&])page=0/, 'page=1')],
  ['takes any order_by_field', '4.3:refuses-order_by_field-colour', withUrl(listing, 'field=colour', 'field=code')],
  ['takes any order_by_type', '4.3:refuses-order_by_type-up', withUrl(listing, 'type=up', 'type=asc')],
  ['takes any product_ids', '4.3:refuses-product_ids-x', withUrl(listing, 'product_ids=x', '')],
  ['takes any amount_in_stock', '4.3:refuses-amount_in_stock-some', withUrl(listing, 'stock=some', 'stock=all')],
  ['takes any updated_from', '4.3:refuses-updated_from-yesterday', withUrl(listing, 'updated_from=yesterday', '')],
  ['answers a refused parameter with 500', '7:status', withStatusFor(listing, 422, 500)],
  [
    'gives the balance as text',
    '4.4:shape',
    json(balance, (document) => ({ ...document, balance: String(document['balance']) })),
  ],
  ['leaves balance_options out', '4.4:shape', json(balance, ({ balance_options: _options, ...document }) => document)],
  [
    'gives the sku as a number',
    '4.4:shape',
    json(balance, (document) => ({ ...document, product: { ...(document['product'] as Json), sku: 12 } })),
  ],
  [
    'gives the balance of another product',
    '4.4:shape',
    json(balance, (document) => ({ ...document, product: { ...(document['product'] as Json), id: 5 } })),
  ],
  ['ignores movement_type', '4.4:movements', withUrl(balance, /movement_type=(?:in|out)/, '')],
  ['takes any movement_type', '4.4:refuses-movement_type', withUrl(balance, 'movement_type=aside', '')],
  ['ignores option_ids of a balance', '4.4:option-ids', withUrl(balance, /option_ids=[^&]*/, '')],
  [
    'calls stock_movements otherwise',
    '4.5:shape',
    json(batches, ({ stock_movements: movements, ...document }) => ({ ...document, movements })),
  ],
  ['gives option_names as a list', '4.5:shape', withField(batches, 'option_names', ['P'])],
  ['ignores option_ids of batches', '4.5:option-ids', withUrl(batches, /option_ids=[^&]*/, '')],
  ['lists coupons without items', '4.6:shape', json(coupons, ({ items }) => items)],
  [
    'gives is_enabled as a number',
    '4.6:shape',
    json(coupons, ({ items }) => ({ items: (items as Json[]).map((item) => ({ ...item, is_enabled: 1 })) })),
  ],
  ['ignores product_id', '4.6:product-id', withUrl(coupons, /product_id=\d+/, '')],
  ['ignores is_enabled', '4.6:is-enabled', withUrl(coupons, /is_enabled=(?:true|false)/, '')],
  ['takes any product_id', '4.6:refuses-product_id', withUrl(coupons, 'product_id=x', '')],
  ['takes any is_enabled', '4.6:refuses-is_enabled', withUrl(coupons, 'is_enabled=x', '')],
  ['gives ids as text', '2:ids', withText(/"id":(\d+)/g, '"id":"$1"')],
  ['gives ids below zero', '2:ids', withText(/"id":(\d+)/g, '"id":-$1')],
  ['gives ids beyond 64 bits', '2:ids', withText(/"id":(\d+)/g, '"id":99999999999999$1')],
  ['writes date-times in UTC with Z', '2:date-time', withText(/(T[\d:]{8})-03:00/g, '$1Z')],
  ['writes date-times without an offset', '2:date-time', withText(/(T[\d:]{8})-03:00/g, '$1')],
  [
    'answers pages for people',
    '1:json',
    answers(balance, (answer) => ({ ...answer, headers: { 'content-type': 'text/html' }, text: '<p>' })),
  ],
  ['says that JSON is text', '1:json', withHeader(listing, 'content-type', 'text/plain')],
  [
    'calls the code of an error otherwise',
    '7:error-body',
    errors(any, ({ code, ...document }) => ({ ...document, error: code })),
  ],
  ['names no field', '7:error-body', errors(any, (document) => ({ ...document, meta: [{ name: 'page' }] }))],
  ['has meta of an error as an object', '7:error-body', errors(any, (document) => ({ ...document, meta: {} }))],
  [
    'has codes of its own',
    '7:codes',
    errors(any, (document, { status: got }) => (got === 422 ? { ...document, code: 'E-17' } : document)),
  ],
  ['answers 409 to what is invalid', '7:status', withStatusFor(any, 422, 409)],
  ['says that 20 requests a minute are the limit', '8:limit', withHeader(any, 'x-ratelimit-limit', '20')],
  ['says with a 429 to come again soon', '7:too-many', tooManyOnce('soon')],
  ['says with a 429 to come again five seconds ago', '7:too-many', tooManyOnce('-5')],
  [
    'answers an update with 200',
    '4.7:update',
    answers(update, (answer) => (answer.status === 204 ? { ...answer, status: 200, text: '{}' } : answer)),
  ],
  ['answers an update, and does not do it', '4.7:update', accepts(update, () => true)],
  [
    'takes an update without a key',
    '4.7:no-key',
    accepts(update, ({ headers }) => headers['Idempotency-Key'] === undefined),
  ],
  [
    'takes a key of 101 characters',
    '8:key-length',
    requests(update, (request) =>
      withHeaders(request, { 'Idempotency-Key': request.headers['Idempotency-Key']?.slice(0, 36) ?? '' }),
    ),
  ],
  [
    'wants a UUID as key',
    '8:any-key',
    answers(update, (answer, { headers }) =>
      headers['Idempotency-Key']?.startsWith('any') === true
        ? { ...answer, status: 422, text: '{"code":"unprocessable_entity"}' }
        : answer,
    ),
  ],
  ['takes an update without a company', '4.7:no-company', withFirstCompany(update)],
  [
    'takes an update without a token',
    '4.7:no-sign-in',
    letsIn(({ headers, method }) => method === 'PUT' && headers['Authorization'] === undefined),
  ],
  ['takes an update without items', '4.7:no-items', accepts(update, ({ body }) => body === '{}')],
  [
    'takes an item without is_enabled',
    '4.7:no-is-enabled',
    accepts(update, ({ body }) => body?.includes('is_enabled') === false && body !== '{}'),
  ],
  [
    'takes an item without product_id',
    '4.7:no-product-id',
    accepts(update, ({ body }) => body?.includes('product_id') === false && body.includes('is_enabled')),
  ],
  ['does a key that comes again twice', '8:replay', freshKeys()],
  ['does a key that comes with another body', '8:other-body', freshKeys()],
  ['does both of two at once', '8:at-once', freshKeys()],
  ['keeps no errors under a key', '8:kept-errors', freshKeys()],
  ['does not tell a replay', '8:replay', withHeader(update, 'idempotency-replayed', 'false')],
  ['tells a replay where there is none', '8:echo', withHeader(update, 'idempotency-replayed', 'true')],
  ['echoes another key', '8:echo', withHeader(update, 'idempotency-key', 'another')],
  [
    'answers a replay with 200',
    '8:replay',
    answers(update, (answer) =>
      answer.headers['idempotency-replayed'] === 'true' ? { ...answer, status: 200 } : answer,
    ),
  ],
  [
    'does only the first half of an update, and says 204',
    '4.7:halves',
    accepts(update, ({ body }) => body?.includes('},{') === true),
  ],
];

describe('a platform that', () => {
  it('is told apart in at least forty ways', () => {
    expect(deviations.length).toBeGreaterThanOrEqual(40);
  });

  it.each(deviations)('%s breaks %s', async (_deviation, line, between) => {
    const platform = await openJudgedPlatform();
    const before = platform.service.couponSettings().get(couponProduct);
    // What only a reading shows is looked at without switching.
    const report = await platform.judge(/^(?:4\.7|8):/.test(line) ? {} : { maySwitch: null }, between);
    expect(brokenIn(report)).toContain(line);
    expect(report.outcome).toBe('broken');
    expect(platform.service.couponSettings().get(couponProduct)).toBe(before);
  });
});

const faults: readonly (readonly [fault: Fault, broken: string])[] = [
  [{ kind: 'dropBeforeEffect', path: '/balance' }, '1:answered'],
  [{ kind: 'dropAfterEffect', method: 'PUT' }, '1:answered'],
  [{ kind: 'hangBeforeEffect', path: '/batches' }, '1:answered'],
  [{ kind: 'hangAfterEffect', path: '/stocks/1201/products' }, '1:answered'],
  [{ kind: 'captivePortal' }, '1:json'],
  [{ kind: 'proxyPage', path: '/api/v3' }, '7:status'],
  [{ kind: 'truncate', path: '/api/v3' }, '1:json'],
  ...([400, 401, 403, 404, 405, 409, 413, 422, 500, 502, 503, 504] as const).map((status): readonly [Fault, string] => [
    { kind: 'answer', status, path: '/balance' },
    '4.4:shape',
  ]),
  ...([409, 413, 500, 502, 503, 504] as const).map((status): readonly [Fault, string] => [
    { kind: 'answer', status, path: '/balance', times: 1 },
    '7:status',
  ]),
  [{ kind: 'answer', status: 429, path: '/api/v3', times: 1 }, '8:limit'],
  [{ kind: 'answer', status: 429 }, '8:limit'],
  [{ kind: 'answer', status: 429, code: 'forbidden', path: '/balance' }, '7:too-many'],
  [{ kind: 'answer', status: 500, isEffectApplied: true, method: 'PUT' }, '7:status'],
];

describe('a fault', () => {
  it.each(faults)('%j breaks %s', async (fault, line) => {
    const platform = await openJudgedPlatform();
    platform.service.faults.set({ faults: [fault] });
    const report = await platform.judge();
    expect(brokenIn(report)).toContain(line);
    expect(platform.service.couponSettings().get(couponProduct)).toBe(true);
  });
});
