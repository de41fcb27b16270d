// The proof of M1 to M4 of bulk-switch.ts: what many coupons switched at once by the screen's own store put on disk,
// whatever happens between two slices, and what is taken back.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCouponMany, undoForMs, type CouponMany } from '../../../app/coupons/bulk-switch.ts';
import { maxUpdatesAtOnce as manyAtOnce } from '../../../app/contract/limits/queue.ts';
import { bringBackForMs } from '../../../app/contract/queue.ts';
import { openCouponRepository, type CouponRepository } from '../../../app/coupons/repository.ts';
import type { Failure } from '../../../app/domain/failure.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import { maxQueueLength } from '../../../app/queue/capacity.ts';
import type { UpdateRow } from '../../../app/queue/rows.ts';
import { largestRequest } from '../../../app/queue/requests.ts';
import { StorageError } from '../../../app/storage/database.ts';
import type { Bridge } from '../../../renderer/bridge/bridge.ts';
import { couponBulk, type CouponBulk } from '../../../renderer/coupons/coupon-bulk.ts';
import { createBulk } from '../../../renderer/stores/bulk-store.ts';
import { fillDisk } from '../../support/queue-database.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';
import { makeTemporaryDirectory } from '../../support/temporary.ts';
import { ana, bia, openShop, type Shop } from '../queue/queue-shop.ts';
import { endCall } from '../../support/way.ts';
import { makeLastingStore } from '../../../renderer/stores/make-store.ts';
import { asking } from '../queue/repository-rows.ts';

interface Repository {
  readonly shop: Shop;
  readonly many: CouponMany;
  readonly coupons: CouponRepository;
  /** The screen's. */
  readonly bulk: () => CouponBulk;
  readonly switchAll: (
    productIds: readonly Id[],
    isEnabled: boolean,
  ) => Promise<{ readonly accepted: number; readonly failure: Failure | null }>;
  readonly takeBack: () => Promise<{
    readonly takenBack: number;
    readonly sent: number;
    readonly failure: Failure | null;
  }>;
  /** Whether the settings were read just now. */
  isReadFresh: boolean;
  /** Every slice that was written; a `throw` in it is a crash. */
  onSlice: (slice: number) => void;
}

/** As the terminal's handlers do. */
function answering<Value>(call: () => Result<Value, Failure>): Result<Value, Failure> {
  try {
    return call();
  } catch (error) {
    if (error instanceof StorageError) {
      return fail(error.failure);
    }
    throw error;
  }
}

async function openMany(shop: Shop): Promise<Repository> {
  const coupons = openCouponRepository(shop.database);
  let slices = 0;
  const many = createCouponMany({
    scope: ana,
    clock: shop.clock,
    owner: () => shop.owner,
    isOnline: () => shop.connection.isAnswered(),
    isReadFresh: () => repository.isReadFresh,
    queue: shop.queue,
    queueRepository: {
      ...shop.repository,
      enqueueMany: (wishes, asked) => {
        const accepted = shop.repository.enqueueMany(wishes, asked);
        slices += 1;
        repository.onSlice(slices);
        return accepted;
      },
    },
    coupons,
  });
  const calls: Record<string, (input: never) => Result<unknown, Failure>> = {
    'coupon:countMany': ({ productIds, isEnabled }: { productIds: Id[]; isEnabled: boolean }) =>
      many.count(productIds, isEnabled),
    'coupon:switchMany': many.switchSlice,
    'coupon:undoMany': ({ updateIds, isLast }: { updateIds: number[]; isLast: boolean }) =>
      many.takeBack(updateIds, isLast),
  };
  const bridge: Bridge = {
    call: async (channel, input) => {
      await Promise.resolve();
      return answering(() => calls[channel]?.(input as never) ?? fail({ kind: 'notReady' })) as never;
    },
    subscribe: () => () => undefined,
  };
  const bulk = createBulk(
    makeLastingStore,
    couponBulk(bridge),
    () => () => undefined,
    () => undefined,
  ).getState;
  const repository: Repository = {
    shop,
    many,
    coupons,
    bulk,
    switchAll: async (productIds, isEnabled) => {
      await bulk().ask(isEnabled ? 'on' : 'off', productIds, 0);
      await bulk().confirm();
      const { question, outcome } = bulk();
      bulk().cancel();
      return { accepted: outcome?.count ?? 0, failure: (outcome ?? question)?.failure ?? null };
    },
    takeBack: async () => {
      await bulk().undo();
      const { count = 0, sent = 0, failure = null } = bulk().outcome ?? {};
      return { takenBack: count, sent, failure };
    },
    isReadFresh: true,
    onSlice: () => undefined,
  };
  return repository;
}

const idsFrom = (first: number, howMany: number): Id[] =>
  Array.from({ length: howMany }, (_unused, place) => String(first + place) as Id);

function rowsOf(shop: Shop, state?: UpdateRow['state']): readonly UpdateRow[] {
  return shop.database
    .prepare<UpdateRow>('SELECT * FROM updates WHERE ?1 IS NULL OR state = ?1 ORDER BY id')
    .all(state ?? null);
}

/** A shop whose queue waits: nothing leaves before a test says so. */
async function openOffline(): Promise<Repository> {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  return openMany(shop);
}

test('the count says how many will change, how many are so already, and how many places that takes', async () => {
  const repository = await openOffline();
  const { shop, many, coupons } = repository;
  await coupons.replaceAll(
    ana,
    [
      { productId: '1' as Id, isEnabled: true },
      { productId: '2' as Id, isEnabled: false },
    ],
    { mark: 0, number: 1, leftMs: 0 },
    1,
    () => Promise.resolve(true),
  );
  shop.queue.enqueue('3' as Id, true, false);
  shop.queue.enqueue('1' as Id, false, true);
  // 1 waits to be off, 2 is off, 3 waits to be on, 4 has no setting.
  const chosen = ['1', '2', '3', '4'] as Id[];
  const ownerId = shop.repository.ownerId(ana);
  expect(many.count(chosen, true)).toEqual(
    succeed({ willChange: 3, unsure: 0, already: 1, needed: 2, room: maxQueueLength - 2, ownerId }),
  );
  expect(many.count(chosen, false)).toEqual(
    succeed({ willChange: 1, unsure: 0, already: 3, needed: 0, room: maxQueueLength - 2, ownerId }),
  );
  // By an old reading, only what waits is sure.
  repository.isReadFresh = false;
  expect(many.count(chosen, true)).toMatchObject({ value: { willChange: 3, unsure: 0, already: 1, needed: 2 } });
  expect(many.count(chosen, false)).toMatchObject({ value: { willChange: 1, unsure: 2, already: 1, needed: 2 } });
  expect(rowsOf(shop)).toHaveLength(2);
});

test('M5: chosen on the screen without a network, all of them are asked for', async () => {
  const repository = await openOffline();
  const chosen = idsFrom(1, 3);
  const settings = chosen.map((productId) => ({ productId, isEnabled: productId !== '3' }));
  await repository.coupons.replaceAll(ana, settings, { mark: 0, number: 1, leftMs: 0 }, 1, () => Promise.resolve(true));
  repository.isReadFresh = false;
  expect(await repository.switchAll(chosen, true)).toEqual({ accepted: 3, failure: null });
  // They wait by now.
  expect(await repository.switchAll(chosen, true)).toEqual({ accepted: 0, failure: null });
});

test('M5: what another till alone says is so already is asked for, and read before it is sent', async () => {
  const repository = await openMany(await openShop());
  const { shop, many, coupons } = repository;
  const whole = (number: number) =>
    coupons.replaceAll(ana, [{ productId: '1' as Id, isEnabled: true }], { mark: 0, number, leftMs: 0 }, 1, () =>
      Promise.resolve(true),
    );
  await whole(1);
  coupons.hear(ana, [{ productId: '2' as Id, isEnabled: true, atMs: -1 }], 0);
  const chosen = ['1', '2'] as Id[];
  const ownerId = shop.repository.ownerId(ana);
  expect(many.count(chosen, true)).toMatchObject({ value: { willChange: 0, unsure: 1, already: 1 } });
  expect(many.switchSlice({ productIds: chosen, isEnabled: true, ownerId, needed: 1 })).toMatchObject({ ok: true });
  // Nobody has seen it so: what the platform has instead is nobody's change since.
  expect(rowsOf(shop)).toMatchObject([{ subject_id: '2', is_enabled: 1, seen: null, checked_steady_ms: null }]);
});

test('what a till has heard from another is hearsay until it has read or delivered the same', async () => {
  const { coupons } = await openOffline();
  const all = idsFrom(1, 3);
  const settings = all.map((productId) => ({ productId, isEnabled: true, atMs: -1 }));
  const heard = () => all.filter((productId) => coupons.hearsay(ana).has(productId));
  coupons.hear(ana, settings.slice(0, 2), 1);
  coupons.hear(ana, settings.slice(2), 3);
  expect(heard()).toEqual(all);
  coupons.confirm(ana, settings.slice(0, 1), 1);
  expect(heard()).toEqual(['2', '3']);
  // The reading left before the last was heard.
  await coupons.replaceAll(ana, settings, { mark: 2, number: 1, leftMs: 0 }, 1, () => Promise.resolve(true));
  expect(heard()).toEqual(['3']);
});

test('what is accepted is on disk in slices; what is so already is left alone, and what waits gives way', async () => {
  const { shop, switchAll } = await openOffline();
  shop.queue.enqueue('5' as Id, true, false);
  shop.queue.enqueue('6' as Id, false, null);
  expect(await switchAll(idsFrom(1, 2 * manyAtOnce + 1), true)).toEqual({ accepted: 2 * manyAtOnce, failure: null });
  expect(shop.queue.state().pending).toBe(2 * manyAtOnce + 1);
  expect(rowsOf(shop, 'superseded').map((row) => row.subject_id)).toEqual(['6']);
});

test('stopped, it ends after the present slice, and what is accepted by then can be taken back', async () => {
  const repository = await openOffline();
  const { shop, bulk, switchAll, takeBack } = repository;
  repository.onSlice = (slice) => {
    if (slice === 2) {
      bulk().stop();
    }
  };
  const stopped = { accepted: 2 * manyAtOnce, failure: { kind: 'cancelled' } };
  expect(await switchAll(idsFrom(1, 3 * manyAtOnce), true)).toEqual(stopped);
  expect(await takeBack()).toMatchObject({ takenBack: 2 * manyAtOnce, failure: null });
  // A stop does not outlive what it stopped.
  repository.onSlice = () => undefined;
  expect(await switchAll(idsFrom(1, 2 * manyAtOnce), true)).toEqual({ accepted: 2 * manyAtOnce, failure: null });
  expect(shop.queue.state().pending).toBe(2 * manyAtOnce);
});

test('300 switched at once leave in three requests, once the time for taking back is over', async () => {
  const shop = await openShop();
  const { switchAll } = await openMany(shop);
  await switchAll(idsFrom(1, 3 * largestRequest), true);
  await shop.clock.advance(undoForMs - 10);
  expect([shop.sent.length, shop.counts.reads]).toEqual([0, 0]);
  await shop.clock.advance(20);
  expect(shop.sent).toHaveLength(3);
  expect(shop.queue.state()).toMatchObject({ pending: 0, delivered: 3 * largestRequest });
});

test('what was sealed before goes out while new ones rest', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  const ownerId = shop.repository.ownerId(ana);
  shop.repository.enqueue(asking(ownerId, '9', { now: shop.clock.now() }));
  shop.repository.seal(ownerId, 'sealed-before', shop.clock.now());
  const { switchAll } = await openMany(shop);
  await switchAll(idsFrom(1, 3), true);
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.sent.map(({ idempotencyKey }) => idempotencyKey)).toEqual(['sealed-before']);
});

test('M1: nothing is accepted without room for all of it', async () => {
  const { shop, many, switchAll } = await openOffline();
  await switchAll(idsFrom(1, maxQueueLength - 5), true);
  expect(many.count(idsFrom(20_000, 6), true)).toMatchObject({ value: { needed: 6, room: 5 } });
  expect(await switchAll(idsFrom(20_000, 6), true)).toEqual({ accepted: 0, failure: { kind: 'queueFull' } });
  expect(rowsOf(shop)).toHaveLength(maxQueueLength - 5);
  // Those that wait already need none.
  expect(await switchAll(idsFrom(1, maxQueueLength - 5), false)).toMatchObject({ accepted: maxQueueLength - 5 });
  expect(await switchAll(idsFrom(20_000, 5), true)).toMatchObject({ accepted: 5 });
});

test('M2: room that was taken meanwhile stops it, and the answer counts what is on disk', async () => {
  const repository = await openOffline();
  const { shop, switchAll } = repository;
  await switchAll(idsFrom(1, maxQueueLength - manyAtOnce - 3), true);
  repository.onSlice = () => {
    repository.onSlice = () => undefined;
    shop.queue.enqueue('50000' as Id, true, false);
  };
  expect(await switchAll(idsFrom(20_000, manyAtOnce + 3), true)).toMatchObject({
    accepted: manyAtOnce + 2,
    failure: { kind: 'queueFull' },
  });
  expect(shop.repository.room()).toBe(0);
});

test('M2: a disk that becomes full stops it, and the answer counts what is on disk', async () => {
  const repository = await openOffline();
  let makeRoom = (): void => undefined;
  repository.onSlice = (slice) => {
    if (slice === 2) {
      makeRoom = fillDisk(repository.shop.database);
    }
  };
  const answer = await repository.switchAll(idsFrom(1, 40 * manyAtOnce), true);
  makeRoom();
  expect(answer).toMatchObject({ failure: { kind: 'storageFull' } });
  const { accepted } = answer;
  expect(accepted).toBeGreaterThanOrEqual(2 * manyAtOnce);
  expect(accepted % manyAtOnce).toBe(0);
  expect(rowsOf(repository.shop, 'pending')).toHaveLength(accepted);
});

test('M2: somebody else who signs in meanwhile gets none of it', async () => {
  const repository = await openOffline();
  repository.onSlice = () => {
    repository.shop.owner = bia;
  };
  expect(await repository.switchAll(idsFrom(1, 3 * manyAtOnce), true)).toMatchObject({
    accepted: manyAtOnce,
    failure: { kind: 'signInNeeded' },
  });
  expect(new Set(rowsOf(repository.shop).map((row) => row.owner_id))).toEqual(
    new Set([repository.shop.repository.knownOwnerId(ana)]),
  );
  expect(await repository.takeBack()).toMatchObject({ failure: { kind: 'notFoundHere' } });
});

test('M2: nobody signed in is said, and one work is done at a time', async () => {
  const repository = await openOffline();
  repository.shop.owner = null;
  expect(await repository.switchAll(idsFrom(1, 3), true)).toMatchObject({ failure: { kind: 'signInNeeded' } });
  repository.shop.owner = ana;
  await repository.bulk().ask('on', idsFrom(1, 3), 0);
  await Promise.all([repository.bulk().confirm(), repository.bulk().confirm()]);
  expect([repository.bulk().outcome?.count, rowsOf(repository.shop).length]).toEqual([3, 3]);
});

test('M4: taken back, everything is as it was: what gave way stands again, refused ones with their reason', async () => {
  const { shop, many, switchAll, takeBack } = await openOffline();
  for (const [product, isEnabled] of [
    ['1', false],
    ['2', false],
    ['3', true],
  ] as const) {
    shop.queue.enqueue(product as Id, isEnabled, !isEnabled);
  }
  const refused = rowsOf(shop)[1]?.id ?? 0;
  shop.database
    .prepare(
      `UPDATE updates SET state = 'parked', parked_because = 'refused', failure = '{"kind":"forbidden"}' WHERE id = ?`,
    )
    .run(refused);
  const before = rowsOf(shop).map(({ id, state, failure, seen }) => ({ id, state, failure, seen }));
  expect(await switchAll(idsFrom(1, manyAtOnce + 50), true)).toMatchObject({
    accepted: manyAtOnce + 49,
    failure: null,
  });
  expect(await takeBack()).toEqual({ failure: null, takenBack: manyAtOnce + 49, sent: 0 });
  expect(
    rowsOf(shop)
      .slice(0, 3)
      .map(({ id, state, failure, seen }) => ({ id, state, failure, seen })),
  ).toEqual(before);
  expect(rowsOf(shop, 'discarded')).toHaveLength(manyAtOnce + 49);
  expect(shop.repository.room()).toBe(maxQueueLength - 3);
  // Once only.
  expect(
    many.takeBack(
      rowsOf(shop, 'discarded')
        .slice(0, 1)
        .map(({ id }) => id),
      true,
    ),
  ).toEqual({ ok: true, value: { takenBack: 0, sent: 0 } });
  // An update that was brought back is compared before it goes.
  shop.readings.push({
    ok: true,
    value: [
      { productId: '1' as Id, isEnabled: true },
      { productId: '3' as Id, isEnabled: false },
    ],
  });
  endCall(shop.connection, null);
  await settlePromises();
  expect(shop.sent.map(({ body }) => body)).toEqual([
    '{"items":[{"product_id":1,"is_enabled":false},{"product_id":3,"is_enabled":true}]}',
  ]);
});

test('M4: what has left stays, and what a person has changed since is theirs', async () => {
  const { shop, switchAll, takeBack } = await openOffline();
  await switchAll(idsFrom(1, 4), true);
  const [first] = rowsOf(shop);
  shop.database.prepare("UPDATE updates SET state = 'delivered', attempts = 1 WHERE id = ?").run(first?.id ?? 0);
  shop.queue.enqueue('2' as Id, false, true);
  expect(await takeBack()).toEqual({ failure: null, takenBack: 2, sent: 1 });
  expect(rowsOf(shop, 'pending').map(({ subject_id: product, is_enabled: isEnabled }) => [product, isEnabled])).toEqual(
    [['2', 0]],
  );
});

test('M4: what another user has asked for of the product since holds, and what gave way stays away', async () => {
  const { shop, switchAll, takeBack } = await openOffline();
  shop.queue.enqueue('1' as Id, true, false);
  shop.queue.enqueue('2' as Id, true, false);
  await switchAll(['1', '2'] as Id[], false);
  shop.repository.enqueue(
    asking(shop.repository.ownerId(bia), '1', { isEnabled: false, seen: true, now: shop.clock.now() }),
  );
  shop.database.prepare("UPDATE updates SET state = 'delivered' WHERE owner_id = ?").run(shop.repository.ownerId(bia));
  expect(await takeBack()).toEqual({ failure: null, takenBack: 2, sent: 0 });
  expect(rowsOf(shop, 'pending').map(({ subject_id: product }) => product)).toEqual(['2']);
});

test('M4: after a minute nothing is taken back, however long it waits', async () => {
  const { shop, switchAll, takeBack } = await openOffline();
  await switchAll(idsFrom(1, 3), true);
  await shop.clock.advance(bringBackForMs + 1);
  expect(await takeBack()).toMatchObject({ takenBack: 0, failure: { kind: 'notFoundHere' } });
  expect(rowsOf(shop, 'pending')).toHaveLength(3);
});

test.each([-3_000, 3_600_000])(
  'M4: a clock that is set by %i ms leaves what has not left to be taken back',
  async (ms) => {
    const { shop, switchAll, takeBack } = await openOffline();
    await switchAll(idsFrom(1, 3), true);
    await shop.clock.advance(500);
    shop.clock.jumpWall(ms);
    expect(await takeBack()).toEqual({ failure: null, takenBack: 3, sent: 0 });
  },
);

test('M4: one that was sent and may have taken effect is not taken back', async () => {
  const { shop, switchAll, takeBack } = await openOffline();
  await switchAll(['1' as Id], true);
  shop.database.prepare('UPDATE updates SET attempts = 1').run();
  expect(await takeBack()).toEqual({ failure: null, takenBack: 0, sent: 1 });
  expect(shop.queue.state().pending).toBe(1);
});

test('M2, M3: wherever it crashes, what was answered as accepted is there once, and goes out once', async () => {
  const wish = fc.record({
    first: fc.integer({ min: 1, max: 900 }),
    howMany: fc.integer({ min: 1, max: 700 }),
    isEnabled: fc.boolean(),
    crashAt: fc.option(fc.integer({ min: 1, max: 4 }), { freq: 2, nil: null }),
    isUndone: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { minLength: 1, maxLength: 4 }), async (wishes) => {
      const folder = makeTemporaryDirectory();
      let shop = await openShop(folder.path);
      endCall(shop.connection, { kind: 'unreachable' });
      let repository = await openMany(shop);
      // The setting that each product must end with; undefined where a crash took the answer away.
      const promised = new Map<string, boolean | undefined>();
      for (const { first, howMany, isEnabled, crashAt, isUndone } of wishes) {
        const chosen = idsFrom(first, howMany);
        repository.onSlice = (slice) => {
          if (slice === crashAt) {
            throw new Error('power');
          }
        };
        const before = new Map(promised);
        const answer = await repository.switchAll(chosen, isEnabled).catch(() => null);
        for (const productId of chosen) {
          promised.set(productId, answer === null ? undefined : isEnabled);
        }
        if (answer === null) {
          shop.stop();
          shop = await openShop(
            folder.path,
            createManualClock({ now: shop.clock.now(), uptimeMs: shop.clock.uptimeMs() + 1_000_000 }),
          );
          endCall(shop.connection, { kind: 'unreachable' });
          repository = await openMany(shop);
        } else if (isUndone && answer.accepted > 0) {
          expect(await repository.takeBack()).toMatchObject({ takenBack: answer.accepted, sent: 0 });
          for (const productId of chosen) {
            promised.set(productId, before.has(productId) ? before.get(productId) : undefined);
          }
        }
        const pending = rowsOf(shop, 'pending');
        expect(new Set(pending.map((row) => row.subject_id)).size).toBe(pending.length);
      }
      const waiting = new Map(rowsOf(shop, 'pending').map((row) => [row.subject_id as string, row.is_enabled === 1]));
      for (const [productId, isEnabled] of promised) {
        if (isEnabled !== undefined && waiting.has(productId)) {
          expect(waiting.get(productId)).toBe(isEnabled);
        }
      }
      // Nothing confirmed is known here, so whatever was promised and not taken back waits.
      const undone = new Set(
        wishes.flatMap(({ first, howMany, isUndone }) => (isUndone ? idsFrom(first, howMany) : [])),
      );
      for (const [productId, isEnabled] of promised) {
        expect(isEnabled === undefined || undone.has(productId as Id) || waiting.has(productId)).toBe(true);
      }
      endCall(shop.connection, null);
      await shop.clock.advance(undoForMs + 200_000);
      const sent = shop.sent.flatMap(
        ({ body }) => (JSON.parse(body) as { items: { product_id: number; is_enabled: boolean }[] }).items,
      );
      expect(new Map(sent.map((item) => [String(item.product_id), item.is_enabled]))).toEqual(waiting);
      expect(sent).toHaveLength(waiting.size);
      shop.stop();
      folder.remove();
    }),
    { numRuns: 12, seed: 5 },
  );
});
