// Owns what of a person's typing outlives the page, so that one that fell over comes back with it: the text in the lookup field, the
// filters of the lists, and half-filled forms but for their secrets. It lies in the tab's own storage, which ends with the window.
// Never keeps a password or a client secret, and never gives one person's typing to the next.
import { z } from 'zod';
import type { StoreApi } from 'zustand/vanilla';
import { stockQuerySchema } from '../../app/contract/browse.ts';
import { couponFilterSchema } from '../../app/contract/coupons.ts';
import type { CouponStores } from './coupons.ts';
import type { Drafts } from './drafts.ts';
import type { LookupMirror } from './lookup.ts';
import { queueFilters, type QueueFilter, type QueueStores } from './queue.ts';
import type { StockMirror } from './stock.ts';

/** Where it lies: one text, such as the tab's session storage. Both may throw, for a browser may forbid storing. */
export interface DraftPlace {
  read(): string | null;
  write(text: string): void;
}

export interface KeptDrafts {
  /**
   * This person is here now. What was kept of the page before is given back when it was theirs and nobody has been here since the page was
   * opened; from now on everything is kept as theirs.
   */
  take(whose: string): void;
}

export interface DraftStores {
  readonly lookup: StoreApi<LookupMirror>;
  readonly stock: StoreApi<StockMirror>;
  readonly coupons: Pick<CouponStores, 'list'>;
  readonly queue: Pick<QueueStores, 'list'>;
  readonly drafts: StoreApi<Drafts>;
}

interface Part {
  readonly read: () => unknown;
  readonly restore: (value: unknown) => void;
  readonly watch: (changed: () => void) => void;
}

const keptSchema = z.object({ whose: z.string(), parts: z.record(z.string(), z.unknown()) });
/** More than every field of every form together; a longer text is not kept. */
const longestText = 100_000;

const couponQuerySchema = z.object({ filter: couponFilterSchema, term: z.string() });
const typedSchema = z.record(z.string(), z.string());
const queueQuerySchema = z.object({ filter: z.enum(Object.keys(queueFilters) as [QueueFilter, ...QueueFilter[]]), term: z.string() });

/** A part that is one value of a store. */
function partOf<State, Value>(store: StoreApi<State>, read: (state: State) => Value, schema: z.ZodType<Value>, restore: (value: Value, state: State) => void): Part {
  return {
    read: () => read(store.getState()),
    restore: (value) => {
      const parsed = schema.safeParse(value);
      if (parsed.success) {
        restore(parsed.data, store.getState());
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
    lookup: partOf(lookup, ({ text }) => text, z.string(), (text, { type }) => type(text)),
    stock: partOf(stock, ({ query }) => query, stockQuerySchema, (query, { choose }) => choose(query)),
    coupons: partOf(coupons.list, ({ filter }) => filter, couponQuerySchema, (filter, { choose }) => choose(filter)),
    queue: partOf(queue.list, ({ filter }) => filter, queueQuerySchema, (filter, { choose }) => choose(filter)),
    typed: partOf(drafts, ({ typed }) => typed, typedSchema, (typed, { type }) => {
      for (const [field, text] of Object.entries(typed)) {
        type(field, text);
      }
    }),
  };

  function keep(): void {
    attempt(() => {
      const text = JSON.stringify({ whose, parts: Object.fromEntries(Object.entries(parts).map(([name, { read }]) => [name, read()])) });
      place.write(text.length <= longestText ? text : '');
    });
  }

  function restore(): void {
    const kept = keptSchema.safeParse(JSON.parse(place.read() ?? 'null'));
    const theirs = kept.data?.whose === whose ? kept.data.parts : {};
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
