// What the source holds, copied a pass at a time, by a thread of its own (pass-worker.ts). A pass is read into tables of
// its own and then takes the place of the former one in one transaction: a source that fails in the middle, or answers
// nonsense, changes nothing.
import { isStampAhead } from '../../domain/date-time.ts';
import { foldText } from '../../service/fold.ts';
import { StorageError, type Database } from '../../storage/database.ts';
import type { Ids } from '../ledger/ledger.ts';
import { createMarking } from './marks.ts';
import type { ShopSource } from '../sources/shop-source.ts';

/** What one pass found and changed. */
export interface PassResult {
  readonly products: number;
  readonly changed: number;
  readonly removed: number;
  readonly changedAmounts: number;
  /** Products that are left out, and what is wrong with the first of them. */
  readonly unreadable: number;
  readonly firstUnreadable: string | null;
}

/** A stock of the configuration, and the source's name of it. */
export interface SourceStock {
  readonly id: string;
  readonly source: string;
}

type Unreadable = Pick<PassResult, 'unreadable' | 'firstUnreadable'>;

/** So many products that cannot be read are left out, but no more than can be read; of a large shop a tenth. */
const maxUnreadable = 10;

/** Throws RangeError where more products cannot be read than may be left out. */
export function refuseUnreadable({ unreadable, firstUnreadable }: Unreadable, products: number): void {
  if (firstUnreadable !== null && unreadable > Math.max(Math.min(maxUnreadable, products), products / 10)) {
    throw new RangeError(`${unreadable} products cannot be read: ${firstUnreadable}`);
  }
}

/** As JSON, of one product: a page of a hundred with more would hold up all tills, and none could read it. */
export const maxBarcodesLength = 40_000;

/** What is wrong with a product of longer ones. */
export const barcodesTooLong = (sourceId: string): RangeError =>
  new RangeError(`the product ${sourceId} has barcodes of more than ${maxBarcodesLength} characters`);

/** What one pass may take of the disk while it is read: far more than a shop has. A query without end would fill it. */
const maxReadBytes = 4 * 1024 ** 3;
const pageBytes = 4096;

const temporaryTables = `
  CREATE TEMP TABLE incoming (
    id INTEGER PRIMARY KEY, source_id TEXT NOT NULL, name TEXT NOT NULL, folded TEXT NOT NULL, code TEXT NOT NULL,
    barcodes TEXT NOT NULL, facts TEXT NOT NULL
  ) STRICT;
  CREATE INDEX temp.incoming_by_source ON incoming (source_id);
  CREATE TEMP TABLE incoming_barcode (
    source_id TEXT NOT NULL, barcode TEXT NOT NULL, PRIMARY KEY (source_id, barcode)
  ) STRICT, WITHOUT ROWID;
  CREATE TEMP TABLE incoming_amount (
    stock TEXT NOT NULL, product_id INTEGER NOT NULL, amount REAL NOT NULL, PRIMARY KEY (stock, product_id)
  ) STRICT, WITHOUT ROWID;
  CREATE TEMP TABLE changed (id INTEGER PRIMARY KEY) STRICT;
`;

/** Opens the tables into which the source is read. `idsOf` gives the ids. */
function openIncoming(database: Database, idsOf: Ids['idsOf'], maxBytes: number) {
  database.exec(`PRAGMA temp.max_page_count = ${Math.floor(maxBytes / pageBytes)}`);
  database.exec(temporaryTables);
  const addProduct = database.prepare('INSERT OR IGNORE INTO incoming VALUES (?, ?, ?, ?, ?, ?, ?)');
  const addBarcode = database.prepare('INSERT OR IGNORE INTO incoming_barcode VALUES (?, ?)');
  // In an order of their own, or two passes of the same barcodes would differ.
  const joinBarcodes = database.prepare(
    `UPDATE incoming SET barcodes = (
       SELECT json_group_array(barcode ORDER BY is_more, barcode) FROM (
         SELECT value AS barcode, 0 AS is_more FROM json_each(incoming.barcodes)
         UNION ALL SELECT barcode, 1 FROM incoming_barcode
         WHERE source_id = incoming.source_id AND barcode NOT IN (SELECT value FROM json_each(incoming.barcodes))
       )
     ) WHERE source_id IN (SELECT source_id FROM incoming_barcode)`,
  );
  // Those of no product count for nothing.
  const findLong = database.prepare<{ sourceId: string }>(
    `SELECT source_id AS sourceId FROM incoming_barcode WHERE source_id IN (SELECT source_id FROM incoming)
     GROUP BY source_id HAVING sum(length(json_quote(barcode)) + 1) > ${maxBarcodesLength} LIMIT 1`,
  );
  const addAmount = database.prepare(
    `INSERT INTO incoming_amount SELECT ?, id, ? FROM incoming WHERE source_id = ?
     ON CONFLICT DO UPDATE SET amount = amount + excluded.amount`,
  );
  // As `roundAmount` does: thirds that were rounded one by one would make no whole.
  const roundAmounts = database.prepare(
    'UPDATE incoming_amount SET amount = round(amount, 6) WHERE amount <> round(amount, 6)',
  );
  const load = async (source: ShopSource): Promise<Unreadable> => {
    const problems = { count: 0, first: null as string | null };
    for await (const { products = [], barcodes = [], amounts = [], unreadable = [] } of source.read()) {
      problems.first ??= unreadable[0] ?? null;
      problems.count += unreadable.length;
      const ids = await idsOf(products.map(({ sourceId }) => sourceId));
      database.transaction(() => {
        for (const [place, { sourceId, name, code, barcodes: own, ...facts }] of products.entries()) {
          const texts = [name, foldText(name), code ?? '', JSON.stringify(own), JSON.stringify(facts)];
          if (addProduct.run(ids[place] ?? null, sourceId, ...texts).changes === 0) {
            throw new RangeError(`the source answers the product ${sourceId} twice`);
          }
        }
        for (const { sourceId, barcode } of barcodes) {
          addBarcode.run(sourceId, barcode);
        }
        for (const { sourceId, stock, amount } of amounts) {
          addAmount.run(stock, amount, sourceId);
        }
      });
    }
    const long = findLong.get();
    if (long !== undefined) {
      throw barcodesTooLong(long.sourceId);
    }
    joinBarcodes.run();
    roundAmounts.run();
    return { unreadable: problems.count, firstUnreadable: problems.first };
  };
  return async (source: ShopSource): Promise<Unreadable> => {
    try {
      return await load(source);
    } catch (error) {
      throw error instanceof StorageError && error.failure.kind === 'storageFull'
        ? new RangeError(`the source holds more than ${maxBytes} bytes, or ids.db or the disk is full`)
        : error;
    }
  };
}

/** Notes where stocks lie; answers whether one lies elsewhere than before: what was told of it is of another place. */
function createPlaces(database: Database): (stocks: readonly SourceStock[]) => boolean {
  const move = database.prepare('UPDATE stock_place SET source = ?2 WHERE stock = ?1 AND source <> ?2');
  const add = database.prepare('INSERT OR IGNORE INTO stock_place VALUES (?, ?)');
  return (stocks) => {
    const moved = stocks.filter(({ id, source }) => move.run(id, source).changes > 0);
    for (const { id, source } of stocks) {
      add.run(id, source);
    }
    return moved.length > 0;
  };
}

/** Opens the copy to be written once. `idsOf` gives the ids. What is read may take so many bytes. */
export function createPass(database: Database, idsOf: Ids['idsOf'], maxBytes = maxReadBytes) {
  const load = openIncoming(database, idsOf, maxBytes);
  let left: Unreadable = { unreadable: 0, firstUnreadable: null };
  const countOf = (table: string): (() => number) => {
    const count = database.prepare<{ count: number }>(`SELECT count(*) AS count FROM ${table}`);
    return () => count.get()?.count ?? 0;
  };
  const counts = {
    incoming: countOf('incoming'),
    product: countOf('product'),
    changed: countOf('changed'),
    incomingAmount: countOf('incoming_amount'),
    amount: countOf('amount WHERE amount <> 0'),
  };
  const renumbered = database.prepare<{ sourceId: string }>(
    'SELECT source_id AS sourceId FROM incoming JOIN product USING (source_id) WHERE incoming.id <> product.id LIMIT 1',
  );
  const lastPass = database.prepare<{ endedAt: number; aheadAt: number }>(
    'SELECT ended_at AS endedAt, ahead_at AS aheadAt FROM pass',
  );
  const marks = createMarking(database);
  const noteMoved = createPlaces(database);
  const steps = {
    findChanged: database.prepare(
      `INSERT INTO changed SELECT incoming.id FROM incoming LEFT JOIN product ON product.id = incoming.id
       WHERE product.id IS NULL OR product.source_id IS NOT incoming.source_id OR product.name IS NOT incoming.name
         OR product.code IS NOT incoming.code OR product.barcodes IS NOT incoming.barcodes
         OR product.facts IS NOT incoming.facts`,
    ),
    removeNames: database.prepare(
      `INSERT INTO name_part (name_part, rowid, folded) SELECT 'delete', id, folded FROM product
       WHERE id IN (SELECT id FROM changed) OR id NOT IN (SELECT id FROM incoming)`,
    ),
    writeNames: database.prepare(
      'INSERT INTO name_part (rowid, folded) SELECT id, folded FROM product WHERE id IN (SELECT id FROM changed)',
    ),
    removeBarcodes: database.prepare(
      'DELETE FROM barcode WHERE product_id IN (SELECT id FROM changed) OR product_id NOT IN (SELECT id FROM incoming)',
    ),
    remove: database.prepare('DELETE FROM product WHERE id NOT IN (SELECT id FROM incoming)'),
    write: database.prepare(
      `INSERT OR REPLACE INTO product
       SELECT id, source_id, name, folded, code, barcodes, facts, ? FROM incoming WHERE id IN (SELECT id FROM changed)`,
    ),
    writeBarcodes: database.prepare(
      `INSERT OR IGNORE INTO barcode
       SELECT value, incoming.id FROM incoming, json_each(incoming.barcodes) WHERE incoming.id IN (SELECT id FROM changed)`,
    ),
    zeroAmounts: database.prepare(
      `UPDATE amount SET amount = 0, changed_at = ? WHERE amount <> 0
       AND NOT EXISTS (SELECT 1 FROM incoming_amount n WHERE n.stock = amount.stock AND n.product_id = amount.product_id)`,
    ),
    writeAmounts: database.prepare(
      `INSERT INTO amount SELECT stock, product_id, amount, ? FROM incoming_amount WHERE true
       ON CONFLICT DO UPDATE SET amount = excluded.amount, changed_at = excluded.changed_at
       WHERE amount.amount <> excluded.amount`,
    ),
    touchProducts: database.prepare('UPDATE product SET changed_at = ?'),
    touchAmounts: database.prepare('UPDATE amount SET changed_at = ?'),
    end: database.prepare('INSERT OR REPLACE INTO pass VALUES (1, ?, ?, ?)'),
  };
  const check = (): void => {
    // A till would switch the coupon of another product by the number that it knows.
    const other = renumbered.get();
    if (other !== undefined) {
      throw new RangeError(
        `the product ${other.sourceId} has another number than before: ids.db or the shared ledger is not the one from then`,
      );
    }
    const products = counts.incoming();
    refuseUnreadable(left, products);
    const before = counts.product();
    if (products === 0 && before > 0) {
      throw new RangeError(`the source answers no product at all, where it had ${before}`);
    }
    const amounts = counts.amount();
    if (counts.incomingAmount() === 0 && amounts > 0) {
      throw new RangeError(`the source answers no amount at all, where it had ${amounts}`);
    }
  };
  const apply = (clockMs: number, beganAt: number, stocks: readonly SourceStock[]): PassResult => {
    check();
    const products = counts.incoming();
    const { endedAt, aheadAt } = lastPass.get() ?? { endedAt: 0, aheadAt: 0 };
    // A clock that was set back must not hide a change from who asks what changed since; each pass has a moment of its own.
    // One that was far ahead is not waited for. If it was the right one, its moment comes, and what was hidden is listed.
    const wasAhead = isStampAhead(endedAt, clockMs);
    const now = wasAhead ? clockMs : Math.max(clockMs, endedAt + 1);
    const latest = wasAhead ? Math.max(endedAt, aheadAt) : aheadAt;
    const hasCome = latest > 0 && now > latest;
    return database.transaction(() => {
      steps.findChanged.run();
      steps.removeNames.run();
      steps.removeBarcodes.run();
      const removed = steps.remove.run().changes;
      steps.write.run(now);
      steps.writeNames.run();
      steps.writeBarcodes.run();
      const changedAmounts = steps.zeroAmounts.run(now).changes + steps.writeAmounts.run(now).changes;
      const changed = counts.changed();
      if (changed + removed > 0 || !marks.areSet()) {
        marks.set();
      }
      if (noteMoved(stocks) || wasAhead || hasCome) {
        steps.touchProducts.run(now);
        steps.touchAmounts.run(now);
      }
      steps.end.run(now, beganAt, hasCome ? 0 : latest);
      return { products, changed, removed, changedAmounts, ...left };
    });
  };

  return {
    /** Reads the source. Throws what the source throws. */
    load: async (source: ShopSource): Promise<void> => {
      left = await load(source);
    },
    /** Throws RangeError for a source that has lost everything that it had, or of which too much cannot be read. */
    check,
    /**
     * Puts what was loaded in the place of what was there, as changed at the moment (milliseconds since 1970), for the
     * stocks of the configuration.
     */
    apply,
  };
}
