import type { Balance, Batch, Listing, ListedProduct, MovementType, Product, Source } from '../../service/ports.ts';
import type { Id } from '../../domain/int64.ts';
import type { Stock } from '../../service/ports.ts';
import type { Database, Statement } from '../../storage/database.ts';
import { inTime } from '../in-time.ts';
import { createConditions } from './conditions.ts';
import { createStarts, orders } from './marks.ts';
import { roundAmount } from '../sources/row-reader.ts';
import type { ShopSource, SourceKey, SourceProduct } from '../sources/shop-source.ts';

interface Row {
  readonly id: number;
  readonly sourceId: string;
  readonly name: string;
  readonly code: string;
  readonly barcodes: string;
  readonly facts: string;
  readonly changedAt: number;
  readonly amount: number | null;
  readonly amountChangedAt: number | null;
}

const columns = `product.id, product.source_id AS sourceId, product.name, product.code, product.barcodes, product.facts,
  product.changed_at AS changedAt`;
const maxSorted = 10_000;
/** A till waits 20 s for an answer; after so long it is told that there is none. */
const sourcePatienceMs = 12_000;
/** A unit has a code alone in most systems; API v3 §2 gives it an id as well. */
const unitOf = (code: string | null): Product['unit'] => (code === null ? null : { id: 0, code, name: code });

function productOf({ id, name, code, barcodes, facts }: Row): Product {
  const { department, unit, price, supplier, aisle } = JSON.parse(facts) as SourceProduct;
  return {
    id: BigInt(id),
    name,
    code: code === '' ? null : code,
    barcodes: JSON.parse(barcodes) as string[],
    department,
    unit: unitOf(unit),
    options: [],
    shop: { price, supplier, aisle },
  };
}

type Described = Pick<SourceProduct, 'sourceId' | 'name' | 'coupon'>;

/** By which the source is asked about the product. */
const keyOf = ({ sourceId, facts }: Pick<Row, 'sourceId' | 'facts'>): SourceKey =>
  (JSON.parse(facts) as SourceProduct).key ?? sourceId;

/** Thrown before the first pass has come to its end, and where the last one is too old. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

/** The copies of several bridges, of which a till asks now this one and now that one. */
export interface Sharing {
  readonly now: () => number;
  /** No listing is of an older reading. What another bridge noticed earlier, by that much at most, is listed once more. */
  readonly maxAgeMs: number;
  /** By so much their clocks may differ. */
  readonly maxSkewMs: number;
}

/** When the copy was read, and whether it may be served. */
function createLastPass(database: Database, sharing: Sharing | null) {
  const lastPass = database.prepare<{ endedAt: number; beganAt: number }>(
    'SELECT ended_at AS endedAt, began_at AS beganAt FROM pass',
  );
  const readAt = (): number | null => lastPass.get()?.endedAt ?? null;
  return {
    readAt,
    requirePass: (): void => {
      if (readAt() === null) {
        throw new NotReadyError('the source has not been read yet');
      }
    },
    isTooOld: (): boolean => {
      const ageMs = (sharing?.now() ?? 0) - (lastPass.get()?.beganAt ?? 0);
      // One that is still to come is of a clock that was wrong.
      return sharing !== null && (ageMs > sharing.maxAgeMs || ageMs < 0 - sharing.maxSkewMs);
    },
  };
}

/** Counts all products once for each reading. */
function createWholeCount(database: Database, readAt: () => number | null): () => number {
  const countAll = database.prepare<{ count: number }>('SELECT count(*) AS count FROM product');
  let whole: { readonly asOf: number; readonly total: number } | null = null;
  return () => {
    const asOf = readAt() ?? 0;
    if (whole?.asOf !== asOf) {
      whole = { asOf, total: countAll.get()?.count ?? 0 };
    }
    return whole.total;
  };
}

/** Prepares each text once, of which there are as many as there are kinds of filters. */
function createPrepared(database: Database) {
  const statements = new Map<string, Statement<unknown>>();
  return <Found>(sql: string): Statement<Found> => {
    const statement = statements.get(sql) ?? database.prepare<unknown>(sql);
    statements.set(sql, statement);
    return statement as Statement<Found>;
  };
}

function createKeys(database: Database): (sourceId: string) => SourceKey | null {
  const find = database.prepare<Pick<Row, 'sourceId' | 'facts'>>(
    'SELECT source_id AS sourceId, facts FROM product WHERE source_id = ?',
  );
  return (sourceId) => {
    const row = find.get(sourceId);
    return row === undefined ? null : keyOf(row);
  };
}

/** Asks for all in one question: the list of coupons may hold each product of the shop. */
function createNames(database: Database): (productIds: readonly Id[]) => ReadonlyMap<Id, string> {
  const find = database.prepare<{ id: number; name: string }>(
    'SELECT id, name FROM product WHERE id IN (SELECT value FROM json_each(?))',
  );
  return (productIds) =>
    new Map(find.all(`[${productIds.join()}]`).map(({ id, name }) => [String(id) as Id, name] as const));
}

/** The copy as the service's source; what the shop's system can answer at once is asked there. */
export function createSnapshotSource(
  database: Database,
  source: ShopSource,
  stockNames: ReadonlyMap<string, string>,
  sharing: Sharing | null = null,
  patienceMs = sourcePatienceMs,
) {
  const answered = <Value>(answer: Promise<Value>): Promise<Value> =>
    inTime(answer, patienceMs, `the source has not answered within ${patienceMs} ms`);
  const nameOf = (stock: Stock): string => stockNames.get(stock.id) ?? stock.id;
  const find = database.prepare<Row>(
    `SELECT ${columns}, NULL AS amount, NULL AS amountChangedAt FROM product WHERE id = ?`,
  );
  const amountOf = database.prepare<{ amount: number }>('SELECT amount FROM amount WHERE stock = ? AND product_id = ?');
  const withCoupon = database.prepare<{ id: number }>(
    `SELECT id FROM product WHERE facts ->> '$.coupon' = 1 ORDER BY id`,
  );

  const { readAt, requirePass, isTooOld } = createLastPass(database, sharing);
  const rowOf = (productId: bigint): Row | null => {
    requirePass();
    return productId > BigInt(Number.MAX_SAFE_INTEGER) ? null : (find.get(Number(productId)) ?? null);
  };
  const conditionsOf = createConditions(database);
  const startOf = createStarts(database);
  const prepared = createPrepared(database);
  const countWhole = createWholeCount(database, readAt);
  const readMovement = async (row: Row, stock: string, movement: MovementType): Promise<number> => {
    if (movement !== 'all' && source.readMovements !== null) {
      const { entered, exited } = await answered(source.readMovements(keyOf(row), stock));
      return movement === 'in' ? entered : 0 - exited;
    }
    return source.readAmount === null
      ? (amountOf.get(stock, row.id)?.amount ?? 0)
      : roundAmount(await answered(source.readAmount(keyOf(row), stock)));
  };

  const listPage = (stock: string, asked: Listing) => {
    requirePass();
    if (isTooOld()) {
      throw new NotReadyError('the last reading of the source is too old to be listed beside those of other bridges');
    }
    const earlierMs = sharing === null ? 0 : sharing.maxAgeMs + sharing.maxSkewMs;
    const listing = { ...asked, updatedFrom: asked.updatedFrom === null ? null : asked.updatedFrom - earlierMs };
    const { orderBy, isAscending, limit } = listing;
    const conditions = conditionsOf(stock, listing);
    const where = conditions.map(({ sql }) => sql).join(' AND ');
    const values = conditions.flatMap((condition) => condition.values);
    const isWhole = conditions.length === 0;
    const total = isWhole
      ? countWhole()
      : (prepared<{ count: number }>(`SELECT count(*) AS count FROM product WHERE ${where}`).get(...values)?.count ??
        0);
    const start = isWhole
      ? startOf(orderBy, isAscending, listing.offset, total)
      : { sql: where, values, offset: listing.offset };
    const direction = isAscending ? 'ASC' : 'DESC';
    const order = orders[orderBy];
    // Few are found by their condition and then sorted: SQLite would walk the whole order to spare itself the sorting.
    const sorted = !isWhole && total <= maxSorted ? `+${order}` : order;
    const rows = prepared<Row>(
      `WITH page AS MATERIALIZED (
         SELECT id FROM product WHERE ${start.sql} ORDER BY ${sorted} ${direction}, id ${direction} LIMIT ? OFFSET ?
       )
       SELECT ${columns}, amount.amount, amount.changed_at AS amountChangedAt
       FROM page CROSS JOIN product USING (id) LEFT JOIN amount ON amount.stock = ? AND amount.product_id = product.id
       ORDER BY product.${order} ${direction}, product.id ${direction}`,
    ).all(...start.values, limit, start.offset, stock);
    return {
      total,
      products: rows.map((row) => ({
        product: productOf(row),
        amount: row.amount ?? 0,
        updatedAt: Math.max(row.changedAt, row.amountChangedAt ?? 0),
      })),
    };
  };

  return {
    /** When the last pass ended, in milliseconds since 1970; null before the first one. */
    readAt,
    /** Whether the last pass is too old to be listed beside those of other bridges. */
    isTooOld,
    movements: source.readMovements === null ? ['all'] : ['all', 'in', 'out'],
    list: (stock: Stock, listing: Listing): { readonly total: number; readonly products: readonly ListedProduct[] } =>
      database.reading(() => listPage(nameOf(stock), listing)),
    readBalance: async (stock: Stock, productId: bigint, movement: MovementType): Promise<Balance | null> => {
      const row = rowOf(productId);
      return row === null
        ? null
        : { product: productOf(row), amount: await readMovement(row, nameOf(stock), movement), options: [] };
    },
    listBatches: async (
      stock: Stock,
      productId: bigint,
      optionIds: ReadonlySet<bigint> | null,
    ): Promise<{ readonly product: Product; readonly batches: readonly Batch[] } | null> => {
      const row = rowOf(productId);
      if (row === null) {
        return null;
      }
      const found =
        optionIds === null && source.listBatches !== null
          ? await answered(source.listBatches(keyOf(row), nameOf(stock)))
          : [];
      return { product: productOf(row), batches: found.map((batch, place) => ({ id: BigInt(place + 1), ...batch })) };
    },
    findKnown: (productIds: ReadonlySet<bigint>): ReadonlySet<bigint> =>
      new Set(productIds.values().filter((id) => rowOf(id) !== null)),
    /** The source's own id, its name, and its coupon where the source keeps those; null for an unknown product. */
    describe: (productId: bigint): Described | null => {
      const row = rowOf(productId);
      return row === null ? null : { ...row, coupon: (JSON.parse(row.facts) as SourceProduct).coupon ?? null };
    },
    /** The names of those that are known. */
    namesOf: createNames(database),
    /** By which the source is asked about one of its ids; null where the last reading had no such product. */
    keyOf: createKeys(database),
    /** The ids of the products whose coupon is on at the source. */
    listCoupons: (): readonly Id[] => {
      requirePass();
      return withCoupon.all().map(({ id }) => String(id) as Id);
    },
  } satisfies Source & Record<string, unknown>;
}

export type SnapshotSource = ReturnType<typeof createSnapshotSource>;
