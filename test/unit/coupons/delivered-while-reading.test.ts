// What another till delivers around a reading of the settings: V2 of shared-coupons.ts over a real repository.
import { expect, onTestFinished, test } from 'vitest';
import { createCouponRefresh } from '../../../app/coupons/refresh.ts';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import { openSharedCoupons } from '../../../app/coupons/shared-coupons.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { succeed } from '../../../app/domain/result.ts';
import { openQueueRepository } from '../../../app/queue/repository.ts';
import { createHubRegister, hubAddress } from '../../support/hub-register.ts';
import { openHubTexts } from '../../support/hub-texts.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const scope = { platform: 'https://platform.example.com', companyId: '7' as Id };
const product = '4' as Id;
const readingMs = 6_000;

/** Two tills at a hub; the second reads the settings, as they were when the request arrived, and takes its time. */
async function shop() {
  const clock = createManualClock();
  const database = await openQueueDatabase(temporaryDirectory());
  const queueRepository = openQueueRepository(database, () => undefined);
  const coupons = openCouponRepository(database);
  const register = createHubRegister(clock);
  const common = (name: string) => ({
    texts: openHubTexts(clock, register.open(hubAddress), name, () => ({
      epoch: 'one',
      loMs: 0,
      hiMs: clock.uptimeMs(),
    })),
    clock,
    scope,
    till: name,
    isMember: () => true,
    onChange: () => undefined,
  });
  const platform = new Map([[product, false]]);
  const { refresh } = createCouponRefresh(
    {
      clock,
      owner: () => ({ ...scope, email: 'bia@example.com' }),
      senders: () => [],
      client: {
        listCouponSettings: async (_query, options) => {
          options.onLeaving?.();
          const told = [...platform].map(([productId, isEnabled]) => ({ productId, isEnabled }));
          await new Promise<void>((resolve) => {
            clock.after(readingMs, resolve);
          });
          return succeed(told);
        },
        listSettingsOfUnnamedCompany: () => Promise.reject(new Error('never')),
      },
      hasOtherCompany: () => false,
      queueRepository,
      coupons,
      onRefreshed: () => undefined,
      onCompanyUnnamed: () => undefined,
    },
    new AbortController().signal,
  );
  const two = openSharedCoupons({ ...common('two'), queueRepository, coupons });
  const one = openSharedCoupons({
    ...common('one'),
    queueRepository: {
      openCouponsOfOthers: () => [],
      noteReading: () => ({ mark: 0, number: 1 }),
      settledAt: () => null,
    },
    coupons: {
      hear: () => undefined,
      hearsay: () => new Map(),
      confirmed: (_, productId) => platform.get(productId) ?? null,
      markOf: () => null,
      readAt: () => null,
    },
  });
  onTestFinished(() => {
    one.close();
    two.close();
  });
  const switchTo = (isEnabled: boolean): void => {
    platform.set(product, isEnabled);
    one.noteDelivered([{ productId: product, isEnabled }]);
  };
  /** As a till that follows no rule, and says of which moment it is. */
  const claim = (isEnabled: boolean, atMs: number): Promise<boolean> => {
    const delivered = [{ productId: product, isEnabled, atMs }];
    const text = JSON.stringify({ format: 1, till: 'stolen', waiting: [], delivered });
    return common('stolen').texts.publish(`${scope.platform} ${scope.companyId} coupons`, { text, atMs }, 'replaces');
  };
  await clock.advance(10_000);
  return { clock, coupons, platform, refresh, switchTo, claim };
}

test.each([
  ['before the reading leaves', -2_000],
  ['while it is under way, heard before its answer', 2_000],
  ['while it is under way, heard after its answer', 5_900],
  ['after the answer', 9_000],
])('V2: what another till delivers %s is shown', async (_name, atMs) => {
  const { clock, coupons, refresh, switchTo } = await shop();
  if (atMs < 0) {
    switchTo(true);
    await clock.advance(-atMs);
  }
  const reading = refresh('catalogue');
  if (atMs > 0) {
    await clock.advance(atMs);
    switchTo(true);
  }
  await clock.advance(10_000);
  await reading;
  await clock.advance(60_000);
  expect(coupons.confirmed(scope, product)).toBe(true);
});

test('V2: what the platform has otherwise since is read over what another till has delivered', async () => {
  const { clock, coupons, platform, refresh, switchTo } = await shop();
  switchTo(true);
  await clock.advance(2_000);
  expect(coupons.confirmed(scope, product)).toBe(true);
  platform.set(product, false);
  const reading = refresh('catalogue');
  await clock.advance(10_000);
  await reading;
  expect([coupons.confirmed(scope, product), coupons.hearsay(scope).size]).toEqual([false, 0]);
});

test('V2: a reading of before the clock was set back keeps nothing of another till away', async () => {
  const { clock, coupons, refresh, switchTo } = await shop();
  const reading = refresh('catalogue');
  await clock.advance(10_000);
  await reading;
  clock.jumpWall(-3_600_000);
  switchTo(true);
  await clock.advance(2_000);
  expect(coupons.confirmed(scope, product)).toBe(true);
});

test('V2: what was heard while the clock was ahead keeps no later reading away', async () => {
  const { clock, coupons, platform, refresh, switchTo } = await shop();
  clock.jumpWall(86_400_000);
  switchTo(true);
  await clock.advance(2_000);
  clock.jumpWall(-86_400_000);
  platform.set(product, false);
  const reading = refresh('catalogue');
  await clock.advance(10_000);
  await reading;
  expect([coupons.confirmed(scope, product), coupons.hearsay(scope).size]).toEqual([false, 0]);
});

test('V2: what a stolen till says to have delivered in a year keeps no reading away', async () => {
  const { clock, coupons, refresh, claim } = await shop();
  await claim(true, clock.uptimeMs() + 365 * 86_400_000);
  await clock.advance(2_000);
  const reading = refresh('catalogue');
  await clock.advance(10_000);
  await reading;
  expect([coupons.confirmed(scope, product), coupons.hearsay(scope).size]).toEqual([false, 0]);
});
