import type { Socket } from 'node:net';
import pg from 'pg';
import { createPostgresGuard, guardStream, signInKinds } from '../../../hosts/node/postgres-guard.ts';
import {
  batchSize,
  ConnectError,
  heldWriteSeconds,
  maxRead,
  questionTimeoutMs,
  replaceParameters,
  silentWriteSeconds,
  type SqlConnection,
  type SqlParameters,
  takeRows,
  valuesOf,
} from './connection.ts';
import { maxAnswerBytes } from '../json-http.ts';
import type { Row } from '../row-reader.ts';

export type { QueryResultRow } from 'pg';

/** A question is answered by `maxRead` rows and one more, or by a batch of a stream, and some words around them. */
const bounds = {
  connectTimeoutMs: 10_000,
  statementTimeoutMs: 300_000,
  maxConnections: 4,
  maxAnswerMessages: maxRead + 100,
  maxAnswerBytes: 128 * 1024 * 1024,
};
/** The process that answers tills asks them: as much as of any other server of a shop. */
const questionBounds = { ...bounds, maxAnswerBytes };

/** At the client as well: a server that has fallen silent obeys no limit of its own. */
const asQuestion = (query: pg.QueryConfig): pg.QueryConfig & { readonly query_timeout: number } => ({
  ...query,
  query_timeout: questionTimeoutMs + 1000,
});

/** Without values the package would choose the other protocol; its types do not know this field. */
const extended = { queryMode: 'extended' };
/** By the protocol that takes no second statement: that could end a transaction that only reads, and write. */
const oneStatement = (sql: string, parameters: SqlParameters = {}): pg.QueryConfig => ({
  text: replaceParameters(sql, (place) => `$${place}`),
  values: [...valuesOf(sql, parameters)],
  ...extended,
});

/** Dates are told as ISO 8601, whatever order the shop's own programs like. */
const beginning = (mode: string): string => `BEGIN ${mode}; SET LOCAL datestyle TO ISO`;
const silentFor = (ms: number): string => `SET LOCAL idle_in_transaction_session_timeout TO ${ms}`;
const writing = `${silentFor(silentWriteSeconds * 1000)}; SET LOCAL lock_timeout TO ${heldWriteSeconds * 1000}`;
const declaring = (sql: string): string => `DECLARE bridge NO SCROLL CURSOR FOR ${sql}`;

/** The blanks that fill up a CHAR belong to no value: beside a VARCHAR they would make it another one. */
const withoutFilling = (text: string): string => text.replace(/(?<! ) +$/, '');
const { types } = pg;
const { builtins } = types;
/** A moment with a zone has fewer characters; of more, pg takes time that grows with their square. */
const longestMoment = 50;
const parserOf = types.getTypeParser as (type: number) => (text: string) => unknown;
const [readMoment, readJson] = [parserOf(builtins.TIMESTAMPTZ), parserOf(builtins.JSON)];
/** Neither text nor a number: whoever asks a row for it is told so. */
const unread = Object.freeze({});
const readSingle = (text: string): unknown => (/^\s*[[{]/.test(text) ? unread : readJson(text));
/**
 * By PostgreSQL's types. Dates and times without a zone stay text: they are the shop's, not this machine's. pg's own parsers
 * believe the server: that of bytes may never end, and lists and documents take many times their length in memory.
 */
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.BOOL, (text) => text === 't'],
  ...(['INT2', 'INT4', 'OID', 'FLOAT4', 'FLOAT8'] as const).map((name) => [builtins[name], Number] as const),
  ...(['INT8', 'DATE', 'TIMESTAMP'] as const).map((name) => [builtins[name], String] as const),
  [builtins.TIMESTAMPTZ, (text) => (text.length > longestMoment ? unread : readMoment(text))],
  [builtins.BPCHAR, withoutFilling],
  [builtins.JSON, readSingle],
  [builtins.JSONB, readSingle],
]);
const getTypeParser = (type: number): ((text: string) => unknown) =>
  parsers.get(type) ?? (parserOf(type) === parserOf(builtins.TEXT) ? String : () => unread);

/** Far more than a row of a shop has, and than its ledger. */
const maxMessageBytes = 64 * 1024 * 1024;
const refusals = {
  weakSignIn:
    'the server asks for the password in clear text, which needs ?sslmode=verify-full here or scram-sha-256 in its pg_hba.conf, or does not prove that it knows it',
  tooLong: 'the server answers without end',
  unreadable: 'the answer cannot be read',
};

/** A client that whoever answers in the server's place neither ends nor holds up, nor is told the password. */
function guardedClient(
  address: string,
  most: Pick<typeof bounds, 'maxAnswerMessages' | 'maxAnswerBytes'>,
): new () => pg.Client {
  const modes = URL.parse(address)?.searchParams.getAll('sslmode') ?? [];
  const isProved = modes.length > 0 && modes.every((mode) => mode === 'verify-full');
  const { trust, md5, sasl } = signInKinds;
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super(config);
      const guard = createPostgresGuard({
        signIns: isProved ? Object.values(signInKinds) : [trust, md5, sasl],
        mechanism: 'SCRAM-SHA-256',
        maxMessageBytes,
        ...most,
        refuse: (why) => new Error(refusals[why]),
      });
      // Called with the socket, or the TLS in it, from which pg then reads.
      const { connection } = this as unknown as { connection: { attachListeners: (stream: Socket) => void } };
      const attach = connection.attachListeners.bind(connection);
      connection.attachListeners = (stream) => {
        attach(guardStream(stream, guard));
      };
      const ask = this.query.bind(this) as (...given: readonly unknown[]) => unknown;
      Object.assign(this, {
        query: (...given: readonly unknown[]) => {
          guard.expectAnswer();
          return ask(...given);
        },
      });
    }
  };
}

/** Connections to a PostgreSQL server by its address, "postgres://user:password@host/database", made when asked for. */
export function openPool(
  address: string,
  { connectTimeoutMs, statementTimeoutMs, maxConnections, ...most }: typeof bounds,
  options = '',
): pg.Pool {
  const pool = new pg.Pool({
    Client: guardedClient(address, most),
    connectionString: address,
    max: maxConnections,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    // A server that has gone without a word.
    query_timeout: statementTimeoutMs + connectTimeoutMs,
    keepAlive: true,
    options,
    types: { getTypeParser },
    application_name: 'tillside-bridge',
  });
  // A connection that breaks is replaced, in use or not; whoever asks by it is told by the question.
  pool.on('error', () => {});
  pool.on('connect', (client) => void client.on('error', () => {}));
  return pool;
}

/** Connects to the shop's server. */
export function connectPostgres(address: string, statementTimeoutMs = bounds.statementTimeoutMs): SqlConnection {
  const [streams, questions] = [
    openPool(address, { ...bounds, statementTimeoutMs }),
    openPool(address, { ...questionBounds, statementTimeoutMs }),
  ];
  // A table that is read is kept from whoever changes its columns, or empties it.
  const reading = `${beginning('READ ONLY')}; ${silentFor(statementTimeoutMs)}`;

  const open = (pool: pg.Pool): Promise<pg.PoolClient> =>
    pool.connect().catch((error: unknown) => {
      throw new ConnectError(error);
    });
  const inTransaction = async <Value>(
    begin: string,
    action: (client: pg.PoolClient) => Promise<Value>,
  ): Promise<Value> => {
    const client = await open(questions);
    try {
      await client.query(asQuestion({ text: begin }));
      const value = await action(client);
      await client.query(asQuestion({ text: 'COMMIT' }));
      client.release();
      return value;
    } catch (error) {
      client.release(true);
      throw error;
    }
  };
  return {
    stream: async function* stream(sql, tried) {
      const client = await open(streams);
      let isWhole = false;
      try {
        await client.query(tried === undefined ? reading : `${beginning('READ WRITE')}; ${writing}`);
        if (tried !== undefined) {
          await client.query(oneStatement(tried.sql, tried.parameters));
        }
        await client.query(oneStatement(declaring(sql)));
        for (let size = tried === undefined ? batchSize : 1; ; size = Math.min(size * 2, batchSize)) {
          const { rows } = await client.query<Row>(`FETCH ${size} FROM bridge`);
          if (rows.length === 0) {
            break;
          }
          yield rows;
        }
        await client.query('ROLLBACK');
        isWhole = true;
      } finally {
        client.release(!isWhole);
      }
    },
    read: (sql, parameters) =>
      inTransaction(reading, async (client) => {
        // All rows are wanted, not the first of them.
        const text = `SET LOCAL cursor_tuple_fraction = 1; SET LOCAL statement_timeout = ${questionTimeoutMs}`;
        await client.query(asQuestion({ text }));
        await client.query(asQuestion(oneStatement(declaring(sql), parameters)));
        const { rows } = await client.query<Row>(asQuestion({ text: `FETCH ${maxRead + 1} FROM bridge` }));
        return takeRows(rows);
      }),
    write: (sql, parameters) =>
      inTransaction(`BEGIN READ WRITE; ${writing}`, async (client) => {
        const { rowCount } = await client.query(oneStatement(sql, parameters));
        return rowCount;
      }),
    check: (sql, parameters) =>
      inTransaction(reading, async (client) => {
        // Of these alone the server makes a plan, and looks at tables, columns and rights for it.
        if (/^\s*(?:select|insert|update|delete|merge|values|with)\b/i.test(sql)) {
          await client.query(asQuestion(oneStatement(`EXPLAIN ${sql}`, parameters)));
        }
      }),
    takesBack: () => Promise.resolve(true),
    close: async () => {
      await Promise.all([streams.end(), questions.end()]);
    },
  };
}
