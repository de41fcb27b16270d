// The proof of when the coupon settings are read for showing.
import { expect, test } from 'vitest';
import { createCouponReading } from '../../../app/coupons/reading.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import { StorageError } from '../../../app/storage/database.ts';
import { createManualClock } from '../../support/manual-clock.ts';

function open(read: (count: number) => Promise<Result<void, Failure>>, isOffline = (): boolean => false) {
  const clock = createManualClock();
  const reads: number[] = [];
  const startMs = clock.uptimeMs();
  const random = { uuid: () => '', fraction: () => 0.5 };
  const connection = { outage: (): Failure | null => (isOffline() ? { kind: 'unreachable' } : null) };
  const reading = createCouponReading({ clock, random, connection }, () => {
    reads.push(clock.uptimeMs() - startMs);
    return read(reads.length);
  });
  return { clock, reads, reading };
}

const done = (): Promise<Result<void, Failure>> => Promise.resolve(succeed(undefined));

test('reads at the start and every quarter of an hour, and not when stopped', async () => {
  const { clock, reads, reading } = open(done);
  reading.start();
  await clock.advance(2 * 900_000);
  expect(reads).toEqual([0, 900_000, 1_800_000]);
  reading.stop();
  await clock.advance(10 * 900_000);
  expect(reads).toHaveLength(3);
});

test.each([
  ['a failure', () => Promise.resolve(fail({ kind: 'unreachable' } as const))],
  ['a full disk', () => Promise.reject(new StorageError({ kind: 'storageFull' }))],
])('%s is tried again at growing distances up to five minutes', async (_what, trouble) => {
  const { clock, reads, reading } = open((count) => (count < 8 ? trouble() : done()));
  reading.start();
  await clock.advance(3_600_000);
  const gaps = reads.slice(1).map((atMs, place) => (atMs - (reads[place] ?? 0)) / 1000);
  expect(gaps.slice(0, 8)).toEqual([10, 20, 40, 80, 160, 300, 300, 900]);
});

test('starting again while a reading is under way starts no second one', async () => {
  const { promise, resolve } = Promise.withResolvers<Result<void, Failure>>();
  const { clock, reads, reading } = open((count) => (count === 1 ? promise : done()));
  reading.start();
  reading.start();
  await clock.advance(1_000);
  expect(reads).toHaveLength(1);
  resolve(succeed(undefined));
  await clock.advance(900_000);
  expect(reads).toHaveLength(2);
});

test('during an outage nothing is asked for, and at once when it is over', async () => {
  let isOffline = true;
  const { clock, reads, reading } = open(done, () => isOffline);
  reading.start();
  await clock.advance(3_600_000);
  expect(reads).toEqual([]);
  isOffline = false;
  reading.start();
  await clock.advance(900_000);
  expect(reads).toEqual([3_600_000, 4_500_000]);
});
