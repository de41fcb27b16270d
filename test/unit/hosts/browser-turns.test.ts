import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createTurns } from '../../../app/hosts/browser/turns.ts';

test('a call that came while the process did nothing begins before a later one that had come before that', async () => {
  const turns = createTurns();
  const begun: number[] = [];
  turns.take('a page', 1, () => begun.push(1));
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 700);
  // A new connection is taken in one round of the event loop, and what it brought is read in those after it.
  await sleep(20);
  turns.take('a page', 0, () => begun.push(0));
  await expect.poll(() => begun).toEqual([0, 1]);
});
