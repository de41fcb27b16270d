// Owns the platform's date-times: ISO 8601 with an offset, in the store's zone (API v3 §2 "Conventions"). Never knows the
// time itself.

const storeOffset = '-03:00';
const storeOffsetMs = -3 * 3_600_000;

/** Writes a moment in the store's time zone, e.g. "2026-01-05T12:00:00-03:00". */
export function writeDateTime(at: number): string {
  return new Date(at + storeOffsetMs).toISOString().slice(0, 19) + storeOffset;
}

/** Reads `YYYY-MM-DDThh:mm:ss+hh:mm` to milliseconds since 1970; null for any other text or a date that does not exist. */
export function readDateTime(text: string): number | null {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-])(\d\d):([0-5]\d)$/.exec(text);
  if (parts === null) {
    return null;
  }
  const [, local = '', sign, hours, minutes] = parts;
  const asUtc = Date.parse(`${local}Z`);
  // Date.parse rolls 31 April over to 1 May; written back, it no longer reads the same.
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 19) !== local || Number(hours) > 14) {
    return null;
  }
  const offsetMs = (Number(hours) * 60 + Number(minutes)) * 60_000;
  return sign === '+' ? asUtc - offsetMs : asUtc + offsetMs;
}
