// The rate limit of 60 requests a minute (API v3 §8): who may send now, who waits, and how long a sent request counts. Whose turn it is lies in scheduler.ts (B3 to B6), what others leave of the limit in shared-limit.ts.
//
//   free ──take──▶ granted ──leave──▶ sending ──settle (answered)──▶ cooling ──60 s──▶ free
//     ▲               │                  └──abandon──▶ 120 s ──────▶ cooling
//     └── giveBack ───┘ (never sent)
//
// Invariants, cited by the tests:
//   B1  A slot counts from before its request leaves until a whole window after its latest possible arrival; a request is sent only when
//       fewer than the limit count. An answered request has arrived. An abandoned one (time-out, cancelled, connection lost) may be in
//       the hands of a proxy or load balancer, and arrives within `latestArrivalMs` of its abandonment; this is an assumption, for
//       no document says how long one in between may hold a request.
//   B2  Every slot is in the send log before its request leaves, and no sooner; a restart frees none early, and counts what has no answer as
//       abandoned at that moment. The log goes back as far as the longest window that may be set, so that a window that is made longer
//       finds what it must count. Where the log was lost with a damaged queue.db, the whole limit counts from then on.
//   B7  The pause and the shrunk part after a 429 outlast a restart and a change of the profile; only time that has surely passed ends them.
//
// Why no window of the platform's sees more than the limit: take any requests that arrive within less than a window W, and of these the
// one, m, that was granted last. Another of them, r, that no longer counted then had its latest possible arrival W or longer before m was
// granted; it arrived no later than that, and m after it was granted: they are at least W apart. So all of them counted when m was
// granted, m too, and that many were allowed by the limit of that moment. This holds wherever the window begins, so for sliding and for
// fixed ones, and whatever the latencies; a 429, a restart or a change of the settings only moves the limit or lets a slot count for longer.
//
// It never sends anything, and never looks at what is sent.
import { createListeners } from '../domain/listeners.ts';
import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Clock, Timer } from '../ports.ts';
import { onlyStorageError } from '../storage/database.ts';
import { createHistory, type HistoryPiece } from './history.ts';
import { defaultPurpose, type ByLane, type Lane, type Purpose } from './lanes.ts';
import { documentedRules, latestArrivalMs, maxWindowMs, type RateLimitRules } from './rules.ts';
import { createSharing } from './shared-limit.ts';
import type { SendLog } from './send-log.ts';
import { nextInTurn, usedOf, type Turn } from './scheduler.ts';

const defaultPauseMs = 5_000;
const shortestPauseMs = 1_000;
const maxPauseMs = 300_000;
/** Rows of the log that are over go so many at a time, for each time costs a durable write. */
const forgottenAtOnce = 20;
/** What has been settled is on disk after this long at most, or with the next request. */
const settledKeptWithinMs = 5_000;

/** The right to send one request. One of its ends must be called; whatever is called after an end does nothing. */
export interface Slot {
  /**
   * The first byte is about to leave; the slot is on disk when this returns. Answers a failure of the storage, and then
   * nothing may be sent.
   */
  leave(): Failure | null;
  /** The answer has come. */
  settle(): void;
  /** The request has left and has no answer: it may still arrive. */
  abandon(): void;
  /** Nothing was sent; does nothing once the request has left. */
  giveBack(): void;
}

/** Who waits for a slot, and since which uptime, in milliseconds. */
export interface Waiting extends Turn {
  readonly purpose: Purpose;
}

/** All that a screen shows of the rate limit; times are uptimes in milliseconds. */
export interface RateLimitReading {
  readonly rules: RateLimitRules;
  readonly limit: number;
  readonly held: ByLane;
  /** In the order in which they came. */
  readonly waiting: readonly Waiting[];
  /** When the pause after a 429 ends; null when there is none. */
  readonly pausedUntilMs: number | null;
  /** The last ten minutes; see history.ts. */
  readonly history: readonly HistoryPiece[];
}

export interface RateLimit {
  /** Waits for a slot. Fails with `cancelled` when the signal aborts first. */
  take(lane: Lane, signal?: AbortSignal, purpose?: Purpose): Promise<Result<Slot, Failure>>;
  /**
   * The platform answered 429: others share the limit. Shrinks the rate limit and pauses all lanes, by default for 5 s,
   * from 1 s to 5 minutes.
   */
  slowDown(retryAfterMs?: number): void;
  /** `pausedForMs`: so long the pause after a 429 lasts still; 0 when there is none. */
  state(): { readonly limit: number; readonly used: number; readonly reserve: number; readonly pausedForMs: number };
  read(): RateLimitReading;
  /**
   * How long until so many more background requests can have left, in milliseconds, if nobody else takes a slot and no
   * further 429 comes.
   */
  forecastMs(requests: number): number;
  /** The rules have been changed: they hold from now on. */
  reconsider(): void;
  onChange(listener: () => void): void;
  close(): void;
}

interface KeptSlot {
  readonly lane: Lane;
  /** Its row in the send log; null before its request leaves. */
  id: number | null;
  /** When its request has surely arrived, or never will; null while it is granted or under way. */
  arrivedByMs: number | null;
}

interface Waiter extends Waiting {
  readonly answer: (result: Result<Slot, Failure>) => void;
}

// A row that could not be settled or forgotten counts for longer after a restart than it must: the safe side.
function keepOnBusy(write: () => void): void {
  try {
    write();
  } catch (error) {
    onlyStorageError(error);
  }
}

/**
 * Opens the rate limit over its send log; slots that an earlier run took count as long as they may. `rulesNow` is asked
 * each time.
 */
export function openRateLimit(
  clock: Clock,
  log: SendLog,
  rulesNow: () => RateLimitRules = () => documentedRules,
): RateLimit {
  const slots = new Set<KeptSlot>();
  const { add: onChange, emit: changed } = createListeners();
  let waiters: readonly Waiter[] = [];
  let timer: Timer | null = null;
  let keepTimer: Timer | null = null;
  let isClosed = false;

  const startMs = clock.uptimeMs();
  const history = createHistory(startMs);
  const remembered = log.remember(startMs);
  const over = remembered.filter((slot) => slot.arrivedForMs >= maxWindowMs).map((slot) => slot.id);
  if (over.length > 0) {
    log.forget(over);
  }
  for (const { id, lane, arrivedForMs } of remembered) {
    if (arrivedForMs < maxWindowMs) {
      slots.add({ id, lane, arrivedByMs: startMs - arrivedForMs });
    }
  }
  const refusal = log.readRefusal(startMs); // B7
  const sharing = createSharing(startMs, refusal?.sharing ?? null);
  let pausedUntilMs = startMs + Math.min(maxPauseMs, refusal?.pauseMs ?? 0);

  function limitAt(nowMs: number): number {
    const rules = rulesNow();
    return sharing.part(nowMs, rules) + rules.reserve;
  }

  function doesCount({ arrivedByMs }: KeptSlot, nowMs: number): boolean {
    return arrivedByMs === null || arrivedByMs + rulesNow().windowMs > nowMs; // B1
  }

  function heldAt(nowMs: number): ByLane {
    const held = { session: 0, person: 0, queue: 0, catalogue: 0 };
    for (const slot of slots) {
      held[slot.lane] += doesCount(slot, nowMs) ? 1 : 0;
    }
    return held;
  }

  function forgetOld(nowMs: number): void {
    const old = [...slots].filter(({ arrivedByMs }) => arrivedByMs !== null && arrivedByMs + maxWindowMs <= nowMs);
    if (old.length >= forgottenAtOnce) {
      keepOnBusy(() => {
        log.forget(old.flatMap(({ id }) => id ?? []));
      });
      for (const slot of old) {
        slots.delete(slot);
      }
    }
  }

  function keepSettled(): void {
    keepTimer = null;
    keepOnBusy(() => {
      log.keep();
    });
  }

  function leave(slot: KeptSlot): Failure | null {
    if (isClosed) {
      return { kind: 'cancelled' };
    }
    try {
      slot.id ??= log.take(slot.lane, clock.uptimeMs()); // B2
      return null;
    } catch (error) {
      return onlyStorageError(error).failure;
    }
  }

  function end(slot: KeptSlot, isAbandoned: boolean): void {
    if (isClosed || slot.arrivedByMs !== null || !slots.has(slot)) {
      return;
    }
    const nowMs = clock.uptimeMs();
    slot.arrivedByMs = nowMs + (isAbandoned ? latestArrivalMs : 0); // B1
    if (slot.id !== null) {
      log.settle(slot.id, nowMs, isAbandoned);
      keepTimer ??= clock.after(settledKeptWithinMs, keepSettled);
    }
    pump();
  }

  function grant({ lane, answer }: Waiter): void {
    const slot: KeptSlot = { lane, id: null, arrivedByMs: null };
    slots.add(slot);
    answer(
      succeed({
        leave: () => leave(slot),
        settle: () => {
          end(slot, false);
        },
        abandon: () => {
          end(slot, true);
        },
        giveBack: () => {
          if (!isClosed && slot.id === null && slots.delete(slot)) {
            pump();
          }
        },
      }),
    );
  }

  function grantAll(nowMs: number): void {
    const next = (): Waiter | undefined =>
      nextInTurn(waiters, {
        limit: limitAt(nowMs),
        wholeLimit: rulesNow().limit,
        reserve: rulesNow().reserve,
        held: heldAt(nowMs),
        nowMs,
      });
    for (let waiter = next(); waiter !== undefined; waiter = next()) {
      const granted = waiter;
      waiters = waiters.filter((other) => other !== granted);
      grant(granted);
    }
  }

  function setTimer(nowMs: number): void {
    const rules = rulesNow();
    const times = [...slots].flatMap((slot) =>
      slot.arrivedByMs !== null && doesCount(slot, nowMs) ? slot.arrivedByMs + rules.windowMs : [],
    );
    if (nowMs < pausedUntilMs) {
      times.push(pausedUntilMs);
    }
    times.push(sharing.grownAtMs(nowMs, rules) ?? Number.POSITIVE_INFINITY);
    const nextMs = Math.min(...times);
    timer = nextMs === Number.POSITIVE_INFINITY ? null : clock.after(Math.max(1, nextMs - nowMs), pump);
  }

  function pump(): void {
    timer?.cancel();
    const nowMs = clock.uptimeMs();
    forgetOld(nowMs);
    if (nowMs >= pausedUntilMs) {
      grantAll(nowMs);
    }
    history.note(nowMs, heldAt(nowMs), limitAt(nowMs));
    setTimer(nowMs);
    changed();
  }

  pump();

  return {
    take: (lane, signal, purpose = defaultPurpose[lane]) =>
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
          purpose,
          sinceMs: clock.uptimeMs(),
          answer: (result) => {
            signal?.removeEventListener('abort', abort);
            resolve(result);
          },
        };
        signal?.addEventListener('abort', abort, { once: true });
        waiters = [...waiters, waiter];
        pump();
      }),
    slowDown: (retryAfterMs) => {
      const nowMs = clock.uptimeMs();
      const isAnother = nowMs >= pausedUntilMs;
      pausedUntilMs = Math.max(
        pausedUntilMs,
        nowMs + Math.min(maxPauseMs, Math.max(shortestPauseMs, retryAfterMs ?? defaultPauseMs)),
      );
      history.refuse(nowMs);
      // Several that were under way together are one.
      if (isAnother) {
        sharing.refuse(nowMs, pausedUntilMs, usedOf(heldAt(nowMs)), rulesNow());
      }
      if (!isClosed) {
        keepOnBusy(() => {
          log.keepRefusal({ pauseMs: pausedUntilMs - nowMs, sharing: sharing.note(nowMs) }, nowMs);
        });
      }
      pump();
    },
    state: () => {
      const nowMs = clock.uptimeMs();
      return {
        limit: limitAt(nowMs),
        used: usedOf(heldAt(nowMs)),
        reserve: rulesNow().reserve,
        pausedForMs: Math.max(0, pausedUntilMs - nowMs),
      };
    },
    read: () => {
      const nowMs = clock.uptimeMs();
      return {
        rules: rulesNow(),
        limit: limitAt(nowMs),
        held: heldAt(nowMs),
        waiting: waiters.map(({ lane, purpose, sinceMs }) => ({ lane, purpose, sinceMs })),
        pausedUntilMs: nowMs < pausedUntilMs ? pausedUntilMs : null,
        history: history.read(nowMs),
      };
    },
    forecastMs: (requests) => {
      const nowMs = clock.uptimeMs();
      const rules = rulesNow();
      // After a 429 more slots count than may: nothing leaves before those are over.
      const tooMany = usedOf(heldAt(nowMs)) - limitAt(nowMs);
      const overMs = [...slots]
        .filter((slot) => doesCount(slot, nowMs))
        .map(({ arrivedByMs }) => (arrivedByMs ?? nowMs) + rules.windowMs);
      const fromMs = Math.max(
        nowMs,
        pausedUntilMs,
        tooMany > 0 ? (overMs.toSorted((left, right) => left - right)[tooMany - 1] ?? nowMs) : nowMs,
      );
      return fromMs - nowMs + sharing.forecastMs(fromMs, requests, rules);
    },
    reconsider: () => {
      if (!isClosed) {
        pump();
      }
    },
    onChange,
    close: () => {
      isClosed = true;
      timer?.cancel();
      keepTimer?.cancel();
      keepSettled();
      const left = waiters;
      waiters = [];
      for (const waiter of left) {
        waiter.answer(fail({ kind: 'cancelled' }));
      }
    },
  };
}
