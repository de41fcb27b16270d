// Two bridges as real processes that share a ledger, killed in the midst of what tills ask. Triggers of the ledger's own
// database note what was done, so that the judge believes no bridge.
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startChild, type Child } from '../../../support/child.ts';
import { hasPostgres, type Postgres } from '../../../support/postgres.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { Caller, couponsPath, readListing, type CalledPlatform } from '../../../support/training-caller.ts';
import { startLedgerServer, makeLedgerDatabase, type LedgerDatabase } from './ledger-database.ts';
import {
  calledAt,
  environmentOf,
  makeShop,
  noServers,
  queries,
  writeConfig,
  type ShopDatabase,
} from '../../bridge/shop.ts';

const witnesses = `
  CREATE TABLE IF NOT EXISTS public.noted (number bigserial, what text, name text, is_enabled boolean, at float8, change bigint);
  CREATE OR REPLACE FUNCTION public.note() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    seen jsonb := to_jsonb(new);
  BEGIN
    INSERT INTO public.noted (what, name, is_enabled, at, change) VALUES (
      tg_table_name, coalesce(seen->>'key', seen->>'product_id', seen->>'client_id'), (seen->>'is_enabled')::boolean,
      (seen->>'at')::float8, txid_current()
    );
    RETURN new;
  END $$;
  CREATE TRIGGER note AFTER INSERT ON tillside_bridge.kept_answer FOR EACH ROW EXECUTE FUNCTION public.note();
  CREATE TRIGGER note AFTER INSERT OR UPDATE ON tillside_bridge.coupon_setting FOR EACH ROW EXECUTE FUNCTION public.note();
  CREATE TRIGGER note AFTER INSERT ON tillside_bridge.arrival FOR EACH ROW EXECUTE FUNCTION public.note()
`;

/** A bridge that is started again, at another port, after it was killed. */
interface Running {
  address: string;
  kill(): Promise<void>;
  start(): Promise<void>;
}

describe.skipIf(!hasPostgres())('two bridges that share a ledger', () => {
  let postgres: Postgres;
  beforeAll(async () => {
    postgres = await startLedgerServer();
  }, 60_000);
  afterAll(() => postgres.remove());
  let shops = 0;

  async function makeShopAndLedger(): Promise<{ readonly shop: ShopDatabase; readonly ledger: LedgerDatabase }> {
    shops += 1;
    const shop = await makeShop('postgres', temporaryDirectory(), { ...noServers, postgres }, `shop_${shops}`);
    return { shop, ledger: await makeLedgerDatabase(postgres) };
  }

  /** Starts a bridge as a process, with a folder of its own; it has read its source. */
  async function run(shop: ShopDatabase, ledger: LedgerDatabase, change: object = {}): Promise<Running> {
    const source = { kind: 'sql', database: { env: 'SHOP' }, queries, everySeconds: 86_400 };
    const path = writeConfig(temporaryDirectory(), { ledger: { env: 'LEDGER' }, source, ...change });
    const environment = environmentOf({ SHOP: shop.address, LEDGER: ledger.address });
    let child: Child | null = null;
    let isFirst = true;
    const running: Running = {
      address: '',
      kill: async () => {
        await child?.stop('SIGKILL');
      },
      start: async () => {
        child = startChild(process.execPath, ['build/bridge.ts', '--config', path], { environment });
        const [, address = ''] = await child.waitForLine(/"event":"started","address":"([^"]+)"/);
        running.address = address;
        await (isFirst ? child.waitForLine(/"event":"sourceRead"/) : null);
        isFirst = false;
      },
    };
    await running.start();
    onTestFinished(() => running.kill());
    return running;
  }

  const callerAt = ({ address }: Running, accessToken: string): Caller<CalledPlatform> => {
    const caller = new Caller(calledAt(address));
    caller.accessToken = accessToken;
    return caller;
  };

  async function signIn(at: Running): Promise<string> {
    const caller = callerAt(at, '');
    return (await caller.signIn()).access_token;
  }

  it('act once under a key and lose nothing acknowledged, however often they are killed', async () => {
    const { shop, ledger } = await makeShopAndLedger();
    const bridges = await Promise.all([run(shop, ledger), run(shop, ledger)]);
    const [one, two] = bridges;
    await ledger.ask(witnesses);
    const token = await signIn(one);
    const listed = readListing(await callerAt(two, token).list('order_by_field=code&order_by_type=asc')).elements;
    const products = listed.map((element) => [String(element['product_id']), String(element['code'])] as const);

    const over = { isSet: false };
    const acknowledged: string[] = [];
    /** Sends the switch until a bridge has acknowledged it; every third one to both at once. */
    const switchOne = async (key: string, place: number): Promise<void> => {
      const [product = ''] = products[place % products.length] ?? [];
      const send = async (bridge: Running): Promise<boolean> => {
        try {
          return (await callerAt(bridge, token).put(key, [[product, place % 2 === 0]])).status === 204;
        } catch {
          return false;
        }
      };
      for (let attempt = place; ; attempt += 1) {
        const asked = place % 3 === 0 ? bridges : bridges.slice(attempt % 2, (attempt % 2) + 1);
        if ((await Promise.all(asked.map(send))).includes(true)) {
          acknowledged.push(key);
          return;
        }
        await new Promise((resolve) => {
          setTimeout(resolve, 20);
        });
      }
    };
    const tills = [0, 1, 2].map(async (till) => {
      for (let place = till; !over.isSet; place += 3 + till) {
        await switchOne(`key-${till}-${place}`, place);
      }
    });
    for (let kill = 0; kill < 3; kill += 1) {
      const before = acknowledged.length;
      await expect.poll(() => acknowledged.length - before, { interval: 5 }).toBeGreaterThan(15 + kill * 7);
      const killed = bridges[kill % 2] ?? one;
      await killed.kill();
      await killed.start();
    }
    over.isSet = true;
    await Promise.all(tills);

    const noted = await ledger.ask<{ what: string; name: string; is_enabled: boolean; change: string }>(
      'SELECT * FROM public.noted ORDER BY number',
    );
    const kept = noted.filter(({ what }) => what === 'kept_answer');
    const acted = noted.filter(({ what }) => what === 'coupon_setting');
    expect(new Set(kept.map(({ name }) => name))).toEqual(new Set(acknowledged));
    expect(acted.map(({ change }) => change).toSorted()).toEqual(kept.map(({ change }) => change).toSorted());
    for (const key of acknowledged.slice(-5)) {
      const again = await callerAt(two, token).put(key, []);
      expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([204, 'true']);
    }
    await expect
      .poll(() => ledger.ask('SELECT source_id FROM tillside_bridge.coupon_pending'), { timeout: 15_000 })
      .toEqual([]);
    const written = await shop.written();
    for (const [id, code] of products) {
      const last = acted.findLast(({ name }) => name === id)?.is_enabled;
      expect(written.findLast((line) => line.startsWith(`${code}=`))).toBe(`${code}=${last === true ? 1 : 0}`);
    }
  }, 90_000);

  it('let no account send more than 60 in 60 seconds, also when one is killed', async () => {
    const { shop, ledger } = await makeShopAndLedger();
    const limit = { requestsPerMinute: 60 };
    const bridges = await Promise.all([run(shop, ledger, limit), run(shop, ledger, limit)]);
    const [one, two] = bridges;
    await ledger.ask(witnesses);
    const token = await signIn(one);
    let passed = 1;
    let refused = 0;
    const ask = async (bridge: Running): Promise<void> => {
      try {
        const { status } = await callerAt(bridge, token).send(couponsPath);
        passed += status === 200 ? 1 : 0;
        refused += status === 429 ? 1 : 0;
      } catch {
        // It was killed.
      }
    };
    const askMany = async (bridge: Running, times: number): Promise<void> => {
      for (let time = 0; time < times; time += 1) {
        await ask(bridge);
      }
    };
    await Promise.all(bridges.map((bridge) => askMany(bridge, 25)));
    expect(passed).toBe(51);
    // Held up until many wait at once, who would pass together where one counts and then adds.
    await ledger.ask('BEGIN');
    await ledger.ask('LOCK TABLE tillside_bridge.arrival IN SHARE MODE');
    const asking = Promise.all(bridges.flatMap((bridge) => Array.from({ length: 16 }, () => askMany(bridge, 2))));
    const countWaiting = async (): Promise<number> =>
      (await ledger.ask<{ count: number }>('SELECT count(*)::int AS count FROM pg_locks WHERE NOT granted'))[0]
        ?.count ?? 0;
    await expect.poll(countWaiting, { interval: 20 }).toBeGreaterThan(11);
    await ledger.ask('COMMIT');
    await one.kill();
    await asking;
    await askMany(two, 20);
    const arrivals = await ledger.ask<{ at: number }>(
      "SELECT at FROM public.noted WHERE what = 'arrival' AND name = 'tills' ORDER BY at",
    );
    const moments = arrivals.map(({ at }) => at);
    const most = Math.max(...moments.map((from) => moments.filter((at) => at >= from && at < from + 60_000).length));
    expect(most).toBe(60);
    expect(passed).toBeLessThanOrEqual(moments.length);
    expect(refused).toBeGreaterThan(20);
  }, 60_000);

  it('tell the source of what waits when the one that was about to is killed', async () => {
    const { shop, ledger } = await makeShopAndLedger();
    const one = await run(shop, ledger);
    const token = await signIn(one);
    const caller = callerAt(one, token);
    const idOf = async (term: string): Promise<string> =>
      String(readListing(await caller.list(`term=${term}`)).elements[0]?.['product_id']);
    const [coffee, rice] = [await idOf('cafe-1'), await idOf('arroz-1')];
    await shop.run('BEGIN');
    await shop.run('LOCK TABLE item IN EXCLUSIVE MODE');
    expect((await caller.put('key-1', [[coffee, true]])).status).toBe(204);
    const delivering = `SELECT count(*)::int AS count FROM pg_locks JOIN pg_database d ON d.oid = database
      WHERE locktype = 'advisory' AND objid = 1 AND datname = current_database()`;
    await expect.poll(() => ledger.ask(delivering)).toEqual([{ count: 1 }]);
    expect((await caller.put('key-2', [[rice, true]])).status).toBe(204);
    await run(shop, ledger);
    await one.kill();
    await shop.run('COMMIT');
    await expect.poll(() => shop.written()).toEqual(['CAFE-1=1', 'ARROZ-1=1']);
  }, 60_000);
});
