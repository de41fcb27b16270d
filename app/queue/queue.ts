import { backoffMs } from '../domain/backoff.ts';
import { createListeners } from '../domain/listeners.ts';
import type { QueueState } from '../contract/terminal-state.ts';
import type { Slot } from '../rate-limit/slots.ts';
import { isNetworkFailure, isRefusal, type Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { isTokenOf, type AccessToken } from '../platform/access-token.ts';
import type { Timer } from '../ports.ts';
import { onlyStorageError } from '../storage/database.ts';
import { pause } from '../storage/pause.ts';
import { readAnswer } from './answer.ts';
import { dispositionOf, type Outcome } from './disposition.ts';
import type { QueuePorts } from './queue-ports.ts';
import type { OpenRequest, Owner } from './rows.ts';
import { readQueueState, type Hold } from './state.ts';
import { changedAtOnce } from './store.ts';

const firstBackoffMs = 1_000;
const maxBackoffMs = 60_000;
/** However long the platform asks to wait. */
const maxRetryAfterMs = 3_600_000;
const tidyEveryMs = 3_600_000;

export interface Queue {
  /**
   * Durable when it succeeds; then it is sent when it can be. Fails with `signInNeeded` or `queueFull`. Throws
   * StorageError.
   */
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
  /**
   * Seals nothing new for so long, in milliseconds, so that what was just asked for can be taken back. A restart
   * forgets it.
   */
  rest(restMs: number): void;
  /** Updates were added or taken back by others: that is told, and work looked for. */
  noticeRows(): void;
  onChange(listener: () => void): void;
  close(): Promise<void>;
}

/** Makes the queue's engine and starts it. */
export function startQueue(ports: QueuePorts): Queue {
  const { clock, random, store, rateLimit, client, tokens, connection } = ports;
  const { add: onChange, emit: changed } = createListeners();
  const closing = new AbortController();
  let hold: Hold = null;
  let running: Promise<void> | null = null;
  let wantsAnotherRound = false;
  // The last round ended because it is too early for the next try.
  let isWaiting = false;
  let failuresInARow = 0;
  let retryAtMs = 0;
  let restUntilMs = 0;
  let timer: Timer | null = null;
  // A request whose failure may be a middlebox's, and how many calls had succeeded by then: others must succeed after
  // it before its key counts as poisoned.
  let suspect: { readonly requestId: number; readonly successes: number } | null = null;
  let unreadableReadings = 0;
  let tidyAtMs = 0;
  // True while the loop waits for its turn at the rate limit.
  let isTaking = false;

  function moveHold(next: Hold): void {
    if (hold !== next) {
      hold = next;
      changed();
    }
  }

  function tellRateLimit(): void {
    const { limit, used, reserve, pausedForMs } = rateLimit.state();
    moveHold(pausedForMs > 0 || used + reserve >= limit ? 'rateLimit' : null);
  }

  function lookAgainAtMs(): number {
    return Math.max(retryAtMs, restUntilMs);
  }

  function backOff(retryAfterMs = 0): void {
    const ceilingMs = backoffMs(failuresInARow, firstBackoffMs, maxBackoffMs);
    failuresInARow += 1;
    isWaiting = true;
    retryAtMs =
      clock.uptimeMs() + Math.max(Math.min(retryAfterMs, maxRetryAfterMs), ceilingMs * (0.5 + 0.5 * random.fraction()));
    moveHold('retry');
  }

  function holdAfter(failure: Failure): void {
    if (failure.kind === 'signInNeeded' || failure.kind === 'vaultLocked' || failure.kind === 'vaultUnavailable') {
      backOff();
      moveHold('signIn');
      return;
    }
    backOff(failure.retryAfterMs);
    if (isNetworkFailure(failure)) {
      moveHold('offline');
    }
  }

  /** Reads the settings and compares. Answers whether the loop may go on. */
  async function read(ownerId: number, owner: Owner): Promise<boolean> {
    const note = () => ({ ...store.noteReading(), askedAt: clock.now(), unread: store.unread(ownerId, clock.now()) });
    let asked = note();
    const onLeaving = (): void => {
      // It may have waited long for its slot, and knows of what happened meanwhile.
      asked = note();
    };
    const reading = await client.listCouponSettings(
      {},
      { lane: 'queue', signal: closing.signal, user: owner.email, onLeaving },
    );
    const { askedAt, unread } = asked;
    if (reading.ok) {
      unreadableReadings = 0;
      await ports.settingsRead(owner, reading.value, asked);
      const settings = new Map(reading.value.map((setting) => [setting.productId, setting.isEnabled]));
      for (let from = 0; from < unread.length; from += changedAtOnce) {
        if (from > 0 && !(await pause(clock, closing.signal))) {
          break;
        }
        store.applyReading(ownerId, settings, askedAt, unread.slice(from, from + changedAtOnce));
      }
      changed();
      return true;
    }
    if (reading.failure.kind === 'userChanged') {
      // Nothing left: whoever is signed in now has work of their own.
      return true;
    }
    unreadableReadings +=
      reading.failure.kind === 'answerMalformed' || reading.failure.kind === 'answerTooLarge' ? 1 : 0;
    if (isRefusal(reading.failure) || unreadableReadings >= 3) {
      // This platform never tells its settings to this user: nothing can be compared, and a person has asked for the
      // change.
      ports.log('settings cannot be read', { kind: reading.failure.kind });
      store.skipReading(ownerId, askedAt);
      return true;
    }
    holdAfter(reading.failure);
    return false;
  }

  async function send(
    ownerId: number,
    request: OpenRequest,
    accessToken: AccessToken,
    user: string,
    slot: Slot,
  ): Promise<void> {
    const attemptId = store.beginAttempt(request.id, clock.now());
    changed();
    const { method, path, body, idempotencyKey } = request;
    const answer = await client.write({
      method,
      path,
      body,
      idempotencyKey,
      accessToken,
      user,
      slot,
      signal: closing.signal,
    });
    const outcome: Outcome = answer.ok
      ? readAnswer(answer.value, idempotencyKey)
      : { kind: 'noAnswer', failure: answer.failure };
    const disposition = dispositionOf(outcome, request);
    store.settle({ ownerId, requestId: request.id, attemptId }, outcome, disposition, clock.now());
    ports.log('sent', {
      request: request.id,
      attempt: attemptId,
      size: request.size,
      outcome: outcome.kind === 'answer' ? outcome.status : outcome.failure.kind,
      step: disposition.step,
    });
    changed();
    // An expired token is the usual reason of a first 401; only its repetition under a new token casts doubt on the
    // key.
    const isSuspect =
      disposition.step === 'sendAgain' &&
      disposition.proveFirst &&
      (disposition.cause !== 'signIn' || failuresInARow > 0);
    await follow(outcome, disposition, accessToken.text);
    suspect = isSuspect ? { requestId: request.id, successes: connection.successes() } : null;
  }

  async function follow(
    outcome: Outcome,
    disposition: ReturnType<typeof dispositionOf>,
    accessToken: string,
  ): Promise<void> {
    if (disposition.step === 'halve' && disposition.readFirst) {
      backOff(outcome.failure.retryAfterMs);
      return;
    }
    if (disposition.step !== 'sendAgain' && disposition.step !== 'sealAnew') {
      failuresInARow = 0;
      return;
    }
    if (disposition.cause === 'signIn') {
      const renewed = await tokens.renew(accessToken);
      if (!renewed.ok) {
        holdAfter(renewed.failure);
        return;
      }
      // A fresh token that is refused again waits like any other trouble.
      if (failuresInARow > 0) {
        backOff();
      }
      failuresInARow += 1;
      return;
    }
    if (disposition.cause === 'rate') {
      rateLimit.slowDown(outcome.failure.retryAfterMs);
    }
    if (outcome.kind === 'noAnswer') {
      holdAfter(outcome.failure);
    } else {
      backOff(outcome.failure.retryAfterMs);
    }
  }

  /** One piece of work. Answers whether there may be more right away. */
  async function step(): Promise<boolean> {
    const owner = ports.owner();
    if (owner === null) {
      moveHold('signIn');
      return false;
    }
    const ownerId = store.ownerId(owner);
    const work = store.nextWork(ownerId, clock.now());
    if (work === 'nothing') {
      moveHold(null);
      return false;
    }
    restUntilMs = Math.max(restUntilMs, clock.uptimeMs() + store.mayArriveForMs(ownerId, clock.now()));
    if (ports.isCalm) {
      moveHold('safeMode');
      return false;
    }
    if (connection.state().state === 'offline') {
      moveHold('offline');
      return false;
    }
    if (clock.uptimeMs() < (typeof work === 'object' ? retryAtMs : lookAgainAtMs())) {
      isWaiting = true;
      return false;
    }
    const parked = typeof work === 'object' ? 0 : store.parkOld(ownerId, clock.now());
    if (parked > 0) {
      changed();
      return parked < changedAtOnce || pause(clock, closing.signal);
    }
    if (work === 'read') {
      return read(ownerId, owner);
    }
    if (typeof work === 'object' && suspect?.requestId === work.resend.id) {
      const { successes } = suspect;
      if (connection.successes() === successes && !(await read(ownerId, owner))) {
        return false;
      }
      if (connection.successes() > successes) {
        store.countUnechoed(work.resend.id);
      }
      suspect = null;
    }
    const token = await tokens.accessToken();
    if (!token.ok) {
      holdAfter(token.failure);
      return false;
    }
    tellRateLimit();
    isTaking = true;
    const slot = await rateLimit.take('queue', closing.signal).finally(() => {
      isTaking = false;
    });
    if (!slot.ok) {
      holdAfter(slot.failure);
      return false;
    }
    try {
      // Asked for while the slot was waited for.
      if (clock.uptimeMs() < restUntilMs && typeof store.nextWork(ownerId, clock.now()) !== 'object') {
        isWaiting = true;
        moveHold(null);
        return false;
      }
      const current = ports.owner();
      // The user may have changed, and back again, while a reading, a token or the slot was waited for: the token
      // counts, too.
      const isStillOwner =
        current !== null && store.ownerId(current) === ownerId && isTokenOf(token.value, owner.email);
      const request = isStillOwner ? store.seal(ownerId, random.uuid(), clock.now()) : null;
      if (request !== null) {
        moveHold(null);
        await send(ownerId, request, token.value, owner.email, slot.value);
      }
      return true;
    } finally {
      slot.value.giveBack(); // Nothing was sent; a slot whose request has left is ended already.
    }
  }

  /** Old history goes now and then, a little at a time. */
  function tidy(): void {
    if (clock.uptimeMs() >= tidyAtMs && !closing.signal.aborted) {
      tidyAtMs = clock.uptimeMs() + (store.tidy(clock.now()) ? 0 : tidyEveryMs);
    }
  }

  async function run(): Promise<void> {
    do {
      wantsAnotherRound = false;
      isWaiting = false;
      try {
        while (!closing.signal.aborted && (await step())) {
          // The next piece of work.
        }
        tidy();
      } catch (error) {
        // The rows are as they were; the disk may have room again later.
        ports.log('storage', { kind: onlyStorageError(error).failure.kind });
        backOff();
      }
    } while (wantsAnotherRound && !closing.signal.aborted);
  }

  function wake(): void {
    timer?.cancel();
    timer = null;
    if (closing.signal.aborted) {
      return;
    }
    if (running !== null) {
      wantsAnotherRound = true;
      return;
    }
    running = run().finally(() => {
      running = null;
      if (wantsAnotherRound) {
        // Asked for between the loop's last look and now.
        wake();
        return;
      }
      if (isWaiting && !closing.signal.aborted) {
        // The time may have come since the loop looked, for timers fire a little early: it is looked at once more,
        // never forgotten.
        timer = clock.after(Math.max(1, lookAgainAtMs() - clock.uptimeMs()), wake);
      }
    });
  }

  function resume(): void {
    failuresInARow = 0;
    retryAtMs = 0;
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
      return enqueue(store.ownerId(owner), clock.now()) ? succeed(undefined) : fail({ kind: 'queueFull' });
    });
  }

  store.begin(clock.now());
  // Another's 429 may pause what is waiting already.
  rateLimit.onChange(() => {
    if (isTaking) {
      tellRateLimit();
    }
  });
  connection.onChange((state) => {
    if (state.state === 'online') {
      resume();
    }
  });
  wake();

  return {
    enqueue: (productId, isEnabled, seen) =>
      keep((ownerId, now) =>
        store.enqueue({ ownerId, productId, isEnabled, seen, isSeenFresh: connection.state().state === 'online', now }),
      ),
    restoreUser: (userId) => keep((ownerId, now) => store.enqueueRestoration({ ownerId, userId, now })),
    retry: (updateId) =>
      changing(() => (store.retry(updateId, clock.now()) ? succeed(undefined) : fail({ kind: 'notFoundHere' }))),
    discard: (updateId) =>
      changing(() => (store.discard(updateId, clock.now()) ? succeed(undefined) : fail({ kind: 'notFoundHere' }))),
    state: () => readQueueState(ports, hold, retryAtMs),
    resume,
    rest: (restMs) => {
      restUntilMs = clock.uptimeMs() + restMs;
    },
    noticeRows: () => {
      changed();
      wake();
    },
    onChange,
    close: async () => {
      closing.abort();
      timer?.cancel();
      await running;
      store.end();
    },
  };
}
