import { DatabaseSync } from 'node:sqlite';
import { parentPort } from 'node:worker_threads';
import { sharedUrl } from './file-url.ts';

/** The request to the thread: to empty the log of the database at this path. */
export interface CheckpointRequest {
  readonly number: number;
  readonly path: string;
}

/** The outcome: null when all went well, or the words of the failure. */
export interface CheckpointAnswer {
  readonly number: number;
  readonly failure: string | null;
}

const lockPatienceMs = 1000;

function empty(path: string): void {
  const database = new DatabaseSync(sharedUrl(path, { mode: 'rw' }), { timeout: lockPatienceMs });
  try {
    database.exec('PRAGMA synchronous = NORMAL');
    // It holds up nobody, so others may write meanwhile; what they write then goes with the next checkpoint.
    const outcome = database.prepare('PRAGMA wal_checkpoint(PASSIVE)').get();
    if (outcome?.['log'] === outcome?.['checkpointed']) {
      // Whoever writes first into a log that is empty begins it anew and, in NORMAL too, waits until its head is on the
      // disk (wal.c, https://sqlite.org/src/info/ff5be73dee). So this thread writes first, and nothing new: the main
      // thread then only appends.
      database.exec('BEGIN IMMEDIATE');
      const version = Number(database.prepare('PRAGMA user_version').get()?.['user_version']);
      database.exec(`PRAGMA user_version = ${version}; COMMIT`);
    }
  } finally {
    database.close();
  }
}

parentPort?.on('message', ({ number, path }: CheckpointRequest) => {
  let failure: string | null = null;
  try {
    empty(path);
  } catch (error) {
    failure = String(error).slice(0, 500);
  }
  parentPort?.postMessage({ number, failure } satisfies CheckpointAnswer);
});
