import type { StoreApi } from 'zustand/vanilla';
import type { StockQuery } from '../../app/contract/browse.ts';
import { stockLists, stockOrders } from '../../app/contract/limits/browse.ts';
import { parseId, type Id } from '../../app/domain/int64.ts';
import type { CouponQuery, CouponStores } from '../coupons/coupons-store.ts';
import type { Drafts } from './drafts.ts';
import type { LookupStore } from '../lookup/lookup-store.ts';
import { filterNames, type QueueQuery, type QueueStores } from '../queue/queue-store.ts';
import type { StockStore } from '../stock/stock-store.ts';
import { stockViews } from '../stock/stock-views.ts';

/** Where it lies: one text, such as the tab's session storage. Both may throw, for a browser may forbid storing. */
export interface DraftPlace {
  read(): string | null;
  write(text: string): void;
}

export interface KeptDrafts {
  /**
   * This person is here now. What was kept of the page before is given back when it was theirs and nobody has been here
   * since the page was opened; from now on everything is kept as theirs.
   */
  take(whose: string): void;
}

export interface DraftStores {
  readonly lookup: StoreApi<LookupStore>;
  readonly stock: StoreApi<StockStore>;
  readonly coupons: Pick<CouponStores, 'list'>;
  readonly queue: Pick<QueueStores, 'list'>;
  readonly drafts: StoreApi<Drafts>;
}

interface Part {
  readonly read: () => unknown;
  readonly restore: (value: unknown) => void;
  readonly watch: (changed: () => void) => void;
}

/** More than every field of every form together; a longer text is not kept. */
const maxTextLength = 100_000;

// Another version of the page may have kept it.
type Guard<Value> = (value: unknown) => value is Value;

const isText = (value: unknown): value is string => typeof value === 'string';
const isId = (value: unknown): value is Id => isText(value) && parseId(value) === value;
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isTyped = (value: unknown): value is Drafts['typed'] => isRecord(value) && Object.values(value).every(isText);

function oneOf<const Value>(values: readonly Value[]): Guard<Value> {
  return (value): value is Value => values.some((one) => one === value);
}

function orNull<Value>(guard: Guard<Value>): Guard<Value | null> {
  return (value): value is Value | null => value === null || guard(value);
}

function hasFields<Value>(guards: { readonly [Field in keyof Value]: Guard<Value[Field]> }): Guard<Value> {
  const names = Object.keys(guards) as (keyof Value & string)[];
  return (value): value is Value =>
    isRecord(value) && names.every((name) => Object.hasOwn(value, name) && guards[name](value[name]));
}

const isCouponQuery = hasFields<CouponQuery>({
  filter: oneOf(['all', 'enabled', 'disabled', 'waiting', 'refused']),
  term: isText,
});
const isQueueQuery = hasFields<QueueQuery>({ filter: oneOf(filterNames), term: isText });
const isStockQuery = hasFields<StockQuery>({
  list: oneOf(stockLists),
  stockId: orNull(isId),
  amount: oneOf(['all', 'positive', 'negative', 'zero']),
  orderBy: oneOf(stockOrders),
  direction: oneOf(['asc', 'desc']),
  term: isText,
  productIds: orNull((value): value is Id[] => Array.isArray(value) && value.every(isId)),
  updatedFrom: orNull((value): value is number => Number.isSafeInteger(value)),
});

/** A part that is one value of a store. */
function partOf<State, Value>(
  store: StoreApi<State>,
  read: (state: State) => Value,
  isValue: Guard<Value>,
  restore: (value: Value, state: State) => void,
): Part {
  return {
    read: () => read(store.getState()),
    restore: (value) => {
      if (isValue(value)) {
        restore(value, store.getState());
      }
    },
    watch: (changed) => {
      store.subscribe((now, before) => {
        if (read(now) !== read(before)) {
          changed();
        }
      });
    },
  };
}

function attempt(action: () => void): void {
  try {
    action();
  } catch {
    // A draft that cannot be kept, or makes no sense any more, is no reason to fail.
  }
}

/** Opens the keeping of what is typed into these stores. */
export function openKeptDrafts(place: DraftPlace, { lookup, stock, coupons, queue, drafts }: DraftStores): KeptDrafts {
  let whose: string | null = null;
  const parts: Readonly<Record<string, Part>> = {
    lookup: partOf(
      lookup,
      ({ text }) => text,
      isText,
      (text, { type }) => type(text),
    ),
    stock: partOf(
      stock,
      ({ query }) => query,
      isStockQuery,
      (query, { takeUp }) => takeUp(query),
    ),
    // After the query, which names a view of the copy.
    stockView: partOf(
      stock,
      ({ shown }) => shown,
      oneOf(stockViews),
      (shown, { show }) => show(shown),
    ),
    coupons: partOf(
      coupons.list,
      ({ filter }) => filter,
      isCouponQuery,
      (filter, { choose }) => choose(filter),
    ),
    queue: partOf(
      queue.list,
      ({ filter }) => filter,
      isQueueQuery,
      (filter, { choose }) => choose(filter),
    ),
    typed: partOf(
      drafts,
      ({ typed }) => typed,
      isTyped,
      (typed, { type }) => {
        for (const [field, text] of Object.entries(typed)) {
          type(field, text);
        }
      },
    ),
  };

  function keep(): void {
    attempt(() => {
      const text = JSON.stringify({
        whose,
        parts: Object.fromEntries(Object.entries(parts).map(([name, { read }]) => [name, read()])),
      });
      place.write(text.length <= maxTextLength ? text : '');
    });
  }

  function restore(): void {
    const kept: unknown = JSON.parse(place.read() ?? 'null');
    const theirs = isRecord(kept) && kept['whose'] === whose && isRecord(kept['parts']) ? kept['parts'] : {};
    for (const [name, { restore: take }] of Object.entries(parts)) {
      take(theirs[name]);
    }
  }

  return {
    take: (next) => {
      const isFirst = whose === null;
      whose = next;
      if (isFirst) {
        attempt(restore);
        for (const { watch } of Object.values(parts)) {
          watch(keep);
        }
      }
      keep();
    },
  };
}
