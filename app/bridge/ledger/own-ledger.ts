// The ledger of a bridge that stands alone: SQLite in its own folder.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createLedger } from '../../service/ledger.ts';
import { Database } from '../../storage/database.ts';
import { openOrReplace, requireKept } from '../../storage/recover.ts';
import { arrivalMigrations, idMigrations, ledgerMigrations } from '../migrations.ts';
import { firstGiven, ownNumberOf, type BridgeLedger, type Ids } from './ledger.ts';

/** Four gigabytes: what a source of ever new ids may fill of the disk. */
const maxIdPages = 1_048_576;

/** Opens the ledger in the folder, for this process alone. Throws StorageError. */
export async function openOwnLedger(folder: string, now: number): Promise<BridgeLedger> {
  const [own, ids, last] = [join(folder, 'ledger.db'), join(folder, 'ids.db'), join(folder, 'arrivals.db')];
  requireKept([own, ids], last);
  const database = await Database.open(own, { kind: 'precious', migrations: ledgerMigrations });
  if (!existsSync(ids)) {
    await (await openOwnIds(folder, now)).close();
  }
  const options = { kind: 'precious', migrations: arrivalMigrations } as const;
  const { database: arrivals } = await openOrReplace(last, options, now);
  // Else each request waits for the disk. A process that is killed loses nothing; what a power cut may leave is looked
  // through at the next start, and makes way when it is not whole.
  arrivals.exec('PRAGMA synchronous = OFF');
  const ledger = createLedger(database, null, arrivals);
  const wait = database.prepare(
    `INSERT INTO coupon_pending SELECT ?, ?, coalesce(max(number), 0) + 1 FROM coupon_pending WHERE true
     ON CONFLICT (source_id) DO UPDATE SET is_enabled = excluded.is_enabled, number = excluded.number`,
  );
  const nextAfter = database.prepare<{ sourceId: string; isEnabled: number; number: number }>(
    'SELECT source_id AS sourceId, is_enabled AS isEnabled, number FROM coupon_pending WHERE number > ? ORDER BY number LIMIT 1',
  );
  const remove = database.prepare('DELETE FROM coupon_pending WHERE number = ?');
  const forget = database.prepare('DELETE FROM coupon_setting WHERE company_id = ? AND product_id = ?');
  const allPending = database.prepare<{ sourceId: string }>('SELECT source_id AS sourceId FROM coupon_pending');
  const count = database.prepare<{ count: number }>('SELECT count(*) AS count FROM coupon_pending');
  return {
    ...ledger,
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
    withOutbox: (action) =>
      action({
        next: (after) => {
          const row = nextAfter.get(after);
          return row === undefined ? null : { ...row, isEnabled: row.isEnabled === 1 };
        },
        remove: (number) => void remove.run(number),
      }),
    close: () => {
      arrivals.close();
      database.close();
    },
  };
}

/** Opens the numbers in the folder, for one pass that begins at this moment. Throws StorageError. */
export async function openOwnIds(folder: string, now: number): Promise<Ids> {
  const database = await Database.open(join(folder, 'ids.db'), { kind: 'precious', migrations: idMigrations });
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
