// I30: an answer is one of those that the contract documents for this call, in this phase. What stands before all calls
// is derived from the contract's own table and the state that the page has: who may call, what the manager can lock, what
// the check station answers (access.ts).
import {
  doesAnswerNobody,
  callOf,
  isOfMachine,
  lockOf,
  mayCall,
  ownLockOf,
  whoOf,
  type Call,
  type LockFacts,
  type ShopFacts,
} from '../../../app/contract/access.ts';
import { alwaysHeld, lockKinds } from '../../../app/contract/limits/lock.ts';
import type { FailureKind } from '../../../app/domain/failure.ts';
import { phaseOf, type CallPhase } from './call-row.ts';
import { needsShop, rowOf } from './call-table.ts';
import type { HeardAnswer } from './heard-answer.ts';

/** How a call that asks the platform may fail besides, by what failed. */
const platformFailures: Readonly<Partial<Record<FailureKind, string>>> = {
  unreachable: 'network',
  timedOut: 'network',
  tlsRejected: 'network',
  notThePlatform: 'network',
  answerMalformed: 'network',
  answerTooLarge: 'network',
  badRequest: 'platform',
  unauthorized: 'platform',
  forbidden: 'platform',
  notFound: 'platform',
  unprocessable: 'platform',
  tooManyRequests: 'platform',
  platformFailed: 'platform',
  refused: 'platform',
  signInNeeded: 'session',
  credentialsRejected: 'session',
  renewalFailed: 'session',
  userChanged: 'session',
  vaultLocked: 'session',
  vaultUnavailable: 'session',
  cancelled: 'cancelled',
};
const storageFailures: ReadonlySet<FailureKind> = new Set(['storageFull', 'storageFailed']);

/** Whether the call may fail for want of a sign-in. */
export function needsSignIn(call: Call): boolean {
  return whoOf(call) !== 'nobody' && whoOf(call) !== 'looksUp';
}

/** The name of an answer in the coverage. */
export function nameOf({ channel, input, answer }: Pick<HeardAnswer, 'channel' | 'input' | 'answer'>): string {
  const { successes, failures = [], asksPlatform } = rowOf(channel);
  if (answer.ok) {
    const of = successes?.of as ((output: unknown, asked: unknown) => string) | undefined;
    return of?.(answer.value, input) ?? 'done';
  }
  const { kind } = answer.failure;
  if (storageFailures.has(kind) && !failures.includes(kind)) {
    return 'storage';
  }
  const isGate = kind === 'signInNeeded' && needsSignIn({ channel, isMild: false });
  return isGate || failures.includes(kind) || asksPlatform === undefined ? kind : (platformFailures[kind] ?? kind);
}

/** The call as judged where trying again takes the place of nobody's, which the state does not tell. */
const judgedCall = ({ channel, input }: HeardAnswer): Call => callOf(channel, input as object, () => false);

function storeOf({ mode }: HeardAnswer['state']): ShopFacts['open'] {
  const own = mode === 'practice' ? 'practice' : 'profile';
  return mode === null ? 'none' : own;
}

/** Whether who stands there may make the call; else how it must fail. What a PIN has opened is judged apart. */
function gateOf(heard: HeardAnswer): FailureKind | null {
  const { state } = heard;
  const { phase, profiles, lookupNeedsSignIn, catalogue, lock } = state;
  // Of the terminal's lock practice tells nothing: what that holds is judged apart, too.
  const openedAll: LockFacts = {
    hasPin: lock.hasPin,
    kinds: lock.kinds,
    open: [...lockKinds, ...alwaysHeld],
    terminal: { hasPin: false, kinds: [] },
  };
  const verdict = mayCall(
    judgedCall(heard),
    phase === 'ready' ? 'signedIn' : 'nobody',
    {
      open: storeOf(state),
      profiles: profiles.length,
      answersNobody: doesAnswerNobody(lookupNeedsSignIn, catalogue.copied),
    },
    openedAll,
    state.station.isOn,
  );
  return verdict === 'passes' ? null : verdict;
}

/** The fault of the answer; null when there is none. */
export function faultOfAnswer(heard: HeardAnswer): string | null {
  const { channel, input, state, answer, isDiskTroubled } = heard;
  const phase: CallPhase = phaseOf(state);
  const gate = gateOf(heard);
  const reported = answer.ok ? 'success' : answer.failure.kind;
  if (gate !== null) {
    return reported === gate ? null : `${channel} answers ${reported} in ${phase}, where it must fail with ${gate}`;
  }
  const row = rowOf(channel);
  if (answer.ok) {
    const name = nameOf(heard);
    return row.successes?.names.includes(name) === false ? `${channel} answers ${name}, which its row lacks` : null;
  }
  const { kind } = answer.failure;
  const asked = callOf(channel, input as object, () => true);
  const mayBeLocked = state.lock.hasPin && ownLockOf(asked, { open: storeOf(state) }) !== 'none' && phase !== 'station';
  const isOwn =
    row.failures?.includes(kind) === true ||
    (row.asksPlatform !== undefined && platformFailures[kind] !== undefined) ||
    (kind === 'notReady' && needsShop(channel)) ||
    // The screen that asked for a change of the store stays while it is tried, though nobody is signed in there.
    (kind === 'signInNeeded' && needsSignIn(judgedCall(heard)) && state.session.state !== 'signedIn') ||
    (kind === 'locked' && mayBeLocked) ||
    (kind === 'notInPractice' && storeOf(state) === 'practice' && isOfMachine(asked) && lockOf(asked) !== 'none') ||
    (storageFailures.has(kind) && isDiskTroubled);
  return isOwn
    ? null
    : `${channel} fails with ${kind} in ${phase}, which its row lacks: ${JSON.stringify(input).slice(0, 200)}`;
}
