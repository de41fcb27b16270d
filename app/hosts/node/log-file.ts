import { appendFileSync, closeSync, fstatSync, mkdirSync, readSync, renameSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { redact, redactText } from '../../domain/redact.ts';
import type { Shell } from '../../ports.ts';
import { onlyFile, openOnlyFile } from '../../storage/only-file.ts';

export interface LogOptions {
  readonly dataDirectory: string;
  readonly now: () => number;
  /** When the file has grown beyond this, it becomes the older one. */
  readonly maxBytes?: number;
}

const maxLineCharacters = 4000;
/** Of each file. One that could not be renamed for long is larger than memory should hold. */
const maxReadBytes = 4_000_000;

export interface Log {
  readonly write: Shell['log'];
  /** The lines that are kept, oldest first, of each file those of its last 4 MB; none when they cannot be read. */
  readonly lines: () => readonly string[];
}

function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    // A folder that this user may not enter: there is no log then.
    return false;
  }
}

/** The whole lines at the end of a file. Throws when it cannot be read. */
function readLastLines(path: string): string[] {
  const file = openOnlyFile(path);
  try {
    const { size } = fstatSync(file);
    const from = Math.max(0, size - maxReadBytes);
    const bytes = Buffer.alloc(size - from);
    const lines = bytes.toString('utf8', 0, readSync(file, bytes, 0, bytes.length, from)).split('\n');
    return lines.slice(from > 0 ? 1 : 0).filter((line) => line !== '');
  } finally {
    closeSync(file);
  }
}

/**
 * Opens the log in the data directory; at most twice `maxBytes` (2 MB unless said) are kept, or more for as long as
 * somebody holds the file so that it cannot be renamed.
 */
export function openLog({ dataDirectory, now, maxBytes = 2_000_000 }: LogOptions): Log {
  const directory = join(dataDirectory, 'logs');
  const path = join(directory, 'tillside.log');
  // A folder of that name, which no file can take the place of, would let the log grow without end.
  const wanted = join(directory, 'tillside.older.log');
  const older = isFolder(wanted) ? `${wanted}-2` : wanted;
  let bytes: number | null = null;
  const read = (file: string): string[] => {
    try {
      return readLastLines(file);
    } catch {
      return [];
    }
  };
  /** False on Windows while another program has the file open; the next line tries again. */
  const isRenamed = (): boolean => {
    try {
      renameSync(path, older);
      return true;
    } catch {
      return false;
    }
  };
  const write: Shell['log'] = (level, message, details) => {
    try {
      if (bytes === null) {
        mkdirSync(directory, { recursive: true });
        bytes = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
      }
      if (bytes > maxBytes && isRenamed()) {
        bytes = 0;
      }
      const at = new Date(now()).toISOString();
      const line = JSON.stringify({
        at,
        level,
        message: redactText(message),
        ...(details ? { details: redact(details) } : {}),
      });
      const whole =
        line.length > maxLineCharacters
          ? JSON.stringify({
              at,
              level,
              message: redactText(message).slice(0, 500),
              cut: line.slice(0, maxLineCharacters),
            })
          : line;
      appendFileSync(onlyFile(path), `${whole}\n`, { mode: 0o600 });
      bytes += Buffer.byteLength(whole) + 1;
    } catch {
      // Disk full, folder gone, or details that are not JSON: the work goes on without this line.
    }
  };
  return { write, lines: () => [...read(older), ...read(path)] };
}
