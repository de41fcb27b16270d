import { z } from 'zod';
import { joinedHubSchema, type JoinedHub } from '../contract/hub.ts';
import { defaultSettings, isChosenSetting, keptSettingsSchema, type ChosenSettings } from '../contract/settings.ts';
import type { Failure } from '../domain/failure.ts';
import { createListeners } from '../domain/listeners.ts';
import { succeed, type Result } from '../domain/result.ts';
import { isObject, type JsonObject } from '../domain/loose-json.ts';
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
  readonly hub: JoinedHub | null;
  /** A digest of the hub's address that the provisioning file named last. */
  readonly hubInFile: string | null;
  /** Who has a PIN of their own. */
  readonly cashiers: readonly KeptCashier[];
  /** The time by which their sign-ins are counted. */
  readonly cashierTime: z.infer<typeof cashierTimeSchema>;
  /** Attempts with badges that nobody has, since the last right one. */
  readonly badgeAttempts: StoredAttempts;
}

const documentSchema = keptSettingsSchema
  .extend({
    mode: z.enum(['practice', 'platform']).nullable().catch(null),
    lock: storedLockSchema,
    hub: joinedHubSchema.strip().nullable().catch(null),
    hubInFile: z.string().max(60).nullable().catch(null),
    cashiers: keptCashiersSchema,
    cashierTime: cashierTimeSchema,
    badgeAttempts: badgeAttemptsSchema,
  })
  .catch({
    ...defaultSettings,
    mode: null,
    lock: noLock,
    hub: null,
    hubInFile: null,
    cashiers: [],
    cashierTime: null,
    badgeAttempts: noAttempts,
  });

/**
 * The newest version of the document. Version 1 has one profile, which `readProfiles` takes over. Until version 2 a PIN
 * opened everything, and for two minutes unless a manager chose otherwise. An older version changes a document of a
 * newer one and leaves it its number, so that a field never gets another meaning under the same name.
 */
const version = 3;
const usualMinutesBefore = 2;

const versionOf = (document: JsonObject): number => (typeof document['version'] === 'number' ? document['version'] : 0);

/** A document whose lock is as this version has it: what nobody chose is for one action. */
function broughtForward(document: unknown): unknown {
  if (!isObject(document) || versionOf(document) >= version) {
    return document;
  }
  const { lock } = document;
  return isObject(lock) && lock['opensForMinutes'] === usualMinutesBefore
    ? { ...document, lock: { ...lock, opensForMinutes: 0 } }
    : document;
}

/** A setting that is undefined stays as it is. */
export type SettingsChange = { readonly [Name in keyof Settings]?: Settings[Name] | undefined };

/** One set of settings. */
export interface SettingsDocument {
  get(): Settings;
  /** The layouts as they are read by; the same ones until they are changed, for every scan asks. */
  scaleLayouts(): readonly ScaleLayout[];
  /** Keeps the change in memory; fails with `storageFull` or `storageFailed` when it will not survive a restart. */
  change(change: SettingsChange): Result<void, Failure>;
  /** Changes nothing where that fails: for what must not be counted on when it will be gone, or back, after a restart. */
  changeForGood(change: SettingsChange): Result<void, Failure>;
}

/** The settings of the shop that is open: the terminal's, or practice's own. */
export interface OpenSettings extends SettingsDocument {
  /** The terminal's own, whichever store is open. */
  readonly terminal: SettingsDocument;
  /** From now on people choose for practice alone. Begins as the terminal is, without its lock and its token. */
  beginPractice(): void;
  /** Forgets what was chosen for practice, if it is open. */
  endPractice(): void;
  /** Calls back when practice has ended, and the terminal's settings hold again. */
  listen(listener: () => void): void;
}

/**
 * Whether practice has a setting of its own: one that a person chooses, or the lock. The rest is the machine's, and
 * that somebody has seen the tour is no choice.
 */
const isPractisable = (name: string): boolean => name === 'lock' || (isChosenSetting(name) && name !== 'isTourSeen');

function openDocument(first: Settings, write: (settings: Settings) => Result<void, Failure>): SettingsDocument {
  let settings = first;
  let layouts = readLayouts(settings.scaleLayouts);
  function replace(next: Settings): void {
    layouts = next.scaleLayouts === settings.scaleLayouts ? layouts : readLayouts(next.scaleLayouts);
    settings = next;
  }
  function change(chosen: SettingsChange): Result<void, Failure> {
    const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
    replace({ ...settings, ...(given as Partial<Settings>) });
    return write(settings);
  }
  return {
    get: () => settings,
    scaleLayouts: () => layouts,
    change,
    changeForGood: (chosen) => {
      const before = settings;
      const kept = change(chosen);
      if (!kept.ok) replace(before);
      return kept;
    },
  };
}

/**
 * Those of practice, in memory alone: beside them, whatever is the machine's goes to the terminal's. Until there is a
 * profile or a PIN that is all but lock and token: whoever tries the app out sets it up, too, and nobody else has.
 */
function openPractice(terminal: SettingsDocument): SettingsDocument {
  const own = openDocument({ ...terminal.get(), lock: noLock, localApiTokenHash: null }, () => succeed(undefined));
  const part = (settings: SettingsChange, isWanted: (name: string) => boolean): SettingsChange =>
    Object.fromEntries(Object.entries(settings).filter(([name]) => isWanted(name)));
  // mutant: practice is a way around the PIN of a terminal without a profile
  const isNobodys = (): boolean => terminal.get().profiles.length === 0 && terminal.get().lock.pinHash === null;
  const isOfTerminal = (name: string): boolean =>
    !isPractisable(name) || (isNobodys() && name !== 'lock' && name !== 'localApiTokenHash');
  const inTerminal = (way: 'change' | 'changeForGood', change: SettingsChange): Result<void, Failure> => {
    const ofTerminal = part(change, isOfTerminal);
    return Object.keys(ofTerminal).length === 0 ? succeed(undefined) : terminal[way](ofTerminal);
  };
  return {
    get: () => ({ ...own.get(), ...part(terminal.get(), (name) => !isPractisable(name)) }) as Settings,
    scaleLayouts: () => own.scaleLayouts(),
    change: (change) => {
      own.change(part(change, isPractisable));
      return inTerminal('change', change);
    },
    changeForGood: (change) => {
      const kept = inTerminal('changeForGood', change);
      return kept.ok ? own.change(part(change, isPractisable)) : kept;
    },
  };
}

/** Reads the settings; what is missing or makes no sense takes its default. */
export function openSettings(file: SettingsFile): OpenSettings {
  const document = broughtForward(file.read() ?? {});
  // A newer version finds its own again: a former program comes back when that one ends badly, or is taken back.
  const written = isObject(document) && versionOf(document) > version ? document : { version };
  const terminal = openDocument(
    { ...documentSchema.parse(document), ...readProfiles(document) },
    ({ unreadProfiles, ...settings }) =>
      file.write({ ...written, ...settings, profiles: [...settings.profiles, ...unreadProfiles] }),
  );
  const listeners = createListeners();
  let open = terminal;
  return {
    terminal,
    get: () => open.get(),
    scaleLayouts: () => open.scaleLayouts(),
    change: (change) => open.change(change),
    changeForGood: (change) => open.changeForGood(change),
    beginPractice: () => {
      // mutant: a setting made in practice is the terminal's (I31)
      open = openPractice(terminal);
    },
    endPractice: () => {
      // mutant: a setting made in practice stays
      if (open !== terminal) {
        open = terminal;
        listeners.emit();
      }
    },
    listen: listeners.add,
  };
}
