const dayMs = 86_400_000;
const seedsANight = 100_000;

/** The first seed of the night of this date, such as 2026-11-30: no other night has it. */
export function firstSeedOfNight(date: string): number {
  return 10_000_000_000 + Math.floor(Date.parse(date) / dayMs) * seedsANight;
}
