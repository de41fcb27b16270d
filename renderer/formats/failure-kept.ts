import type { FailureKind } from '../../app/domain/failure.ts';

/**
 * `nothingLost`: scanning goes on and changes wait; `notThere`: the platform changed nothing; `notChanged`: this
 * terminal changed nothing; `waitsHere`: what waits to be sent is kept; `inAdvice`: the advice says it, because it is
 * special to the kind.
 */
export type Kept = 'nothingLost' | 'notThere' | 'notChanged' | 'waitsHere' | 'inAdvice';

const keptAfter: Readonly<Record<FailureKind, Kept>> = {
  unreachable: 'inAdvice',
  timedOut: 'nothingLost',
  tlsRejected: 'nothingLost',
  addressInvalid: 'notChanged',
  addressNotSecure: 'notChanged',
  notThePlatform: 'nothingLost',
  answerMalformed: 'inAdvice',
  answerTooLarge: 'inAdvice',
  badRequest: 'notThere',
  unauthorized: 'inAdvice',
  forbidden: 'notThere',
  notFound: 'notThere',
  unprocessable: 'notThere',
  tooManyRequests: 'nothingLost',
  // A 5xx leaves it open whether something was changed there: only what is here is certain.
  platformFailed: 'waitsHere',
  refused: 'waitsHere',
  signInNeeded: 'inAdvice',
  credentialsRejected: 'notChanged',
  userChanged: 'waitsHere',
  renewalFailed: 'nothingLost',
  vaultLocked: 'waitsHere',
  vaultMoved: 'waitsHere',
  vaultUnavailable: 'inAdvice',
  inputInvalid: 'notChanged',
  cancelled: 'notChanged',
  effectUnknown: 'inAdvice',
  storageFull: 'inAdvice',
  storageFailed: 'inAdvice',
  storageFromFuture: 'waitsHere',
  queueFull: 'waitsHere',
  profilesFull: 'notChanged',
  profileTwice: 'notChanged',
  stocktakeFull: 'notChanged',
  plansFull: 'notChanged',
  notReady: 'notChanged',
  notCopied: 'notChanged',
  otherStocks: 'notChanged',
  setNotWhole: 'notChanged',
  notInPractice: 'notChanged',
  printerUnreachable: 'nothingLost',
  printerFailed: 'nothingLost',
  notPrinted: 'nothingLost',
  printerBusy: 'nothingLost',
  locked: 'inAdvice',
  pinWrong: 'inAdvice',
  pinWaits: 'inAdvice',
  badgeUnknown: 'inAdvice',
  badgeVoid: 'inAdvice',
  badgeWaits: 'inAdvice',
  notFoundHere: 'notChanged',
  alreadyRunning: 'waitsHere',
  unexpected: 'waitsHere',
};

/** Whether a person's work is kept after this failure; null when the advice says it itself. */
export function keptOf(kind: FailureKind): Exclude<Kept, 'inAdvice'> | null {
  const kept = keptAfter[kind];
  return kept === 'inAdvice' ? null : kept;
}
