import type { QueueCounts, QueueDay, QueueQuery, UpdatesCounted } from '../contract/queue.ts';
import type { Failure } from '../domain/failure.ts';
import { parseId, type Id } from '../domain/int64.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Clock } from '../ports.ts';
import type { Narrowing, ShopName } from './history.ts';
import type { Queue } from './queue.ts';
import type { ListedUpdate } from './rows.ts';
import type { QueueRepository } from './repository.ts';

/** Products that a text may fit: each is looked up among the rows, and nobody may wait for it. */
const maxFittingProducts = 2_000;
const maxWords = 10;

export interface QueueTablePorts {
  readonly clock: Clock;
  /** Whose products the copy has. */
  readonly shop: ShopName;
  readonly offsetMinutes: (at: number) => number;
  /** Whose updates go out here, as the queue counts owners. */
  readonly senderIds: () => readonly number[];
  readonly queue: Pick<Queue, 'noticeRows'>;
  readonly queueRepository: Pick<
    QueueRepository,
    'history' | 'countMany' | 'retryMany' | 'discardMany' | 'bringBack' | 'readDay'
  >;
  /** The copy's products that fit a text, at most so many. */
  readonly catalogue: {
    products(
      text: string,
      most: number,
    ): Promise<Result<{ readonly products: readonly { readonly productId: Id }[]; readonly isCut: boolean }, Failure>>;
  };
  /** Lets everything else have its turn. Answers whether to go on. */
  readonly pause: () => Promise<boolean>;
}

/** Every call throws StorageError. */
export type QueueTable = ReturnType<typeof createQueueTable>;

/** Makes the table of one open shop. */
export function createQueueTable({
  clock,
  shop,
  offsetMinutes,
  senderIds,
  queue,
  queueRepository,
  catalogue,
  pause,
}: QueueTablePorts) {
  let fitting: { readonly term: string; readonly productIds: string; readonly isCut: boolean } | null = null;

  async function productsOf(term: string): Promise<{ readonly productIds: string; readonly isCut: boolean }> {
    if (fitting?.term === term) {
      return fitting;
    }
    const found = await catalogue.products(term, maxFittingProducts);
    // Without a copy, a product is still found by its id.
    const productIds = JSON.stringify(found.ok ? found.value.products.map((product) => product.productId) : []);
    fitting = { term, productIds, isCut: found.ok && found.value.isCut };
    return fitting;
  }

  async function narrowingOf({
    kind,
    term,
  }: QueueQuery): Promise<{ readonly narrowing: Narrowing; readonly isCut: boolean }> {
    const text = (term ?? '').trim();
    const ofKind = kind === undefined ? {} : { kind };
    if (text === '') {
      return { narrowing: ofKind, isCut: false };
    }
    if (text.includes('@')) {
      return { narrowing: { ...ofKind, email: text.toLowerCase() }, isCut: false };
    }
    const { productIds, isCut } = kind === 'restoreUser' ? { productIds: '[]', isCut: false } : await productsOf(text);
    return {
      narrowing: {
        ...ofKind,
        subjects: { shop, productIds, words: text.split(/\s+/).slice(0, maxWords), id: parseId(text) },
      },
      isCut,
    };
  }

  function changing<Value>(action: (now: number) => Value): Value {
    const done = action(clock.now());
    queue.noticeRows();
    return done;
  }

  return {
    page: async (
      query: QueueQuery,
      offset: number,
      limit: number,
    ): Promise<{
      readonly total: number;
      readonly counts: QueueCounts;
      readonly isCut: boolean;
      readonly rows: readonly ListedUpdate[];
    }> => {
      const { narrowing, isCut } = await narrowingOf(query);
      return { ...queueRepository.history.list(query.statuses, offset, limit, narrowing), isCut };
    },
    /** The ids of those at these places that can be tried again or given up. */
    ids: async (
      query: QueueQuery,
      offset: number,
      limit: number,
    ): Promise<{ readonly total: number; readonly updateIds: readonly number[] }> => {
      const { narrowing } = await narrowingOf(query);
      return queueRepository.history.listOpenIds(query.statuses, offset, limit, narrowing);
    },
    count: (updateIds: readonly number[]): UpdatesCounted => queueRepository.countMany(updateIds, senderIds()),
    /** Answers how many. */
    retry: (updateIds: readonly number[]) => changing((now) => queueRepository.retryMany(updateIds, now)),
    /** Answers which. */
    discard: (updateIds: readonly number[]): readonly number[] =>
      changing((now) => queueRepository.discardMany(updateIds, now)),
    /** Answers how many. */
    bringBack: (updateIds: readonly number[]) => changing((now) => queueRepository.bringBack(updateIds, now)),
    /** Fails with `notReady` when the shop is closed meanwhile. */
    day: async (): Promise<Result<QueueDay, Failure>> => {
      const day = await queueRepository.readDay(clock.now(), offsetMinutes(clock.now()), pause);
      return day === null ? fail({ kind: 'notReady' }) : succeed(day);
    },
    /** Names may have changed. */
    forgetNames: () => {
      fitting = null;
    },
  };
}
