// Owns the proof of the queue's engine: what it sends, when it waits, and what it says while it waits.
import { expect, test } from 'vitest';
import type { Failure } from '../../../app/domain/failure.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { fail, succeed, type Result } from '../../../app/domain/result.ts';
import { freshForMs } from '../../../app/queue/store.ts';
import { createManualClock, settlePromises } from '../../support/manual-clock.ts';
import { fillDisk } from '../../support/queue-database.ts';
import { ana, bia, enqueue, keysOf, lost, openShop, signed, silence, unsigned, type Reply } from './queue-shop.ts';

const minute = 60_000;

test('an update goes out at once, and is delivered', async () => {
  const shop = await openShop();
  await enqueue(shop, '9007199254740993');
  expect(shop.sent).toMatchObject([{ body: '{"items":[{"product_id":9007199254740993,"is_enabled":true}]}', accessToken: 'token-0' }]);
  expect(shop.queue.state()).toEqual({ pending: 0, inFlight: 0, parked: 0, delivered: 1, heldBy: null, nextTryAt: null, ofOthers: { count: 0, emails: [], parked: 0 } });
  expect(shop.budget.state().used).toBe(1);
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
  expect(shop.queue.state()).toMatchObject({ inFlight: 1, heldBy: 'offline' });
  for (let round = 0; round < 3; round += 1) {
    await shop.clock.advance(minute);
    shop.connection.report(null);
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
  expect(shop.queue.state()).toMatchObject({ parked: 0, inFlight: 1 });
});

test('where the settings cannot be read, the success of any other call is the proof', async () => {
  const shop = await openShop();
  shop.replies.push(...Array.from({ length: 60 }, () => unsigned(403)));
  shop.readings.push(...Array.from({ length: 200 }, () => fail({ kind: 'forbidden', status: 403 } as const)));
  await enqueue(shop, '1');
  for (let round = 0; round < 30; round += 1) {
    shop.connection.report(null);
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
  shop.replies.push(({ idempotencyKey }) => succeed({ status: 422, headers: { 'idempotency-key': write(idempotencyKey) }, body: '{"code":"unprocessable_entity"}' }));
  await enqueue(shop, '1');
  expect(shop.queue.state().parked).toBe(1);
});

test('a gateway that names every request itself holds nothing up: after three such answers the reading decides', async () => {
  const shop = await openShop();
  shop.replies.push(...Array.from({ length: 20 }, () => () => succeed({ status: 204, headers: { 'idempotency-key': 'a-name-of-its-own' }, body: '' })));
  shop.readings.push(...Array.from({ length: 20 }, () => succeed([{ productId: '1' as Id, isEnabled: true }])));
  await enqueue(shop, '1');
  await shop.clock.advance(5 * minute);
  expect(shop.sent).toHaveLength(4);
  expect(new Set(keysOf(shop)).size).toBe(1);
  expect(shop.queue.state()).toMatchObject({ pending: 0, inFlight: 0, delivered: 1, heldBy: null });
});

test('the echo of another key, once, is nobody\'s answer', async () => {
  const shop = await openShop();
  shop.replies.push(() => succeed({ status: 204, headers: { 'idempotency-key': 'another' }, body: '' }));
  await enqueue(shop, '1');
  expect(shop.queue.state()).toMatchObject({ inFlight: 1, delivered: 0 });
  await shop.clock.advance(minute);
  expect(new Set(keysOf(shop)).size).toBe(1);
  expect(shop.queue.state().delivered).toBe(1);
});

test.each([
  ['204 without the echo', unsigned(204)],
  ['204 with a type that says page, as some frameworks write it', unsigned(204, '', { 'content-type': 'text/html; charset=UTF-8' })],
  ['200 with a body', signed(200, '{"items":[]}')],
  ['204 with a body and a replay in capitals', signed(204, 'done', { 'idempotency-replayed': 'TRUE' })],
])('%s is a success', async (_what, reply) => {
  const shop = await openShop();
  shop.replies.push(reply);
  await enqueue(shop, '1');
  expect(shop.queue.state().delivered).toBe(1);
});

test('401: one renewal, the same bytes, no waiting, and never parked', async () => {
  const shop = await openShop();
  shop.replies.push(unsigned(401));
  await enqueue(shop, '1');
  expect(shop.sent.map((sending) => sending.accessToken)).toEqual(['token-0', 'token-1']);
  expect(new Set(keysOf(shop)).size).toBe(1);
  expect(shop.counts).toEqual({ reads: 0, renewals: 1 });
  expect(shop.queue.state().delivered).toBe(1);
});

test('401 that the platform has stored under the key: a new key after the renewal', async () => {
  const shop = await openShop();
  shop.replies.push(signed(401));
  await enqueue(shop, '1');
  await shop.clock.advance(minute);
  expect(new Set(keysOf(shop)).size).toBe(2);
  expect(shop.queue.state().delivered).toBe(1);
});

test('401 that is replayed without its echo: the key is given up in the end', async () => {
  const shop = await openShop();
  let first: string | null = null;
  shop.replies.push(
    ...Array.from({ length: 20 }, (): Reply => (sending) => {
      first ??= sending.idempotencyKey;
      return sending.idempotencyKey === first ? succeed({ status: 401, headers: {}, body: '' }) : signed(204)(sending);
    }),
  );
  await enqueue(shop, '1');
  await shop.clock.advance(15 * minute);
  expect(shop.queue.state()).toMatchObject({ delivered: 1, parked: 0 });
});

test('an ended sign-in holds everything and parks nothing; the same user signing in again sends it', async () => {
  const shop = await openShop();
  shop.replies.push(unsigned(401));
  shop.renewal = fail({ kind: 'signInNeeded' });
  await enqueue(shop, '1');
  await shop.clock.advance(30 * minute);
  expect(shop.queue.state()).toMatchObject({ inFlight: 1, parked: 0, heldBy: 'signIn' });
  expect(shop.sent).toHaveLength(1);
  shop.token = succeed('token-9');
  shop.queue.resume();
  await settlePromises();
  expect(shop.sent[1]).toMatchObject({ accessToken: 'token-9', idempotencyKey: shop.sent[0]?.idempotencyKey });
  expect(shop.queue.state().delivered).toBe(1);
});

test.each(['vaultLocked', 'vaultUnavailable'] as const)('%s waits for a person like a sign-in', async (kind) => {
  const shop = await openShop();
  shop.token = fail({ kind });
  await enqueue(shop, '1');
  expect(shop.queue.state()).toMatchObject({ pending: 1, heldBy: 'signIn' });
});

test('429: the allowance shrinks, Retry-After is waited for, and a signed one costs the key', async () => {
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
  shop.replies.push(...Array.from({ length: 12 }, (): Reply => (sending) => (times.push(shop.clock.uptimeMs()), signed(500)(sending))));
  await enqueue(shop, '1');
  await shop.clock.advance(10 * minute);
  const gaps = times.slice(1).map((time, place) => time - (times[place] ?? 0));
  expect(gaps[0]).toBeLessThan(2_000);
  expect(Math.max(...gaps)).toBeLessThanOrEqual(minute);
  expect(gaps.at(-1)).toBeGreaterThan(30_000);
});

test('an outage of eleven hours costs no key, parks nothing, and the queue drains when it is over', async () => {
  const shop = await openShop();
  shop.replies.push(...Array.from({ length: 5_000 }, () => lost));
  for (const product of ['1', '2', '3']) {
    await enqueue(shop, product);
  }
  for (let hour = 0; hour < 11; hour += 1) {
    await shop.clock.advance(60 * minute);
    shop.connection.report(null);
    await settlePromises();
  }
  shop.replies.length = 0;
  shop.connection.report(null);
  await shop.clock.advance(5 * minute);
  expect(shop.queue.state()).toMatchObject({ pending: 0, inFlight: 0, parked: 0, delivered: 3, heldBy: null });
});

test('offline: nothing is tried; what was made offline is read for before it is sent', async () => {
  const shop = await openShop();
  shop.connection.report({ kind: 'unreachable' });
  await enqueue(shop, '1');
  await enqueue(shop, '2');
  await shop.clock.advance(60 * minute);
  expect(shop.queue.state()).toMatchObject({ pending: 2, heldBy: 'offline' });
  expect([shop.counts.reads, shop.sent.length]).toEqual([0, 0]);
  shop.connection.report(null);
  await settlePromises();
  expect([shop.counts.reads, shop.sent.length]).toEqual([1, 1]);
  expect(shop.queue.state().delivered).toBe(2);
});

test('a conflict waits for a person, and holds nothing else back', async () => {
  const shop = await openShop();
  shop.connection.report({ kind: 'unreachable' });
  await enqueue(shop, '1', true);
  await enqueue(shop, '1', false);
  await enqueue(shop, '2', true);
  shop.readings.push(succeed([{ productId: '1' as Id, isEnabled: true }]));
  shop.connection.report(null);
  await settlePromises();
  expect(shop.queue.state()).toMatchObject({ parked: 1, delivered: 1 });
  const [parked] = shop.store.history.list(['parked'], 0, 1).rows;
  expect(parked).toMatchObject({ subject_id: '1', parked_because: 'conflict', theirs: 1 });
  expect(shop.queue.retry(parked?.id ?? 0)).toMatchObject({ ok: true });
  await settlePromises();
  expect(shop.sent.at(-1)?.body).toBe('{"items":[{"product_id":1,"is_enabled":false}]}');
});

test('an older update in doubt is not overtaken by a newer one that the reading seems to confirm', async () => {
  const shop = await openShop();
  shop.replies.push(unsigned(500));
  await enqueue(shop, '1', true);
  // Off again, while the first one's fate is unknown; by the time of the reading it has not happened yet.
  shop.connection.report({ kind: 'unreachable' });
  await enqueue(shop, '1', false);
  shop.readings.push(succeed([{ productId: '1' as Id, isEnabled: false }]));
  // The network is back, and nothing has succeeded yet.
  shop.connection.report({ kind: 'unauthorized', status: 401 });
  await shop.clock.advance(5 * minute);
  expect(shop.sent).toHaveLength(3);
  expect(shop.sent.at(-1)?.body).toBe('{"items":[{"product_id":1,"is_enabled":false}]}');
  expect(shop.queue.state()).toMatchObject({ pending: 0, inFlight: 0 });
});

test('a slow reading says nothing of an update that was accepted after it left', async () => {
  const shop = await openShop();
  shop.connection.report({ kind: 'unreachable' });
  await enqueue(shop, '1');
  const answer = Promise.withResolvers<ReturnType<typeof succeed<{ productId: Id; isEnabled: boolean }[]>>>();
  shop.readings.push(answer.promise);
  shop.connection.report(null);
  await shop.clock.advance(3_000);
  expect(shop.counts.reads).toBe(1);
  // It was on when the reading left; another reading has shown the cashier that it is off since.
  await enqueue(shop, '2');
  answer.resolve(succeed([{ productId: '2' as Id, isEnabled: true }]));
  await shop.clock.advance(minute);
  expect(shop.sent.map(({ body }) => body).join()).toContain('"product_id":2,"is_enabled":true');
  expect(shop.queue.state().delivered).toBe(2);
});

test('what waited too long for the allowance is read for again', async () => {
  const shop = await openShop();
  shop.budget.slowDown(freshForMs + 1_000);
  await enqueue(shop, '1');
  await shop.clock.advance(freshForMs + 2_000);
  expect(shop.counts.reads).toBe(1);
  expect(shop.queue.state().delivered).toBe(1);
});

test('another user\'s sign-in sends nothing of the first one\'s, also when it happens while a slot is waited for', async () => {
  const shop = await openShop();
  shop.budget.slowDown(10_000);
  await enqueue(shop, '1');
  shop.owner = bia;
  shop.queue.resume();
  await shop.clock.advance(minute);
  expect(shop.sent).toHaveLength(0);
  expect(shop.queue.state()).toMatchObject({ pending: 0, heldBy: 'otherUser', ofOthers: { count: 1, emails: [ana.email] } });
  expect(shop.budget.state().used).toBe(0);
  shop.owner = ana;
  shop.queue.resume();
  await shop.clock.advance(5 * minute);
  expect(shop.queue.state()).toMatchObject({ delivered: 1 });
});

test('nobody signed in: nothing is accepted, and what waits says so', async () => {
  const shop = await openShop();
  shop.connection.report({ kind: 'unreachable' });
  await enqueue(shop, '1');
  shop.owner = null;
  expect(shop.queue.enqueue('2' as Id, true, false)).toEqual({ ok: false, failure: { kind: 'signInNeeded' } });
  expect(shop.queue.state()).toMatchObject({ heldBy: 'signIn', ofOthers: { count: 1 } });
});

test('settings that this user may not read hold nothing up', async () => {
  const shop = await openShop();
  shop.connection.report({ kind: 'unreachable' });
  await enqueue(shop, '1');
  shop.readings.push(fail({ kind: 'forbidden', status: 403 }));
  shop.connection.report(null);
  await settlePromises();
  expect(shop.queue.state().delivered).toBe(1);
});

test.each(['answerMalformed', 'answerTooLarge'] as const)('a list of settings that is %s is tried three times, then done without', async (kind) => {
  const shop = await openShop();
  shop.connection.report({ kind: 'unreachable' });
  await enqueue(shop, '1');
  shop.readings.push(...Array.from({ length: 10 }, () => fail({ kind })));
  shop.connection.report(null);
  await shop.clock.advance(5 * minute);
  expect(shop.counts.reads).toBe(3);
  expect(shop.queue.state().delivered).toBe(1);
});

test('Q4: a crash in the middle of a sending: the next run sends the same key and bytes', async () => {
  const first = await openShop();
  first.replies.push(() => new Promise(() => undefined));
  await enqueue(first, '1');
  first.stop();
  const second = await openShop(first.directory, createManualClock({ now: first.clock.now() + 5_000, uptimeMs: first.clock.uptimeMs() + 5_000 }));
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
  first.budget.close();
  expect(first.clock.nextAlarmMs()).toBeNull();
  first.stop();
  const second = await openShop(first.directory, createManualClock({ now: first.clock.now(), uptimeMs: first.clock.uptimeMs() }));
  await settlePromises();
  expect(keysOf(second)).toEqual(keysOf(first));
});

test('a full disk is said by the switch and stops nothing for good', async () => {
  const shop = await openShop();
  shop.connection.report({ kind: 'unreachable' });
  await enqueue(shop, '1');
  const makeRoom = fillDisk(shop.database);
  let refusal: Result<void, Failure> = succeed(undefined);
  for (let product = 2; product < 3_000 && refusal.ok; product += 1) {
    refusal = shop.queue.enqueue(String(product) as Id, true, false);
  }
  expect(refusal).toMatchObject({ ok: false, failure: { kind: 'storageFull' } });
  shop.connection.report(null);
  await shop.clock.advance(minute);
  expect(shop.queue.state().pending).toBeGreaterThan(0);
  makeRoom();
  await shop.clock.advance(5 * minute);
  expect(shop.queue.state()).toMatchObject({ pending: 0, inFlight: 0, parked: 0 });
});
