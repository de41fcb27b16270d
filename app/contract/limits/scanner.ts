export const scannerTerminators = ['enterOrTab', 'enter', 'tab', 'none'] as const;

/** Whose keyboard the scanner imitates: the one that this computer is set to, or always the American one. */
export const scannerKeyboards = ['asThisComputer', 'american'] as const;

/** Every figure stays within these, whatever is typed. */
export const scannerLimits = {
  charactersAtLeast: { min: 3, max: 20 },
  meanGapMs: { min: 5, max: 50 },
  silenceMs: { min: 50, max: 500 },
} as const;
/** Characters before and after a code. */
export const maxMarkLength = 8;

/**
 * The slowest pace, in milliseconds between two keys, at which so many characters are still no person's: fast typists
 * roll three or four keys over at the pace of a scanner, but never six.
 */
export function slowestPaceMs(charactersAtLeast: number): number {
  if (charactersAtLeast <= 3) return 20;
  return charactersAtLeast <= 5 ? 35 : scannerLimits.meanGapMs.max;
}
/** The shortest silence that ends a scan of this pace: below it, a scan would be cut in two. */
export function shortestSilenceMs(meanGapMs: number): number {
  return Math.max(scannerLimits.silenceMs.min, 2 * meanGapMs);
}

/** The nearest settings within the limits: the pace gives way to the characters, the silence follows the pace. */
export function withinScannerLimits<Settings extends Readonly<Record<keyof typeof scannerLimits, number>>>(
  wanted: Settings,
): Settings {
  const hold = (field: keyof typeof scannerLimits): number =>
    Math.min(scannerLimits[field].max, Math.max(scannerLimits[field].min, Math.round(wanted[field])));
  const charactersAtLeast = hold('charactersAtLeast');
  const meanGapMs = Math.min(hold('meanGapMs'), slowestPaceMs(charactersAtLeast));
  return {
    ...wanted,
    charactersAtLeast,
    meanGapMs,
    silenceMs: Math.max(hold('silenceMs'), shortestSilenceMs(meanGapMs)),
  };
}

export const defaultScanner = {
  charactersAtLeast: 4,
  meanGapMs: 35,
  silenceMs: 80,
  terminator: 'enterOrTab',
  prefix: '',
  suffix: '',
  keyboard: 'asThisComputer',
} as const;
