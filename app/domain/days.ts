// The calendar days of a place, by the clock on its wall.

/** A place's offset from UTC at a moment, in minutes; west is negative. */
export type OffsetMinutes = (at: number) => number;

const minuteMs = 60_000;
const dayMs = 86_400_000;

/** The calendar day at a moment, in the time zone of this offset, so many days later: "YYYY-MM-DD". */
export function dayAt(moment: number, offsetMinutes: number, daysLater = 0): string {
  return new Date(moment + offsetMinutes * minuteMs + daysLater * dayMs).toISOString().slice(0, 10);
}

/** A moment within a file's name, in the time zone of this offset: "YYYY-MM-DD-hh-mm". */
export function fileMinute(moment: number, offsetMinutes: number): string {
  return new Date(moment + offsetMinutes * minuteMs).toISOString().slice(0, 16).replaceAll(/[:T]/g, '-');
}

/**
 * When a local day and time is, in milliseconds since 1970. A time that exists twice is the first one; one that does not
 * exist is as much later as the clocks are put forward: as in RFC 5545 §3.3.5.
 */
export function instantOf(day: string, time: string, offsetMinutes: OffsetMinutes): number {
  const localMs = Date.parse(`${day}T${time}:00Z`);
  // The rules change no more than once within two days.
  const before = localMs - offsetMinutes(localMs - dayMs) * minuteMs;
  const after = localMs - offsetMinutes(localMs + dayMs) * minuteMs;
  const isAt = (at: number): boolean => at + offsetMinutes(at) * minuteMs === localMs;
  return isAt(before) || !isAt(after) ? before : after;
}
