import { z } from 'zod';
import { joinedHubSchema, type JoinedHub } from '../contract/hub.ts';
import { defaultSettings, keptSettingsSchema, type ChosenSettings } from '../contract/settings.ts';
import type { Failure } from '../domain/failure.ts';
import type { Result } from '../domain/result.ts';
import { isObject } from '../domain/loose-json.ts';
import { readLayouts, type ScaleLayout } from '../domain/codes/scale-label.ts';
import { noLock, storedLockSchema, type StoredLock } from '../lock/stored-lock.ts';
import type { SettingsFile } from '../ports.ts';
import type { StoredAttempts } from '../lock/waits.ts';
import {
  badgeAttemptsSchema,
  cashierTimeSchema,
  keptCashiersSchema,
  noAttempts,
  type KeptCashier,
} from './kept-cashiers.ts';
import { readProfiles, type ProfileSettings } from './profiles.ts';

export type Mode = 'practice' | 'platform';

export interface Settings extends ProfileSettings, ChosenSettings {
  /** Null until a person has chosen one of the two ways in. */
  readonly mode: Mode | null;
  /** The manager's lock. */
  readonly lock: StoredLock;
  /** The practice store's, while the manager's has no PIN. */
  readonly practiceLock: StoredLock;
  readonly hub: JoinedHub | null;
  /** Who has a PIN of their own. */
  readonly cashiers: readonly KeptCashier[];
  /** What their sign-ins are counted by. */
  readonly cashierTime: z.infer<typeof cashierTimeSchema>;
  /** Attempts with badges that nobody has, since the last right one. */
  readonly badgeAttempts: StoredAttempts;
}

const documentSchema = keptSettingsSchema
  .extend({
    mode: z.enum(['practice', 'platform']).nullable().catch(null),
    lock: storedLockSchema,
    practiceLock: storedLockSchema,
    hub: joinedHubSchema.nullable().catch(null),
    cashiers: keptCashiersSchema,
    cashierTime: cashierTimeSchema,
    badgeAttempts: badgeAttemptsSchema,
  })
  .catch({
    ...defaultSettings,
    mode: null,
    lock: noLock,
    practiceLock: noLock,
    hub: null,
    cashiers: [],
    cashierTime: null,
    badgeAttempts: noAttempts,
  });

/**
 * The newest version of the document. Version 1 has one profile, which `readProfiles` takes over. Until version 2 a PIN
 * opened everything, and for two minutes unless a manager chose otherwise.
 */
const version = 3;
const usualMinutesBefore = 2;

/** A document whose locks are as this version has them: what nobody chose is for one action. */
function broughtForward(document: unknown): unknown {
  if (!isObject(document) || (typeof document['version'] === 'number' && document['version'] >= version)) {
    return document;
  }
  const forward = (lock: unknown): unknown =>
    isObject(lock) && lock['opensForMinutes'] === usualMinutesBefore ? { ...lock, opensForMinutes: 0 } : lock;
  return { ...document, lock: forward(document['lock']), practiceLock: forward(document['practiceLock']) };
}

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
  const document = broughtForward(file.read() ?? {});
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
