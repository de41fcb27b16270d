import { maxReadingAgeMs, type HubReading } from './link.ts';

const nothing: Omit<HubReading, 'serverMs'> = { version: 0, document: null, isUnused: true };

/** One account's text in memory, as a hub keeps it; `serverMs` is the server's clock, `stored` what it has at first. */
export function createStoredText(serverMs: () => number, stored = nothing) {
  let now = stored;
  return {
    read: (): HubReading => ({ ...now, serverMs: serverMs() }),
    /** Whether it was written: nobody else was quicker, and the reading is neither too old nor from later. */
    write: (version: number, readMs: number, document: string): boolean => {
      const ageMs = serverMs() - readMs;
      if (version !== now.version || ageMs < 0 || ageMs > maxReadingAgeMs) {
        return false;
      }
      now = { version: version + 1, document, isUnused: false };
      return true;
    },
  };
}
