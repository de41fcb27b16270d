import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const memoryFolder = '/dev/shm';
/** Containers may have 64 MB. */
const enoughBytes = 2 * 1024 ** 3;

function hasMemoryFolder(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memoryFolder);
    return bavail * bsize >= enoughBytes;
  } catch {
    return false;
  }
}

function makeFolder(parent: string): string {
  // Behind a letter what is drawn begins no word: of a folder "till-PW1234" a log hides the end, as of a password.
  const path = mkdtempSync(join(parent, 'till-t'));
  // Servers that refuse to run as root have their folders in it.
  chmodSync(path, 0o711);
  process.once('exit', () => {
    rmSync(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  });
  return path;
}

const temporaryIn = (path: string) => ({ TMPDIR: path, TEMP: path, TMP: path });

/**
 * What tests need in their environment to have their temporary files in memory, in a folder that goes with this process;
 * nothing where there is no room for it. A disk makes whoever writes wait for it, and keeps what it took when the power
 * goes, which no test can see.
 */
export function temporaryFilesInMemory(): Readonly<Record<string, string>> {
  return hasMemoryFolder() ? temporaryIn(makeFolder(memoryFolder)) : {};
}

/**
 * Has this process, and those that it starts, make temporary files in a folder of their own, which goes with this
 * process: on Windows nothing goes that a test still has open. What Node has compiled is kept there for the next
 * process, which would spend most of its start on compiling it again. It is kept in memory where there is room: a worker
 * writes a thousand small files of it when it ends.
 */
export function ownTemporaryFiles(): void {
  const path = makeFolder(tmpdir());
  Object.assign(process.env, temporaryIn(path));
  process.env['NODE_COMPILE_CACHE'] ??= join(hasMemoryFolder() ? makeFolder(memoryFolder) : path, 'compiled');
}
