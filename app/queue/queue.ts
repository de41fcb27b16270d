// Changes that reach the platform exactly once and in order, with or without a network: an outbox.
//
// The problem: an answer can be lost after the server has acted, and the process can die at any instruction. A retry
// may apply a change twice; no retry may lose it. Why the plain ways fail:
// - A queue in memory is lost with the process. One that notes a request after sending it does not know, after a crash,
//   that it may have left.
// - One idempotency key a change, retried until it succeeds, may never succeed: the platform stores the first result of
//   a key, server errors included, and replays it (API v3 §8, idempotency rules 3 and 4).
// - A new key a retry succeeds, but may restore a user whom somebody has deleted again meanwhile.
// - A request that timed out may lie in a proxy, arrive after a newer change, and undo it.
// - A request that always fails, at the head of the queue, blocks all that are behind it.
//
// So a change is on disk before it is accepted (Q1), and a request is sealed with its key and its bytes before it leaves
// (Q4). One request a user and company is open at a time (Q3). After a lost answer the same request is sent again, by the
// same OAuth client; an answer spends the key (Q5). Where that leaves open what happened, or the client is another one by
// then, the settings are read before anything is sent again, and a restoration that may have been done waits for a person
// (Q11). A newer change waits until an older request can no longer arrive (Q6). What is refused waits for a person, and
// the rest goes on.
import type { QueueState } from '../contract/terminal-state.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { createListeners } from '../domain/listeners.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { onlyStorageError } from '../storage/database.ts';
import { createDelay } from './delay.ts';
import { createLoop } from './loop.ts';
import type { QueuePorts } from './queue-ports.ts';
import { createSignInHolds, createTroubles } from './sign-in-holds.ts';
import { readQueueState } from './state.ts';
import { createStep } from './step.ts';

const tidyEveryMs = 3_600_000;

export interface Queue {
  /** Durable when it succeeds, then sent. Fails with `signInNeeded` or `queueFull`. Throws StorageError. */
  enqueue(productId: Id, isEnabled: boolean, seen: boolean | null): Result<void, Failure>;
  /**
   * Asks for a deleted user back; durable when it succeeds, and nothing new when the same waits already. Fails as
   * `enqueue` does. Throws StorageError.
   */
  restoreUser(userId: Id): Result<void, Failure>;
  /** Fails with `notFoundHere`. Throws StorageError. */
  retry(updateId: number): Result<void, Failure>;
  /** Fails with `notFoundHere`. Throws StorageError. */
  discard(updateId: number): Result<void, Failure>;
  state(): QueueState;
  /** Looks for work now: somebody signed in, or the network returned. */
  resume(): void;
  /** Seals nothing new for so long, so that what was just asked for can be taken back. A restart forgets it. */
  rest(restMs: number): void;
  /** Updates were added or taken back by others: that is told, and work looked for. */
  noticeRows(): void;
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

/** Makes the queue's engine and starts it. */
export function startQueue(ports: QueuePorts): Queue {
  const { clock, repository, connection, log } = ports;
  const { add: onChange, emit: changed } = createListeners();
  const closing = new AbortController();
  const delay = createDelay(ports, changed);
  const holds = createSignInHolds(ports, changed);
  const troubles = createTroubles();
  let tidyAtMs = 0;

  /** Old history goes now and then, a little at a time. */
  function tidy(): void {
    if (clock.uptimeMs() >= tidyAtMs && !closing.signal.aborted) {
      tidyAtMs = clock.uptimeMs() + (repository.tidy(clock.now()) ? 0 : tidyEveryMs);
    }
  }

  /** Attempts of an earlier run are over before anything is sent anew. */
  let hasBegun = false;
  function begin(): void {
    if (!hasBegun) {
      repository.begin(clock.now());
      hasBegun = true;
    }
  }

  function noteStorageError(error: unknown): void {
    const trouble = onlyStorageError(error);
    log('storage', { kind: trouble.failure.kind });
    ports.onStorageError?.(trouble);
  }

  try {
    begin();
  } catch (error) {
    // The first round tries again.
    noteStorageError(error);
  }
  const step = createStep(ports, delay, holds, troubles, changed, closing.signal);
  const { wake, stop } = createLoop(clock, closing.signal, {
    begin: delay.beginRound,
    step: () => {
      begin();
      return step();
    },
    end: tidy,
    fail: (error) => {
      // The rows are as they were; the disk may have room again later.
      noteStorageError(error);
      delay.backOff();
    },
    nextAfterMs: () => {
      const left = [delay.leftMs(), holds.leftMs()].filter((ms) => ms !== null);
      return left.length === 0 ? null : Math.min(...left);
    },
  });

  function resume(): void {
    delay.retryNow();
    holds.retryNow();
    wake();
  }

  function changing(action: () => Result<void, Failure>): Result<void, Failure> {
    const result = action();
    changed();
    wake();
    return result;
  }

  function keep(enqueue: (ownerId: number, now: number) => boolean): Result<void, Failure> {
    return changing(() => {
      const owner = ports.owner();
      if (owner === null) {
        return fail({ kind: 'signInNeeded' });
      }
      // mutant: an update is acknowledged before it is kept (I1, I4)
      return enqueue(repository.ownerId(owner), clock.now()) ? succeed(undefined) : fail({ kind: 'queueFull' });
    });
  }

  connection.onReturn(resume);
  wake();

  return {
    enqueue: (productId, isEnabled, seen) =>
      keep((ownerId, now) =>
        repository.enqueue({ ownerId, productId, isEnabled, seen, isSeenFresh: connection.isAnswered(), now }),
      ),
    restoreUser: (userId) => keep((ownerId, now) => repository.enqueueRestoration({ ownerId, userId, now })),
    retry: (updateId) =>
      changing(() => (repository.retry(updateId, clock.now()) ? succeed(undefined) : fail({ kind: 'notFoundHere' }))),
    discard: (updateId) =>
      changing(() => (repository.discard(updateId, clock.now()) ? succeed(undefined) : fail({ kind: 'notFoundHere' }))),
    state: () => readQueueState(ports, delay, holds),
    resume,
    rest: delay.rest,
    noticeRows: () => {
      changed();
      wake();
    },
    onChange,
    close: async () => {
      closing.abort();
      await stop();
      repository.end();
    },
  };
}
