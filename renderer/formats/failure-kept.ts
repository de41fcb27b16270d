import type { FailureKind } from '../../app/domain/failure.ts';

/**
 * `nothingLost`: scanning goes on and changes wait; `notThere`: the platform changed nothing; `notChanged`: this
 * terminal changed nothing; `waitsHere`: what waits to be sent is kept; `told`: the advice says it, because it is
 * special to the kind.
 */
export type Kept = 'nothingLost' | 'notThere' | 'notChanged' | 'waitsHere' | 'told';

const keptAfter: Readonly<Record<FailureKind, Kept>> = {
  unreachable: 'told',
  timedOut: 'nothingLost',
  tlsRejected: 'nothingLost',
  addressInvalid: 'notChanged',
  addressNotSecure: 'notChanged',
  notThePlatform: 'nothingLost',
  answerMalformed: 'told',
  answerTooLarge: 'told',
  badRequest: 'notThere',
  unauthorized: 'told',
  forbidden: 'notThere',
  notFound: 'notThere',
  unprocessable: 'notThere',
  tooManyRequests: 'nothingLost',
  // A 5xx leaves it open whether something was changed there: only what is here is certain.
  platformFailed: 'waitsHere',
  refused: 'waitsHere',
  signInNeeded: 'told',
  credentialsRejected: 'notChanged',
  userChanged: 'waitsHere',
  renewalFailed: 'nothingLost',
  vaultLocked: 'waitsHere',
  vaultUnavailable: 'told',
  inputInvalid: 'notChanged',
  cancelled: 'notChanged',
  effectUnknown: 'told',
  storageFull: 'told',
  storageFailed: 'told',
  storageFromFuture: 'waitsHere',
  queueFull: 'waitsHere',
  profilesFull: 'notChanged',
  notReady: 'notChanged',
  locked: 'told',
  pinWrong: 'told',
  pinWaits: 'told',
  notFoundHere: 'notChanged',
  alreadyRunning: 'waitsHere',
  unexpected: 'waitsHere',
};

/** What to say of a person's work after this failure; null when the advice says it itself. */
export function keptOf(kind: FailureKind): Exclude<Kept, 'told'> | null {
  const kept = keptAfter[kind];
  return kept === 'told' ? null : kept;
}
