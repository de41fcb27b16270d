import { join } from 'node:path';
import { z } from 'zod';
import { openKeptJson, type KeptJson } from '../node/kept-json.ts';

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

export type KeptUpdateFile = KeptJson<KeptUpdate>;

/** Opens the file in this data directory; one that cannot be read counts as not there. */
export const openKeptUpdate = (dataDirectory: string): KeptUpdateFile =>
  openKeptJson(join(dataDirectory, 'updates.json'), keptSchema, maxBytes);
