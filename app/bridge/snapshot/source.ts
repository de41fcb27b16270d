import { foldText } from '../../service/fold.ts';
import type { Balance, Batch, Listing, ListedProduct, MovementType, Product, Source } from '../../service/ports.ts';
import type { Stock } from '../../service/ports.ts';
import type { SqlValue } from '../../storage/database.ts';
import type { ShopSource, SourceProduct } from '../sources/shop-source.ts';
import type { Snapshot } from './snapshot.ts';

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

interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

const columns = `product.id, product.source_id AS sourceId, product.name, product.code, product.barcodes, product.facts,
  product.changed_at AS changedAt`;
const orders = { id: 'id', code: 'code', name: 'folded' } as const;
const signs = { positive: '> 0', negative: '< 0', zero: '= 0' } as const;
const largestPrefix = '\u{10FFFF}';
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

/** Thrown before the first pass has come to its end. */
export class NotReadyError extends Error {
  override readonly name = 'NotReadyError';
}

/** The copy as the service's source; what the shop's system can answer at once is asked there. */
export function createSnapshotSource(snapshot: Snapshot, source: ShopSource, stockNames: ReadonlyMap<string, string>) {
  const { database } = snapshot;
  let whole = { revision: -1, total: 0 };
  const nameOf = (stock: Stock): string => stockNames.get(stock.id) ?? stock.id;
  const find = database.prepare<Row>(
    `SELECT ${columns}, NULL AS amount, NULL AS amountChangedAt FROM product WHERE id = ?`,
  );
  const amountOf = database.prepare<{ amount: number }>('SELECT amount FROM amount WHERE stock = ? AND product_id = ?');
  const countAll = database.prepare<{ count: number }>('SELECT count(*) AS count FROM product');
  const byCode = database.prepare<{ id: number }>(
    'SELECT id FROM product WHERE code IN (?, ?) UNION SELECT product_id FROM barcode WHERE barcode = ? LIMIT 2',
  );

  const requirePass = (): void => {
    if (snapshot.endedAt() === null) {
      throw new NotReadyError('the source has not been read yet');
    }
  };
  const rowOf = (productId: bigint): Row | null => {
    requirePass();
    return productId > BigInt(Number.MAX_SAFE_INTEGER) ? null : (find.get(Number(productId)) ?? null);
  };
  /** The one product that bears the term as code or barcode, else those that it begins, or whose names hold its words. */
  const termCondition = (term: string): Condition => {
    const exact = byCode.all(term, term.toUpperCase(), term);
    const [only] = exact;
    if (only !== undefined && exact.length === 1) {
      return { sql: 'id = ?', values: [only.id] };
    }
    const words = foldText(term)
      .split(/\s+/)
      .filter((word) => word !== '');
    const end = term + largestPrefix;
    return {
      sql: `((${words.map(() => 'instr(folded, ?) > 0').join(' AND ')}) OR (code >= ? AND code < ?)
        OR id IN (SELECT product_id FROM barcode WHERE barcode >= ? AND barcode < ?))`,
      values: [...words, term, end, term, end],
    };
  };
  const conditionsOf = (stock: string, listing: Listing): Condition[] => {
    const { productIds, amount, updatedFrom, term } = listing;
    const conditions: Condition[] = [];
    if (productIds !== null) {
      const ids = [...productIds].filter((id) => id <= BigInt(Number.MAX_SAFE_INTEGER)).map(Number);
      conditions.push({ sql: 'id IN (SELECT value FROM json_each(?))', values: [JSON.stringify(ids)] });
    }
    if (amount !== null && amount !== 'all') {
      const own = '(SELECT amount FROM amount WHERE stock = ? AND product_id = product.id)';
      conditions.push({ sql: `coalesce(${own}, 0) ${signs[amount]}`, values: [stock] });
    }
    if (updatedFrom !== null) {
      conditions.push({
        sql: `id IN (SELECT id FROM product WHERE changed_at >= ?
          UNION SELECT product_id FROM amount WHERE stock = ? AND changed_at >= ?)`,
        values: [updatedFrom, stock, updatedFrom],
      });
    }
    return term === null ? conditions : [...conditions, termCondition(term)];
  };
  const countWhole = (): number => {
    if (whole.revision !== snapshot.revision()) {
      whole = { revision: snapshot.revision(), total: countAll.get()?.count ?? 0 };
    }
    return whole.total;
  };
  const readMovement = async (row: Row, stock: string, movement: MovementType): Promise<number> => {
    if (movement !== 'all' && source.readMovements !== null) {
      const { entered, left } = await source.readMovements(row.sourceId, stock);
      return movement === 'in' ? entered : 0 - left;
    }
    return source.readAmount === null
      ? (amountOf.get(stock, row.id)?.amount ?? 0)
      : source.readAmount(row.sourceId, stock);
  };

  return {
    movements: source.readMovements === null ? ['all'] : ['all', 'in', 'out'],
    list: (stock: Stock, listing: Listing): { readonly total: number; readonly products: readonly ListedProduct[] } => {
      requirePass();
      const name = nameOf(stock);
      const conditions = conditionsOf(name, listing);
      const where = conditions.length === 0 ? '' : `WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`;
      const values = conditions.flatMap((condition) => condition.values);
      const total =
        conditions.length === 0
          ? countWhole()
          : (database.prepare<{ count: number }>(`SELECT count(*) AS count FROM product ${where}`).get(...values)
              ?.count ?? 0);
      const direction = listing.isAscending ? 'ASC' : 'DESC';
      const order = orders[listing.orderBy];
      const rows = database
        .prepare<Row>(
          `WITH page AS MATERIALIZED (
             SELECT id FROM product ${where} ORDER BY ${order} ${direction}, id ${direction} LIMIT ? OFFSET ?
           )
           SELECT ${columns}, amount.amount, amount.changed_at AS amountChangedAt
           FROM page JOIN product USING (id) LEFT JOIN amount ON amount.stock = ? AND amount.product_id = product.id
           ORDER BY product.${order} ${direction}, product.id ${direction}`,
        )
        .all(...values, listing.limit, listing.offset, name);
      return {
        total,
        products: rows.map((row) => ({
          product: productOf(row),
          amount: row.amount ?? 0,
          updatedAt: Math.max(row.changedAt, row.amountChangedAt ?? 0),
        })),
      };
    },
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
      const found = optionIds === null ? ((await source.listBatches?.(row.sourceId, nameOf(stock))) ?? []) : [];
      return { product: productOf(row), batches: found.map((batch, place) => ({ id: BigInt(place + 1), ...batch })) };
    },
    findKnown: (productIds: ReadonlySet<bigint>): ReadonlySet<bigint> =>
      new Set(productIds.values().filter((id) => rowOf(id) !== null)),
    /** The source's own id, and the name; null for an unknown product. */
    describe: (productId: bigint): { readonly sourceId: string; readonly name: string } | null => rowOf(productId),
  } satisfies Source & Record<string, unknown>;
}

export type SnapshotSource = ReturnType<typeof createSnapshotSource>;
