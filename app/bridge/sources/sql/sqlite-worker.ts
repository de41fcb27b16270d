// The thread that asks a SQLite file what tills want to know: SQLite holds a thread up until it has answered.
import { parentPort, workerData } from 'node:worker_threads';
import { reasonOf } from '../../reason.ts';
import type { Row } from '../row-reader.ts';
import { takeRows } from './connection.ts';
import { identityOf, openFile, prepareOne, requireFiles } from './sqlite-file.ts';

/** A write that finds the file held is tried again soon; the questions of tills wait for it. */
const writeTimeoutMs = 100;

export interface SqliteQuestion {
  readonly sql: string;
  readonly values: readonly (string | number | bigint | null)[];
  readonly isWriting: boolean;
}
export type SqliteAnswer = { readonly rows: readonly Row[] } | { readonly problem: string };

function listen(port: NonNullable<typeof parentPort>, path: string): void {
  let opened: { readonly reader: ReturnType<typeof openFile>; readonly identity: string } | null = null;
  /** Opens anew where another file lies there now: SQLite would go on with the one that was deleted. */
  const currentReader = (): ReturnType<typeof openFile> => {
    // Before each question SQLite looks for a journal that another program has left.
    requireFiles(path);
    const identity = identityOf(path);
    if (opened?.identity !== identity) {
      opened?.reader.close();
      opened = null;
      opened = { reader: openFile(path), identity };
    }
    return opened.reader;
  };
  const read = ({ sql, values }: SqliteQuestion): Promise<readonly Row[]> =>
    takeRows(prepareOne(currentReader(), sql).iterate(...values));
  const write = ({ sql, values }: SqliteQuestion): readonly Row[] => {
    // Open only for the moment of the change: the shop's own programs write here.
    const writer = openFile(path, { timeout: writeTimeoutMs });
    try {
      return [{ changes: prepareOne(writer, sql).run(...values).changes }];
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
