// The thread that asks a SQLite file what tills want to know: SQLite holds a thread up until it has answered.
import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../reason.ts';
import type { Row } from '../row-reader.ts';
import { takeRows } from './connection.ts';
import { openFile, prepareOne } from './sqlite-file.ts';

/** A write that finds the file held is tried again soon; the questions of tills wait for it. */
const writeTimeoutMs = 100;

export interface SqliteQuestion {
  readonly sql: string;
  readonly values: readonly (string | number | null)[];
  readonly isWriting: boolean;
}
export type SqliteAnswer = { readonly rows: readonly Row[] } | { readonly problem: string };

function listen(port: NonNullable<typeof parentPort>, path: string): void {
  let reader: ReturnType<typeof openFile> | null = null;
  const read = ({ sql, values }: SqliteQuestion): Promise<readonly Row[]> => {
    reader ??= openFile(path);
    return takeRows(prepareOne(reader, sql).iterate(...values));
  };
  const write = ({ sql, values }: SqliteQuestion): readonly Row[] => {
    // Open only for the moment of the change: the shop's own programs write here.
    const writer = openFile(path, { timeout: writeTimeoutMs });
    try {
      prepareOne(writer, sql).run(...values);
      return [];
    } finally {
      writer.close();
    }
  };
  const answer = async (question: SqliteQuestion): Promise<SqliteAnswer> => {
    try {
      return { rows: await (question.isWriting ? write(question) : read(question)) };
    } catch (error) {
      return { problem: reasonOf(error) };
    }
  };
  port.on('message', (question: SqliteQuestion) => {
    void answer(question).then((found) => {
      port.postMessage(found);
    });
  });
}

if (parentPort !== null) {
  listen(parentPort, String(workerData));
}
