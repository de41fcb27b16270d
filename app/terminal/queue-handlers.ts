import { exportQueue, restorationOf, toQueuedUpdate } from './workspace/cards.ts';
import type { Handlers } from '../contract/bridge.ts';
import { fail, succeed } from '../domain/result.ts';
import type { OpenStore } from './workspace/open-store.ts';

type QueueChannel = Extract<keyof Handlers, `${'queue' | 'user'}:${string}`>;

const nothing = succeed({});

/** One handler for each call about the queue, and about users, who are restored through it. */
export function createQueueHandlers({ withWorkspace }: Pick<OpenStore, 'withWorkspace'>): Pick<Handlers, QueueChannel> {
  return {
    'queue:list': ({ offset, limit, ...query }) =>
      withWorkspace(async (open) => {
        const page = await open.queueTable.page(query, offset, limit);
        return succeed({ ...page, rows: page.rows.map((row) => toQueuedUpdate(open, row)) });
      }),
    'queue:listIds': ({ offset, limit, ...query }) =>
      withWorkspace(async (open) => {
        const { total, updateIds } = await open.queueTable.ids(query, offset, limit);
        return succeed({ total, updateIds: [...updateIds] });
      }),
    'queue:countMany': ({ updateIds }) => withWorkspace((open) => succeed(open.queueTable.count(updateIds))),
    'queue:retryMany': ({ updateIds }) =>
      withWorkspace((open) => succeed({ retried: open.queueTable.retry(updateIds) })),
    'queue:discardMany': ({ updateIds }) =>
      withWorkspace((open) => succeed({ updateIds: [...open.queueTable.discard(updateIds)] })),
    'queue:bringBack': ({ updateIds }) =>
      withWorkspace((open) => succeed({ broughtBack: open.queueTable.bringBack(updateIds) })),
    'queue:readDay': () => withWorkspace((open) => open.queueTable.day()),
    'queue:retry': ({ updateId }) =>
      withWorkspace((open) => {
        const retried = open.queue.retry(updateId);
        return retried.ok ? nothing : retried;
      }),
    'queue:discard': ({ updateId }) =>
      withWorkspace((open) => {
        const discarded = open.queue.discard(updateId);
        return discarded.ok ? nothing : discarded;
      }),
    'queue:history': ({ updateId }) =>
      withWorkspace((open) => {
        const { find, history } = open.queueStore;
        return find(updateId) === undefined
          ? fail({ kind: 'notFoundHere' })
          : succeed([...history.attemptsOf(updateId)]);
      }),
    'queue:export': ({ after }) => withWorkspace((open) => succeed(exportQueue(open, after))),
    'user:restore': ({ userId }) =>
      withWorkspace((open) => {
        const kept = open.queue.restoreUser(userId);
        return kept.ok ? nothing : kept;
      }),
    'user:readRestoration': ({ userId }) => withWorkspace((open) => succeed(restorationOf(open, userId))),
  };
}
