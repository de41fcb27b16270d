import { createStore, type StoreApi } from 'zustand/vanilla';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';

/** What the choice needs of the list that is shown. */
export interface ChoosableList<Key> {
  /** So many can be chosen at once. */
  readonly most: number;
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

/** Opens an empty choice. */
export function createRowChoice<Key>(list: ChoosableList<Key>): StoreApi<RowChoice<Key>> {
  let asking = 0;
  let looking = 0;
  // Where a range begins, and what was chosen besides it.
  let anchor = -1;
  let besides: ReadonlySet<Key> = new Set();

  return createStore<RowChoice<Key>>((set, get) => {
    /** `shown`: those of them that the list is known to show. */
    const take = (chosen: ReadonlySet<Key>, shown: readonly Key[], isAll = false): void => {
      if (chosen.size > list.most) {
        set({ isTooMany: true, failure: null });
        return;
      }
      const before = get().outside;
      const listed = new Set(shown);
      const outside =
        chosen.size === 0
          ? new Set<Key>()
          : before === null
            ? null
            : without(before, (id) => !chosen.has(id) || listed.has(id));
      set({ chosen, outside, isAll, isTooMany: false, failure: null });
    };

    const look = async (): Promise<void> => {
      looking += 1;
      const mine = looking;
      const total = list.total();
      const shown = new Set<Key>();
      for (let first = 0; first < total; first += list.most) {
        const found = await list.ids(first, Math.min(list.most, total - first));
        if (mine !== looking) {
          return;
        }
        if (!found.ok) {
          set({ failure: found.failure });
          return;
        }
        found.value.forEach((id) => shown.add(id));
      }
      set({ outside: without(get().chosen, (id) => shown.has(id)) });
    };

    const add = async (first: number, last: number, isAll: boolean): Promise<void> => {
      asking += 1;
      const mine = asking;
      const base = besides;
      const howMany = last - first + 1;
      if (howMany > list.most) {
        set({ isTooMany: true });
        return;
      }
      const inSight = Array.from({ length: howMany }, (_unused, step) => list.idAt(first + step)).filter(
        (id) => id !== undefined,
      );
      const found =
        inSight.length === howMany
          ? { ok: true as const, value: inSight.filter((id) => id !== null) }
          : await list.ids(first, howMany);
      if (mine !== asking) {
        return; // Invariant 1
      }
      if (found.ok) {
        take(new Set([...base, ...found.value]), found.value, isAll);
      } else {
        set({ failure: found.failure });
      }
    };

    const beginAt = (place: number): void => {
      asking += 1;
      anchor = place;
      besides = get().chosen;
    };

    return {
      chosen: new Set(),
      outside: new Set(),
      isAll: false,
      active: -1,
      isTooMany: false,
      failure: null,
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
        anchor = -1;
        besides = get().chosen;
        if (list.total() > 0) {
          await add(0, list.total() - 1, true);
        }
      },
      choose(ids) {
        asking += 1;
        anchor = -1;
        get().forgetShown();
        set({ outside: null });
        take(new Set(ids), []);
      },
      clear() {
        asking += 1;
        anchor = -1;
        looking += 1;
        set({ chosen: new Set(), outside: new Set(), isAll: false, isTooMany: false, failure: null });
      },
      moveTo(place) {
        set({ active: place });
        beginAt(place);
      },
      forgetPlaces() {
        asking += 1;
        anchor = -1;
        get().forgetShown();
        set({ active: -1, isAll: false, isTooMany: false, failure: null });
      },
      forgetShown() {
        looking += 1;
        set({ outside: get().chosen.size === 0 ? new Set() : null });
      },
      async look() {
        if (get().outside === null) {
          await look();
        }
      },
      keepShown() {
        asking += 1;
        anchor = -1;
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
