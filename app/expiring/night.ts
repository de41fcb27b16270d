// Asking for batches at night, one product after another, from what the rate limit has left over:
//
//   off ──switched on──▶ looking ──nothing stands against it──▶ asking ──answer──▶ looking …
//                          └──something does──▶ resting ──a while later──▶ looking
//
//   N1  It asks only at night, signed in, online, with a complete copy that has nothing to do, while no update waits to
//       be sent and no person has sent anything in this window; and what it asks is spare (B8 of app/rate-limit).
//   N2  What stands against it is looked at again while a request is under way, and once more when its slot is granted,
//       for the night may be over by then: one that waits for a slot is given up, unsent, and one that has left is not
//       repeated, neither with a renewed token nor after a 429.
//   N3  After a 429, of whatever request, it rests for a quarter of an hour; after any other failure for five minutes.
//   N4  A product that the platform does not have, or answers for in no readable way, counts as asked for. Days of it
//       that are known stay, for a listing still has it; then it is asked for again on the next day. One that fails in
//       another way goes behind all others, which it does not hold up.
import type { NightState } from '../contract/expiring.ts';
import type { ProductBatches } from '../contract/batches.ts';
import type { CatalogueState } from '../contract/terminal-state.ts';
import { goingOf } from '../contract/waiting.ts';
import type { Failure, FailureKind } from '../domain/failure.ts';
import { isWithinHours, type DailyHours } from '../domain/hours.ts';
import type { Result } from '../domain/result.ts';
import type { Clock, Timer } from '../ports.ts';
import { onlyStorageError } from '../storage/database.ts';
import type { Place } from './repository.ts';

const hourMs = 3_600_000;
/** An obstacle is looked at again so often. */
const restMs = 30_000;
const stalledRestMs = 5_000;
// mutant: after a 429 batches are asked for at once (I22)
const refusedRestMs = 15 * 60_000;
const failedRestMs = 5 * 60_000;
/** When nothing is left to be asked for, the copy is looked through again after this. */
const doneRestMs = hourMs;

/** The circumstances that asking depends on; each as it is now. */
export interface Circumstances {
  readonly isSafeMode: boolean;
  readonly isSignedIn: boolean;
  readonly isOnline: boolean;
  /** All stocks are complete, and nothing is being read or due. */
  readonly isCopyAtRest: boolean;
  /** Somebody waits for a slot, a person has used one in this window, or an update waits to be sent. */
  readonly isBusy: boolean;
  /** How long ago the last 429 came, in milliseconds; infinite when nobody remembers one. */
  readonly refusedForMs: number;
}

/** The figures of the rate limit that the night reads. */
interface Slots {
  readonly held: { readonly person: number };
  readonly waiting: readonly { readonly isSpare?: boolean | undefined }[];
}

/** N1 */
export function areOthersBusy({ held, waiting }: Slots, queue: Parameters<typeof goingOf>[0]): boolean {
  return held.person > 0 || goingOf(queue) > 0 || waiting.some(({ isSpare }) => isSpare !== true);
}

/** N1 */
export function doesCopyRest({ phase, plan }: CatalogueState, now: number): boolean {
  const isDue = plan.nextListing?.why === 'now' || (plan.nextChangesAt ?? Infinity) <= now;
  return phase === 'complete' && !isDue;
}

/** A product to be asked for; `askedAt` is when it was before, or null. */
export interface Planned extends Place {
  readonly askedAt: number | null;
}

/** Whether batches are asked for, and between which hours by this machine's local time. */
export interface Asking extends DailyHours {
  readonly isOn: boolean;
}

export interface NightPorts {
  readonly clock: Clock;
  readonly asking: () => Asking;
  /** This machine's offset from UTC at a moment, in minutes. */
  readonly offsetMinutes: (at: number) => number;
  readonly circumstances: () => Circumstances;
  /** The products to be asked for, most likely first; null when it was closed. Throws StorageError. */
  readonly plan: () => Promise<readonly Planned[] | null>;
  /** Whether what was planned is still worth asking. Throws StorageError. */
  readonly isWanted: (place: Planned) => Promise<boolean>;
  /**
   * The request; when the signal aborts, it is given up while it waits for a slot, and not repeated once it has left.
   * `onLeaving` is called when the slot is granted, and may still abort it.
   */
  readonly ask: (
    place: Place,
    whileWanted: AbortSignal,
    onLeaving: () => void,
  ) => Promise<Result<ProductBatches, Failure>>;
  /** Keeps what came; null for a product without an answer (N4). Throws StorageError. */
  readonly keep: (place: Place, batches: ProductBatches | null) => Promise<void>;
  readonly log: (message: string, details?: Readonly<Record<string, unknown>>) => void;
}

/** Of these, nothing can be learnt by asking for the same product again soon. */
const unanswerable: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'notFound',
  'unprocessable',
  'badRequest',
  'answerMalformed',
  'answerTooLarge',
]);
/** These may be of one product alone. */
const perhapsUnanswerable: ReadonlySet<FailureKind> = new Set<FailureKind>([
  'platformFailed',
  'timedOut',
  'forbidden',
  'refused',
]);

type Against = Exclude<NightState, 'asking' | 'done'>;

/** N1; null when nothing stands against it. `held`: why it rests after a failure of its own. */
function whatStandsAgainst(
  asking: Asking,
  now: number,
  { offsetMinutes, circumstances }: Pick<NightPorts, 'offsetMinutes' | 'circumstances'>,
  held: Against | null,
): Against | null {
  if (!asking.isOn) {
    return 'off';
  }
  // mutant: batches are asked for by day (I22)
  if (!isWithinHours(now, asking, offsetMinutes(now))) {
    return 'day';
  }
  const { isSafeMode, isSignedIn, isOnline, isCopyAtRest, isBusy, refusedForMs } = circumstances();
  const reasons = [
    [isSafeMode, 'safeMode'],
    [!isSignedIn, 'signedOut'],
    [!isOnline, 'offline'],
    [held !== null, held],
    [refusedForMs < refusedRestMs, 'refused'], // N3
    [!isCopyAtRest, 'copy'],
    [isBusy, 'busy'],
  ] as const;
  return reasons.find(([stands]) => stands)?.[1] ?? null;
}

/** Begins to ask by itself, when it is switched on. */
export function createNight(ports: NightPorts) {
  const { clock, log } = ports;
  let timer: Timer | null = null;
  let isWorking = false;
  let isClosed = false;
  let left: Planned[] = [];
  let doneAtMs: number | null = null;
  let heldUntilMs = 0;
  /** A request came to nothing: the next one does not follow at once. */
  let hasStalled = false;
  let hold: 'refused' | 'failed' = 'failed';
  /** Of the request that is under way. */
  let asked: AbortController | null = null;

  function against(): Against | null {
    const [now, asking] = [clock.now(), ports.asking()];
    const isHeld = clock.uptimeMs() < heldUntilMs;
    return isClosed ? 'off' : whatStandsAgainst(asking, now, ports, isHeld ? hold : null);
  }

  function rest(forMs: number, why: 'refused' | 'failed'): void {
    [heldUntilMs, hold] = [clock.uptimeMs() + forMs, why];
  }

  async function noteFailure(place: Planned, { kind }: Failure): Promise<void> {
    if (unanswerable.has(kind)) {
      await ports.keep(place, null); // N4
      return;
    }
    left = perhapsUnanswerable.has(kind) ? [...left, place] : [place, ...left];
    hasStalled = true;
    if (kind === 'tooManyRequests') {
      rest(refusedRestMs, 'refused');
    } else if (kind !== 'cancelled') {
      log('batches cannot be asked for', { kind });
      rest(failedRestMs, 'failed');
    }
  }

  async function askFor(place: Planned): Promise<void> {
    const controller = new AbortController();
    asked = controller;
    // mutant: a request for batches whose night ends while it waits leaves all the same (I22)
    const answer = await ports.ask(place, controller.signal, noticeOthers);
    asked = null;
    if (answer.ok) {
      await ports.keep(place, answer.value);
    } else {
      await noteFailure(place, answer.failure);
    }
  }

  async function work(): Promise<void> {
    if (left.length === 0) {
      left = [...((await ports.plan()) ?? [])];
      doneAtMs = left.length === 0 ? clock.uptimeMs() : null;
    }
    // The plan took its time.
    if (against() !== null) {
      return;
    }
    const place = left.shift();
    if (place !== undefined && (await ports.isWanted(place))) {
      await askFor(place);
    }
  }

  function noticeOthers(): void {
    if (asked !== null && against() !== null) {
      // mutant: a request for batches that waits is not given up when a person comes (I22)
      asked.abort(); // N2
    }
  }

  function isDone(): boolean {
    return left.length === 0 && doneAtMs !== null && clock.uptimeMs() - doneAtMs < doneRestMs;
  }

  function look(): void {
    timer?.cancel();
    timer = null;
    const why = against();
    if (isWorking || why === 'off') {
      return;
    }
    if (why !== null || isDone()) {
      timer = clock.after(restMs, look);
      return;
    }
    isWorking = true;
    hasStalled = false;
    work()
      .catch((error: unknown) => {
        log('batches.db failed', { kind: onlyStorageError(error).failure.kind });
        rest(failedRestMs, 'failed');
      })
      .finally(() => {
        isWorking = false;
        timer = clock.after(hasStalled ? stalledRestMs : 0, look);
      });
  }

  return {
    /** Why nothing is asked for just now, or that it is. */
    state: (): NightState => against() ?? (isDone() ? 'done' : 'asking'),
    /** The settings may have changed: it looks at once. */
    reconsider: () => {
      noticeOthers();
      look();
    },
    /** Something that stands against it may have come (N2). */
    noticeOthers,
    close: () => {
      isClosed = true;
      timer?.cancel();
      asked?.abort();
    },
  };
}
