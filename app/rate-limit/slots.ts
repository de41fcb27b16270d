// The slots of this run, and those of earlier ones by the send log; invariants B1, B2 and B9 of rate-limit.ts.
import type { Failure } from '../domain/failure.ts';
import type { Clock, Timer } from '../ports.ts';
import { onlyStorageError, unlessStorageFails } from '../storage/database.ts';
import type { ByLane, Lane } from './lanes.ts';
import { latestArrivalMs, maxWindowMs } from './rules.ts';
import type { SendLog } from './send-log.ts';

/** Rows of the log that are over go so many at a time, for each time costs a durable write. */
const forgottenAtOnce = 20;
/** A settled slot is on disk with the next request. With more than this, no later than a while after it. */
const maxSettledUnkept = 2;
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

/** One that is granted or under way. */
interface KeptSlot {
  readonly lane: Lane;
  readonly leavesByMs: number;
  /** Its row in the send log; null before its request leaves. */
  id: number | null;
}

interface EndedSlot extends KeptSlot {
  /** It counts at another account. */
  readonly isOthers?: boolean | undefined;
  /** When its request has surely arrived, or never will. */
  readonly arrivedByMs: number;
}

function countLanes(...all: readonly Iterable<{ readonly lane: Lane }>[]): ByLane {
  const held = { session: 0, person: 0, queue: 0, catalogue: 0 };
  for (const some of all) {
    for (const { lane } of some) {
      held[lane] += 1;
    }
  }
  return held;
}

/** Sees to it that what has been settled comes on disk, and costs few writes of its own. */
function createKeeper(clock: Clock, log: SendLog) {
  let timer: Timer | null = null;
  /** A crash makes so many count for some minutes more. */
  let unkept = 0;
  const keep = (): void => {
    timer?.cancel();
    timer = null;
    unkept = 0;
    unlessStorageFails(() => {
      log.keep();
    });
  };
  return {
    keep,
    noteSettled: (): void => {
      unkept += 1;
      // mutant: settled slots wait for the next request, however many they are (B2)
      if (unkept > maxSettledUnkept) {
        timer ??= clock.after(settledKeptWithinMs, keep);
      }
    },
    noteWritten: (): void => {
      unkept = 0;
    },
  };
}

/**
 * Opens the slots over their send log. A slot whose request does not leave within `leaveWithinMs` of its grant fails with
 * `timedOut`; `onEnd` is called when one has come to its end.
 */
export function openSlots(
  clock: Clock,
  log: SendLog,
  windowMsNow: () => number,
  leaveWithinMs: number,
  onEnd: () => void,
) {
  const underWay = new Set<KeptSlot>();
  /** By `arrivedByMs`, the first first: a window's are at the end, those that no window counts at the beginning. */
  const ended: EndedSlot[] = [];
  const keeper = createKeeper(clock, log);
  let isClosed = false;

  function addEnded(slot: EndedSlot): void {
    const place = ended.findLastIndex(({ arrivedByMs }) => arrivedByMs <= slot.arrivedByMs);
    ended.splice(place + 1, 0, slot);
  }

  // mutant: a window that is made longer has forgotten what came free (A1)
  function forgetOld(nowMs: number, atLeast: number): void {
    const kept = ended.findIndex(({ arrivedByMs }) => arrivedByMs + maxWindowMs > nowMs);
    const old = kept === -1 ? ended.length : kept;
    if (old >= atLeast) {
      log.forget(ended.splice(0, old).flatMap(({ id }) => id ?? []));
    }
  }

  let sentElsewhere = 0;
  const startMs = clock.uptimeMs();
  // mutant: the rate limit is forgotten at a restart (I5)
  for (const { arrivedForMs, ...slot } of log.remember(startMs)) {
    addEnded({ ...slot, leavesByMs: startMs, arrivedByMs: startMs - arrivedForMs });
  }
  unlessStorageFails(() => {
    forgetOld(startMs, 1);
  });

  /** The ended ones that count at this moment, the first free first. Asked for at every turn: a loop is the quickest. */
  function cooling(nowMs: number): EndedSlot[] {
    const afterMs = nowMs - windowMsNow();
    let first = ended.length;
    while (first > 0 && (ended[first - 1]?.arrivedByMs ?? afterMs) > afterMs) {
      first -= 1;
    }
    const counting = ended.slice(first); // B1
    // mutant: slots of another account count here (B9)
    return sentElsewhere === 0 ? counting.filter(({ isOthers }) => isOthers !== true) : counting;
  }

  function leave(slot: KeptSlot): Failure | null {
    if (isClosed) {
      return { kind: 'cancelled' };
    }
    if (slot.id !== null) {
      return null;
    }
    const nowMs = clock.uptimeMs();
    // mutant: a granted slot may leave at any time (H4)
    if (nowMs > slot.leavesByMs) {
      return { kind: 'timedOut' };
    }
    try {
      // mutant: a slot is not on the disk when its request leaves (H10)
      slot.id = log.take(slot.lane, nowMs, sentElsewhere > 0); // B2
      keeper.noteWritten();
      return null;
    } catch (error) {
      return onlyStorageError(error).failure;
    }
  }

  function end(slot: KeptSlot, isAbandoned: boolean): void {
    if (isClosed || !underWay.delete(slot)) {
      return;
    }
    const nowMs = clock.uptimeMs();
    addEnded(Object.assign(slot, { arrivedByMs: nowMs + (isAbandoned ? latestArrivalMs : 0) })); // B1
    if (slot.id !== null) {
      log.settle(slot.id, nowMs, isAbandoned);
      keeper.noteSettled();
    }
    onEnd();
  }

  return {
    /** Grants one; whoever calls it has seen that the limit allows it. */
    grant: (lane: Lane, nowMs: number): Slot => {
      const slot: KeptSlot = { lane, leavesByMs: nowMs + leaveWithinMs, id: null };
      underWay.add(slot);
      // mutant: a slot cools from its sending on (I5)
      return {
        leave: () => leave(slot),
        settle: () => {
          end(slot, false);
        },
        abandon: () => {
          end(slot, true);
        },
        giveBack: () => {
          if (!isClosed && slot.id === null && underWay.delete(slot)) {
            onEnd();
          }
        },
      };
    },
    /** Counts the slots of all accounts, and what leaves counts at all of them, until the answer is called (B9). */
    countAll: (): (() => void) => {
      sentElsewhere += 1;
      return () => {
        sentElsewhere -= 1;
        onEnd();
      };
    },
    /** How many count now. */
    heldAt: (nowMs: number): ByLane => countLanes(underWay, cooling(nowMs)),
    /** When each that counts now comes free; null for one that is granted or under way. */
    freeAtMs: (nowMs: number): readonly (number | null)[] => {
      const windowMs = windowMsNow();
      return [...Array.from(underWay, () => null), ...cooling(nowMs).map(({ arrivedByMs }) => arrivedByMs + windowMs)];
    },
    /** When the first that counts now comes free; Infinity where none is known to. */
    firstFreeAtMs: (nowMs: number): number => (cooling(nowMs)[0]?.arrivedByMs ?? Infinity) + windowMsNow(),
    /** Forgets those that no window can count any more. */
    forgetOld: (nowMs: number): void => {
      unlessStorageFails(() => {
        forgetOld(nowMs, forgottenAtOnce);
      });
    },
    close: (): void => {
      isClosed = true;
      keeper.keep();
    },
  };
}
