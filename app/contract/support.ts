import { z } from 'zod';
import { count, instant, shortText } from './basics.ts';
import { maxOpenedLength } from './limits/support.ts';

/** The most problems that are shown of one provisioning file. */
export const maxProblems = 50;

const keychainStates = ['works', 'empty', 'locked', 'moved', 'unavailable', 'notUsed'] as const;

/** The outcome of reading the shop's file; but for `none` and `good`, nothing of what was offered is used. */
const shopFileReadings = [
  'none',
  'good',
  'failed',
  'notSigned',
  'invalid',
  'otherShop',
  'date',
  'ahead',
  'older',
] as const;

/** The answers to the technician's first questions, read just now on this machine alone. */
export const diagnosticsSchema = z.strictObject({
  readAt: instant,
  /** The programs that run: "Node" and "24.15.0". */
  versions: z.array(z.strictObject({ name: shortText, version: shortText })).max(20),
  /** Null where the host cannot tell. */
  machine: z
    .strictObject({
      system: shortText,
      memoryBytes: count,
      freeMemoryBytes: count,
      /** On the disk of the data directory; null when the system does not say. */
      freeDiskBytes: count.nullable(),
      dataDirectory: z.string().max(4096),
      files: z.array(z.strictObject({ name: shortText, bytes: count })).max(100),
    })
    .nullable(),
  /**
   * This machine's clock against the platform's, from its last answer; null before the first one that said its time.
   */
  clock: z.strictObject({ aheadMs: z.number().int(), at: instant }).nullable(),
  /**
   * `works`: an entry that must be there was read; `empty`: it answers, and nothing has been kept there yet; `locked`:
   * an entry that must be there was not answered; `moved`: it is there for where the data folder was before; `notUsed`: practice needs none.
   */
  keychain: z.strictObject({ state: z.enum(keychainStates), tookMs: count, message: shortText.nullable() }),
  isSafeMode: z.boolean(),
  /** The files that tell the shop's monitoring how this terminal is; null where nobody has named a place for them. */
  statusFile: z
    .strictObject({ path: z.string().max(4096), writtenAt: instant.nullable(), failure: shortText.nullable() })
    .nullable(),
  /** The shop's provisioning file at its address; null where nobody has named one. */
  shopFile: z
    .strictObject({
      url: z.string().max(2000),
      shop: shortText,
      readAt: instant.nullable(),
      signedAt: instant.nullable(),
      isWaiting: z.boolean(),
      lastReading: z.enum(shopFileReadings),
    })
    .nullable(),
  /** The newest lines of the log, the last one newest. */
  log: z.array(z.string().max(5000)).max(200),
});
export type Diagnostics = z.infer<typeof diagnosticsSchema>;

/** A provisioning file without secrets. */
export const shopFileSchema = z.strictObject({ name: shortText, text: z.string().max(200_000) });

/** A provisioning file that a person opens, and what is wrong with it, one sentence a field. */
export const openFileInputSchema = z.strictObject({ text: z.string().max(maxOpenedLength) });
export const openedFileSchema = z.strictObject({ problems: z.array(z.string().max(1000)).max(maxProblems) });

/** Characters of the bundle, at most. */
export const maxBundleLength = 8_000_000;
/** One JSON document that holds no secret; its name says which terminal's and when. */
export const supportBundleSchema = z.strictObject({ name: shortText, text: z.string().max(maxBundleLength) });
export type SupportBundle = z.infer<typeof supportBundleSchema>;
