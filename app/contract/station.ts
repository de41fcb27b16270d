import { z } from 'zod';
import { instant, shortText } from './basics.ts';
import { productFieldSchema } from './fields.ts';
import { pinSchema } from './lock.ts';
import { shownFieldLimits } from './limits/fields.ts';
import { stationLimits } from './limits/station.ts';
import { maxMinimum } from './limits/watch-list.ts';

/** A manager's choices about the check station for customers. */
export const stationSchema = z.strictObject({
  /** Only the station answers while it is on; it is off without the manager's PIN. */
  isOn: z.boolean(),
  /** `words`: "In stock", "Few left", "Ask us"; the figures then stay in the main process. */
  stockWords: z.enum(['figures', 'words']),
  /** In the product's unit; with less there are "few left". */
  fewBelow: z.number().positive().max(maxMinimum),
  /** The screen is empty again when nobody has used it for so long. */
  clearAfterSeconds: z.number().int().min(stationLimits.clearAfterSeconds.min).max(stationLimits.clearAfterSeconds.max),
  /** The manager's own words above the station; empty for none. */
  greeting: z.string().max(stationLimits.greeting),
});
export type StationChoice = Readonly<z.infer<typeof stationSchema>>;

export const defaultStation: StationChoice = {
  isOn: false,
  stockWords: 'words',
  fewBelow: 5,
  clearAfterSeconds: 20,
  greeting: '',
};

/** A product's stock as a customer sees it. `askUs`: there is none, or nobody knows. */
const stationStockSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.enum(['inStock', 'few', 'askUs']) }),
  z.strictObject({ kind: z.literal('figure'), amount: z.number().nonnegative(), unit: shortText.nullable() }),
]);
export type StationStock = z.infer<typeof stationStockSchema>;

const stationProductSchema = z.strictObject({
  name: shortText,
  /** The product's code; null when it has none. */
  code: shortText.nullable(),
  stock: stationStockSchema,
  /** Those that the shop shows at the station. */
  fields: z.array(productFieldSchema.omit({ on: true })).max(shownFieldLimits.fields),
  /** Until when the copy is known to have had it so; null when there is no figure. */
  asOf: instant.nullable(),
});
export type StationProduct = z.infer<typeof stationProductSchema>;

/** `askUs`: whatever the reason is, a customer is told nothing else. */
export const stationAnswerSchema = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('found'),
    products: z.array(stationProductSchema).min(1).max(stationLimits.products),
  }),
  z.strictObject({ kind: z.literal('askUs') }),
]);
export type StationAnswer = z.infer<typeof stationAnswerSchema>;

export const leaveStationSchema = z.strictObject({ pin: pinSchema });
