import { z } from 'zod';
import { parseJson } from '../domain/json.ts';
import type { Database } from '../storage/database.ts';
import { parseDocument, type HubDocument } from './document.ts';
import type { HubMemoryRepository } from './rate-share.ts';

const count = z.number().int().nonnegative();
const storedSchema = z.object({
  terminalId: z.string(),
  own: count,
  share: count,
  countsAt: z.array(z.string()).nullable().optional(),
  answered: count,
  answeredAt: z.string().optional(),
  memory: z.object({
    version: count,
    document: z.unknown().transform((value, context): HubDocument => {
      const document = parseDocument(value);
      if (document === null) {
        context.addIssue('not a document of this version');
        return z.NEVER;
      }
      return document;
    }),
  }),
});

/** Opens it over the `hub_memory` table of queue.db. What was remembered under another id is another membership's. */
export function openHubMemory(
  database: Database,
  account: string,
  terminalId: string,
  place: string,
): HubMemoryRepository {
  const select = database.prepare<{ memory: string }>('SELECT memory FROM hub_memory WHERE account = ?');
  const replace = database.prepare('INSERT OR REPLACE INTO hub_memory (account, memory) VALUES (?, ?)');
  const kept = () => storedSchema.safeParse(parseJson(select.get(account)?.memory ?? '')).data;
  return {
    place,
    read: () => {
      const stored = kept();
      return stored?.terminalId === terminalId ? stored : null;
    },
    countedAt: () => {
      const stored = kept();
      return stored === undefined ? undefined : (stored.countsAt ?? null);
    },
    write: (stored) => {
      replace.run(account, JSON.stringify({ terminalId, ...stored }));
    },
  };
}
