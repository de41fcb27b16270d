/** The value below or at which this share (0 to 1) of the samples lies; NaN for none. */
export function percentile(samples: readonly number[], share: number): number {
  const sorted = [...samples].sort((left, right) => left - right);
  return sorted[Math.max(0, Math.ceil(sorted.length * share) - 1)] ?? Number.NaN;
}

export function median(samples: readonly number[]): number {
  return percentile(samples, 0.5);
}

/** Half of the samples lie below `p50`, and all but one in a hundred below `p99`. */
export interface Spread {
  readonly p50: number;
  readonly p99: number;
}

/** The medians of the rounds' own percentiles: one disturbed round does not count. */
export function spreadOf(rounds: readonly (readonly number[])[]): Spread {
  return {
    p50: median(rounds.map((samples) => percentile(samples, 0.5))),
    p99: median(rounds.map((samples) => percentile(samples, 0.99))),
  };
}

/** A number with three digits that count, such as 0.00123, 4.56 or 789. */
export function digits(value: number): string {
  if (!Number.isFinite(value)) {
    return 'n/a';
  }
  const wanted = value === 0 ? 0 : Math.max(0, 2 - Math.floor(Math.log10(Math.abs(value))));
  return value.toFixed(Math.min(wanted, 5));
}

/** How many times as much as the peer, such as "×2.5". */
export function ratio(value: number, peer: number): string {
  return peer > 0 ? `×${digits(value / peer)}` : 'n/a';
}
