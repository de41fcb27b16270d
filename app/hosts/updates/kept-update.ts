import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { retryWhileHeld } from '../../storage/held-files.ts';

const keptSchema = z
  .object({
    /** When Tillside was last open here, in milliseconds since 1970. */
    lastOpenAt: z.number().nullable().catch(null),
    checkedAt: z.number().nullable().catch(null),
    /** The feed of what has been fetched, as it came. */
    ready: z
      .object({ version: z.string().max(100), feed: z.string().max(100_000), signature: z.string().max(1000) })
      .nullable()
      .catch(null),
    /** How often it was tried to install which version. */
    attempts: z
      .object({ version: z.string().max(100), count: z.number().int().min(0) })
      .nullable()
      .catch(null),
  })
  .catch({ lastOpenAt: null, checkedAt: null, ready: null, attempts: null });
export type KeptUpdate = z.infer<typeof keptSchema>;

const maxBytes = 300_000;

export interface KeptUpdateFile {
  get(): KeptUpdate;
  /** On disk when it answers true. */
  change(change: Partial<KeptUpdate>): boolean;
}

/** Opens the file in this data directory; one that cannot be read counts as not there. */
export function openKeptUpdate(dataDirectory: string): KeptUpdateFile {
  const path = join(dataDirectory, 'updates.json');
  const read = (): unknown => {
    try {
      const content = readFileSync(path);
      return content.length > maxBytes ? null : JSON.parse(content.toString('utf8'));
    } catch {
      return null;
    }
  };
  let kept = keptSchema.parse(read());
  return {
    get: () => kept,
    change: (change) => {
      kept = { ...kept, ...change };
      try {
        const file = openSync(`${path}.new`, 'w', 0o600);
        try {
          writeSync(file, JSON.stringify(kept));
          fsyncSync(file);
        } finally {
          closeSync(file);
        }
        retryWhileHeld(() => {
          renameSync(`${path}.new`, path);
        });
        return true;
      } catch {
        return false;
      }
    },
  };
}
