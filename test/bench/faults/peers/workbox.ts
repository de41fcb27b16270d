import type { Queue as WorkboxQueue } from 'workbox-background-sync/Queue.js';
import { answersUntilGivenUp, backoffMs, bodyOf, couponUrl, headersOf, Refusal, sendOnce, type Peer } from '../peer.ts';

interface Metadata {
  readonly intentId: number;
  readonly key: string;
  readonly answers: number;
}

let Queue: typeof WorkboxQueue | undefined;

export const workbox: Peer = {
  name: 'Workbox background sync 7',
  setUp:
    'IndexedDB, forceSyncFallback; every switch pushed first; replayed at the start, at a push, when the network is back and after a backoff from 1 s to 60 s; onSync shifts, fetches, and unshifts what failed; one key a switch',
  isDurable: true,
  load: async () => {
    // Not before its globals are there: it looks for a service worker's scope at once.
    ({ Queue } = await import('workbox-background-sync/Queue.js'));
  },
  start: (life) => {
    if (Queue === undefined) {
      throw new Error('not loaded');
    }
    // A new process knows no names yet.
    (Queue as unknown as { readonly _queueNames: Set<string> })._queueNames.clear();
    let flying: number | null = null;
    let isReplaying = false;
    let failures = 0;
    let timer: NodeJS.Timeout | undefined;

    async function replay(queue: WorkboxQueue): Promise<void> {
      for (let entry = await queue.shiftRequest(); entry !== undefined; entry = await queue.shiftRequest()) {
        const metadata = entry.metadata as Metadata;
        flying = metadata.intentId;
        try {
          await sendOnce(life, life.intentOf(metadata.intentId), metadata.key, await entry.request.clone().text());
          failures = 0;
        } catch (error) {
          const answers = metadata.answers + (error instanceof Refusal ? 1 : 0);
          if (answers >= answersUntilGivenUp) {
            life.giveUp(metadata.intentId);
          } else {
            await queue.unshiftRequest({ ...entry, metadata: { ...metadata, answers } });
            throw error;
          }
        } finally {
          flying = null;
        }
      }
    }

    function synchronise(queue: WorkboxQueue): void {
      if (isReplaying) {
        return;
      }
      clearTimeout(timer);
      timer = undefined;
      isReplaying = true;
      replay(queue)
        .then(
          async () => ((await queue.size()) > 0 ? 0 : null),
          (error: unknown) => {
            failures += 1;
            return Math.max(backoffMs(failures - 1), error instanceof Refusal ? error.retryAfterMs : 0);
          },
        )
        .then((waitMs) => {
          isReplaying = false;
          timer = waitMs === null ? undefined : setTimeout(synchronise, waitMs, queue);
        })
        .catch(() => undefined);
    }

    const queue = new Queue('coupons', {
      forceSyncFallback: true,
      onSync: ({ queue: started }) => {
        synchronise(started);
      },
    });
    life.onOnline(() => {
      synchronise(queue);
    });
    return Promise.resolve({
      submit: async (intent) => {
        const key = life.uuid();
        const request = new Request(couponUrl, { method: 'PUT', headers: headersOf(key), body: bodyOf(life, intent) });
        await queue.pushRequest({ request, metadata: { intentId: intent.id, key, answers: 0 } satisfies Metadata });
        // Not while it waits after a failure.
        if (timer === undefined) {
          synchronise(queue);
        }
      },
      waiting: async () => {
        const stored = (await queue.getAll()).map(({ metadata }) => (metadata as Metadata).intentId);
        return new Set(flying === null ? stored : [...stored, flying]);
      },
    });
  },
};
