import type { QueuePorts } from './queue-ports.ts';

export type KeyDoubt = ReturnType<typeof createKeyDoubt>;

/**
 * Makes what remembers a request whose failure may be a middlebox's: another call must succeed after it before its key
 * counts as poisoned.
 */
export function createKeyDoubt({ connection, store }: Pick<QueuePorts, 'connection' | 'store'>) {
  /** `successes`: how many calls had succeeded by then. */
  let doubted: { readonly requestId: number; readonly successes: number } | null = null;

  return {
    /** Doubts this request's key, or, by null, none. */
    set: (requestId: number | null): void => {
      doubted = requestId === null ? null : { requestId, successes: connection.successes() };
    },
    /** No other call has succeeded yet. */
    needsProof: (requestId: number): boolean =>
      doubted?.requestId === requestId && connection.successes() === doubted.successes,
    /** Counts the doubt when another call has succeeded. */
    end: (requestId: number): void => {
      if (doubted?.requestId !== requestId) {
        return;
      }
      if (connection.successes() > doubted.successes) {
        store.countUnechoed(requestId);
      }
      doubted = null;
    },
  };
}
