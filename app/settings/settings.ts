import { z } from 'zod';
import { allowanceLimitsSchema, type AllowanceLimits } from '../contract/rate-limit.ts';
import { companionChoiceSchema, usualCompanion, type CompanionChoice } from '../contract/companion.ts';
import { languageSchema, themeSchema, type Language, type Theme } from '../contract/basics.ts';
import { quietHoursSchema, type QuietHours } from '../contract/catalogue-plan.ts';
import { queueLimitsSchema, type QueueLimitsChoice } from '../contract/history.ts';
import { scaleLayoutsSchema } from '../contract/scan.ts';
import { usualScanner } from '../contract/limits.ts';
import {
  keptScannerSchema,
  keptSoundsSchema,
  usualSounds,
  type ScannerSettings,
  type Sounds,
} from '../contract/scanner.ts';
import { scannerDeviceChoiceSchema } from '../contract/scanner-device.ts';
import { shelfLabelSchema, type ShelfLabelChoice } from '../contract/labels.ts';
import type { Failure } from '../domain/failure.ts';
import type { Result } from '../domain/result.ts';
import { mostLayouts, readLayouts, usualLayouts, type ScaleLayout } from '../domain/codes/scale-label.ts';
import type { ScannerDeviceChoice } from '../domain/scanner-device.ts';
import { noLock, storedLockSchema, type StoredLock } from '../lock/stored-lock.ts';
import type { SettingsFile } from '../ports.ts';
import { readProfiles, type ProfileSettings } from './profiles.ts';

export type Mode = 'practice' | 'platform';

export interface Settings extends ProfileSettings {
  /** Null: the operating system's. */
  readonly language: Language | null;
  readonly theme: Theme;
  /** Null until a person has chosen one of the two ways in. */
  readonly mode: Mode | null;
  readonly queueLimits: QueueLimitsChoice;
  /** What the platform allows, and what is kept for a scan. */
  readonly allowanceLimits: AllowanceLimits;
  /** What was last chosen about shelf labels. */
  readonly shelfLabel: ShelfLabelChoice;
  /** Whether the short tour has been gone through or skipped. */
  readonly isTourSeen: boolean;
  /** When the daily full listing begins, by the store's local time. */
  readonly quietHours: QuietHours;
  /** The layouts of the store's scale labels, in the order in which they are tried. */
  readonly scaleLayouts: readonly string[];
  /** How this terminal's scanner is told from a person's typing. */
  readonly scanner: ScannerSettings;
  readonly sounds: Sounds;
  /** The scanner without a keyboard that is held; null for none. */
  readonly scannerDevice: ScannerDeviceChoice | null;
  /** Whether a copy answers only who is signed in. */
  readonly lookupNeedsSignIn: boolean;
  /** The companion bar and the tray. */
  readonly companion: CompanionChoice;
  /** The manager's lock. */
  readonly lock: StoredLock;
}

const usualQueueLimits: QueueLimitsChoice = { historyDays: 30, askAfterHours: 72 };
/** API v3 §8. */
const usualAllowance: AllowanceLimits = { limit: 60, windowSeconds: 60, reserve: 3 };
const usualQuietHours: QuietHours = { from: 22, to: 6 };

const usualShelfLabel: ShelfLabelChoice = { size: '50x30', copies: 1, withBalance: false };

const documentSchema = z
  .object({
    language: languageSchema.nullable().catch(null),
    theme: themeSchema.catch('system'),
    mode: z.enum(['practice', 'platform']).nullable().catch(null),
    queueLimits: z
      .object({
        historyDays: queueLimitsSchema.shape.historyDays.catch(usualQueueLimits.historyDays),
        askAfterHours: queueLimitsSchema.shape.askAfterHours.catch(usualQueueLimits.askAfterHours),
      })
      .catch(usualQueueLimits),
    allowanceLimits: z
      .object({
        limit: allowanceLimitsSchema.shape.limit.catch(usualAllowance.limit),
        windowSeconds: allowanceLimitsSchema.shape.windowSeconds.catch(usualAllowance.windowSeconds),
        reserve: allowanceLimitsSchema.shape.reserve.catch(usualAllowance.reserve),
      })
      .transform((limits) => ({ ...limits, reserve: Math.min(limits.reserve, limits.limit - 1) }))
      .catch(usualAllowance),
    shelfLabel: shelfLabelSchema.catch(usualShelfLabel),
    isTourSeen: z.boolean().catch(false),
    quietHours: quietHoursSchema.catch(usualQuietHours),
    companion: z
      .object({
        shortcut: companionChoiceSchema.shape.shortcut.catch(usualCompanion.shortcut),
        hideAfterSeconds: companionChoiceSchema.shape.hideAfterSeconds.catch(usualCompanion.hideAfterSeconds),
        keepInTray: companionChoiceSchema.shape.keepInTray.catch(usualCompanion.keepInTray),
      })
      .catch(usualCompanion),
    scaleLayouts: z
      .array(z.unknown())
      .transform((texts) =>
        texts.flatMap((text) => scaleLayoutsSchema.element.safeParse(text).data ?? []).slice(0, mostLayouts),
      )
      .catch([...usualLayouts]),
    scanner: keptScannerSchema,
    sounds: keptSoundsSchema,
    scannerDevice: scannerDeviceChoiceSchema.nullable().catch(null),
    lookupNeedsSignIn: z.boolean().catch(false),
    lock: storedLockSchema,
  })
  .catch({
    language: null,
    theme: 'system',
    shelfLabel: usualShelfLabel,
    isTourSeen: false,
    mode: null,
    queueLimits: usualQueueLimits,
    allowanceLimits: usualAllowance,
    quietHours: usualQuietHours,
    companion: usualCompanion,
    scaleLayouts: [...usualLayouts],
    scanner: usualScanner,
    sounds: usualSounds,
    scannerDevice: null,
    lookupNeedsSignIn: false,
    lock: noLock,
  });

/**
 * The newest version of the document. Version 1 has one profile, which `readProfiles` takes over; all else is still the
 * same.
 */
const version = 2;

/** What is undefined stays as it is. */
export type SettingsChange = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

export interface SettingsStore {
  get(): Settings;
  /** The layouts as they are read by; the same ones until they are changed, for every scan asks. */
  scaleLayouts(): readonly ScaleLayout[];
  /**
   * Keeps the change in memory in any case; fails with `storageFull` or `storageFailed` when it will not survive a
   * restart.
   */
  change(change: SettingsChange): Result<void, Failure>;
}

/** Reads the settings; what is missing or makes no sense takes its default. */
export function openSettings(file: SettingsFile): SettingsStore {
  const document = file.read() ?? {};
  let settings: Settings = { ...documentSchema.parse(document), ...readProfiles(document) };
  let layouts = readLayouts(settings.scaleLayouts);
  return {
    get: () => settings,
    scaleLayouts: () => layouts,
    change: (change) => {
      const given = Object.fromEntries(
        Object.entries(change).filter(([, value]) => value !== undefined),
      ) as Partial<Settings>;
      settings = { ...settings, ...given };
      layouts = change.scaleLayouts === undefined ? layouts : readLayouts(change.scaleLayouts);
      return file.write({ version, ...settings });
    },
  };
}
