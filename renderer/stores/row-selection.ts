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
  /** The same, also of a row with which nothing can be done; absent where there is none. */
  readonly keyAt?: (place: number) => Key | null | undefined;
  /** The rows at these places, also of those that are not in sight, but for those with which nothing can be done. */
  readonly ids: (first: number, howMany: number) => Promise<Result<readonly Key[], Failure>>;
}

/**
 * 1. Of several ranges asked for, only the last one's answer counts.
 * 2. A range that is extended takes the place of what it was before, and leaves alone what was chosen before it began.
 * 3. Never more than the list allows are chosen; what would be more leaves the choice as it is, and is said.
 * 4. Whatever the list shows next, it is not known which of the chosen it shows until all of it has been asked for.
 * 5. A range begins at a row, not at a place, and the keyboard stays at its row, wherever the list shows it by now. A
 *    range whose first row the list does not show any more begins at the row that it is extended to.
 */
export interface RowChoice<Key> {
  readonly chosen: ReadonlySet<Key>;
  /** Those of the chosen that the list does not show; null until that is known (invariant 4). */
  readonly outside: ReadonlySet<Key> | null;
  /** True while all that the list showed when it was asked for are chosen. */
  readonly isAll: boolean;
  /** The row that the keyboard is at; -1 before any, and when the list does not show it any more. */
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
  /** The list has other rows: finds the keyboard's, and looks which of the chosen it shows, unless that is known. */
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

type Ids<Key> = Result<readonly Key[], Failure>;

/** So many rows from `first` on; the list is asked for them when one has not been read. */
function idsFrom<Key>(list: ChoosableList<Key>, first: number, howMany: number): Ids<Key> | Promise<Ids<Key>> {
  const read = Array.from({ length: howMany }, (_unused, step) => list.idAt(first + step));
  return read.includes(undefined)
    ? list.ids(first, howMany)
    : succeed(read.filter((id) => id !== undefined && id !== null));
}

/** All that the list shows from one place to before another; null when it is over before. */
async function allIds<Key>(
  list: ChoosableList<Key>,
  isOver: () => boolean,
  from = 0,
  end = list.total(),
): Promise<Result<ReadonlySet<Key>, Failure> | null> {
  const ids = new Set<Key>();
  for (let first = from; first < end; first += list.max) {
    const found = await list.ids(first, Math.min(list.max, end - first));
    if (isOver() || !found.ok) {
      return isOver() || found.ok ? null : found;
    }
    found.value.forEach((id) => ids.add(id));
  }
  return succeed(ids);
}

/** The rows from this one to the one at a place, when it is not known where it stands; null when it is over before. */
async function idsBetween<Key>(
  list: ChoosableList<Key>,
  isOver: () => boolean,
  key: Key,
  place: number,
): Promise<Ids<Key> | null> {
  for (const isBefore of [true, false]) {
    const found = await (isBefore ? allIds(list, isOver, 0, place + 1) : allIds(list, isOver, place));
    if (found === null || !found.ok) {
      return found;
    }
    const ids = [...found.value];
    const at = ids.indexOf(key);
    if (at >= 0) {
      return succeed(isBefore ? ids.slice(at) : ids.slice(0, at + 1));
    }
  }
  return list.ids(place, 1);
}

/** A row, and where it was; without a key it is not known which one it is. */
interface Mark<Key> {
  readonly place: number;
  readonly key: Key | null | undefined;
}

function findingIn<Key>(list: ChoosableList<Key>) {
  const keyAt = (place: number) => (place < 0 ? undefined : (list.keyAt ?? list.idAt)(place));
  const markAt = (place: number): Mark<Key> => ({ place, key: keyAt(place) });
  /** The row where it is by now; null when none of the rows that were read is it, undefined when its place was not read. */
  const find = ({ place, key }: Mark<Key>): Mark<Key> | null | undefined => {
    const there = keyAt(place);
    if (key === undefined || key === null || there === key) {
      return { place, key: key ?? there };
    }
    const end = there === undefined ? 0 : list.total();
    for (let at = 0; at < end; at += 1) {
      if (keyAt(at) === key) {
        return { place: at, key };
      }
    }
    return there === undefined ? undefined : null;
  };
  return { markAt, find };
}

interface Answer<Key> {
  readonly besides: ReadonlySet<Key>;
  /** Null for more than can be chosen. */
  readonly found: Ids<Key> | null;
}

/** Where a range begins, and what was chosen besides it. Each question answers null when it is over before (invariant 1). */
function createRange<Key>(list: ChoosableList<Key>, { markAt, find }: ReturnType<typeof findingIn<Key>>) {
  let asking = 0;
  let anchor = markAt(-1);
  let besides: ReadonlySet<Key> = new Set();
  const between = async (first: number, last: number): Promise<Answer<Key> | null> => {
    asking += 1;
    const [mine, base] = [asking, besides];
    const howMany = last - first + 1;
    const found = howMany > list.max ? null : await idsFrom(list, first, howMany);
    return mine === asking ? { besides: base, found } : null;
  };
  return {
    between,
    isBegun: () => anchor.place >= 0,
    /** A range begins there; -1 ends it. */
    begin: (place: number, chosen: ReadonlySet<Key>) => {
      asking += 1;
      anchor = markAt(place);
      besides = chosen;
    },
    /** The list has other rows. */
    look: () => {
      anchor = anchor.key === undefined ? markAt(anchor.place) : anchor;
    },
    extendTo: async (place: number): Promise<Answer<Key> | null> => {
      const from = find(anchor);
      const { key } = anchor;
      if (from || key === undefined || key === null) {
        const start = from?.place ?? place;
        return between(Math.min(start, place), Math.max(start, place));
      }
      asking += 1;
      const [mine, base] = [asking, besides];
      const found = await idsBetween(list, () => mine !== asking, key, place); // Invariant 5
      return found === null || mine !== asking ? null : { besides: base, found };
    },
  };
}

const noneChosen = {
  chosen: new Set<never>(),
  outside: new Set<never>(),
  isAll: false,
  isTooMany: false,
  failure: null,
};

/** Whether nothing is chosen, and nothing that could not be chosen is told. */
export const isClear = <Key>({ chosen, isTooMany, failure }: RowChoice<Key>): boolean =>
  chosen.size === 0 && !isTooMany && failure === null;

/** Opens an empty choice. */
export function createRowChoice<Key>(make: MakeStore, list: ChoosableList<Key>): StoreApi<RowChoice<Key>> {
  const finding = findingIn(list);
  const { markAt, find } = finding;
  const range = createRange(list, finding);
  let looking = 0;
  let keyboard = markAt(-1);

  return make<RowChoice<Key>>({ end: ({ forgetPlaces }) => forgetPlaces() }, (set, get) => {
    /** `shown`: those of them that the list is known to show. */
    const take = (chosen: ReadonlySet<Key>, shown: readonly Key[], isAll = false): void => {
      if (chosen.size > list.max) {
        set({ isTooMany: true, failure: null });
        return;
      }
      set({ chosen, outside: outsideAfter(get().outside, chosen, shown), isAll, isTooMany: false, failure: null });
    };

    const add = (answer: Answer<Key> | null, isAll = false): void => {
      if (answer === null) {
        return;
      }
      const { besides, found } = answer;
      if (found === null) {
        set({ isTooMany: true });
      } else if (found.ok) {
        take(new Set([...besides, ...found.value]), found.value, isAll);
      } else {
        set({ failure: found.failure });
      }
    };

    const beginAt = (place: number): void => range.begin(place, get().chosen);

    const activate = (place: number): void => {
      keyboard = markAt(place);
      set({ active: place });
    };

    return {
      ...noneChosen,
      active: -1,
      toggle(place) {
        const id = list.idAt(place);
        activate(place);
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
        if (!range.isBegun()) {
          beginAt(get().active < 0 ? place : get().active);
        }
        activate(place);
        add(await range.extendTo(place));
      },
      async chooseAll() {
        beginAt(-1);
        if (list.total() > 0) {
          add(await range.between(0, list.total() - 1), true);
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
        activate(place);
        beginAt(place);
      },
      forgetPlaces() {
        beginAt(-1);
        get().forgetShown();
        activate(-1);
        set({ isAll: false, isTooMany: false, failure: null });
      },
      forgetShown() {
        looking += 1;
        set({ outside: get().chosen.size === 0 ? new Set() : null });
      },
      async look() {
        range.look();
        const found = find(keyboard);
        if (found !== undefined) {
          keyboard = found ?? markAt(-1);
          set({ active: keyboard.place }); // Invariant 5
        }
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
