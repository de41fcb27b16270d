// A bridge over a real Tryton server with a demonstration shop.
import { createServer } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createTrytonSource } from '../../../../app/bridge/sources/tryton/tryton.ts';
import { readListing } from '../../../support/training-caller.ts';
import { hasTryton, startTryton, trytonUser, type Tryton } from '../../../support/tryton.ts';
import { judgeBridge } from '../../bridge/judge-bridge.ts';
import { idOf } from '../../bridge/shop.ts';
import { makeTrytonShop, openTryton, type TrytonShop } from './tryton-shop.ts';
import { listenLocally } from '../../../support/listen.ts';

describe.skipIf(!hasTryton())('a bridge over Tryton', () => {
  let server: Tryton;
  let shop: TrytonShop;
  beforeAll(async () => {
    server = await startTryton();
    shop = await makeTrytonShop(server);
  }, 180_000);
  afterAll(() => server.remove());

  it('lists products with identifiers, units, prices and the figures of each stock', async () => {
    const { caller } = await openTryton(server);
    const query = 'order_by_field=name&order_by_type=asc';
    expect(readListing(await caller.list(query)).elements).toMatchObject([
      { name: 'Arroz integral', code: 'ARROZ-1', barcodes: ['9520000000035'], unit: 'u', price: 7.5, amount: 0 },
      { name: 'Café moído', code: 'CAFE-1', barcodes: ['9520000000011', '9520000000028'], price: 18.9, amount: 12 },
      { name: 'Queijo fresco', barcodes: [], unit: 'kg', price: 42, amount: 3.5 },
    ]);
    expect(readListing(await caller.list(query, '2')).elements.map(({ amount }) => amount)).toEqual([0, 40, 0]);
  });

  it('answers a balance, its entries and exits, and lots with their expiry from the server itself', async () => {
    const opened = await openTryton(server);
    const rice = shop.products.get('ARROZ-1') ?? 0;
    await shop.move(rice, 5, 'SUP', 'STO');
    await shop.move(rice, 2, 'STO', 'DEP');
    const path = `/api/v3/stocks/1/products/${await idOf(opened, '9520000000035')}/balance`;
    const balanceOf = async (movement: string): Promise<unknown> =>
      (await opened.caller.send(`${path}?movement_type=${movement}`)).body['balance'];
    expect([await balanceOf('all'), await balanceOf('in'), await balanceOf('out')]).toEqual([3, 5, -2]);
    await shop.move(rice, 2, 'DEP', 'CUS');
    await shop.move(rice, 3, 'STO', 'CUS');
    const cheese = `/api/v3/stocks/1/products/${await idOf(opened, 'queijo')}/batches`;
    expect((await opened.caller.send(cheese)).body['stock_movements']).toMatchObject([
      { lot_number: 'L-7', quantity: 3.5, expiration_date: '2030-12-31' },
    ]);
  });

  it('keeps every line of the document that can be told', async () => {
    const report = await judgeBridge((now) => openTryton(server, now));
    expect(report.lines.filter(({ verdict }) => verdict === 'broken')).toEqual([]);
    expect([report.outcome, report.why]).toEqual(['kept', null]);
  });

  it('signs in anew after its session has ended', async () => {
    const { bridge, caller } = await openTryton(server);
    // A new password ends all sessions of its user.
    await server.call('model.res.user.write', [[1], { password: trytonUser.password }]);
    await bridge.update();
    expect(readListing(await caller.list()).meta.total).toBe(3);
  });

  it('goes on with what it read where the server refuses or is down, and logs no secret', async () => {
    const { bridge, caller, log } = await openTryton(server);
    await server.call('model.res.user.write', [[1], { password: 'pfgjdmvkwb-83617' }]);
    await expect(bridge.update()).rejects.toThrow(/answered 40[13]|refuses common.db.login/);
    await server.kill();
    await expect(bridge.update()).rejects.toThrow('ECONNREFUSED');
    expect(readListing(await caller.list()).meta.total).toBe(3);
    expect(log.join('')).not.toContain(trytonUser.password);
  });
});

it.each([
  [["'stock.lot'", ''], 'no batches'],
  [["'another'", ''], 'Tryton refuses model.stock.lot.fields_get'],
])('answers, where lots are refused with %j: %s', async (error, expected) => {
  const server = createServer((request, response) => {
    void readText(request).then((body) => {
      const answers: Readonly<Record<string, object>> = {
        'common.db.login': { result: [1, 'session'] },
        'model.res.user.get_preferences': { result: {} },
      };
      const { method } = JSON.parse(body) as { readonly method: string };
      response.end(JSON.stringify({ id: 0, ...(answers[method] ?? { error }) }));
    });
  });
  const port = await listenLocally(server);
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${port}`;
  const settings = { kind: 'tryton', address, database: 'shop', ...trytonUser, everySeconds: 60 } as const;
  const asked = createTrytonSource(settings, ['WH'], 'UTC').listBatches?.('1', 'WH');
  const answer = await asked?.then(
    (batches) => (batches.length === 0 ? 'no batches' : 'batches'),
    (failure: unknown) => String(failure),
  );
  expect(answer).toContain(expected);
});
