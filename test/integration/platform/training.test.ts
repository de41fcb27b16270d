// The proof that the client and the training platform understand each other, in every shape that the document leaves
// open, and that every exchange between them is what the description of the interface says. Real HTTP, the app's own
// client throughout.
import { randomUUID } from 'node:crypto';
import { expect, onTestFinished, test } from 'vitest';
import { parseId, type Id } from '../../../app/domain/int64.ts';
import { writeJson } from '../../../app/domain/json.ts';
import { succeed } from '../../../app/domain/result.ts';
import { createNodeClock, createNodeRandom } from '../../../app/hosts/node/node-ports.ts';
import { failureOf } from '../../../app/platform/answer.ts';
import { createPlatformClient } from '../../../app/platform/client.ts';
import { createConnection } from '../../../app/platform/connection.ts';
import { createExchange } from '../../../app/platform/exchange.ts';
import { createAxiosHttp } from '../../../app/platform/http-axios.ts';
import { couponSettingsPath, restoreUserPath } from '../../../app/platform/paths.ts';
import { createTokenKeys } from '../../../app/platform/token-keys.ts';
import { createTokenRequest } from '../../../app/platform/tokens.ts';
import type { Http } from '../../../app/ports.ts';
import { describeInterface } from '../../../app/service/openapi/openapi.ts';
import { startTrainingPlatform } from '../../../app/training/server.ts';
import { places, users } from '../../../app/training/data/world.ts';
import { createInterfaceCheck, readDescription } from '../../support/interface-check.ts';
import { fixedTokens, tokenOf, tokenUser } from '../../support/tokens.ts';
import { idleSlot } from '../../support/idle-slot.ts';
import { valueOf } from '../../support/value-of.ts';

const shapes = ['nested', 'flat', 'bare'] as const;
const person = { lane: 'person' } as const;
const [stockId] = places.stockIds;
const [cashier] = users;

async function open() {
  const platform = await startTrainingPlatform({ directory: null, productCount: 60 });
  onTestFinished(() => platform.close());
  platform.setVariants({ requestsPerMinute: 1_000_000 });
  const check = createInterfaceCheck(readDescription(describeInterface(platform.platformUrl)));
  const faults: string[] = [];
  const axios = createAxiosHttp({ userAgent: 'Tillside/test' });
  const http: Http = {
    send: async (request) => {
      const answer = await axios.send(request);
      const seen = {
        method: request.method,
        url: request.url,
        body: request.body ?? '',
        headers: Object.fromEntries(
          Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]),
        ),
      };
      faults.push(...check.request(seen));
      if (answer.ok) {
        const { status, headers, body } = answer.value;
        faults.push(
          ...check.answer(seen, { status, body, headers: { get: (name) => headers[name.toLowerCase()] ?? null } }),
        );
      }
      return answer;
    },
  };
  const clock = createNodeClock();
  const connection = createConnection({ clock, random: createNodeRandom() }, () => undefined);
  onTestFinished(connection.close);
  const exchange = createExchange(http, platform.platformUrl, connection, new AbortController().signal, () =>
    clock.now(),
  );
  const rateLimit = {
    take: () => Promise.resolve(succeed(idleSlot)),
    slowDown: () => undefined,
    wantedFigures: () => [],
  };
  const requestToken = createTokenRequest(exchange, rateLimit, createTokenKeys(randomUUID));
  const credentials = { clientId: platform.clientId, clientSecret: platform.clientSecret };
  const signedIn = valueOf(
    await requestToken(credentials, { grant_type: 'password', username: cashier.email, password: cashier.password }),
  );
  const token = valueOf(
    await requestToken(credentials, { grant_type: 'refresh_token', refresh_token: signedIn.refresh_token ?? '' }),
  ).access_token;
  const tokens = fixedTokens(token);
  const clientOf = (companyId = places.companyId) => createPlatformClient({ exchange, rateLimit, tokens, companyId });
  const idAt = (index: number): Id => parseId(platform.products.idAt(index)) ?? expect.fail('no id');
  return { platform, client: clientOf(), clientOf, token, faults, idAt };
}

const sum = (amounts: readonly (number | null)[]): number =>
  Math.round(amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0) * 1000) / 1000;

test.each(shapes)(
  'stock in shape %s: options add up to the balance, entries and exits to all, batches to the entries',
  async (elementShape) => {
    const { platform, client, faults, idAt } = await open();
    platform.setVariants({ elementShape });
    let expiries = 0;
    let optionsSeen = 0;
    for (let index = 0; index < 60; index += 6) {
      const ids = { stockId, productId: idAt(index) };
      const all = valueOf(await client.readBalance(ids, person));
      const entries = valueOf(await client.readBalance({ ...ids, movementType: 'in' }, person));
      const exits = valueOf(await client.readBalance({ ...ids, movementType: 'out' }, person));
      expect(sum([entries.balance, exits.balance])).toBe(all.balance);
      expect(all.product).toMatchObject({
        id: ids.productId,
        name: platform.products.at(index).name,
        unit: platform.products.at(index).unit.code,
      });
      expect(all.options.map(({ name }) => name)).toEqual(platform.products.optionsAt(index).map(({ name }) => name));
      expect(all.options.map((option) => option.ids)).toEqual(
        platform.products.optionsAt(index).map(({ id }) => [String(id)]),
      );
      expect(all.options.length === 0 || sum(all.options.map(({ amount }) => amount)) === all.balance).toBe(true);
      optionsSeen += all.options.length;
      const batches = valueOf(await client.listBatches(ids, person));
      expect(batches.batches).toHaveLength(batches.total);
      expect(sum(batches.batches.map(({ quantity }) => quantity?.amount ?? null))).toBe(entries.balance);
      expect(batches.optionNames).toBe(all.options.map(({ name }) => name).join(' '));
      expiries += batches.batches.filter(({ expiresOn }) => expiresOn !== null).length;
      const days = batches.batches.map(({ expiresOn }) => expiresOn?.day ?? '~');
      expect(days).toEqual(days.toSorted());
    }
    expect(optionsSeen).toBeGreaterThan(0);
    expect(expiries > 0).toBe(elementShape !== 'bare');
    expect(faults).toEqual([]);
  },
);

test('the listing with all eight parameters, and a page of it by id', async () => {
  const { platform, client, faults, idAt } = await open();
  const query = {
    stockId,
    page: 1,
    perPage: 100,
    orderByField: 'name',
    orderByType: 'asc',
    amountInStock: 'all',
    updatedFrom: '2000-01-01T00:00:00-03:00',
  } as const;
  const all = valueOf(await client.listStockProducts(query, person));
  expect([all.elements.length, all.total, all.lastPage, all.perPage]).toEqual([60, 60, 1, 100]);
  const productIds = [idAt(3), idAt(7)];
  expect(valueOf(await client.listStockProducts({ ...query, productIds }, person)).total).toBe(2);
  expect(
    valueOf(await client.listStockProducts({ ...query, term: platform.products.at(3).code, productIds }, person)).total,
  ).toBe(1);
  expect(
    valueOf(await client.listStockProducts({ ...query, updatedFrom: '2200-01-01T00:00:00+05:30' }, person)).total,
  ).toBe(0);
  const parts = await Promise.all(
    (['positive', 'negative', 'zero'] as const).map(
      async (amountInStock) => valueOf(await client.listStockProducts({ ...query, amountInStock }, person)).total,
    ),
  );
  expect(sum(parts)).toBe(60);
  expect(faults).toEqual([]);
});

test('coupon settings, restorations and their refusals', async () => {
  const { client, clientOf, token, faults, idAt } = await open();
  const productId = idAt(0);
  const send = async (method: 'PUT' | 'POST', path: string, body: string, sender = client) =>
    valueOf(
      await sender.write({
        method,
        path,
        body,
        idempotencyKey: createNodeRandom().uuid(),
        accessToken: tokenOf(token),
        user: tokenUser,
        slot: idleSlot,
      }),
    );
  const settings = writeJson({ items: [{ product_id: BigInt(productId), is_enabled: true }] });
  expect((await send('PUT', couponSettingsPath, settings)).status).toBe(204);
  expect(valueOf(await client.listCouponSettings({ productId }, person))).toEqual([{ productId, isEnabled: true }]);
  expect(valueOf(await client.listCouponSettings({ isEnabled: true }, person))).toContainEqual({
    productId,
    isEnabled: true,
  });
  expect(valueOf(await client.listCouponSettings({ productId, isEnabled: false }, person))).toEqual([]);
  expect(failureOf(await send('PUT', couponSettingsPath, settings, clientOf(places.secondCompanyId)))).toMatchObject({
    code: 'uneditable_entity',
  });
  expect(failureOf(await send('PUT', couponSettingsPath, settings, clientOf(places.forbiddenCompanyId)))).toMatchObject(
    { kind: 'forbidden', code: 'forbidden' },
  );
  expect((await send('POST', restoreUserPath(users[2]?.id ?? places.companyId), '{}')).status).toBe(204);
  expect(failureOf(await send('POST', restoreUserPath(users[3]?.id ?? places.companyId), '{}'))).toMatchObject({
    kind: 'badRequest',
    status: 400,
  });
  expect(failureOf(await send('POST', restoreUserPath(places.companyId), '{}'))).toMatchObject({
    kind: 'notFound',
    status: 404,
  });
  expect(faults).toEqual([]);
});

test.each(['list', 'names', 'wrapped'] as const)('the scopes as %s', async (scopesShape) => {
  const { platform, client, faults } = await open();
  platform.setVariants({ scopesShape });
  expect(valueOf(await client.listScopes(person))).toEqual(['*']);
  expect(faults).toEqual([]);
});
