import { z } from 'zod';
import type { FailureKind } from '../domain/failure.ts';
import { count, failureSchema, idSchema, instant, languageSchema, shortText } from './basics.ts';
import { cashiersStateSchema } from './cashiers.ts';
import { cataloguePlanSchema } from './catalogue-plan.ts';
import { companionStateSchema } from './companion.ts';
import { connectionStateSchema } from './connection.ts';
import { lockStateSchema } from './lock.ts';
import { practiceStateSchema } from './practice.ts';
import { maxProfiles } from './limits/profiles.ts';
import { localApiStateSchema } from './local-api.ts';
import { keptProfileSchema, profileIdSchema, profileSchema } from './profiles.ts';
import { scannerDeviceStateSchema } from './scanner-device.ts';
import { settingSchemas } from './settings.ts';
import { watchListStateSchema } from './watch-list.ts';

/** Something that a person must be told once and can dismiss; the renderer's locales hold a sentence for each kind. */
export const noticeSchema = z.strictObject({
  id: count,
  kind: z.enum([
    'queueSetAside',
    'settingsSetAside',
    'catalogueRebuilt',
    'vaultUnavailable',
    'vaultLocked',
    'vaultMoved',
    'storageFull',
    'storageRefused',
    'shortcutTaken',
    'auditSetAside',
    'stocktakesSetAside',
    'auditNotKept',
    'pinForgotten',
    'planMissed',
    'couponsOfNoCompany',
    'companyRefused',
  ]),
  /** A file name or a number that belongs into the sentence. */
  detail: shortText,
});
export type Notice = z.infer<typeof noticeSchema>;

const sessionStateSchema = z.strictObject({
  /**
   * `ended`: somebody was signed in, and the platform no longer accepts it; updates wait for a new sign-in. At a locked
   * till nothing more is told of it.
   */
  state: z.enum(['signedOut', 'signedIn', 'ended']),
  email: z.string().max(320).nullable(),
  /** Where the sign-in is kept: in the keychain, or in memory until the app closes. */
  keptIn: z.enum(['keychain', 'memory']).nullable(),
  /** Why no token can be had without a person; null while one can, or where nobody has signed in. */
  failure: failureSchema.nullable(),
});
export type SessionState = z.infer<typeof sessionStateSchema>;

/** The failures by which a platform says that this user may not read a stock, or that it has no such one. */
export const stockRefusals = ['forbidden', 'notFound'] as const satisfies readonly FailureKind[];

const stockStateSchema = z.strictObject({
  stockId: idSchema,
  /** Null until the platform has told it. */
  name: shortText.nullable(),
  /** Products of this stock that can be looked up already. */
  copied: count,
  /** The number that the platform listed, and this terminal could not read. */
  unreadable: count,
  /** The total that the platform names; null until the first page came. */
  total: count.nullable(),
  /** When the copy was last known to be complete and up to date; null when it never was. */
  completeAsOf: instant.nullable(),
  /** How the platform refuses to list it; null once a page of it has come. */
  refused: z.enum(stockRefusals).nullable(),
});
export type StockState = z.infer<typeof stockStateSchema>;

const catalogueStateSchema = z.strictObject({
  /**
   * `copying`: the first full listing, or a sweep; `updating`: changes since; `complete`: nothing to do now; `waiting`:
   * for network or sign-in.
   */
  phase: z.enum(['idle', 'copying', 'updating', 'complete', 'waiting']),
  stocks: z.array(stockStateSchema).max(50),
  copied: count,
  /** Goes up with whatever a lookup may find otherwise since, in a listing or in an answer; from 0 when the copy is opened. */
  changes: count,
  unreadable: count,
  total: count.nullable(),
  /** When the running full listing will be complete; null when unknown or none runs. */
  completeAt: instant.nullable(),
  plan: cataloguePlanSchema,
  failure: failureSchema.nullable(),
});
export type CatalogueState = z.infer<typeof catalogueStateSchema>;

const waitingOfUsers = { count, emails: z.array(z.string().max(320)).max(20) };

export const queueStateSchema = z.strictObject({
  /** Wait to be sent, or to be sent again. */
  pending: count,
  /** Are under way: an attempt has begun, and nothing has come of it yet. */
  inFlight: count,
  parked: count,
  delivered: count,
  /**
   * Why the pending ones are not leaving just now; null when nothing holds them. What is held by the connection is held
   * by what `connection` says.
   */
  heldBy: z.enum(['offline', 'noAnswer', 'signIn', 'otherUser', 'rateLimit', 'retry', 'safeMode']).nullable(),
  /** When the next sending is tried; null when none is planned: something else must happen first. */
  nextTryAt: instant.nullable(),
  /**
   * Updates of other users of this company that wait until those sign in; `parked` of anybody else's, whatever company
   * they are for, need a decision, which anybody here may take.
   */
  ofOthers: z.strictObject({ ...waitingOfUsers, parked: count }),
  /** Updates of other users of this company that go out under the kept sign-ins of those. */
  ofKept: z.strictObject(waitingOfUsers),
  /** Updates for other companies, which go out once a profile of theirs is open. */
  elsewhere: z
    .array(z.strictObject({ platformUrl: z.string().max(2000), companyId: idSchema, ...waitingOfUsers }))
    .max(20),
});
export type QueueState = z.infer<typeof queueStateSchema>;
/** Of a shop at which nobody is signed in, and where none is open. */
export const signedOut: SessionState = { state: 'signedOut', email: null, keptIn: null, failure: null };
/** Of a queue that nobody has used, and where no shop is open. */
export const noUpdates: QueueState = {
  pending: 0,
  inFlight: 0,
  parked: 0,
  delivered: 0,
  heldBy: null,
  nextTryAt: null,
  ofOthers: { count: 0, emails: [], parked: 0 },
  ofKept: { count: 0, emails: [] },
  elsewhere: [],
};

const rateLimitStateSchema = z.strictObject({
  /** Requests a minute that this terminal allows itself just now. */
  limit: count,
  used: count,
  /** When the pause after a 429 ends; null when there is none. */
  pausedUntil: instant.nullable(),
});

/** All that every screen may need at any time; sent whole whenever any of it changes. */
export const terminalStateSchema = z.strictObject({
  ...settingSchemas,
  /** Rises with every change; a lower one than the last seen is stale. */
  revision: count,
  version: shortText,
  host: z.enum(['electron', 'browser']),
  phase: z.enum(['firstRun', 'signIn', 'ready']),
  mode: z.enum(['practice', 'platform']).nullable(),
  /** Null unless the practice store is open. */
  practice: practiceStateSchema.nullable(),
  /** The present profile, or the practice store's. */
  profile: profileSchema.nullable(),
  /** Its number; null in practice. */
  profileId: profileIdSchema.nullable(),
  /** All that the terminal can be switched to. */
  profiles: z.array(keptProfileSchema).max(maxProfiles),
  /** Whether the next sign-in must bring the client secret: no keychain has kept it, or the platform has refused it. */
  isSecretNeeded: z.boolean(),
  /** The language in use, and whether a person chose it or it is the operating system's. */
  language: languageSchema,
  languageChosen: z.boolean(),
  session: sessionStateSchema,
  connection: connectionStateSchema,
  /**
   * How far this machine's clock was ahead of the platform's at its last answer, to the nearest hour; less than nothing
   * when it was behind. Null while they agree within half an hour, or nothing is known of it.
   */
  clockAheadMs: z.number().int().nullable(),
  catalogue: catalogueStateSchema,
  queue: queueStateSchema,
  /** Goes up with whatever the lists of counts and of their lines show otherwise since; from 0 when the shop is opened. */
  stocktakeChanges: count,
  /** Null while no shop is open, and until the copy has been read for all watched products. */
  watchList: watchListStateSchema.nullable(),
  /** The scanner without a keyboard; null where no device can be held. */
  scannerDevice: scannerDeviceStateSchema.nullable(),
  /** The companion bar and the tray; null where there is no desktop around the page. */
  companion: companionStateSchema.nullable(),
  /** The loopback address for programs; null where the host has none. */
  localApi: localApiStateSchema.nullable(),
  rateLimit: rateLimitStateSchema,
  /** The manager's lock. */
  lock: lockStateSchema,
  cashiers: cashiersStateSchema,
  /** A technician has started the app so that nothing is sent or copied by itself. */
  isSafeMode: z.boolean(),
  notices: z.array(noticeSchema).max(20),
});
export type TerminalState = z.infer<typeof terminalStateSchema>;
