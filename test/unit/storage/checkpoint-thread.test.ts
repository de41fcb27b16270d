// The proof of the thread for checkpoints, on real files and with real threads: what it empties, that it lets go of
// what it had open, and that whoever asks is answered whatever becomes of it.
import { closeSync, existsSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createNodeClock } from '../../../app/hosts/node/node-ports.ts';
import type { Clock } from '../../../app/ports.ts';
import { createCheckpointThread, type CheckpointThread } from '../../../app/storage/checkpoint-thread.ts';
import { Database } from '../../../app/storage/database.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const options = {
  kind: 'disposable',
  migrations: [{ version: 1, sql: 'CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT' }],
} as const;
const program = join(import.meta.dirname, '../../../app/storage/checkpoint-worker.ts');
const pageBytes = 4096;

function start({
  workerPath = program,
  clock = createNodeClock(),
}: { readonly workerPath?: string; readonly clock?: Clock } = {}): {
  readonly thread: CheckpointThread;
  readonly lines: string[];
} {
  const lines: string[] = [];
  const thread = createCheckpointThread({
    workerPath,
    clock,
    log: (level, message, details) => lines.push(`${level} ${message} ${JSON.stringify(details ?? {})}`),
  });
  onTestFinished(() => thread.close());
  return { thread, lines };
}

async function openNotes(
  path = join(temporaryDirectory(), 'notes.db'),
): Promise<{ readonly database: Database; readonly path: string; write(text: string): void; count(): number }> {
  const database = await Database.open(path, options);
  onTestFinished(() => database.close());
  const insert = database.prepare('INSERT INTO notes (text) VALUES (?)');
  const count = database.prepare<{ total: number }>('SELECT count(*) AS total FROM notes');
  return { database, path, write: (text) => insert.run(text), count: () => count.get()?.total ?? 0 };
}

/**
 * The two numbers by which SQLite tells one beginning of a log from the next
 * (https://sqlite.org/fileformat2.html#walformat).
 */
function beginningOf(path: string): string {
  return readFileSync(`${path}-wal`).subarray(16, 24).toString('hex');
}

/** A program that is not ours, in a file of its own. */
function programOf(source: string): string {
  const path = join(temporaryDirectory(), 'program.mjs');
  writeFileSync(path, source);
  return path;
}

describe('a thread that works', () => {
  test('moves the log into the file, begins the log anew, and changes nothing', async () => {
    const { thread, lines } = start();
    const { database, path, write, count } = await openNotes();
    write('a'.repeat(20 * pageBytes));
    const before = beginningOf(path);
    expect(statSync(path).size).toBeLessThan(10 * pageBytes);
    expect(await thread.checkpoint(path)).toBe(true);
    expect(statSync(path).size).toBeGreaterThan(20 * pageBytes);
    const begun = beginningOf(path);
    expect(begun).not.toBe(before);
    // Whoever writes next only appends: it does not begin the log, which would mean to wait for the disk.
    write('next');
    expect(beginningOf(path)).toBe(begun);
    expect(count()).toBe(2);
    expect(database.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    expect(lines).toEqual(['info checkpoints are done in a thread of their own {}']);
  });

  test('a log that is emptied now and then stays short, while others write and one reads', async () => {
    const { thread } = start();
    const { path, write, count } = await openNotes();
    const reader = await openNotes(path);
    let longest = 0;
    for (let round = 1; round <= 40; round += 1) {
      for (let note = 0; note < 5; note += 1) {
        write('b'.repeat(10 * pageBytes));
      }
      const done = thread.checkpoint(path);
      if (round % 4 === 0) {
        // Whatever comes while it is at work may put the new beginning off until the next time.
        write('meanwhile');
      }
      expect(reader.count()).toBe(round * 5 + Math.floor(round / 4));
      expect(await done).toBe(true);
      longest = Math.max(longest, statSync(`${path}-wal`).size);
    }
    expect(count()).toBe(210);
    // All of it would be 2,000 pages; what one round writes is 50 and some.
    expect(longest).toBeLessThan(300 * pageBytes);
  });

  test('C3: it has let the files go when it answers, so that closing them removes the log', async () => {
    const { thread } = start();
    const { database, path, write } = await openNotes();
    write('kept');
    expect(await thread.checkpoint(path)).toBe(true);
    database.close();
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect((await openNotes(path)).count()).toBe(1);
  });

  test('C4: it is ended when nobody has asked for a minute, and begins anew for whoever asks after that', async () => {
    const clock = createManualClock();
    const { thread, lines } = start({
      clock,
      workerPath: programOf(
        "import { parentPort, threadId } from 'node:worker_threads'; parentPort.on('message', ({ number }) => setTimeout(() => parentPort.postMessage({ number, failure: `thread ${threadId}` }), 20));",
      ),
    });
    const threads = new Set<string | undefined>();
    async function askTwice(): Promise<void> {
      for (const pauseMs of [59_999, 60_000]) {
        const done = thread.checkpoint('/nowhere');
        // While it works it does not count as idle.
        await clock.advance(1);
        expect(await done).toBe(false);
        threads.add(lines.at(-1));
        await clock.advance(pauseMs);
      }
    }
    await askTwice();
    expect(threads.size).toBe(1);
    await askTwice();
    expect(threads.size).toBe(2);
    expect(lines.filter((line) => !line.includes('failed in its thread'))).toEqual([]);
  });

  test('what is closed under it is whole all the same', async () => {
    const { thread } = start();
    const { database, path, write } = await openNotes();
    write('c'.repeat(50 * pageBytes));
    const done = thread.checkpoint(path);
    database.close();
    await done;
    expect((await openNotes(path)).count()).toBe(1);
  });

  test('it makes no database where there is none, says so, and goes on', async () => {
    const { thread, lines } = start();
    const missing = join(temporaryDirectory(), 'missing.db');
    expect(await thread.checkpoint(missing)).toBe(false);
    expect(existsSync(missing)).toBe(false);
    expect(lines).toEqual([expect.stringMatching(/^warning a checkpoint failed in its thread .*unable to open/)]);
    const { path, write } = await openNotes();
    write('on');
    expect(await thread.checkpoint(path)).toBe(true);
  });

  test('it does not know how to empty what is damaged, and leaves that to whoever asked', async () => {
    const { thread } = start();
    const { path, database } = await openNotes();
    database.close();
    const file = openSync(path, 'r+');
    writeSync(file, Buffer.alloc(100, 0xa5), 0, 100, 0);
    closeSync(file);
    expect(await thread.checkpoint(path)).toBe(false);
  });
});

describe('a thread that does not work', () => {
  test('C1, C2: one that ends in the middle is survived, said once, and not asked again', async () => {
    const { thread, lines } = start({
      workerPath: programOf(
        "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(3));",
      ),
    });
    const { path, write, count } = await openNotes();
    write('kept');
    expect(await Promise.all([thread.checkpoint(path), thread.checkpoint(path)])).toEqual([false, false]);
    expect(await thread.checkpoint(path)).toBe(false);
    expect(lines).toEqual([
      'warning the thread for checkpoints is gone; the main thread does them from now on {"reason":"it ended with 3"}',
    ]);
    expect(count()).toBe(1);
  });

  test('C1: one whose program is missing or throws is no more than a line in the log', async () => {
    for (const workerPath of [
      join(temporaryDirectory(), 'missing.js'),
      programOf("throw new Error('out of order');"),
    ]) {
      const { thread, lines } = start({ workerPath });
      expect(await thread.checkpoint('/nowhere')).toBe(false);
      expect(lines).toEqual([
        expect.stringMatching(/^warning the thread for checkpoints is gone.*(Cannot find module|out of order)/),
      ]);
    }
  });

  test('C1: one that hangs is waited for 20 s', async () => {
    const clock = createManualClock();
    const { thread, lines } = start({ clock, workerPath: programOf('setInterval(() => {}, 1000);') });
    let answer: boolean | null = null;
    const done = thread.checkpoint('/nowhere').then((isDone) => {
      answer = isDone;
    });
    await clock.advance(19_999);
    expect(answer).toBeNull();
    await clock.advance(1);
    await done;
    expect(answer).toBe(false);
    expect(lines).toEqual([expect.stringContaining('it did not answer within 20000 ms')]);
  });

  test('closing answers who still waits, and is no failure', async () => {
    const { thread, lines } = start({ workerPath: programOf('setInterval(() => {}, 1000);') });
    const done = thread.checkpoint('/nowhere');
    await thread.close();
    expect(await done).toBe(false);
    expect(await thread.checkpoint('/nowhere')).toBe(false);
    expect(lines).toEqual([]);
  });
});
