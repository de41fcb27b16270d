import { closeSync, fsyncSync, openSync, renameSync, writeFileSync } from 'node:fs';
import { retryWhileHeld } from './held-files.ts';
import { freshName, removeWhole } from './names-beside.ts';

/**
 * Writes a file with these rights whole or not at all: to its last byte, on the disk, and only then in the place of the
 * one before. Throws what the system says.
 */
export function writeWhole(path: string, data: string | Uint8Array, { mode }: { readonly mode: number }): void {
  const beside = freshName(`${path}.new`);
  try {
    // "wx" makes the file or fails (O_EXCL): it follows no link.
    const file = openSync(beside, 'wx', mode);
    try {
      // Where a disk fills up the system writes a part, and calls that no error. Of the calls, this one goes on until the
      // system does, or all is written.
      writeFileSync(file, data);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    retryWhileHeld(() => {
      renameSync(beside, path);
    });
  } finally {
    removeWhole(beside);
  }
}
