// The proof that no answer to any operation, however spoiled, ends in anything but a value of its documented form or a
// named failure that fits through the bridge.
import { expect, test } from 'vitest';
import { z } from 'zod';
import { failureSchema, idSchema, shortText } from '../../../../app/contract/basics.ts';
import { productBatchesSchema } from '../../../../app/contract/batches.ts';
import type { Failure } from '../../../../app/domain/failure.ts';
import type { Result } from '../../../../app/domain/result.ts';
import { failureOf, isPage } from '../../../../app/platform/answer.ts';
import { ListedElement } from '../../../../app/platform/listing/listed-element.ts';
import { createTokenKeys } from '../../../../app/platform/token-keys.ts';
import { createTokenRequest, type Grant } from '../../../../app/platform/tokens.ts';
import { dispositionOf, namedPlaces } from '../../../../app/queue/disposition.ts';
import { balances, batchLists, couponLists, errors, listings, scopeLists, tokens } from './answers.ts';
import { id, openFuzzedPlatform, spoiledAnswer, type FuzzedPlatform } from './platform.ts';
import { isNight } from '../../../support/night.ts';
import { createSeededRandom } from '../../../support/seeded-random.ts';
import { tokenOf, tokenUser } from '../../../support/tokens.ts';
import { idleSlot } from '../../../support/idle-slot.ts';

const answersEach = isNight ? 2_000 : 600;
/** Two tries, each with a slot and a request, and the renewal between them. */
const maxSteps = 5;
const timeLimitMs = 120_000;

const exact = z.number().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER);
const whole = exact.int().nonnegative();
const named = shortText.min(1).nullable();
const person = { lane: 'person' } as const;
const ids = { stockId: id('1'), productId: id('11') };
const credentials = { clientId: 'client', clientSecret: 'made-up' };

const token = z.strictObject({
  access_token: z.string().min(1).max(20_000),
  refresh_token: z.string().min(1).max(20_000).optional(),
  expires_in: exact.positive().optional(),
});

const listedElement = z
  .instanceof(ListedElement)
  .transform(({ product }) => product)
  .pipe(
    z
      .strictObject({
        productId: idSchema,
        code: named,
        name: shortText.min(1),
        unit: named,
        barcodes: z.array(shortText.min(1)).max(50),
        otherCodes: z.array(shortText.min(1)).max(50),
        balance: exact.nullable(),
        options: z.array(z.strictObject({ name: shortText.min(1), amount: exact.nullable() })).max(200),
        extra: z.array(z.strictObject({ name: shortText.min(1), value: shortText.min(1) })).max(100),
        stockName: named,
      })
      .nullable(),
  );

function requestToken({ exchange, rateLimit }: FuzzedPlatform, grant: Grant): ReturnType<Operation['ask']> {
  const keys = createTokenKeys(() => 'key');
  return createTokenRequest(exchange, rateLimit, keys)(credentials, grant);
}

interface Operation {
  readonly name: string;
  readonly documents: readonly unknown[];
  readonly ask: (platform: FuzzedPlatform) => Promise<Result<unknown, Failure>>;
  /** The form that a value must have. */
  readonly form: z.ZodType;
}

const operations: readonly Operation[] = [
  {
    name: 'password grant',
    documents: tokens,
    ask: (platform) =>
      requestToken(platform, { grant_type: 'password', username: 'ana@example.com', password: 'made-up' }),
    form: token,
  },
  {
    name: 'refresh grant',
    documents: tokens,
    ask: (platform) => requestToken(platform, { grant_type: 'refresh_token', refresh_token: 'made-up' }),
    form: token,
  },
  {
    name: 'scopes',
    documents: scopeLists,
    ask: ({ client }) => client.listScopes(person),
    form: z.array(z.string().min(1).max(100)).min(1).max(100),
  },
  {
    name: 'stock products',
    documents: listings,
    ask: ({ client }) => client.listStockProducts({ stockId: ids.stockId, page: 1, perPage: 3 }, person),
    form: z.strictObject({
      elements: z.array(listedElement),
      currentPage: whole,
      lastPage: whole,
      perPage: whole,
      total: whole,
      platformTime: z.number().nullable(),
    }),
  },
  {
    name: 'balance',
    documents: balances,
    ask: ({ client }) => client.readBalance(ids, person),
    form: z.strictObject({
      stock: z.strictObject({ id: z.literal(ids.stockId).nullable(), name: named }),
      product: z.strictObject({ id: z.literal(ids.productId).nullable(), name: named, sku: named, unit: named }),
      balance: exact,
      options: z
        .array(z.strictObject({ name: shortText.min(1), amount: exact.nullable(), ids: z.array(idSchema).max(20) }))
        .max(200),
    }),
  },
  {
    name: 'batches',
    documents: batchLists,
    ask: ({ client }) => client.listBatches(ids, person),
    form: productBatchesSchema,
  },
  {
    name: 'coupon settings',
    documents: couponLists,
    ask: ({ client }) => client.listCouponSettings({}, person),
    form: z.array(z.strictObject({ productId: idSchema, isEnabled: z.boolean() })),
  },
  {
    name: 'coupon settings of one product',
    documents: couponLists,
    ask: ({ client }) => client.listCouponSettings({ productId: ids.productId, isEnabled: true }, person),
    form: z.array(z.strictObject({ productId: z.literal(ids.productId), isEnabled: z.literal(true) })),
  },
];

/** A sample that a seed finds again is worth more than a random one: the number of the answer is its seed. */
function describeAnswer(operation: string, seed: number, body: string): string {
  return `${operation}, answer ${seed}: ${body.slice(0, 300)}`;
}

test.each(operations)(
  '$name: 2,000 spoiled answers',
  async ({ name, documents, ask, form }) => {
    const platform = openFuzzedPlatform();
    let values = 0;
    for (let seed = 0; seed < answersEach; seed += 1) {
      platform.answer = spoiledAnswer(createSeededRandom(String(seed)), documents, errors);
      platform.steps = 0;
      const answer = await ask(platform);
      const parsed = answer.ok ? form.safeParse(answer.value) : failureSchema.safeParse(answer.failure);
      if (!parsed.success || platform.steps > maxSteps || platform.openSlots !== 0) {
        expect.fail(
          `${describeAnswer(name, seed, platform.answer.body)}\n${platform.steps} steps, ${platform.openSlots} slots open, ${parsed.error?.message ?? ''}`,
        );
      }
      values += answer.ok ? 1 : 0;
    }
    // The documents are spoiled, not all destroyed: both ends are met often.
    expect(values).toBeGreaterThan(answersEach / 20);
    expect(values).toBeLessThan(answersEach * 0.95);
  },
  timeLimitMs,
);

test.each(['PUT', 'POST'] as const)(
  '%s: of 2,000 spoiled answers to an update each has one disposition',
  async (method) => {
    const platform = openFuzzedPlatform();
    const steps = new Map<string, number>();
    for (let seed = 0; seed < answersEach; seed += 1) {
      const random = createSeededRandom(String(seed));
      platform.answer = {
        ...spoiledAnswer(random, errors, errors),
        status: random.pick([204, 200, 302, 400, 401, 403, 404, 405, 409, 415, 422, 422, 422, 429, 500, 503]),
      };
      const written = await platform.client.write({
        method,
        path: '/api/v3/users/5',
        body: '{}',
        idempotencyKey: 'key',
        accessToken: tokenOf('token'),
        user: tokenUser,
        slot: idleSlot,
      });
      if (!written.ok) {
        expect.fail(describeAnswer(method, seed, platform.answer.body));
      }
      const failure = failureOf(written.value);
      const size = random.pick([1, 2, 100]);
      const subjects = Array.from({ length: size }, (_unused, place) => id(String(place)));
      const sent = {
        kind: method === 'PUT' ? ('coupon' as const) : ('restoreUser' as const),
        size,
        subjects,
        unechoed: random.pick([0, 3]),
        isRepeated: random.chance(0.5),
        isInDoubt: random.chance(0.5),
        earlierTries: random.pick([0, 5]),
      };
      const { step, ...more } = dispositionOf(
        {
          kind: 'answer',
          status: written.value.status,
          echo: random.pick(['ours', 'none', 'other']),
          isPage: isPage(written.value),
          failure,
        },
        sent,
      );
      const places = 'named' in more ? more.named : namedPlaces(failure, subjects);
      if (
        !failureSchema.safeParse(failure).success ||
        places.some((place) => !(Number.isInteger(place) && place >= 0 && place < size))
      ) {
        expect.fail(describeAnswer(method, seed, platform.answer.body));
      }
      steps.set(step, (steps.get(step) ?? 0) + 1);
    }
    expect([...steps.keys()].toSorted()).toEqual(
      method === 'PUT'
        ? ['delivered', 'halve', 'parkAll', 'parkNamed', 'sealAnew', 'sendAgain']
        : ['delivered', 'halve', 'parkAll', 'parkMaybeDone', 'sealAnew', 'sendAgain'],
    );
  },
  timeLimitMs,
);

test('the same seed spoils in the same way', () => {
  const bodies = (): string[] =>
    Array.from(
      { length: 100 },
      (_unused, seed) => spoiledAnswer(createSeededRandom(String(seed)), listings, errors).body,
    );
  expect(bodies()).toEqual(bodies());
  expect(new Set(bodies()).size).toBeGreaterThan(90);
});
