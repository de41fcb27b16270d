// Owns the table of the queue as a person asks for it: which rows fit a text, what is done with several of them at once, and how the last
// day went. It remembers which products the last text fitted, and is told when to forget that. Never sends.
import type { Catalogue } from './catalogue/catalogue.ts';
import type { QueueCounts, QueueDay, QueueQuery, UpdatesCounted } from './contract/queue-rows.ts';
import type { Failure } from './domain/failure.ts';
import { parseId } from './domain/int64.ts';
import { fail, succeed, type Result } from './domain/result.ts';
import type { Clock } from './ports.ts';
import type { Narrowing } from './queue/history.ts';
import type { Queue } from './queue/queue.ts';
import type { ListedUpdate } from './queue/rows.ts';
import type { QueueStore } from './queue/store.ts';
import { StorageError } from './storage/database.ts';

/** Products that a text may fit: each is looked up among the rows, and nobody may wait for it. */
const mostFittingProducts = 2_000;

export interface QueueTablePorts {
  readonly clock: Clock;
  readonly offsetMinutes: (at: number) => number;
  /** Who is signed in, as the queue counts owners; 0 for nobody. */
  readonly ownerId: () => number;
  readonly queue: Pick<Queue, 'noticeRows'>;
  readonly queueStore: Pick<QueueStore, 'history' | 'countMany' | 'retryMany' | 'discardMany' | 'bringBack' | 'readDay'>;
  readonly catalogue: Pick<Catalogue, 'products'>;
  /** Lets everything else have its turn. Answers whether to go on. */
  readonly pause: () => Promise<boolean>;
}

/** Every call fails as the storage does. */
export interface QueueTable {
  page(query: QueueQuery, offset: number, limit: number): Promise<Result<{ readonly total: number; readonly counts: QueueCounts; readonly isCut: boolean; readonly rows: readonly ListedUpdate[] }, Failure>>;
  /** The ids of those at these places that can be tried again or given up. */
  ids(query: QueueQuery, offset: number, limit: number): Promise<Result<{ readonly total: number; readonly updateIds: readonly number[] }, Failure>>;
  count(updateIds: readonly number[]): Result<UpdatesCounted, Failure>;
  /** Answers how many. */
  retry(updateIds: readonly number[]): Result<number, Failure>;
  /** Answers which. */
  discard(updateIds: readonly number[]): Result<readonly number[], Failure>;
  /** Answers how many. */
  bringBack(updateIds: readonly number[]): Result<number, Failure>;
  /** Fails with `notReady` when the store is closed meanwhile. */
  day(): Promise<Result<QueueDay, Failure>>;
  /** Names may have changed. */
  forgetNames(): void;
}

/** Makes the table of one open store. */
export function createQueueTable({ clock, offsetMinutes, ownerId, queue, queueStore, catalogue, pause }: QueueTablePorts): QueueTable {
  let fitting: { readonly term: string; readonly productIds: string; readonly isCut: boolean } | null = null;

  async function productsOf(term: string): Promise<{ readonly productIds: string; readonly isCut: boolean }> {
    if (fitting?.term === term) {
      return fitting;
    }
    const found = await catalogue.products(term, mostFittingProducts);
    // Without a copy, a product is still found by its id.
    const productIds = JSON.stringify(found.ok ? found.value.products.map((product) => product.productId) : []);
    fitting = { term, productIds, isCut: found.ok && found.value.isCut };
    return fitting;
  }

  async function narrowingOf({ kind, term }: QueueQuery): Promise<{ readonly narrowing: Narrowing; readonly isCut: boolean }> {
    const text = (term ?? '').trim();
    const ofKind = kind === undefined ? {} : { kind };
    if (text === '') {
      return { narrowing: ofKind, isCut: false };
    }
    if (text.includes('@')) {
      return { narrowing: { ...ofKind, email: text.toLowerCase() }, isCut: false };
    }
    const { productIds, isCut } = kind === 'restoreUser' ? { productIds: '[]', isCut: false } : await productsOf(text);
    return { narrowing: { ...ofKind, subjects: { productIds, id: parseId(text) } }, isCut };
  }

  async function reading<Value>(action: () => Promise<Value>): Promise<Result<Value, Failure>> {
    try {
      return succeed(await action());
    } catch (error) {
      if (error instanceof StorageError) {
        return fail(error.failure);
      }
      throw error;
    }
  }

  function guarded<Value>(action: () => Value): Result<Value, Failure> {
    try {
      return succeed(action());
    } catch (error) {
      if (error instanceof StorageError) {
        return fail(error.failure);
      }
      throw error;
    }
  }

  function changing<Value>(action: (now: number) => Value): Result<Value, Failure> {
    const done = guarded(() => action(clock.now()));
    queue.noticeRows();
    return done;
  }

  return {
    page: (query, offset, limit) =>
      reading(async () => {
        const { narrowing, isCut } = await narrowingOf(query);
        return { ...queueStore.history.list(query.standings, offset, limit, narrowing), isCut };
      }),
    ids: (query, offset, limit) =>
      reading(async () => {
        const { narrowing } = await narrowingOf(query);
        return queueStore.history.listOpenIds(query.standings, offset, limit, narrowing);
      }),
    count: (updateIds) => guarded(() => queueStore.countMany(updateIds, ownerId())),
    retry: (updateIds) => changing((now) => queueStore.retryMany(updateIds, now)),
    discard: (updateIds) => changing((now) => queueStore.discardMany(updateIds, now)),
    bringBack: (updateIds) => changing((now) => queueStore.bringBack(updateIds, now)),
    day: async () => {
      const day = await reading(() => queueStore.readDay(clock.now(), offsetMinutes(clock.now()), pause));
      return !day.ok ? day : day.value === null ? fail({ kind: 'notReady' }) : succeed(day.value);
    },
    forgetNames: () => {
      fitting = null;
    },
  };
}
