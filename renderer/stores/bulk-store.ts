//     resting ─ask→ counting ─→ asking ─confirm→ working ─→ resting, with an outcome
//                      └──────────┴──cancel──────────────→ resting
//     an outcome that can be undone ─undo→ working ─→ resting, with an outcome
import type { StoreApi } from 'zustand/vanilla';
import { maxUpdatesAtOnce } from '../../app/contract/limits/queue.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import type { Later } from '../dom/clock.ts';
import type { MakeStore } from './make-store.ts';

/** An outcome is shown for so long, in milliseconds, and can be undone meanwhile; a failure is shown until it is read. */
const shownForMs = 10_000;

/** The outcome of one slice. */
export interface SliceDone {
  readonly count: number;
  /** Updates that can be undone. */
  readonly updateIds?: readonly number[];
  /** When undoing: had left already. */
  readonly sent?: number;
  /** Why not all of the slice was done. */
  readonly failure?: Failure | null;
  /** In the place of the default. */
  readonly shownForMs?: number;
}

/** A feature's calls for one slice each, and how it differs. */
export interface BulkFeature<Key, Action extends string, Counted> {
  readonly count: (action: Action, slice: Key[]) => Promise<Result<Counted, Failure>>;
  readonly sum: (left: Counted, right: Counted) => Counted;
  readonly perform: (
    action: Action,
    slice: Key[],
    counted: Counted,
    isFirst: boolean,
  ) => Promise<Result<SliceDone, Failure>>;
  readonly undo: (slice: number[], isLast: boolean) => Promise<Result<SliceDone, Failure>>;
  /**
   * The question stays until the work has ended, or nothing of it could be done; the outcome stays while it is undone,
   * and what is undone is chosen again.
   */
  readonly keepsPlace: boolean;
}

/** An action that was asked for and has not been done yet. */
export interface BulkQuestion<Key, Action, Counted> {
  readonly action: Action;
  readonly keys: readonly Key[];
  /** Of these, so many are not in the list that is shown. */
  readonly outside: number;
  /** Null while it is being counted. */
  readonly counted: Counted | null;
  readonly failure: Failure | null;
}

/** `failure`: why the rest was not done; null when nothing was left. */
export interface BulkOutcome<Key, Action> {
  readonly action: Action | 'undo';
  readonly keys: readonly Key[];
  readonly of: number;
  readonly count: number;
  readonly sent: number;
  readonly updateIds: readonly number[];
  readonly canUndo: boolean;
  readonly failure: Failure | null;
}

/**
 * 1. One work at a time.
 * 2. It goes slice by slice, and stops between two of them when a person says so; what is done stays done, and is shown.
 */
export interface Bulk<Key, Action, Counted> {
  readonly question: BulkQuestion<Key, Action, Counted> | null;
  /** How far it is. */
  readonly work: { readonly action: Action | 'undo'; readonly done: number; readonly of: number } | null;
  readonly outcome: BulkOutcome<Key, Action> | null;
  readonly ask: (action: Action, keys: readonly Key[], outside: number) => Promise<void>;
  readonly cancel: () => void;
  readonly confirm: () => Promise<void>;
  /** After the slice that is under way. */
  readonly stop: () => void;
  /** This was done just now, elsewhere. */
  readonly offerUndo: (action: Action, updateIds: readonly number[]) => void;
  readonly undo: () => Promise<void>;
  /** The outcome has been read. */
  readonly forget: () => void;
}

interface SlicesDone<Item> {
  /** Why it ended early; null when all is done. */
  readonly failure: Failure | null;
  readonly left: readonly Item[];
}

async function inSlices<Item>(
  items: readonly Item[],
  isOver: () => boolean,
  call: (slice: Item[], place: number) => Promise<Failure | null>,
): Promise<SlicesDone<Item>> {
  for (let place = 0; place < items.length; place += maxUpdatesAtOnce) {
    const failure: Failure | null = isOver()
      ? { kind: 'cancelled' }
      : await call(items.slice(place, place + maxUpdatesAtOnce), place);
    if (failure !== null) {
      return { failure, left: items.slice(place) };
    }
  }
  return { failure: null, left: [] };
}

/** The same, adding up what the slices did; `show` hears after each how many items are done. */
async function sumSlices<Item>(
  items: readonly Item[],
  isOver: () => boolean,
  call: (slice: Item[], place: number) => Promise<Result<SliceDone, Failure>>,
  show: (done: number) => void,
) {
  const updateIds: number[] = [];
  let [count, sent, forMs] = [0, 0, shownForMs];
  const ended = await inSlices(items, isOver, async (slice, place) => {
    const answer = await call(slice, place);
    if (!answer.ok) {
      return answer.failure;
    }
    const done = answer.value;
    count += done.count;
    sent += done.sent ?? 0;
    updateIds.push(...(done.updateIds ?? []));
    forMs = done.shownForMs ?? forMs;
    show(place + slice.length);
    return done.failure ?? null;
  });
  return { ...ended, count, sent, updateIds, forMs };
}

/** Opens it; `onDone` hears what should be chosen after each work. */
export function createBulk<Key, Action extends string, Counted>(
  make: MakeStore,
  feature: BulkFeature<Key, Action, Counted>,
  later: Later,
  onDone: (chosen: readonly Key[]) => void,
): StoreApi<Bulk<Key, Action, Counted>> {
  let cancelExpiry: (() => void) | null = null;
  let isStopped = false;

  const end = ({ stop, forget }: Bulk<Key, Action, Counted>): void => {
    stop();
    forget();
  };

  return make<Bulk<Key, Action, Counted>>({ end, keeps: ['work'] }, (set, get, visit) => {
    const setOutcome = (outcome: BulkOutcome<Key, Action> | null): void => {
      cancelExpiry?.();
      cancelExpiry = null;
      set({ outcome });
    };

    const showOutcome = (outcome: BulkOutcome<Key, Action>, forMs = shownForMs): void => {
      setOutcome(outcome);
      cancelExpiry = later(forMs, () =>
        set({ outcome: outcome.failure === null ? null : { ...outcome, canUndo: false } }),
      );
    };

    /** Null when another person is here by the end. */
    const carryOut = async <Item>(
      action: Action | 'undo',
      items: readonly Item[],
      call: (slice: Item[], place: number) => Promise<Result<SliceDone, Failure>>,
    ) => {
      const isStillHere = visit();
      const of = items.length;
      const show = (done: number): void => set({ work: { action, done, of } });
      isStopped = false;
      show(0);
      const { left, forMs, ...sum } = await sumSlices(items, () => isStopped, call, show);
      set({ work: null });
      return isStillHere() ? { outcome: { action, of, ...sum, canUndo: sum.updateIds.length > 0 }, left, forMs } : null;
    };

    return {
      question: null,
      work: null,
      outcome: null,
      async ask(action, keys, outside) {
        const question = { action, keys, outside, counted: null, failure: null };
        setOutcome(null);
        set({ question });
        let counted: Counted | null = null;
        const isOver = (): boolean => get().question !== question;
        const { failure } = await inSlices(keys, isOver, async (slice) => {
          const answer = await feature.count(action, slice);
          if (!answer.ok) {
            return answer.failure;
          }
          counted = counted === null ? answer.value : feature.sum(counted, answer.value);
          return null;
        });
        if (!isOver()) {
          set({ question: failure === null ? { ...question, counted } : { ...question, failure } });
        }
      },
      cancel() {
        if (get().work === null) {
          set({ question: null });
        }
      },
      async confirm() {
        const { question, work } = get();
        if (question === null || question.counted === null || work !== null) {
          return; // Invariant 1
        }
        const { action, keys, counted } = question;
        set({ question: feature.keepsPlace ? { ...question, failure: null } : null });
        const done = await carryOut(action, keys, (slice, place) =>
          feature.perform(action, slice, counted, place === 0),
        );
        if (done === null) {
          return;
        }
        const { outcome, left, forMs } = done;
        if (feature.keepsPlace && outcome.count === 0 && outcome.failure !== null) {
          set({ question: { ...question, failure: outcome.failure } });
          return;
        }
        set({ question: null });
        showOutcome({ ...outcome, keys }, forMs);
        // Rows that were not done stay chosen, to be tried again.
        onDone(left);
      },
      stop() {
        isStopped = true;
      },
      offerUndo(action, updateIds) {
        const { length } = updateIds;
        showOutcome({ action, keys: [], of: length, count: length, sent: 0, updateIds, canUndo: true, failure: null });
      },
      async undo() {
        const { outcome, work } = get();
        if (outcome?.canUndo !== true || work !== null) {
          return;
        }
        setOutcome(feature.keepsPlace ? outcome : null);
        const undone = await carryOut('undo', outcome.updateIds, (slice, place) =>
          feature.undo(slice, place + slice.length === outcome.updateIds.length),
        );
        if (undone !== null) {
          showOutcome({ ...undone.outcome, keys: outcome.keys });
          onDone(feature.keepsPlace && undone.outcome.failure === null ? outcome.keys : []);
        }
      },
      forget: () => setOutcome(null),
    };
  });
}
