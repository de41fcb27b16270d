import { z } from 'zod';
import { count, instant, shortText } from './basics.ts';
import { expirySpans, maxExpiringRows } from './limits/expiring.ts';
import { productHitSchema } from './products.ts';

/** Whether batches are asked for in the quiet hours. */
export const expiryAskingSchema = z.strictObject({ isOn: z.boolean() });

const expirySpanSchema = z.enum(expirySpans);
/** So many days from today on, or every day before today. */
export type ExpirySpan = z.infer<typeof expirySpanSchema>;

/** A line's place in the list, of which nothing else moves it. */
const expiringPlaceSchema = z.strictObject({ day: z.string().length(10), nameKey: z.string(), line: count });
export type ExpiringPlace = z.infer<typeof expiringPlaceSchema>;

export const expiringInputSchema = z.strictObject({
  span: expirySpanSchema,
  /** A part of a name or a code; empty: everything. */
  term: z.string().max(200),
  offset: count,
  /** Only lines behind this place, from which `offset` then counts. */
  after: expiringPlaceSchema.optional(),
  limit: z.number().int().min(1).max(maxExpiringRows),
});
export type ExpiringQuery = Pick<z.infer<typeof expiringInputSchema>, 'span' | 'term'>;

/** A batch that this terminal knows of. */
const expiringRowSchema = z.strictObject({
  /** The product by the copy as it is now. */
  hit: productHitSchema,
  /** "YYYY-MM-DD", the shop's own calendar day. */
  day: z.string().length(10),
  /** As the platform tells it; null when it does not. */
  quantity: z.number().nullable(),
  lot: shortText.nullable(),
  /** When the platform was asked. */
  askedAt: instant,
});
export type ExpiringRow = z.infer<typeof expiringRowSchema>;

/** By day, then by name; products of which nothing is left by the copy are left out. */
export const expiringPageSchema = z.strictObject({
  total: count,
  /** Null for a product that the copy does not have any more, or not yet. */
  rows: z.array(expiringRowSchema.nullable()).max(maxExpiringRows),
  /** The place of the last of them; null when no line follows. */
  next: expiringPlaceSchema.nullable(),
});

/** Why nothing is asked for just now; `asking`: it is; `done`: nothing is left to be asked. */
const nightStates = [
  'off',
  'asking',
  'done',
  'day',
  'signedOut',
  'offline',
  'copy',
  'busy',
  'refused',
  'safeMode',
  'failed',
] as const;
const nightStateSchema = z.enum(nightStates);
export type NightState = z.infer<typeof nightStateSchema>;

const whyLacking = z.enum(['notCopied', 'refusedStock']);
/**
 * Why the list may lack products. `notCopied`: a stock was never copied to its end, or the copy cannot be read;
 * `refusedStock`: the platform refuses a stock, whose products are not asked for and not counted.
 */
export type WhyLacking = z.infer<typeof whyLacking>;

/** Of how much of the stock the list speaks. */
export const expiryCoverageSchema = z.strictObject({
  mayLack: z.array(whyLacking).max(2),
  /** Products with stock, one for each stock that has them. */
  withStock: count,
  /** Of these, how many were asked for. */
  asked: count,
  /** The oldest of their answers; null without any. */
  since: instant.nullable(),
  night: nightStateSchema,
  /** When the next night begins; null while it is one, and while nothing is asked for at night. */
  nextNightAt: instant.nullable(),
  /** How many products a night gets through, about. */
  perNight: count,
});
export type ExpiryCoverage = z.infer<typeof expiryCoverageSchema>;
