const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** Hours of every day, from 0 to 23, by the clock of a place; from and to being the same means that every hour is one. */
export interface DailyHours {
  readonly from: number;
  readonly to: number;
}

/** Whether a moment lies in these hours of a place that is so many minutes ahead of UTC. */
export function isWithinHours(at: number, { from, to }: DailyHours, offsetMinutes: number): boolean {
  const local = at + offsetMinutes * 60_000;
  const hour = Math.floor((local - Math.floor(local / dayMs) * dayMs) / hourMs);
  return from <= to ? from === to || (hour >= from && hour < to) : hour >= from || hour < to;
}

/** The first moment after this one at which the hours begin. */
export function nextStartOf({ from }: Pick<DailyHours, 'from'>, at: number, offsetMinutes: number): number {
  const offsetMs = offsetMinutes * 60_000;
  const start = Math.floor((at + offsetMs) / dayMs) * dayMs + from * hourMs - offsetMs;
  return start > at ? start : start + dayMs;
}

/** How long they are, in milliseconds. */
export function lengthOfMs({ from, to }: DailyHours): number {
  return from === to ? dayMs : ((to - from + 24) % 24) * hourMs;
}
