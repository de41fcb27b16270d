// The proof of the queue's engine: what it sends, what each answer leads to, when it waits, and what it says while it
// waits.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed } from '../../../app/domain/result.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';
import { fillDisk } from '../../support/queue-database.ts';
import { ana, bia, enqueue, keysOf, lost, openShop, signed, silence, unsigned, type Reply } from './queue-shop.ts';
import { endCall } from '../../support/way.ts';

const minute = 60_000;

test('an update goes out at once, and is delivered', async () => {
  const shop = await openShop();
  await enqueue(shop, '9007199254740993');
  expect(shop.sent).toMatchObject([
    { body: '{"items":[{"product_id":9007199254740993,"is_enabled":true}]}', accessToken: 'token-0' },
  ]);
  expect(shop.queue.state()).toEqual({
    pending: 0,
    inFlight: 0,
    parked: 0,
    delivered: 1,
    heldBy: null,
    nextTryAt: null,
    ofOthers: { count: 0, emails: [], parked: 0 },
    ofKept: { count: 0, emails: [] },
    elsewhere: [],
  });
  expect(shop.rateLimit.state().used).toBe(1);
});

test('Q4: the attempt and the slot are on disk when the first byte leaves', async () => {
  const shop = await openShop();
  let seen: unknown[] = [];
  shop.replies.push((sending) => {
    seen = [
      shop.database.prepare('SELECT idempotency_key AS key, body FROM requests').get(),
      shop.database.prepare('SELECT count(*) AS total FROM attempts WHERE settled_at IS NULL').get(),
      shop.database.prepare('SELECT count(*) AS total FROM slots WHERE settled_at IS NULL').get(),
    ];
    return signed(204)(sending);
  });
  await enqueue(shop, '1');
  expect(seen).toEqual([{ key: shop.sent[0]?.idempotencyKey, body: shop.sent[0]?.body }, { total: 1 }, { total: 1 }]);
});

test.each([silence, lost])('no answer: the same key and bytes, until one comes', async (nothing) => {
  const shop = await openShop();
  shop.replies.push(nothing, nothing, nothing);
  await enqueue(shop, '1');
  expect(shop.queue.state()).toMatchObject({ pending: 1, inFlight: 0, heldBy: 'offline' });
  for (let round = 0; round < 3; round += 1) {
    await shop.clock.advance(minute);
    endCall(shop.connection, null);
    await settlePromises();
  }
  expect(shop.sent).toHaveLength(4);
  expect(new Set(keysOf(shop)).size).toBe(1);
  expect(new Set(shop.sent.map((sending) => sending.body)).size).toBe(1);
  expect(shop.queue.state()).toMatchObject({ delivered: 1, heldBy: null });
});

test('Q5: after a 500 that the platform signed, the setting is read first, then sent under a new key', async () => {
  const shop = await openShop();
  shop.replies.push(signed(500));
  shop.readings.push(succeed([{ productId: '1' as Id, isEnabled: false }]));
  await enqueue(shop, '1');
  expect(shop.queue.state()).toMatchObject({ pending: 1, heldBy: 'retry' });
  await shop.clock.advance(minute);
  expect(shop.counts.reads).toBe(1);
  expect(new Set(keysOf(shop)).size).toBe(2);
  expect(shop.queue.state().delivered).toBe(1);
});

test('a 500 after the change was made: the reading shows that it holds, and nothing is sent again', async () => {
  const shop = await openShop();
  shop.replies.push(signed(500));
  shop.readings.push(succeed([{ productId: '1' as Id, isEnabled: true }]));
  await enqueue(shop, '1');
  await shop.clock.advance(10 * minute);
  expect(shop.sent).toHaveLength(1);
  expect(shop.queue.state().delivered).toBe(1);
});

test('a failure that nobody signed keeps the key until it has come three times while other calls succeed', async () => {
  const shop = await openShop();
  shop.replies.push(...Array.from({ length: 4 }, () => unsigned(500)));
  await enqueue(shop, '1');
  await shop.clock.advance(10 * minute);
  const keys = keysOf(shop);
  expect(keys).toHaveLength(5);
  expect(new Set(keys.slice(0, 4)).size).toBe(1);
  expect(keys[4]).not.toBe(keys[0]);
  expect(shop.queue.state().delivered).toBe(1);
});

test('a machine in between that refuses everything never costs the key, and nothing is parked', async () => {
  const shop = await openShop();
  shop.replies.push(...Array.from({ length: 40 }, () => unsigned(403)));
  shop.readings.push(...Array.from({ length: 200 }, () => fail({ kind: 'forbidden', status: 403 } as const)));
  await enqueue(shop, '1');
  await shop.clock.advance(15 * minute);
  expect(shop.sent.length).toBeGreaterThan(5);
  expect(new Set(keysOf(shop)).size).toBe(1);
  expect(shop.queue.state()).toMatchObject({ parked: 0, pending: 1, inFlight: 0 });
});

test('where the settings cannot be read, the success of any other call is the proof', async () => {
  const shop = await openShop();
  shop.replies.push(...Array.from({ length: 60 }, () => unsigned(403)));
  shop.readings.push(...Array.from({ length: 200 }, () => fail({ kind: 'forbidden', status: 403 } as const)));
  await enqueue(shop, '1');
  for (let round = 0; round < 30; round += 1) {
    endCall(shop.connection, null);
    await shop.clock.advance(minute / 2);
  }
  expect(shop.queue.state()).toMatchObject({ parked: 1, inFlight: 0 });
  shop.owner = bia;
  expect(shop.queue.state()).toMatchObject({ parked: 0, ofOthers: { count: 0, parked: 1 } });
  shop.owner = ana;
  expect(new Set(keysOf(shop)).size).toBe(1);
});

test.each([
  ['in capitals', (key: string) => key.toUpperCase()],
  ['in quotes', (key: string) => `"${key}"`],
  ['twice, as a gateway may leave it', (key: string) => `${key}, ${key}`],
])('an echo %s is still an echo', async (_how, write) => {
  const shop = await openShop();
  shop.replies.push(({ idempotencyKey }) =>
    succeed({
      status: 422,
      headers: { 'idempotency-key': write(idempotencyKey) },
      body: '{"code":"unprocessable_entity"}',
    }),
  );
  await enqueue(shop, '1');
  expect(shop.queue.state().parked).toBe(1);
});

test('a gateway that names every request itself holds nothing up: after three the reading decides', async () => {
  const shop = await openShop();
  shop.replies.push(
    ...Array.from(
      { length: 20 },
      () => () => succeed({ status: 204, headers: { 'idempotency-key': 'a-name-of-its-own' }, body: '' }),
    ),
  );
  shop.readings.push(...Array.from({ length: 20 }, () => succeed([{ productId: '1' as Id, isEnabled: true }])));
  await enqueue(shop, '1');
  await shop.clock.advance(5 * minute);
  expect(shop.sent).toHaveLength(4);
  expect(new Set(keysOf(shop)).size).toBe(1);
  expect(shop.queue.state()).toMatchObject({ pending: 0, inFlight: 0, delivered: 1, heldBy: null });
});

test("the echo of another key, once, is nobody's answer", async () => {
  const shop = await openShop();
  shop.replies.push(() => succeed({ status: 204, headers: { 'idempotency-key': 'another' }, body: '' }));
  await enqueue(shop, '1');
  expect(shop.queue.state()).toMatchObject({ pending: 1, inFlight: 0, delivered: 0 });
  await shop.clock.advance(minute);
  expect(new Set(keysOf(shop)).size).toBe(1);
  expect(shop.queue.state().delivered).toBe(1);
});

test.each([
  ['204 without the echo', unsigned(204)],
  [
    '204 with a type that says page, as some frameworks write it',
    unsigned(204, '', { 'content-type': 'text/html; charset=UTF-8' }),
  ],
  ['200 with a body', signed(200, '{"items":[]}')],
  ['204 with a body and a replay in capitals', signed(204, 'done', { 'idempotency-replayed': 'TRUE' })],
])('%s is a success', async (_what, reply) => {
  const shop = await openShop();
  shop.replies.push(reply);
  await enqueue(shop, '1');
  expect(shop.queue.state().delivered).toBe(1);
});

test('429: the rate limit shrinks, Retry-After is waited for, and a signed one costs the key', async () => {
  const shop = await openShop();
  shop.replies.push(signed(429, '{"code":"too_many_requests"}', { 'retry-after': '30' }));
  await enqueue(shop, '1');
  expect(shop.slowDowns).toEqual([30_000]);
  await shop.clock.advance(29_999);
  expect(shop.sent).toHaveLength(1);
  await shop.clock.advance(2);
  expect(shop.sent).toHaveLength(2);
  expect(new Set(keysOf(shop)).size).toBe(2);
});

test('a platform that asks to wait for years is asked again within the hour', async () => {
  const shop = await openShop();
  shop.replies.push(signed(503, '', { 'retry-after': '999999999' }));
  await enqueue(shop, '1');
  await shop.clock.advance(61 * minute);
  expect(shop.queue.state().delivered).toBe(1);
});

test('trouble is met with growing pauses of a minute at most', async () => {
  const shop = await openShop();
  const times: number[] = [];
  shop.replies.push(
    ...Array.from({ length: 12 }, (): Reply => (sending) => (times.push(shop.clock.uptimeMs()), signed(500)(sending))),
  );
  await enqueue(shop, '1');
  await shop.clock.advance(10 * minute);
  const gaps = times.slice(1).map((time, place) => time - (times[place] ?? 0));
  expect(gaps[0]).toBeLessThan(2_000);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(minute);
  expect(gaps.at(-1)).toBeGreaterThan(30_000);
});

test('Q4: a crash in the middle of a sending: the next run sends the same key and bytes', async () => {
  const first = await openShop();
  first.replies.push(() => new Promise(() => undefined));
  await enqueue(first, '1');
  first.stop();
  const second = await openShop(
    first.directory,
    createManualClock({ now: first.clock.now() + 5_000, uptimeMs: first.clock.uptimeMs() + 5_000 }),
  );
  await settlePromises();
  expect(second.sent).toMatchObject([{ idempotencyKey: first.sent[0]?.idempotencyKey, body: first.sent[0]?.body }]);
  expect(second.queue.state().delivered).toBe(1);
});

test('closing while a sending hangs ends it, and the next run sends the same again', async () => {
  const first = await openShop();
  first.replies.push(
    ({ signal }) =>
      new Promise((resolve) => {
        signal?.addEventListener('abort', () => {
          resolve(fail({ kind: 'cancelled' }));
        });
      }),
  );
  await enqueue(first, '1');
  await first.queue.close();
  first.rateLimit.close();
  expect(first.clock.nextAlarmMs()).toBeNull();
  first.stop();
  const second = await openShop(
    first.directory,
    createManualClock({ now: first.clock.now(), uptimeMs: first.clock.uptimeMs() }),
  );
  await settlePromises();
  expect(keysOf(second)).toEqual(keysOf(first));
});

test('a full disk refuses the switch and stops nothing for good', async () => {
  const shop = await openShop();
  endCall(shop.connection, { kind: 'unreachable' });
  await enqueue(shop, '1');
  const makeRoom = fillDisk(shop.database);
  expect(() => {
    for (let product = 2; product < 3_000; product += 1) {
      shop.queue.enqueue(String(product) as Id, true, false);
    }
  }).toThrow(expect.objectContaining({ failure: expect.objectContaining({ kind: 'storageFull' }) }));
  endCall(shop.connection, null);
  await shop.clock.advance(minute);
  expect(shop.queue.state().pending).toBeGreaterThan(0);
  makeRoom();
  await shop.clock.advance(5 * minute);
  expect(shop.queue.state()).toMatchObject({ pending: 0, inFlight: 0, parked: 0 });
});
