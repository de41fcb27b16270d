import { hash } from 'node:crypto';

/** A checksum over fields in their order; no two different lists of fields give the same text to hash. */
export function checksumOf(fields: readonly (string | number | null)[]): string {
  return hash('sha256', JSON.stringify(fields), 'base64');
}
