import type { UpdatesCounted } from '../../app/contract/queue.ts';
import { mapResult } from '../../app/domain/result.ts';
import type { Bridge } from '../bridge/bridge.ts';
import type { Bulk, BulkFeature } from '../stores/bulk-store.ts';

export type QueueAction = 'retry' | 'discard';
export type QueueBulk = Bulk<number, QueueAction, UpdatesCounted>;

/** Trying again or giving up many updates, for the store that does it slice by slice. */
export function queueBulk(bridge: Bridge): BulkFeature<number, QueueAction, UpdatesCounted> {
  return {
    keepsPlace: false,
    count: (_action, updateIds) => bridge.call('queue:countMany', { updateIds }),
    sum: (left, right) => ({
      pending: left.pending + right.pending,
      retryable: left.retryable + right.retryable,
      ofOthers: left.ofOthers + right.ofOthers,
      conflicts: left.conflicts + right.conflicts,
      damaged: left.damaged + right.damaged,
      attempted: left.attempted + right.attempted,
      gone: left.gone + right.gone,
    }),
    perform: async (action, updateIds) => {
      if (action === 'retry') {
        return mapResult(await bridge.call('queue:retryMany', { updateIds }), ({ retried }) => ({ count: retried }));
      }
      return mapResult(await bridge.call('queue:discardMany', { updateIds }), (value) => ({
        count: value.updateIds.length,
        ...value,
      }));
    },
    undo: async (updateIds) => {
      return mapResult(await bridge.call('queue:bringBack', { updateIds }), ({ broughtBack }) => ({
        count: broughtBack,
      }));
    },
  };
}
