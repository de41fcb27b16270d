// The ledger of a bridge that stands alone: SQLite in its own folder.
import { join } from 'node:path';
import { createLedger } from '../../service/ledger.ts';
import { Database, StorageError, type Migration } from '../../storage/database.ts';
import { openOrReplace, requireKept } from '../../storage/recover.ts';
import { arrivalMigrations, idMigrations, ledgerMigrations } from '../migrations.ts';
import { firstGiven, ownNumberOf, type BridgeLedger, type Ids } from './ledger.ts';

/** Four gigabytes: what a source of ever new ids may fill of the disk. */
const maxIdPages = 1_048_576;

/** Tells the file whose it is where it does not know. Throws StorageError where it is of another ledger. */
function claim(database: Database, id: string, isNew: boolean, fault: string): void {
  const found = database.prepare<{ id: string }>('SELECT id FROM pair').get()?.id ?? null;
  if (found === null && isNew) {
    database.prepare('INSERT INTO pair VALUES (?)').run(id);
  } else if (found !== id) {
    throw new StorageError({ kind: 'storageFailed', message: fault });
  }
}

/** Opens one that must be kept. Throws StorageError, which names the file where it is damaged. */
async function openKept(path: string, migrations: readonly Migration[]): Promise<Database> {
  try {
    return await Database.open(path, { kind: 'precious', migrations });
  } catch (error) {
    if (error instanceof StorageError && error.isDamage) {
      const message = `${path} is damaged: bring back a backup (${error.message})`;
      throw new StorageError({ ...error.failure, message }, true);
    }
    throw error;
  }
}

/** Makes ids.db where the ledger has never answered anybody. Throws StorageError where it is lost, or another ledger's. */
async function pairIds(ledger: Database, [own, ids]: readonly [string, string]): Promise<string> {
  const pair = ledger
    .prepare<{ id: string; isPaired: number; isUsed: number }>(
      'SELECT id, is_paired AS isPaired, EXISTS (SELECT 1 FROM token) AS isUsed FROM pair',
    )
    .get() ?? { id: '', isPaired: 1, isUsed: 1 };
  if (pair.isPaired + pair.isUsed > 0) {
    requireKept([ids], own);
  }
  const database = await openKept(ids, idMigrations);
  try {
    claim(database, pair.id, pair.isPaired === 0, `${ids} is not of the same bridge as ${own}: bring back both`);
  } finally {
    database.close();
  }
  ledger.exec('UPDATE pair SET is_paired = 1');
  return pair.id;
}

/**
 * Opens what lies in the folder: ledger.db, then ids.db, then arrivals.db, which are made in this order and know that they
 * belong together. Throws StorageError where they do not, or one that must be kept is lost.
 */
async function openFiles(folder: string, now: number): Promise<readonly [ledger: Database, arrivals: Database]> {
  const [own, ids, last] = [join(folder, 'ledger.db'), join(folder, 'ids.db'), join(folder, 'arrivals.db')];
  requireKept([own, ids], last);
  requireKept([own], ids);
  const database = await openKept(own, ledgerMigrations);
  try {
    const pair = await pairIds(database, [own, ids]);
    const options = { kind: 'precious', migrations: arrivalMigrations } as const;
    const { database: arrivals } = await openOrReplace(last, options, now);
    try {
      const fault = `${own} and ${ids} are of another bridge than ${last}: where they are the right ones, remove that and snapshot.db`;
      claim(arrivals, pair, true, fault);
      return [database, arrivals];
    } catch (error) {
      arrivals.close();
      throw error;
    }
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Opens the ledger in the folder, for this process alone. Throws StorageError. */
export async function openOwnLedger(folder: string, now: number): Promise<BridgeLedger> {
  const [database, arrivals] = await openFiles(folder, now);
  // Else each request waits for the disk. A process that is killed loses nothing; what a power cut may leave is looked
  // through at the next start, and makes way when it is not whole.
  arrivals.exec('PRAGMA synchronous = OFF');
  const ledger = createLedger(database, null, arrivals);
  const wait = database.prepare(
    `INSERT INTO coupon_pending SELECT ?, ?, coalesce(max(number), 0) + 1 FROM coupon_pending WHERE true
     ON CONFLICT (source_id) DO UPDATE SET is_enabled = excluded.is_enabled, number = excluded.number`,
  );
  const nextAfter = database.prepare<{ sourceId: string; isEnabled: number; written: string }>(
    `SELECT source_id AS sourceId, is_enabled AS isEnabled, CAST(number AS TEXT) AS written FROM coupon_pending
     WHERE number > ? ORDER BY number LIMIT 1`,
  );
  const remove = database.prepare('DELETE FROM coupon_pending WHERE number = ?');
  const forget = database.prepare('DELETE FROM coupon_setting WHERE company_id = ? AND product_id = ?');
  const allPending = database.prepare<{ sourceId: string }>('SELECT source_id AS sourceId FROM coupon_pending');
  const count = database.prepare<{ count: number }>('SELECT count(*) AS count FROM coupon_pending');
  return {
    ...ledger,
    // Whatever changes something has been counted before.
    admit: (admission) => {
      database.requirePlace();
      return ledger.admit(admission);
    },
    writeCoupon: (companyId, productId, isEnabled, sourceId) => {
      ledger.writeCoupon(companyId, productId, isEnabled);
      if (sourceId !== null) {
        wait.run(sourceId, isEnabled ? 1 : 0);
      }
    },
    leaving: {
      listPending: () => new Set(allPending.all().map(({ sourceId }) => sourceId)),
      forgetCoupons: (companyId, productIds) => {
        database.transaction(() => {
          for (const productId of productIds) {
            forget.run(companyId, productId);
          }
        });
      },
    },
    countPending: () => Promise.resolve(count.get()?.count ?? 0),
    withOutbox: async (action) => {
      // A disk without room is read all the same, and no till is answered.
      for (const file of [arrivals, database]) {
        file.transaction(() => {
          file.exec('UPDATE pair SET id = id');
        });
        // A copy of the file alone has then what was written until now.
        file.checkpoint();
      }
      await action({
        next: (after) => {
          const row = nextAfter.get(after);
          return row === undefined
            ? null
            : { sourceId: row.sourceId, isEnabled: row.isEnabled === 1, number: BigInt(row.written) };
        },
        remove: (number) => void remove.run(number),
      });
    },
    close: () => {
      arrivals.close();
      database.close();
    },
  };
}

/** Opens the numbers in the folder, for one pass that begins at this moment. Throws StorageError. */
export async function openOwnIds(folder: string, now: number): Promise<Ids> {
  const database = await openKept(join(folder, 'ids.db'), idMigrations);
  database.exec(`PRAGMA max_page_count = ${maxIdPages}`);
  database.exec('BEGIN IMMEDIATE');
  const find = database.prepare<{ id: number }>('SELECT id FROM id_of WHERE source_id = ?');
  const add = database.prepare('INSERT INTO id_of SELECT ?, max(coalesce(max(id), 0), ?) + 1 FROM id_of');
  const give = (sourceId: string): number => {
    const known = find.get(sourceId);
    if (known !== undefined) {
      return known.id;
    }
    add.run(sourceId, Math.max(firstGiven, now));
    return find.get(sourceId)?.id ?? firstGiven;
  };
  return {
    idsOf: (sourceIds) => sourceIds.map((sourceId) => ownNumberOf(sourceId) ?? give(sourceId)),
    keep: () => {
      database.exec('COMMIT');
    },
    close: () => {
      database.close();
    },
  };
}
