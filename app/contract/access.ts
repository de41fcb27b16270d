// Who may call what: a row a call, and one function, before everything that a page, the companion bar, a program, a link
// or a start asks for. It needs no zod, so that the page can tell what would be refused.
//
//   A1  A row says who must stand there, what of the manager's lock it belongs to, and whether the check station answers
//       it. What a row does not say is strict: the manager, and not at the station.
//   A2  `managesShop` is what a shop has of its own: settings, list, PIN, tokens. It is whoever is signed in at an open
//       shop; practice's are its own, and its profiles' are the terminal's. `manager` is what belongs to the machine:
//       profiles, hub, provisioning, updates. It is whoever is signed in at a profile: practice signs everybody in.
//   A3  While no profile exists there is nothing to guard but the PIN: whoever stands there may do everything.
//   A4  What the lock holds asks for the PIN of whoever may call it; a PIN stands in for no sign-in.
//   A5  In practice the lock is practice's own. What is no shop's (`nobody` and `manager`) and is held by the
//       terminal's lock is refused there: the terminal's PIN is asked for outside of practice alone.
//   A6  What is `nobody`'s could be asked for without end at a locked till, and whoever comes back would wait behind all
//       of it. Of each such call ten are under way at most, and more fail with `cancelled`; of what the check station
//       answers there is no such bound, nor of `looksUp`: a page looks many codes up at a time, and without a sign-in
//       nothing is sent for it.
import type { Channel, EventName, InvokeInput } from './contract.ts';
import { lockKinds } from './limits/lock.ts';
import type { HeldKind, LockState } from './lock.ts';
import type { TerminalState } from './terminal-state.ts';

/** `looksUp`: whoever stands there where the copy answers everybody. Each may do what those before may. */
export const accessLevels = ['nobody', 'looksUp', 'signedIn', 'managesShop', 'manager'] as const;
export type AccessLevel = (typeof accessLevels)[number];

interface Row {
  readonly who?: AccessLevel;
  readonly lock: HeldKind | 'none';
  readonly station?: 'answered';
}

/** Calls whose answer depends on the input have the strict row here, and another one in `milderRows`. */
export const accessRows = {
  'terminal:read': { who: 'nobody', lock: 'none', station: 'answered' },
  'notice:dismiss': { who: 'nobody', lock: 'none' },
  'settings:update': { who: 'managesShop', lock: 'settings' },
  'scanner:listDevices': { who: 'managesShop', lock: 'none' },
  'companion:hide': { who: 'nobody', lock: 'none' },
  'device:read': { who: 'nobody', lock: 'none' },
  'device:checkForUpdate': { lock: 'updates' },
  'device:setStartsAtSignIn': { lock: 'settings' },
  'device:quit': { who: 'nobody', lock: 'closing' },
  'companion:fit': { who: 'nobody', lock: 'none' },
  'localApi:makeToken': { who: 'managesShop', lock: 'tokens' },
  'window:show': { who: 'nobody', lock: 'none' },
  'practice:start': { who: 'nobody', lock: 'none' },
  'practice:signIn': { who: 'nobody', lock: 'none' },
  'practice:setNetwork': { who: 'nobody', lock: 'none' },
  'practice:openPanel': { who: 'nobody', lock: 'none' },
  'profile:connect': { who: 'nobody', lock: 'settings' },
  'profile:switch': { who: 'nobody', lock: 'none' },
  'profile:rename': { lock: 'settings' },
  'profile:remove': { lock: 'settings' },
  'profile:test': { who: 'signedIn', lock: 'none' },
  'profile:leave': { who: 'nobody', lock: 'none' },
  'hub:join': { lock: 'settings' },
  'hub:leave': { lock: 'settings' },
  'hub:remove': { who: 'signedIn', lock: 'settings' },
  'hub:test': { lock: 'none' },
  'hub:read': { who: 'signedIn', lock: 'none' },
  'session:signIn': { who: 'nobody', lock: 'none' },
  'session:signOut': { who: 'nobody', lock: 'none' },
  'session:keep': { who: 'signedIn', lock: 'none' },
  'cashier:lock': { who: 'signedIn', lock: 'none' },
  'cashier:comeBack': { who: 'nobody', lock: 'none' },
  'cashier:scanBadge': { who: 'nobody', lock: 'none' },
  'cashier:makeBadge': { who: 'signedIn', lock: 'none' },
  'cashier:removeBadge': { who: 'signedIn', lock: 'none' },
  'cashier:noteActivity': { who: 'nobody', lock: 'none' },
  'cashier:setPin': { who: 'signedIn', lock: 'none' },
  'cashier:forget': { who: 'signedIn', lock: 'settings' },
  'lookup:find': { who: 'looksUp', lock: 'none' },
  'lookup:choose': { who: 'looksUp', lock: 'none' },
  'labelChoice:list': { who: 'signedIn', lock: 'none' },
  'labelChoice:forget': { who: 'signedIn', lock: 'none' },
  'lookup:ask': { who: 'signedIn', lock: 'none' },
  'lookup:search': { who: 'looksUp', lock: 'none' },
  'lookup:findSimilar': { who: 'looksUp', lock: 'none' },
  'lookup:withdraw': { who: 'looksUp', lock: 'none' },
  'lookup:listRecent': { who: 'looksUp', lock: 'none' },
  'product:read': { who: 'looksUp', lock: 'none' },
  'product:readMany': { who: 'looksUp', lock: 'none' },
  'product:refresh': { who: 'signedIn', lock: 'none' },
  'product:readMovements': { who: 'signedIn', lock: 'none' },
  'product:readBatches': { who: 'signedIn', lock: 'none' },
  'product:readKept': { who: 'looksUp', lock: 'none' },
  'coupon:switch': { who: 'signedIn', lock: 'coupons' },
  'coupon:list': { who: 'signedIn', lock: 'none' },
  'coupon:listIds': { who: 'signedIn', lock: 'none' },
  'coupon:countMany': { who: 'signedIn', lock: 'none' },
  'coupon:switchMany': { who: 'signedIn', lock: 'coupons' },
  'coupon:undoMany': { who: 'signedIn', lock: 'none' },
  'coupon:refresh': { who: 'signedIn', lock: 'none' },
  'couponSet:list': { who: 'signedIn', lock: 'none' },
  'couponSet:read': { who: 'signedIn', lock: 'none' },
  'couponSet:save': { who: 'signedIn', lock: 'coupons' },
  'couponSet:match': { who: 'signedIn', lock: 'none' },
  'couponSet:remove': { who: 'signedIn', lock: 'coupons' },
  'couponSet:plan': { who: 'signedIn', lock: 'coupons' },
  'couponSet:removePlan': { who: 'signedIn', lock: 'coupons' },
  'couponSet:listPlanned': { who: 'signedIn', lock: 'none' },
  'couponSet:skip': { who: 'signedIn', lock: 'coupons' },
  'couponSet:leaveMissed': { who: 'signedIn', lock: 'none' },
  'shopLists:export': { who: 'managesShop', lock: 'provisioning' },
  'shopLists:foresee': { who: 'managesShop', lock: 'none' },
  'shopLists:take': { who: 'managesShop', lock: 'provisioning' },
  'queue:list': { who: 'signedIn', lock: 'none' },
  'queue:listIds': { who: 'signedIn', lock: 'none' },
  'queue:countMany': { who: 'signedIn', lock: 'none' },
  'queue:retryMany': { who: 'signedIn', lock: 'coupons' },
  'queue:discardMany': { who: 'signedIn', lock: 'discarding' },
  'queue:bringBack': { who: 'signedIn', lock: 'none' },
  'queue:readDay': { who: 'signedIn', lock: 'none' },
  'queue:retry': { who: 'signedIn', lock: 'coupons' },
  'queue:discard': { who: 'signedIn', lock: 'discarding' },
  'queue:history': { who: 'signedIn', lock: 'none' },
  'queue:export': { who: 'signedIn', lock: 'none' },
  'user:restore': { who: 'signedIn', lock: 'users' },
  'user:readRestoration': { who: 'signedIn', lock: 'none' },
  'stock:browse': { who: 'looksUp', lock: 'none' },
  'stock:export': { who: 'signedIn', lock: 'none' },
  'expiring:list': { who: 'looksUp', lock: 'none' },
  'expiring:readCoverage': { who: 'looksUp', lock: 'none' },
  'stocktake:list': { who: 'signedIn', lock: 'none' },
  'stocktake:start': { who: 'signedIn', lock: 'none' },
  'stocktake:read': { who: 'signedIn', lock: 'none' },
  'stocktake:export': { who: 'signedIn', lock: 'none' },
  'stocktake:listLines': { who: 'signedIn', lock: 'none' },
  'stocktake:scan': { who: 'signedIn', lock: 'none' },
  'stocktake:add': { who: 'signedIn', lock: 'none' },
  'stocktake:setQuantity': { who: 'signedIn', lock: 'none' },
  'stocktake:undo': { who: 'signedIn', lock: 'none' },
  'stocktake:setClosed': { who: 'signedIn', lock: 'none' },
  'stocktake:delete': { who: 'signedIn', lock: 'discarding' },
  'watchList:set': { who: 'signedIn', lock: 'settings' },
  'watchList:match': { who: 'signedIn', lock: 'none' },
  'station:find': { who: 'nobody', lock: 'none', station: 'answered' },
  'station:leave': { who: 'nobody', lock: 'none', station: 'answered' },
  'label:print': { who: 'looksUp', lock: 'none' },
  'label:stop': { who: 'looksUp', lock: 'none' },
  'printer:list': { who: 'managesShop', lock: 'none' },
  'printer:printPage': { who: 'looksUp', lock: 'none' },
  'rateLimit:read': { who: 'signedIn', lock: 'none' },
  'catalogue:readAge': { who: 'signedIn', lock: 'none' },
  'catalogue:listFields': { who: 'signedIn', lock: 'none' },
  'catalogue:copy': { who: 'signedIn', lock: 'none' },
  'support:diagnose': { who: 'nobody', lock: 'none' },
  'support:readBundle': { who: 'nobody', lock: 'none' },
  'platformCheck:start': { who: 'managesShop', lock: 'settings' },
  'platformCheck:stop': { who: 'signedIn', lock: 'none' },
  'platformCheck:read': { who: 'managesShop', lock: 'none' },
  'provisioning:export': { lock: 'provisioning' },
  'provisioning:open': { lock: 'provisioning' },
  // It only reads earlier what is read by itself, and may mend what nobody can sign in at.
  'provisioning:readAgain': { who: 'nobody', lock: 'none' },
  'lock:unlock': { who: 'nobody', lock: 'none' },
  'lock:lockNow': { who: 'nobody', lock: 'none' },
  'lock:setPin': { who: 'managesShop', lock: 'none' },
  'lock:choose': { who: 'managesShop', lock: 'lock' },
  'audit:list': { who: 'managesShop', lock: 'audit' },
  'audit:export': { who: 'managesShop', lock: 'audit' },
} as const satisfies Record<Channel, Row>;

/**
 * Settings of a person's own eyes and hands are anybody's. Trying again sends only what was let through once, unless it
 * takes the place of what somebody else has set since.
 */
export const milderRows: Partial<Record<Channel, Row>> = {
  'settings:update': { who: 'nobody', lock: 'none' },
  'queue:retry': { who: 'signedIn', lock: 'none' },
  'queue:retryMany': { who: 'signedIn', lock: 'none' },
};

type SettingsField = keyof InvokeInput<'settings:update'>;

/** Settings for a person's own eyes and hands; one that changes how the terminal works is none. */
const freeSettings = [
  'language',
  'theme',
  'textSize',
  'shelfLabel',
  'fileKind',
  'isTourSeen',
  'sounds',
] as const satisfies readonly SettingsField[];
/** A setting that is the terminal's, and whose changes are in the list of who did what. */
export type LockedSetting = Exclude<SettingsField, (typeof freeSettings)[number]>;

/** Whether anybody may change the setting at any time. */
export function isFreeSetting(field: string): boolean {
  return freeSettings.some((free) => free === field);
}

/** A call as it is judged. */
export interface Call {
  readonly channel: Channel;
  /** Whether the row for less holds: see `milderRows`. */
  readonly isMild: boolean;
}

/** The updates that the call would try again. */
function triedAgain(input: Readonly<Record<string, unknown>>): readonly number[] {
  const { updateId, updateIds } = input as { readonly updateId?: number; readonly updateIds?: readonly number[] };
  return updateIds ?? (updateId === undefined ? [] : [updateId]);
}

/** How a call with this input is judged; `overwrites`: one of these updates would take the place of somebody else's. */
export function callOf(channel: Channel, input: object, overwrites: (updateIds: readonly number[]) => boolean): Call {
  if (channel === 'settings:update') {
    return { channel, isMild: Object.keys(input).every(isFreeSetting) };
  }
  const isRetry = channel === 'queue:retry' || channel === 'queue:retryMany';
  return { channel, isMild: isRetry && !overwrites(triedAgain(input as Readonly<Record<string, unknown>>)) };
}

function rowOf({ channel, isMild }: Call): Row {
  return (isMild ? milderRows[channel] : undefined) ?? accessRows[channel];
}

/** The kind of lock that the call belongs to. */
export function lockOf(call: Call): HeldKind | 'none' {
  return rowOf(call).lock;
}

/** Who must stand at the screen for the call. */
export function whoOf(call: Call): AccessLevel {
  return rowOf(call).who ?? 'manager';
}

/** Whether no more than so many of the call may be under way (A6); a person never has so many. */
export const isBounded = (call: Call): boolean => whoOf(call) === 'nobody' && rowOf(call).station === undefined;
export const maxUnderWay = 10;

/** Calls that a screen makes slice by slice for one action of a person: one unlocking covers them all. */
export const slicedChannels: ReadonlySet<Channel> = new Set<Channel>([
  'coupon:switchMany',
  'queue:discardMany',
  'queue:retryMany',
  'watchList:set',
]);

/** `nobody`: no sign-in, or a till that is locked over one. */
export type Person = 'nobody' | 'signedIn';

/** The shop that is open, and the others that there are. */
export interface ShopFacts {
  readonly open: 'none' | 'practice' | 'profile';
  readonly profiles: number;
  /** Whether its copy answers codes while nobody is signed in. */
  readonly answersNobody: boolean;
}

/** How the lock stands for this call. */
export interface LockFacts extends Pick<LockState, 'hasPin' | 'kinds'> {
  /** The kinds that a PIN has opened. */
  readonly open: readonly HeldKind[];
  /** The terminal's lock, which is another one in practice. */
  readonly terminal: Pick<LockState, 'hasPin' | 'kinds'>;
}

/** The gate's answer: the call is made, or fails so. */
export type Verdict = 'passes' | 'signInNeeded' | 'notInPractice' | 'locked';

/** As whom somebody is signed in; while a shop is changed the screen that asked for it stays, and nothing is open. */
// mutant: the sign-in of practice opens what belongs to the terminal
// mutant: settings can be changed while a shop is changed
const managed = { none: 'signedIn', practice: 'managesShop', profile: 'manager' } as const;

/** As whom somebody stands there. */
export function accessLevelOf(person: Person, shop: ShopFacts): AccessLevel {
  const { open, profiles } = shop;
  // mutant: the first screen gives everything though a profile exists
  if (profiles === 0 && open !== 'profile') {
    return 'manager'; // A3
  }
  if (person === 'signedIn') {
    return managed[open]; // A2
  }
  return open === 'profile' && shop.answersNobody ? 'looksUp' : 'nobody';
}

/** Whether the PIN holds calls of this kind, opened or not. */
export function isHeld({ hasPin, kinds }: Pick<LockFacts, 'hasPin' | 'kinds'>, kind: HeldKind | 'none'): boolean {
  const choosable = lockKinds.find((one) => one === kind);
  return hasPin && kind !== 'none' && (choosable === undefined || kinds.includes(choosable));
}

/** Whether the call is about nothing that a shop has of its own, whichever is open. */
export function isOfMachine(call: Call): boolean {
  const who = whoOf(call);
  return who === 'nobody' || who === 'manager';
}

/** The kind of lock that the call belongs to at the shop that is open (A5). */
export function ownLockOf(call: Call, { open }: Pick<ShopFacts, 'open'>): HeldKind | 'none' {
  return open === 'practice' && isOfMachine(call) ? 'none' : lockOf(call);
}

/** Whether the call is made; else how it fails. */
export function mayCall(call: Call, person: Person, shop: ShopFacts, lock: LockFacts, isStationOn: boolean): Verdict {
  if (isStationOn) {
    return rowOf(call).station === 'answered' ? 'passes' : 'locked';
  }
  const isPractising = shop.open === 'practice';
  if (accessLevels.indexOf(accessLevelOf(person, shop)) < accessLevels.indexOf(whoOf(call))) {
    return isPractising && person === 'signedIn' ? 'notInPractice' : 'signInNeeded';
  }
  if (isPractising && isOfMachine(call) && isHeld(lock.terminal, lockOf(call))) {
    // mutant: what the PIN of the terminal holds passes in practice
    return 'notInPractice'; // A5
  }
  const kind = ownLockOf(call, shop);
  return kind === 'none' || !isHeld(lock, kind) || lock.open.includes(kind) ? 'passes' : 'locked'; // A4
}

/** Whether a shop's copy answers codes while nobody is signed in. */
export function doesAnswerNobody(lookupNeedsSignIn: boolean, copied: number): boolean {
  return !lookupNeedsSignIn && copied > 0;
}

/** Whether codes are answered now: for who is signed in, and for anybody where a copy needs no sign-in. */
export function canLookUp({
  phase,
  lookupNeedsSignIn,
  catalogue,
}: Pick<TerminalState, 'phase' | 'lookupNeedsSignIn'> & {
  readonly catalogue: Pick<TerminalState['catalogue'], 'copied'>;
}): boolean {
  return phase === 'ready' || (phase === 'signIn' && doesAnswerNobody(lookupNeedsSignIn, catalogue.copied));
}

/** Events while the check station is on: as they are, without what is no customer's matter, or not at all. */
export const stationEvents = {
  'terminal:changed': 'reduced',
  'product:changed': 'withheld',
  'queue:changed': 'withheld',
  'coupon:changed': 'withheld',
  'scanner:read': 'sent',
  'link:opened': 'withheld',
  'companion:changed': 'withheld',
} as const satisfies Record<EventName, 'sent' | 'reduced' | 'withheld'>;
