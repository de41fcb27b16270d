// I30: an answer is one of those that the contract documents for this call, in this phase. What stands before all calls
// is derived from the contract's own tables: who may call (sign-in-rules.ts), what the manager can lock (lock-rules.ts),
// what the check station answers (station-rules.ts).
import type { Channel, InvokeInput } from '../../../app/contract/contract.ts';
import { lockRuleOf } from '../../../app/contract/lock-rules.ts';
import { canLookUp, mayCall, signInRules } from '../../../app/contract/sign-in-rules.ts';
import { stationRules } from '../../../app/contract/station-rules.ts';
import type { FailureKind } from '../../../app/domain/failure.ts';
import { phaseOf, type CallPhase } from './call-row.ts';
import { rowOf } from './call-table.ts';
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

/** What an answer is called in the coverage. */
export function nameOf({ channel, answer }: Pick<HeardAnswer, 'channel' | 'answer'>): string {
  const { successes, failures = [], asksPlatform } = rowOf(channel);
  if (answer.ok) {
    return successes === undefined ? 'done' : (successes.of as (output: unknown) => string)(answer.value);
  }
  const { kind } = answer.failure;
  if (storageFailures.has(kind) && !failures.includes(kind)) {
    return 'storage';
  }
  const isGate = kind === 'signInNeeded' && signInRules[channel] === 'signedIn';
  return isGate || failures.includes(kind) || asksPlatform === undefined ? kind : (platformFailures[kind] ?? kind);
}

/** Whether the rules before all calls let this one through; else how it must fail. */
function gateOf({ channel, input, state }: HeardAnswer): FailureKind | null {
  const phase = phaseOf(state);
  if (phase === 'station') {
    return stationRules[channel] === 'refused' ? 'locked' : null;
  }
  const withoutSignIn = canLookUp(state) ? 'lookup' : 'none';
  const access = state.phase === 'signIn' ? withoutSignIn : 'all';
  return mayCall(channel, input as InvokeInput<Channel>, access) ? null : 'signInNeeded';
}

/** What is wrong with the answer; null when nothing is. */
export function faultOfAnswer(heard: HeardAnswer): string | null {
  const { channel, input, state, answer, isDiskTroubled } = heard;
  const phase: CallPhase = phaseOf(state);
  const gate = gateOf(heard);
  const told = answer.ok ? 'success' : answer.failure.kind;
  if (gate !== null) {
    return told === gate ? null : `${channel} answers ${told} in ${phase}, where it must fail with ${gate}`;
  }
  const row = rowOf(channel);
  if (answer.ok) {
    const name = nameOf(heard);
    return row.successes?.names.includes(name) === false ? `${channel} answers ${name}, which its row lacks` : null;
  }
  const { kind } = answer.failure;
  const mayBeLocked =
    state.lock.hasPin &&
    lockRuleOf(channel, input as InvokeInput<Channel>, () => true) !== 'free' &&
    phase !== 'station';
  const isOwn =
    row.failures?.includes(kind) === true ||
    (row.asksPlatform !== undefined && platformFailures[kind] !== undefined) ||
    (row.needsStore !== undefined && kind === 'notReady') ||
    // The screen that asked for a change of the store stays while it is tried, though nobody is signed in there.
    (kind === 'signInNeeded' && signInRules[channel] === 'signedIn' && state.session.state !== 'signedIn') ||
    (kind === 'locked' && mayBeLocked) ||
    (storageFailures.has(kind) && isDiskTroubled);
  return isOwn
    ? null
    : `${channel} fails with ${kind} in ${phase}, which its row lacks: ${JSON.stringify(input).slice(0, 200)}`;
}
