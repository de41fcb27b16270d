import { execFileSync } from 'node:child_process';
import { randomInt } from 'node:crypto';

/** The hash of the commit that is checked out, or null where there is no git. */
export function commitHash(): string | null {
  try {
    return execFileSync('git', ['rev-parse', 'HEAD'], {
      cwd: import.meta.dirname,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim();
  } catch {
    return null;
  }
}

/** The first of a commit's seeds, far from those that are always run; without a hash, any. */
export function firstExploredSeed(hash: string | null): number {
  const fraction =
    hash !== null && /^[0-9a-f]{8}/.test(hash) ? Number.parseInt(hash.slice(0, 8), 16) : randomInt(0x1_0000_0000);
  return 1_000_000 + fraction;
}

const dayMs = 86_400_000;
const seedsANight = 100_000;

/** The first seed of the night of this date, such as 2026-11-30: no other night and no commit has it. */
export function firstSeedOfNight(date: string): number {
  return 10_000_000_000 + Math.floor(Date.parse(date) / dayMs) * seedsANight;
}
