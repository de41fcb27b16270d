// A shop's own database as a source. The shop names its queries; their columns are read tolerantly, and what cannot be
// read is an error that names query, column and row.
import { z } from 'zod';
import { readLocal } from '../../../service/date-times.ts';
import type { ShopSource, SourceAmount, SourceBatch, SourceProduct } from '../shop-source.ts';
import { parametersOf, type SqlConnection, type SqlRow } from './connection.ts';
import { connectPostgres } from './postgres.ts';
import { connectSqlite } from './sqlite.ts';

const query = z.string().min(1).max(20_000);

/** The queries of a configuration; see the README for their columns and parameters. */
export const queriesSchema = z.strictObject({
  products: query,
  barcodes: query.optional(),
  stock: query,
  amount: query.optional(),
  movements: query.optional(),
  batches: query.optional(),
  setCoupon: query.optional(),
});
export type Queries = z.infer<typeof queriesSchema>;
type QueryName = keyof Queries;

/** The parameters that each query may name, and those that it must. */
const parameters: Readonly<Record<QueryName, { readonly must: readonly string[]; readonly may: readonly string[] }>> = {
  products: { must: [], may: [] },
  barcodes: { must: [], may: [] },
  stock: { must: [], may: [] },
  amount: { must: ['product', 'stock'], may: [] },
  movements: { must: ['product'], may: ['stock'] },
  batches: { must: ['product'], may: ['stock'] },
  setCoupon: { must: ['product', 'enabled'], may: [] },
};

/** What is wrong with the parameters of the queries, a sentence each. */
export function findQueryFaults(queries: Queries): readonly string[] {
  return Object.entries(parameters).flatMap(([name, { must, may }]) => {
    const sql = queries[name as QueryName];
    if (sql === undefined) {
      return [];
    }
    const named = new Set(parametersOf(sql));
    return [
      ...must.filter((one) => !named.has(one)).map((one) => `source.queries.${name} must use :${one}`),
      ...[...named]
        .filter((one) => !must.includes(one) && !may.includes(one))
        .map((one) => `source.queries.${name} has no parameter :${one}`),
    ];
  });
}

/** Thrown for a row that cannot be read. */
export class RowError extends Error {
  override readonly name = 'RowError';
}

/** Milliseconds since 1970 of a date or date-time, in the zone where it names none; NaN for other text. */
function readMoment(text: string, timeZone: string): number {
  const local = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?))?$/.exec(text);
  return local === null ? Date.parse(text) : readLocal(`${local[1] ?? ''}T${local[2] ?? '00:00'}`, timeZone);
}

class Reader {
  readonly #query: QueryName;
  readonly #timeZone: string;

  constructor(name: QueryName, timeZone = 'UTC') {
    this.#query = name;
    this.#timeZone = timeZone;
  }

  #fail(column: string, problem: string, row: SqlRow): never {
    const start = Object.entries(row)
      .slice(0, 3)
      .map(([name, value]) => `${name}=${String(value).slice(0, 40)}`)
      .join(', ');
    throw new RowError(`source.queries.${this.#query}: column ${column} ${problem} (${start})`);
  }

  text(row: SqlRow, column: string): string | null {
    const value = row[column];
    if (value === undefined || value === null) {
      return null;
    }
    if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'bigint') {
      return this.#fail(column, 'is neither text nor a number', row);
    }
    const text = String(value).trim();
    return text === '' ? null : text;
  }

  needText(row: SqlRow, column: string): string {
    return this.text(row, column) ?? this.#fail(column, 'is missing or empty', row);
  }

  number(row: SqlRow, column: string): number | null {
    const text = this.text(row, column);
    const value = text === null ? null : Number(text);
    return value === null || Number.isFinite(value) ? value : this.#fail(column, 'is no number', row);
  }

  needNumber(row: SqlRow, column: string): number {
    return this.number(row, column) ?? this.#fail(column, 'is missing', row);
  }

  /** A date, a date-time, or seconds since 1970, in milliseconds. */
  moment(row: SqlRow, column: string): number | null {
    const value = row[column];
    if (value instanceof Date) {
      return value.getTime();
    }
    if (typeof value === 'number' || typeof value === 'bigint') {
      return Number(value) * 1000;
    }
    const text = this.text(row, column);
    const at = text === null ? null : readMoment(text, this.#timeZone);
    return Number.isNaN(at) ? this.#fail(column, 'is no date', row) : at;
  }
}

function readProduct(read: Reader, row: SqlRow, more: readonly string[]): SourceProduct {
  const own = read.text(row, 'barcode');
  return {
    sourceId: read.needText(row, 'id'),
    name: read.needText(row, 'name'),
    code: read.text(row, 'code'),
    // In an order of their own, or two passes of the same barcodes would differ.
    barcodes: [...new Set([...(own === null ? [] : [own]), ...more.toSorted()])],
    department: read.text(row, 'department'),
    unit: read.text(row, 'unit'),
    price: read.number(row, 'price'),
    supplier: read.text(row, 'supplier'),
    aisle: read.text(row, 'aisle'),
  };
}

/** The database of this address by its scheme: "postgres:", or "sqlite:" and a path. Throws RangeError for another. */
function connect(address: string): SqlConnection {
  if (address.startsWith('sqlite:')) {
    return connectSqlite(address.slice('sqlite:'.length));
  }
  if (/^postgres(?:ql)?:/.test(address)) {
    return connectPostgres(address);
  }
  throw new RangeError('source.database must begin with "sqlite:" or "postgres:"');
}

/** Opens the shop's database as a source; dates and times without a zone are of this one. */
export function createSqlSource(address: string, queries: Queries, timeZone: string): ShopSource {
  const connection = connect(address);

  async function* products(): AsyncIterable<readonly SourceProduct[]> {
    const read = new Reader('products');
    const barcodes = await readBarcodes();
    for await (const rows of connection.stream(queries.products)) {
      yield rows.map((row) => readProduct(read, row, barcodes.get(read.needText(row, 'id')) ?? []));
    }
  }
  async function readBarcodes(): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map<string, string[]>();
    if (queries.barcodes === undefined) {
      return found;
    }
    const read = new Reader('barcodes');
    for await (const rows of connection.stream(queries.barcodes)) {
      for (const row of rows) {
        const product = read.needText(row, 'product');
        const barcode = read.needText(row, 'barcode');
        const known = found.get(product);
        if (known === undefined) {
          found.set(product, [barcode]);
        } else {
          known.push(barcode);
        }
      }
    }
    return found;
  }
  async function* amounts(): AsyncIterable<readonly SourceAmount[]> {
    const read = new Reader('stock');
    for await (const rows of connection.stream(queries.stock)) {
      yield rows.map((row) => ({
        sourceId: read.needText(row, 'product'),
        stock: read.needText(row, 'stock'),
        amount: read.needNumber(row, 'amount'),
      }));
    }
  }
  const { amount, movements, batches, setCoupon } = queries;
  return {
    products,
    amounts,
    readAmount:
      amount === undefined
        ? null
        : async (product, stock) => {
            const [row] = await connection.read(amount, { product, stock });
            return row === undefined ? 0 : (new Reader('amount').number(row, 'amount') ?? 0);
          },
    readMovements:
      movements === undefined
        ? null
        : async (product, stock) => {
            const read = new Reader('movements');
            const [row = {}] = await connection.read(movements, { product, stock });
            return { entered: read.number(row, 'entered') ?? 0, exited: read.number(row, 'exited') ?? 0 };
          },
    listBatches:
      batches === undefined
        ? null
        : async (product, stock): Promise<readonly SourceBatch[]> => {
            const read = new Reader('batches', timeZone);
            const rows = await connection.read(batches, { product, stock });
            return rows.map((row) => ({
              name: read.text(row, 'name'),
              amount: read.needNumber(row, 'amount'),
              enteredAt: read.moment(row, 'entered_at'),
              expiresAt: read.moment(row, 'expires_at'),
            }));
          },
    writeCoupon:
      setCoupon === undefined
        ? null
        : (product, isEnabled) => connection.write(setCoupon, { product, enabled: isEnabled }),
    close: () => connection.close(),
  };
}
