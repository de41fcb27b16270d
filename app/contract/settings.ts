import { z } from 'zod';
import { defaultLayouts, maxLayouts } from '../domain/codes/scale-label.ts';
import { fieldByField, languageSchema, textSizeSchema, themeSchema } from './basics.ts';
import { cashierChangeSchema } from './cashiers.ts';
import { keptShownFieldsSchema, shownFieldsSchema } from './fields.ts';
import { expiryAskingSchema } from './expiring.ts';
import { fileKinds } from './limits/files.ts';
import { quietHoursSchema } from './catalogue-plan.ts';
import { companionChoiceSchema, defaultCompanion } from './companion.ts';
import { queueLimitsSchema } from './history.ts';
import { labelPrinterSchema, shelfLabelSchema } from './labels.ts';
import { defaultLocalApi, localApiChoiceSchema, localApiTokenHashSchema } from './local-api.ts';
import { planGraceRange } from './limits/coupon-sets.ts';
import { rateLimitAccountSchema, rateLimitSettingSchema } from './rate-limit.ts';
import { scaleLayoutsSchema } from './scan.ts';
import { scannerDeviceChoiceSchema } from './scanner-device.ts';
import { defaultStation, stationSchema } from './station.ts';
import { keptScannerSchema, keptSoundsSchema, scannerSettingsSchema, soundsSchema } from './scanner.ts';

interface Definition<Schema extends z.ZodType> {
  readonly schema: Schema;
  readonly kept: z.ZodType<z.infer<Schema>>;
}

/** A setting; `kept` reads it from the document, as its default where it is missing or makes no sense. */
const define = <Schema extends z.ZodType>(schema: Schema, kept: z.ZodType<z.infer<Schema>>): Definition<Schema> => ({
  schema,
  kept,
});

const cashierScreensSchema = z.strictObject({ stock: z.boolean(), stocktakes: z.boolean() });
const planGraceSchema = z.number().int().min(planGraceRange.min).max(planGraceRange.max);
const language = languageSchema.nullable();
const scannerDevice = scannerDeviceChoiceSchema.nullable();

/**
 * Every setting that a person can change: what `settings:update` takes, what the document keeps and what the terminal's
 * state shows. Which of them are free without PIN and sign-in is told by access.ts.
 */
const definitions = {
  /** Null: the operating system's. */
  language: define(language, language.catch(null)),
  theme: define(themeSchema, themeSchema.catch('system')),
  textSize: define(textSizeSchema, textSizeSchema.catch('normal')),
  /** The last choices about shelf labels. */
  shelfLabel: define(shelfLabelSchema, shelfLabelSchema.catch({ size: '50x30', copies: 1, withBalance: false })),
  /** Which printer prints labels. */
  labelPrinter: define(labelPrinterSchema, labelPrinterSchema.catch({ kind: 'dialog' })),
  /** As what a list was last saved. */
  fileKind: define(z.enum(fileKinds), z.enum(fileKinds).catch('xlsx')),
  /** Whether the short tour has been gone through or skipped. */
  isTourSeen: define(z.boolean(), z.boolean().catch(false)),
  queueLimits: define(queueLimitsSchema, fieldByField(queueLimitsSchema, { historyDays: 30, askAfterHours: 72 })),
  /** A moment of a plan that was due longer ago is not made; 0: only within its minute. */
  planGraceMinutes: define(planGraceSchema, planGraceSchema.catch(15)),
  /** The platform's rate limit (API v3 §8), and the part of it that is kept for a scan. */
  allowanceLimits: define(
    rateLimitSettingSchema,
    fieldByField(rateLimitSettingSchema, { limit: 60, windowSeconds: 60, reserve: 3 }).transform((limits) => ({
      ...limits,
      reserve: Math.min(limits.reserve, limits.limit - 1),
    })),
  ),
  /** What shares that limit; the platform's address is the safest. */
  rateLimitAccount: define(rateLimitAccountSchema, rateLimitAccountSchema.catch('platform')),
  /** When the daily full listing begins, by the shop's local time. */
  quietHours: define(quietHoursSchema, quietHoursSchema.catch({ from: 22, to: 6 })),
  /** Whether batches are asked for in the quiet hours, of products that nobody has opened. */
  expiryAsking: define(expiryAskingSchema, fieldByField(expiryAskingSchema, { isOn: false })),
  /** The layouts of the shop's scale labels, in the order in which they are tried. */
  scaleLayouts: define(
    scaleLayoutsSchema,
    z
      .array(z.unknown())
      .transform((texts) =>
        texts.flatMap((text) => scaleLayoutsSchema.element.safeParse(text).data ?? []).slice(0, maxLayouts),
      )
      .catch([...defaultLayouts]),
  ),
  /** How this terminal's scanner is told from a person's typing. */
  scanner: define(scannerSettingsSchema, keptScannerSchema),
  sounds: define(soundsSchema, keptSoundsSchema),
  /** The scanner without a keyboard that is held; null for none. */
  scannerDevice: define(scannerDevice, scannerDevice.catch(null)),
  /** The companion bar and the tray. */
  companion: define(companionChoiceSchema, fieldByField(companionChoiceSchema, defaultCompanion)),
  /** Whether a copy answers only who is signed in. */
  lookupNeedsSignIn: define(z.boolean(), z.boolean().catch(false)),
  /** Which of these screens stand in the navigation while the manager's settings are locked. */
  cashierScreens: define(cashierScreensSchema, fieldByField(cashierScreensSchema, { stock: true, stocktakes: true })),
  /** Which fields of the platform's listing stand where. */
  shownFields: define(shownFieldsSchema, keptShownFieldsSchema),
  /** For how long a PIN or a badge brings a cashier back, and when a till that rests is locked. */
  cashierChange: define(
    cashierChangeSchema,
    fieldByField(cashierChangeSchema, { keptDays: 30, lockAfterMinutes: 0, badges: true }),
  ),
  /** The check station for customers; in the terminal's state `isOn` says whether it holds now. */
  station: define(stationSchema, fieldByField(stationSchema, defaultStation)),
  /** The loopback address at which programs of this machine ask. */
  localApi: define(localApiChoiceSchema, fieldByField(localApiChoiceSchema, defaultLocalApi)),
  localApiTokenHash: define(localApiTokenHashSchema, localApiTokenHashSchema.catch(null)),
};

type Definitions = typeof definitions;
const mapped = <Part extends 'schema' | 'kept'>(part: Part): { [Name in keyof Definitions]: Definitions[Name][Part] } =>
  Object.fromEntries(Object.entries(definitions).map(([name, one]) => [name, one[part]])) as {
    [Name in keyof Definitions]: Definitions[Name][Part];
  };

export const settingSchemas = mapped('schema');

/** Reads them from the document. */
export const keptSettingsSchema = z.object(mapped('kept'));
export type ChosenSettings = Readonly<z.infer<typeof keptSettingsSchema>>;
export const defaultSettings: ChosenSettings = keptSettingsSchema.parse({});

/** Whether a field of the document is one that a person can change. */
export function isChosenSetting(name: string): boolean {
  return Object.hasOwn(definitions, name);
}

/** These settings without whatever else the document keeps. */
export function chosenOf(settings: ChosenSettings): ChosenSettings {
  return Object.fromEntries(Object.entries(settings).filter(([name]) => isChosenSetting(name))) as ChosenSettings;
}
