import type { SeedReport } from './run-seed.ts';
import { formatLines } from './trace.ts';

/** "all hold", or what was violated and the last lines of the trace. */
export function verdict({ seed, violations, trace }: SeedReport): string {
  return violations.length === 0
    ? 'all hold'
    : `seed ${String(seed)}: ${violations.map(({ rule, what }) => `${rule} ${what}`).join('\n')}\n${formatLines(trace.slice(-30))}`;
}
