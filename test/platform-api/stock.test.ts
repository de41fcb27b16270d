// API v3 §4.4 and §4.5: balances and batches, and the checks that every resource makes (§1, §5, §7).
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, couponsPath, startSignedIn } from '../support/training-caller.ts';

let caller: Caller;
beforeAll(async () => {
  caller = await startSignedIn({ productCount: 500 });
});
afterAll(() => caller.platform.close());

interface BalanceBody {
  readonly stock: { readonly id: number | bigint; readonly name: string };
  readonly product: Readonly<Record<string, unknown>>;
  readonly balance: number;
  readonly balance_options: readonly { readonly option: { readonly id: number }; readonly balance: number }[];
}

const balancePath = (index: number, what = 'balance', stockId: string = caller.platform.stockIds[0] ?? ''): string =>
  `/api/v3/stocks/${stockId}/products/${caller.platform.products.idAt(index)}/${what}`;
const readBalance = async (path: string) => (await caller.send(path)).body as unknown as BalanceBody;
const indexWith = (isWanted: (index: number) => boolean): number =>
  Array.from({ length: 500 }, (_unused, index) => index).find(isWanted) ?? -1;
const sum = (numbers: readonly number[]): number =>
  Math.round(numbers.reduce((total, number) => total + number, 0) * 1000) / 1000;

describe('balance', () => {
  it('answers stock, product, balance and options', async () => {
    const { products } = caller.platform;
    const index = indexWith((candidate) => products.optionsAt(candidate).length > 2);
    const { code, name, unit } = products.at(index);
    expect(await readBalance(balancePath(index))).toEqual({
      stock: { id: 1201, name: 'Loja' },
      product: {
        id: Number(products.idAt(index)),
        name,
        sku: code,
        unit_of_measure: { id: unit.id, code: unit.code, name: unit.name },
      },
      balance: expect.any(Number) as number,
      balance_options: products
        .optionsAt(index)
        .map((option) => ({
          option: { id: Number(option.id), name: option.name },
          balance: expect.any(Number) as number,
        })),
    });
  });

  it('is the figure of the listing', async () => {
    const listing = await caller.list('per_page=100&order_by_type=asc');
    const { data } = listing.body as unknown as {
      data: { stock_products: { product: { id: number | bigint }; balance: number }[] };
    };
    for (const { product, balance } of data.stock_products.slice(0, 25)) {
      expect((await readBalance(`/api/v3/stocks/1201/products/${product.id}/balance`)).balance).toBe(balance);
    }
  });

  it('adds up: entries and exits to all movements, options to the balance', async () => {
    for (let index = 0; index < 40; index += 1) {
      const [all, entries, exits] = await Promise.all(
        ['all', 'in', 'out'].map((movement) => readBalance(`${balancePath(index)}?movement_type=${movement}`)),
      );
      expect(entries?.balance).toBeGreaterThanOrEqual(0);
      expect(exits?.balance).toBeLessThanOrEqual(0);
      expect(sum([entries?.balance ?? 0, exits?.balance ?? 0])).toBe(all?.balance);
      for (const answer of [all, entries, exits]) {
        const amounts = answer?.balance_options.map((option) => option.balance) ?? [];
        expect(amounts.length === 0 || sum(amounts) === answer?.balance).toBe(true);
      }
    }
  });

  it('of some options is theirs alone', async () => {
    const index = indexWith((candidate) => caller.platform.products.optionsAt(candidate).length > 2);
    const whole = await readBalance(balancePath(index));
    const chosen = whole.balance_options.slice(0, 2);
    const part = await readBalance(
      `${balancePath(index)}?option_ids=${chosen.map(({ option }) => option.id).join(',')}`,
    );
    expect(part.balance_options).toEqual(chosen);
    expect(part.balance).toBe(sum(chosen.map((option) => option.balance)));
    expect(await readBalance(`${balancePath(index)}?option_ids=1`)).toMatchObject({ balance: 0, balance_options: [] });
  });

  it('keeps the digits of ids beyond 2^53, of products and of stocks', async () => {
    const { kioskStockId, secondCompanyId, products } = caller.platform;
    const answer = await caller.send(balancePath(96, 'balance', kioskStockId), {
      headers: { 'service-company-id': secondCompanyId },
    });
    expect(answer.text).toContain('"stock":{"id":9007199254740993,');
    expect(answer.text).toContain(`"product":{"id":${products.idAt(96)},`);
    expect(products.idAt(96)).toBe(2n ** 53n + 193n);
  });

  it('refuses other movements and ids that are none', async () => {
    expect((await caller.send(`${balancePath(0)}?movement_type=both`)).body).toMatchObject({
      meta: [{ field: 'movement_type' }],
    });
    const answer = await caller.send(`${balancePath(0)}?option_ids=a`);
    expect([answer.status, answer.body['code']]).toEqual([422, 'unprocessable_entity']);
  });

  it.each(['17', '99999999999999999999', 'x'])('does not find product %s', async (id) => {
    const answer = await caller.send(`/api/v3/stocks/1201/products/${id}/balance`);
    expect([answer.status, answer.body['code']]).toEqual([404, 'not_found']);
  });

  it.each(['flat', 'bare'] as const)('keeps the documented fields in shape %s', async (elementShape) => {
    caller.platform.setVariants({ elementShape });
    const answer = await readBalance(balancePath(0));
    caller.platform.setVariants({ elementShape: 'nested' });
    expect(Object.keys(answer)).toEqual(['stock', 'product', 'balance', 'balance_options']);
    expect(answer.product).toMatchObject({
      id: 1_000_001,
      sku: '000001',
      unit_of_measure: { name: expect.any(String) as string },
    });
  });
});

describe('batches', () => {
  it('are entries that add up to all entries; perishable goods expire', async () => {
    let expiring = 0;
    for (let index = 0; index < 40; index += 1) {
      const { body } = await caller.send(balancePath(index, 'batches'));
      const batches = body['stock_movements'] as { amount: number; created_at: string; expires_at: string | null }[];
      const entries = await readBalance(`${balancePath(index)}?movement_type=in`);
      expect(sum(batches.map((batch) => batch.amount))).toBe(entries.balance);
      for (const batch of batches.filter(({ expires_at: expiry }) => expiry !== null)) {
        expect(batch.expires_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d-03:00$/);
        expect(Date.parse(batch.expires_at ?? '')).toBeGreaterThan(Date.parse(batch.created_at));
        expiring += 1;
      }
    }
    expect(expiring).toBeGreaterThan(10);
  });

  it('name the options, separated by spaces, or only those asked for', async () => {
    const { products } = caller.platform;
    const index = indexWith((candidate) => products.optionsAt(candidate).length > 2);
    const options = products.optionsAt(index);
    const all = await caller.send(balancePath(index, 'batches'));
    expect(all.body['option_names']).toBe(options.map((option) => option.name).join(' '));
    const one = await caller.send(`${balancePath(index, 'batches')}?option_ids=${options[1]?.id}`);
    expect(one.body['option_names']).toBe(options[1]?.name);
    const none = await caller.send(`${balancePath(index, 'batches')}?option_ids=1`);
    expect(none.body).toMatchObject({ option_names: '', stock_movements: [] });
  });
});

describe('what every resource asks for', () => {
  it.each(['content-type', 'accept', 'service-company-id'])('the header %s', async (name) => {
    const answer = await caller.send(balancePath(0), { headers: { [name]: undefined } });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({ code: 'missing_headers', meta: [{ validations: [{ type: 'required' }] }] });
    expect((answer.body['meta'] as { field: string }[])[0]?.field.toLowerCase()).toBe(name);
  });

  it('at every known path, whatever the method, but that only the sign-in is not asked for under /oauth', async () => {
    const knownPaths = [
      couponsPath,
      balancePath(0),
      balancePath(0, 'batches'),
      '/api/v3/stocks/1201/products',
      '/api/v3/users/703',
      '/api/v3/categories',
      '/oauth/token',
      '/oauth/scopes',
    ];
    for (const path of knownPaths) {
      const send = async (headers: Record<string, string | undefined>) =>
        (await caller.send(path, { method: 'DELETE', headers })).status;
      const isOpen = path.startsWith('/oauth/');
      expect(
        [
          await send({}),
          await send({ accept: undefined }),
          await send({ 'content-type': 'text/plain' }),
          await send({ authorization: undefined }),
        ],
        path,
      ).toEqual([405, 400, 400, isOpen ? 405 : 401]);
    }
    expect(
      (await caller.send('/api/v3/nothing', { headers: { accept: undefined, authorization: undefined } })).status,
    ).toBe(404);
  });

  it.each([
    ['application/jsonp', 400],
    ['text/plain;as=application/json', 400],
    ['Application/JSON; charset=utf-8', 200],
    ['text/plain, application/json;q=0.5', 200],
  ] as const)('JSON, by whatever parameters: %s', async (accept, status) => {
    caller.isChecked = false;
    expect((await caller.send(balancePath(0), { headers: { accept } })).status).toBe(status);
  });

  it.each([undefined, 'Bearer nobody', 'Basic abc', ''])('a token that it gave, not %s', async (authorization) => {
    const answer = await caller.send(balancePath(0), { headers: { authorization } });
    expect([answer.status, answer.body['code']]).toEqual([401, 'unauthorized']);
  });

  it('a company that the user may use', async () => {
    const send = (companyId: string) => caller.send(balancePath(0), { headers: { 'service-company-id': companyId } });
    const forbidden = await send(caller.platform.forbiddenCompanyId);
    expect([forbidden.status, forbidden.body['code']]).toEqual([403, 'forbidden']);
    expect((await send('12345')).status).toBe(403);
    expect((await send('abc')).body).toMatchObject({
      code: 'unprocessable_entity',
      meta: [{ field: 'Service-Company-Id' }],
    });
  });

  it('a path that exists', async () => {
    for (const path of [
      '/',
      '/api/v3/',
      '/api/v3/purchases',
      '/api/v2/stocks/1201/products',
      '/api/v3/stocks/1201/products/',
      '//',
    ]) {
      const answer = await caller.send(path);
      expect([path, answer.status, answer.body['code']]).toEqual([path, 404, 'not_found']);
    }
  });

  it('a method that the path has', async () => {
    for (const [method, path, allowed] of [
      ['DELETE', couponsPath, 'GET, PUT'],
      ['POST', balancePath(0), 'GET'],
      ['GET', '/oauth/token', 'POST'],
      ['GET', '/api/v3/users/703', 'POST'],
    ] as const) {
      const answer = await caller.send(path, { method });
      expect([answer.status, answer.body['code'], answer.headers.get('allow')]).toEqual([
        405,
        'method_not_allowed',
        allowed,
      ]);
    }
  });

  it('a Date header tells the platform its own time', async () => {
    const now = Date.parse('2031-05-06T07:08:09Z');
    const other = await startSignedIn({ productCount: 1, now: () => now });
    const answer = await other.list();
    await other.platform.close();
    expect(answer.headers.get('date')).toBe('Tue, 06 May 2031 07:08:09 GMT');
  });
});
