// Owns which rows of a list are chosen, and where the keyboard is. Chosen ones stay chosen whatever the list shows, so that a few of one
// search and a few of the next can be acted upon together. Never acts upon any.
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
 */
export interface RowChoice<Key> {
  readonly chosen: ReadonlySet<Key>;
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
}

/** Opens an empty choice. */
export function createRowChoice<Key>(list: ChoosableList<Key>): StoreApi<RowChoice<Key>> {
  let asking = 0;
  // Where a range begins, and what was chosen besides it.
  let anchor = -1;
  let besides: ReadonlySet<Key> = new Set();

  return createStore<RowChoice<Key>>((set, get) => {
    const take = (chosen: ReadonlySet<Key>, isAll = false): void => {
      set(chosen.size > list.most ? { isTooMany: true, failure: null } : { chosen, isAll, isTooMany: false, failure: null });
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
      const inSight = Array.from({ length: howMany }, (_unused, step) => list.idAt(first + step)).filter((id) => id !== undefined);
      const found = inSight.length === howMany ? { ok: true as const, value: inSight.filter((id) => id !== null) } : await list.ids(first, howMany);
      if (mine !== asking) {
        return; // Invariant 1
      }
      if (found.ok) {
        take(new Set([...base, ...found.value]), isAll);
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
          take(chosen);
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
        take(new Set(ids));
      },
      clear() {
        asking += 1;
        anchor = -1;
        set({ chosen: new Set(), isAll: false, isTooMany: false, failure: null });
      },
      moveTo(place) {
        set({ active: place });
        beginAt(place);
      },
      forgetPlaces() {
        asking += 1;
        anchor = -1;
        set({ active: -1, isAll: false, isTooMany: false, failure: null });
      },
    };
  });
}
