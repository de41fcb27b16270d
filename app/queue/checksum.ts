// Owns the checksums of queue rows: SQLite does not notice most flipped bits, and an altered update must never be sent.
import { createHash } from 'node:crypto';

/** A checksum over fields in their order; no two different lists of fields give the same text to hash. */
export function checksumOf(fields: readonly (string | number | null)[]): string {
  return createHash('sha256').update(JSON.stringify(fields)).digest('base64');
}
