// The app's own client against the training platform, both judged by the description of the interface: every operation,
// under every reading of what API v3 leaves open.
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RateLimit } from '../../app/rate-limit/rate-limit.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Id } from '../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import { createNodeClock, createNodeRandom } from '../../app/hosts/node/node-ports.ts';
import { createPlatformClient, type PlatformClient } from '../../app/platform/client.ts';
import { createConnection } from '../../app/platform/connection.ts';
import { createExchange } from '../../app/platform/exchange.ts';
import { createAxiosHttp } from '../../app/platform/http-axios.ts';
import { couponSettingsPath } from '../../app/platform/paths.ts';
import type { TokenAnswer } from '../../app/platform/token-answer.ts';
import { createTokenKeys } from '../../app/platform/token-keys.ts';
import { createTokenRequest, type Grant } from '../../app/platform/tokens.ts';
import { variantTable, type Variants } from '../../app/training/options/variants.ts';
import { startTrainingPlatform, type TrainingPlatform } from '../../app/training/server.ts';
import { createCheckedHttp, type CheckedHttp } from '../support/checked-http.ts';
import { tokenOf, tokenUser } from '../support/tokens.ts';
import { idleSlot } from '../support/idle-slot.ts';
import { valueOf } from '../support/value-of.ts';

// A rate limit that does not get in the way: each platform here is asked some thirty times.
const rateLimit: Pick<RateLimit, 'take' | 'slowDown' | 'wantedFigures'> = {
  take: () => Promise.resolve(succeed(idleSlot)),
  slowDown: () => undefined,
  wantedFigures: () => [],
};

interface Till {
  readonly client: PlatformClient;
  readonly requestToken: (grant: Grant) => Promise<Result<TokenAnswer, Failure>>;
  token: string;
}

let platform: TrainingPlatform;
let http: CheckedHttp;
let till: Till;

function openTill(companyId: Id): Till {
  const clock = createNodeClock();
  const connection = createConnection({ clock, random: createNodeRandom() }, () => undefined);
  const exchange = createExchange(http, platform.platformUrl, connection, new AbortController().signal, () =>
    clock.now(),
  );
  const ask = createTokenRequest(exchange, rateLimit, createTokenKeys(randomUUID));
  const tokens = {
    user: () => tokenUser,
    accessToken: () => Promise.resolve(succeed(tokenOf(opened.token))),
    renew: () => Promise.resolve(fail({ kind: 'unauthorized' as const })),
  };
  const opened: Till = {
    client: createPlatformClient({ exchange, rateLimit, tokens, companyId }),
    requestToken: (grant) => ask({ clientId: platform.clientId, clientSecret: platform.clientSecret }, grant),
    token: '',
  };
  return opened;
}

beforeEach(async () => {
  platform = await startTrainingPlatform({ directory: null, port: 0, productCount: 300, requestsPerMinute: 100_000 });
  http = createCheckedHttp(createAxiosHttp({ userAgent: 'Tillside/test' }));
  till = openTill(platform.companyId);
});
afterEach(() => platform.close());

const person = { lane: 'person' } as const;
const idAt = (index: number): Id => String(platform.products.idAt(index)) as Id;
const stockId = (): Id => platform.stockIds[0] ?? ('' as Id);
const indexWithOptions = (): number =>
  Array.from({ length: 300 }, (_unused, index) => index).find(
    (index) => platform.products.optionsAt(index).length > 2,
  ) ?? -1;

const password = (): Grant => ({ grant_type: 'password', username: platform.email, password: platform.password });

/** Every operation that the client knows, with every parameter that it knows; throws at the first that fails. */
async function useEverything() {
  const tokens = valueOf(await till.requestToken(password()));
  till.token = tokens.access_token;
  if (tokens.refresh_token !== undefined) {
    till.token = valueOf(
      await till.requestToken({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token }),
    ).access_token;
  }
  const { client } = till;
  const list = (query: Partial<Parameters<PlatformClient['listStockProducts']>[0]>) =>
    client.listStockProducts({ stockId: stockId(), page: 1, perPage: 100, ...query }, person);
  const first = valueOf(await list({}));
  valueOf(await list({ orderByField: 'name', orderByType: 'asc', page: 2, perPage: 1 }));
  valueOf(await list({ orderByField: 'code', orderByType: 'desc' }));
  const byTerm = valueOf(await list({ term: platform.products.codeAt(7) }));
  const byIds = valueOf(await list({ productIds: [idAt(0), idAt(48), idAt(96)] }));
  for (const amountInStock of ['all', 'positive', 'negative', 'zero'] as const) {
    valueOf(await list({ amountInStock }));
  }
  const recent = valueOf(await list({ updatedFrom: '2026-01-06T00:00:00+05:30' }));
  const index = indexWithOptions();
  const productId = idAt(index);
  const optionIds = platform.products
    .optionsAt(index)
    .slice(0, 2)
    .map((option) => String(option.id) as Id);
  const balance = valueOf(await client.readBalance({ stockId: stockId(), productId }, person));
  for (const movementType of ['all', 'in', 'out'] as const) {
    valueOf(await client.readBalance({ stockId: stockId(), productId, movementType, optionIds }, person));
  }
  const batches = valueOf(await client.listBatches({ stockId: stockId(), productId: idAt(1) }, person));
  valueOf(await client.listBatches({ stockId: stockId(), productId, optionIds }, person));
  const ofCompany = await client.listCouponSettings({}, person);
  const coupons = valueOf(ofCompany.ok ? ofCompany : await client.listSettingsOfUnnamedCompany({}, person));
  await client.listCouponSettings({ productId: idAt(0), isEnabled: true }, person);
  const update = valueOf(
    await client.write({
      method: 'PUT',
      path: couponSettingsPath,
      body: `{"items":[{"product_id":${idAt(48)},"is_enabled":true}]}`,
      idempotencyKey: 'made-up-1',
      accessToken: tokenOf(till.token),
      user: tokenUser,
      slot: idleSlot,
    }),
  );
  const restoration = valueOf(
    await client.write({
      method: 'POST',
      path: '/api/v3/users/703',
      body: '{}',
      idempotencyKey: 'made-up-2',
      accessToken: tokenOf(till.token),
      user: tokenUser,
      slot: idleSlot,
    }),
  );
  return {
    first,
    byTerm,
    byIds,
    recent,
    balance,
    batches,
    coupons,
    update,
    restoration,
    scopes: await client.listScopes(person),
  };
}

// These answers stray from the document, so they are no matter for its description.
const straying: Partial<Record<keyof Variants, readonly unknown[]>> = { replayedAs: ['onReplayOnly'] };

const readings = Object.entries(variantTable).flatMap(([name, option]) =>
  'of' in option ? option.of.map((value) => [name, value] as const) : [],
);

describe('every operation of the client, under', () => {
  it.each(readings)('%s: %s', async (name, value) => {
    platform.setVariants({ [name]: value });
    const seen = await useEverything();
    expect([seen.first.elements.length, seen.first.total, seen.byIds.total]).toEqual([100, 300, 3]);
    expect(seen.byTerm.total).toBeGreaterThanOrEqual(1);
    expect([seen.recent.total, seen.recent.elements]).toEqual([0, []]);
    expect(Number.isFinite(seen.balance.balance)).toBe(true);
    expect(seen.balance.options).toHaveLength(platform.products.optionsAt(indexWithOptions()).length);
    expect(seen.coupons.length).toBe(name === 'unsetCoupons' && value === 'off' ? 300 : 24);
    expect(seen.update.status).toBe(name === 'hasCoupons' && value === false ? 422 : 204);
    expect(seen.restoration.status).toBe(204);
    if (!(straying[name as keyof Variants]?.includes(value) ?? false)) {
      expect(http.wrongs).toEqual([]);
    }
    const isMissingScopes = name === 'scopesMethod' && value === 'POST';
    expect(seen.scopes).toMatchObject(isMissingScopes ? { ok: false } : { ok: true, value: ['*'] });
  });
});

describe('what is judged', () => {
  it('is every operation that API v3 shows but the sample call', async () => {
    await useEverything();
    expect([...http.met].toSorted()).toEqual([
      'listConsumptionCoupons',
      'listScopes',
      'listStockProductBatches',
      'listStockProducts',
      'obtainToken',
      'readStockProductBalance',
      'restoreUser',
      'updateConsumptionCoupons',
    ]);
    expect(http.requests.length).toBeGreaterThan(20);
  });

  it('would be found wrong', async () => {
    await till.client.readBalance({ stockId: 'x' as Id, productId: '1' as Id }, person);
    expect(http.wrongs.join()).toContain('stockId');
  });
});

describe('a token request', () => {
  it('carries a key of its own, and is served by a platform that demands one', async () => {
    platform.setVariants({ keysRequired: 'all' });
    valueOf(await till.requestToken(password()));
    valueOf(await till.requestToken(password()));
    const keys = platform.arrivals().map(({ idempotencyKey }) => idempotencyKey);
    expect(keys.every((key) => /^[\da-f-]{36}$/.test(key ?? ''))).toBe(true);
    expect(new Set(keys).size).toBe(2);
    expect(http.wrongs).toEqual([]);
  });

  it.each(['dropAfterEffect', 'truncate'] as const)(
    'that renews is given its lost answer, with its rotated refresh token: %s',
    async (kind) => {
      const { refresh_token: first = '' } = valueOf(await till.requestToken(password()));
      const renew = (refreshToken: string) =>
        till.requestToken({ grant_type: 'refresh_token', refresh_token: refreshToken });
      platform.setFaults({ faults: [{ kind, path: '/oauth/token', times: 1 }] });
      expect((await renew(first)).ok).toBe(false);
      const { refresh_token: second = '' } = valueOf(await renew(first));
      expect(second).not.toBe(first);
      expect((await renew(second)).ok).toBe(true);
    },
  );
});

describe('every refusal that the platform gives', () => {
  const readTwice = async (variants: Partial<Variants>) => {
    platform.setVariants(variants);
    const { client } = till;
    till.token = valueOf(await till.requestToken(password())).access_token;
    const missing = await client.readBalance({ stockId: stockId(), productId: '17' as Id }, person);
    const forbidden = await (async () => {
      const other = openTill(platform.forbiddenCompanyId);
      other.token = till.token;
      return other.client.listStockProducts({ stockId: stockId(), page: 1, perPage: 1 }, person);
    })();
    platform.expireAccessTokens();
    const expired = await client.listCouponSettings({}, person);
    return [missing, forbidden, expired].map((result) => (result.ok ? 'ok' : result.failure.kind));
  };

  it.each(variantTable.unshownBodies.of)(
    'has a name, with bodies of 401 and 404 that are %s',
    async (unshownBodies) => {
      const kinds = await readTwice({ unshownBodies });
      // A page may be a machine's in between: then nothing is concluded from it.
      expect(kinds).toEqual([
        unshownBodies === 'page' ? expect.stringMatching(/^(notFound|notThePlatform)$/) : 'notFound',
        'forbidden',
        'unauthorized',
      ]);
      expect(http.wrongs).toEqual([]);
    },
  );

  it.each(variantTable.errorBodies.of)('has a name, with error bodies that are %s', async (errorBodies) => {
    expect(await readTwice({ errorBodies })).toEqual(['notFound', 'forbidden', 'unauthorized']);
  });
});
