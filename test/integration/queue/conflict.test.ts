// The proof, over real HTTP, of what becomes of a coupon that somebody else has changed while this terminal could not
// send: both values before a person, and either choice carried out.
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { QueuedUpdate } from '../../../app/contract/queue.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { openPracticeTerminal, type PracticeTerminal } from '../../support/practice-terminal.ts';

let practice: PracticeTerminal;
let productId: Id;

beforeEach(async () => {
  practice = await openPracticeTerminal();
  const { platform, terminal } = practice;
  productId = String(platform.products.idAt(3)) as Id;
  platform.changeCouponSetting(productId, true);
  // The state on the person's screen: on.
  await expect
    .poll(async () => {
      await terminal.handlers['coupon:refresh']({});
      const listed = await terminal.handlers['coupon:list']({ filter: 'enabled', offset: 0, limit: 200 });
      return listed.ok && listed.value.rows.some((row) => row.productId === productId);
    })
    .toBe(true);
});

afterEach(() => practice.close());

/**
 * The person asks for `wanted` while nothing reaches the platform, and somebody else sets `theirs` meanwhile; answers
 * the update when that has been found.
 */
async function makeConflict(wanted: boolean, theirs: boolean): Promise<QueuedUpdate> {
  const { platform, terminal } = practice;
  platform.setFaults({ faults: [{ kind: 'dropBeforeEffect' }] });
  await terminal.handlers['coupon:refresh']({});
  await expect
    .poll(async () => {
      const state = await terminal.handlers['terminal:read']({});
      return state.ok ? state.value.connection.state : '';
    })
    .toBe('offline');
  expect(await terminal.handlers['coupon:switch']({ productId, isEnabled: wanted })).toMatchObject(
    succeed({ isEnabled: wanted, status: 'waiting' }),
  );
  platform.changeCouponSetting(productId, theirs);
  platform.setFaults({});
  await expect
    .poll(
      async () => {
        await terminal.handlers['coupon:refresh']({});
        return (await practice.updates())[0]?.status;
      },
      { timeout: 15_000 },
    )
    .toMatch(/parked|delivered/);
  return (await practice.updates())[0] as QueuedUpdate;
}

test('what somebody else has set as this person wants it is no conflict', async () => {
  expect(await makeConflict(false, false)).toMatchObject({ status: 'delivered' });
  expect(practice.platform.arrivals().filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('both values and the time are told; kept theirs, nothing is sent', async () => {
  const { platform, terminal } = practice;
  const before = Date.now();
  // Seen on, wanted on again after somebody had it off: the terminal saw on, and the platform has off.
  const conflict = await makeConflict(true, false);
  expect(conflict).toMatchObject({
    kind: 'coupon',
    status: 'parked',
    parkedBecause: 'conflict',
    isEnabled: true,
    theirs: false,
    attempts: 0,
    failure: null,
  });
  expect(conflict.changedAt).toBeGreaterThanOrEqual(before);

  expect(await terminal.handlers['queue:discard']({ updateId: conflict.id })).toMatchObject({ ok: true });
  expect(platform.couponSettings().get(productId)).toBe(false);
  expect(platform.arrivals().filter(({ method }) => method === 'PUT')).toEqual([]);
});

test('kept mine, it is sent, and holds', async () => {
  const { platform, terminal } = practice;
  const conflict = await makeConflict(true, false);
  expect(await terminal.handlers['queue:retry']({ updateId: conflict.id })).toMatchObject({ ok: true });
  await expect.poll(async () => (await practice.updates())[0]?.status, { timeout: 15_000 }).toBe('delivered');
  expect(platform.couponSettings().get(productId)).toBe(true);
  expect(platform.arrivals().filter(({ method, status }) => method === 'PUT' && status === 204)).toHaveLength(1);
});

test('kept mine, it asks for the PIN where coupons are locked; brought back, it still waits', async () => {
  const { platform, terminal } = practice;
  const { id } = await makeConflict(true, false);
  await terminal.handlers['lock:setPin']({ pin: '2580' });
  await terminal.handlers['lock:unlock']({ pin: '2580', opens: 'lock' });
  await terminal.handlers['lock:choose']({ kinds: ['coupons'], opensForMinutes: 1 });
  await terminal.handlers['lock:lockNow']({});
  expect(await terminal.handlers['queue:retry']({ updateId: id })).toEqual(fail({ kind: 'locked' }));
  expect(await terminal.handlers['queue:retryMany']({ updateIds: [id] })).toEqual(fail({ kind: 'locked' }));
  expect(await terminal.handlers['queue:discard']({ updateId: id })).toMatchObject({ ok: true });
  expect(await terminal.handlers['queue:bringBack']({ updateIds: [id] })).toEqual(succeed({ broughtBack: 1 }));
  expect((await practice.updates())[0]).toMatchObject({ status: 'parked', parkedBecause: 'conflict' });
  expect(await terminal.handlers['queue:retry']({ updateId: id })).toEqual(fail({ kind: 'locked' }));
  expect(platform.couponSettings().get(productId)).toBe(false);
  await terminal.handlers['lock:unlock']({ pin: '2580', opens: 'coupons' });
  expect(await terminal.handlers['queue:retry']({ updateId: id })).toMatchObject({ ok: true });
});
