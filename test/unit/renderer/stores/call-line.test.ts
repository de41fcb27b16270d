import { expect, test } from 'vitest';
import { createCallLine } from '../../../../renderer/stores/call-line.ts';

test('a call that fails gives its turn to the next one, and the oldest that wait make room', async () => {
  const line = createCallLine(2);
  const ends: ((isFailing: boolean) => void)[] = [];
  const send = (name: number) => () =>
    new Promise<number>((resolve, reject) => {
      ends.push((isFailing) => (isFailing ? reject(new Error('gone')) : resolve(name)));
    });
  const calls = Array.from({ length: 12 }, (_, place) => line.call(send(place), () => true).catch(() => 'failed'));
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

test('a call that waits is not sent any more when whoever it was for has gone', async () => {
  const line = createCallLine(10);
  const first = Promise.withResolvers<string>();
  const sent: number[] = [];
  let isHere = true;
  const before = Array.from({ length: 8 }, () =>
    line.call(
      () => first.promise,
      () => isHere,
    ),
  );
  const after = [1, 2].map((name) =>
    line.call(
      () => Promise.resolve(sent.push(name)),
      () => isHere,
    ),
  );
  isHere = false;
  first.resolve('sent before');
  expect(await Promise.all([...before, ...after])).toEqual([
    ...Array.from({ length: 8 }, () => 'sent before'),
    null,
    null,
  ]);
  expect([sent, line.isWaiting()]).toEqual([[], false]);
});
