import { maxReadingAgeMs, type HubReading } from '../../../app/hub/link.ts';

/** One account's text as a hub keeps it; `serverMs` is the server's clock. */
export function createStoredText(serverMs: () => number) {
  let stored: Pick<HubReading, 'version' | 'document'> = { version: 0, document: null };
  let isUnused = true;
  return {
    read: (): HubReading => ({ ...stored, isUnused, serverMs: serverMs() }),
    write: (version: number, readMs: number, document: string): boolean => {
      const ageMs = serverMs() - readMs;
      if (version !== stored.version || ageMs < 0 || ageMs > maxReadingAgeMs) {
        return false;
      }
      isUnused = false;
      stored = { version: version + 1, document };
      return true;
    },
    stored: () => stored,
    /** What a technician or a fault does to it. */
    replace: (other: typeof stored): void => {
      stored = other;
    },
  };
}
