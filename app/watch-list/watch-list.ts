//   L1  What the copy says of a watched product is read when the list is opened, when its minimum is set, and when its
//       figure may have changed; never for a scan, and never of all the others.
//   L2  It is read after the transaction that changed it, so that what is rolled back is not counted.
//   L3  A figure that nobody knows is neither below nor enough, and a product that the copy does not have keeps its
//       minimum.
import { maxMinimum } from '../contract/limits/watch-list.ts';
import type { WatchedMinimum, WatchListState } from '../contract/watch-list.ts';
import { parseId } from '../domain/int64.ts';
import type { Clock } from '../ports.ts';
import type { Minima } from './minima.ts';

/** A minimum that is kept. */
export type KeptMinimum = WatchedMinimum & { readonly minimum: number };
type ProductPlace = Pick<WatchedMinimum, 'stockId' | 'productId'>;

/** The copy's figure against the minimum; L3. */
type WatchState = 'below' | 'enough' | 'unknown' | 'absent';

interface Watched extends ProductPlace {
  minimum: number;
  /** Null until it has been read. */
  state: WatchState | null;
}

export interface WatchListParts {
  readonly minima: Minima;
  readonly clock: Clock;
  /** The copy's figure; null when nobody knows it, undefined for a product that the copy does not have. */
  readonly figureOf: (place: ProductPlace) => number | null | undefined;
  readonly onChange: () => void;
}

export interface WatchList {
  /** Null for a product that is not watched. */
  minimumOf(place: ProductPlace): number | null;
  /** The products with a minimum, or only those whose figure is known to be below it. */
  places(list: 'watched' | 'below'): readonly ProductPlace[];
  /**
   * Keeps these minimums; null takes a product off the list. Answers how many it has kept: one of a product that the
   * copy does not have is left out. Throws StorageError.
   */
  set(minima: readonly WatchedMinimum[]): number;
  /** All minimums of this scope, but for damaged ones. */
  minima(): readonly KeptMinimum[];
  /**
   * Keeps these minimums, also of products that the copy does not have (yet), in one transaction with what `beside`
   * writes. Throws StorageError.
   */
  take(minima: readonly WatchedMinimum[], beside: () => void): void;
  /** The figure of this product may have changed, or the product may have come or gone. */
  noteFigure(place: ProductPlace): void;
  /** The copy has been opened, or has begun anew. */
  noteAll(): void;
  /** Null until all have been read once. */
  state(): WatchListState | null;
  close(): void;
}

/** A few milliseconds' work. */
const readAtOnce = 100;

/** Whether it is one that can have been set: not what a failing disk has made of it. */
const isSound = (minimum: number): boolean => minimum > 0 && minimum <= maxMinimum;

const soundOf = ({ stockId, productId, minimum }: Watched): readonly KeptMinimum[] =>
  isSound(minimum) && parseId(productId) === productId ? [{ stockId, productId, minimum }] : [];

/** Below a damaged one nobody knows what is: the product is listed without a minimum, to be set anew. */
function against(figure: number, minimum: number): WatchState {
  if (!isSound(minimum)) {
    return 'unknown';
  }
  return figure < minimum ? 'below' : 'enough';
}

const keyOf = ({ stockId, productId }: ProductPlace): string => `${stockId} ${productId}`;

/** Opens the list over the minimums that are kept; the copy is first read at `noteAll`. Throws StorageError. */
export function openWatchList({ minima, clock, figureOf, onChange }: WatchListParts): WatchList {
  const watched = new Map<string, Watched>(minima.list().map((kept) => [keyOf(kept), { ...kept, state: null }]));
  /** All have been read once. */
  let isWhole = watched.size === 0;
  const counts: Record<WatchState, number> = { below: 0, enough: 0, unknown: 0, absent: 0 };
  let unread = new Set<Watched>();
  let reading = false;
  let isClosed = false;

  function stand(one: Watched, state: WatchState | null): boolean {
    if (one.state === state) {
      return false;
    }
    if (one.state !== null) {
      counts[one.state] -= 1;
    }
    if (state !== null) {
      counts[state] += 1;
    }
    one.state = state;
    return true;
  }

  function stateOf(one: Watched): WatchState {
    const figure = figureOf(one);
    if (figure === undefined || figure === null) {
      return figure === undefined ? 'absent' : 'unknown';
    }
    return against(figure, one.minimum);
  }

  /** Reads the next ones, and goes on when everybody else has had a turn. */
  function readNext(): void {
    reading = false;
    if (isClosed) {
      return;
    }
    const wasWhole = isWhole;
    let hasChanged = false;
    for (const one of unread.values().take(readAtOnce)) {
      unread.delete(one);
      hasChanged = stand(one, stateOf(one)) || hasChanged;
    }
    isWhole ||= unread.size === 0;
    readSoon();
    if (isWhole && (hasChanged || !wasWhole)) {
      onChange();
    }
  }

  function readSoon(): void {
    if (unread.size > 0 && !reading) {
      reading = true;
      clock.after(0, readNext);
    }
  }

  function noteAll(): void {
    unread = new Set(watched.values());
    readSoon();
  }

  /** `read` reads the figure of each that is watched from now on. */
  function keep(kept: readonly WatchedMinimum[], read: (one: Watched) => void, beside?: () => void): void {
    minima.set(kept, beside);
    for (const { stockId, productId, minimum } of kept) {
      const key = keyOf({ stockId, productId });
      const before = watched.get(key);
      if (minimum === null) {
        if (before !== undefined) {
          stand(before, null);
          unread.delete(before);
          watched.delete(key);
        }
        continue;
      }
      const one = before ?? { stockId, productId, minimum, state: null };
      one.minimum = minimum;
      watched.set(key, one);
      read(one);
    }
    onChange();
  }

  return {
    minimumOf: (place) => [watched.get(keyOf(place))?.minimum ?? 0].find(isSound) ?? null,
    places: (list) => [...watched.values()].filter(({ state }) => list === 'watched' || state === 'below'),
    set: (wanted) => {
      const kept = wanted.filter((one) => one.minimum === null || figureOf(one) !== undefined);
      keep(kept, (one) => stand(one, stateOf(one)));
      return kept.length;
    },
    minima: () => [...watched.values()].flatMap(soundOf),
    take: (wanted, beside) => {
      const readLater = (one: Watched): void => {
        stand(one, null);
        unread.add(one);
        isWhole = false;
      };
      keep(wanted, readLater, beside);
      readSoon();
    },
    noteFigure: (place) => {
      const one = watched.get(keyOf(place));
      if (one !== undefined) {
        unread.add(one); // L2
        readSoon();
      }
    },
    noteAll,
    state: () =>
      isWhole ? { watched: watched.size, below: counts.below, unknown: counts.unknown, absent: counts.absent } : null,
    close: () => {
      isClosed = true;
    },
  };
}
