// Checks N1 to N4 of app/expiring/night.ts under a clock that the test moves.
import { expect, onTestFinished, test, vi } from 'vitest';
import type { ProductBatches } from '../../../app/contract/batches.ts';
import { noUpdates } from '../../../app/contract/terminal-state.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import { areOthersBusy, createNight, type Asking, type Planned } from '../../../app/expiring/night.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { calm } from './calm.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const evening = Date.UTC(2031, 0, 6, 21);
const batches: ProductBatches = {
  product: { id: null, name: null, sku: null, unit: null },
  optionNames: '',
  total: 0,
  batches: [],
};

/** A night of ten-minute answers, so that few are asked for. */
function openNight(answer: (productId: string) => Result<ProductBatches, Failure> = () => succeed(batches)) {
  const clock = createManualClock({ now: evening });
  const world = { asking: { isOn: true, from: 22, to: 6 } as Asking, place: calm, isWaiting: false };
  const asked: string[] = [];
  const kept: string[] = [];
  const waiting: AbortSignal[] = [];
  const grants: (() => void)[] = [];
  const night = createNight({
    clock,
    asking: () => world.asking,
    offsetMinutes: () => 0,
    circumstances: () => world.place,
    plan: () =>
      Promise.resolve(
        Array.from({ length: 3 }, (_, at): Planned => ({
          stockId: '1' as Id,
          productId: String(at) as Id,
          askedAt: null,
        })).filter(({ productId }) => !kept.includes(`${productId} true`) && !kept.includes(`${productId} false`)),
      ),
    isWanted: () => Promise.resolve(true),
    ask: ({ productId }, signal, onLeaving) =>
      new Promise((resolve) => {
        waiting.push(signal);
        grants.push(onLeaving);
        const give = (): void => {
          asked.push(productId);
          clock.after(10 * minuteMs, () => resolve(answer(productId)));
        };
        if (!world.isWaiting) {
          give();
          return;
        }
        signal.addEventListener('abort', () => resolve(fail({ kind: 'cancelled' })), { once: true });
      }),
    keep: ({ productId }, reported) => {
      kept.push(`${productId} ${String(reported !== null)}`);
      return Promise.resolve();
    },
    log: vi.fn(),
  });
  onTestFinished(() => night.close());
  night.reconsider();
  return { clock, night, world, asked, kept, waiting, grants };
}

test('asks from the beginning of the night, one after another, until nothing is left (N1, I22)', async () => {
  const { clock, night, asked, kept } = openNight();
  expect(night.state()).toBe('day');
  await clock.advance(hourMs - 1);
  expect(asked).toEqual([]);
  await clock.advance(minuteMs);
  expect([night.state(), asked]).toEqual(['asking', ['0']]);
  await clock.advance(hourMs);
  expect(asked).toEqual(['0', '1', '2']);
  expect(kept).toEqual(['0 true', '1 true', '2 true']);
  expect(night.state()).toBe('done');
});

test.each([
  ['off', { asking: { isOn: false, from: 22, to: 6 } }],
  ['day', { asking: { isOn: true, from: 23, to: 6 } }],
  ['safeMode', { place: { ...calm, isSafeMode: true } }],
  ['signedOut', { place: { ...calm, isSignedIn: false } }],
  ['offline', { place: { ...calm, isOnline: false } }],
  ['copy', { place: { ...calm, isCopyAtRest: false } }],
  ['busy', { place: { ...calm, isBusy: true } }],
  ['refused', { place: { ...calm, refusedForMs: 14 * minuteMs } }],
] as const)('asks nothing while %s stands against it (N1, N3, I22)', async (state, change) => {
  const { clock, night, world, asked } = openNight();
  Object.assign(world, change);
  await clock.advance(hourMs + 5 * minuteMs);
  expect([night.state(), asked]).toEqual([state, []]);
  Object.assign(world, { asking: { isOn: true, from: 22, to: 6 }, place: calm });
  night.reconsider();
  await clock.advance(minuteMs);
  expect(asked).toEqual(['0']);
});

test('what waits for its slot is given up when something comes between, and asked for later (N2, I22)', async () => {
  const { clock, night, world, asked, waiting } = openNight();
  world.isWaiting = true;
  await clock.advance(hourMs + minuteMs);
  expect(waiting.map(({ aborted }) => aborted)).toEqual([false]);
  night.noticeOthers();
  expect(waiting[0]?.aborted).toBe(false);
  world.place = { ...calm, isBusy: true };
  night.noticeOthers();
  expect(waiting[0]?.aborted).toBe(true);
  Object.assign(world, { place: calm, isWaiting: false });
  await clock.advance(minuteMs);
  expect(asked).toEqual(['0']);
});

test.each([
  ['within the night leaves', hourMs, false],
  ['after its end does not leave', 8 * hourMs, true],
])('what is granted its slot %s (N2, I22)', async (_, laterMs, isGivenUp) => {
  const { clock, world, asked, waiting, grants } = openNight();
  world.isWaiting = true;
  await clock.advance(hourMs + minuteMs);
  await clock.advance(laterMs);
  expect(waiting[0]?.aborted).toBe(false);
  grants[0]?.();
  expect([waiting.length, waiting[0]?.aborted, asked]).toEqual([1, isGivenUp, []]);
});

test('what has left goes on to its answer, and is not repeated when something has come between (N2, I22)', async () => {
  const { clock, night, world, kept, waiting } = openNight();
  await clock.advance(hourMs + minuteMs);
  expect(waiting[0]?.aborted).toBe(false);
  world.place = { ...calm, isCopyAtRest: false };
  night.noticeOthers();
  expect(waiting[0]?.aborted).toBe(true);
  await clock.advance(10 * minuteMs);
  expect(kept).toEqual(['0 true']);
});

test('the end of the night ends it', async () => {
  const { clock, asked } = openNight();
  await clock.advance(hourMs);
  await clock.advance(5 * minuteMs);
  clock.jumpWall(8 * hourMs);
  await clock.advance(hourMs);
  expect(asked).toEqual(['0']);
});

test.each([
  ['tooManyRequests', 15 * minuteMs],
  ['platformFailed', 5 * minuteMs],
] as const)('after %s it rests (N3, I22)', async (kind, restMs) => {
  const answers = [fail({ kind }), succeed(batches)];
  const { clock, asked, kept } = openNight(() => answers.shift() ?? succeed(batches));
  await clock.advance(hourMs);
  await clock.advance(10 * minuteMs + restMs - minuteMs);
  expect([asked, kept]).toEqual([['0'], []]);
  await clock.advance(2 * minuteMs);
  expect(asked).toEqual(['0', kind === 'platformFailed' ? '1' : '0']);
});

test('a product that the platform does not have counts as asked for (N4)', async () => {
  const { clock, asked, kept } = openNight(() => fail({ kind: 'notFound' }));
  await clock.advance(2 * hourMs);
  expect([asked, kept]).toEqual([
    ['0', '1', '2'],
    ['0 false', '1 false', '2 false'],
  ]);
});

test.each([
  ['platformFailed', ['0', '1', '2', '0', '0', '0', '0'], ['1 true', '2 true']],
  ['timedOut', ['0', '1', '2', '0', '0', '0', '0'], ['1 true', '2 true']],
  ['forbidden', ['0', '1', '2', '0', '0', '0', '0'], ['1 true', '2 true']],
  ['refused', ['0', '1', '2', '0', '0', '0', '0'], ['1 true', '2 true']],
  ['unreachable', ['0', '0', '0', '0', '0', '0', '0'], []],
  ['signInNeeded', ['0', '0', '0', '0', '0', '0', '0'], []],
] as const)(
  'a product that always fails as %s holds up the others only where it says so (N4)',
  async (kind, requests, keeps) => {
    const { clock, asked, kept } = openNight((productId) => (productId === '0' ? fail({ kind }) : succeed(batches)));
    await clock.advance(hourMs);
    for (let minute = 0; minute < 95; minute += 1) {
      await clock.advance(minuteMs);
    }
    expect([asked, kept]).toEqual([requests, keeps]);
  },
);

test('an update under a kept sign-in that waits to be sent comes first, too (N1)', () => {
  const nobody = { held: { person: 0 }, waiting: [] };
  expect(areOthersBusy(nobody, noUpdates)).toBe(false);
  expect(areOthersBusy(nobody, { ...noUpdates, ofKept: { count: 1, emails: ['ana@example.com'] } })).toBe(true);
});
