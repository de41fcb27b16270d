// Owns the mirror of the queue's rows and the two things that a person may ask of one: try it again, give it up. Never
// decides which row allows which.
import { createStore, type StoreApi } from 'zustand/vanilla';
import type { QueuedUpdate } from '../../app/contract/contract.ts';
import type { UpdateStanding } from '../../app/contract/queue-rows.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Wall } from '../bridge.ts';
import { createPagedList, type PagedList } from './paged-list.ts';

/** What the queue screen can be narrowed to, and the standings that each covers; an empty list means all. */
export const queueFilters = {
  all: [],
  waiting: ['pending'],
  sending: ['inFlight'],
  parked: ['parked'],
  delivered: ['delivered'],
  givenUp: ['superseded', 'discarded'],
} as const satisfies Record<string, readonly UpdateStanding[]>;

export type QueueFilter = keyof typeof queueFilters;

/** The revision of `queue:changed` only rises; a lower one is stale. */
export interface QueueMirror {
  readonly busy: ReadonlySet<number>;
  readonly failure: Failure | null;
  readonly retry: (updateId: number) => Promise<void>;
  readonly discard: (updateId: number) => Promise<void>;
  readonly takeRevision: (revision: number) => void;
}

export interface QueueStores {
  readonly mirror: StoreApi<QueueMirror>;
  readonly list: StoreApi<PagedList<QueuedUpdate, QueueFilter>>;
}

/** Opens both; nothing is read before the screen looks. */
export function createQueueStores(wall: Wall): QueueStores {
  const list = createPagedList<QueuedUpdate, QueueFilter>(
    (filter, offset, limit) => wall.call('queue:list', { standings: [...queueFilters[filter]], offset, limit }),
    'all',
  );
  let newest = -1;

  const mirror = createStore<QueueMirror>((set, get) => {
    const act = async (channel: 'queue:retry' | 'queue:discard', updateId: number): Promise<void> => {
      if (get().busy.has(updateId)) {
        return;
      }
      set({ busy: new Set(get().busy).add(updateId), failure: null });
      const answer = await wall.call(channel, { updateId });
      const busy = new Set(get().busy);
      busy.delete(updateId);
      set({ busy, failure: answer.ok ? null : answer.failure });
      list.getState().readAgain();
    };
    return {
      busy: new Set(),
      failure: null,
      retry: (updateId) => act('queue:retry', updateId),
      discard: (updateId) => act('queue:discard', updateId),
      takeRevision(revision) {
        if (revision > newest) {
          newest = revision;
          list.getState().readAgain();
        }
      },
    };
  });
  return { mirror, list };
}
