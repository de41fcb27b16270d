// The rate limit of 60 requests a minute (API v3 §8): who may send now, who waits, and how long a sent request counts.
//
// The problem: the platform counts arrivals, and a client knows departures. Why the plain ways fail:
// - A token bucket of 60 that refills by one a second lets 119 through within a minute.
// - A sliding window over departures is exceeded when a request that was held up arrives together with later ones.
// - A counter in memory is empty after a restart, and knows nothing of other terminals of the same account.
// - One queue for all lets the copy of a catalogue hold up a cashier's scan for minutes.
//
// So a request counts until a window after its latest possible arrival (B1), on disk (B2), and there are lanes (B3).
// The slots lie in slots.ts, who waits in waiters.ts, whose turn it is in scheduler.ts (B3 to B6, B8), what others leave of
// the limit in shared-limit.ts (B7).
//
//   free ──take──▶ granted ──leave──▶ sending ──settle (answered)──▶ cooling ──60 s──▶ free
//     ▲               │                  └──abandon──▶ 120 s ──────▶ cooling
//     └── giveBack ───┘ (never sent)
//
// Invariants, cited by the tests:
//   B1  A slot counts from before its request leaves until a whole window after its latest possible arrival; a request
//       is sent only when fewer than the limit count. An answered request has arrived. An abandoned one (time-out,
//       cancelled, connection lost) may be in the hands of a proxy or load balancer, and arrives within
//       `latestArrivalMs` of its abandonment; this is an assumption, for no document says how long one in between may
//       hold a request.
//   B2  Every slot is in the send log before its request leaves, and no sooner; a restart frees none early, and counts
//       what has no answer as abandoned at that moment. The log goes back as far as the longest window that may be set,
//       so that a window that is made longer finds what it must count. Where the log was lost with a damaged queue.db,
//       the whole limit counts from then on.
//   B9  Where the platform is set to count each OAuth client by itself, a slot counts at the account that it was sent
//       for. One from a time with another setting, or of an earlier version, counts at every account, and so does what is sent
//       while a connection of another account is tried; then all slots count.
//   B7  The pause and the shrunk part after a 429 outlast a restart and a change of the profile; only time that has
//       surely passed ends them.
//
// Why no window of the platform's sees more than the limit: take any requests that arrive within less than a window W,
// and of these the one, m, that was granted last. Another of them, r, that no longer counted then had its latest
// possible arrival W or longer before m was granted; it arrived no later than that, and m after it was granted: they
// are at least W apart. So all of them counted when m was granted, m too, and that many were allowed by the limit of
// that moment. This holds wherever the window begins, so for sliding and for fixed ones, and whatever the latencies; a
// 429, a restart or a change of the settings only moves the limit or lets a slot count for longer.
//
// It never sends anything, and never looks at what is sent.
import { createListeners } from '../domain/listeners.ts';
import type { Failure } from '../domain/failure.ts';
import type { Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Clock, Timer } from '../ports.ts';
import { createHistory, type HistoryPiece } from './history.ts';
import { defaultPurpose, usedOf, type ByLane, type Lane, type Purpose } from './lanes.ts';
import { documentedRules, type RateLimitRules } from './rules.ts';
import { unlessStorageFails } from '../storage/database.ts';
import type { SendLog } from './send-log.ts';
import { createSharing, type Refusal } from './shared-limit.ts';
import { openSlots, type Slot } from './slots.ts';
import { ownTurns, type Turns } from './turns.ts';
import { createWaiters, type Waiting } from './waiters.ts';

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
  /** Waits for a slot; a spare one for what nobody else wants (B8). Fails with `cancelled` when the signal aborts first. */
  take(lane: Lane, signal?: AbortSignal, purpose?: Purpose, isSpare?: boolean): Promise<Result<Slot, Failure>>;
  /**
   * The platform answered 429: others share the limit. Shrinks the rate limit and pauses all lanes, by default for 5 s,
   * from 1 s to 5 minutes.
   */
  slowDown(retryAfterMs?: number): void;
  /** Counts all accounts' slots together while something is sent at another account, until the answer is called (B9). */
  countAll(): () => void;
  /** The state that the last 429 left behind, as of now. */
  refusal(): Refusal;
  /** Goes on from what a 429 of another terminal left behind, as of now. */
  adopt(refusal: Refusal): void;
  /**
   * `pausedForMs`: so long the pause after a 429 lasts still; 0 when there is none. `refusedForMs`: so long ago the last
   * 429 came; infinite when nobody remembers one.
   */
  state(): {
    readonly limit: number;
    readonly used: number;
    readonly reserve: number;
    readonly pausedForMs: number;
    readonly refusedForMs: number;
  };
  read(): RateLimitReading;
  /** How long until so many background requests can have left, in milliseconds, if nothing else takes a slot. */
  forecastMs(requests: number): number;
  /** The rules have been changed: they hold from now on. */
  reconsider(): void;
  /** Products of this scope whose figures other terminals wait for: one request may answer them all. */
  readonly wantedFigures: (scope: string) => readonly Id[];
  onChange(listener: () => void): void;
  close(): void;
}

/** When no more slots count than may: after a 429 more do, and nothing leaves before those are over. */
function fittingAt(freeAtMs: readonly (number | null)[], limit: number, nowMs: number, windowMs: number): number {
  const inOrder = freeAtMs.map((time) => time ?? nowMs + windowMs).toSorted((left, right) => left - right);
  return inOrder[freeAtMs.length - limit - 1] ?? nowMs;
}

/** The part of the limit that others leave, as the log keeps it (B7). */
function openSharing(log: SendLog, startMs: number, isClosed: () => boolean) {
  let sharing = createSharing(startMs, log.readRefusal(startMs));
  const keep = (nowMs: number): void => {
    if (!isClosed()) {
      unlessStorageFails(() => {
        log.keepRefusal(sharing.note(nowMs), nowMs);
      });
    }
  };
  return {
    sharing: () => sharing,
    lastRefusal: (nowMs: number) => ({
      pausedForMs: Math.max(0, sharing.pausedUntilMs() - nowMs),
      refusedForMs: nowMs - sharing.refusedAtMs(),
    }),
    refuse: (nowMs: number, retryAfterMs: number | undefined, used: number, rules: RateLimitRules): void => {
      sharing.refuse(nowMs, retryAfterMs, used, rules);
      keep(nowMs);
    },
    adopt: (nowMs: number, refusal: Refusal): void => {
      // Another terminal may have been told to wait for less than this one was.
      // mutant: another terminal ends a pause that is longer than its own (B7)
      const pauseMs = Math.max(refusal.pauseMs, sharing.pausedUntilMs() - nowMs);
      sharing = createSharing(nowMs, { ...refusal, pauseMs });
      keep(nowMs);
    },
  };
}

/** Opens the rate limit over its send log, with the slots of an earlier run. `rulesNow` is asked each time. */
export function openRateLimit(
  clock: Clock,
  log: SendLog,
  rulesNow: () => RateLimitRules = () => documentedRules,
  turns: Turns = ownTurns,
): RateLimit {
  const { add: onChange, emit: changed } = createListeners();
  let timer: Timer | null = null;
  let isClosed = false;

  const startMs = clock.uptimeMs();
  const history = createHistory(startMs);
  const slots = openSlots(clock, log, () => rulesNow().windowMs, turns.leaveWithinMs, pump);
  const waiters = createWaiters(pump);
  const { sharing, lastRefusal, refuse, adopt } = openSharing(log, startMs, () => isClosed);

  function limitAt(nowMs: number): number {
    const rules = rulesNow();
    return sharing().part(nowMs, rules) + rules.reserve;
  }

  function grantAll(nowMs: number): void {
    const { limit: wholeLimit, reserve } = rulesNow();
    while (waiters.all().length > 0) {
      const state = { limit: limitAt(nowMs), wholeLimit, reserve, held: slots.heldAt(nowMs), nowMs };
      const waiter = turns.next(waiters.all(), state);
      if (waiter === undefined) {
        return;
      }
      waiter.answer(succeed(slots.grant(waiter.lane, nowMs)));
    }
  }

  function setTimer(nowMs: number): void {
    const nextMs = Math.min(slots.firstFreeAtMs(nowMs), sharing().changesAtMs(nowMs, rulesNow()));
    timer = nextMs === Number.POSITIVE_INFINITY ? null : clock.after(Math.max(1, nextMs - nowMs), pump);
  }

  function pump(): void {
    if (isClosed) {
      return;
    }
    timer?.cancel();
    const nowMs = clock.uptimeMs();
    // mutant: slots that count are forgotten (A1)
    slots.forgetOld(nowMs);
    if (nowMs >= sharing().pausedUntilMs()) {
      grantAll(nowMs);
    }
    history.note(nowMs, slots.heldAt(nowMs), limitAt(nowMs));
    setTimer(nowMs);
    changed();
  }

  pump();

  return {
    take: (lane, signal, purpose = defaultPurpose[lane], isSpare) => {
      if (isClosed || signal?.aborted === true) {
        return Promise.resolve(fail({ kind: 'cancelled' }));
      }
      const taken = waiters.add({ lane, purpose, sinceMs: clock.uptimeMs(), isSpare }, signal);
      pump();
      return taken;
    },
    slowDown: (retryAfterMs) => {
      const nowMs = clock.uptimeMs();
      history.refuse(nowMs);
      refuse(nowMs, retryAfterMs, usedOf(turns.used(slots.heldAt(nowMs))), rulesNow());
      turns.refused();
      pump();
    },
    countAll: slots.countAll,
    refusal: () => sharing().note(clock.uptimeMs()),
    adopt: (refusal) => {
      if (!isClosed) {
        adopt(clock.uptimeMs(), refusal);
        pump();
      }
    },
    state: () => {
      const nowMs = clock.uptimeMs();
      return {
        limit: limitAt(nowMs),
        used: usedOf(slots.heldAt(nowMs)),
        reserve: rulesNow().reserve,
        ...lastRefusal(nowMs),
      };
    },
    read: () => {
      const nowMs = clock.uptimeMs();
      return {
        rules: rulesNow(),
        limit: limitAt(nowMs),
        held: slots.heldAt(nowMs),
        waiting: waiters.all().map(({ lane, purpose, sinceMs, isSpare }) => ({ lane, purpose, sinceMs, isSpare })),
        pausedUntilMs: nowMs < sharing().pausedUntilMs() ? sharing().pausedUntilMs() : null,
        history: history.read(nowMs),
      };
    },
    forecastMs: (requests) => {
      const [nowMs, rules] = [clock.uptimeMs(), rulesNow()];
      const fittingAtMs = fittingAt(slots.freeAtMs(nowMs), limitAt(nowMs), nowMs, rules.windowMs);
      const fromMs = Math.max(nowMs, sharing().pausedUntilMs(), fittingAtMs);
      return fromMs - nowMs + sharing().forecastMs(fromMs, requests, rules);
    },
    reconsider: pump,
    wantedFigures: turns.wantedFigures,
    onChange,
    close: () => {
      isClosed = true;
      timer?.cancel();
      slots.close();
      for (const waiter of waiters.all()) {
        waiter.answer(fail({ kind: 'cancelled' }));
      }
    },
  };
}
