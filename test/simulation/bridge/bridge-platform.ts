// A bridge over a shop's own database as the platform of a simulated world: the real server, asked over HTTP while the
// virtual clock stands still. What it changes is read from its ledger and from the shop, not from its answers.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { startBridge, type Bridge } from '../../../app/bridge/bridge.ts';
import { readConfig } from '../../../app/bridge/config.ts';
import { provision, user, type JudgedPlatform, type PlatformWorld } from '../../bench/faults/fault-world.ts';
import { Database } from '../../../app/storage/database.ts';
import { planProducts } from '../../bench/faults/fault-plan.ts';
import { environmentOf, makeShop, noServers, writeConfig } from '../../integration/bridge/shop.ts';
import { setDisk, soundDisk } from '../disk.ts';
import { platformEpochMs, type WireAnswer, type WireRequest } from '../referee.ts';
import { temporaryRoot } from '../temporary-root.ts';

export interface BridgePlatform extends JudgedPlatform {
  /** Writes what waits to the shop, which refuses nothing any more. */
  settle(): Promise<void>;
  /** The coupons as they were written to the shop, by product. */
  couponsOfShop(): Promise<ReadonlyMap<string, boolean>>;
  /** How often each of these happened, and the most requests that were let in within 60 s. */
  readonly counts: {
    restarts: number;
    refusedWrites: number;
    refusedDeliveries: number;
    effects: number;
    most: number;
  };
  close(): Promise<void>;
}

const limitWindowMs = 60_000;
const deliverEveryMs = 5_000;
const restartEveryMs = 8 * 60_000;
const maxDownMs = 20_000;
const refusedByFront: WireAnswer = { status: 502, headers: { 'content-type': 'text/plain' }, body: 'upstream' };

/** Notes each change of a setting, whatever the answer to the request is. */
const notes = `
  CREATE TEMP TABLE noted (number INTEGER PRIMARY KEY, product_id TEXT NOT NULL);
  CREATE TEMP TRIGGER note_new AFTER INSERT ON coupon_setting BEGIN INSERT INTO noted (product_id) VALUES (new.product_id); END;
  CREATE TEMP TRIGGER note_old AFTER UPDATE ON coupon_setting BEGIN INSERT INTO noted (product_id) VALUES (new.product_id); END;
`;
/** The shop refuses a change while it is told to. */
const inShop = `
  DELETE FROM item; DELETE FROM ean; DELETE FROM stock; DELETE FROM lot;
  CREATE TABLE refusing (id INTEGER PRIMARY KEY);
  CREATE TRIGGER refuse BEFORE UPDATE ON item WHEN EXISTS (SELECT 1 FROM refusing) BEGIN SELECT RAISE(ABORT, 'not now'); END;
  ${Array.from({ length: planProducts }, (_, place) => `INSERT INTO item (sku, title, unit) VALUES ('SKU-${place}', 'Produto ${place}', 'UN'); INSERT INTO stock VALUES ('SKU-${place}', 'loja', ${place});`).join('\n')}
`;
const configuration = {
  company: { id: provision.profile.companyId, name: 'Mercearia de Exemplo' },
  requestsPerMinute: 60,
  stocks: [{ id: '1', name: 'Loja', source: 'loja' }],
  applications: [{ clientId: provision.profile.clientId, secret: { env: 'TILLS' } }],
  users: [{ id: '7', email: user.email, password: { env: 'CASHIER' } }],
};

/** Opens a bridge that has read its shop, for this plan. */
export async function openBridgePlatform({ world, random, trace, plan }: PlatformWorld): Promise<BridgePlatform> {
  const root = mkdtempSync(join(temporaryRoot, 'tillside-bridge-'));
  const shop = await makeShop('sqlite', root, noServers, 'shop');
  await shop.run(inShop);
  const environment = { ...environmentOf(shop.address), TILLS: provision.clientSecret, CASHIER: user.password };
  const config = readConfig(writeConfig(root, configuration), environment);
  const chance = random.fork('bridge');
  const now = (): number => platformEpochMs + world.nowMs();
  const ledgerFolder = join(root, 'bridge');
  let ledger: Database | null = null;
  // Nobody else can open it while the bridge has it.
  const openBefore = Database.open;
  Database.open = async (path, options) => {
    const database = await openBefore(path, options);
    if (path === join(ledgerFolder, 'ledger.db')) {
      ledger = database;
    }
    return database;
  };
  const start = async (): Promise<Bridge> => {
    const started = await startBridge(config, () => undefined, now);
    ledger?.exec(notes);
    return started;
  };
  let bridge = await start();
  await bridge.update();

  const productIds: string[] = [];
  const skus = new Map<string, string>();
  const ids = new DatabaseSync(join(ledgerFolder, 'ids.db'), { readOnly: true });
  for (let place = 0; place < planProducts; place += 1) {
    const row = ids.prepare('SELECT id FROM id_of WHERE source_id = ?').get(`SKU-${place}`);
    const productId = String(row?.['id']);
    productIds.push(productId);
    skus.set(`SKU-${place}`, productId);
  }
  ids.close();

  const counts = { restarts: 0, refusedWrites: 0, refusedDeliveries: 0, effects: 0, most: 0 };
  const effects: { readonly key: string | null; readonly productId: string }[] = [];
  const trouble = { failing: 0, othersPerMinute: 0 };
  const admittedAtMs: number[] = [];
  let busy = 0;
  let line: Promise<unknown> = Promise.resolve();
  let isDown = false;
  let isClosed = false;
  let otherToken = '';
  world.holdWhile(() => busy > 0);

  /** In real time, one after the other, while the world stands still. */
  function oneByOne<Value>(action: () => Promise<Value>): Promise<Value> {
    busy += 1;
    const done = line.then(action).finally(() => {
      busy -= 1;
    });
    line = done.catch(() => undefined);
    return done;
  }

  function noteEffects(key: string | null): void {
    const rows = ledger?.prepare<{ productId: string }>('SELECT product_id AS productId FROM noted ORDER BY number');
    effects.push(...(rows?.all() ?? []).map(({ productId }) => ({ key, productId })));
    ledger?.exec('DELETE FROM noted');
    counts.effects = effects.length;
  }

  function noteAdmitted(): void {
    admittedAtMs.push(world.nowMs());
    const within = admittedAtMs.filter((ms) => ms > world.nowMs() - limitWindowMs);
    counts.most = Math.max(counts.most, within.length);
  }

  /** While the action runs, the shop's database refuses changes. */
  async function whileShopRefuses(action: () => Promise<void>): Promise<void> {
    await shop.run('INSERT INTO refusing VALUES (1)');
    try {
      await action();
    } finally {
      await shop.run('DELETE FROM refusing');
    }
  }

  /** While the action runs, the ledger's disk takes so many writes more. */
  async function onRefusingDisk<Value>(afterWrites: number, action: () => Promise<Value>): Promise<Value> {
    setDisk(ledgerFolder, { state: 'readOnly', files: 'ledger', afterWrites });
    return action().finally(() => {
      setDisk(ledgerFolder, soundDisk);
    });
  }

  async function ask({ method, url, headers, body }: WireRequest): Promise<WireAnswer> {
    const { pathname, search } = new URL(url);
    const response = await fetch(bridge.address + pathname + search, {
      method,
      headers,
      ...(method === 'GET' ? {} : { body }),
    });
    // A 401 may be a stranger's, which has a limit of its own; what is only said again may be said to a refused one.
    if (![401, 429].includes(response.status) && response.headers.get('idempotency-replayed') !== 'true') {
      noteAdmitted();
    }
    return { status: response.status, headers: Object.fromEntries(response.headers), body: await response.text() };
  }

  /** Another terminal that uses the same application. */
  async function askAsOther(): Promise<void> {
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    const { profile } = provision;
    const url = `${profile.platformUrl}/api/v3/stocks/1/products`;
    const listed = await ask({
      method: 'GET',
      url,
      headers: { ...headers, authorization: `Bearer ${otherToken}`, 'service-company-id': profile.companyId },
      body: '',
    });
    if (listed.status === 401) {
      const grant = { grant_type: 'password', client_id: profile.clientId, client_secret: provision.clientSecret };
      const body = JSON.stringify({ ...grant, username: user.email, password: user.password, scope: '*' });
      const signedIn = await ask({ method: 'POST', url: `${profile.platformUrl}/oauth/token`, headers, body });
      otherToken = String((JSON.parse(signedIn.body) as Record<string, unknown>)['access_token']);
    }
  }

  function again(everyMs: () => number, action: () => void): void {
    world.after(everyMs(), () => {
      if (!isClosed) {
        action();
        again(everyMs, action);
      }
    });
  }
  again(
    () => deliverEveryMs,
    () => {
      const deliver = (): Promise<void> => bridge.deliver();
      const isRefused = chance.chance(trouble.failing);
      void oneByOne(() => (isRefused ? whileShopRefuses(deliver) : deliver())).catch(() => {
        counts.refusedDeliveries += 1;
      });
    },
  );
  again(
    () => (trouble.othersPerMinute === 0 ? 1000 : limitWindowMs / trouble.othersPerMinute),
    () => {
      if (trouble.othersPerMinute > 0 && !isDown) {
        void oneByOne(askAsOther);
      }
    },
  );
  again(
    () => chance.waitMs(restartEveryMs),
    () => {
      if (isDown || world.nowMs() > plan.healAtMs) {
        return;
      }
      isDown = true;
      trace.add('the bridge ends');
      void oneByOne(() => bridge.close());
      world.after(chance.integer(0, maxDownMs), () => {
        void oneByOne(async () => {
          bridge = await start();
          counts.restarts += 1;
          isDown = false;
          trace.add('the bridge starts');
        });
      });
    },
  );

  return {
    tokens: {
      ownerOf: () => null,
      clientOf: () => null,
      expireAll: () => {
        ledger?.exec(`UPDATE token SET expires_at = min(expires_at, ${now()}) WHERE kind = 'access'`);
      },
    },
    stock: { productIds },
    effects,
    trouble,
    counts,
    setting: (productId) =>
      ledger?.prepare('SELECT 1 FROM coupon_setting WHERE is_enabled = 1 AND product_id = ?').get(productId) !==
      undefined,
    answer: (request) => {
      const key = request.headers['idempotency-key'] ?? null;
      const isRefused = request.method === 'PUT' && chance.chance(trouble.failing);
      return oneByOne(async () => {
        if (isDown) {
          return refusedByFront;
        }
        const answer = await (isRefused ? onRefusingDisk(chance.integer(0, 4), () => ask(request)) : ask(request));
        counts.refusedWrites += isRefused && answer.status === 500 ? 1 : 0;
        noteEffects(key);
        return answer;
      });
    },
    settle: () => oneByOne(() => bridge.deliver()),
    couponsOfShop: async () => {
      const written = await shop.written();
      return new Map(
        written.map((one) => one.split('=')).map(([sku = '', coupon]) => [skus.get(sku) ?? '', coupon === '1']),
      );
    },
    close: async () => {
      isClosed = true;
      await line;
      await bridge.close();
      Database.open = openBefore;
      await shop.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}
