import { z } from 'zod';
import { rateLimitReadingSchema } from './rate-limit.ts';
import { auditExportInputSchema, auditExportPageSchema, auditPageInputSchema, auditPageSchema } from './audit.ts';
import { count, idSchema, languageSchema, shortText } from './basics.ts';
import { stockExportInputSchema, stockExportPageSchema, stockPageInputSchema, stockPageSchema } from './browse.ts';
import {
  badgeMadeSchema,
  badgeScannedSchema,
  comeBackInputSchema,
  forgetCashierInputSchema,
  makeBadgeInputSchema,
  scanBadgeInputSchema,
  setOwnPinInputSchema,
} from './cashiers.ts';
import { isLikeBadge } from '../domain/codes/badge.ts';
import { companionHeightSchema } from './companion.ts';
import { connectionReportSchema } from './connection.ts';
import { copyAgeSchema } from './catalogue-age.ts';
import {
  couponSetsSchema,
  matchedSetCodesSchema,
  matchSetCodesSchema,
  namedSetSchema,
  momentKeySchema,
  plannedSchema,
  planCouponSetSchema,
  saveCouponSetSchema,
} from './coupon-sets.ts';
import {
  couponIdsInputSchema,
  couponIdsSchema,
  couponPageInputSchema,
  couponPageSchema,
  couponStateSchema,
  manyCountedSchema,
  manyCouponsSchema,
  manySwitchedSchema,
  manyTakenBackSchema,
  switchManySchema,
} from './coupons.ts';
import { listedFieldsSchema } from './fields.ts';
import { deviceStateSchema } from './device.ts';
import { expiringInputSchema, expiringPageSchema, expiryCoverageSchema } from './expiring.ts';
import { queueExportPageSchema, updateAttemptSchema } from './history.ts';
import { hubReadingSchema, hubReportSchema, joinHubSchema, maxTills } from './hub.ts';
import { heldKindSchema, lockChoiceSchema, pinSchema, setPinInputSchema } from './lock.ts';
import { labelChoicesSchema } from './label-choices.ts';
import { printLabelsSchema, printPageSchema } from './labels.ts';
import { maxChosen } from './limits/coupons.ts';
import { maxReadAtOnce } from './limits/labels.ts';
import { maxHits } from './limits/lookup.ts';
import { lookupAnswerSchema, recentLookupSchema } from './lookup.ts';
import { platformCheckSchema } from './platform-check.ts';
import { practicePanelSchema } from './practice.ts';
import { detailsInputSchema, keptDetailsSchema, productMovementsSchema, readBatchesSchema } from './details.ts';
import { productCardSchema, productHitSchema } from './products.ts';
import { profileIdSchema, profileNameSchema, profileSchema } from './profiles.ts';
import {
  manyUpdatesSchema,
  queueDaySchema,
  queuedUpdateSchema,
  queueIdsInputSchema,
  queueIdsSchema,
  queuePageInputSchema,
  queuePageSchema,
  updatesCountedSchema,
} from './queue.ts';
import { labelItemSchema } from './scan.ts';
import { maxPresentScanners, scannerDeviceSchema, scannerReadingSchema } from './scanner-device.ts';
import { settingSchemas } from './settings.ts';
import { foreseenListsSchema, listsFileSchema, listsTextSchema, takenListsSchema } from './shop-lists.ts';
import { leaveStationSchema, stationAnswerSchema } from './station.ts';
import {
  changedLineSchema,
  countedQuantitySchema,
  linesInputSchema,
  linesPageSchema,
  scanCountedSchema,
  startStocktakeSchema,
  stocktakeExportPageSchema,
  stocktakePageSchema,
  stocktakeSchema,
  takenBackSchema,
} from './stocktakes.ts';
import {
  diagnosticsSchema,
  openedFileSchema,
  openFileInputSchema,
  shopFileSchema,
  supportBundleSchema,
} from './support.ts';
import { terminalStateSchema } from './terminal-state.ts';
import { matchCodesSchema, matchedCodesSchema, setMinimaSchema } from './watch-list.ts';

const nothing = z.strictObject({});
const productKey = z.strictObject({ stockId: idSchema, productId: idSchema });
const setKey = z.strictObject({ setId: count });
const planKey = z.strictObject({ planId: count });
/** A badge's code is no product's, and must stand in no list. */
const scanText = z
  .string()
  .max(4096)
  .refine((text) => !isLikeBadge(text), 'no badge');
const stocktakeKey = z.strictObject({ stocktakeId: count });

/** Every call that the renderer may make. Each answers a Result whose failure is a Failure. */
export const invokes = {
  /** The state now; later changes come as `terminal:changed`. */
  'terminal:read': { input: nothing, output: terminalStateSchema },
  'notice:dismiss': { input: z.strictObject({ id: count }), output: nothing },
  /** A token for programs is taken away, and made by `localApi:makeToken` alone. */
  'settings:update': {
    input: z.strictObject({ ...settingSchemas, localApiTokenHash: z.null() }).partial(),
    output: nothing,
  },
  /** The scanners without a keyboard that are plugged in now. Fails with `notReady` where no device can be held. */
  'scanner:listDevices': { input: nothing, output: z.array(scannerDeviceSchema).max(maxPresentScanners) },
  /** Hides the companion bar and gives the keyboard back. Fails with `notReady` where there is no desktop. */
  'companion:hide': { input: nothing, output: nothing },
  /** Updates, the start at sign-in and the kiosk. These four fail with `notReady` where the app is not installed. */
  'device:read': { input: nothing, output: deviceStateSchema },
  'device:checkForUpdate': { input: nothing, output: deviceStateSchema },
  'device:setStartsAtSignIn': { input: z.strictObject({ isOn: z.boolean() }), output: nothing },
  /** Ends the app: the way out of a window that fills the screen. Of any other it fails with `notReady`. */
  'device:quit': { input: nothing, output: nothing },
  /** Makes the companion bar as tall as its page is now, in pixels of the page. Fails with `notReady` likewise. */
  'companion:fit': { input: companionHeightSchema, output: nothing },
  /**
   * Makes the token that programs bring to the loopback address, in place of the one before, and answers it this once.
   * Fails with `notReady` where the host has no such address.
   */
  'localApi:makeToken': { input: nothing, output: z.strictObject({ token: z.string().length(43) }) },
  /** Shows the window in the place of the companion bar, while that is shown. Fails with `notReady` likewise. */
  'window:show': { input: nothing, output: nothing },
  /** Opens the practice store and signs in there. */
  'practice:start': { input: nothing, output: nothing },
  /** Signs in to the practice store with the app's own sign-in. Fails with `notReady` unless it is open. */
  'practice:signIn': { input: nothing, output: nothing },
  /** Practises an outage. Fails with `notReady` unless the practice store is open. */
  'practice:setNetwork': { input: z.strictObject({ isDown: z.boolean() }), output: nothing },
  /**
   * Opens the practice platform's control panel in the system's browser, or answers where it is. Fails with `notReady`
   * likewise, and in a kiosk.
   */
  'practice:openPanel': { input: nothing, output: practicePanelSchema },
  /**
   * Tries the address without a sign-in; when it passes, keeps the profile, in the place of `profileId` if there is
   * one, and goes on to the sign-in screen, or past it if somebody is signed in at the same platform with the same
   * client. Without a secret the one is used that is kept for this platform and client. Fails with `profilesFull`, with
   * `profileTwice` where it would become another one that is kept, and with `vaultUnavailable`, `vaultLocked` or
   * `vaultMoved` where no secret can be had; with `cancelled` where somebody came, or a newer one waits.
   */
  'profile:connect': {
    input: profileSchema.extend({
      clientSecret: z.string().min(1).max(1000).optional(),
      name: profileNameSchema.optional(),
      profileId: profileIdSchema.optional(),
    }),
    output: connectionReportSchema,
  },
  /** Closes the present shop and opens another profile's; kept sign-ins stay. Fails with `notFoundHere`. */
  'profile:switch': { input: z.strictObject({ profileId: profileIdSchema }), output: nothing },
  'profile:rename': { input: z.strictObject({ profileId: profileIdSchema, name: profileNameSchema }), output: nothing },
  /**
   * Forgets a profile with its copy of the listing; updates of its company stay. The open one is signed out and closed
   * first, and the terminal is back at the ways in.
   */
  'profile:remove': { input: z.strictObject({ profileId: profileIdSchema }), output: nothing },
  /** Tests the present profile step by step, with the present sign-in. */
  'profile:test': { input: nothing, output: connectionReportSchema },
  /** Back to the ways in. Refused with `inputInvalid` while somebody is signed in. The shop's data stays. */
  'profile:leave': { input: nothing, output: nothing },
  /** Tests the hub at this address and, when that passes, joins it; nothing is kept otherwise. */
  'hub:join': { input: joinHubSchema, output: hubReportSchema },
  /** This terminal counts as alone from then on. */
  'hub:leave': { input: nothing, output: nothing },
  /** Tills that are silent are gone for good: their shares are the others'. */
  'hub:remove': { input: z.strictObject({ ids: z.array(shortText).min(1).max(maxTills) }), output: hubReportSchema },
  /** Fails with `notFoundHere` where there is none. */
  'hub:test': { input: nothing, output: hubReportSchema },
  /** How this terminal takes part in its shop's hub; nothing is sent for it. */
  'hub:read': { input: nothing, output: hubReadingSchema },
  /**
   * Signs in and tests company and stocks; somebody is signed in only when the report has passed. Fails with
   * `credentialsRejected` and the platform's reason. The secret is given only when it is needed.
   */
  'session:signIn': {
    input: z.strictObject({
      email: z.string().trim().min(1).max(320),
      password: z.string().min(1).max(1000),
      clientSecret: z.string().min(1).max(1000).optional(),
    }),
    output: connectionReportSchema,
  },
  /** Unsent updates stay in the queue and wait for their user. Fails with `signInNeeded` while the till is locked. */
  'session:signOut': { input: nothing, output: nothing },
  /**
   * Has the keychain keep the sign-in of whoever is signed in, where it does not yet; a PIN and a badge need that.
   * `nothingToKeep`: the platform gave none that can be kept. Fails with `vaultLocked`, `vaultMoved` or
   * `vaultUnavailable`; with `notReady` in practice.
   */
  'session:keep': { input: nothing, output: z.strictObject({ outcome: z.enum(['kept', 'nothingToKeep']) }) },
  /** Locks the till, if whoever is signed in has a PIN. */
  'cashier:lock': { input: nothing, output: nothing },
  /**
   * Goes on with the sign-in of this user, in the place of any other. Fails with `pinWrong` or `pinWaits`, which tell how
   * long to wait; with `signInNeeded` when the password is needed first.
   */
  'cashier:comeBack': { input: comeBackInputSchema, output: nothing },
  /**
   * Changes to the user whose badge was scanned. Fails with `badgeUnknown` or `badgeWaits`, which tell how long to wait;
   * with `badgeVoid` where it must be made anew, with `notReady` where no badge is taken.
   */
  'cashier:scanBadge': { input: scanBadgeInputSchema, output: badgeScannedSchema },
  /**
   * Makes a badge for whoever is signed in, and answers its code this once; the one before is void. Fails as
   * `cashier:comeBack` does; with `notReady` without a PIN, in practice, or where the manager allows none.
   */
  'cashier:makeBadge': { input: makeBadgeInputSchema, output: badgeMadeSchema },
  /** The badge of whoever is signed in, if there is one, is void. */
  'cashier:removeBadge': { input: nothing, output: nothing },
  /** Somebody has touched the page: the rest begins anew. */
  'cashier:noteActivity': { input: nothing, output: nothing },
  /**
   * Sets, changes or removes the PIN of whoever is signed in. Fails as `cashier:comeBack` does; with `vaultUnavailable`
   * where no keychain keeps the sign-in; with `notReady` in practice, or where the manager allows none; with `cancelled`
   * where another page has set or changed it meanwhile, or the manager has taken it away.
   */
  'cashier:setPin': { input: setOwnPinInputSchema, output: nothing },
  /** Takes a user's PIN and kept sign-in away. Fails with `notFoundHere`. */
  'cashier:forget': { input: forgetCashierInputSchema, output: nothing },
  /**
   * Answers from this terminal's copy alone, at once, and remembers it among the recent ones. `isAgain`: the answer is
   * on the screen and the copy has grown; it is no new lookup, and only corrects what the recent ones say of it.
   * `isChoosing`: all that a scale's label may mean, whatever was chosen for it; no new lookup either.
   * For a program the answer is a scan's, and nothing is remembered, turned away or asked of the platform.
   */
  'lookup:find': {
    input: z.strictObject({
      text: scanText,
      source: z.enum(['scan', 'typed', 'program']),
      isAgain: z.boolean().optional(),
      isChoosing: z.boolean().optional(),
    }),
    output: lookupAnswerSchema,
  },
  /**
   * A person has chosen this product for a scale's label. It is remembered for such labels if somebody is signed in,
   * which the answer says. Fails with `notFoundHere` when the label does not lead to it.
   */
  'lookup:choose': { input: z.strictObject({ text: scanText, productId: idSchema }), output: lookupAnswerSchema },
  /** The choices made for the labels of scales in this profile's stocks, the newest first. */
  'labelChoice:list': { input: nothing, output: labelChoicesSchema },
  /** Such labels are asked about again. */
  'labelChoice:forget': { input: labelItemSchema, output: nothing },
  /** Asks the platform for a code that the copy does not have. */
  'lookup:ask': { input: z.strictObject({ text: scanText }), output: lookupAnswerSchema },
  /** As-you-type search in the copy. */
  'lookup:search': {
    input: z.strictObject({ text: scanText, limit: z.number().int().min(1).max(50) }),
    output: z.array(productHitSchema),
  },
  /** Products of the copy that a text with a slip or two may have meant; the next lookup turns it away. */
  'lookup:findSimilar': { input: z.strictObject({ text: scanText }), output: z.array(productHitSchema).max(maxHits) },
  /** Forgets the newest lookup if it was of this text, which was a part of another scan. */
  'lookup:withdraw': { input: z.strictObject({ text: scanText }), output: nothing },
  'lookup:listRecent': { input: nothing, output: z.array(recentLookupSchema).max(100) },
  /**
   * `isOpened`: a person has opened it from a list, and it joins the recent lookups; `text`: what named several of which
   * it was chosen, and whose place it takes.
   */
  'product:read': {
    input: productKey.extend({ isOpened: z.boolean().optional(), text: shortText.optional() }),
    output: productCardSchema,
  },
  /** The same for many, in their order, for their labels; null for a product that the copy does not have. */
  'product:readMany': {
    input: z.strictObject({ places: z.array(productKey).min(1).max(maxReadAtOnce) }),
    output: z.array(productCardSchema.nullable()).max(maxReadAtOnce),
  },
  /** Reads the balance from the platform (API v3 §4.4) and answers the card with it. */
  'product:refresh': { input: productKey, output: productCardSchema },
  /** Reads entries, exits and what is left (API v3 §4.4); the next lookup turns it away. */
  'product:readMovements': { input: detailsInputSchema, output: productMovementsSchema },
  /** Reads the entry batches (API v3 §4.5); the next lookup turns it away. */
  'product:readBatches': { input: detailsInputSchema, output: readBatchesSchema },
  /** The last answers of these two about all options together, from this terminal alone. */
  'product:readKept': { input: productKey, output: keptDetailsSchema },
  /**
   * Durable when it answers. A program's needs a product of this terminal's copy, or fails with `notFoundHere`, and
   * takes no
   * unlocking that a person has made: it fails with `locked`. What is so already is not asked for again.
   */
  'coupon:switch': {
    input: z.strictObject({ productId: idSchema, isEnabled: z.boolean(), source: z.literal('program').optional() }),
    output: couponStateSchema,
  },
  /** In the order of the products' names, from this terminal alone. */
  'coupon:list': { input: couponPageInputSchema, output: couponPageSchema },
  /** The same, but the ids alone: for choosing many. */
  'coupon:listIds': { input: couponIdsInputSchema, output: couponIdsSchema },
  /** The effect of switching these, before it is done. */
  'coupon:countMany': { input: manyCouponsSchema, output: manyCountedSchema },
  /**
   * Durable when it answers, as far as it says. Fails with `queueFull` and nothing done without the room that it needs,
   * and with `signInNeeded` for another user than it was counted for.
   */
  'coupon:switchMany': { input: switchManySchema, output: manySwitchedSchema },
  /** Takes back what was asked for within the last minute and has not been sent. Fails with `notFoundHere`. */
  'coupon:undoMany': { input: manyUpdatesSchema.extend({ isLast: z.boolean() }), output: manyTakenBackSchema },
  /** Reads the settings from the platform (API v3 §4.6). */
  'coupon:refresh': { input: nothing, output: nothing },
  /** The saved choices of this company, by name, with their plans. */
  'couponSet:list': { input: nothing, output: couponSetsSchema },
  /**
   * All of the set's coupons now. Fails with `notFoundHere`, and where not all that its search finds can be known or
   * switched, with `notCopied`, `otherStocks` or `setNotWhole`.
   */
  'couponSet:read': { input: setKey, output: z.strictObject({ productIds: z.array(idSchema).max(maxChosen) }) },
  /** Fails with `inputInvalid` where there are as many as there may be, and with `notFoundHere`. */
  'couponSet:save': { input: saveCouponSetSchema, output: namedSetSchema },
  /** Which products the codes, or ids, of a file name, whatever stock has them. Fails with `notReady`. */
  'couponSet:match': { input: matchSetCodesSchema, output: matchedSetCodesSchema },
  /** With its plans; what they made before stays. The calls on a set or plan that is gone fail with `notFoundHere`. */
  'couponSet:remove': { input: setKey, output: namedSetSchema },
  /**
   * Has this terminal switch the set at these times, as the user who asks for it. Fails with `inputInvalid` where one of
   * them is over, and with `plansFull`.
   */
  'couponSet:plan': { input: planCouponSetSchema, output: namedSetSchema },
  'couponSet:removePlan': { input: planKey, output: namedSetSchema },
  /** The moments of plans that are to come, were lately, or were missed. */
  'couponSet:listPlanned': { input: nothing, output: plannedSchema },
  /** Leaves the next moment of a plan out, or no longer. Fails with `inputInvalid` for any other. */
  'couponSet:skip': { input: momentKeySchema.extend({ isSkipped: z.boolean() }), output: namedSetSchema },
  /** A person has been told what this plan has missed. */
  'couponSet:leaveMissed': { input: planKey, output: namedSetSchema },
  /**
   * This till's minimums, sets and plans as a file for the shop's other tills; its plans are shared from then on. Fails
   * with `inputInvalid` where there are too many for one file, or one is damaged so that no till could read it.
   */
  'shopLists:export': { input: nothing, output: listsFileSchema },
  /** What such a file would change here; nothing is changed. */
  'shopLists:foresee': { input: listsTextSchema, output: foreseenListsSchema },
  /**
   * Has this till have what the file says and no more; the plans that come are those of the user who takes it. Fails
   * with `inputInvalid` for a file that cannot be taken, and with `plansFull`.
   */
  'shopLists:take': { input: listsTextSchema, output: takenListsSchema },
  /** Newest first. */
  'queue:list': { input: queuePageInputSchema, output: queuePageSchema },
  'queue:listIds': { input: queueIdsInputSchema, output: queueIdsSchema },
  /** Counts how many of these updates can be retried or given up now. */
  'queue:countMany': { input: manyUpdatesSchema, output: updatesCountedSchema },
  /** As `queue:retry` does each; answers how many. */
  'queue:retryMany': { input: manyUpdatesSchema, output: z.strictObject({ retried: count }) },
  /** As `queue:discard` does each; answers which. */
  'queue:discardMany': { input: manyUpdatesSchema, output: manyUpdatesSchema.extend({ updateIds: z.array(count) }) },
  /**
   * Takes back the giving up of updates within the last minute, unless something newer was asked for; answers how many.
   */
  'queue:bringBack': { input: manyUpdatesSchema, output: z.strictObject({ broughtBack: count }) },
  /** The last 24 hours by the shop's clock. */
  'queue:readDay': { input: nothing, output: queueDaySchema },
  /** A parked update goes back to pending ("keep mine" for a conflict). */
  'queue:retry': { input: z.strictObject({ updateId: count }), output: nothing },
  /** A parked or pending update is given up ("keep theirs" for a conflict). */
  'queue:discard': { input: z.strictObject({ updateId: count }), output: nothing },
  /** Each attempt at an update with its outcome, oldest first. Fails with `notFoundHere`. */
  'queue:history': { input: z.strictObject({ updateId: count }), output: z.array(updateAttemptSchema).max(200) },
  /**
   * The whole history of the queue for a file: `after` is 0, then the last answer's `next`, until that is null.
   */
  'queue:export': { input: z.strictObject({ after: count }), output: queueExportPageSchema },
  /** Asks for a deleted user back (API v3 §4.8); one that waits already is the same one. Durable when it answers. */
  'user:restore': { input: z.strictObject({ userId: idSchema }), output: nothing },
  /** The newest wish to restore this user, and its outcome; null when there is none. */
  'user:readRestoration': { input: z.strictObject({ userId: idSchema }), output: queuedUpdateSchema.nullable() },
  /** A page of the stock table, from this terminal's copy alone. */
  'stock:browse': { input: stockPageInputSchema, output: stockPageSchema },
  /**
   * The whole table for a file: `after` is 0 without a `view`, then the last answer's `next` and `view`, until `next` is
   * null. Fails with `cancelled` when the view has been forgotten in between.
   */
  'stock:export': { input: stockExportInputSchema, output: stockExportPageSchema },
  /** Batches that expire, of the products whose batches this terminal has been told; nothing is sent for it. */
  'expiring:list': { input: expiringInputSchema, output: expiringPageSchema },
  /** Of how much of the stock that list speaks, and when more is asked for; nothing is sent for it. */
  'expiring:readCoverage': { input: nothing, output: expiryCoverageSchema },
  /** The counts of this platform and company, those that are open first, then the newest. */
  'stocktake:list': {
    input: z.strictObject({ offset: count, limit: z.number().int().min(1).max(200) }),
    output: stocktakePageSchema,
  },
  /**
   * Begins a count, with the products of its filter as lines. Fails with `stocktakeFull`, with `inputInvalid` for a stock
   * that the open profile does not have, and with `notCopied` until that stock was copied once; nothing is begun then.
   */
  'stocktake:start': { input: startStocktakeSchema, output: stocktakeSchema },
  /** Fails with `notFoundHere`, as all calls about one count do. */
  'stocktake:read': { input: stocktakeKey, output: stocktakeSchema },
  /** All lines, page by page: `after` is 0, then the last answer's `next`, until that is null. */
  'stocktake:export': { input: stocktakeKey.extend({ after: count }), output: stocktakeExportPageSchema },
  'stocktake:listLines': { input: linesInputSchema, output: linesPageSchema },
  /**
   * Adds what was scanned to an open count, with the copy's figure as it is now; durable when it answers. A scan that
   * names no product is a line of its own; what was typed must name one. It is no lookup, and joins no recent ones. Fails
   * with `notCopied` while a copy of its stock that was begun anew is not whole. `instead` as for `stocktake:add`.
   */
  'stocktake:scan': {
    input: stocktakeKey.extend({ text: scanText, source: z.enum(['scan', 'typed']), instead: count.optional() }),
    output: scanCountedSchema,
  },
  /** The same for a product that a person has chosen; `instead` of a line of a code, which is taken out, for all of it. */
  'stocktake:add': {
    input: stocktakeKey.extend({ productId: idSchema, instead: count.optional() }),
    output: scanCountedSchema,
  },
  /** Sets the quantity of a line, or takes the line out; durable when it answers. */
  'stocktake:setQuantity': {
    input: stocktakeKey.extend({ lineId: count, quantity: countedQuantitySchema }),
    output: changedLineSchema,
  },
  /**
   * Takes back a step of an open count while its line shows it: one that the page shows by its number, or the last scan of
   * a text. Null, for a page that shows none, takes nothing back.
   */
  'stocktake:undo': {
    input: stocktakeKey.extend({ step: z.union([count, scanText]).nullable() }),
    output: takenBackSchema,
  },
  /** A closed count takes nothing in until it is opened again. */
  'stocktake:setClosed': { input: stocktakeKey.extend({ isClosed: z.boolean() }), output: stocktakeSchema },
  /** Answers what was deleted. */
  'stocktake:delete': { input: stocktakeKey, output: stocktakeSchema },
  /**
   * Sets minimums, or takes them off; durable when it answers. Answers how many were kept: products that the copy does
   * not have are left out.
   */
  'watchList:set': { input: setMinimaSchema, output: z.strictObject({ kept: count }) },
  /** Which products the codes of a file name, from this terminal's copy alone: by product code, else by barcode. */
  'watchList:match': { input: matchCodesSchema, output: matchedCodesSchema },
  /**
   * Answers a customer's code from this terminal's copy alone; nothing is remembered or asked of the platform. Fails
   * with `notReady` unless the check station is on.
   */
  'station:find': { input: z.strictObject({ text: scanText }), output: stationAnswerSchema },
  /** Switches the check station off. Fails as `lock:unlock` does, and as `station:find`. */
  'station:leave': { input: leaveStationSchema, output: nothing },
  /**
   * Hands labels to the printer of the settings, which takes commands; answers when it took all of them. Fails with
   * `printerUnreachable`, nothing sent; with `printerFailed`, or `cancelled` by `label:stop`, and how many came out is then
   * unknown; with `printerBusy` during another call; with `notReady` where no such printer is chosen.
   */
  'label:print': { input: printLabelsSchema, output: nothing },
  /** Breaks off what is being handed to the printer. */
  'label:stop': { input: nothing, output: nothing },
  /** The names of the system's printers. Fails with `notReady` where pages cannot be printed silently. */
  'printer:list': { input: nothing, output: z.array(shortText).max(200) },
  /**
   * Prints what the window shows on paper, without a dialog: labels, which name their paper, on the system's printer of the
   * settings, and at a kiosk anything, on its usual printer. False where the system's dialog is to ask. Fails with
   * `printerFailed`, and on the usual printer with `notPrinted`.
   */
  'printer:printPage': { input: printPageSchema, output: z.strictObject({ isPrinted: z.boolean() }) },
  /** The use of the rate limit, who waits for it, and its last ten minutes; nothing is sent for it. */
  'rateLimit:read': { input: nothing, output: rateLimitReadingSchema },
  /** How old the parts of this terminal's copy are; nothing is sent for it. */
  'catalogue:readAge': { input: nothing, output: copyAgeSchema },
  /** Which fields the platform's listing carries, by this terminal's copy alone. */
  'catalogue:listFields': { input: nothing, output: listedFieldsSchema },
  /** Starts a new full listing now. */
  'catalogue:copy': { input: nothing, output: nothing },
  /** Answers a technician's first questions from this machine alone; the keychain is given up after 3 s. */
  'support:diagnose': { input: nothing, output: diagnosticsSchema },
  /** Everything that helps to answer a question, in one text without secrets. Fails with `cancelled` while one is made. */
  'support:readBundle': { input: nothing, output: supportBundleSchema },
  /**
   * Judges the open shop's platform by API v3 with the sign-in that is here: by reading alone, with at most half of the
   * limit, and after everybody else. Nothing happens while that goes on already.
   */
  'platformCheck:start': { input: nothing, output: nothing },
  /** Ends it; nothing is left of it. */
  'platformCheck:stop': { input: nothing, output: nothing },
  /** How far it is, or what was found last at this shop since it was opened. */
  'platformCheck:read': { input: z.strictObject({ language: languageSchema }), output: platformCheckSchema },
  /**
   * A provisioning file that sets another terminal up as this one; secrets are left empty in it. Fails with
   * `notFoundHere` where there is no profile.
   */
  'provisioning:export': { input: nothing, output: shopFileSchema },
  /**
   * Sets this terminal up by a provisioning file, unless something is wrong with it. Fails with `notReady` once a shop
   * has been set up: the file may say who signs this terminal's updates.
   */
  'provisioning:open': { input: openFileInputSchema, output: openedFileSchema },
  /** Reads the shop's file at its address now. Fails with `notReady` where nobody has named one. */
  'provisioning:readAgain': { input: nothing, output: nothing },
  /**
   * Opens this kind, for as long as was chosen; what is always held for one action, the list for two minutes. Fails with `pinWrong` or `pinWaits`, which tell how long to wait.
   */
  'lock:unlock': { input: z.strictObject({ pin: pinSchema, opens: heldKindSchema }), output: nothing },
  /** A person locks it; or, of what a PIN has `opened` alone, the page whose question for it had gone. */
  'lock:lockNow': { input: z.strictObject({ opened: heldKindSchema.optional() }), output: nothing },
  /**
   * Sets, changes or removes the manager's PIN. Fails as `lock:unlock` does; with `locked` without the old one; with
   * `signInNeeded` while nobody is signed in.
   */
  'lock:setPin': { input: setPinInputSchema, output: nothing },
  /** Sets which kinds are locked, and for how long a PIN opens them. */
  'lock:choose': { input: lockChoiceSchema, output: nothing },
  /** Who did what, newest first. */
  'audit:list': { input: auditPageInputSchema, output: auditPageSchema },
  /** The entries that fit for a file, as `queue:export`, oldest first. */
  'audit:export': { input: auditExportInputSchema, output: auditExportPageSchema },
} as const satisfies Record<`${string}:${string}`, { input: z.ZodType; output: z.ZodType }>;

/** Every event that the main process may send; each payload is whole. */
export const events = {
  'terminal:changed': terminalStateSchema,
  /** A card that was lately answered has changed: a new figure, or its coupon's status. */
  'product:changed': productCardSchema,
  /** Updates have changed: whatever lists them reads again. The revision is that of the snapshot sent before it. */
  'queue:changed': z.strictObject({ revision: count }),
  /** Updates, confirmed settings or minimums have changed, likewise; so has what cards show of them. */
  'coupon:changed': z.strictObject({ revision: count }),
  /** A scanner without a keyboard has read something: for the companion bar while it is shown, else the window. */
  'scanner:read': scannerReadingSchema,
  /**
   * A link that another program opened: it asks to look a code up, or to switch the coupon of what this text means as a
   * scan, or is none that is known. For the window's page alone, which asks the person of the last two.
   */
  'link:opened': z.discriminatedUnion('kind', [
    z.strictObject({ kind: z.literal('lookup'), code: scanText }),
    z.strictObject({ kind: z.literal('coupon'), product: scanText, isEnabled: z.boolean() }),
    z.strictObject({ kind: z.literal('refused') }),
  ]),
  /** The companion bar has been shown, or hidden: the next call begins with an empty field. For its own page alone. */
  'companion:changed': z.strictObject({ isShown: z.boolean() }),
} as const satisfies Record<`${string}:${string}`, z.ZodType>;

export type Channel = keyof typeof invokes;
export type EventName = keyof typeof events;
export type InvokeInput<Name extends Channel> = z.infer<(typeof invokes)[Name]['input']>;
export type InvokeOutput<Name extends Channel> = z.infer<(typeof invokes)[Name]['output']>;
export type EventPayload<Name extends EventName> = z.infer<(typeof events)[Name]>;
