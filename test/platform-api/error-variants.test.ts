// Readings of what API v3 leaves open, as far as the kit's rows (`conformance.test.ts`) do not tell them, over real HTTP.
import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { errorCodes } from '../../app/service/answers.ts';
import { conditionTable } from '../../app/training/options/network-conditions.ts';
import { readOptions } from '../../app/service/option.ts';
import { variantTable, type Variants } from '../../app/training/options/variants.ts';
import { type Caller, couponsPath, readListing, readProducts, startSignedIn } from '../support/training-caller.ts';

let now: number;
let caller: Caller;
beforeEach(async () => {
  now = Date.parse('2026-07-01T09:00:30-03:00');
  caller = await startSignedIn({ productCount: 300, now: () => now });
});
afterEach(() => caller.platform.close());

const idAt = (index: number): string => String(caller.platform.products.idAt(index));
const balancePath = (index: number, what = 'balance'): string => `/api/v3/stocks/1201/products/${idAt(index)}/${what}`;
const setVariants = (variants: Partial<Variants>): void => {
  caller.platform.setVariants(variants);
};
const indexWith = (isWanted: (index: number) => boolean): number =>
  Array.from({ length: 300 }, (_unused, index) => index).find(isWanted) ?? -1;

describe('date-times in the zone of the store (§2)', () => {
  it.each([
    ['America/Sao_Paulo', '2026-07-01T09:00:30-03:00'],
    ['America/Manaus', '2026-07-01T08:00:30-04:00'],
    // Summer there.
    ['America/New_York', '2026-07-01T08:00:30-04:00'],
    ['Asia/Kolkata', '2026-07-01T17:30:30+05:30'],
    ['UTC', '2026-07-01T12:00:30+00:00'],
  ] as const)('%s', async (timeZone, written) => {
    setVariants({ timeZone });
    caller.platform.changeBalance('1201', idAt(5), 1);
    const { elements } = readListing(await caller.list(`product_ids=${idAt(5)}`));
    expect(elements).toMatchObject([{ updated_at: written }]);
    // A written time is understood.
    expect(readListing(await caller.list(`updated_from=${encodeURIComponent(written)}`)).meta.total).toBe(1);
  });

  it('follows a zone into its winter', async () => {
    setVariants({ timeZone: 'America/New_York' });
    now = Date.parse('2026-12-01T12:00:00Z');
    await caller.signIn();
    caller.platform.changeBalance('1201', idAt(5), 1);
    expect(readListing(await caller.list(`product_ids=${idAt(5)}`)).elements).toMatchObject([
      { updated_at: '2026-12-01T07:00:00-05:00' },
    ]);
  });
});

describe('listing (§4.3)', () => {
  it('finds a term anywhere', async () => {
    const { products } = caller.platform;
    const index = indexWith((candidate) => products.barcodesAt(candidate).length > 0);
    const middle = products.barcodesAt(index)[0]?.slice(3, 9) ?? '';
    expect(readListing(await caller.list(`term=${middle}`)).meta.total).toBe(0);
    setVariants({ termMatch: 'contains' });
    expect(readProducts(await caller.list(`term=${middle}`)).map((product) => product.name)).toContain(
      products.nameAt(index),
    );
    expect(
      readListing(await caller.list(`term=${encodeURIComponent(products.nameAt(index).slice(2))}`)).meta.total,
    ).toBeGreaterThan(0);
  });

  it('has one page or none when it is empty, and beyond the last page nothing or 404', async () => {
    setVariants({ emptyLastPage: 0 });
    expect(readListing(await caller.list('term=nobody')).meta).toEqual({
      current_page: 1,
      last_page: 0,
      per_page: 30,
      total: 0,
    });
    setVariants({ pageBeyondLast: 'notFound' });
    expect((await caller.list('term=nobody')).status).toBe(200);
    expect((await caller.list('page=10')).status).toBe(200);
    expect((await caller.list('page=11')).status).toBe(404);
  });
});

describe('balance and batches (§4.4, §4.5)', () => {
  it('counts exits up or down', async () => {
    const index = indexWith((candidate) => caller.platform.products.optionsAt(candidate).length > 2 && candidate > 3);
    const out = async () =>
      (await caller.send(`${balancePath(index)}?movement_type=out`)).body as unknown as {
        balance: number;
        balance_options: { balance: number }[];
      };
    const down = await out();
    expect(down.balance).toBeLessThan(0);
    setVariants({ exits: 'positive' });
    const up = await out();
    expect(up.balance).toBe(-down.balance);
    expect(up.balance_options.every((option) => option.balance >= 0)).toBe(true);
  });

  it('adds up for each option too', async () => {
    const read = async (index: number, movement: string) =>
      (
        (await caller.send(`${balancePath(index)}?movement_type=${movement}`)).body as unknown as {
          balance_options: { balance: number }[];
        }
      ).balance_options.map((option) => option.balance);
    for (let index = 0; index < 60; index += 1) {
      const [all, entries, exits] = [await read(index, 'all'), await read(index, 'in'), await read(index, 'out')];
      expect(entries.map((entry, place) => Math.round((entry + (exits[place] ?? 0)) * 1000) / 1000)).toEqual(all);
      expect(entries.every((entry) => entry >= 0)).toBe(true);
    }
  });

  it('gives the batches of the chosen options alone', async () => {
    const index = indexWith((candidate) => caller.platform.products.optionsAt(candidate).length > 2);
    const read = async (query: string) =>
      (await caller.send(balancePath(index, 'batches') + query)).body['stock_movements'] as { id: number }[];
    const all = await read('');
    const parts: { id: number }[] = [];
    for (const option of caller.platform.products.optionsAt(index)) {
      parts.push(...(await read(`?option_ids=${option.id}`)));
    }
    expect(new Set(parts.map((batch) => batch.id))).toEqual(new Set(all.map((batch) => batch.id)));
    expect(parts).toHaveLength(all.length);
    expect(all.length).toBeGreaterThan(1);
  });

  it.each([
    ['flat', ['entry_date', 'expiration_date', 'lot_number', 'movement_id', 'quantity']],
    ['bare', ['id', 'quantity']],
  ] as const)('gives batches in shape %s', async (elementShape, fields) => {
    setVariants({ elementShape });
    const batches = (await caller.send(balancePath(1, 'batches'))).body['stock_movements'] as object[];
    expect(batches.length).toBeGreaterThan(0);
    expect(batches.every((batch) => JSON.stringify(Object.keys(batch).toSorted()) === JSON.stringify(fields))).toBe(
      true,
    );
  });
});

describe('coupons and users (§4.6 to §4.8)', () => {
  it.each([
    ['own', false],
    ['first', true],
  ] as const)('lists for a named company as %s', async (couponsOfCompany, isOn) => {
    setVariants({ couponsOfCompany });
    const headers = { 'service-company-id': caller.platform.secondCompanyId };
    const answer = await caller.send(`${couponsPath}?product_id=${idAt(0)}`, { headers });
    expect(answer.body['items']).toEqual([{ product_id: Number(idAt(0)), is_enabled: isOn }]);
  });

  it('keeps the settings of two companies apart', async () => {
    setVariants({ secondHasCoupons: true });
    const { secondCompanyId, companyId } = caller.platform;
    const headers = { 'service-company-id': secondCompanyId };
    expect((await caller.put(randomUUID(), [[idAt(1), true]], { headers })).status).toBe(204);
    expect(caller.platform.couponSettings(secondCompanyId).get(idAt(1))).toBe(true);
    expect(caller.platform.couponSettings(companyId).get(idAt(1))).toBe(undefined);
    setVariants({ hasCoupons: false });
    expect((await caller.put(randomUUID(), [[idAt(1), false]], { headers })).status).toBe(204);
    expect((await caller.put(randomUUID(), [[idAt(1), false]])).status).toBe(422);
  });

  it('has more fields than are shown, in the flat shape', async () => {
    setVariants({ elementShape: 'flat' });
    const { items } = (await caller.send(`${couponsPath}?product_id=${idAt(0)}`)).body;
    expect(items).toEqual([
      { product_id: Number(idAt(0)), is_enabled: true, product_name: caller.platform.products.nameAt(0) },
    ]);
  });

  it.each(['422:uneditable_entity', '422:unprocessable_entity', '403:forbidden', '400:bad_request'] as const)(
    'refuses with %s where the ERP settings have coupons off',
    async (couponsOffRefusal) => {
      setVariants({ hasCoupons: false, couponsOffRefusal });
      const answer = await caller.put(randomUUID(), [[idAt(0), true]]);
      expect(`${answer.status}:${String(answer.body['code'])}`).toBe(couponsOffRefusal);
      setVariants({ hasCoupons: true });
      expect((await caller.put(randomUUID(), [[idAt(0), true]])).status).toBe(204);
    },
  );

  it('applies the good ones of a refused update, or none', async () => {
    setVariants({ partialUpdates: 'goodOnes' });
    const answer = await caller.put('key', [
      [idAt(1), true],
      ['17', true],
      [idAt(2), true],
    ]);
    expect([answer.status, answer.body['meta']]).toMatchObject([422, [{ field: 'items.1.product_id' }]]);
    expect(caller.platform.effects().map((effect) => effect.productId)).toEqual([idAt(1), idAt(2)]);
  });

  it.each([
    [0, 'product', 'items.1.product_id', [17]],
    [1, 'product', 'items.2.product_id', [17]],
    [1, 'empty', 'items.2.product_id', []],
  ] as const)('counts items from %i, and gives the %s as value', async (itemsFrom, itemValues, field, value) => {
    setVariants({ itemsFrom, itemValues });
    const answer = await caller.put('key', [
      [idAt(1), true],
      ['17', true],
    ]);
    expect(answer.body['meta']).toEqual([{ field, validations: [{ type: 'exists', value }] }]);
  });

  it('accepts or refuses to restore who is there; a deleted one can be deleted again, and is out at once', async () => {
    const restore = (userId: string) => caller.send(`/api/v3/users/${userId}`, { method: 'POST', key: randomUUID() });
    expect((await restore('702')).status).toBe(422);
    setVariants({ restoreOfActive: 'accepted' });
    expect((await restore('702')).status).toBe(204);
    expect((await restore('703')).status).toBe(204);
    await caller.signIn({ username: 'estoquista@example.com', password: 'praticar-aqui-3' });
    expect((await caller.list()).status).toBe(200);
    caller.platform.deleteUser('703');
    expect((await caller.list()).status).toBe(401);
    expect(() => {
      caller.platform.deleteUser('701');
    }).toThrow(RangeError);
  });
});

describe('sign-in (§5)', () => {
  it('with a credential missing, or the scope', async () => {
    // The description asks for every field, so these successes stray from it.
    caller.isChecked = false;
    const answer = async (fields: Record<string, unknown>) => {
      const { status, body } = await caller.token(fields);
      return [status, body['code']];
    };
    expect(await answer({ password: undefined })).toEqual([401, 'unauthorized']);
    expect(await answer({ scope: undefined })).toEqual([400, 'invalid_scope']);
    setVariants({ missingCredentials: 400, scopeWhenAbsent: 'all' });
    expect(await answer({ password: undefined })).toEqual([400, 'bad_request']);
    expect(await answer({ scope: undefined })).toEqual([200, undefined]);
    expect(await answer({ scope: 'stock' })).toEqual([400, 'invalid_scope']);
  });

  it.each([
    ['list', [{ id: '*', description: 'Acesso completo' }]],
    ['names', ['*']],
    ['wrapped', { data: [{ id: '*', description: 'Acesso completo' }] }],
  ] as const)('names its scopes as a %s', async (scopesShape, body) => {
    setVariants({ scopesShape });
    expect((await caller.send('/oauth/scopes', { headers: { authorization: undefined } })).body).toEqual(body);
  });

  it('names its scopes to GET or to POST', async () => {
    setVariants({ scopesMethod: 'POST' });
    expect((await caller.send('/oauth/scopes')).status).toBe(405);
    caller.isChecked = false;
    expect((await caller.send('/oauth/scopes', { method: 'POST' })).status).toBe(200);
  });
});

describe('the limit (§8)', () => {
  it('is of each minute of the clock, when it is fixed', async () => {
    setVariants({ minute: 'fixed', requestsPerMinute: 10 });
    const statuses = await Promise.all(Array.from({ length: 12 }, () => caller.list()));
    // The sign-in of this minute counts.
    expect(statuses.filter((answer) => answer.status === 200)).toHaveLength(9);
    expect(statuses.at(-1)?.headers.get('retry-after')).toBe('30');
    now += 30_000;
    expect((await caller.list()).status).toBe(200);
  });

  it('leaves out tokens and scopes, when told to', async () => {
    setVariants({ areTokensCounted: false, requestsPerMinute: 2 });
    // The sign-in before counted.
    expect((await caller.list()).status).toBe(200);
    expect((await caller.list()).status).toBe(429);
    expect((await caller.token()).status).toBe(200);
    expect((await caller.send('/oauth/scopes')).status).toBe(200);
  });

  it('counts what it refuses, when told to', async () => {
    setVariants({ areRefusedCounted: true, requestsPerMinute: 5 });
    const call = async (times: number) => {
      const statuses: number[] = [];
      for (let place = 0; place < times; place += 1) {
        statuses.push((await caller.list()).status);
      }
      return statuses;
    };
    // The sign-in was the first.
    expect(await call(4)).toEqual([200, 200, 200, 200]);
    now += 30_000;
    expect(await call(2)).toEqual([429, 429]);
    now += 30_000;
    expect(await call(4)).toEqual([200, 200, 200, 429]);
  });

  it.each([
    ['seconds', '5'],
    ['date', 'Wed, 01 Jul 2026 12:00:35 GMT'],
    ['none', null],
  ] as const)('tells the waiting time as %s', async (retryAfter, header) => {
    setVariants({ retryAfter });
    caller.platform.setFaults({ faults: [{ kind: 'answer', status: 429, times: 1 }] });
    expect((await caller.list()).headers.get('retry-after')).toBe(header);
  });
});

describe('refusals (§2, §7)', () => {
  it('with the required fields alone', async () => {
    setVariants({ errorBodies: 'codeOnly' });
    expect((await caller.list('page=0')).body).toEqual({ code: 'unprocessable_entity', meta: [{ field: 'page' }] });
    expect((await caller.list('', '999')).body).toEqual({ code: 'not_found' });
  });

  it.each([
    ['empty', '', null],
    ['page', /^<!doctype html>/, 'text/html; charset=utf-8'],
    ['otherJson', /^\{"error":/, 'application/json'],
  ] as const)('with a body of 401 and 404 that is %s, also when it is a replay', async (unshownBodies, body, type) => {
    setVariants({ unshownBodies });
    const missing = await caller.list('', '999');
    const restore = () => caller.send('/api/v3/users/1', { method: 'POST', key: 'key' });
    const first = await restore();
    const again = await restore();
    caller.accessToken = 'made-up';
    const stranger = await caller.list();
    expect([missing, first, again, stranger].map((answer) => answer.status)).toEqual([404, 404, 404, 401]);
    for (const answer of [missing, first, again, stranger]) {
      expect(answer.text).toMatch(body);
      expect(answer.headers.get('content-type')).toBe(type);
    }
    expect([again.text, again.headers.get('idempotency-replayed')]).toEqual([first.text, 'true']);
  });

  it('with either status for a parameter out of its bounds', async () => {
    setVariants({ invalidParameters: 400 });
    for (const path of [
      '/api/v3/stocks/1201/products?page=0',
      `${balancePath(0)}?movement_type=x`,
      `${balancePath(0, 'batches')}?option_ids=x`,
      `${couponsPath}?product_id=x`,
    ]) {
      const answer = await caller.send(path);
      expect([answer.status, answer.body['code'], (answer.body['meta'] as unknown[]).length], path).toEqual([
        400,
        'bad_request',
        1,
      ]);
    }
  });

  it.each(errorCodes)('with the code %s, as a fault', async (code) => {
    caller.platform.setFaults({ faults: [{ kind: 'answer', status: 422, code, field: 'items', times: 1 }] });
    const answer = await caller.put('key', [[idAt(1), true]]);
    expect([answer.status, answer.body]).toMatchObject([422, { code, meta: [{ field: 'items' }] }]);
  });
});

describe('the options', () => {
  const read = (given: Record<string, unknown>) => readOptions(variantTable, given);

  it('are read from JSON and from a command line alike', () => {
    expect(read({ hasExpiresIn: false, emptyLastPage: 0, accessTokenSeconds: 5 })).toEqual(
      read({ hasExpiresIn: 'false', emptyLastPage: '0', accessTokenSeconds: '5' }),
    );
  });

  it.each<Record<string, unknown>>([
    { elementShape: 'round' },
    { accessTokenSeconds: 0 },
    { accessTokenSeconds: 1.5 },
    { accessTokenSeconds: '' },
    { hasExpiresIn: 1 },
    { nobody: 1 },
    { toString: 1 },
  ])('refuse %j', (given) => {
    expect(() => read(given)).toThrow(RangeError);
  });

  it('are all in the README, with their values', () => {
    const readme = readFileSync('app/training/README.md', 'utf8');
    for (const [name, option] of Object.entries({ ...variantTable, ...conditionTable })) {
      const row = readme.split('\n').find((line) => line.startsWith(`| \`${name}\` |`));
      expect(row, name).toContain(option.says);
      expect(row, name).toContain(`**${option.default}**`);
      expect(
        'of' in option
          ? option.of.every((value) => row?.includes(String(value)))
          : row?.includes(`${option.from} to ${option.to}`),
        name,
      ).toBe(true);
    }
  });
});
