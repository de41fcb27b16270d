import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { parseJson } from '../../domain/json.ts';
import { onlyFile } from '../../storage/only-file.ts';
import { writeWhole } from '../../storage/write-whole.ts';

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
      const content = readFileSync(onlyFile(path));
      return content.length > maxBytes ? null : parseJson(content.toString('utf8'));
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
        writeWhole(path, JSON.stringify(kept), { mode: 0o600 });
        return true;
      } catch {
        return false;
      }
    },
  };
}
