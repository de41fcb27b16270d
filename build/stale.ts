import { existsSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

/** The newest time of change of this file, or of any file below this folder, in milliseconds since 1970. */
function newestChangeMs(path: string): number {
  const status = statSync(path);
  if (!status.isDirectory()) {
    return status.mtimeMs;
  }
  // A folder's own time tells of files that were taken away.
  return readdirSync(path).reduce((newest, name) => Math.max(newest, newestChangeMs(join(path, name))), status.mtimeMs);
}

/** True when the output is missing, or older than any of its sources. Throws when a source is missing. */
export function isStale(
  directory: string,
  { sources, output }: { readonly sources: readonly string[]; readonly output: string },
): boolean {
  const builtMs = statSync(join(directory, output), { throwIfNoEntry: false })?.mtimeMs ?? 0;
  return sources.some((source) => newestChangeMs(join(directory, source)) > builtMs);
}

/** Removes what earlier builds of the main process have left in this folder: a package takes all of its scripts and icons. */
export function removeMain(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  for (const name of names.filter((one) => one === 'icons' || /^main[-.]/.test(one))) {
    rmSync(join(folder, name), { recursive: true });
  }
}
