import { expect, test } from 'vitest';
import { createRetries } from '../../../../app/catalogue/sync/retries.ts';
import type { Failure } from '../../../../app/domain/failure.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

function waitsAfter(failure: Failure, times: number): readonly number[] {
  const retries = createRetries({ clock: createManualClock(), random: { uuid: () => '', fraction: () => 1 } });
  return Array.from({ length: times }, () => {
    retries.note('stock', failure);
    return Math.max(0, ...retries.waitsMs());
  });
}

test('patience does not grow with a 429 that names no pause (S5)', () => {
  expect(waitsAfter({ kind: 'tooManyRequests' }, 3)).toEqual([5_000, 5_000, 5_000]);
});

test.each<Failure>([{ kind: 'tooManyRequests', retryAfterMs: 1_000 }, { kind: 'platformFailed' }])(
  'patience grows with each %o (S5)',
  (failure) => {
    expect(waitsAfter(failure, 4)).toEqual([5_000, 10_000, 20_000, 40_000]);
  },
);
