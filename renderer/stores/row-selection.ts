import type { StoreApi } from 'zustand/vanilla';
import type { Failure } from '../../app/domain/failure.ts';
import { succeed, type Result } from '../../app/domain/result.ts';
import type { MakeStore } from './make-store.ts';

/** The part of the shown list that the choice needs. */
export interface ChoosableList<Key> {
  /** So many can be chosen at once. */
  readonly max: number;
  readonly total: () => number;
  /** The row at this place: undefined when it is not here yet, null when nothing can be done with it. */
  readonly idAt: (place: number) => Key | null | undefined;
  /** The rows at these places, also of those that are not in sight, but for those with which nothing can be done. */
  readonly ids: (first: number, howMany: number) => Promise<Result<readonly Key[], Failure>>;
}

/**
 * 1. Of several ranges asked for, only the last one's answer counts.
 * 2. A range that is extended takes the place of what it was before, and leaves alone what was chosen before it began.
 * 3. Never more than the list allows are chosen; what would be more leaves the choice as it is, and is said.
 * 4. Whatever the list shows next, it is not known which of the chosen it shows until all of it has been asked for.
 */
export interface RowChoice<Key> {
  readonly chosen: ReadonlySet<Key>;
  /** Those of the chosen that the list does not show; null until that is known (invariant 4). */
  readonly outside: ReadonlySet<Key> | null;
  /** True while all that the list showed when it was asked for are chosen. */
  readonly isAll: boolean;
  /** The row that the keyboard is at; -1 before any. */
  readonly active: number;
  readonly isTooMany: boolean;
  readonly failure: Failure | null;
  /** One row, which is where the next range begins. */
  readonly toggle: (place: number) => void;
  /** From where the last one was toggled, or the keyboard was, to this row. */
  readonly extendTo: (place: number) => Promise<void>;
  /** All that the list shows, with those that are not in sight. */
  readonly chooseAll: () => Promise<void>;
  readonly choose: (ids: readonly Key[]) => void;
  readonly clear: () => void;
  readonly moveTo: (place: number) => void;
  /** The list shows something else: places mean nothing any more. */
  readonly forgetPlaces: () => void;
  /** The list may show something else at the same places. */
  readonly forgetShown: () => void;
  /** The list is there: looks which of the chosen it shows, unless that is known. */
  readonly look: () => Promise<void>;
  /** Leaves out those that the list does not show. */
  readonly keepShown: () => void;
}

function without<Key>(keys: ReadonlySet<Key>, isLeftOut: (key: Key) => boolean): ReadonlySet<Key> {
  return new Set([...keys].filter((key) => !isLeftOut(key)));
}

/** The chosen rows that are out of sight, when the list is known to show these. */
function outsideAfter<Key>(
  before: ReadonlySet<Key> | null,
  chosen: ReadonlySet<Key>,
  shown: readonly Key[],
): ReadonlySet<Key> | null {
  if (before === null || chosen.size === 0) {
    return chosen.size === 0 ? new Set() : null;
  }
  const listed = new Set(shown);
  return without(before, (id) => !chosen.has(id) || listed.has(id));
}

/** So many rows from `first` on; null when one has not been read. */
function idsRead<Key>(list: ChoosableList<Key>, first: number, howMany: number): readonly Key[] | null {
  const read = Array.from({ length: howMany }, (_unused, step) => list.idAt(first + step));
  return read.includes(undefined) ? null : read.filter((id) => id !== undefined && id !== null);
}

/** All that the list shows; null when it is over before. */
async function allIds<Key>(
  list: ChoosableList<Key>,
  isOver: () => boolean,
): Promise<Result<ReadonlySet<Key>, Failure> | null> {
  const total = list.total();
  const ids = new Set<Key>();
  for (let first = 0; first < total; first += list.max) {
    const found = await list.ids(first, Math.min(list.max, total - first));
    if (isOver() || !found.ok) {
      return isOver() || found.ok ? null : found;
    }
    found.value.forEach((id) => ids.add(id));
  }
  return succeed(ids);
}

const noneChosen = {
  chosen: new Set<never>(),
  outside: new Set<never>(),
  isAll: false,
  isTooMany: false,
  failure: null,
};

/** Opens an empty choice. */
export function createRowChoice<Key>(make: MakeStore, list: ChoosableList<Key>): StoreApi<RowChoice<Key>> {
  let asking = 0;
  let looking = 0;
  // Where a range begins, and what was chosen besides it.
  let anchor = -1;
  let besides: ReadonlySet<Key> = new Set();

  return make<RowChoice<Key>>({ end: ({ clear }) => clear() }, (set, get) => {
    /** `shown`: those of them that the list is known to show. */
    const take = (chosen: ReadonlySet<Key>, shown: readonly Key[], isAll = false): void => {
      if (chosen.size > list.max) {
        set({ isTooMany: true, failure: null });
        return;
      }
      set({ chosen, outside: outsideAfter(get().outside, chosen, shown), isAll, isTooMany: false, failure: null });
    };

    const add = async (first: number, last: number, isAll: boolean): Promise<void> => {
      asking += 1;
      const mine = asking;
      const base = besides;
      const howMany = last - first + 1;
      if (howMany > list.max) {
        set({ isTooMany: true });
        return;
      }
      const read = idsRead(list, first, howMany);
      const found = read === null ? await list.ids(first, howMany) : succeed(read);
      if (mine !== asking) {
        return; // Invariant 1
      }
      if (found.ok) {
        take(new Set([...base, ...found.value]), found.value, isAll);
      } else {
        set({ failure: found.failure });
      }
    };

    /** A range begins there; -1 ends it. */
    const beginAt = (place: number): void => {
      asking += 1;
      anchor = place;
      besides = get().chosen;
    };

    return {
      ...noneChosen,
      active: -1,
      toggle(place) {
        const id = list.idAt(place);
        set({ active: place });
        if (id !== undefined && id !== null) {
          const chosen = new Set(get().chosen);
          if (!chosen.delete(id)) {
            chosen.add(id);
          }
          take(chosen, [id]);
        }
        beginAt(place);
      },
      async extendTo(place) {
        if (anchor < 0) {
          beginAt(Math.max(0, get().active));
        }
        set({ active: place });
        await add(Math.min(anchor, place), Math.max(anchor, place), false);
      },
      async chooseAll() {
        beginAt(-1);
        if (list.total() > 0) {
          await add(0, list.total() - 1, true);
        }
      },
      choose(ids) {
        beginAt(-1);
        get().forgetShown();
        set({ outside: null });
        take(new Set(ids), []);
      },
      clear() {
        beginAt(-1);
        looking += 1;
        set(noneChosen);
      },
      moveTo(place) {
        set({ active: place });
        beginAt(place);
      },
      forgetPlaces() {
        beginAt(-1);
        get().forgetShown();
        set({ active: -1, isAll: false, isTooMany: false, failure: null });
      },
      forgetShown() {
        looking += 1;
        set({ outside: get().chosen.size === 0 ? new Set() : null });
      },
      async look() {
        if (get().outside !== null) {
          return;
        }
        looking += 1;
        const mine = looking;
        const shown = await allIds(list, () => mine !== looking);
        if (shown !== null) {
          set(shown.ok ? { outside: without(get().chosen, (id) => shown.value.has(id)) } : { failure: shown.failure });
        }
      },
      keepShown() {
        beginAt(-1);
        const { chosen, outside } = get();
        take(
          without(chosen, (id) => outside?.has(id) === true),
          [],
          get().isAll,
        );
      },
    };
  });
}
