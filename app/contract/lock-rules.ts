import type { Channel, InvokeInput } from './contract.ts';
import type { LockKind } from './lock.ts';

/**
 * What a call belongs to: nothing that can be locked, one of the kinds, or the lock's own choice, which is locked
 * whenever there is a PIN.
 */
export type LockRule = 'free' | 'lock' | LockKind;

type SettingsField = keyof InvokeInput<'settings:update'>;

/** What a person chooses for their own eyes and hands; what changes how the terminal works is not. */
const freeSettings = [
  'language',
  'theme',
  'shelfLabel',
  'fileKind',
  'isTourSeen',
  'sounds',
] as const satisfies readonly SettingsField[];
/** A setting that the PIN can lock, that needs a sign-in, and whose changes are in the list of who did what. */
export type LockedSetting = Exclude<SettingsField, (typeof freeSettings)[number]>;

/** Whether anybody may change the setting at any time. */
export function isFreeSetting(field: string): boolean {
  return freeSettings.some((free) => free === field);
}

/**
 * Free are reading, signing in and out, and going from one store that is set up to another or to practice: a cashier
 * must be able to work, to leave and to learn. Undoing is free because it takes back, within seconds, only what was let
 * through; a retry sends only what was, unless it overwrites what somebody else has set since: that is a coupon's
 * switching anew. The PIN's own calls ask for it themselves.
 */
export const channelRules = {
  'terminal:read': 'free',
  'notice:dismiss': 'free',
  'settings:update': 'byField',
  'scanner:listDevices': 'free',
  'companion:fit': 'free',
  'companion:hide': 'free',
  'device:read': 'free',
  'device:checkForUpdate': 'free',
  'device:setStartsAtSignIn': 'settings',
  // Only a window that fills the screen needs it, and then it is the manager's whatever else is locked.
  'device:quit': 'lock',
  'localApi:makeToken': 'settings',
  'window:show': 'free',
  'practice:start': 'free',
  'practice:signIn': 'free',
  'practice:setNetwork': 'free',
  'practice:openPanel': 'free',
  'profile:connect': 'settings',
  'profile:switch': 'free',
  'profile:rename': 'settings',
  'profile:remove': 'settings',
  'profile:test': 'free',
  'profile:leave': 'free',
  'hub:join': 'settings',
  'hub:leave': 'settings',
  'hub:remove': 'settings',
  'hub:test': 'free',
  'hub:read': 'free',
  'session:signIn': 'free',
  'session:signOut': 'free',
  'cashier:lock': 'free',
  'cashier:comeBack': 'free',
  'cashier:scanBadge': 'free',
  'cashier:makeBadge': 'free',
  'cashier:removeBadge': 'free',
  'cashier:noteActivity': 'free',
  'cashier:setPin': 'free',
  'cashier:forget': 'settings',
  'lookup:find': 'free',
  'lookup:ask': 'free',
  'lookup:choose': 'free',
  'labelChoice:list': 'free',
  'labelChoice:forget': 'free',
  'lookup:search': 'free',
  'lookup:findSimilar': 'free',
  'lookup:withdraw': 'free',
  'lookup:listRecent': 'free',
  'product:read': 'free',
  'product:refresh': 'free',
  'product:readMany': 'free',
  'product:readMovements': 'free',
  'product:readBatches': 'free',
  'product:readKept': 'free',
  'coupon:switch': 'coupons',
  'coupon:list': 'free',
  'coupon:listIds': 'free',
  'coupon:countMany': 'free',
  'coupon:switchMany': 'coupons',
  'coupon:undoMany': 'free',
  'coupon:refresh': 'free',
  'couponSet:list': 'free',
  'couponSet:read': 'free',
  'couponSet:save': 'coupons',
  'couponSet:match': 'free',
  'couponSet:remove': 'coupons',
  'couponSet:plan': 'coupons',
  'couponSet:removePlan': 'coupons',
  'couponSet:listPlanned': 'free',
  'couponSet:skip': 'coupons',
  'couponSet:leaveMissed': 'free',
  'queue:list': 'free',
  'queue:listIds': 'free',
  'queue:countMany': 'free',
  'queue:retry': 'byUpdate',
  'queue:retryMany': 'byUpdate',
  'queue:discard': 'discarding',
  'queue:discardMany': 'discarding',
  'queue:bringBack': 'free',
  'queue:readDay': 'free',
  'queue:history': 'free',
  'queue:export': 'free',
  'user:restore': 'users',
  'user:readRestoration': 'free',
  'stock:browse': 'free',
  'stock:export': 'free',
  'stocktake:list': 'free',
  'stocktake:start': 'free',
  'stocktake:read': 'free',
  'stocktake:export': 'free',
  'stocktake:listLines': 'free',
  'stocktake:scan': 'free',
  'stocktake:add': 'free',
  'stocktake:setQuantity': 'free',
  'stocktake:undo': 'free',
  'stocktake:setClosed': 'free',
  'stocktake:delete': 'discarding',
  'station:find': 'free',
  // It asks for the PIN itself.
  'station:leave': 'free',
  'expiring:list': 'free',
  'expiring:readCoverage': 'free',
  'watchList:set': 'settings',
  'watchList:match': 'free',
  'label:print': 'free',
  'label:stop': 'free',
  'printer:list': 'free',
  'printer:printPage': 'free',
  'rateLimit:read': 'free',
  'support:diagnose': 'free',
  'support:readBundle': 'free',
  'provisioning:export': 'settings',
  'provisioning:open': 'lock',
  'provisioning:readAgain': 'free',
  'catalogue:readAge': 'free',
  'catalogue:listFields': 'free',
  'catalogue:copy': 'free',
  'lock:setPin': 'free',
  'lock:unlock': 'free',
  'lock:lockNow': 'free',
  'lock:choose': 'lock',
  'audit:list': 'free',
  'audit:export': 'free',
} as const satisfies Record<Channel, LockRule | 'byField' | 'byUpdate'>;

/** What a person does once and a screen calls for slice by slice: one action for an unlocking for one. */
export const slicedChannels: ReadonlySet<Channel> = new Set<Channel>([
  'coupon:switchMany',
  'queue:discardMany',
  'queue:retryMany',
  'watchList:set',
]);

/** The updates that the call would try again. */
function triedAgain(input: Readonly<Record<string, unknown>>): readonly number[] {
  const { updateId, updateIds } = input as { readonly updateId?: number; readonly updateIds?: readonly number[] };
  return updateIds ?? (updateId === undefined ? [] : [updateId]);
}

/**
 * What this call belongs to. One that would change several settings is free only if each of them is; trying again is
 * free unless `overwrites` says that one of these updates would take the place of what somebody else has set since.
 */
export function lockRuleOf<Name extends Channel>(
  channel: Name,
  input: InvokeInput<Name>,
  overwrites: (updateIds: readonly number[]) => boolean,
): LockRule {
  const rule: LockRule | 'byField' | 'byUpdate' = channelRules[channel];
  if (rule === 'byUpdate') {
    return overwrites(triedAgain(input)) ? 'coupons' : 'free';
  }
  if (rule !== 'byField') {
    return rule;
  }
  return Object.keys(input).every(isFreeSetting) ? 'free' : 'settings';
}
