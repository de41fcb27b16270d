// Owns the allowance of 60 requests a minute (API v3 §8): who may send now, who waits, and how long a sent request counts.
//
//   free ──take──▶ sending ──settle──▶ cooling ──60 s──▶ free
//                     └──giveBack (never sent)──────────▶ free
//
// Invariants, cited by the tests:
//   B1  A slot is busy from before its request leaves until 60 s after its answer or abandonment. The request arrives between
//       the two, so two arrivals that share a slot are more than 60 s apart, and no window of 60 s holds more than 60.
//   B2  Every busy slot is in the send log before its request leaves; a restart frees none early.
//   B3  A background lane never takes the last slots that are kept for a person, but for one that the queue may take when it holds
//       none, for up to a hundred updates of a person go in it; a person who holds fewer than those never waits while a slot is free.
//   B4  A waiting background lane that holds less than its share goes before a person's calls beyond that.
// It never sends anything, and never looks at what is sent.
import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Clock, Timer } from '../ports.ts';
import { StorageError } from '../storage/database.ts';
import type { Lane } from './lanes.ts';
import type { SendLog } from './store.ts';

/** The platform's limit: requests in a window (API v3 §8). */
export const platformLimit = 60;
export const windowMs = 60_000;
/** Slots that background work leaves free for a scan. */
export const personReserve = 3;
const backgroundShares: Partial<Record<Lane, number>> = { queue: 4, catalogue: 2 };
const smallestLimit = 6;
const regrowMs = 5_000;
const defaultPauseMs = 5_000;
const longestPauseMs = 300_000;

/** The right to send one request. Exactly one of its two ends must be called, once. */
export interface Slot {
  /** The answer has come, or the exchange was abandoned. */
  settle(): void;
  /** Nothing was sent. */
  giveBack(): void;
}

export interface Budget {
  /** Waits for a slot. Fails with `cancelled` when the signal aborts first, or as the storage of the send log does. */
  take(lane: Lane, signal?: AbortSignal): Promise<Result<Slot, Failure>>;
  /** The platform answered 429: others share the limit. Halves the allowance and pauses all lanes, by default for 5 s. */
  slowDown(retryAfterMs?: number): void;
  state(): { readonly limit: number; readonly used: number };
  onChange(listener: () => void): void;
  close(): void;
}

interface BusySlot {
  readonly lane: Lane;
  /** When it becomes free; null while its request is under way. */
  freeAtMs: number | null;
}

interface Waiter {
  readonly lane: Lane;
  readonly answer: (result: Result<Slot, Failure>) => void;
}

// A row that could not be settled or forgotten counts for longer after a restart than it must: the safe side.
function keepOnBusy(write: () => void): void {
  try {
    write();
  } catch (error) {
    if (!(error instanceof StorageError)) {
      throw error;
    }
  }
}

/** Opens the allowance over its send log; slots that an earlier run took stay busy as long as they may count. */
export function openBudget(clock: Clock, log: SendLog): Budget {
  const busy = new Map<number, BusySlot>();
  const listeners: (() => void)[] = [];
  let waiters: Waiter[] = [];
  let limit = platformLimit;
  let pausedUntilMs = 0;
  let regrowAtMs = 0;
  let timer: Timer | null = null;
  let isClosed = false;

  const startMs = clock.uptimeMs();
  const remembered = log.remember(startMs);
  log.forget(remembered.filter((slot) => slot.settledForMs >= windowMs).map((slot) => slot.id));
  for (const { id, lane, settledForMs } of remembered) {
    if (settledForMs < windowMs) {
      busy.set(id, { lane, freeAtMs: startMs + windowMs - settledForMs });
    }
  }

  function changed(): void {
    for (const listener of listeners) {
      listener();
    }
  }

  function freeDue(nowMs: number): void {
    const due = [...busy].filter(([, slot]) => slot.freeAtMs !== null && slot.freeAtMs <= nowMs).map(([id]) => id);
    if (due.length > 0) {
      keepOnBusy(() => {
        log.forget(due);
      });
      for (const id of due) {
        busy.delete(id);
      }
    }
    while (limit < platformLimit && regrowAtMs <= nowMs) {
      limit += 1;
      regrowAtMs += regrowMs;
    }
  }

  function heldBy(lane: Lane): number {
    return [...busy.values()].filter((slot) => slot.lane === lane).length;
  }

  function owedTo(lane: Lane): number {
    return waiters.some((waiter) => waiter.lane === lane) ? Math.max(0, (backgroundShares[lane] ?? 0) - heldBy(lane)) : 0;
  }

  // B3 and B4. The most urgent waiter that may go now, or undefined.
  function nextWaiter(): Waiter | undefined {
    const free = limit - busy.size;
    const owed = owedTo('queue') + owedTo('catalogue');
    const reserve = Math.min(personReserve, limit - 1);
    const unusedReserve = Math.max(0, reserve - heldBy('person'));
    const queueReserve = heldBy('queue') === 0 ? Math.max(0, unusedReserve - 1) : unusedReserve;
    const mayGo: Record<Lane, boolean> = {
      session: free > 0,
      person: free > (heldBy('person') < reserve ? 0 : owed),
      queue: free > (owedTo('queue') > 0 ? queueReserve : reserve),
      catalogue: free > (owedTo('catalogue') > 0 ? unusedReserve : reserve),
    };
    const order: readonly Lane[] = ['session', 'person', ...(owedTo('catalogue') > 0 && owedTo('queue') === 0 ? (['catalogue', 'queue'] as const) : (['queue', 'catalogue'] as const))];
    const lane = order.find((candidate) => mayGo[candidate] && waiters.some((waiter) => waiter.lane === candidate));
    return waiters.find((waiter) => waiter.lane === lane);
  }

  function grant(waiter: Waiter, nowMs: number): void {
    let id: number;
    try {
      id = log.take(waiter.lane, nowMs); // B2
    } catch (error) {
      if (!(error instanceof StorageError)) {
        throw error;
      }
      waiter.answer(fail(error.failure));
      return;
    }
    const slot: BusySlot = { lane: waiter.lane, freeAtMs: null };
    busy.set(id, slot);
    waiter.answer(
      succeed({
        settle: () => {
          if (isClosed || slot.freeAtMs !== null) {
            return;
          }
          const settledMs = clock.uptimeMs();
          slot.freeAtMs = settledMs + windowMs; // B1
          keepOnBusy(() => {
            log.settle(id, settledMs);
          });
          pump();
        },
        giveBack: () => {
          if (isClosed || slot.freeAtMs !== null) {
            return;
          }
          slot.freeAtMs = clock.uptimeMs();
          pump();
        },
      }),
    );
  }

  function pump(): void {
    timer?.cancel();
    timer = null;
    const nowMs = clock.uptimeMs();
    freeDue(nowMs);
    if (nowMs >= pausedUntilMs) {
      for (let waiter = nextWaiter(); waiter !== undefined; waiter = nextWaiter()) {
        waiters.splice(waiters.indexOf(waiter), 1);
        grant(waiter, nowMs);
      }
    }
    const times = [...busy.values()].flatMap((slot) => slot.freeAtMs ?? []);
    if (nowMs < pausedUntilMs) {
      times.push(pausedUntilMs);
    }
    if (limit < platformLimit) {
      times.push(regrowAtMs);
    }
    if (times.length > 0) {
      timer = clock.after(Math.max(1, Math.min(...times) - nowMs), pump);
    }
    changed();
  }

  pump();

  return {
    take: (lane, signal) =>
      new Promise((resolve) => {
        if (isClosed || signal?.aborted === true) {
          resolve(fail({ kind: 'cancelled' }));
          return;
        }
        const abort = (): void => {
          waiters = waiters.filter((other) => other !== waiter);
          resolve(fail({ kind: 'cancelled' }));
          pump();
        };
        const waiter: Waiter = {
          lane,
          answer: (result) => {
            signal?.removeEventListener('abort', abort);
            resolve(result);
          },
        };
        signal?.addEventListener('abort', abort, { once: true });
        waiters.push(waiter);
        pump();
      }),
    slowDown: (retryAfterMs) => {
      const nowMs = clock.uptimeMs();
      const pauseMs = Math.min(longestPauseMs, retryAfterMs ?? defaultPauseMs);
      if (nowMs >= pausedUntilMs) {
        limit = Math.max(smallestLimit, Math.floor(limit / 2));
      }
      pausedUntilMs = Math.max(pausedUntilMs, nowMs + pauseMs);
      regrowAtMs = pausedUntilMs + regrowMs;
      pump();
    },
    state: () => ({ limit, used: busy.size }),
    onChange: (listener) => {
      listeners.push(listener);
    },
    close: () => {
      isClosed = true;
      timer?.cancel();
      for (const waiter of waiters) {
        waiter.answer(fail({ kind: 'cancelled' }));
      }
      waiters = [];
    },
  };
}
