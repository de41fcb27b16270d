// Owns the support technician's log: one JSON line an event in `logs/tillside.log`, and one older file beside it, so that
// the log never outgrows a fixed size. Never redacts: who logs leaves secrets out. A log that cannot be written is
// given up silently, for nothing may fail because of it.
import { appendFileSync, mkdirSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Shell } from '../ports.ts';

export interface LogOptions {
  readonly dataDirectory: string;
  readonly now: () => number;
  /** When the file has grown beyond this, it becomes the older one. */
  readonly maxBytes?: number;
}

const maxLineCharacters = 4000;

/** Opens the log in the data directory; at most twice `maxBytes` (2 MB unless said) are kept. */
export function openLog({ dataDirectory, now, maxBytes = 2_000_000 }: LogOptions): Shell['log'] {
  const directory = join(dataDirectory, 'logs');
  const path = join(directory, 'tillside.log');
  const older = join(directory, 'tillside.older.log');
  let bytes: number | null = null;
  return (level, message, details) => {
    try {
      if (bytes === null) {
        mkdirSync(directory, { recursive: true });
        bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      }
      if (bytes > maxBytes) {
        renameSync(path, older);
        bytes = 0;
      }
      const at = new Date(now()).toISOString();
      const line = JSON.stringify({ at, level, message, ...(details ? { details } : {}) }, (_key, value: unknown) => (typeof value === 'bigint' ? String(value) : value));
      const whole = line.length > maxLineCharacters ? JSON.stringify({ at, level, message: message.slice(0, 500), cut: line.slice(0, maxLineCharacters) }) : line;
      appendFileSync(path, `${whole}\n`, { mode: 0o600 });
      bytes += Buffer.byteLength(whole) + 1;
    } catch {
      // Disk full, folder gone, or details that are not JSON: the work goes on without this line.
    }
  };
}
