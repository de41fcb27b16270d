// A shop's own database as a source. The shop names its queries; their columns are read tolerantly, and what cannot be
// read is an error that names query, column and row.
import { reasonOf } from '../../reason.ts';
import { roundAmount, type Row, RowError, RowReader } from '../row-reader.ts';
import type { ShopSource, SourceKey, SourceProduct, SourceRows } from '../shop-source.ts';
import { ConnectError, findAddressFault, takeOutPassword, type SqlConnection, type Statement } from './connection.ts';
import type { QueryName, SqlSettings } from './settings.ts';

/** The database of this address by its scheme. Throws RangeError for another, and for one that may tell a password. */
async function connect(address: string): Promise<SqlConnection> {
  if (address.startsWith('sqlite:')) {
    const { connectSqlite } = await import('./sqlite.ts');
    return connectSqlite(address.slice('sqlite:'.length));
  }
  const isPostgres = /^postgres(?:ql)?:/.test(address);
  if (isPostgres || /^(?:mariadb|mysql):/.test(address)) {
    const fault = findAddressFault(address);
    if (fault !== null) {
      throw new RangeError(`source.database ${fault}`);
    }
    return isPostgres
      ? (await import('./postgres.ts')).connectPostgres(address)
      : (await import('./mysql.ts')).connectMysql(address);
  }
  throw new RangeError('source.database must begin with "sqlite:", "postgres:", "mariadb:" or "mysql:"');
}

/** Opens the shop's database as a source; dates and times without a zone are of this one. */
export async function createSqlSource({ database, queries }: SqlSettings, timeZone: string): Promise<ShopSource> {
  const connection = await connect(database);
  const bare = takeOutPassword(database);
  const readerOf = (name: QueryName): RowReader => new RowReader(`source.queries.${name}`, timeZone, bare);
  /** What the database says about one of the queries, by its name. */
  const namedFault = (name: QueryName, error: unknown): Error => {
    const isNamed = error instanceof ConnectError || error instanceof RowError;
    return new Error(`${isNamed ? '' : `source.queries.${name}: `}${bare(reasonOf(error))}`, { cause: error });
  };

  async function* stream(name: 'products' | 'barcodes' | 'stock'): AsyncIterable<readonly Row[]> {
    const sql = queries[name];
    try {
      yield* sql === undefined ? [] : connection.stream(sql);
    } catch (error) {
      throw namedFault(name, error);
    }
  }
  /** Asks by the query, whose name is told with what goes wrong; null where the shop has none. */
  function asking<Given extends readonly unknown[], Value>(
    name: QueryName,
    question: (sql: string, ...given: Given) => Promise<Value>,
  ): ((...given: Given) => Promise<Value>) | null {
    const sql = queries[name];
    if (sql === undefined) {
      return null;
    }
    return async (...given) => {
      try {
        return await question(sql, ...given);
      } catch (error) {
        throw namedFault(name, error);
      }
    };
  }
  /** What `products` says of the product's coupon after that; undefined where it does not have the product. */
  async function readAfter(tried: Statement, sourceId: string): Promise<boolean | null | undefined> {
    const read = readerOf('products');
    for await (const rows of connection.stream(queries.products, tried)) {
      const own = rows.find((row) => read.needText(row, 'id') === sourceId);
      // Until nobody reads on, the shop's programs wait for what was written.
      if (own !== undefined) {
        return read.flag(own, 'coupon');
      }
    }
    return undefined;
  }
  /** Throws where `products` does not say the coupon that was written; one that is off it need not say. */
  async function tryCoupon(sql: string, sourceId: string, given: { product: SourceKey; enabled: boolean }) {
    const said = await readAfter({ sql, parameters: given }, sourceId);
    if (said !== given.enabled && (said !== null || given.enabled)) {
      const found = said === true ? 'on' : 'off';
      const words = typeof said === 'boolean' ? found : 'nothing of it';
      throw new Error(
        `the coupon of ${JSON.stringify(sourceId)} is switched ${given.enabled ? 'on' : 'off'}, and products then says ${words}`,
      );
    }
  }
  async function* readAll(): AsyncIterable<SourceRows> {
    const product = readerOf('products');
    for await (const rows of stream('products')) {
      yield { products: rows.map((row) => product.product(row)) };
    }
    const barcode = readerOf('barcodes');
    for await (const rows of stream('barcodes')) {
      yield { barcodes: rows.map((row) => barcode.barcode(row)) };
    }
    const stock = readerOf('stock');
    for await (const rows of stream('stock')) {
      yield { amounts: rows.map((row) => stock.amount(row)) };
    }
  }
  return {
    read: readAll,
    readAmount: asking('amount', async (sql, product: SourceKey, stock: string) =>
      readerOf('amount').sum(await connection.read(sql, { product, stock }), 'amount'),
    ),
    readMovements: asking('movements', async (sql, product: SourceKey, stock: string) => {
      const read = readerOf('movements');
      const rows = await connection.read(sql, { product, stock });
      return { entered: read.sum(rows, 'entered'), exited: read.sum(rows, 'exited') };
    }),
    listBatches: asking('batches', async (sql, product: SourceKey, stock: string) => {
      const read = readerOf('batches');
      const rows = await connection.read(sql, { product, stock });
      return rows.map((row) => ({
        name: read.text(row, 'name'),
        amount: roundAmount(read.needNumber(row, 'amount')),
        enteredAt: read.moment(row, 'entered_at'),
        expiresAt: read.moment(row, 'expires_at'),
      }));
    }),
    writeCoupon: asking(
      'setCoupon',
      async (sql, product: SourceKey, isEnabled: boolean) =>
        (await connection.write(sql, { product, enabled: isEnabled })) !== 0,
    ),
    checkCoupon: asking('setCoupon', async (sql, { sourceId, key = sourceId, coupon }: SourceProduct) => {
      if (coupon === null || !(await connection.takesBack(sql))) {
        return connection.check(sql, { product: key, enabled: true });
      }
      // Both, whatever the first one finds: where another database's MyISAM keeps it, the coupon ends as it was.
      const other = tryCoupon(sql, sourceId, { product: key, enabled: !coupon });
      const own = other.catch(() => null).then(() => tryCoupon(sql, sourceId, { product: key, enabled: coupon }));
      await Promise.allSettled([other, own]);
      await other;
      return own;
    }),
    close: () => connection.close(),
  };
}
