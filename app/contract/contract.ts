// Owns what crosses the wall between the main process and the renderer: every call and every event, as zod schemas from
// which all types are inferred. Calls are named noun:verb, events noun:pastParticiple. No schema has room for a token, a
// password on its way out, or a secret. Never holds behaviour.
import { z } from 'zod';
import { languages } from '../domain/language.ts';
import { allowanceLimitsSchema, allowanceReadingSchema } from './allowance.ts';
import { auditExportPageSchema, auditPageInputSchema, auditPageSchema } from './audit.ts';
import { count, failureSchema, idSchema, instant, shortText } from './basics.ts';
import { stockExportInputSchema, stockExportPageSchema, stockPageInputSchema, stockViewFacts } from './browse.ts';
import { cataloguePlanSchema, quietHoursSchema } from './catalogue-plan.ts';
import { companionChoiceSchema, companionHeightSchema, companionStateSchema } from './companion.ts';
import { copyAgeSchema } from './copy-age.ts';
import { couponIdsInputSchema, couponIdsSchema, couponPageInputSchema, couponPageSchema, couponStateSchema, manyCountedSchema, manyCouponsSchema, manyProgressSchema, manySwitchedSchema, manyTakenBackSchema } from './coupons.ts';
import { exportFormatSchema, queueExportPageSchema, queueLimitsSchema, updateAttemptSchema } from './history.ts';
import { lockChoiceSchema, lockStateSchema, pinSchema, setPinInputSchema } from './lock.ts';
import { practicePanelSchema, practiceStateSchema } from './practice.ts';
import { deviceStateSchema } from './device.ts';
import { detailsInputSchema, keptDetailsSchema, productMovementsSchema, readBatchesSchema } from './product-details.ts';
import { manyUpdatesSchema, queueDaySchema, queueFound, queueIdsInputSchema, queueIdsSchema, queuePageInputSchema, updatesCountedSchema, updateStandingSchema } from './queue-rows.ts';
import { shelfLabelSchema } from './shelf-label.ts';
import { keptProfileSchema, mostProfiles, profileIdSchema, profileNameSchema, profileSchema } from './profiles.ts';
import { scaleLayoutsSchema, scanFaultSchema, scanReadSchema } from './scan.ts';
import { scannerSettingsSchema, soundsSchema } from './scanner.ts';
import { diagnosticsSchema, supportBundleSchema } from './support.ts';

// ---- Small things ------------------------------------------------------------------------------------------------

export const languageSchema = z.enum(languages);
export type Language = z.infer<typeof languageSchema>;

export const themeSchema = z.enum(['light', 'dark', 'system']);
export type Theme = z.infer<typeof themeSchema>;

// ---- The terminal's state, one snapshot --------------------------------------------------------------------------

/** Something that a person must be told once and can dismiss; the renderer's locales hold a sentence for each kind. */
export const noticeSchema = z.strictObject({
  id: count,
  kind: z.enum(['queueSetAside', 'settingsSetAside', 'catalogueRebuilt', 'vaultUnavailable', 'vaultLocked', 'storageFull', 'shortcutTaken', 'auditSetAside', 'auditNotKept', 'pinForgotten']),
  /** A file name or a number that belongs into the sentence. */
  detail: shortText,
});
export type Notice = z.infer<typeof noticeSchema>;

export const sessionStateSchema = z.strictObject({
  /** `ended`: somebody was signed in, and the platform no longer accepts it; updates wait for a new sign-in. */
  state: z.enum(['signedOut', 'signedIn', 'ended']),
  email: z.string().max(320).nullable(),
  /** Where the sign-in is kept: in the keychain, or in memory until the app closes. */
  keptIn: z.enum(['keychain', 'memory']).nullable(),
  failure: failureSchema.nullable(),
});
export type SessionState = z.infer<typeof sessionStateSchema>;

export const connectionStateSchema = z.strictObject({
  /** `unknown` until the first call of this run was answered or failed. */
  state: z.enum(['online', 'offline', 'unknown']),
  /** When it last became so. */
  since: instant,
  failure: failureSchema.nullable(),
});
export type ConnectionState = z.infer<typeof connectionStateSchema>;

export const stockStateSchema = z.strictObject({
  stockId: idSchema,
  /** Null until the platform has told it. */
  name: shortText.nullable(),
  /** Products of this stock that can be looked up already. */
  copied: count,
  /** What the platform says it has; null until the first page came. */
  total: count.nullable(),
  /** When the copy was last known to be complete and up to date; null when it never was. */
  completeAsOf: instant.nullable(),
});
export type StockState = z.infer<typeof stockStateSchema>;

export const catalogueStateSchema = z.strictObject({
  /** `copying`: the first full listing, or a sweep; `updating`: changes since; `complete`: nothing to do now; `waiting`: for network or sign-in. */
  phase: z.enum(['idle', 'copying', 'updating', 'complete', 'waiting']),
  stocks: z.array(stockStateSchema).max(50),
  copied: count,
  total: count.nullable(),
  /** When the running full listing will be complete; null when unknown or none runs. */
  completeAt: instant.nullable(),
  plan: cataloguePlanSchema,
  failure: failureSchema.nullable(),
});
export type CatalogueState = z.infer<typeof catalogueStateSchema>;

export const queueStateSchema = z.strictObject({
  pending: count,
  inFlight: count,
  parked: count,
  delivered: count,
  /** Why the pending ones are not leaving just now; null when nothing holds them. */
  heldBy: z.enum(['offline', 'signIn', 'otherUser', 'allowance', 'retry', 'safeMode']).nullable(),
  /** When the next sending is tried, if that is known. */
  nextTryAt: instant.nullable(),
  /** Updates that wait for another user or company, and the users who made them; `parked` of theirs need a decision, which anybody here may take. */
  ofOthers: z.strictObject({ count, emails: z.array(z.string().max(320)).max(20), parked: count }),
});
export type QueueState = z.infer<typeof queueStateSchema>;

export const allowanceStateSchema = z.strictObject({
  /** Requests a minute that this terminal allows itself just now. */
  limit: count,
  used: count,
  /** When the pause after a 429 ends; null when there is none. */
  pausedUntil: instant.nullable(),
});

/** All that every screen may need at any time; sent whole whenever any of it changes. */
export const terminalStateSchema = z.strictObject({
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
  profiles: z.array(keptProfileSchema).max(mostProfiles),
  /** True when no keychain has kept the client secret over a restart, or the platform has refused it: the next sign-in must bring it. */
  isSecretNeeded: z.boolean(),
  /** The language in use, and whether a person chose it or it is the operating system's. */
  language: languageSchema,
  languageChosen: z.boolean(),
  theme: themeSchema,
  session: sessionStateSchema,
  connection: connectionStateSchema,
  catalogue: catalogueStateSchema,
  queue: queueStateSchema,
  queueLimits: queueLimitsSchema,
  shelfLabel: shelfLabelSchema,
  /** Whether the short tour has been gone through or skipped on this terminal. */
  isTourSeen: z.boolean(),
  quietHours: quietHoursSchema,
  scaleLayouts: scaleLayoutsSchema,
  scanner: scannerSettingsSchema,
  sounds: soundsSchema,
  /** The companion bar and the tray; null where there is no desktop around the page. */
  companion: companionStateSchema.nullable(),
  allowance: allowanceStateSchema,
  /** The manager's lock. */
  lock: lockStateSchema,
  /** A technician has started the app so that nothing is sent or copied by itself. */
  isSafeMode: z.boolean(),
  notices: z.array(noticeSchema).max(20),
});
export type TerminalState = z.infer<typeof terminalStateSchema>;

// ---- Products and lookup -----------------------------------------------------------------------------------------

export const balanceSchema = z.strictObject({
  /** Null when the platform's listing did not carry one and no live figure was read yet. May be negative and have decimals. */
  amount: z.number().nullable(),
  /** When the platform gave this figure; null with a null amount. */
  asOf: instant.nullable(),
  source: z.enum(['listing', 'live']).nullable(),
});
export type Balance = z.infer<typeof balanceSchema>;

/** One product in one stock, ready to be shown. */
export const productCardSchema = z.strictObject({
  stockId: idSchema,
  stockName: shortText.nullable(),
  productId: idSchema,
  /** The product's code (the platform's `sku` or `code`); null when it has none. */
  code: shortText.nullable(),
  name: shortText,
  /** The unit's code, such as "KG" or "UNID" (API v3 §2 "Units of measure"), or whatever text the platform gave. */
  unit: shortText.nullable(),
  barcodes: z.array(shortText).max(50),
  balance: balanceSchema,
  options: z.array(z.strictObject({ name: shortText, amount: z.number().nullable() })).max(200),
  /** Fields of the listing that this app has no place for, by name, as text. */
  extra: z.array(z.strictObject({ name: shortText, value: shortText })).max(100),
  coupon: couponStateSchema,
});
export type ProductCard = z.infer<typeof productCardSchema>;

/** One line of a result list. */
export const productHitSchema = z.strictObject({
  stockId: idSchema,
  stockName: shortText.nullable(),
  productId: idSchema,
  code: shortText.nullable(),
  name: shortText,
  unit: shortText.nullable(),
  balance: balanceSchema,
});
export type ProductHit = z.infer<typeof productHitSchema>;

/** How the text was read; absent when a person opened the product from a list. */
const read = { read: scanReadSchema.optional() };

export const lookupAnswerSchema = z.discriminatedUnion('kind', [
  /** One product, or the several that share this code; the same product in several stocks is several cards. */
  z.strictObject({ kind: z.literal('found'), text: shortText, ...read, cards: z.array(productCardSchema).min(1).max(50) }),
  /** A part of a name or code that fits several products. */
  z.strictObject({ kind: z.literal('several'), text: shortText, ...read, hits: z.array(productHitSchema).min(1).max(200) }),
  /** The copy is complete and does not have it; `asked`: the platform was asked too and does not have it either. */
  z.strictObject({ kind: z.literal('unknown'), text: shortText, ...read, asked: z.boolean() }),
  /** Not in the part that has been copied so far. */
  z.strictObject({ kind: z.literal('notCopied'), text: shortText, ...read, copied: count, total: count.nullable(), completeAt: instant.nullable(), asked: z.boolean() }),
  /**
   * Not a code that could be right, or one that names no product; `about` names what is wrong within it. `asked` stands only with a wrong check
   * digit: a shop may have numbered the product so itself, and the platform can be asked.
   */
  z.strictObject({ kind: z.literal('unreadable'), text: shortText, why: scanFaultSchema, about: shortText.nullable().optional(), asked: z.boolean().optional() }),
]);
export type LookupAnswer = z.infer<typeof lookupAnswerSchema>;

export const recentLookupSchema = z.strictObject({
  id: count,
  at: instant,
  text: shortText,
  /** `answer` is what was shown then; a found product can be opened again. */
  answer: z.enum(['found', 'several', 'unknown', 'notCopied', 'unreadable']),
  hit: productHitSchema.nullable(),
});
export type RecentLookup = z.infer<typeof recentLookupSchema>;

// ---- Queue and coupons -------------------------------------------------------------------------------------------

/** Why a parked update waits for a person. `old`: it was made long ago and asks before it is sent; `maybeDone`: refused, but perhaps only because it was done already. */
const parkedBecauseSchema = z.enum(['refused', 'conflict', 'damaged', 'old', 'maybeDone']);

const updateFacts = {
  id: count,
  standing: updateStandingSchema,
  email: z.string().max(320),
  companyId: idSchema,
  /** False for an update that another user or company made; it waits for them. */
  isOwn: z.boolean(),
  createdAt: instant,
  /** When it last changed its standing: was delivered, or parked. */
  changedAt: instant,
  attempts: count,
  /** Why it was parked, or how the last attempt failed. */
  failure: failureSchema.nullable(),
  /** More about a parked one. */
  parkedBecause: parkedBecauseSchema.nullable(),
};

/** A product's coupon on or off (API v3 §4.7). */
export const couponUpdateSchema = z.strictObject({
  kind: z.literal('coupon'),
  ...updateFacts,
  productId: idSchema,
  productName: shortText.nullable(),
  isEnabled: z.boolean(),
  /** For a conflict: what the platform has now. */
  theirs: z.boolean().nullable(),
});
export type CouponUpdate = z.infer<typeof couponUpdateSchema>;

/** A deleted user back (API v3 §4.8). */
export const restorationSchema = z.strictObject({ kind: z.literal('restoreUser'), ...updateFacts, userId: idSchema });

/** One update as the queue screen lists it. */
export const queuedUpdateSchema = z.discriminatedUnion('kind', [couponUpdateSchema, restorationSchema]);
export type QueuedUpdate = z.infer<typeof queuedUpdateSchema>;

// ---- Connecting --------------------------------------------------------------------------------------------------

/** Each step of the connection test; after a failed one the rest are skipped. */
export const connectionStepSchema = z.strictObject({
  step: z.enum(['address', 'tls', 'client', 'user', 'company', 'stock']),
  outcome: z.enum(['passed', 'failed', 'skipped']),
  /** Which stock, for the last step; which scopes the platform offers, for the client. */
  detail: shortText.nullable(),
  failure: failureSchema.nullable(),
});
export type ConnectionStep = z.infer<typeof connectionStepSchema>;
export const connectionReportSchema = z.strictObject({ passed: z.boolean(), steps: z.array(connectionStepSchema).max(60) });
export type ConnectionReport = z.infer<typeof connectionReportSchema>;

// ---- The wall ----------------------------------------------------------------------------------------------------

const nothing = z.strictObject({});
const productKey = z.strictObject({ stockId: idSchema, productId: idSchema });
const scanText = z.string().max(4096);

/** Every call that the renderer may make. Each answers a Result whose failure is a Failure. */
export const invokes = {
  /** The state now; later changes come as `terminal:changed`. */
  'terminal:read': { input: nothing, output: terminalStateSchema },
  'notice:dismiss': { input: z.strictObject({ id: count }), output: nothing },
  'settings:update': {
    input: z.strictObject({ language: languageSchema.nullable().optional(), theme: themeSchema.optional(), shelfLabel: shelfLabelSchema.optional(), isTourSeen: z.boolean().optional(), queueLimits: queueLimitsSchema.optional(), allowanceLimits: allowanceLimitsSchema.optional(), quietHours: quietHoursSchema.optional(), scaleLayouts: scaleLayoutsSchema.optional(), scanner: scannerSettingsSchema.optional(), sounds: soundsSchema.optional(), companion: companionChoiceSchema.optional() }),
    output: nothing,
  },
  /** Hides the companion bar and gives the keyboard back to the program before. Fails with `notReady` where there is no desktop. */
  'companion:hide': { input: nothing, output: nothing },
  /** Updates, the start at sign-in and the window that fills the screen. These four fail with `notReady` where the app is not installed. */
  'device:read': { input: nothing, output: deviceStateSchema },
  'device:checkForUpdate': { input: nothing, output: deviceStateSchema },
  'device:setStartsAtSignIn': { input: z.strictObject({ isOn: z.boolean() }), output: nothing },
  /** Ends the app: the way out of a window that fills the screen. */
  'device:quit': { input: nothing, output: nothing },
  /** Makes the companion bar as tall as its page is now, in pixels of the page. Fails with `notReady` likewise. */
  'companion:fit': { input: companionHeightSchema, output: nothing },
  /** Shows the window. Fails with `notReady` likewise. */
  'window:show': { input: nothing, output: nothing },
  /** Opens the practice store and signs in there. */
  'practice:start': { input: nothing, output: nothing },
  /** Signs in to the practice store anew, with the sign-in that is the app's own. Fails with `notReady` unless it is open. */
  'practice:signIn': { input: nothing, output: nothing },
  /** Practises an outage. Fails with `notReady` unless the practice store is open. */
  'practice:setNetwork': { input: z.strictObject({ isDown: z.boolean() }), output: nothing },
  /** Opens the practice platform's control panel in the system's browser, or answers where it is. Fails with `notReady` likewise, and in a kiosk. */
  'practice:openPanel': { input: nothing, output: practicePanelSchema },
  /**
   * Tries the address without a sign-in; when it passes, keeps the profile, in the place of `profileId` if there is one, and goes on to the
   * sign-in screen, or past it if somebody is signed in at the same platform with the same client. Fails with `profilesFull`.
   */
  'profile:connect': {
    input: profileSchema.extend({ clientSecret: z.string().min(1).max(1000), name: profileNameSchema.optional(), profileId: profileIdSchema.optional() }),
    output: connectionReportSchema,
  },
  /** Closes the present store and opens another profile's; sign-ins that the keychain holds stay. Fails with `notFoundHere`. */
  'profile:switch': { input: z.strictObject({ profileId: profileIdSchema }), output: nothing },
  'profile:rename': { input: z.strictObject({ profileId: profileIdSchema, name: profileNameSchema }), output: nothing },
  /** Forgets a profile with its copy of the listing; updates of its company stay. Refused with `inputInvalid` while it is open. */
  'profile:remove': { input: z.strictObject({ profileId: profileIdSchema }), output: nothing },
  /** Tests the present profile step by step, with the present sign-in. */
  'profile:test': { input: nothing, output: connectionReportSchema },
  /** Back to the ways in. Refused with `inputInvalid` while somebody is signed in, unless they stay so. The store's data stays. */
  'profile:leave': { input: z.strictObject({ staysSignedIn: z.boolean().optional() }), output: nothing },
  /**
   * Signs in and tests company and stocks; somebody is signed in only when the report has passed. Fails with `credentialsRejected`
   * and the platform's reason. The secret is given only when it is needed.
   */
  'session:signIn': {
    input: z.strictObject({ email: z.string().min(1).max(320), password: z.string().min(1).max(1000), clientSecret: z.string().min(1).max(1000).optional() }),
    output: connectionReportSchema,
  },
  /** Unsent updates stay in the queue and wait for their user. */
  'session:signOut': { input: nothing, output: nothing },
  /**
   * Answers from this terminal's copy alone, at once, and remembers it among the recent ones. `isAgain`: the answer is on the screen and the
   * copy has grown; it is no new lookup, and only corrects what the recent ones say of it.
   */
  'lookup:find': { input: z.strictObject({ text: scanText, source: z.enum(['scan', 'typed']), isAgain: z.boolean().optional() }), output: lookupAnswerSchema },
  /** Asks the platform for a code that the copy does not have. */
  'lookup:ask': { input: z.strictObject({ text: scanText }), output: lookupAnswerSchema },
  /** As-you-type search in the copy. */
  'lookup:search': { input: z.strictObject({ text: scanText, limit: z.number().int().min(1).max(50) }), output: z.array(productHitSchema) },
  'lookup:listRecent': { input: nothing, output: z.array(recentLookupSchema).max(100) },
  /** `isOpened`: a person has opened it from a list, and it joins the recent lookups. */
  'product:read': { input: productKey.extend({ isOpened: z.boolean().optional() }), output: productCardSchema },
  /** Reads the balance from the platform (API v3 §4.4) and answers the card with it. */
  'product:refresh': { input: productKey, output: productCardSchema },
  /** Reads entries, exits and what is left (API v3 §4.4); the next lookup turns it away. */
  'product:readMovements': { input: detailsInputSchema, output: productMovementsSchema },
  /** Reads the entry batches (API v3 §4.5); the next lookup turns it away. */
  'product:readBatches': { input: detailsInputSchema, output: readBatchesSchema },
  /** The last answers of these two about all options together, from this terminal alone. */
  'product:readKept': { input: productKey, output: keptDetailsSchema },
  /** Durable when it answers. */
  'coupon:switch': { input: z.strictObject({ productId: idSchema, isEnabled: z.boolean() }), output: couponStateSchema },
  /** In the order of the products' names, from this terminal alone. */
  'coupon:list': { input: couponPageInputSchema, output: couponPageSchema },
  /** The same, but the ids alone: for choosing many. */
  'coupon:listIds': { input: couponIdsInputSchema, output: couponIdsSchema },
  /** What switching these would do, before it is done. */
  'coupon:countMany': { input: manyCouponsSchema, output: manyCountedSchema },
  /** Durable when it answers, as far as it says. Fails with `queueFull` and nothing done when there is no room for all. */
  'coupon:switchMany': { input: manyCouponsSchema, output: manySwitchedSchema },
  /** Ends the switching of many that is under way after its present slice; what is accepted by then stays so. */
  'coupon:stopMany': { input: nothing, output: nothing },
  /** Takes back what has not been sent of the last switching of many. Fails with `notFoundHere` when another came after it, or a minute has passed. */
  'coupon:undoMany': { input: z.strictObject({ undo: count }), output: manyTakenBackSchema },
  /** Reads the settings from the platform (API v3 §4.6). */
  'coupon:refresh': { input: nothing, output: nothing },
  /** Newest first. */
  'queue:list': { input: queuePageInputSchema, output: z.strictObject({ ...queueFound, rows: z.array(queuedUpdateSchema).max(200) }) },
  'queue:listIds': { input: queueIdsInputSchema, output: queueIdsSchema },
  /** What can be done with these updates now. */
  'queue:countMany': { input: manyUpdatesSchema, output: updatesCountedSchema },
  /** As `queue:retry` does each; answers how many. */
  'queue:retryMany': { input: manyUpdatesSchema, output: z.strictObject({ retried: count }) },
  /** As `queue:discard` does each; answers which. */
  'queue:discardMany': { input: manyUpdatesSchema, output: manyUpdatesSchema.extend({ updateIds: z.array(count) }) },
  /** What was given up within the last minute stands again, unless something newer was asked for; answers how many. */
  'queue:bringBack': { input: manyUpdatesSchema, output: z.strictObject({ broughtBack: count }) },
  /** The last 24 hours by the store's clock. */
  'queue:readDay': { input: nothing, output: queueDaySchema },
  /** A parked update goes back to pending ("keep mine" for a conflict). */
  'queue:retry': { input: z.strictObject({ updateId: count }), output: nothing },
  /** A parked or pending update is given up ("keep theirs" for a conflict). */
  'queue:discard': { input: z.strictObject({ updateId: count }), output: nothing },
  /** What became of each attempt at an update, oldest first. Fails with `notFoundHere`. */
  'queue:history': { input: z.strictObject({ updateId: count }), output: z.array(updateAttemptSchema).max(200) },
  /**
   * The whole history of the queue as a text, page by page: `after` is 0, then the last answer's `next`, until that is null. The texts one
   * after the other are the file: CSV (RFC 4180, with a byte order mark) or JSON.
   */
  'queue:export': {
    input: z.strictObject({ format: exportFormatSchema, after: count }),
    output: queueExportPageSchema,
  },
  /** Asks for a deleted user back (API v3 §4.8); one that waits already is the same one. Durable when it answers. */
  'user:restore': { input: z.strictObject({ userId: idSchema }), output: nothing },
  /** What became of the newest wish to restore this user; null when there is none. */
  'user:readRestoration': { input: z.strictObject({ userId: idSchema }), output: queuedUpdateSchema.nullable() },
  /** A page of the stock table, from this terminal's copy alone; null for a product that has gone since the view was opened. */
  'stock:browse': { input: stockPageInputSchema, output: z.strictObject({ ...stockViewFacts, rows: z.array(productHitSchema.nullable()).max(200) }) },
  /**
   * The whole table as a CSV text (RFC 4180, with a byte order mark), page by page: `after` is 0 without a `view`, then the last answer's
   * `next` and `view`, until `next` is null. Fails with `cancelled` when the view has been forgotten in between.
   */
  'stock:export': { input: stockExportInputSchema, output: stockExportPageSchema },
  /** What the allowance is used for, who waits for it, and its last ten minutes; nothing is sent for it. */
  'allowance:read': { input: nothing, output: allowanceReadingSchema },
  /** How old the parts of this terminal's copy are; nothing is sent for it. */
  'catalogue:readAge': { input: nothing, output: copyAgeSchema },
  /** Starts a new full listing now. */
  'catalogue:copy': { input: nothing, output: nothing },
  /** What the support technician asks first, read on this machine alone; the keychain answers or is given up within 3 s. */
  'support:diagnose': { input: nothing, output: diagnosticsSchema },
  /** Everything that helps to answer a question, in one text without secrets. */
  'support:readBundle': { input: nothing, output: supportBundleSchema },
  /** Opens what is locked, for as long as was chosen. Fails with `pinWrong` or `pinWaits`, which tell how long to wait. */
  'lock:unlock': { input: z.strictObject({ pin: pinSchema }), output: nothing },
  'lock:lockNow': { input: nothing, output: nothing },
  /** Sets, changes or removes the manager's PIN. Fails as `lock:unlock` does; with `locked` without the old one; with `signInNeeded` while nobody is signed in. */
  'lock:setPin': { input: setPinInputSchema, output: nothing },
  /** What is locked, and for how long a PIN opens it. */
  'lock:choose': { input: lockChoiceSchema, output: nothing },
  /** Who did what, newest first. */
  'audit:list': { input: auditPageInputSchema, output: auditPageSchema },
  /** All of it as a CSV text (RFC 4180, with a byte order mark), page by page as `queue:export`, oldest first. */
  'audit:export': { input: z.strictObject({ after: count }), output: auditExportPageSchema },
} as const satisfies Record<`${string}:${string}`, { input: z.ZodType; output: z.ZodType }>;

/** Every event that the main process may send; each payload is whole. */
export const events = {
  'terminal:changed': terminalStateSchema,
  /** A card that was lately answered has changed: a new figure, or its coupon's standing. */
  'product:changed': productCardSchema,
  /** How far the switching of many coupons is, after each slice of it. */
  'coupon:manyProgressed': manyProgressSchema,
  /** The queue's rows have changed; the payload says how often, so that a list knows to read again. */
  'queue:changed': z.strictObject({ revision: count }),
  /** The companion bar has been shown, or hidden: the next call begins with an empty field. For its own page alone. */
  'companion:changed': z.strictObject({ isShown: z.boolean() }),
} as const satisfies Record<`${string}:${string}`, z.ZodType>;

export type Channel = keyof typeof invokes;
export type EventName = keyof typeof events;
export type InvokeInput<Name extends Channel> = z.infer<(typeof invokes)[Name]['input']>;
export type InvokeOutput<Name extends Channel> = z.infer<(typeof invokes)[Name]['output']>;
export type EventPayload<Name extends EventName> = z.infer<(typeof events)[Name]>;
