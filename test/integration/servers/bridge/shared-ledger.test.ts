// Several bridges over one shop, as behind a balancer: they share a ledger in PostgreSQL.
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startBridge } from '../../../../app/bridge/bridge.ts';
import { readConfig } from '../../../../app/bridge/config.ts';
import { hasPostgres, startPostgres, type Postgres } from '../../../support/postgres.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { Caller, readListing, type CalledPlatform, type TokenAnswer } from '../../../support/training-caller.ts';
import { judgeBridge } from '../../bridge/judge-bridge.ts';
import { startLedgerServer, makeLedgerDatabase, type LedgerDatabase } from './ledger-database.ts';
import {
  calledAt,
  environmentOf,
  idOf,
  makeShop,
  noServers,
  openBridge,
  queries,
  writeConfig,
  type OpenBridge,
  type ShopDatabase,
} from '../../bridge/shop.ts';

const source = { kind: 'sql', database: { env: 'SHOP' }, queries, everySeconds: 3600 };
const shared = { ledger: { env: 'LEDGER' }, source };
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

describe.skipIf(!hasPostgres())('bridges that share a ledger', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startLedgerServer();
  }, 60_000);
  afterAll(() => postgres.remove());

  interface World {
    readonly shop: ShopDatabase;
    readonly ledger: LedgerDatabase;
    /** Opens one more bridge, with a folder of its own. */
    more(now?: () => number, change?: object): Promise<OpenBridge>;
  }

  async function makeWorld(): Promise<World> {
    const ledger = await makeLedgerDatabase(postgres);
    const shop = await makeShop('sqlite', temporaryDirectory(), noServers, 'shop');
    const more = async (now: () => number = Date.now, change: object = {}): Promise<OpenBridge> => {
      const secrets = { SHOP: shop.address, LEDGER: ledger.address };
      const opened = await openBridge(temporaryDirectory(), secrets, now, { ...shared, ...change });
      return opened;
    };
    return { shop, ledger, more };
  }

  /** The same till at the other bridge. */
  const at = ({ bridge }: OpenBridge, { accessToken }: Caller<CalledPlatform>): Caller<CalledPlatform> => {
    const caller = new Caller(calledAt(bridge.address));
    caller.accessToken = accessToken;
    return caller;
  };

  it('know a sign-in, a key, a setting and an id of each other, and tell the shop once', async () => {
    const { shop, more } = await makeWorld();
    const [one, two] = [await more(), await more()];
    const id = await idOf(one, 'cafe-1');
    expect(await idOf(two, 'cafe-1')).toBe(id);
    expect((await one.caller.put('key-1', [[id, true]])).status).toBe(204);
    const atTwo = at(two, one.caller);
    const again = await atTwo.put('key-1', [[id, false]]);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([204, 'true']);
    expect((await atTwo.send('/api/v3/products/consumption-coupons')).body['items']).toMatchObject([
      { is_enabled: true },
    ]);
    await two.bridge.deliver();
    await one.bridge.deliver();
    expect(await shop.written()).toEqual(['CAFE-1=1']);
  });

  it('give the tokens of a renewal whose answer was lost again to the same request alone', async () => {
    const { ledger, more } = await makeWorld();
    const [one, two] = [await more(), await more()];
    const { refresh_token: token } = await one.caller.signIn();
    const renewal = { grant_type: 'refresh_token', refresh_token: token };
    const first = await one.caller.token(renewal, 'renewal-1');
    const again = await at(two, one.caller).token(renewal, 'renewal-1');
    expect([first.status, again.text, again.headers.get('idempotency-replayed')]).toEqual([200, first.text, 'true']);
    const other = await two.caller.token({ ...renewal, refresh_token: 'another' }, 'renewal-1');
    expect([other.status, other.body]).toMatchObject([422, { meta: [{ field: 'Idempotency-Key' }] }]);
    expect((await two.caller.token(renewal, 'renewal-2')).status).toBe(401);
    const granted = first.body as unknown as TokenAnswer;
    const written = JSON.stringify(
      await ledger.ask(
        'SELECT to_jsonb(k) FROM tillside_bridge.kept_answer k UNION ALL SELECT to_jsonb(t) FROM tillside_bridge.token t',
      ),
    );
    expect(written).toContain('sealed:');
    for (const secret of [granted.access_token, granted.refresh_token ?? '', token ?? '', 'a-password-for-tests']) {
      expect(written).not.toContain(secret);
    }
  });

  it('renew a token once, whichever of them is asked, under one key or two', async () => {
    const { more } = await makeWorld();
    const [one, two] = [await more(), await more()];
    for (let turn = 0; turn < 10; turn += 1) {
      const { refresh_token: token } = await one.caller.signIn();
      const renewal = { grant_type: 'refresh_token', refresh_token: token };
      const callers = [one.caller, at(two, one.caller)];
      const isOneKey = turn % 2 === 0;
      const answers = await Promise.all(
        callers.map((caller, place) => caller.token(renewal, `renewal-${turn}-${isOneKey ? 0 : place}`)),
      );
      const statuses = answers.map(({ status }) => status).toSorted((left, right) => left - right);
      expect(statuses).toEqual(isOneKey ? [200, 200] : [200, 401]);
      expect(answers[0]?.text === answers[1]?.text).toBe(isOneKey);
    }
  });

  it('list again what one noticed before the answer of another that had not noticed it', async () => {
    let now = Date.parse('2026-03-04T09:00:00Z');
    const { shop, more } = await makeWorld();
    const [one, two] = [await more(() => now), await more(() => now)];
    now += 10 * minuteMs;
    await shop.run("UPDATE stock SET qty = 5 WHERE sku = 'CAFE-1'");
    await two.bridge.update();
    now += 10 * minuteMs;
    const asked = encodeURIComponent(`${new Date(now - 3 * hourMs).toISOString().slice(0, 19)}-03:00`);
    expect(readListing(await one.caller.list('term=cafe-1')).elements[0]).toMatchObject({ amount: 12 });
    const changed = readListing(await two.caller.list(`updated_from=${asked}`)).elements;
    expect(changed).toContainEqual(expect.objectContaining({ code: 'CAFE-1', amount: 5 }));
  });

  it('refuse listings of a reading that is older than what the others list again, and say so', async () => {
    let now = Date.parse('2026-03-04T09:00:00Z');
    const { more } = await makeWorld();
    const { bridge, caller } = await more(() => now);
    await caller.signIn();
    now += 3 * hourMs;
    await caller.signIn();
    expect((await caller.list()).status).toBe(200);
    now += 1;
    expect((await caller.list()).status).toBe(500);
    const health = await fetch(`${bridge.address}/health`);
    expect([health.status, await health.json()]).toMatchObject([503, { status: 'sourceDown' }]);
    await bridge.update();
    expect((await caller.list()).status).toBe(200);
  });

  it('keep every line of the document', async () => {
    const { more } = await makeWorld();
    const report = await judgeBridge((now) => more(now));
    expect(report.lines.filter(({ verdict }) => verdict === 'broken').map(({ id }) => id)).toEqual([]);
    expect(report.outcome).toBe('kept');
  });

  it('start without their ledger, answer 500 while it is down, and go on when it is there', async () => {
    const own = await startPostgres({ hasTls: false, settings: ['max_connections = 40', 'fsync = off'] });
    onTestFinished(() => own.remove());
    const ledger = await makeLedgerDatabase(own);
    const shop = await makeShop('sqlite', temporaryDirectory(), noServers, 'shop');
    await own.kill();
    const log: string[] = [];
    const secrets = environmentOf({ SHOP: shop.address, LEDGER: ledger.address });
    const config = readConfig(writeConfig(temporaryDirectory(), shared), secrets);
    const bridge = await startBridge(config, (level, event) => void log.push(`${level} ${event}`));
    onTestFinished(bridge.close);
    const caller = new Caller(calledAt(bridge.address));
    const healthOf = async (): Promise<unknown> => (await fetch(`${bridge.address}/health`)).json();
    expect((await caller.token()).status).toBe(500);
    await expect(bridge.deliver()).rejects.toThrow(/^ledger: /);
    await expect.poll(() => log).toContain('error ledgerFailed');
    await own.start();
    // A pass may have begun while the server was starting.
    await vi.waitFor(bridge.update, { timeout: 10_000 });
    await bridge.deliver();
    await caller.signIn();
    const id = String(readListing(await caller.list('term=cafe-1')).elements[0]?.['product_id']);
    expect((await caller.put('key-1', [[id, true]])).status).toBe(204);
    expect(await healthOf()).toMatchObject({ status: 'ok' });
    await own.kill();
    expect((await caller.put('key-2', [[id, false]])).status).toBe(500);
    await expect.poll(healthOf).toMatchObject({ status: 'ledgerDown' });
    expect((await fetch(`${bridge.address}/ready`)).status).toBe(503);
    await own.start();
    expect((await caller.put('key-1', [[id, true]])).headers.get('idempotency-replayed')).toBe('true');
    expect((await caller.put('key-2', [[id, false]])).headers.get('idempotency-replayed')).toBe('false');
  }, 60_000);

  it('tell the source of each change once, whatever number a row of the ledger has', async () => {
    const { shop, ledger, more } = await makeWorld();
    const { bridge } = await more();
    await ledger.ask(`INSERT INTO tillside_bridge.coupon_pending
      VALUES ('CAFE-1', true, 9007199254740993), ('ARROZ-1', true, -5), ('QUEIJO-1', true, 9223372036854775807)`);
    await bridge.deliver();
    expect(await shop.written()).toEqual(['ARROZ-1=1', 'CAFE-1=1', 'QUEIJO-1=1']);
    expect(await ledger.ask('SELECT * FROM tillside_bridge.coupon_pending')).toEqual([]);
  });

  it('ask their ledger nothing for who knows no secret, and so keep no till waiting for it', async () => {
    const own = await startPostgres({ hasTls: false, settings: ['max_connections = 40', 'fsync = off'] });
    onTestFinished(() => own.remove());
    const ledger = await makeLedgerDatabase(own);
    const shop = await makeShop('sqlite', temporaryDirectory(), noServers, 'shop');
    const secrets = { SHOP: shop.address, LEDGER: ledger.address };
    const { caller } = await openBridge(temporaryDirectory(), secrets, Date.now, { ...shared, requestsPerMinute: 20 });
    await own.kill();
    const statuses = await Promise.all(
      Array.from({ length: 40 }, async () => (await caller.token({ client_secret: 'a guess' }, 'key')).status),
    );
    expect([401, 429].map((status) => statuses.filter((one) => one === status).length)).toEqual([20, 20]);
    caller.accessToken = 'x'.repeat(caller.accessToken.length);
    expect((await caller.list()).status).toBe(401);
  });

  it('do not begin in a folder that holds a ledger of its own, whose keys the shared one lacks', async () => {
    const { shop, ledger } = await makeWorld();
    const folder = temporaryDirectory();
    const alone = await openBridge(folder, shop.address);
    await alone.bridge.close();
    const secrets = environmentOf({ SHOP: shop.address, LEDGER: ledger.address });
    expect(() => readConfig(writeConfig(folder, shared), secrets)).toThrow(/^ledger: .* holds a ledger of its own/);
  });
});
