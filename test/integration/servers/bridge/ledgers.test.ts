// What each ledger of a bridge keeps: the one in its own folder, and the one that bridges share.
import { copyFileSync, existsSync, readFileSync, readdirSync, rmSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { BridgeLedger, Ids } from '../../../../app/bridge/ledger/ledger.ts';
import { openOwnIds, openOwnLedger } from '../../../../app/bridge/ledger/own-ledger.ts';
import { findLedgerFault, openSharedIds, openSharedLedger } from '../../../../app/bridge/ledger/shared-ledger.ts';
import { arrivalMigrations, idMigrations, ledgerMigrations } from '../../../../app/bridge/migrations.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { OvertakenError, type TokenRow } from '../../../../app/service/ports.ts';
import { Database } from '../../../../app/storage/database.ts';
import { hasPostgres, type Postgres } from '../../../support/postgres.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';
import { startLedgerServer, makeLedgerDatabase, type LedgerDatabase } from './ledger-database.ts';

let postgres: Postgres | null = null;
beforeAll(async () => {
  postgres = hasPostgres() ? await startLedgerServer() : null;
});
afterAll(() => postgres?.remove());

const company = '1' as Id;
const coffee = '17' as Id;
const rice = '18' as Id;
const record = (key: string, status = 204) => ({ clientId: 'tills', key, status, body: `answer to ${key}` });
const token = (kind: TokenRow['kind'], expiresAt: number, clientId = 'tills'): TokenRow => ({
  kind,
  clientId,
  userId: '7',
  expiresAt,
});

async function makeShared(): Promise<LedgerDatabase> {
  if (postgres === null) {
    throw new Error('there is no PostgreSQL here');
  }
  return makeLedgerDatabase(postgres);
}

function openShared({ address }: LedgerDatabase): BridgeLedger {
  const ledger = openSharedLedger(address);
  onTestFinished(() => ledger.close());
  return ledger;
}

interface Kind {
  readonly name: string;
  readonly open: () => Promise<BridgeLedger>;
  /** What opens the numbers of one ledger. */
  readonly makeIds: () => Promise<() => Promise<Ids>>;
}

const kinds: readonly Kind[] = [
  {
    name: 'own',
    open: async () => {
      const ledger = await openOwnLedger(temporaryDirectory(), Date.now());
      onTestFinished(() => ledger.close());
      return ledger;
    },
    makeIds: () => {
      const folder = temporaryDirectory();
      return Promise.resolve(() => openOwnIds(folder, Date.now()));
    },
  },
  ...(hasPostgres()
    ? [
        {
          name: 'shared',
          open: async () => openShared(await makeShared()),
          makeIds: async () => {
            const { address } = await makeShared();
            return () => Promise.resolve(openSharedIds(address));
          },
        },
      ]
    : []),
];

/** What waits for the source, in order. */
async function pendingOf(ledger: BridgeLedger): Promise<readonly string[]> {
  const found: string[] = [];
  await ledger.withOutbox(async (outbox) => {
    for (let next = await outbox.next(0n); next !== null; next = await outbox.next(next.number)) {
      found.push(`${next.sourceId}=${next.isEnabled}`);
    }
  });
  return found;
}

describe('the own ledger of a bridge', () => {
  const give = async (folder: string, sourceIds: readonly string[], now: number): Promise<readonly number[]> => {
    const ids = await openOwnIds(folder, now);
    const given = await ids.idsOf(sourceIds);
    await ids.keep();
    await ids.close();
    return given;
  };

  it('gives no number twice, whatever backup of it is brought back, and with a clock that was wrong', async () => {
    const folder = temporaryDirectory();
    const [path, backup] = [join(folder, 'ids.db'), join(folder, 'backup')];
    const [coffee1] = await give(folder, ['CAFE-1'], Date.now());
    copyFileSync(path, backup);
    const after = await give(folder, ['ARROZ-1', 'QUEIJO-1'], Date.now());
    copyFileSync(backup, path);
    const [coffee2, ...others] = await give(folder, ['CAFE-1', 'QUEIJO-1', 'ARROZ-1'], Date.now() + 1000);
    expect(coffee2).toBe(coffee1);
    expect(new Set([...after, ...others]).size).toBe(4);
    const ids = await openOwnIds(folder, 0);
    const [late = 0] = await ids.idsOf(['LATE-1']);
    await ids.close();
    expect(late).toBeGreaterThan(Math.max(...others));
  });

  it.each(['ledger.db', 'ids.db'])('is refused where %s is empty or gone, and nothing is changed', async (name) => {
    for (const spoil of [(path: string) => truncateSync(path, 0), (path: string) => rmSync(path)]) {
      const folder = temporaryDirectory();
      const open = (): Promise<BridgeLedger> => openOwnLedger(folder, Date.now());
      await (await open()).close();
      await (await open()).close();
      spoil(join(folder, name));
      const look = (): readonly string[] =>
        readdirSync(folder).map((file) => `${file} ${readFileSync(join(folder, file)).toString('hex')}`);
      const before = look();
      await expect(open()).rejects.toThrow(`${join(folder, name)} is empty or missing`);
      expect(look()).toEqual(before);
    }
  });
});

/** A folder of a bridge that has answered a till. */
async function makeUsed(): Promise<string> {
  const folder = temporaryDirectory();
  const ledger = await openOwnLedger(folder, Date.now());
  await ledger.change(() => {
    ledger.addToken('mine', token('refresh', 5e12));
  }, null);
  await ledger.close();
  return folder;
}

describe('what was brought back into the folder of a bridge', () => {
  const opened = async (folder: string): Promise<void> => {
    await (await openOwnLedger(folder, Date.now())).close();
  };

  it.each(['ledger.db', 'ids.db'])('is refused where %s is brought back alone', async (name) => {
    const folder = temporaryDirectory();
    copyFileSync(join(await makeUsed(), name), join(folder, name));
    const other = name === 'ids.db' ? 'ledger.db' : 'ids.db';
    await expect(opened(folder)).rejects.toThrow(`${join(folder, other)} is empty or missing: bring back a backup`);
    expect(existsSync(join(folder, other))).toBe(false);
  });

  it.each(['ledger.db', 'ids.db'])('is refused where %s is that of another bridge', async (name) => {
    const folder = await makeUsed();
    rmSync(join(folder, 'arrivals.db'));
    copyFileSync(join(await makeUsed(), name), join(folder, name));
    await expect(opened(folder)).rejects.toThrow('ids.db is not of the same bridge as');
    await expect(opened(folder)).rejects.toThrow('bring back both');
  });

  it('is refused where both are of another bridge than the folder, until that is said', async () => {
    const [folder, other] = [await makeUsed(), await makeUsed()];
    for (const name of ['ledger.db', 'ids.db']) {
      copyFileSync(join(other, name), join(folder, name));
    }
    await expect(opened(folder)).rejects.toThrow('are of another bridge than');
    rmSync(join(folder, 'arrivals.db'));
    await opened(folder);
    await opened(folder);
  });

  it('is taken where both are of one backup, and where the first start ended between making the two', async () => {
    const [folder, begun, used] = [temporaryDirectory(), temporaryDirectory(), await makeUsed()];
    for (const name of ['ledger.db', 'ids.db']) {
      copyFileSync(join(used, name), join(folder, name));
    }
    await opened(folder);
    (await Database.open(join(begun, 'ledger.db'), { kind: 'precious', migrations: ledgerMigrations })).close();
    await opened(begun);
    expect(readdirSync(begun)).toContain('ids.db');
  });

  it('may be of an earlier version, which is taken along; one file alone of it is refused', async () => {
    const make = async (): Promise<string> => {
      const folder = temporaryDirectory();
      const before = { kind: 'precious', migrations: ledgerMigrations.slice(0, 2) } as const;
      const ledger = await Database.open(join(folder, 'ledger.db'), before);
      ledger.exec("INSERT INTO token VALUES ('mine', 'refresh', 'tills', '7', 5000000000000)");
      ledger.close();
      const ids = await Database.open(join(folder, 'ids.db'), {
        kind: 'precious',
        migrations: idMigrations.slice(0, 1),
      });
      ids.exec("INSERT INTO id_of VALUES ('CAFE-1', 1000000000017)");
      ids.close();
      (
        await Database.open(join(folder, 'arrivals.db'), {
          kind: 'precious',
          migrations: arrivalMigrations.slice(0, 1),
        })
      ).close();
      return folder;
    };
    const folder = await make();
    const ledger = await openOwnLedger(folder, Date.now());
    expect((await ledger.readToken('mine'))?.userId).toBe('7');
    await ledger.close();
    const ids = await openOwnIds(folder, Date.now());
    expect(await ids.idsOf(['CAFE-1'])).toEqual([1_000_000_000_017]);
    await ids.close();
    copyFileSync(join(await make(), 'ids.db'), join(folder, 'ids.db'));
    await expect(opened(folder)).rejects.toThrow('ids.db is not of the same bridge as');
    const half = temporaryDirectory();
    copyFileSync(join(await make(), 'ledger.db'), join(half, 'ledger.db'));
    await expect(opened(half)).rejects.toThrow('ids.db is empty or missing');
  });
});

describe.each(kinds)('the $name ledger of a bridge', ({ open, makeIds }) => {
  it('keeps the first answer to a key, and makes no change under it again', async () => {
    const ledger = await open();
    const set = (isEnabled: boolean) => (): void => {
      ledger.writeCoupon(company, coffee, isEnabled, 'CAFE-1');
    };
    expect(await ledger.readAnswer('tills', 'one')).toBeNull();
    expect(await ledger.change(set(true), record('one'))).toBeNull();
    expect(await ledger.change(set(false), record('one', 500))).toEqual({ status: 204, body: 'answer to one' });
    expect(await ledger.readAnswer('tills', 'one')).toEqual({ status: 204, body: 'answer to one' });
    expect(await ledger.readAnswer('others', 'one')).toBeNull();
    expect([...(await ledger.listCoupons(company))]).toEqual([[coffee, true]]);
    expect(await pendingOf(ledger)).toEqual(['CAFE-1=true']);
  });

  it('keeps nothing of a change that fails', async () => {
    const ledger = await open();
    const failing = async (): Promise<unknown> =>
      ledger.change(() => {
        ledger.writeCoupon(company, coffee, true, 'CAFE-1');
        ledger.spendToken('spent before');
      }, record('one'));
    await expect(failing()).rejects.toThrow(OvertakenError);
    expect([await ledger.readAnswer('tills', 'one'), await ledger.countPending()]).toEqual([null, 0]);
    expect([...(await ledger.listCoupons(company))]).toEqual([]);
  });

  it('changes tokens in one: of two that spend the same one, one alone', async () => {
    const ledger = await open();
    await ledger.change(() => {
      ledger.addToken('old', token('refresh', 5e12));
    }, null);
    const renew = (name: string) => async (): Promise<unknown> =>
      ledger.change(() => {
        ledger.spendToken('old');
        ledger.addToken(name, token('access', 6e12));
      }, null);
    const outcomes = await Promise.allSettled([renew('one')(), renew('two')()]);
    expect(outcomes.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    const rows = [await ledger.readToken('one'), await ledger.readToken('two'), await ledger.readToken('old')];
    expect(rows.filter((row) => row !== null)).toEqual([token('access', 6e12)]);
  });

  it('tells the source of the last change of each product, in order, and of one that came meanwhile', async () => {
    const ledger = await open();
    const set = (product: Id, isEnabled: boolean, sourceId: string): void => {
      ledger.writeCoupon(company, product, isEnabled, sourceId);
    };
    await ledger.change(() => {
      set(coffee, true, 'CAFE-1');
      set(rice, true, 'ARROZ-1');
      set(coffee, false, 'CAFE-1');
    }, null);
    expect(await pendingOf(ledger)).toEqual(['ARROZ-1=true', 'CAFE-1=false']);
    await ledger.change(() => {
      set(rice, false, 'ARROZ-1');
    }, null);
    await ledger.withOutbox(async (outbox) => {
      const first = await outbox.next(0n);
      await ledger.change(() => {
        set(coffee, true, 'CAFE-1');
      }, null);
      await outbox.remove(first?.number ?? 0n);
      const second = await outbox.next(first?.number ?? 0n);
      await outbox.remove(second?.number ?? 0n);
    });
    expect(await pendingOf(ledger)).toEqual(['CAFE-1=true']);
    expect([...(await ledger.listCoupons(company))].toSorted(([left], [right]) => left.localeCompare(right))).toEqual([
      [coffee, true],
      [rice, false],
    ]);
  });

  it('gives ids numbers of their own, the same for ever, once a pass keeps them', async () => {
    const openIds = await makeIds();
    const pass = async (sourceIds: readonly string[], isKept: boolean): Promise<readonly number[]> => {
      const ids = await openIds();
      const given = [...(await ids.idsOf(sourceIds.slice(0, 2))), ...(await ids.idsOf(sourceIds.slice(2)))];
      await (isKept ? ids.keep() : null);
      await ids.close();
      return given;
    };
    await pass(['lost', 'lost too'], false);
    const [coffee1, own, rice1] = await pass(['CAFE-1', '123456789012', 'ARROZ-1'], true);
    const [rice2, cheese, coffee2, other] = await pass(['ARROZ-1', 'QUEIJO-1', 'CAFE-1', '0123'], true);
    expect([own, coffee2, rice2]).toEqual([123_456_789_012, coffee1, rice1]);
    const given = [coffee1, rice1, cheese, other];
    expect([new Set(given).size, given.every((id) => Number(id) > 1_000_000_000_000)]).toEqual([4, true]);
  });

  it('says how long a request must wait that may not pass', async () => {
    const ledger = await open();
    const admit = async (): Promise<number | null> => {
      const now = Date.now();
      return ledger.admit({ clientId: 'tills', now, since: now - 60_000, limit: 2, isRefusalCounted: false });
    };
    const begun = Date.now();
    expect([await admit(), await admit()]).toEqual([null, null]);
    const inTheWay = (await admit()) ?? 0;
    expect(inTheWay).toBeGreaterThan(begun - 1000);
    expect(inTheWay).toBeLessThan(Date.now() + 1000);
  });
});

describe.skipIf(!hasPostgres())('a ledger that bridges share', () => {
  const both = async () => {
    const database = await makeShared();
    return { database, one: openShared(database), two: openShared(database) };
  };

  it('lets as many requests pass at all of them together as the limit says', async () => {
    const { one, two, database } = await both();
    const now = Date.now();
    const admission = { clientId: 'tills', now, since: now - 60_000, limit: 60, isRefusalCounted: false };
    const passed = await Promise.all(
      Array.from({ length: 150 }, async (_, place) => (place % 2 === 0 ? one : two).admit(admission)),
    );
    expect(passed.filter((inTheWay) => inTheWay === null)).toHaveLength(60);
    expect(await database.ask('SELECT count(*)::int AS count FROM tillside_bridge.arrival')).toEqual([{ count: 60 }]);
    const age = (ms: number) => database.ask(`UPDATE tillside_bridge.arrival SET at = at - ${ms}`);
    await age(40_000);
    expect(await two.admit(admission)).not.toBeNull();
    await age(20_000);
    expect(await two.admit(admission)).toBeNull();
  });

  it('counts arrivals by one clock, however wrong that of a bridge is', async () => {
    const { one, two } = await both();
    const admitAt = (ledger: BridgeLedger, now: number) =>
      ledger.admit({ clientId: 'tills', now, since: now - 60_000, limit: 1, isRefusalCounted: false });
    expect(await admitAt(one, 1_700_000_000_000)).toBeNull();
    const inTheWay = (await admitAt(two, 1_800_000_000_000)) ?? 0;
    expect(inTheWay).toBeGreaterThan(1_800_000_000_000 - 60_000);
  });

  it('makes one change of a key that comes to both at once, and gives both its answer', async () => {
    const { one, two, database } = await both();
    for (let turn = 0; turn < 20; turn += 1) {
      const change = async (ledger: BridgeLedger, isEnabled: boolean): Promise<string> => {
        const own = { ...record(`key-${turn}`), body: String(isEnabled) };
        const before = await ledger.change(() => {
          ledger.writeCoupon(company, coffee, isEnabled, null);
        }, own);
        return before?.body ?? own.body;
      };
      const answers = await Promise.all([change(one, true), change(two, false)]);
      expect(answers[0]).toBe(answers[1]);
      expect(String((await one.listCoupons(company)).get(coffee))).toBe(answers[0]);
    }
    expect(await database.ask('SELECT count(*)::int AS count FROM tillside_bridge.kept_answer')).toEqual([
      { count: 20 },
    ]);
  });

  it('waits in no circle where two change many products in opposite orders', async () => {
    const { one, two } = await both();
    const products = Array.from({ length: 300 }, (_, place) => String(place + 1) as Id);
    const change = (ledger: BridgeLedger, order: readonly Id[], key: string): unknown =>
      ledger.change(() => {
        for (const product of order) {
          ledger.writeCoupon(company, product, true, `SKU-${product}`);
        }
      }, record(key));
    for (let turn = 0; turn < 10; turn += 1) {
      await Promise.all([change(one, products, `one-${turn}`), change(two, products.toReversed(), `two-${turn}`)]);
    }
    expect(await one.countPending()).toBe(300);
  });

  it('gives an id one number where both give it at once', async () => {
    const { address, ask } = await makeShared();
    const names = Array.from({ length: 300 }, (_, place) => `SKU-${place}`);
    const pass = async (order: readonly string[], isKept = true): Promise<ReadonlyMap<string, number>> => {
      const ids = openSharedIds(address);
      const given = new Map<string, number>();
      for (let from = 0; from < order.length; from += 100) {
        const some = order.slice(from, from + 100);
        (await ids.idsOf(some)).forEach((id, place) => given.set(some[place] ?? '', id));
      }
      await (isKept ? ids.keep() : null);
      await ids.close();
      return given;
    };
    const passes = [pass(names), pass(names.toReversed()), pass(['lost', ...names], false), pass(names.slice(150))];
    const [one, two, , half] = await Promise.all(passes);
    expect(new Set(one?.values()).size).toBe(300);
    expect(new Map([...(two ?? [])].toReversed())).toEqual(one);
    expect([...(half ?? [])]).toEqual([...(one ?? [])].slice(150));
    expect(await ask('SELECT count(*)::int AS count FROM tillside_bridge.id_of')).toEqual([{ count: 300 }]);
  });

  it('gives no number twice where an older backup is brought back', async () => {
    const { address, ask } = await makeShared();
    const give = async (sourceIds: readonly string[]): Promise<readonly number[]> => {
      const ids = openSharedIds(address);
      const given = await ids.idsOf(sourceIds);
      await ids.keep();
      await ids.close();
      return given;
    };
    await give(['CAFE-1']);
    const after = await give(['ARROZ-1', 'QUEIJO-1']);
    await ask("DELETE FROM tillside_bridge.id_of WHERE source_id <> 'CAFE-1'");
    await ask("SELECT setval('tillside_bridge.id_of_id_seq', (SELECT max(id) FROM tillside_bridge.id_of))");
    expect(new Set([...after, ...(await give(['QUEIJO-1', 'ARROZ-1']))]).size).toBe(4);
  });

  it('waits with new ids for the pass of another bridge, and for a silent ledger only so long', async () => {
    const { address, ask } = await makeShared();
    const [one, two] = [openSharedIds(address, 300), openSharedIds(address, 300)];
    onTestFinished(async () => {
      await one.close();
      await two.close();
    });
    const first = await one.idsOf(['CAFE-1']);
    let isGiven = false;
    const second = Promise.resolve(two.idsOf(['CAFE-1'])).finally(() => (isGiven = true));
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect(isGiven).toBe(false);
    await one.keep();
    expect(await second).toEqual(first);
    await two.keep();
    await ask('BEGIN');
    await ask('LOCK TABLE tillside_bridge.id_of IN ACCESS EXCLUSIVE MODE');
    await expect(Promise.resolve(two.idsOf(['CAFE-2']))).rejects.toThrow('ledger: canceling statement');
    await ask('ROLLBACK');
  });

  it('lets one of them tell the source at a time, and the other when that one is gone', async () => {
    const { one, two } = await both();
    await one.change(() => {
      one.writeCoupon(company, coffee, true, 'CAFE-1');
    }, null);
    const began: string[] = [];
    await one.withOutbox(async () => {
      began.push('one');
      await two.withOutbox(() => Promise.resolve(void began.push('two, meanwhile')));
    });
    await two.withOutbox(() => Promise.resolve(void began.push('two')));
    expect(began).toEqual(['one', 'two']);
  });

  it('counts what is there now, also where its server would show each transaction one old state', async () => {
    const { ask, address } = await makeShared();
    const name = new URL(address).pathname.slice(1);
    await ask(`ALTER DATABASE ${name} SET default_transaction_isolation = 'repeatable read'`);
    const [one, two] = [openShared({ ask, address }), openShared({ ask, address })];
    const now = Date.now();
    const admission = { clientId: 'tills', now, since: now - 60_000, limit: 10, isRefusalCounted: false };
    const passed = await Promise.all(
      Array.from({ length: 60 }, async (_, place) => (place % 2 === 0 ? one : two).admit(admission)),
    );
    expect(passed.filter((inTheWay) => inTheWay === null)).toHaveLength(10);
  });

  it('gives up the tokens that end first, of the same kind and application', async () => {
    const { one, database } = await both();
    await one.change(() => {
      one.addToken('mine', token('access', 10));
    }, null);
    await database.ask(`
      INSERT INTO tillside_bridge.token SELECT 'refresh-' || n, 'refresh', 'tills', '7', 100 + n FROM generate_series(0, 9999) n
      UNION ALL SELECT 'other-' || n, 'access', 'other', '7', 100 + n FROM generate_series(0, 9999) n
    `);
    await one.change(() => {
      one.addToken('newest', token('refresh', 100_000));
      one.addToken('other', token('access', 100_000, 'other'));
    }, null);
    expect(await one.readToken('mine')).toEqual(token('access', 10));
    expect([await one.readToken('refresh-0'), (await one.readToken('refresh-1'))?.kind]).toEqual([null, 'refresh']);
  });

  it.each([
    ['mysql://localhost/ledger', 'must begin with "postgres:"'],
    ['postgres://db.example.com/ledger', 'at another machine needs ?sslmode=verify-full'],
    ['postgres://127.0.0.1/ledger', null],
    ['postgresql://db.example.com/ledger?sslmode=verify-full&sslrootcert=ca.crt', null],
  ])('of %s says what is wrong', (address, fault) => {
    expect(findLedgerFault(address)).toEqual(fault === null ? null : expect.stringContaining(fault));
  });
});
