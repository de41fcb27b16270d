import { sendOnce, waitFor, type Peer } from '../peer.ts';
import type { PlannedIntent } from '../fault-plan.ts';

const retryMs = 5000;

export const naive: Peer = {
  name: 'fetch in a loop',
  setUp: 'a list in memory, one request at a time, again after 5 s until the answer is 204; a new key each time',
  isDurable: false,
  start: (life) => {
    const list: PlannedIntent[] = [];
    let isRunning = false;

    async function run(): Promise<void> {
      isRunning = true;
      for (let next = list[0]; next !== undefined; next = list[0]) {
        try {
          await sendOnce(life, next, life.uuid());
          list.shift();
        } catch {
          await waitFor(retryMs);
        }
      }
      isRunning = false;
    }

    return Promise.resolve({
      submit: (intent) => {
        list.push(intent);
        if (!isRunning) {
          void run();
        }
      },
      waiting: () => new Set(list.map(({ id }) => id)),
    });
  },
};
