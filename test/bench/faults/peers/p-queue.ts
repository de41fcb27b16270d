import PQueue from 'p-queue';
import pRetry from 'p-retry';
import { answersUntilGivenUp, maxBackoffMs, Refusal, sendOnce, waitFor, type Peer } from '../peer.ts';

function make(name: string, keys: string, isKeyRenewed: boolean): Peer {
  return {
    name,
    setUp: `concurrency 1; each attempt through a second queue with intervalCap 60, interval 60 s, strict; p-retry from 1 s to 60 s, randomized; ${keys}`,
    isDurable: false,
    start: (life) => {
      const lane = new PQueue({ concurrency: 1 });
      const limiter = new PQueue({ intervalCap: 60, interval: 60_000, strict: true });
      const waiting = new Set<number>();
      return Promise.resolve({
        submit: (intent) => {
          waiting.add(intent.id);
          let key = life.uuid();
          let answers = 0;
          lane
            .add(() =>
              pRetry(() => limiter.add(() => sendOnce(life, intent, key)), {
                retries: Number.POSITIVE_INFINITY,
                minTimeout: 1000,
                maxTimeout: maxBackoffMs,
                randomize: true,
                onFailedAttempt: async ({ error }) => {
                  if (error instanceof Refusal) {
                    answers += 1;
                    key = isKeyRenewed ? life.uuid() : key;
                    await waitFor(error.retryAfterMs);
                  }
                },
                shouldRetry: () => answers < answersUntilGivenUp,
              }),
            )
            .catch(() => {
              life.giveUp(intent.id);
            })
            .finally(() => waiting.delete(intent.id));
        },
        waiting: () => new Set(waiting),
      });
    },
  };
}

export const pQueueKeepingKeys = make('p-queue 10 + p-retry 9, one key a switch', 'one key a switch', false);
export const pQueueRenewingKeys = make(
  'p-queue 10 + p-retry 9, new key after an answer',
  'the key kept when there was no answer, a new one after an answer',
  true,
);
