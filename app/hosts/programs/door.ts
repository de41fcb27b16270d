// Where programs on this machine find the Tillside that runs with a data folder. A file in that folder, for this user
// alone, names a local socket (on Windows a named pipe) and holds the token without which nothing is answered there.
import { randomBytes } from 'node:crypto';
import { lstatSync, mkdtempSync, rmSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { openKeptJson, type KeptJson } from '../node/kept-json.ts';

const doorSchema = z.object({
  /** Null while no Tillside runs. */
  socket: z.string().nullable().catch(null),
  /** Of this run alone. */
  token: z
    .string()
    .regex(/^[\w-]{43}$/)
    .nullable()
    .catch(null),
});
export type Door = z.infer<typeof doorSchema>;

const maxBytes = 10_000;

/** Reads the file of this data folder; nulls where there is none. */
export function openDoorFile(dataDirectory: string): KeptJson<Door> {
  const kept = doorSchema.catch({ socket: null, token: null });
  return openKeptJson<Door>(join(dataDirectory, 'programs.json'), kept, maxBytes);
}

/** A socket's path may have about a hundred bytes, fewer than that of a data folder: so it lies in a folder of its own. */
export function newSocketPath(): string {
  return platform() === 'win32'
    ? `\\\\.\\pipe\\tillside-${randomBytes(16).toString('hex')}`
    : join(mkdtempSync(join(tmpdir(), 'tillside-')), 'socket');
}

/**
 * Whether the socket's folder is this user's. After a crash somebody else may have made one of that name, or a link to
 * one that is; a pipe has no owner to look at.
 */
export function isOwnSocket(path: string): boolean {
  try {
    return platform() === 'win32' || lstatSync(dirname(path)).uid === process.getuid?.();
  } catch {
    return false;
  }
}

/** Removes a socket's folder, also one that a crash has left; what is not this user's stays. */
export function removeSocket(path: string): void {
  if (platform() !== 'win32' && /[/\\]tillside-\w{6}[/\\]socket$/.test(path) && isOwnSocket(path)) {
    rmSync(dirname(path), { recursive: true, force: true });
  }
}
