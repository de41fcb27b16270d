import { closeSync, constants, fstatSync, openSync, readFileSync, statSync, type Stats } from 'node:fs';

function requireFile(path: string, found: Stats): void {
  if (!found.isFile() && !found.isDirectory()) {
    throw Object.assign(new Error(`${path} is no file`), { syscall: 'open', code: 'ENXIO' });
  }
}

/**
 * The path itself. Throws, as the system does of a file, for a pipe, a socket or a device, also behind a link: to open
 * one may take for ever.
 */
export function onlyFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined) {
    requireFile(path, found);
  }
  return path;
}

/** Opens it to be read. Throws as `onlyFile` does, also where a pipe has taken its place since that looked: nobody is waited for. */
export function openOnlyFile(path: string): number {
  // Windows knows no such flag, and no such pipes among its files.
  const file = openSync(onlyFile(path), constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    requireFile(path, fstatSync(file));
    return file;
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

/** Reads it, once `look` has seen what is opened: whatever takes its place meanwhile is not read. Throws as `openOnlyFile` does. */
export function readOnlyFile(path: string, look: (found: Stats) => void = () => undefined): Buffer {
  const file = openOnlyFile(path);
  try {
    look(fstatSync(file));
    return readFileSync(file);
  } finally {
    closeSync(file);
  }
}
