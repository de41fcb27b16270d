import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { inTime } from '../../in-time.ts';
import type { Row } from '../row-reader.ts';
import {
  batchesOf,
  questionTimeoutMs,
  readingOf,
  type SqlConnection,
  type SqlParameters,
  valuesOf,
} from './connection.ts';
import { openFile, prepareOne } from './sqlite-file.ts';
import type { SqliteAnswer, SqliteQuestion } from './sqlite-worker.ts';

/** It holds the rows of one question. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 };

const endTimeoutMs = 5000;

/** Four gigabytes: what one query of a reading may take of the disk. */
const maxReadPages = 1_048_576;

/**
 * Asks the file in a thread of its own, one question after the other. What takes longer than the time-out is an error, and
 * so is each question until SQLite has come back from that one: nothing ends it sooner.
 */
function createAsking(path: string, timeoutMs: number) {
  let worker: Worker | null = null;
  let stuck: Worker | null = null;
  let isClosed = false;
  let last: Promise<unknown> = Promise.resolve();
  const start = (): Worker => {
    const started = new Worker(new URL('./sqlite-worker.ts', import.meta.url), { workerData: path, resourceLimits });
    started.once('exit', () => {
      worker = null;
    });
    // Whoever waits for an answer is told.
    return started.on('error', () => {});
  };
  const askNow = async (question: SqliteQuestion, askedAt: number): Promise<readonly Row[]> => {
    if (isClosed || (worker !== null && worker === stuck) || performance.now() - askedAt > timeoutMs) {
      throw new Error('the questions before it take too long');
    }
    const asked = (worker ??= start());
    asked.postMessage(question);
    const answered = inTime(once(asked, 'message'), timeoutMs, `it takes longer than ${timeoutMs} ms`);
    const [answer] = (await answered.catch((error: unknown) => {
      stuck = asked;
      void asked.terminate();
      throw error;
    })) as [SqliteAnswer];
    if ('problem' in answer) {
      throw new Error(answer.problem);
    }
    return answer.rows;
  };
  return {
    ask: (question: SqliteQuestion): Promise<readonly Row[]> => {
      const askedAt = performance.now();
      const answer = last.then(() => askNow(question, askedAt));
      last = answer.catch(() => null);
      return answer;
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await Promise.race([worker?.terminate(), delay(endTimeoutMs, null, { ref: false })]);
    },
  };
}

/** As SQLite keeps them. A `number` would be bound as REAL, and 71 be the text '71.0' where the shop keeps it as text. */
function boundOf(sql: string, parameters: SqlParameters): SqliteQuestion['values'] {
  return valuesOf(sql, parameters).map((value) =>
    typeof value === 'boolean' || (typeof value === 'number' && Number.isInteger(value)) ? BigInt(value) : value,
  );
}

/** Opens a SQLite file; a till's question may take so long. Throws ConnectError where there is no such file. */
export function connectSqlite(path: string, timeoutMs = questionTimeoutMs): SqlConnection {
  openFile(path).close();
  const { ask, close } = createAsking(path, timeoutMs);
  return {
    stream: async function* stream(sql, tried) {
      const reader = openFile(path, { readOnly: tried === undefined });
      try {
        reader.exec(`PRAGMA temp.max_page_count = ${maxReadPages}`);
        if (tried !== undefined) {
          // Closing takes it back.
          reader.exec('BEGIN IMMEDIATE');
          prepareOne(reader, tried.sql).run(...boundOf(tried.sql, tried.parameters));
          yield* batchesOf(prepareOne(reader, sql).iterate(), 1);
          return;
        }
        // Of two columns of one name the last one counts, as at every other database. Without types each value stays as it is.
        const columns = prepareOne(reader, sql).columns();
        const kept = columns.map((_, place) => `c${place}`);
        const named = columns.map(({ name }, place) => `c${place} AS "${name.replaceAll('"', '""')}"`);
        reader.exec(`CREATE TEMP TABLE bridge_row (${kept.join()})`);
        // In one go: until a SELECT has given its last row, the shop's programs cannot write.
        prepareOne(reader, `INSERT INTO temp.bridge_row ${sql}`).run();
        yield* batchesOf(prepareOne(reader, `SELECT ${named.join()} FROM temp.bridge_row`).iterate());
      } finally {
        reader.close();
      }
    },
    read: async (sql, parameters) => ask({ sql: readingOf(sql), values: boundOf(sql, parameters), isWriting: false }),
    write: async (sql, parameters) => {
      const [row] = await ask({ sql, values: boundOf(sql, parameters), isWriting: true });
      return Number(row?.['changes'] ?? 0);
    },
    check: (sql) => {
      const writer = openFile(path, {});
      try {
        prepareOne(writer, sql);
        // Of a file that may only be read, BEGIN says nothing.
        writer.exec('BEGIN IMMEDIATE; PRAGMA user_version = 1; ROLLBACK');
        return Promise.resolve();
      } finally {
        writer.close();
      }
    },
    takesBack: () => Promise.resolve(true),
    close,
  };
}
