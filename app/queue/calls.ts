import type { HandlersOf, WithOpen } from '../contract/bridge.ts';
import { fail, mapResult, succeed } from '../domain/result.ts';
import type { Queue } from './queue.ts';
import { exportQueue, restorationOf, toQueuedUpdate, type OpenQueue } from './shown-updates.ts';
import type { QueueTable } from './table.ts';

/** One handler for each call about the queue, and about users, who are restored through it. */
export function createQueueHandlers(
  withOpen: WithOpen<OpenQueue & { readonly queue: Queue; readonly queueTable: QueueTable }>,
): HandlersOf<'queue' | 'user'> {
  return {
    'queue:list': ({ offset, limit, ...query }) =>
      withOpen(async (open) => {
        const page = await open.queueTable.page(query, offset, limit);
        return succeed({ ...page, rows: page.rows.map((row) => toQueuedUpdate(open, row)) });
      }),
    'queue:listIds': ({ offset, limit, ...query }) =>
      withOpen(async (open) => {
        const { total, updateIds } = await open.queueTable.ids(query, offset, limit);
        return succeed({ total, updateIds: [...updateIds] });
      }),
    'queue:countMany': ({ updateIds }) => withOpen((open) => succeed(open.queueTable.count(updateIds))),
    'queue:retryMany': ({ updateIds }) => withOpen((open) => succeed({ retried: open.queueTable.retry(updateIds) })),
    'queue:discardMany': ({ updateIds }) =>
      withOpen((open) => succeed({ updateIds: [...open.queueTable.discard(updateIds)] })),
    'queue:bringBack': ({ updateIds }) =>
      withOpen((open) => succeed({ broughtBack: open.queueTable.bringBack(updateIds) })),
    'queue:readDay': () => withOpen((open) => open.queueTable.day()),
    'queue:retry': ({ updateId }) => withOpen((open) => mapResult(open.queue.retry(updateId), () => ({}))),
    'queue:discard': ({ updateId }) => withOpen((open) => mapResult(open.queue.discard(updateId), () => ({}))),
    'queue:history': ({ updateId }) =>
      withOpen((open) => {
        const { find, history } = open.queueRepository;
        return find(updateId) === undefined
          ? fail({ kind: 'notFoundHere' })
          : succeed([...history.attemptsOf(updateId)]);
      }),
    'queue:export': ({ after }) => withOpen((open) => succeed(exportQueue(open, after))),
    'user:restore': ({ userId }) => withOpen((open) => mapResult(open.queue.restoreUser(userId), () => ({}))),
    'user:readRestoration': ({ userId }) => withOpen((open) => succeed(restorationOf(open, userId))),
  };
}
