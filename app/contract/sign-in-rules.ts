import type { Channel, InvokeInput } from './contract.ts';
import { isFreeSetting } from './lock-rules.ts';
import type { TerminalState } from './terminal-state.ts';

/**
 * `anybody`: whoever stands there; `lookup`: whoever stands there, unless looking up needs a sign-in too; `signedIn`:
 * only who is signed in.
 */
export type SignInRule = 'anybody' | 'lookup' | 'signedIn';

/** What may be called now. */
export type Access = 'all' | 'lookup' | 'none';

/**
 * Reading this terminal's copy is looking up. What asks the platform, changes something, or hands out lists of what
 * people did needs a sign-in. Free is what the sign-in screen needs: its language, signing in, another profile,
 * support, and the way out.
 */
export const signInRules = {
  'terminal:read': 'anybody',
  'notice:dismiss': 'anybody',
  'settings:update': 'byField',
  'scanner:listDevices': 'signedIn',
  'companion:fit': 'anybody',
  'companion:hide': 'anybody',
  'device:read': 'anybody',
  'device:checkForUpdate': 'anybody',
  'device:setStartsAtSignIn': 'signedIn',
  'device:quit': 'anybody',
  'localApi:makeToken': 'signedIn',
  'window:show': 'anybody',
  'practice:start': 'anybody',
  'practice:signIn': 'anybody',
  'practice:setNetwork': 'anybody',
  'practice:openPanel': 'anybody',
  'profile:connect': 'anybody',
  'profile:switch': 'anybody',
  'profile:rename': 'signedIn',
  'profile:remove': 'signedIn',
  'profile:test': 'signedIn',
  'profile:leave': 'anybody',
  'hub:join': 'signedIn',
  'hub:leave': 'signedIn',
  'hub:remove': 'signedIn',
  'hub:test': 'signedIn',
  'hub:read': 'signedIn',
  'session:signIn': 'anybody',
  'session:signOut': 'anybody',
  'cashier:lock': 'signedIn',
  'cashier:comeBack': 'anybody',
  'cashier:scanBadge': 'anybody',
  'cashier:makeBadge': 'signedIn',
  'cashier:removeBadge': 'signedIn',
  'cashier:noteActivity': 'anybody',
  'cashier:setPin': 'signedIn',
  'cashier:forget': 'signedIn',
  'lookup:find': 'lookup',
  'lookup:ask': 'signedIn',
  // It remembers nothing while nobody is signed in.
  'lookup:choose': 'lookup',
  'labelChoice:list': 'signedIn',
  'labelChoice:forget': 'signedIn',
  'lookup:search': 'lookup',
  'lookup:findSimilar': 'lookup',
  'lookup:withdraw': 'lookup',
  'lookup:listRecent': 'lookup',
  'product:read': 'lookup',
  'product:refresh': 'signedIn',
  'product:readMany': 'lookup',
  'product:readMovements': 'signedIn',
  'product:readBatches': 'signedIn',
  'product:readKept': 'lookup',
  'coupon:switch': 'signedIn',
  'coupon:list': 'signedIn',
  'coupon:listIds': 'signedIn',
  'coupon:countMany': 'signedIn',
  'coupon:switchMany': 'signedIn',
  'coupon:undoMany': 'signedIn',
  'coupon:refresh': 'signedIn',
  'couponSet:list': 'signedIn',
  'couponSet:read': 'signedIn',
  'couponSet:save': 'signedIn',
  'couponSet:match': 'signedIn',
  'couponSet:remove': 'signedIn',
  'couponSet:plan': 'signedIn',
  'couponSet:removePlan': 'signedIn',
  'couponSet:listPlanned': 'signedIn',
  'couponSet:skip': 'signedIn',
  'couponSet:leaveMissed': 'signedIn',
  'queue:list': 'signedIn',
  'queue:listIds': 'signedIn',
  'queue:countMany': 'signedIn',
  'queue:retry': 'signedIn',
  'queue:retryMany': 'signedIn',
  'queue:discard': 'signedIn',
  'queue:discardMany': 'signedIn',
  'queue:bringBack': 'signedIn',
  'queue:readDay': 'signedIn',
  'queue:history': 'signedIn',
  'queue:export': 'signedIn',
  'user:restore': 'signedIn',
  'user:readRestoration': 'signedIn',
  'stock:browse': 'lookup',
  'stock:export': 'signedIn',
  'expiring:list': 'lookup',
  'expiring:readCoverage': 'lookup',
  'stocktake:list': 'signedIn',
  'stocktake:start': 'signedIn',
  'stocktake:read': 'signedIn',
  'stocktake:export': 'signedIn',
  'stocktake:listLines': 'signedIn',
  'stocktake:scan': 'signedIn',
  'stocktake:add': 'signedIn',
  'stocktake:setQuantity': 'signedIn',
  'stocktake:undo': 'signedIn',
  'stocktake:setClosed': 'signedIn',
  'stocktake:delete': 'signedIn',
  // Its answer is that of `lookup:find`, which has its own rule.
  'station:find': 'anybody',
  'station:leave': 'anybody',
  'watchList:set': 'signedIn',
  'watchList:match': 'signedIn',
  'label:print': 'lookup',
  'label:stop': 'lookup',
  'printer:list': 'signedIn',
  'printer:printPage': 'lookup',
  'rateLimit:read': 'signedIn',
  'catalogue:readAge': 'signedIn',
  'catalogue:listFields': 'signedIn',
  'catalogue:copy': 'signedIn',
  'support:diagnose': 'anybody',
  'support:readBundle': 'anybody',
  'provisioning:export': 'signedIn',
  'provisioning:open': 'anybody',
  'provisioning:readAgain': 'anybody',
  'lock:unlock': 'anybody',
  'lock:lockNow': 'anybody',
  'lock:setPin': 'signedIn',
  'lock:choose': 'signedIn',
  'audit:list': 'signedIn',
  'audit:export': 'signedIn',
} as const satisfies Record<Channel, SignInRule | 'byField'>;

/** Settings of a person's own eyes and hands are anybody's, as they are without the manager's PIN. */
function ruleOf<Name extends Channel>(channel: Name, input: InvokeInput<Name>): SignInRule {
  const rule: SignInRule | 'byField' = signInRules[channel];
  if (rule !== 'byField') {
    return rule;
  }
  return Object.keys(input).every(isFreeSetting) ? 'anybody' : 'signedIn';
}

/** Whether the call may be made. */
export function mayCall<Name extends Channel>(channel: Name, input: InvokeInput<Name>, access: Access): boolean {
  const rule = ruleOf(channel, input);
  return access === 'all' || rule === 'anybody' || (rule === 'lookup' && access === 'lookup');
}

/**
 * Whether codes are answered now: somebody is signed in; or nobody is, there is a copy, and looking up needs no
 * sign-in.
 */
export function canLookUp({
  phase,
  lookupNeedsSignIn,
  catalogue,
}: Pick<TerminalState, 'phase' | 'lookupNeedsSignIn'> & {
  readonly catalogue: Pick<TerminalState['catalogue'], 'copied'>;
}): boolean {
  return phase === 'ready' || (phase === 'signIn' && !lookupNeedsSignIn && catalogue.copied > 0);
}
