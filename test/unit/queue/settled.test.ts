// Proves Q15 in its single cases: what a till says of its settled updates, what it goes by, and when it waits for that.
import { expect, onTestFinished, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { shareSettled } from '../../../app/queue/settled.ts';
import { createHubRegister, hubAddress } from '../../support/hub-register.ts';
import { openHubTexts } from '../../support/hub-texts.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { enqueue as ask, openShop } from './queue-shop.ts';
import { enqueue, openRepository, refused, seal, settle, start, stateOf } from './repository-rows.ts';

const textName = 'settled one';

/** Opens one of the copies of a queue.db. */
async function openCopy() {
  const opened = await openRepository();
  opened.database.exec("INSERT INTO settled_key VALUES ('one')");
  return opened;
}

/** A hub, and till "one" over a queue.db that is opened for each start. */
function openHub() {
  const clock = createManualClock({ now: start });
  const register = createHubRegister(clock);
  const hub = { epoch: 'one', isUp: true };
  const texts = openHubTexts(clock, register.open(hubAddress), 'one', () =>
    hub.isUp ? { epoch: hub.epoch, loMs: 0, hiMs: clock.uptimeMs() } : null,
  );
  const returning: (() => void)[] = [];
  /** Starts over this file; answers how many were settled by what the hub knows. */
  const startOver = async (repository: Awaited<ReturnType<typeof openRepository>>['repository'], waitedMs = 1_000) => {
    const read: number[] = [];
    const shared = shareSettled({
      texts,
      clock,
      repository,
      connection: { onReturn: (listener) => returning.push(listener) },
      onRead: (count) => read.push(count),
    });
    onTestFinished(() => shared.close());
    await clock.advance(waitedMs);
    return { ...shared, read };
  };
  return { clock, hub, register, texts, startOver, returnPlatform: () => returning.forEach((listener) => listener()) };
}

/** Two files of one till: a change and a user's return wait in both, with the same numbers. */
async function openCopies() {
  const open = async () => {
    const opened = await openCopy();
    const { repository, ownerId } = opened;
    const coupon = enqueue(repository, { ownerId, product: '4' });
    expect(repository.enqueueRestoration({ ownerId, userId: '8' as Id, now: start })).toBe(true);
    return { ...opened, coupon, restored: coupon + 1 };
  };
  return [await open(), await open(), await open()] as const;
}

const deliver = ({ repository, ownerId }: Awaited<ReturnType<typeof openRepository>>): number =>
  settle(repository, ownerId, seal(repository, ownerId), { step: 'delivered' });

test('Q15: a change and a user’s return are settled as in another copy, whichever is put back, and when', async () => {
  const { startOver } = openHub();
  const [newer, older, oldest] = await openCopies();
  const nothingYet = enqueue(older.repository, { ownerId: older.ownerId, product: '5' });
  const first = await startOver(newer.repository);
  deliver(newer);
  deliver(newer);
  first.close();
  (await startOver(newer.repository)).close();
  const { read, close } = await startOver(older.repository);
  close();
  expect([first.read, read]).toEqual([[0], [2]]);
  const states = [older.coupon, older.restored, nothingYet].map((id) => older.repository.find(id)?.state);
  expect(states).toEqual(['delivered', 'delivered', 'pending']);
  // The text of a run that had settled nothing itself says what the first one had.
  expect((await startOver(oldest.repository)).read).toEqual([2]);
});

test('Q15: what a copy settles while this till runs is settled here, too', async () => {
  const { clock, startOver, returnPlatform } = openHub();
  const [newer, older] = await openCopies();
  const { read } = await startOver(older.repository);
  deliver(newer);
  await startOver(newer.repository);
  returnPlatform();
  await clock.advance(1_000);
  expect(read).toEqual([0, 1]);
  expect(older.repository.find(older.coupon)?.state).toBe('delivered');
});

test('Q15: what was given up is settled so once it may no longer stand again', async () => {
  const { clock, startOver } = openHub();
  const [newer, older] = await openCopies();
  const { note, close } = await startOver(newer.repository);
  newer.repository.discard(newer.coupon, clock.now());
  note();
  await clock.advance(30_000);
  expect(newer.repository.settled(clock.now())).toEqual({});
  expect(newer.repository.bringBack([newer.coupon], clock.now())).toBe(1);
  newer.repository.discard(newer.coupon, clock.now());
  await clock.advance(600_000);
  close();
  expect((await startOver(older.repository)).read).toEqual([1]);
  expect(older.repository.find(older.coupon)?.state).toBe('discarded');
});

test('Q15: a request of which some is settled is dissolved, and the rest compared before it goes', async () => {
  const { startOver } = openHub();
  const [newer, older] = await openCopies();
  deliver(newer);
  (await startOver(newer.repository)).close();
  const { repository, ownerId } = older;
  const beside = enqueue(repository, { ownerId, product: '5' });
  repository.beginAttempt(seal(repository, ownerId).id, start);
  await startOver(repository);
  expect(repository.nextWork(ownerId, start)).toBe('seal');
  expect([older.coupon, beside].map((id) => repository.find(id)?.state)).toEqual(['delivered', 'pending']);
  expect(repository.find(beside)?.checked_steady_ms).toBeNull();
});

test('Q15: a refusal names a place of the body, whatever of that was settled while it was under way', async () => {
  const { startOver } = openHub();
  const [newer, older] = [await openCopy(), await openCopy()];
  enqueue(newer.repository, { ownerId: newer.ownerId, product: '4' });
  deliver(newer);
  (await startOver(newer.repository)).close();
  const { repository, ownerId } = older;
  const ids = ['4', '5', '6'].map((product) => enqueue(repository, { ownerId, product }));
  const { id: requestId } = seal(repository, ownerId);
  const attemptId = repository.beginAttempt(requestId, start);
  expect((await startOver(repository)).read).toEqual([1]);
  repository.settle({ ownerId, requestId, attemptId }, refused, { step: 'parkNamed', named: [1] }, start);
  expect(ids.map((id) => stateOf(repository, id))).toEqual(['delivered', 'parked', 'pending']);
});

test('Q15: an older copy with a long history leaves what a newer one needs', async () => {
  const { startOver } = openHub();
  const copies = [await openCopy(), await openCopy(), await openCopy()] as const;
  for (const copy of copies) {
    for (let product = 1; product <= 1_000; product += 1) {
      enqueue(copy.repository, { ownerId: copy.ownerId, product: String(product) });
    }
    for (let request = 0; request < 10; request += 1) deliver(copy);
  }
  const [newest, older, newer] = copies;
  for (const { repository, ownerId } of [newest, newer]) enqueue(repository, { ownerId, product: '1001' });
  deliver(newest);
  (await startOver(newest.repository)).close();
  (await startOver(older.repository)).close();
  expect((await startOver(newer.repository)).read).toEqual([1]);
});

test('Q15: a copy that goes on below the numbers of a lost one is known of all the same', async () => {
  const { startOver } = openHub();
  const [lost, before] = [await openCopy(), await openCopy()];
  for (let product = 1; product <= 2_000; product += 1) {
    enqueue(lost.repository, { ownerId: lost.ownerId, product: String(product) });
  }
  for (let request = 0; request < 20; request += 1) deliver(lost);
  const last = await openCopy();
  for (const { repository, ownerId } of [before, last]) enqueue(repository, { ownerId, product: '2004' });
  (await startOver(lost.repository)).close();
  const first = await startOver(before.repository);
  deliver(before);
  first.note();
  (await startOver(before.repository)).close();
  expect((await startOver(last.repository)).read).toEqual([1]);
  // What the lost one had settled is known as well.
  const again = await openCopy();
  for (let product = 1; product <= 2_000; product += 1) {
    enqueue(again.repository, { ownerId: again.ownerId, product: String(product) });
  }
  expect((await startOver(again.repository)).read).toEqual([1_000]);
});

test.each([
  ['the same of a millisecond later', { product: '4', now: start + 1 }],
  ['another product', { product: '6' }],
  ['the opposite', { product: '4', isEnabled: false }],
])('Q15: %s of the same number is not taken for it', async (_which, change) => {
  const { startOver } = openHub();
  const newer = await openCopy();
  enqueue(newer.repository, { ownerId: newer.ownerId, product: '4' });
  deliver(newer);
  (await startOver(newer.repository)).close();
  const older = await openCopy();
  const id = enqueue(older.repository, { ownerId: older.ownerId, ...change });
  expect((await startOver(older.repository)).read).toEqual([0]);
  expect(older.repository.find(id)?.state).toBe('pending');
});

test('Q15: nothing is sent before it is read, or a hub is silent for six seconds, again after an outage', async () => {
  const { clock, hub, startOver, returnPlatform } = openHub();
  hub.isUp = false;
  const [newer] = await openCopies();
  const { waitsMs, read } = await startOver(newer.repository, 0);
  expect(waitsMs()).toBe(6_000);
  await clock.advance(5_000);
  expect(waitsMs()).toBe(1_000);
  await clock.advance(1_000);
  expect(waitsMs()).toBe(0);
  await clock.advance(60_000);
  returnPlatform();
  expect(waitsMs()).toBe(6_000);
  hub.isUp = true;
  await clock.advance(200);
  expect([waitsMs(), read]).toEqual([0, [0]]);
  returnPlatform();
  expect([waitsMs(), read]).toEqual([0, [0]]);
});

test.each([
  ['nonsense', 'nonsense'],
  ['another shape', JSON.stringify({ settled: ['1.abc'] })],
  ['a state of a later version', JSON.stringify({ settled: { '1.abc': 'elsewhere' }, more: 1 })],
])('Q15: %s at the hub settles nothing, and what is over here is told', async (_what, text) => {
  const { clock, texts, startOver } = openHub();
  await texts.write(textName, { text, atMs: clock.uptimeMs() });
  await clock.advance(1_000);
  const [newer, older] = await openCopies();
  deliver(newer);
  const { read, close } = await startOver(newer.repository);
  close();
  expect(read).toEqual([0]);
  expect((await startOver(older.repository)).read).toEqual([1]);
});

test('Q15: a hub that lost it, or did not take it, has it again; nothing is written where nothing is new', async () => {
  const { clock, hub, register, texts, startOver } = openHub();
  const [newer] = await openCopies();
  const { note } = await startOver(newer.repository);
  register.failure = 'unreachable';
  deliver(newer);
  note();
  await clock.advance(5_000);
  register.failure = null;
  await clock.advance(11_000);
  const written = await texts.read(textName);
  expect(written).toMatchObject({ text: JSON.stringify({ settled: newer.repository.settled(clock.now()) }) });
  await clock.advance(1_300_000);
  expect(await texts.read(textName)).toMatchObject({ atMs: (written as { atMs: number }).atMs });
  // What the hub's document has lost is not lost here.
  hub.epoch = 'two';
  await clock.advance(600_000);
  expect(await texts.read(textName)).toBeNull();
  expect(await texts.read(textName, 'everyEpoch')).toMatchObject({ text: (written as { text: string }).text });
  register.empty();
  await clock.advance(600_000);
  expect(await texts.read(textName)).toMatchObject({ text: (written as { text: string }).text });
});

test('Q15: while that is waited for nothing is read or sent, and then at once', async () => {
  const shop = await openShop();
  onTestFinished(() => shop.queue.close().then(shop.stop));
  shop.waitsUntilMs = shop.clock.uptimeMs() + 6_000;
  await ask(shop, '4');
  await shop.clock.advance(5_900);
  expect([shop.counts.reads, shop.sent.length]).toEqual([0, 0]);
  await shop.clock.advance(200);
  expect(shop.sent.length).toBe(1);
});

test('Q15: only copies of a file find its text, made once it has a hub', async () => {
  const [one, other] = [await openRepository(), await openRepository()];
  const keys = ({ database }: typeof one) => database.prepare('SELECT key FROM settled_key').all();
  expect([keys(one), keys(other)]).toEqual([[], []]);
  expect(one.repository.settledName()).toMatch(/^settled [0-9A-F]{32}$/);
  expect(one.repository.settledName()).toBe(one.repository.settledName());
  expect(one.repository.settledName()).not.toBe(other.repository.settledName());
});
