import { closeSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import type { z } from 'zod';
import { retryWhileHeld } from '../../storage/held-files.ts';
import { freshName, removeWhole } from '../../storage/names-beside.ts';

export interface KeptJson<Content> {
  get(): Content;
  /** On disk when it answers true. */
  change(change: Partial<Content>): boolean;
}

/** Opens the file at this path; one that cannot be read, or is larger, is to the schema as null. */
export function openKeptJson<Content extends object>(
  path: string,
  schema: z.ZodType<Content>,
  maxBytes: number,
): KeptJson<Content> {
  const read = (): unknown => {
    try {
      const content = readFileSync(path);
      return content.length > maxBytes ? null : JSON.parse(content.toString('utf8'));
    } catch {
      return null;
    }
  };
  let kept = schema.parse(read());
  return {
    get: () => kept,
    change: (change) => {
      kept = { ...kept, ...change };
      try {
        const beside = freshName(`${path}.new`);
        try {
          const file = openSync(beside, 'wx', 0o600);
          try {
            writeSync(file, JSON.stringify(kept));
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
        return true;
      } catch {
        return false;
      }
    },
  };
}
