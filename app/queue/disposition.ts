// The outcomes of a request, and their consequences: total pure functions (API v3 §7, §8).
import type { UpdateAttempt } from '../contract/history.ts';
import type { Failure, FailureKind, FieldProblem } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { echoOf, failureOf, isPage as isPageForBrowser } from '../platform/answer.ts';
import type { HttpResponse } from '../ports.ts';
import type { OpenRequest, Sealed } from './rows.ts';

/**
 * Failures without the echo, or answers with another one, each followed by a success of another call, after which the
 * key itself is held to be poisoned.
 */
export const poisonedAfter = 3;

/** After so many tries a platform that stumbles over a whole request is asked for its parts. */
const triesBeforeHalving = 2;

/** Whose answer it was, by its `Idempotency-Key` header (API v3 §8 rule 5). */
export type Echo = 'ours' | 'none' | 'other';

export type Outcome =
  | { readonly kind: 'noAnswer'; readonly failure: Failure }
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly echo: Echo;
      /** A page for a browser, which the platform never sends. */
      readonly isPage: boolean;
      /** The value of `Idempotency-Replayed`, where it could be read. Kept for the history, decides nothing. */
      readonly isReplayed?: boolean;
      /** The failure in the answer when it is not a success. */
      readonly failure: Failure;
    };

// Header values come in any casing, and perhaps twice through a gateway; what cannot be read says nothing.
function isReplayedOf(response: HttpResponse): boolean | undefined {
  const word = (response.headers['idempotency-replayed'] ?? '').split(',')[0]?.replaceAll('"', '').trim().toLowerCase();
  if (word === 'true' || word === '1') {
    return true;
  }
  return word === 'false' || word === '0' ? false : undefined;
}

/** The outcome of a request that was sent under this key, as the queue judges it (API v3 §8 rule 5). */
export function readAnswer(response: HttpResponse, key: string): Outcome {
  const isReplayed = isReplayedOf(response);
  return {
    kind: 'answer',
    status: response.status,
    echo: echoOf(response, key),
    isPage: isPageForBrowser(response),
    ...(isReplayed === undefined ? {} : { isReplayed }),
    failure: failureOf(response),
  };
}

/** What is known of the request that was sent. */
export type Sent = Omit<OpenRequest, keyof Sealed | 'id' | 'idempotencyKey'>;

export type Disposition =
  | { readonly step: 'delivered' }
  /** The same key and bytes again; `proveFirst`: after another success, to learn whether the key is poisoned. */
  | { readonly step: 'sendAgain'; readonly cause: 'network' | 'rate' | 'signIn'; readonly proveFirst: boolean }
  /**
   * The key is spent; the updates are sealed anew, `readFirst` after reading what the platform has now, or, where
   * nothing can be read, when a person says so.
   */
  | { readonly step: 'sealAnew'; readonly cause: 'platform' | 'rate' | 'signIn'; readonly readFirst: boolean }
  /** These updates (by their place in the request) are refused; the rest are sealed anew. */
  | { readonly step: 'parkNamed'; readonly named: readonly number[] }
  /** Someone in the request is at fault, but nobody is named: both halves are sealed apart, `readFirst` as above. */
  | { readonly step: 'halve'; readonly readFirst: boolean }
  | { readonly step: 'parkAll' }
  /** Perhaps done, and refused because it was: for a person to look, and no error. */
  | { readonly step: 'parkMaybeDone' };

// Refusals that concern the company or the caller as a whole: no part of the request would fare better.
const wholeRefusals: readonly number[] = [403, 405, 501];

/** Refusals of a machine before the platform, perhaps after the change was made. */
export const inconclusiveRefusals: readonly number[] = [407, 408, 409, 425];

/** The item that a field speaks of, and its product where its validations give that as their only value. */
function itemOf(
  { field, validations }: FieldProblem,
  products: readonly Id[],
): { readonly index: number; readonly product: Id | null } | null {
  const digits = /^items?(?:\.|\[)(\d{1,4})(?:\]|\.|$)/.exec(field)?.[1];
  const values = new Set(validations.flatMap((validation) => validation.values));
  return digits === undefined
    ? null
    : {
        index: Number(digits),
        product: values.size === 1 ? (products.find((product) => values.has(product)) ?? null) : null,
      };
}

/**
 * The items that a validation error names, such as "items.3.product_id" or "items[3]" (API v3 §2 "Error body"), by their
 * place in the request, from 0. The document does not say whether items count from 0 or from 1: the products given as
 * values decide, and without them, or where they contradict each other, nobody is named.
 */
function namedItems(
  failure: Failure,
  products: readonly Id[],
): readonly { readonly place: number; readonly problem: FieldProblem }[] {
  const items = (failure.fields ?? []).flatMap((problem) => {
    const item = itemOf(problem, products);
    return item === null ? [] : { ...item, problem };
  });
  const isCountedFrom = (base: number): boolean =>
    items.every(({ index, product }) => {
      const there = products[index - base];
      return there !== undefined && (product ?? there) === there;
    });
  // mutant: the items of a 422 always count from 0 (I9)
  // mutant: the items of a 422 are believed without a value (I9)
  const base = items.some(({ product }) => product !== null) ? [0, 1].find(isCountedFrom) : undefined;
  return base === undefined ? [] : items.map(({ index, problem }) => ({ place: index - base, problem }));
}

/** The places of these items, in order. */
export const namedPlaces = (failure: Failure, products: readonly Id[]): readonly number[] =>
  [...new Set(namedItems(failure, products).map(({ place }) => place))].toSorted((left, right) => left - right);

/** The failure without what it says of other places than this one. */
export function failureAt(place: number, failure: Failure, products: readonly Id[]): Failure {
  const ofOthers = new Set(namedItems(failure, products).flatMap((item) => (item.place === place ? [] : item.problem)));
  return ofOthers.size === 0
    ? failure
    : { ...failure, fields: (failure.fields ?? []).filter((problem) => !ofOthers.has(problem)) };
}

// The codes of both come with any status: the document ties an expired authentication to its code alone (API v3 §5 rule
// 6).
export function causeOf(status: number, failure: FailureKind | null): 'network' | 'rate' | 'signIn' {
  if (status === 401 || failure === 'unauthorized') {
    return 'signIn';
  }
  return status === 429 || failure === 'tooManyRequests' ? 'rate' : 'network';
}

/** Whether the change may have been made all the same, or was; of an answer that is no refusal at the gate. */
export function isInconclusive(status: number): boolean {
  return status < 400 || status >= 500 || inconclusiveRefusals.includes(status);
}

/** Decides what follows from an attempt. Total: every outcome has exactly one disposition. */
export function dispositionOf(outcome: Outcome, sent: Sent): Disposition {
  if (outcome.kind === 'noAnswer') {
    // mutant: no answer dissolves the request (I2)
    return { step: 'sendAgain', cause: 'network', proveFirst: false };
  }
  const { status, echo, isPage, failure } = outcome;
  const isSuccess = status >= 200 && status < 300;
  // mutant: the page of a captive portal is a success (I2, I4)
  if (isPage && echo === 'none' && isSuccess) {
    // A captive portal's page: nobody has answered this one.
    return { step: 'sendAgain', cause: 'network', proveFirst: false };
  }
  if (isSuccess && echo !== 'other') {
    return { step: 'delivered' };
  }
  const cause = causeOf(status, failure.kind);
  // mutant: the echo is ignored (I2)
  // mutant: a key is never poisoned (I8)
  // mutant: an answer that names another key counts at once (I2)
  if (echo !== 'ours' && sent.unechoed < poisonedAfter) {
    return { step: 'sendAgain', cause, proveFirst: true };
  }
  if (isSuccess) {
    // Perhaps another request's: what the platform has decides.
    return { step: 'sealAnew', cause: 'platform', readFirst: true };
  }
  if (cause !== 'network') {
    // Refused at the gate, which says nothing of an earlier sending that had no answer.
    // mutant: a 401 parks (I9)
    // mutant: a 401 proves that an earlier sending had no effect (I2, I3)
    return { step: 'sealAnew', cause, readFirst: sent.isRepeated };
  }
  if (wholeRefusals.includes(status)) {
    return { step: 'parkAll' };
  }
  if (isInconclusive(status)) {
    const isSuspect = sent.size > 1 && sent.earlierTries >= triesBeforeHalving;
    // mutant: the key is kept after an answer (I2)
    // mutant: nothing is read after a 5xx (I2)
    return isSuspect ? { step: 'halve', readFirst: true } : { step: 'sealAnew', cause: 'platform', readFirst: true };
  }
  if (sent.kind === 'restoreUser') {
    // A user who is back already is no deleted user any more: not found, or refused.
    const isMaybeDone = sent.isInDoubt || (sent.isRepeated && echo !== 'ours');
    // mutant: a restoration that may be done is told as refused (I9)
    return { step: isMaybeDone ? 'parkMaybeDone' : 'parkAll' };
  }
  const named = namedPlaces(failure, sent.subjects);
  if (named.length > 0) {
    return { step: 'parkNamed', named };
  }
  return sent.size > 1 ? { step: 'halve', readFirst: false } : { step: 'parkAll' };
}

type Attempt = Pick<UpdateAttempt, 'outcome' | 'status' | 'failure'>;

/**
 * Whether it may have taken effect: an attempt had no answer, or one that is no refusal, and no refusal has followed,
 * which settles what was sent before it (API v3 §8: the first answer to a key is its only one; under another key the
 * platform was read in between).
 */
export function mayHaveTakenEffect(attempts: readonly Attempt[]): boolean {
  return attempts.reduce((isInDoubt, { outcome, status, failure }) => {
    if (outcome !== 'answered' || status === null) {
      return true;
    }
    // Refused before anything was done, it says nothing of an earlier attempt.
    return causeOf(status, failure) === 'network' ? isInconclusive(status) : isInDoubt;
  }, false);
}

/** `holds`: nothing to send; `send`: it is still as the person saw it; `conflict`: someone else changed it since. */
export type Reconciliation = 'holds' | 'send' | 'conflict';

/**
 * Compares one update with the platform's present setting. `now` is undefined when the listing has no setting of the
 * product: whether that means "off" or "never set" is not documented (API v3 §4.6), so it is never taken as proof that
 * "off" holds.
 */
export function reconcile(
  update: { readonly wanted: boolean; readonly seen: boolean | null },
  now: boolean | undefined,
): Reconciliation {
  if (now === update.wanted) {
    return 'holds';
  }
  const isChanged = update.seen !== null && (now ?? false) !== update.seen;
  // mutant: a conflict is never detected (I3)
  return isChanged && (now ?? false) !== update.wanted ? 'conflict' : 'send';
}
