// Owns what crosses the wall of barcode scanners: how this terminal's scanner is told from a person's typing, and the sounds of answers,
// with the limits that keep every choice harmless. Never judges a key; renderer/scanner.ts does.
import { z } from 'zod';

export const scannerTerminators = ['enterOrTab', 'enter', 'tab', 'none'] as const;
/** Whose keyboard the scanner imitates: the one that this computer is set to, or the American one whatever this computer is set to. */
export const scannerKeyboards = ['asThisComputer', 'american'] as const;

/** Every figure stays within these, whatever is typed. */
export const scannerLimits = {
  charactersAtLeast: { least: 3, most: 20 },
  meanGapMs: { least: 5, most: 50 },
  silenceMs: { least: 50, most: 500 },
} as const;
export const longestMark = 8;

/**
 * The slowest pace, in milliseconds between two keys, at which so many characters are still no person's: fast typists roll three or four
 * keys over at the pace of a scanner, but never six.
 */
export function slowestPaceMs(charactersAtLeast: number): number {
  return charactersAtLeast <= 3 ? 20 : charactersAtLeast <= 5 ? 35 : scannerLimits.meanGapMs.most;
}

/** The shortest silence that ends a scan of this pace: below it, a scan would be cut in two. */
export function shortestSilenceMs(meanGapMs: number): number {
  return Math.max(scannerLimits.silenceMs.least, 2 * meanGapMs);
}

// Printable ASCII: what a scanner can be told to add.
const mark = z.string().regex(/^[!-~]*$/).max(longestMark);

const fields = {
  /** A scan has at least this many characters. */
  charactersAtLeast: z.number().int().min(scannerLimits.charactersAtLeast.least).max(scannerLimits.charactersAtLeast.most),
  /** The mean time between the keys of a scan is below this. */
  meanGapMs: z.number().int().min(scannerLimits.meanGapMs.least).max(scannerLimits.meanGapMs.most),
  /** A scan ends after this much silence. */
  silenceMs: z.number().int().min(scannerLimits.silenceMs.least).max(scannerLimits.silenceMs.most),
  /** The key that the scanner ends with. */
  terminator: z.enum(scannerTerminators),
  /** What the scanner adds before and after a code; it is taken off. */
  prefix: mark,
  suffix: mark,
  keyboard: z.enum(scannerKeyboards),
};

/** How a scanner that acts as a keyboard is told from a person. Times in milliseconds. */
export const scannerSettingsSchema = z
  .strictObject(fields)
  .refine(({ charactersAtLeast, meanGapMs }) => meanGapMs <= slowestPaceMs(charactersAtLeast), 'a pace that no person types at')
  .refine(({ meanGapMs, silenceMs }) => silenceMs >= shortestSilenceMs(meanGapMs), 'a silence longer than the gaps of a scan');
export type ScannerSettings = z.infer<typeof scannerSettingsSchema>;

export const usualScanner: ScannerSettings = { charactersAtLeast: 4, meanGapMs: 35, silenceMs: 80, terminator: 'enterOrTab', prefix: '', suffix: '', keyboard: 'asThisComputer' };

/** The settings nearest to these that the limits allow: the pace gives way to the number of characters, and the silence follows the pace. */
export function withinScannerLimits(wanted: ScannerSettings): ScannerSettings {
  const hold = (field: keyof typeof scannerLimits): number => Math.min(scannerLimits[field].most, Math.max(scannerLimits[field].least, Math.round(wanted[field])));
  const charactersAtLeast = hold('charactersAtLeast');
  const meanGapMs = Math.min(hold('meanGapMs'), slowestPaceMs(charactersAtLeast));
  return { ...wanted, charactersAtLeast, meanGapMs, silenceMs: Math.max(hold('silenceMs'), shortestSilenceMs(meanGapMs)) };
}

/** Reads a kept document tolerantly: a field that makes no sense takes its usual value, and figures that do not go together are brought within the limits. */
export const keptScannerSchema = z
  .object({
    charactersAtLeast: fields.charactersAtLeast.catch(usualScanner.charactersAtLeast),
    meanGapMs: fields.meanGapMs.catch(usualScanner.meanGapMs),
    silenceMs: fields.silenceMs.catch(usualScanner.silenceMs),
    terminator: fields.terminator.catch(usualScanner.terminator),
    prefix: mark.catch(''),
    suffix: mark.catch(''),
    keyboard: fields.keyboard.catch(usualScanner.keyboard),
  })
  .transform(withinScannerLimits)
  .catch(usualScanner);

/** The sounds of a scan's answer: whether there are any, and how loud, from 0 to 100. */
export const soundsSchema = z.strictObject({ isOn: z.boolean(), volume: z.number().int().min(0).max(100) });
export type Sounds = z.infer<typeof soundsSchema>;
export const usualSounds: Sounds = { isOn: true, volume: 50 };
export const keptSoundsSchema = z.object({ isOn: z.boolean().catch(usualSounds.isOn), volume: soundsSchema.shape.volume.catch(usualSounds.volume) }).catch(usualSounds);
