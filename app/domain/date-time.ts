// How times are written: the platform's date-times, `YYYY-MM-DDThh:mm:ss+hh:mm` (API v3 §2 "Conventions"), read into an
// instant and its offset, and written back, and the calendar days in them; and the instants in the app's own files.

export interface DateTime {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** The offset from UTC that came with it, in minutes; west is negative. */
  readonly offsetMinutes: number;
}

/** Of JavaScript's dates, in milliseconds since 1970. */
export const lastMomentMs = 8_640_000_000_000_000;

const minuteMs = 60_000;
const largestOffsetMinutes = 18 * 60;
const pattern = /^(\d{4})-(\d{2})-(\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?:\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})$/;

/**
 * Reads a date-time with an offset; fractions of a second are dropped, and `Z` and an offset without a colon are
 * accepted as other software writes them. Null for all else, such as a day that does not exist or a time without an
 * offset.
 */
export function parseDateTime(text: string): DateTime | null {
  const match = pattern.exec(text);
  if (match === null) {
    return null;
  }
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const local = new Date(0);
  local.setUTCFullYear(year, month - 1, day);
  local.setUTCHours(hour, minute, second);
  const isReal =
    local.getUTCMonth() === month - 1 &&
    local.getUTCDate() === day &&
    local.getUTCHours() === hour &&
    minute < 60 &&
    second < 60;
  const offset = match[7] ?? 'Z';
  const offsetMinutes =
    offset === 'Z' ? 0 : Number(`${offset[0]}1`) * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(-2)));
  if (!isReal || Math.abs(offsetMinutes) > largestOffsetMinutes || Number(offset === 'Z' ? 0 : offset.slice(-2)) > 59) {
    return null;
  }
  return { time: local.getTime() - offsetMinutes * minuteMs, offsetMinutes };
}

/** Writes an instant as the local time of an offset, in whole seconds; years are held within 0000 to 9999. */
export function formatDateTime({ time, offsetMinutes }: DateTime): string {
  const earliest = -62_167_219_200_000;
  const latest = 253_402_300_799_000;
  const local = Math.min(latest, Math.max(earliest, time + offsetMinutes * minuteMs));
  const size = Math.abs(offsetMinutes);
  const twoDigits = (value: number): string => String(value).padStart(2, '0');
  return `${new Date(local).toISOString().slice(0, 19)}${offsetMinutes < 0 ? '-' : '+'}${twoDigits(Math.floor(size / 60))}:${twoDigits(size % 60)}`;
}

const dayMs = 86_400_000;
const storeTimePattern = /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(?:\.\d{1,9})?(Z|[+-]\d{2}:?\d{2})?)?$/;

/**
 * The store's own calendar day and time as the platform writes them, for its values are in the store's time zone (API
 * v3 §2 "Conventions"): "YYYY-MM-DD", or "YYYY-MM-DDThh:mm:ss" where there is a time; the offset, if any, is left off.
 * Null for all else.
 */
export function readStoreTime(text: string): string | null {
  const [whole, day = '', minutes, seconds = ':00', offset = 'Z'] = storeTimePattern.exec(text) ?? [];
  if (whole === undefined || parseDateTime(`${day}T${minutes ?? '00:00'}${seconds}${offset}`) === null) {
    return null;
  }
  return minutes === undefined ? day : `${day}T${minutes}${seconds}`;
}

/** Calendar days from today, at this offset, until "YYYY-MM-DD": 0 for today, negative for a day that is over. */
export function daysUntil(day: string, now: number, offsetMinutes: number): number {
  return Math.round(Date.parse(`${day}T00:00:00Z`) / dayMs) - Math.floor((now + offsetMinutes * minuteMs) / dayMs);
}

/**
 * An instant as a file that a person saves has it: ISO 8601 in UTC, or the bare number where damage or a broken clock
 * has left what is no time at all.
 */
export function writeInstant(instant: number): string {
  return Math.abs(instant) <= 8.64e15 ? new Date(instant).toISOString() : String(instant);
}

/** Whether a stamp is of a clock that was ahead of this moment; a day is for one that is only a little wrong. */
export function isStampAhead(at: number, now: number): boolean {
  return at > now + dayMs;
}

/** Clocks of one machine that are read one after the other differ by less, in milliseconds. */
const readApartMs = 5_000;

/** Whether a moment is still to come: a clock has told it that was set back since, and nobody knows its age. */
export const isToCome = (at: number, now: number): boolean => at - now > readApartMs;

/** How long ago, in whole seconds; null where nobody knows. */
export const ageSecondsOf = (at: number | null, now: number): number | null =>
  at === null || isToCome(at, now) ? null : Math.max(0, Math.round((now - at) / 1000));
