// The proof of the queue's invariants Q1 to Q5 in their single cases, and of what is kept of all that is over.
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import type { Disposition } from '../../../app/queue/disposition.ts';
import { maxQueueLength } from '../../../app/queue/capacity.ts';
import { largestRequest } from '../../../app/queue/requests.ts';
import { openQueueRepository } from '../../../app/queue/repository.ts';
import { fillDisk, openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';
import { ana } from './queue-shop.ts';
import { enqueue, noAnswer, openStore, productsOf, refused, seal, settle, start, stateOf } from './repository-rows.ts';

const day = 86_400_000;

test('Q1: an accepted update outlives the process', async () => {
  const first = await openStore();
  const update = enqueue(first.store, { ownerId: first.ownerId, product: '1' });
  first.database.close();
  const second = await openStore(first.directory);
  second.store.begin(start);
  expect(stateOf(second.store, update)).toBe('pending');
});

test('Q1: on a full disk nothing is accepted, nothing is half kept, and the older update stays as it was', async () => {
  const { store, ownerId, database } = await openStore();
  const older = enqueue(store, { ownerId, product: '1' });
  const makeRoom = fillDisk(database);
  let accepted = 0;
  let refusal: unknown = null;
  try {
    for (let product = 2; product < 5_000; product += 1) {
      store.enqueue({
        ownerId,
        productId: String(product) as Id,
        isEnabled: true,
        seen: false,
        isSeenFresh: true,
        now: start,
      });
      accepted += 1;
    }
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({ failure: { kind: 'storageFull' } });
  expect(store.counts(ownerId)).toEqual({ pending: 1 + accepted });
  expect(stateOf(store, older)).toBe('pending');
  makeRoom();
  enqueue(store, { ownerId, product: '1', isEnabled: false });
  expect(stateOf(store, older)).toBe('superseded');
});

test('Q2, Q3: a sealed update is left alone; a newer one of its product waits, and yields to a newer one', async () => {
  const { store, ownerId } = await openStore();
  const first = enqueue(store, { ownerId, product: '1', isEnabled: true });
  const request = seal(store, ownerId);
  const second = enqueue(store, { ownerId, product: '1', isEnabled: false });
  const third = enqueue(store, { ownerId, product: '1', isEnabled: true });
  expect([first, second, third].map((update) => stateOf(store, update))).toEqual(['sealed', 'superseded', 'pending']);
  expect(store.seal(ownerId, 'another', start)).toEqual(request);
  expect(store.nextWork(ownerId, start)).toEqual({ resend: request });
  settle(store, ownerId, request, { step: 'delivered' });
  expect(productsOf(seal(store, ownerId))).toEqual(['1']);
});

test('Q3: all that waits goes into one request of at most 100, in the order of asking', async () => {
  const { store, ownerId } = await openStore();
  for (let product = 250; product > 0; product -= 1) {
    enqueue(store, { ownerId, product: String(product) });
  }
  const sizes: number[] = [];
  const sent: string[] = [];
  while (store.nextWork(ownerId, start) === 'seal') {
    const request = seal(store, ownerId);
    sizes.push(request.size);
    sent.push(...productsOf(request));
    settle(store, ownerId, request, { step: 'delivered' });
  }
  expect(sizes).toEqual([largestRequest, largestRequest, 50]);
  expect(sent).toEqual(Array.from({ length: 250 }, (_, place) => String(250 - place)));
});

test('Q4: after a crash the same key and bytes are there, and the attempt is told as abandoned', async () => {
  const first = await openStore();
  enqueue(first.store, { ownerId: first.ownerId, product: '1' });
  const request = seal(first.store, first.ownerId);
  const attempt = first.store.beginAttempt(request.id, start);
  expect(first.store.settledThrough()).toBe(attempt - 1);
  first.database.close();
  const { store, ownerId } = await openStore(first.directory);
  store.begin(start + 1000);
  expect(store.settledThrough()).toBe(attempt);
  expect(store.nextWork(ownerId, start + 1000)).toEqual({ resend: { ...request, isRepeated: true, earlierTries: 1 } });
});

test('Q4: no answer keeps key and bytes, and the row says why it waits', async () => {
  const { store, ownerId } = await openStore();
  const update = enqueue(store, { ownerId, product: '1' });
  const request = seal(store, ownerId);
  settle(store, ownerId, request, { step: 'sendAgain', cause: 'network', proveFirst: false }, noAnswer);
  expect(seal(store, ownerId)).toEqual({ ...request, isRepeated: true, earlierTries: 1 });
  expect(store.find(update)).toMatchObject({ state: 'sealed', attempts: 1, failure: '{"kind":"timedOut"}' });
});

test.each([
  { step: 'sealAnew', cause: 'rate', readFirst: false },
  { step: 'sealAnew', cause: 'platform', readFirst: true },
  { step: 'halve', readFirst: false },
] as const)('Q5: after $step the key is never used again', async (disposition) => {
  const { store, ownerId } = await openStore();
  enqueue(store, { ownerId, product: '1' });
  enqueue(store, { ownerId, product: '2' });
  const request = seal(store, ownerId);
  settle(store, ownerId, request, disposition);
  const readFirst = disposition.step === 'sealAnew' && disposition.readFirst;
  expect(store.nextWork(ownerId, start)).toBe(readFirst ? 'read' : 'seal');
  store.applyReading(ownerId, new Map(), start, store.unread(ownerId, start));
  expect(seal(store, ownerId).idempotencyKey).not.toBe(request.idempotencyKey);
});

test('an id beyond 2^53 is in the body digit for digit', async () => {
  const { store, ownerId } = await openStore();
  enqueue(store, { ownerId, product: '9007199254740993' });
  enqueue(store, { ownerId, product: '9223372036854775807', isEnabled: false });
  expect(seal(store, ownerId).body).toBe(
    '{"items":[{"product_id":9007199254740993,"is_enabled":true},{"product_id":9223372036854775807,"is_enabled":false}]}',
  );
});

test('delivery and the confirmed setting are kept together', async () => {
  const { store, ownerId, coupons } = await openStore();
  const update = enqueue(store, { ownerId, product: '1' });
  settle(store, ownerId, seal(store, ownerId), { step: 'delivered' });
  expect(stateOf(store, update)).toBe('delivered');
  expect(coupons.confirmed(ana, '1' as Id)).toBe(true);
});

test('when the confirmed setting cannot be kept, the update is not delivered either', async () => {
  const database = await openQueueDatabase(temporaryDirectory());
  const store = openQueueRepository(database, () => {
    throw new Error('no room');
  });
  const ownerId = store.ownerId(ana);
  const update = enqueue(store, { ownerId, product: '1' });
  const request = seal(store, ownerId);
  expect(() => settle(store, ownerId, request, { step: 'delivered' })).toThrow('no room');
  expect(stateOf(store, update)).toBe('sealed');
  expect(store.nextWork(ownerId, start)).toEqual({ resend: { ...request, isRepeated: true, earlierTries: 1 } });
});

test("named updates are parked with the platform's reason, and the rest go on", async () => {
  const { store, ownerId } = await openStore();
  const updates = ['1', '2', '3', '4'].map((product) => enqueue(store, { ownerId, product }));
  settle(store, ownerId, seal(store, ownerId), { step: 'parkNamed', named: [1, 3] });
  expect(updates.map((update) => stateOf(store, update))).toEqual(['pending', 'parked', 'pending', 'parked']);
  expect(store.find(updates[1] ?? 0)).toMatchObject({
    parked_because: 'refused',
    failure: JSON.stringify(refused.failure),
  });
  expect(productsOf(seal(store, ownerId))).toEqual(['1', '3']);
});

test('what was refused while a newer update waited is no longer wanted', async () => {
  const { store, ownerId } = await openStore();
  const older = enqueue(store, { ownerId, product: '1', isEnabled: true });
  const request = seal(store, ownerId);
  const newer = enqueue(store, { ownerId, product: '1', isEnabled: false });
  settle(store, ownerId, request, { step: 'parkAll' });
  expect([stateOf(store, older), stateOf(store, newer)]).toEqual(['superseded', 'pending']);
});

test.each([1, 2, 3, 7, 64, 100])('halving finds one culprit of %i in at most 2 log2 n + 1 requests', async (size) => {
  for (const culprit of new Set([1, Math.ceil(size / 2), size])) {
    const { store, ownerId, database } = await openStore();
    for (let product = 1; product <= size; product += 1) {
      enqueue(store, { ownerId, product: String(product) });
    }
    let requests = 0;
    let refusals = 0;
    while (store.nextWork(ownerId, start) === 'seal') {
      const request = seal(store, ownerId);
      requests += 1;
      const isAtFault = productsOf(request).includes(String(culprit));
      refusals += Number(isAtFault);
      const afterRefusal: Disposition = request.size > 1 ? { step: 'halve', readFirst: false } : { step: 'parkAll' };
      settle(store, ownerId, request, isAtFault ? afterRefusal : { step: 'delivered' });
    }
    expect(store.counts(ownerId)).toEqual({ ...(size === 1 ? {} : { delivered: size - 1 }), parked: 1 });
    expect(requests).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(size)) + 1);
    expect(refusals).toBeLessThanOrEqual(Math.ceil(Math.log2(size)) + 1);
    database.close();
  }
});

test('updates that come while a request is being halved are not held up by it and do not join the halves', async () => {
  const { store, ownerId } = await openStore();
  for (const product of ['1', '2', '3', '4']) {
    enqueue(store, { ownerId, product });
  }
  settle(store, ownerId, seal(store, ownerId), { step: 'halve', readFirst: false });
  enqueue(store, { ownerId, product: '5' });
  const sent: string[][] = [];
  while (store.nextWork(ownerId, start) === 'seal') {
    const request = seal(store, ownerId);
    sent.push(productsOf(request));
    settle(store, ownerId, request, { step: 'delivered' });
  }
  expect(sent).toEqual([['5'], ['1', '2'], ['3', '4']]);
});

test("the queue has a limit that is told; changing one's mind needs no room", async () => {
  const { store, ownerId, database } = await openStore();
  database.transaction(() => {
    for (let product = 1; product <= maxQueueLength; product += 1) {
      store.enqueue({
        ownerId,
        productId: String(product) as Id,
        isEnabled: true,
        seen: false,
        isSeenFresh: true,
        now: start,
      });
    }
  });
  const more = { ownerId, isEnabled: false, seen: null, isSeenFresh: true, now: start };
  expect(store.enqueue({ ...more, productId: '999999' as Id })).toBe(false);
  expect(store.enqueue({ ...more, productId: '5' as Id })).toBe(true);
  expect(store.counts(ownerId)).toEqual({ pending: maxQueueLength });
  expect(store.history.list(['superseded'], 0, 1).total).toBe(1);
});

test('a parked update can be sent again or given up, a pending one given up, and nothing else', async () => {
  const { store, ownerId } = await openStore();
  const [first = 0, second = 0] = ['1', '2'].map((product) => enqueue(store, { ownerId, product }));
  expect(store.retry(first, start)).toBe(false);
  const request = seal(store, ownerId);
  expect(store.discard(first, start)).toBe(false);
  settle(store, ownerId, request, { step: 'parkAll' });
  expect(store.retry(first, start)).toBe(true);
  expect(store.find(first)).toMatchObject({ state: 'pending', failure: null, parked_because: null, request_id: null });
  expect(store.discard(first, start)).toBe(true);
  expect(store.discard(second, start)).toBe(true);
  expect(store.discard(second, start)).toBe(false);
  expect(store.retry(second, start)).toBe(false);
  expect(store.retry(12345, start)).toBe(false);
  expect(store.counts(ownerId)).toEqual({});
  expect(store.history.list(['discarded'], 0, 1).total).toBe(2);
});

test('I4: an attempt whose answer could not be kept is over when the next one begins', async () => {
  const { store, ownerId } = await openStore();
  enqueue(store, { ownerId, product: '1' });
  const request = seal(store, ownerId);
  const unkept = store.beginAttempt(request.id, start);
  expect(store.settledThrough()).toBe(unkept - 1);
  const attemptId = settle(store, ownerId, request, { step: 'delivered' });
  expect(store.settledThrough()).toBe(attemptId);
});

test('history goes after 30 days with its attempts and requests; what is open stays for ever', async () => {
  const { store, ownerId, database } = await openStore();
  const waiting = enqueue(store, { ownerId, product: '1' });
  for (const product of ['2', '3']) {
    enqueue(store, { ownerId, product });
    settle(store, ownerId, seal(store, ownerId), product === '2' ? { step: 'delivered' } : { step: 'parkAll' });
    enqueue(store, { ownerId, product: '1' });
  }
  const open31DaysLater = store.history.list(['pending', 'parked'], 0, 10).rows.map((row) => row.id);
  const newest = store.settledThrough();
  store.begin(start + 29 * day);
  expect(stateOf(store, waiting)).not.toBeUndefined();
  store.begin(start + 31 * day);
  expect(store.history.list([], 0, 10).rows.map((row) => row.id)).toEqual(open31DaysLater);
  // Readings are still counted from the newest attempt.
  expect(store.settledThrough()).toBe(newest);
  expect(database.prepare('SELECT count(*) AS total FROM attempts').get()).toEqual({ total: 1 });
});

test('the list is newest first, by page and by status', async () => {
  const { store, ownerId } = await openStore();
  const updates = ['1', '2', '3'].map((product) => enqueue(store, { ownerId, product }));
  store.discard(updates[1] ?? 0, start);
  expect(store.history.list([], 1, 1)).toMatchObject({
    total: 3,
    rows: [{ id: updates[1], email: ana.email, company_id: '7' }],
  });
  expect(store.history.list(['pending'], 0, 10).rows.map((row) => row.id)).toEqual([updates[2], updates[0]]);
  expect(store.history.list(['discarded', 'parked'], 0, 10).total).toBe(1);
});
