//     resting ─ask→ counting ─→ asking ─confirm→ working ─→ resting, with an outcome
//                      └──────────┴──cancel──────────────────┘
//     an outcome that gave something up ─bringBack→ working ─→ resting, with an outcome
import { createStore, type StoreApi } from 'zustand/vanilla';
import { mostUpdatesAtOnce } from '../../app/contract/limits.ts';
import type { UpdatesCounted } from '../../app/contract/queue.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../app/domain/result.ts';
import type { Wall } from '../bridge/bridge.ts';
import type { Later } from '../dom/clock.ts';

export type ManyAction = 'retry' | 'discard';

/** Bringing back is offered for so long; the queue itself allows it for longer. */
const offeredBackForMs = 10_000;
/** What was tried again, or brought back, is told for so long, in milliseconds; a failure until it has been read. */
const toldForMs = 10_000;

/** What was asked and has not been done yet. */
export interface UpdatesQuestion {
  readonly action: ManyAction;
  readonly updateIds: readonly number[];
  /** Of these, so many are not in the list that is shown. */
  readonly outside: number;
  /** Null while it is being counted. */
  readonly counted: UpdatesCounted | null;
  readonly failure: Failure | null;
}

/** How far it is. */
export interface UpdatesWork {
  readonly action: ManyAction | 'bringBack';
  readonly done: number;
  readonly of: number;
}

/** `failure`: why the rest was not done; null when nothing was left. */
export type UpdatesOutcome =
  | { readonly kind: 'retried'; readonly count: number; readonly failure: Failure | null }
  | {
      readonly kind: 'discarded';
      readonly updateIds: readonly number[];
      readonly canBringBack: boolean;
      readonly failure: Failure | null;
    }
  | { readonly kind: 'broughtBack'; readonly count: number; readonly of: number; readonly failure: Failure | null };

/**
 * 1. One work at a time.
 * 2. It goes slice by slice, and stops between two of them when a person says so; what is done stays done, and is told.
 */
export interface QueueMany {
  readonly question: UpdatesQuestion | null;
  readonly work: UpdatesWork | null;
  readonly outcome: UpdatesOutcome | null;
  readonly ask: (action: ManyAction, updateIds: readonly number[], outside: number) => Promise<void>;
  readonly cancel: () => void;
  readonly confirm: () => Promise<void>;
  /** After the slice that is under way. */
  readonly stop: () => void;
  /** These were given up just now. */
  readonly offerBack: (updateIds: readonly number[]) => void;
  readonly bringBack: () => Promise<void>;
  /** The outcome has been read; or another person is here. */
  readonly forget: () => void;
}

const nothing: UpdatesCounted = {
  pending: 0,
  retryable: 0,
  ofOthers: 0,
  conflicts: 0,
  damaged: 0,
  attempted: 0,
  gone: 0,
};

function sumOf(left: UpdatesCounted, right: UpdatesCounted): UpdatesCounted {
  return {
    pending: left.pending + right.pending,
    retryable: left.retryable + right.retryable,
    ofOthers: left.ofOthers + right.ofOthers,
    conflicts: left.conflicts + right.conflicts,
    damaged: left.damaged + right.damaged,
    attempted: left.attempted + right.attempted,
    gone: left.gone + right.gone,
  };
}

/** Opens it; `onDone` hears what should be chosen after each work. */
export function createQueueMany(
  wall: Wall,
  later: Later,
  onDone: (chosen: readonly number[]) => void,
): StoreApi<QueueMany> {
  let cancelExpiry: (() => void) | null = null;
  let isStopped = false;

  return createStore<QueueMany>((set, get) => {
    const setOutcome = (outcome: UpdatesOutcome | null): void => {
      cancelExpiry?.();
      cancelExpiry = null;
      set({ outcome });
    };

    /** Calls with slice after slice. Answers why it stopped early, or null; and what had not been asked for by then. */
    const inSlices = async (
      updateIds: readonly number[],
      call: (slice: number[]) => Promise<Result<void, Failure>>,
      tell: (done: number) => void,
    ): Promise<{ readonly failure: Failure | null; readonly left: readonly number[] }> => {
      for (let place = 0; place < updateIds.length; place += mostUpdatesAtOnce) {
        if (isStopped) {
          return { failure: { kind: 'cancelled' }, left: updateIds.slice(place) };
        }
        const answer = await call(updateIds.slice(place, place + mostUpdatesAtOnce));
        if (!answer.ok) {
          return { failure: answer.failure, left: updateIds.slice(place) };
        }
        tell(Math.min(place + mostUpdatesAtOnce, updateIds.length));
      }
      return { failure: null, left: [] };
    };

    const carryOut = async (
      action: UpdatesWork['action'],
      updateIds: readonly number[],
      call: (slice: number[]) => Promise<Result<void, Failure>>,
    ) => {
      isStopped = false;
      set({ work: { action, done: 0, of: updateIds.length } });
      const ended = await inSlices(updateIds, call, (done) => set({ work: { action, done, of: updateIds.length } }));
      set({ work: null });
      return ended;
    };

    const setOutcomeFor = (forMs: number, outcome: UpdatesOutcome, afterwards: UpdatesOutcome): void => {
      setOutcome(outcome);
      cancelExpiry = later(forMs, () => set({ outcome: outcome.failure === null ? null : afterwards }));
    };

    const offerBack = (updateIds: readonly number[], failure: Failure | null): void => {
      const outcome: UpdatesOutcome = { kind: 'discarded', updateIds, canBringBack: updateIds.length > 0, failure };
      setOutcomeFor(offeredBackForMs, outcome, { ...outcome, canBringBack: false });
    };

    const tell = (outcome: UpdatesOutcome): void => setOutcomeFor(toldForMs, outcome, outcome);

    return {
      question: null,
      work: null,
      outcome: null,
      async ask(action, updateIds, outside) {
        const question: UpdatesQuestion = { action, updateIds, outside, counted: null, failure: null };
        isStopped = false;
        setOutcome(null);
        set({ question });
        let counted = nothing;
        const { failure } = await inSlices(
          updateIds,
          async (slice) => {
            const answer = await wall.call('queue:countMany', { updateIds: slice });
            counted = answer.ok ? sumOf(counted, answer.value) : counted;
            return answer.ok ? succeed(undefined) : fail(answer.failure);
          },
          () => undefined,
        );
        if (get().question === question) {
          set({ question: failure === null ? { ...question, counted } : { ...question, failure } });
        }
      },
      cancel() {
        set({ question: null });
      },
      async confirm() {
        const { question, work } = get();
        if (question === null || work !== null) {
          return; // Invariant 1
        }
        set({ question: null });
        const { action, updateIds } = question;
        const done: number[] = [];
        let retried = 0;
        const { failure, left } = await carryOut(action, updateIds, async (slice) => {
          if (action === 'retry') {
            const answer = await wall.call('queue:retryMany', { updateIds: slice });
            retried += answer.ok ? answer.value.retried : 0;
            return answer.ok ? succeed(undefined) : fail(answer.failure);
          }
          const answer = await wall.call('queue:discardMany', { updateIds: slice });
          done.push(...(answer.ok ? answer.value.updateIds : []));
          return answer.ok ? succeed(undefined) : fail(answer.failure);
        });
        if (action === 'retry') {
          tell({ kind: 'retried', count: retried, failure });
        } else {
          offerBack(done, failure);
        }
        // What was not done stays chosen, to be tried again.
        onDone(left);
      },
      stop() {
        isStopped = true;
      },
      offerBack: (updateIds) => offerBack(updateIds, null),
      async bringBack() {
        const { outcome, work } = get();
        if (outcome?.kind !== 'discarded' || !outcome.canBringBack || work !== null) {
          return;
        }
        setOutcome(null);
        let broughtBack = 0;
        const { failure } = await carryOut('bringBack', outcome.updateIds, async (slice) => {
          const answer = await wall.call('queue:bringBack', { updateIds: slice });
          broughtBack += answer.ok ? answer.value.broughtBack : 0;
          return answer.ok ? succeed(undefined) : fail(answer.failure);
        });
        tell({ kind: 'broughtBack', count: broughtBack, of: outcome.updateIds.length, failure });
        onDone([]);
      },
      forget() {
        setOutcome(null);
        set({ question: null });
      },
    };
  });
}
