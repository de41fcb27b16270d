// A file beside a database is never a reason to think worse of the file itself: a leftover of an earlier start goes,
// and a folder, or what cannot be removed, is passed by.
import { existsSync, lstatSync, realpathSync, rmSync } from 'node:fs';

/** The endings of the files that SQLite may lay beside one; the file itself first. */
export const sidecars = ['', '-wal', '-shm', '-journal'];

/** The path beside which SQLite lays them: behind a link. */
export function behindLink(path: string): string {
  // Else not: Windows may refuse to look at a folder on the way, where it lets the file be opened.
  const isLink = lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
  return isLink && existsSync(path) ? realpathSync(path) : path;
}

const maxNames = 100;

function nameOf(wanted: string, count: number): string {
  return count === 1 ? wanted : `${wanted}-${count}`;
}

function isTaken(name: string): boolean {
  return sidecars.some((suffix) => lstatSync(name + suffix, { throwIfNoEntry: false }) !== undefined);
}

/** The name itself, or the first of it with a number after it, under which nothing lies. */
export function freeName(wanted: string): string {
  // A clock that starts in 1970 after every power cut tells the same time again.
  let count = 1;
  while (isTaken(nameOf(wanted, count))) {
    count += 1;
  }
  return nameOf(wanted, count);
}

/** Removes the file and what lies beside it. Throws where that is a folder, or may not be removed. */
export function removeWhole(name: string): void {
  for (const suffix of sidecars) {
    rmSync(name + suffix, { force: true });
  }
}

/**
 * A name for a file that may take the place of what an earlier start left there: the name itself, or with a number
 * after it where a folder lies there or what cannot be removed. Nothing lies under it. Throws what removing threw when
 * there is no such name.
 */
export function freshName(wanted: string): string {
  for (let count = 1; ; count += 1) {
    const name = nameOf(wanted, count);
    try {
      removeWhole(name);
      return name;
    } catch (error) {
      if (count === maxNames) {
        throw error;
      }
    }
  }
}
