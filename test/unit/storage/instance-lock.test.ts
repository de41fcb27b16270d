// The proof that one process alone uses a data directory, and that its end, however it comes, lets go.
import { execFileSync } from 'node:child_process';
import fs, { constants, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { expect, onTestFinished, test, vi } from 'vitest';
import { lockInstance } from '../../../app/storage/instance-lock.ts';
import { startChild } from '../../support/child.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const lockFile = new URL('../../../app/storage/instance-lock.ts', import.meta.url).href;

function holdInAnotherProcess(directory: string) {
  const script = `import { lockInstance } from ${JSON.stringify(lockFile)};
    try { lockInstance(${JSON.stringify(directory)}); gc(); console.log('held'); setInterval(() => {}, 1000); }
    catch (error) { console.log(error.failure.kind); }`;
  // The lock that it dropped is collected at once.
  return startChild(process.execPath, ['--expose-gc', '--input-type=module-typescript', '--eval', script], {
    environment: { NODE_NO_WARNINGS: '1' },
  });
}

function kindOf(action: () => unknown): unknown {
  try {
    action();
    return 'held';
  } catch (error) {
    return error instanceof Error && 'failure' in error ? (error.failure as { kind: unknown }).kind : error;
  }
}

test('another process is refused while one has the directory, and not after it was killed', async () => {
  const directory = temporaryDirectory();
  const other = holdInAnotherProcess(directory);
  await other.waitForLine(/^held$/);
  expect(kindOf(() => lockInstance(directory))).toBe('alreadyRunning');
  await other.stop('SIGKILL');
  const lock = lockInstance(directory);
  const late = holdInAnotherProcess(directory);
  expect((await late.waitForLine(/^.+$/))[0]).toBe('alreadyRunning');
  await late.stop();
  lock.release();
  expect(
    kindOf(() => {
      lockInstance(directory).release();
    }),
  ).toBe('held');
});

test('the same process is refused as well, and another directory is free', () => {
  const directory = temporaryDirectory();
  const lock = lockInstance(directory);
  expect(kindOf(() => lockInstance(directory))).toBe('alreadyRunning');
  expect(
    kindOf(() => {
      lockInstance(temporaryDirectory()).release();
    }),
  ).toBe('held');
  lock.release();
});

test('a directory that cannot be used is not called a running terminal', () => {
  expect(kindOf(() => lockInstance(join(temporaryDirectory(), 'missing')))).toBe('storageFailed');
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'instance.lock'));
  expect(kindOf(() => lockInstance(directory))).toBe('storageFailed');
});

test('a damaged lock, in which nothing is kept, is emptied where it lies, and is one lock for all', () => {
  const directory = temporaryDirectory();
  writeFileSync(join(directory, 'instance.lock'), 'no database at all '.repeat(100));
  const lock = lockInstance(directory);
  expect(kindOf(() => lockInstance(directory))).toBe('alreadyRunning');
  lock.release();
  expect(readdirSync(directory)).toEqual(['instance.lock']);
});

test.skipIf(process.platform === 'win32')(
  'what a link in the place of the lock leads to is neither written nor made',
  () => {
    const others = temporaryDirectory();
    const database = new DatabaseSync(join(others, 'of the user'));
    database.exec('PRAGMA journal_mode = WAL; CREATE TABLE kept (it)');
    database.close();
    const before = readFileSync(join(others, 'of the user'));
    for (const name of ['of the user', 'not there']) {
      const directory = temporaryDirectory();
      symlinkSync(join(others, name), join(directory, 'instance.lock'));
      expect(kindOf(() => lockInstance(directory))).toBe('storageFailed');
    }
    expect(readdirSync(others)).toEqual(['of the user']);
    expect(readFileSync(join(others, 'of the user')).equals(before)).toBe(true);
  },
);

test('a journal beside it is another’s, and goes: what it says is not done', () => {
  const directory = temporaryDirectory();
  const database = new DatabaseSync(join(directory, 'instance.lock'));
  database.exec('CREATE TABLE kept (it)');
  database.close();
  const header = Buffer.from('d9d505f920a163d7'.padEnd(1024, '0'), 'hex');
  writeFileSync(join(directory, 'instance.lock-journal'), header);
  lockInstance(directory).release();
  expect(readdirSync(directory)).toEqual(['instance.lock']);
});

test.skipIf(process.platform === 'win32')(
  'a pipe in the place of its journal is refused, and holds no start up',
  async () => {
    const directory = temporaryDirectory();
    const path = join(directory, 'instance.lock');
    const database = new DatabaseSync(path);
    database.exec('CREATE TABLE kept (it)');
    database.close();
    execFileSync('mkfifo', [`${path}-journal`]);
    const other = holdInAnotherProcess(directory);
    expect((await other.waitForLine(/^.+$/))[0]).toBe('storageFailed');
    await other.stop();
  },
);

test('one that may not be written to is refused: several processes could have it, each to read it', () => {
  const directory = temporaryDirectory();
  const path = join(directory, 'instance.lock');
  writeFileSync(path, '');
  // Root is bound by no mark.
  const access = vi.spyOn(fs, 'accessSync').mockImplementation((asked) => {
    throw Object.assign(new Error(`EACCES: ${String(asked)}`), { code: 'EACCES', syscall: 'access' });
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  syncBuiltinESMExports();
  expect(kindOf(() => lockInstance(directory))).toBe('storageFailed');
  expect(access).toHaveBeenCalledExactlyOnceWith(path, constants.W_OK);
});
