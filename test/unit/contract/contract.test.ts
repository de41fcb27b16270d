// The proof of the bridge's schemas: every failure has room, no input lets junk in, and no schema has room for a
// secret.
import { z } from 'zod';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { failureSchema } from '../../../app/contract/basics.ts';
import { events, invokes } from '../../../app/contract/contract.ts';
import { lookupAnswerSchema } from '../../../app/contract/lookup.ts';
import { queuedUpdateSchema } from '../../../app/contract/queue.ts';
import { failureKinds } from '../../../app/domain/failure.ts';

test.each(failureKinds)('a failure of kind %s passes, with all that it may carry', (kind) => {
  const full = {
    kind,
    status: 422,
    code: 'c',
    message: 'm',
    fields: [{ field: 'f', validations: [{ type: 't', values: ['v'] }] }],
    retryAfterMs: 0,
  };
  expect(failureSchema.parse({ kind })).toEqual({ kind });
  expect(failureSchema.parse(full)).toEqual(full);
});

test('a failure of no known kind, with more than it may carry, or with too many words does not pass', () => {
  for (const failure of [
    {},
    { kind: 'made up' },
    { kind: 'unreachable', token: 'x' },
    { kind: 'unreachable', message: 'x'.repeat(501) },
    { kind: 'unreachable', status: 1.5 },
    { kind: 'unreachable', retryAfterMs: -1 },
  ]) {
    expect(failureSchema.safeParse(failure).success).toBe(false);
  }
});

test('nobody signs in by a name of blanks, and none stands before or behind one', () => {
  const { input } = invokes['session:signIn'];
  expect(input.safeParse({ email: ' \t\u00a0', password: 'x' }).success).toBe(false);
  expect(input.parse({ email: ' ana@example.com ', password: ' x ' })).toEqual({
    email: 'ana@example.com',
    password: ' x ',
  });
});

test('names are noun:verb, and no two are alike', () => {
  const names = [...Object.keys(invokes), ...Object.keys(events)];
  expect(names.filter((name) => !/^[a-z]+(?:[A-Z][a-z]+)*:[a-z][A-Za-z]*$/.test(name))).toEqual([]);
  expect(new Set(names).size).toBe(names.length);
});

const inputs = Object.entries(invokes).map(([name, { input }]) => [name, input] as const);

test.each(inputs)('%s takes no junk, and throws at nothing', (_name, input) => {
  for (const junk of [undefined, null, 0, '', 'text', true, [], [{}], { surprise: 1 }, () => 1, Symbol('s')]) {
    expect(input.safeParse(junk).success).toBe(false);
  }
  fc.assert(
    fc.property(fc.anything(), (junk) => {
      const parsed = input.safeParse(junk);
      // Only an empty object may be what a channel without parameters expects.
      expect(parsed.success && Object.keys(junk as object).length > 0).toBe(false);
    }),
    { numRuns: 200, seed: 1 },
  );
});

/** Each object of a JSON schema, however deep, that names its fields. */
function objectsIn(node: unknown): readonly Readonly<Record<string, unknown>>[] {
  if (typeof node !== 'object' || node === null) {
    return [];
  }
  const inner = Object.values(node).flatMap(objectsIn);
  return 'properties' in node && 'type' in node ? [{ ...node }, ...inner] : inner;
}

test.each(inputs)('%s takes no field too many, however deep', (_name, input) => {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
  const objects = objectsIn(schema);
  expect(objects.length).toBeGreaterThan(0);
  expect(objects.filter(({ additionalProperties }) => additionalProperties !== false)).toEqual([]);
});

const productId = '9007199254740993';
const profile = { platformUrl: 'https://platform.example.com', clientId: 'c', companyId: '7', stockIds: ['1'] };
const stockQuery = {
  list: 'all',
  stockId: null,
  amount: 'zero',
  orderBy: 'name',
  direction: 'asc',
  term: 'caf',
  productIds: [productId],
  updatedFrom: 1,
};
const good: readonly (readonly [keyof typeof invokes, Record<string, unknown>])[] = [
  ['coupon:switch', { productId, isEnabled: true }],
  ['coupon:list', { filter: 'all', offset: 0, limit: 200 }],
  ['coupon:listIds', { filter: 'refused', offset: 0, limit: 10_000 }],
  ['coupon:countMany', { productIds: [productId], isEnabled: true }],
  ['coupon:switchMany', { productIds: [productId], isEnabled: false, ownerId: 1, needed: 1 }],
  ['coupon:undoMany', { updateIds: [1], isLast: true }],
  ['couponSet:match', { codes: ['A-1'], areIds: false }],
  ['couponSet:remove', { setId: 1 }],
  ['couponSet:plan', { setId: 1, times: { repeats: 'weekly', day: '2026-11-27', on: '18:00', off: '02:00' } }],
  ['couponSet:skip', { planId: 1, day: '2026-11-27', isEnabled: true, isSkipped: true }],
  ['queue:list', { statuses: ['parked'], offset: 0, limit: 1 }],
  ['queue:listIds', { statuses: ['parked'], offset: 0, limit: 10_000 }],
  ['queue:countMany', { updateIds: [1] }],
  ['queue:retryMany', { updateIds: [1] }],
  ['queue:discardMany', { updateIds: [1] }],
  ['queue:bringBack', { updateIds: [1] }],
  ['queue:retry', { updateId: 1 }],
  ['queue:discard', { updateId: 1 }],
  ['queue:history', { updateId: 1 }],
  ['queue:export', { after: 0 }],
  ['stock:browse', { query: stockQuery, offset: 0, limit: 200 }],
  ['stock:export', { query: stockQuery, after: 1000 }],
  ['watchList:set', { minima: [{ stockId: '1', productId, minimum: 2.5 }] }],
  ['watchList:match', { stockId: '1', codes: ['A-1'] }],
  ['user:restore', { userId: productId }],
  ['user:readRestoration', { userId: productId }],
  ['lookup:find', { text: '4006381333931', source: 'scan' }],
  ['product:read', { stockId: '1', productId }],
  ['product:readMovements', { stockId: '1', productId, optionIds: ['7'] }],
  ['product:readBatches', { stockId: '1', productId, optionIds: [] }],
  ['product:readKept', { stockId: '1', productId }],
  ['profile:connect', profile],
  ['profile:switch', { profileId: 2 }],
  ['profile:remove', { profileId: 2 }],
  ['session:signIn', { email: 'ana@example.com', password: 'made-up' }],
];

test.each(good)('%s takes what it should, and nothing that is a little off', (name, input) => {
  const schema = invokes[name].input;
  expect(schema.safeParse(input).success).toBe(true);
  expect(schema.safeParse({ ...input, more: 1 }).success).toBe(false);
  for (const field of Object.keys(input)) {
    for (const value of [undefined, null, {}, [null], Number.NaN, -1, 1.5, 1e21, '\u0000'.repeat(5_000)]) {
      expect(schema.safeParse({ ...input, [field]: value }).success, field).toBe(false);
    }
  }
});

test('a connection is changed with a secret, or with the one that is kept', () => {
  const { input } = invokes['profile:connect'];
  expect(input.safeParse({ ...profile, clientSecret: 's' }).success).toBe(true);
  for (const clientSecret of ['', null, 1, 's'.repeat(1_001)]) {
    expect(input.safeParse({ ...profile, clientSecret }).success).toBe(false);
  }
});

test('the queue lists both kinds of update, each with what belongs to it and no more', () => {
  const facts = {
    id: 1,
    status: 'parked',
    email: 'ana@example.com',
    companyId: '7',
    isOwn: true,
    waitsFor: null,
    createdAt: 0,
    changedAt: 0,
    isUnderWay: false,
    attempts: 1,
    failure: null,
    parkedBecause: 'old',
  };
  const coupon = { kind: 'coupon', ...facts, productId, productName: null, isEnabled: true, theirs: null };
  const restoration = { kind: 'restoreUser', ...facts, userId: productId };
  expect(queuedUpdateSchema.safeParse(coupon).success).toBe(true);
  expect(queuedUpdateSchema.safeParse(restoration).success).toBe(true);
  for (const wrong of [
    facts,
    { ...coupon, kind: 'restoreUser' },
    { ...restoration, kind: 'coupon' },
    { ...restoration, isEnabled: true },
    { ...coupon, parkedBecause: 'bored' },
  ]) {
    expect(queuedUpdateSchema.safeParse(wrong).success).toBe(false);
  }
});

test.each([
  [{ historyDays: 30, askAfterHours: 0 }, true],
  [{ historyDays: 3650, askAfterHours: 8760 }, true],
  [{ historyDays: 0, askAfterHours: 72 }, false],
  [{ historyDays: 3651, askAfterHours: 72 }, false],
  [{ historyDays: 30, askAfterHours: -1 }, false],
  [{ historyDays: 30, askAfterHours: 8761 }, false],
  [{ historyDays: 1.5, askAfterHours: 72 }, false],
  [{ historyDays: 30 }, false],
])("the queue's limits %j: %s", (queueLimits, isRight) => {
  expect(invokes['settings:update'].input.safeParse({ queueLimits }).success).toBe(isRight);
});

test.each([
  [{ size: 'a4', copies: 200, withBalance: true }, true],
  [{ size: '40x25', copies: 0, withBalance: true }, false],
  [{ size: '40x25', copies: 201, withBalance: true }, false],
  [{ size: '41x25', copies: 1, withBalance: true }, false],
])('the shelf label %j: %s', (shelfLabel, isRight) => {
  expect(invokes['settings:update'].input.safeParse({ shelfLabel }).success).toBe(isRight);
});

test.each([
  [0.001, true],
  [1_000_000_000, true],
  [null, true],
  [0, false],
  [-1, false],
  [1_000_000_001, false],
  [Infinity, false],
  ['5', false],
])('a minimum of %j: %s', (minimum, isRight) => {
  const minima = [{ stockId: '1', productId, minimum }];
  expect(invokes['watchList:set'].input.safeParse({ minima }).success).toBe(isRight);
});

test('an id is taken in its one form alone', () => {
  for (const id of ['01', '9223372036854775808', '-1', '', '1 ', 1, 1n]) {
    expect(invokes['coupon:switch'].input.safeParse({ productId: id, isEnabled: true }).success).toBe(false);
    expect(invokes['user:restore'].input.safeParse({ userId: id }).success).toBe(false);
    expect(invokes['product:read'].input.safeParse({ stockId: id, productId }).success).toBe(false);
  }
});

test.each([
  [[], true],
  [['2CCCC0TTTTTTV', '20CCCCCKKKKKV'], true],
  [['2CCCC0PPPPPPV'], false],
  [Array.from({ length: 21 }, () => '2CCCC0TTTTTTV'), false],
  ['2CCCC0TTTTTTV', false],
])('layouts of scale labels %j: %s', (scaleLayouts, isRight) => {
  expect(invokes['settings:update'].input.safeParse({ scaleLayouts }).success).toBe(isRight);
});

test('whatever the reading of a code says, fits the bridge', () => {
  const read = {
    as: 'gs1',
    ofCase: null,
    layout: null,
    facts: [
      { kind: 'lot', text: 'L1' },
      { kind: 'expiry', date: '2026-12' },
      { kind: 'price', amount: 1.5, currency: 'BRL' },
    ],
    fault: { why: 'gs1CutOff', about: '17' },
  };
  const miss = { kind: 'unknown', text: 'x', asked: false };
  expect(lookupAnswerSchema.safeParse({ ...miss, read }).success).toBe(true);
  expect(lookupAnswerSchema.safeParse(miss).success).toBe(true);
  for (const facts of [
    [{ kind: 'expiry', date: '311226' }],
    [{ kind: 'lot' }],
    [{ kind: 'price', amount: '1', currency: null }],
    [{ kind: 'secret', text: 'x' }],
  ]) {
    expect(lookupAnswerSchema.safeParse({ ...miss, read: { ...read, facts } }).success).toBe(false);
  }
});

test.each([
  ['couponSet:save', { setId: null, how: null }],
  ['profile:rename', { profileId: 1 }],
  ['stocktake:start', { stockId: '1', filter: null }],
  ['hub:join', { address: 'x' }],
] as const)('a name for %s keeps nothing that nobody sees, and is none of that alone', (call, rest) => {
  const read = (name: string) => invokes[call].input.safeParse({ ...rest, name });
  expect(read(' Caixa\u200b \u202e1\n')).toMatchObject({ success: true, data: { name: 'Caixa 1' } });
  expect(read('\u2060\u3164').success).toBe(false);
});
