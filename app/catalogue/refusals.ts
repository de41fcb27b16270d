import type { FailureKind } from '../domain/failure.ts';

/** Failures by which a platform refuses a question. */
export const refusals: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'forbidden',
  'notFound',
  'badRequest',
  'unprocessable',
  'refused',
]);
/** Failures that may be of one question alone. */
export const perhapsOfQuestion: ReadonlySet<FailureKind> = new Set<FailureKind>([
  ...refusals,
  'platformFailed',
  'timedOut',
  'answerMalformed',
  'answerTooLarge',
]);
