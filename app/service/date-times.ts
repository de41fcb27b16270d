// The platform's date-times: ISO 8601 with an offset, in the store's zone (API v3 §2 "Conventions").

/** Every zone changes its offset at a quarter of an hour. */
const quarterMs = 900_000;
const maxQuarters = 10_000;

interface Zone {
  readonly format: Intl.DateTimeFormat;
  /** By quarter of an hour since 1970: to ask the format takes longer than all else of a page. */
  readonly offsets: Map<number, string>;
}

const zones = new Map<string, Zone>();

function offsetAt(at: number, timeZone: string): string {
  const zone = zones.get(timeZone) ?? {
    format: new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' }),
    offsets: new Map<number, string>(),
  };
  zones.set(timeZone, zone);
  const quarter = Math.floor(at / quarterMs);
  const known = zone.offsets.get(quarter);
  if (known !== undefined) {
    return known;
  }
  const name = zone.format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value ?? '';
  const offset = /[+-]\d\d:\d\d$/.exec(name)?.[0] ?? '+00:00';
  if (zone.offsets.size >= maxQuarters) {
    zone.offsets.clear();
  }
  zone.offsets.set(quarter, offset);
  return offset;
}

function toMs(offset: string): number {
  const minutes = Number(offset.slice(1, 3)) * 60 + Number(offset.slice(4));
  return (offset.startsWith('-') ? -minutes : minutes) * 60_000;
}

/** Writes a moment in the store's IANA time zone, with its offset then: "2026-01-05T12:00:00-03:00". */
export function writeDateTime(at: number, timeZone: string): string {
  const offset = offsetAt(at, timeZone);
  return new Date(at + toMs(offset)).toISOString().slice(0, 19) + offset;
}

/**
 * Reads a local date-time without an offset, as it is in the zone; NaN for text that is none. One that does not exist is as
 * much later as the clocks are put forward (RFC 5545 §3.3.5).
 */
export function readLocal(local: string, timeZone: string): number {
  const asUtc = Date.parse(`${local}Z`);
  if (Number.isNaN(asUtc)) {
    return asUtc;
  }
  const near = asUtc - toMs(offsetAt(asUtc, timeZone));
  const at = asUtc - toMs(offsetAt(near, timeZone));
  return Math.max(at, asUtc - toMs(offsetAt(at, timeZone)));
}

/**
 * Reads `YYYY-MM-DDThh:mm:ss+hh:mm` to milliseconds since 1970; null for any other text or a date that does not exist.
 */
export function readDateTime(text: string): number | null {
  const parts = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)([+-](?:0\d|1[0-4]):[0-5]\d)$/.exec(text);
  if (parts === null) {
    return null;
  }
  const [, local = '', offset = ''] = parts;
  const asUtc = Date.parse(`${local}Z`);
  // Date.parse rolls 31 April over to 1 May; written back, it no longer reads the same.
  if (Number.isNaN(asUtc) || new Date(asUtc).toISOString().slice(0, 19) !== local) {
    return null;
  }
  return asUtc - toMs(offset);
}
