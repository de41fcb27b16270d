import { expect, test } from 'vitest';
import { createCallLine } from '../../../../renderer/stores/call-line.ts';

test('a call that fails gives its turn to the next one, and the oldest that wait make room', async () => {
  const line = createCallLine(2);
  const ends: ((isFailing: boolean) => void)[] = [];
  const send = (name: number) => () =>
    new Promise<number>((resolve, reject) => {
      ends.push((isFailing) => (isFailing ? reject(new Error('gone')) : resolve(name)));
    });
  const calls = Array.from({ length: 12 }, (_, place) => line.call(send(place)).catch(() => 'failed'));
  expect([ends.length, line.isWaiting()]).toEqual([8, true]);
  for (let place = 0; place < 10; place += 1) {
    ends[place]?.(place % 2 === 0);
    await calls[place];
    await Promise.resolve();
  }
  expect(await Promise.all(calls)).toEqual([
    'failed',
    1,
    'failed',
    3,
    'failed',
    5,
    'failed',
    7,
    null,
    null,
    'failed',
    11,
  ]);
  expect(line.isWaiting()).toBe(false);
});
