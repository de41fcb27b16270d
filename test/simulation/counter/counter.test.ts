import { expect, test } from 'vitest';
import { temporaryDirectory } from '../../support/temporary.ts';
import { judgeCounter } from './counter-judge.ts';
import { runCounter } from './run-counter.ts';

test.each(Array.from({ length: 8 }, (_, place) => place + 1))('seed %i: nothing is violated', async (seed) => {
  expect(judgeCounter(await runCounter(seed, temporaryDirectory()))).toEqual([]);
});

test('the counters are crowded, refused, turned away from and set anew', async () => {
  const runs = await Promise.all([1, 2, 10, 14, 16].map((seed) => runCounter(seed, temporaryDirectory())));
  expect(runs.some(({ crowds }) => crowds.length > 0)).toBe(true);
  expect(runs.some(({ sent }) => sent.some(({ pauseMs }) => pauseMs !== null))).toBe(true);
  expect(
    runs.some(({ questions }) =>
      questions.some(
        ({ turnedAwayAtMs, answeredSubject }) => Number.isFinite(turnedAwayAtMs) && answeredSubject === null,
      ),
    ),
  ).toBe(true);
  expect(runs.some(({ changes }) => changes.length > 2)).toBe(true);
  expect(runs.some(({ sent }) => sent.filter(({ lane }) => lane === 'spare').length > 50)).toBe(true);
});

test('the same seed gives the same evidence', async () => {
  expect(await runCounter(2, temporaryDirectory())).toEqual(await runCounter(2, temporaryDirectory()));
});
