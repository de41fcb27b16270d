import type { AccessToken } from '../platform/access-token.ts';
import type { Slot } from '../rate-limit/slots.ts';
import type { KnownSender } from './choice.ts';
import type { Delay } from './delay.ts';
import { dispositionOf, readAnswer, type Disposition, type Outcome } from './disposition.ts';
import type { QueuePorts } from './queue-ports.ts';
import type { OpenRequest } from './rows.ts';
import { holdUp, type SignInHolds, type Troubles } from './sign-in-holds.ts';

export type KeyDoubt = ReturnType<typeof createKeyDoubt>;

/**
 * Makes what remembers a request whose failure may be a middlebox's: another call must succeed after it before its key
 * counts as poisoned.
 */
export function createKeyDoubt({ connection, repository }: Pick<QueuePorts, 'connection' | 'repository'>) {
  /** `successes`: how many calls had succeeded by then. */
  let doubted: { readonly requestId: number; readonly successes: number } | null = null;

  return {
    /** Doubts this request's key, or, by null, none. */
    set: (requestId: number | null): void => {
      doubted = requestId === null ? null : { requestId, successes: connection.successes() };
    },
    /** No other call has succeeded yet. */
    needsProof: (requestId: number): boolean =>
      doubted?.requestId === requestId && connection.successes() === doubted.successes,
    /** Counts the doubt when another call has succeeded. */
    end: (requestId: number): void => {
      if (doubted?.requestId !== requestId) {
        return;
      }
      if (connection.successes() > doubted.successes) {
        repository.countUnechoed(requestId);
      }
      doubted = null;
    },
  };
}

/** Makes what sends a sealed request once, and carries out what follows from it. */
export function createSender(
  { clock, repository, rateLimit, client, log }: QueuePorts,
  delay: Delay,
  {
    holds,
    troubles,
    keyDoubt,
  }: { readonly holds: SignInHolds; readonly troubles: Troubles; readonly keyDoubt: KeyDoubt },
  changed: () => void,
  signal: AbortSignal,
) {
  async function follow(
    outcome: Outcome,
    disposition: Disposition,
    { ownerId, tokens }: KnownSender,
    accessToken: string,
  ): Promise<void> {
    if (disposition.step === 'halve' && disposition.readFirst) {
      delay.backOff(outcome.failure.retryAfterMs);
      return;
    }
    if (disposition.step !== 'sendAgain' && disposition.step !== 'sealAnew') {
      delay.clearFailures();
      holds.clear(ownerId);
      troubles.clear(ownerId);
      return;
    }
    if (disposition.cause === 'signIn') {
      const renewed = await tokens.renew(accessToken);
      if (!renewed.ok) {
        holdUp({ holds, troubles, delay }, ownerId, renewed.failure);
      } else if (holds.hasFailed(ownerId)) {
        // A fresh token that is refused again waits like any other trouble.
        holds.hold(ownerId, null);
      } else {
        holds.count(ownerId);
      }
      return;
    }
    if (disposition.cause === 'rate') {
      // mutant: only the queue heeds its 429 (I13)
      rateLimit.slowDown(outcome.failure.retryAfterMs);
    }
    if (outcome.kind === 'noAnswer') {
      troubles.count(ownerId);
      delay.backOffAfter(outcome.failure);
    } else {
      delay.backOff(outcome.failure.retryAfterMs);
    }
  }

  // mutant: a token is logged (I7)
  return async (sender: KnownSender, request: OpenRequest, accessToken: AccessToken, slot: Slot): Promise<void> => {
    const {
      ownerId,
      owner: { email: user },
      tokens,
    } = sender;
    const attemptId = repository.beginAttempt(request.id, clock.now());
    repository.setUnderWay({ requestId: request.id, ownerId, size: request.size });
    changed();
    const { method, path, body, idempotencyKey } = request;
    // mutant: what was sent is sending until it is delivered (I29)
    const answer = await client
      .write({ method, path, body, idempotencyKey, accessToken, user, tokens, slot, signal })
      .finally(() => repository.setUnderWay(null));
    const outcome: Outcome = answer.ok
      ? readAnswer(answer.value, idempotencyKey)
      : { kind: 'noAnswer', failure: answer.failure };
    const disposition = dispositionOf(outcome, request);
    repository.settle({ ownerId, requestId: request.id, attemptId }, outcome, disposition, clock.now());
    log('sent', {
      request: request.id,
      attempt: attemptId,
      size: request.size,
      outcome: outcome.kind === 'answer' ? outcome.status : outcome.failure.kind,
      step: disposition.step,
    });
    changed();
    // An expired token is the usual reason of a first 401; only its repetition under a new token casts doubt on the
    // key.
    const isDoubtful =
      disposition.step === 'sendAgain' &&
      disposition.proveFirst &&
      (disposition.cause !== 'signIn' || holds.hasFailed(ownerId));
    await follow(outcome, disposition, sender, accessToken.text);
    keyDoubt.set(isDoubtful ? request.id : null);
  };
}
