import { expect, onTestFinished, test } from 'vitest';
import { maxStrangers, openSharedCoupons, type SharedCoupons } from '../../../app/coupons/shared-coupons.ts';
import type { CouponSettingRow } from '../../../app/coupons/repository.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { silentAfterMs } from '../../../app/hub/document.ts';
import type { HubLink } from '../../../app/hub/link.ts';
import { createSharedTexts } from '../../../app/hub/shared-texts.ts';
import type { SharedNews } from '../../../app/ports.ts';
import type { OpenCouponOfOther } from '../../../app/queue/rows.ts';
import { StorageError } from '../../../app/storage/database.ts';
import { createHubRegister, hubAddress } from '../../support/hub-register.ts';
import { openHubTexts } from '../../support/hub-texts.ts';
import { createSeededRandom } from '../../support/seeded-random.ts';
import { settlePromises } from '../../support/manual-clock.ts';
import { createClock, id } from '../catalogue/catalogue-fixture.ts';

const scope = { platform: 'https://platform.example.com', companyId: id(7) };

/** Tills of one shop, each with what waits there and what counts as confirmed. */
function shop() {
  const clock = createClock();
  const register = createHubRegister(clock);
  const hub = { epoch: 'one', startMs: 0, isUp: true, isAwayFor: '', answersAfterMs: 0 };
  const members = new Set<string>();
  function slowLink(): HubLink {
    const link = register.open(hubAddress);
    const later = <Value>(value: Promise<Value>): Promise<Value> =>
      hub.answersAfterMs === 0
        ? value
        : new Promise((resolve) => {
            clock.after(hub.answersAfterMs, () => resolve(value));
          });
    return { ...link, write: (...input) => later(link.write(...input)) };
  }
  const textsOf = (name: string) =>
    openHubTexts(clock, slowLink(), name, () =>
      hub.isUp && hub.isAwayFor !== name ? { epoch: hub.epoch, loMs: 0, hiMs: clock.uptimeMs() - hub.startMs } : null,
    );
  function till(name: string) {
    members.add(name);
    const state = {
      open: [] as OpenCouponOfOther[],
      confirmed: new Map<string, boolean>(),
      readAt: clock.now() - 600_000,
      isDiskFull: false,
      changes: 0,
    };
    const deliveredAt = new Map<Id, number>();
    const heard = new Map<Id, { readonly isEnabled: boolean; readonly mark: number; readonly atMs: number }>();
    const confirm = (settings: readonly CouponSettingRow[]): void => {
      if (state.isDiskFull) {
        throw new StorageError({ kind: 'storageFull' });
      }
      for (const { productId, isEnabled } of settings) {
        state.confirmed.set(productId, isEnabled);
      }
    };
    const shared: SharedCoupons = openSharedCoupons({
      texts: textsOf(name),
      clock,
      scope,
      till: name,
      isMember: (other) => members.has(other),
      queueRepository: {
        openCouponsOfOthers: () => state.open,
        noteReading: () => ({ mark: 3, number: 1 }),
        settledAt: (mark) => deliveredAt.get(id(mark)) ?? null,
      },
      coupons: {
        hear: (_, settings) => {
          confirm(settings);
          settings.forEach(({ productId, ...told }) => heard.set(productId, { mark: 3, ...told }));
        },
        hearsay: () => heard,
        confirmed: (_, productId) => state.confirmed.get(productId) ?? null,
        markOf: (_, productId) => Number(productId),
        readAt: () => state.readAt,
      },
      onChange: () => (state.changes += 1),
    });
    onTestFinished(() => shared.close());
    return {
      ...shared,
      state,
      wait: (productId: number, isEnabled: boolean, status: OpenCouponOfOther['state'] = 'pending') => {
        const row = {
          subject_id: id(productId),
          is_enabled: Number(isEnabled),
          state: status,
          email: 'bia@example.com',
        };
        state.open = [...state.open.filter((one) => one.subject_id !== row.subject_id), row];
        shared.noteQueue();
      },
      deliver: (productId: number, isEnabled: boolean) => {
        state.open = state.open.filter((one) => one.subject_id !== id(productId));
        state.confirmed.set(id(productId), isEnabled);
        deliveredAt.set(id(productId), clock.now());
        shared.noteDelivered([{ productId: id(productId), isEnabled }]);
      },
    };
  }
  /** As a till that follows no rule. */
  const publishAs = (name: string, state: unknown): Promise<boolean> =>
    textsOf(name).publish(
      `${scope.platform} ${scope.companyId} coupons`,
      { text: JSON.stringify(state), atMs: clock.uptimeMs() },
      'replaces',
    );
  return { clock, hub, members, till, publishAs };
}

test('a change that waits at one till is shown at the others, with what it wants, until it is delivered', async () => {
  const { clock, till } = shop();
  const [one, two] = [till('Caixa 1'), till('Caixa 2')];
  await clock.advance(1_000);
  one.wait(4, false);
  one.wait(5, true, 'parked');
  await clock.advance(200);
  expect(two.waitingFor(id(4))).toEqual({ till: 'Caixa 1', isEnabled: false, isParked: false });
  expect(two.waitingFor(id(5))).toEqual({ till: 'Caixa 1', isEnabled: true, isParked: true });
  expect(one.waitingFor(id(4))).toBeUndefined();
  const [version, changes] = [two.version(), two.state.changes];
  one.deliver(4, false);
  await clock.advance(200);
  expect(two.waitingFor(id(4))).toBeUndefined();
  expect(two.state.confirmed.get('4')).toBe(false);
  expect(two.version()).toBeGreaterThan(version);
  expect(two.state.changes).toBeGreaterThan(changes);
});

test('what was delivered before this till read the settings is not taken, and nothing is taken twice', async () => {
  const { clock, till } = shop();
  const [one, two] = [till('Caixa 1'), till('Caixa 2')];
  await clock.advance(1_000);
  // Changes are published after 200 ms.
  two.state.readAt = clock.now() + 100;
  one.deliver(4, false);
  await clock.advance(1_000);
  expect(two.state.confirmed.has('4')).toBe(false);
  two.state.readAt = clock.now() - 60_000;
  one.deliver(5, true);
  await clock.advance(1_000);
  expect(two.state.confirmed.get('5')).toBe(true);
  two.state.confirmed.set('5', false);
  one.wait(6, true);
  await clock.advance(1_000);
  expect(two.state.confirmed.get('5')).toBe(false);
});

test('a delivery that lies after the moment in which it was told is none', async () => {
  const { clock, till, publishAs } = shop();
  const two = till('Caixa 2');
  await clock.advance(1_000);
  const nowMs = clock.uptimeMs();
  const delivered = [
    { productId: id(4), isEnabled: true, atMs: nowMs + 10_000_000 },
    { productId: id(5), isEnabled: true, atMs: nowMs },
  ];
  await publishAs('Caixa 1', { format: 1, till: 'Caixa 1', waiting: [], delivered });
  await clock.advance(1_000);
  expect([...two.state.confirmed]).toEqual([['5', true]]);
  // Nor is it the moment up to which all is known.
  await clock.advance(60_000);
  const later = [{ productId: id(6), isEnabled: true, atMs: clock.uptimeMs() }];
  await publishAs('Caixa 1', { format: 1, till: 'Caixa 1', waiting: [], delivered: later });
  await clock.advance(1_000);
  expect(two.state.confirmed.get('6')).toBe(true);
});

test('what was delivered while the hub did not answer is told once it does, as of when it was', async () => {
  const { clock, hub, till } = shop();
  const [one, two] = [till('Caixa 1'), till('Caixa 2')];
  hub.isUp = false;
  await clock.advance(1_000);
  one.deliver(4, false);
  one.deliver(5, true);
  await clock.advance(60_000);
  one.deliver(6, true);
  two.state.readAt = clock.now() - 30_000;
  hub.isUp = true;
  await clock.advance(30_000);
  // Read since by the other one.
  expect([...two.state.confirmed]).toEqual([['6', true]]);
  two.state.readAt = clock.now() - 600_000;
  two.state.confirmed.clear();
  one.wait(7, true);
  await clock.advance(1_000);
  // Of the same moment as before: it is not heard again.
  expect([...two.state.confirmed]).toEqual([]);
});

test('a delivery that was rolled back is not told', async () => {
  const { clock, till } = shop();
  const [one, two] = [till('Caixa 1'), till('Caixa 2')];
  await clock.advance(1_000);
  one.deliver(4, false);
  one.state.confirmed.delete('4');
  await clock.advance(1_000);
  expect(two.state.confirmed.has('4')).toBe(false);
});

test('a hub that was away, or has lost everything, has it again; a till that has left shows nothing', async () => {
  const { clock, hub, members, till } = shop();
  const [one, two] = [till('Caixa 1'), till('Caixa 2')];
  hub.isUp = false;
  one.wait(4, false);
  await clock.advance(60_000);
  expect(two.waitingFor(id(4))).toBeUndefined();
  hub.isUp = true;
  await clock.advance(20_000);
  expect(two.waitingFor(id(4))).toMatchObject({ till: 'Caixa 1' });
  hub.epoch = 'two';
  const late = till('Caixa 3');
  await clock.advance(620_000);
  expect(late.waitingFor(id(4))).toMatchObject({ till: 'Caixa 1' });
  members.delete('Caixa 1');
  expect(two.waitingFor(id(4))).toBeUndefined();
});

test('a disk that takes nothing loses neither the view nor the till', async () => {
  const { clock, till } = shop();
  const [one, two] = [till('Caixa 1'), till('Caixa 2')];
  await clock.advance(1_000);
  two.state.isDiskFull = true;
  one.wait(5, true);
  one.deliver(4, false);
  await clock.advance(1_000);
  await settlePromises();
  expect(two.waitingFor(id(5))).toMatchObject({ till: 'Caixa 1' });
});

test('what changes while a till publishes, or without a pause, is shown all the same, and the newest stays', async () => {
  const { clock, hub, till } = shop();
  const [one, two] = [till('Caixa 1'), till('Caixa 2')];
  await clock.advance(1_000);
  hub.answersAfterMs = 300;
  one.wait(4, false);
  await clock.advance(400);
  one.wait(5, true);
  await clock.advance(2_000);
  expect([two.waitingFor(id(4)), two.waitingFor(id(5))]).toMatchObject([{ isEnabled: false }, { isEnabled: true }]);
  hub.answersAfterMs = 0;
  for (let turn = 0; turn < 20; turn += 1) {
    one.wait(6, turn % 2 === 0);
    await clock.advance(100);
  }
  expect(two.waitingFor(id(6))).toBeDefined();
});

test('what is delivered after a loss of the hub, which counts its time anew, is taken', async () => {
  const { clock, hub, till } = shop();
  const [one, two] = [till('Caixa 1'), till('Caixa 2')];
  await clock.advance(60_000);
  one.deliver(4, false);
  await clock.advance(1_000);
  expect(two.state.confirmed.get('4')).toBe(false);
  Object.assign(hub, { epoch: 'two', startMs: clock.uptimeMs() });
  await clock.advance(20_000);
  one.deliver(5, true);
  await clock.advance(1_000);
  expect(two.state.confirmed.get('5')).toBe(true);
});

test('of one till so many changes are taken and no more: what has more is none', async () => {
  const { clock, till, publishAs, members } = shop();
  members.add('Caixa 2');
  const one = till('Caixa 1');
  await clock.advance(1_000);
  one.state.readAt = clock.now() - 60_000;
  const rowsOf = (count: number) =>
    Array.from({ length: count }, (_, place) => ({ productId: id(place + 1), isEnabled: false }));
  const stateOf = (waiting: number, delivered: number, more: number) => ({
    format: 1,
    more: Array.from({ length: more }, () => 0),
    till: 'Caixa 2',
    waiting: rowsOf(waiting).map((row) => ({ ...row, isParked: false })),
    delivered: rowsOf(delivered).map((row) => ({ ...row, atMs: clock.uptimeMs() })),
  });
  for (const [waiting, delivered, more, isTaken] of [
    [501, 0, 0, false],
    [1, 201, 0, false],
    [1, 0, 14_000, false],
    [500, 200, 0, true],
  ] as const) {
    await publishAs('Caixa 2', stateOf(waiting, delivered, more));
    await clock.advance(1_000);
    expect([waiting, delivered, more, one.waitingFor(id(1)) !== undefined]).toEqual([
      waiting,
      delivered,
      more,
      isTaken,
    ]);
  }
});

test('of ids that are no tills of this shop only so many are known at a time', () => {
  const members = new Set(['Caixa 1']);
  let asked = 0;
  let hear: (news: SharedNews) => void = () => undefined;
  const shared = openSharedCoupons({
    texts: {
      ...createSharedTexts({
        clock: createClock(),
        random: createSeededRandom('one'),
        link: createHubRegister(createClock()).open(hubAddress),
        key: new Uint8Array(32),
        id: 'one',
        time: () => null,
      }),
      listen: (_name, listener) => {
        hear = listener;
        return () => undefined;
      },
    },
    clock: createClock(),
    scope,
    till: 'one',
    isMember: (other) => {
      asked += 1;
      return members.has(other);
    },
    queueRepository: {
      openCouponsOfOthers: () => [],
      noteReading: () => ({ mark: 3, number: 1 }),
      settledAt: () => null,
    },
    coupons: {
      hear: () => undefined,
      hearsay: () => new Map(),
      confirmed: () => null,
      markOf: () => null,
      readAt: () => null,
    },
    onChange: () => undefined,
  });
  const news = (by: string, productId: number): void => {
    const waiting = [productId, 5_000].map((one) => ({ productId: id(one), isEnabled: true, isParked: false }));
    hear({ by, text: JSON.stringify({ format: 1, till: by, waiting, delivered: [] }), atMs: 0, ageMs: 0 });
  };
  news('Caixa 1', 1);
  const makeUp = (from: number, to: number): void => {
    for (let number = from; number <= to; number += 1) {
      news(`made up ${number}`, number);
    }
  };
  makeUp(2, 900);
  expect(shared.waitingFor(id(1))).toMatchObject({ till: 'Caixa 1' });
  // Each product that is shown asks of all.
  members.delete('Caixa 1');
  asked = 0;
  expect(shared.waitingFor(id(5_000))).toBeUndefined();
  expect(asked).toBeLessThanOrEqual(maxStrangers + 1);
  members.add('Caixa 1');
  makeUp(901, 1_001);
  members.add('made up 2').add('made up 1001');
  expect(shared.waitingFor(id(1))).toMatchObject({ till: 'Caixa 1' });
  expect(shared.waitingFor(id(1_001))).toMatchObject({ till: 'made up 1001' });
  expect(shared.waitingFor(id(2))).toBeUndefined();
  shared.close();
});

test.each([0, 3_000_000])(
  'a delivery of before a loss is as old in the hub’s time that begins anew at %i',
  async (atMs) => {
    const { clock, hub, till } = shop();
    const [one, two] = [till('Caixa 1'), till('Caixa 2')];
    await clock.advance(3_600_000);
    one.deliver(4, true);
    one.deliver(5, true);
    await clock.advance(60_000);
    expect(two.state.confirmed.get('4')).toBe(true);
    // Somebody has switched it off at the platform since, and this till has read so.
    two.state.confirmed.set('4', false);
    two.state.readAt = clock.now();
    Object.assign(hub, { epoch: 'two', startMs: clock.uptimeMs() - atMs });
    await clock.advance(2 * 3_600_000);
    expect(two.state.confirmed.get('4')).toBe(false);
    const three = till('Caixa 3');
    three.state.readAt = clock.now() - 86_400_000;
    await clock.advance(20_000);
    expect(three.state.confirmed.get('5')).toBe(true);
  },
);

test('a hub’s time that leaps as tills join makes no delivery a new one', async () => {
  const { clock, hub, till } = shop();
  const [one, two] = [till('Caixa 1'), till('Caixa 2')];
  await clock.advance(60_000);
  one.deliver(4, true);
  await clock.advance(1_000);
  expect(two.state.confirmed.get('4')).toBe(true);
  two.state.confirmed.set('4', false);
  // Four tills join.
  hub.startMs -= 4 * (silentAfterMs + 1);
  await clock.advance(1_000);
  one.wait(5, true);
  await clock.advance(1_000);
  expect(two.waitingFor(id(5))).toBeDefined();
  expect(two.state.confirmed.get('4')).toBe(false);
});

test.each([0, 2_000, 4_000, 6_000, 8_000])(
  'of what two tills have delivered the later counts, also when the other tells last, %i',
  async (awayMs) => {
    const { clock, hub, till } = shop();
    const [one, two, three] = [till('Caixa 1'), till('Caixa 2'), till('Caixa 3')];
    await clock.advance(3_000);
    hub.isAwayFor = 'Caixa 1';
    await clock.advance(1_000);
    one.deliver(4, true);
    await clock.advance(30_000);
    two.deliver(4, false);
    await clock.advance(awayMs);
    hub.isAwayFor = '';
    await clock.advance(60_000);
    expect([one, two, three].map(({ state }) => state.confirmed.get('4'))).toEqual([false, false, false]);
  },
);
