import { maxReadingAgeMs, type HubReading, type HubRow, type HubRowChange } from './link.ts';

/** One account's text and records as a hub keeps them. */
export interface Stored extends Omit<HubReading, 'serverMs'> {
  readonly rows: readonly HubRow[];
}

export const nothingStored: Stored = { version: 0, document: null, isIntact: true, life: 'one', rows: [] };

/** The same in memory; `serverMs` is the server's clock, `stored` what it has at first. */
export function createStoredText(serverMs: () => number, stored = nothingStored) {
  let now = stored;
  return {
    read: (since = 0): HubReading => ({
      ...now,
      rows: now.rows.filter(({ version }) => version > since),
      serverMs: serverMs(),
    }),
    stored: () => now,
    /** Whether it was written: nobody else was quicker, and the reading is neither too old nor from later. */
    write: (version: number, readMs: number, document: string, changes: readonly HubRowChange[] = []): boolean => {
      const ageMs = serverMs() - readMs;
      if (version !== now.version || ageMs < 0 || ageMs > maxReadingAgeMs) {
        return false;
      }
      const changed = new Set(changes.map(({ member }) => member));
      const rows = changes.flatMap(({ member, record }) =>
        record === null ? [] : [{ member, version: version + 1, record }],
      );
      now = {
        ...now,
        version: version + 1,
        document,
        rows: [...now.rows.filter(({ member }) => !changed.has(member)), ...rows],
      };
      return true;
    },
  };
}
