import { createCollection, localOnlyCollectionOptions } from '@tanstack/db';
import { NonRetriableError, startOfflineExecutor } from '@tanstack/offline-transactions';
import { answersUntilGivenUp, Refusal, sendOnce, waitFor, type Peer } from '../peer.ts';

interface Switch {
  readonly id: string;
}

export const tanstack: Peer = {
  name: 'TanStack offline transactions 1',
  setUp:
    'IndexedDB, its FIFO executor and backoff from 1 s to 60 s with jitter, an onlineDetector that knows the link, its idempotencyKey; Retry-After awaited; NonRetriableError to give up',
  isDurable: true,
  start: async (life) => {
    const switches = createCollection(
      localOnlyCollectionOptions<Switch, string>({ id: 'switches', getKey: ({ id }) => id }),
    );
    const answers = new Map<string, number>();
    const offline = startOfflineExecutor({
      collections: { switches },
      mutationFns: {
        sendSwitch: async ({ transaction, idempotencyKey }) => {
          const { id } = transaction.mutations[0].modified as unknown as Switch;
          try {
            await sendOnce(life, life.intentOf(Number(id)), idempotencyKey);
            switches.utils.acceptMutations(transaction);
          } catch (error) {
            if (!(error instanceof Refusal)) {
              throw error;
            }
            const count = (answers.get(id) ?? 0) + 1;
            answers.set(id, count);
            if (count >= answersUntilGivenUp) {
              life.giveUp(Number(id));
              throw new NonRetriableError('given up');
            }
            await waitFor(error.retryAfterMs);
            throw error;
          }
        },
      },
      // One window alone.
      leaderElection: {
        requestLeadership: () => Promise.resolve(true),
        releaseLeadership: () => undefined,
        isLeader: () => true,
        onLeadershipChange: () => () => undefined,
      },
      onlineDetector: {
        subscribe: (callback) => {
          life.onOnline(callback);
          return () => undefined;
        },
        notifyOnline: () => undefined,
        isOnline: () => life.isOnline(),
        dispose: () => undefined,
      },
    });
    await offline.waitForInit();
    return {
      submit: (intent) => {
        const transaction = offline.createOfflineTransaction({ mutationFnName: 'sendSwitch', autoCommit: false });
        transaction.mutate(() => {
          switches.insert({ id: String(intent.id) });
        });
        transaction.commit().catch(() => undefined);
      },
      waiting: async () =>
        new Set(
          (await offline.peekOutbox()).flatMap(({ mutations }) =>
            mutations.map(({ modified }) => Number((modified as unknown as Switch).id)),
          ),
        ),
    };
  },
};
