import Bottleneck from 'bottleneck';
import { answersUntilGivenUp, backoffMs, Refusal, sendOnce, type Peer } from '../peer.ts';

export const bottleneck: Peer = {
  name: 'Bottleneck 2',
  setUp:
    'maxConcurrent 1, minTime 1 s, reservoir 60 refreshed every 60 s; the "failed" event retries from 1 s to 60 s with Retry-After; one key a switch',
  isDurable: false,
  start: (life) => {
    const limiter = new Bottleneck({
      maxConcurrent: 1,
      minTime: 1000,
      reservoir: 60,
      reservoirRefreshAmount: 60,
      reservoirRefreshInterval: 60_000,
    });
    const waiting = new Set<number>();
    const answers = new Map<string, number>();
    limiter.on('failed', (error: unknown, { options, retryCount }) => {
      const { id } = options;
      if (error instanceof Refusal) {
        answers.set(id, (answers.get(id) ?? 0) + 1);
      }
      const isOver = (answers.get(id) ?? 0) >= answersUntilGivenUp;
      return isOver ? null : Math.max(backoffMs(retryCount), error instanceof Refusal ? error.retryAfterMs : 0);
    });
    return Promise.resolve({
      submit: (intent) => {
        waiting.add(intent.id);
        const key = life.uuid();
        limiter
          .schedule({ id: String(intent.id) }, () => sendOnce(life, intent, key))
          .catch(() => {
            life.giveUp(intent.id);
          })
          .finally(() => waiting.delete(intent.id));
      },
      waiting: () => new Set(waiting),
    });
  },
};
