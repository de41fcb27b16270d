import { z } from 'zod';
import {
  maxMarkLength,
  scannerKeyboards,
  scannerLimits,
  scannerTerminators,
  shortestSilenceMs,
  slowestPaceMs,
  defaultScanner,
  withinScannerLimits,
} from './limits/scanner.ts';
import { fieldByField } from './basics.ts';

// Printable ASCII: what a scanner can be told to add.
const mark = z
  .string()
  .regex(/^[!-~]*$/)
  .max(maxMarkLength);

const fields = {
  /** A scan has at least this many characters. */
  charactersAtLeast: z.number().int().min(scannerLimits.charactersAtLeast.min).max(scannerLimits.charactersAtLeast.max),
  /** The mean time between the keys of a scan is below this. */
  meanGapMs: z.number().int().min(scannerLimits.meanGapMs.min).max(scannerLimits.meanGapMs.max),
  /** A scan ends after this much silence. */
  silenceMs: z.number().int().min(scannerLimits.silenceMs.min).max(scannerLimits.silenceMs.max),
  /** The key that the scanner ends with. */
  terminator: z.enum(scannerTerminators),
  /** The marks that the scanner adds before and after a code; they are taken off. */
  prefix: mark,
  suffix: mark,
  keyboard: z.enum(scannerKeyboards),
};

/** How a scanner that acts as a keyboard is told from a person. Times in milliseconds. */
export const scannerSettingsSchema = z
  .strictObject(fields)
  .refine(
    ({ charactersAtLeast, meanGapMs }) => meanGapMs <= slowestPaceMs(charactersAtLeast),
    'a pace that no person types at',
  )
  .refine(
    ({ meanGapMs, silenceMs }) => silenceMs >= shortestSilenceMs(meanGapMs),
    'a silence longer than the gaps of a scan',
  );
export type ScannerSettings = z.infer<typeof scannerSettingsSchema>;

/** Reads a kept document: a field that makes no sense takes its usual value, and figures are held within the limits. */
export const keptScannerSchema = fieldByField(scannerSettingsSchema, defaultScanner).transform(withinScannerLimits);

/** The sounds of a scan's answer: whether there are any, and how loud, from 0 to 100. */
export const soundsSchema = z.strictObject({ isOn: z.boolean(), volume: z.number().int().min(0).max(100) });
export type Sounds = z.infer<typeof soundsSchema>;
export const defaultSounds: Sounds = { isOn: true, volume: 50 };
export const keptSoundsSchema = fieldByField(soundsSchema, defaultSounds);
