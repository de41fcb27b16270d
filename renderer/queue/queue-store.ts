import type { StoreApi } from 'zustand/vanilla';
import { maxUpdatesChosen } from '../../app/contract/limits/queue.ts';
import type { QueueCounts, QueuedUpdate, QueueQuery as AskedQuery, UpdateStatus } from '../../app/contract/queue.ts';
import type { QueueState } from '../../app/contract/terminal-state.ts';
import { toDecideOf, waitingOf } from '../../app/contract/waiting.ts';
import type { Failure } from '../../app/domain/failure.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Later } from '../dom/clock.ts';
import { createPagedList, type PagedList } from '../stores/paged-list.ts';
import { queueBulk, type QueueBulk } from './queue-bulk.ts';
import { createBulk } from '../stores/bulk-store.ts';
import { createRowChoice, type RowChoice } from '../stores/row-selection.ts';
import type { MakeStore } from '../stores/make-store.ts';

/**
 * The queue screen's filters, and the states that each covers. Updates that a newer change replaced before they were
 * sent have their own: a switch that is moved to and fro leaves many such rows.
 */
export const queueFilters = {
  all: ['pending', 'inFlight', 'parked', 'delivered', 'discarded'],
  waiting: ['pending', 'inFlight'],
  parked: ['parked'],
  delivered: ['delivered'],
  givenUp: ['discarded'],
  replaced: ['superseded'],
} as const satisfies Record<string, readonly UpdateStatus[]>;

export type QueueFilter = keyof typeof queueFilters;
export const filterNames = Object.keys(queueFilters) as readonly QueueFilter[];

/** The filters of a list of updates. */
export interface QueueQuery {
  readonly filter: QueueFilter;
  readonly term: string;
}

export const everyUpdate: QueueQuery = { filter: 'all', term: '' };
export const parkedUpdates: QueueQuery = { filter: 'parked', term: '' };

/** Of how many updates a filter consists. */
export function countOf(counts: QueueCounts, filter: QueueFilter): number {
  const statuses: readonly UpdateStatus[] = queueFilters[filter];
  return Object.entries(counts).reduce(
    (sum, [status, count]) => sum + (statuses.some((one) => one === status) ? count : 0),
    0,
  );
}

/** The revision of `queue:changed` only rises; a lower one is stale. */
export interface QueueStore {
  readonly busy: ReadonlySet<number>;
  readonly failure: Failure | null;
  readonly retry: (updateId: number) => Promise<void>;
  /** Gives it up; for a few seconds it can be brought back. */
  readonly discard: (updateId: number) => Promise<void>;
  readonly takeRevision: (revision: number) => void;
}

/** A list of updates with the counts of every status under its text. */
export interface UpdateList {
  readonly list: StoreApi<PagedList<QueuedUpdate, QueueQuery>>;
  readonly facts: StoreApi<{ readonly counts: QueueCounts | null; readonly isCut: boolean }>;
}

export interface QueueStores extends UpdateList {
  readonly store: StoreApi<QueueStore>;
  readonly choice: StoreApi<RowChoice<number>>;
  readonly many: StoreApi<QueueBulk>;
  /** Restorations of users alone. */
  readonly restorations: UpdateList;
}

/** How a row stands, in words: `tried` was sent and waits to be sent again; `undone` was taken back before it left. */
export function shownStatus({
  status,
  isUnderWay,
  attempts,
  failure,
}: Pick<QueuedUpdate, 'status' | 'isUnderWay' | 'attempts' | 'failure'>): UpdateStatus | 'tried' | 'undone' {
  if (status === 'discarded' && attempts === 0 && failure?.kind === 'cancelled') {
    return 'undone';
  }
  if (status !== 'inFlight' || isUnderWay) {
    return status;
  }
  return attempts > 0 ? 'tried' : 'pending';
}

/** Of those that a filter lists, so many can be chosen. */
export function choosableOf(counts: QueueCounts, filter: QueueFilter): number {
  const statuses: readonly UpdateStatus[] = queueFilters[filter];
  const of = (status: UpdateStatus): number => (statuses.includes(status) ? counts[status] : 0);
  return of('pending') + of('parked');
}

/** How many that wait or need a decision a text does not find. */
export function hiddenBy(term: string, found: QueueCounts | null, queue: QueueState): number {
  if (found === null || term.trim() === '') {
    return 0;
  }
  const all = waitingOf(queue) + toDecideOf(queue);
  return Math.max(0, all - found.pending - found.inFlight - found.parked);
}

/** True for what can be tried again or given up. */
export const isOpenUpdate = ({ status }: Pick<QueuedUpdate, 'status'>): boolean =>
  status === 'pending' || status === 'parked';

function askedOf({ filter, term }: QueueQuery, kind?: AskedQuery['kind']): AskedQuery {
  return {
    statuses: [...queueFilters[filter]],
    ...(kind === undefined ? {} : { kind }),
    ...(term.trim() === '' ? {} : { term }),
  };
}

function createUpdateList(make: MakeStore, bridge: Bridge, kind?: AskedQuery['kind']): UpdateList {
  const facts: UpdateList['facts'] = make<{ readonly counts: QueueCounts | null; readonly isCut: boolean }>({}, () => ({
    counts: null,
    isCut: false,
  }));
  const list: UpdateList['list'] = createPagedList<QueuedUpdate, QueueQuery>(
    make,
    async (query, offset, limit) => {
      const page = await bridge.call('queue:list', { ...askedOf(query, kind), offset, limit });
      if (page.ok && list.getState().filter === query) {
        facts.setState({ counts: page.value.counts, isCut: page.value.isCut });
      }
      return page;
    },
    everyUpdate,
    { keepsRows: true },
  );
  return { list, facts };
}

/** Opens all of them; nothing is read before the screen looks. */
export function createQueueStores(make: MakeStore, bridge: Bridge, later: Later): QueueStores {
  const { list, facts } = createUpdateList(make, bridge);
  const restorations = createUpdateList(make, bridge, 'restoreUser');
  let newest = -1;

  const choice = createRowChoice<number>(make, {
    max: maxUpdatesChosen,
    total: () => list.getState().total ?? 0,
    idAt: (place) => {
      const row = list.getState().rows.get(place);
      return row !== undefined && !isOpenUpdate(row) ? null : row?.id;
    },
    keyAt: (place) => list.getState().rows.get(place)?.id,
    ids: async (offset, limit) => {
      const found = await bridge.call('queue:listIds', { ...askedOf(list.getState().filter), offset, limit });
      return mapResult(found, ({ updateIds }) => updateIds);
    },
  });
  const readAgain = (): void => {
    list.getState().readAgain();
    restorations.list.getState().readAgain();
  };
  const many = createBulk(make, queueBulk(bridge), later, (chosen) => {
    choice.getState().choose(chosen);
    readAgain();
  });
  list.subscribe((now, before) => {
    if (now.filter !== before.filter) {
      choice.getState().forgetPlaces();
    } else if (now.rows !== before.rows) {
      void choice.getState().look();
    }
  });

  const store = make<QueueStore>({ keeps: ['busy'] }, (set, get, visit) => {
    const act = async (
      updateId: number,
      call: (isStillHere: () => boolean) => Promise<Failure | null>,
    ): Promise<void> => {
      if (get().busy.has(updateId)) {
        return;
      }
      const isStillHere = visit();
      set({ busy: new Set(get().busy).add(updateId), failure: null });
      const failure = await call(isStillHere);
      const busy = new Set(get().busy);
      busy.delete(updateId);
      set({ busy, ...(isStillHere() ? { failure } : {}) });
      readAgain();
    };
    return {
      busy: new Set(),
      failure: null,
      retry: (updateId) =>
        act(updateId, async () => {
          const answer = await bridge.call('queue:retry', { updateId });
          return answer.ok ? null : answer.failure;
        }),
      discard: (updateId) =>
        act(updateId, async (isStillHere) => {
          const answer = await bridge.call('queue:discard', { updateId });
          if (answer.ok && isStillHere()) {
            many.getState().offerUndo('discard', [updateId]);
          }
          return answer.ok ? null : answer.failure;
        }),
      takeRevision(revision) {
        if (revision > newest) {
          newest = revision;
          readAgain();
        }
      },
    };
  });
  return { store, list, facts, choice, many, restorations };
}
