import { statSync } from 'node:fs';

/**
 * The path itself. Throws, as the system does of a file, for a pipe, a socket or a device, also behind a link: to open
 * one may take for ever.
 */
export function onlyFile(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found !== undefined && !found.isFile() && !found.isDirectory()) {
    throw Object.assign(new Error(`${path} is no file`), { syscall: 'open', code: 'ENXIO' });
  }
  return path;
}
