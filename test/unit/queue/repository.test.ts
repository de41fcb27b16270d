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
import {
  asking,
  enqueue,
  leaveUnanswered,
  openRepository,
  productsOf,
  refused,
  seal,
  settle,
  start,
  stateOf,
  takeReading,
} from './repository-rows.ts';

const day = 86_400_000;

test('Q1: an accepted update outlives the process', async () => {
  const first = await openRepository();
  const update = enqueue(first.repository, { ownerId: first.ownerId, product: '1' });
  first.database.close();
  const second = await openRepository(first.directory);
  second.repository.begin(start);
  expect(stateOf(second.repository, update)).toBe('pending');
});

test('Q1: on a full disk nothing is accepted, nothing is half kept, and the older update stays as it was', async () => {
  const { repository, ownerId, database } = await openRepository();
  const older = enqueue(repository, { ownerId, product: '1' });
  const makeRoom = fillDisk(database);
  let accepted = 0;
  let refusal: unknown = null;
  try {
    for (let product = 2; product < 5_000; product += 1) {
      repository.enqueue(asking(ownerId, String(product)));
      accepted += 1;
    }
  } catch (error) {
    refusal = error;
  }
  expect(refusal).toMatchObject({ failure: { kind: 'storageFull' } });
  expect(repository.counts(ownerId)).toEqual({ pending: 1 + accepted });
  expect(stateOf(repository, older)).toBe('pending');
  makeRoom();
  enqueue(repository, { ownerId, product: '1', isEnabled: false });
  expect(stateOf(repository, older)).toBe('superseded');
});

test('Q2, Q3: a sealed update is left alone; a newer one of its product waits, and yields to a newer one', async () => {
  const { repository, ownerId } = await openRepository();
  const first = enqueue(repository, { ownerId, product: '1', isEnabled: true });
  const request = seal(repository, ownerId);
  const second = enqueue(repository, { ownerId, product: '1', isEnabled: false });
  const third = enqueue(repository, { ownerId, product: '1', isEnabled: true });
  expect([first, second, third].map((update) => stateOf(repository, update))).toEqual([
    'sealed',
    'superseded',
    'pending',
  ]);
  expect(repository.seal(ownerId, 'another', start)).toEqual(request);
  expect(repository.nextWork(ownerId, start)).toEqual({ resend: request });
  settle(repository, ownerId, request, { step: 'delivered' });
  expect(productsOf(seal(repository, ownerId))).toEqual(['1']);
});

test('Q3: all that waits goes into one request of at most 100, in the order of asking', async () => {
  const { repository, ownerId } = await openRepository();
  for (let product = 250; product > 0; product -= 1) {
    enqueue(repository, { ownerId, product: String(product) });
  }
  const sizes: number[] = [];
  const sent: string[] = [];
  while (repository.nextWork(ownerId, start) === 'seal') {
    const request = seal(repository, ownerId);
    sizes.push(request.size);
    sent.push(...productsOf(request));
    settle(repository, ownerId, request, { step: 'delivered' });
  }
  expect(sizes).toEqual([largestRequest, largestRequest, 50]);
  expect(sent).toEqual(Array.from({ length: 250 }, (_, place) => String(250 - place)));
});

test('Q4: after a crash the same key and bytes are there, and the attempt is told as abandoned', async () => {
  const first = await openRepository();
  enqueue(first.repository, { ownerId: first.ownerId, product: '1' });
  const request = seal(first.repository, first.ownerId);
  const attempt = first.repository.beginAttempt(request.id, start);
  expect(first.repository.settledThrough()).toBe(attempt - 1);
  first.database.close();
  const { repository, ownerId } = await openRepository(first.directory);
  repository.begin(start + 1000);
  expect(repository.settledThrough()).toBe(attempt);
  expect(repository.nextWork(ownerId, start + 1000)).toEqual({
    resend: { ...request, isRepeated: true, earlierTries: 1 },
  });
});

test('Q4: no answer keeps key and bytes, and the row says why it waits', async () => {
  const { repository, ownerId } = await openRepository();
  const update = enqueue(repository, { ownerId, product: '1' });
  const request = seal(repository, ownerId);
  leaveUnanswered(repository, ownerId, request);
  expect(seal(repository, ownerId)).toEqual({ ...request, isRepeated: true, earlierTries: 1 });
  expect(repository.find(update)).toMatchObject({ state: 'sealed', attempts: 1, failure: '{"kind":"timedOut"}' });
});

test.each([
  { step: 'sealAnew', cause: 'rate', readFirst: false },
  { step: 'sealAnew', cause: 'platform', readFirst: true },
  { step: 'halve', readFirst: false },
] as const)('Q5: after $step the key is never used again', async (disposition) => {
  const { repository, ownerId } = await openRepository();
  enqueue(repository, { ownerId, product: '1' });
  enqueue(repository, { ownerId, product: '2' });
  const request = seal(repository, ownerId);
  settle(repository, ownerId, request, disposition);
  const readFirst = disposition.step === 'sealAnew' && disposition.readFirst;
  expect(repository.nextWork(ownerId, start)).toBe(readFirst ? 'read' : 'seal');
  takeReading(repository, ownerId, {});
  expect(seal(repository, ownerId).idempotencyKey).not.toBe(request.idempotencyKey);
});

test('an id beyond 2^53 is in the body digit for digit', async () => {
  const { repository, ownerId } = await openRepository();
  enqueue(repository, { ownerId, product: '9007199254740993' });
  enqueue(repository, { ownerId, product: '9223372036854775807', isEnabled: false });
  expect(seal(repository, ownerId).body).toBe(
    '{"items":[{"product_id":9007199254740993,"is_enabled":true},{"product_id":9223372036854775807,"is_enabled":false}]}',
  );
});

test('delivery and the confirmed setting are kept together', async () => {
  const { repository, ownerId, coupons } = await openRepository();
  const update = enqueue(repository, { ownerId, product: '1' });
  settle(repository, ownerId, seal(repository, ownerId), { step: 'delivered' });
  expect(stateOf(repository, update)).toBe('delivered');
  expect(coupons.confirmed(ana, '1' as Id)).toBe(true);
});

test('when the confirmed setting cannot be kept, the update is not delivered either', async () => {
  const database = await openQueueDatabase(temporaryDirectory());
  const repository = openQueueRepository(database, () => {
    throw new Error('no room');
  });
  const ownerId = repository.ownerId(ana);
  const update = enqueue(repository, { ownerId, product: '1' });
  const request = seal(repository, ownerId);
  expect(() => settle(repository, ownerId, request, { step: 'delivered' })).toThrow('no room');
  expect(stateOf(repository, update)).toBe('sealed');
  expect(repository.nextWork(ownerId, start)).toEqual({ resend: { ...request, isRepeated: true, earlierTries: 1 } });
});

test("named updates are parked with the platform's reason, and the rest go on", async () => {
  const { repository, ownerId } = await openRepository();
  const updates = ['1', '2', '3', '4'].map((product) => enqueue(repository, { ownerId, product }));
  settle(repository, ownerId, seal(repository, ownerId), { step: 'parkNamed', named: [1, 3] });
  expect(updates.map((update) => stateOf(repository, update))).toEqual(['pending', 'parked', 'pending', 'parked']);
  expect(repository.find(updates[1] ?? 0)).toMatchObject({
    parked_because: 'refused',
    failure: JSON.stringify(refused.failure),
  });
  expect(productsOf(seal(repository, ownerId))).toEqual(['1', '3']);
});

test('a named update is parked with what is said of it alone', async () => {
  const { repository, ownerId } = await openRepository();
  const updates = ['11', '12', '13'].map((product) => enqueue(repository, { ownerId, product }));
  const ofCompany = { field: 'company_id', validations: [] };
  const ofFirst = { field: 'items.0.is_enabled', validations: [{ type: 'locked', values: ['11'] }] };
  const ofThird = { field: 'items.2.product_id', validations: [{ type: 'exists', values: ['13'] }] };
  const failure = { ...refused.failure, fields: [ofCompany, ofFirst, ofThird] };
  settle(repository, ownerId, seal(repository, ownerId), { step: 'parkNamed', named: [0, 2] }, { ...refused, failure });
  const fields = updates.map((id): unknown => JSON.parse(repository.find(id)?.failure ?? 'null'));
  expect(fields).toMatchObject([{ fields: [ofCompany, ofFirst] }, null, { fields: [ofCompany, ofThird] }]);
});

test('what was refused while a newer update waited is no longer wanted', async () => {
  const { repository, ownerId } = await openRepository();
  const older = enqueue(repository, { ownerId, product: '1', isEnabled: true });
  const request = seal(repository, ownerId);
  const newer = enqueue(repository, { ownerId, product: '1', isEnabled: false });
  settle(repository, ownerId, request, { step: 'parkAll' });
  expect([stateOf(repository, older), stateOf(repository, newer)]).toEqual(['superseded', 'pending']);
});

test.each([1, 2, 3, 7, 64, 100])('halving finds one culprit of %i in at most 2 log2 n + 1 requests', async (size) => {
  for (const culprit of new Set([1, Math.ceil(size / 2), size])) {
    const { repository, ownerId, database } = await openRepository();
    for (let product = 1; product <= size; product += 1) {
      enqueue(repository, { ownerId, product: String(product) });
    }
    let requests = 0;
    let refusals = 0;
    while (repository.nextWork(ownerId, start) === 'seal') {
      const request = seal(repository, ownerId);
      requests += 1;
      const isAtFault = productsOf(request).includes(String(culprit));
      refusals += Number(isAtFault);
      const afterRefusal: Disposition = request.size > 1 ? { step: 'halve', readFirst: false } : { step: 'parkAll' };
      settle(repository, ownerId, request, isAtFault ? afterRefusal : { step: 'delivered' });
    }
    expect(repository.counts(ownerId)).toEqual({ ...(size === 1 ? {} : { delivered: size - 1 }), parked: 1 });
    expect(requests).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(size)) + 1);
    expect(refusals).toBeLessThanOrEqual(Math.ceil(Math.log2(size)) + 1);
    database.close();
  }
});

test('updates that come while a request is being halved are not held up by it and do not join the halves', async () => {
  const { repository, ownerId } = await openRepository();
  for (const product of ['1', '2', '3', '4']) {
    enqueue(repository, { ownerId, product });
  }
  settle(repository, ownerId, seal(repository, ownerId), { step: 'halve', readFirst: false });
  enqueue(repository, { ownerId, product: '5' });
  const sent: string[][] = [];
  while (repository.nextWork(ownerId, start) === 'seal') {
    const request = seal(repository, ownerId);
    sent.push(productsOf(request));
    settle(repository, ownerId, request, { step: 'delivered' });
  }
  expect(sent).toEqual([['5'], ['1', '2'], ['3', '4']]);
});

test("the queue has a limit that is told; changing one's mind needs no room", async () => {
  const { repository, ownerId, database } = await openRepository();
  database.transaction(() => {
    for (let product = 1; product <= maxQueueLength; product += 1) {
      repository.enqueue(asking(ownerId, String(product)));
    }
  });
  const more = { ownerId, isEnabled: false, seen: null, isSeenFresh: true, now: start };
  expect(repository.enqueue({ ...more, productId: '999999' as Id })).toBe(false);
  expect(repository.enqueue({ ...more, productId: '5' as Id })).toBe(true);
  expect(repository.counts(ownerId)).toEqual({ pending: maxQueueLength });
  expect(repository.history.list(['superseded'], 0, 1).total).toBe(1);
});

test('a parked update can be sent again or given up, a pending one given up, and nothing else', async () => {
  const { repository, ownerId } = await openRepository();
  const [first = 0, second = 0] = ['1', '2'].map((product) => enqueue(repository, { ownerId, product }));
  expect(repository.retry(first, start)).toBe(false);
  const request = seal(repository, ownerId);
  expect(repository.discard(first, start)).toBe(false);
  settle(repository, ownerId, request, { step: 'parkAll' });
  expect(repository.retry(first, start)).toBe(true);
  expect(repository.find(first)).toMatchObject({
    state: 'pending',
    failure: null,
    parked_because: null,
    request_id: null,
  });
  expect(repository.discard(first, start)).toBe(true);
  expect(repository.discard(second, start)).toBe(true);
  expect(repository.discard(second, start)).toBe(false);
  expect(repository.retry(second, start)).toBe(false);
  expect(repository.retry(12345, start)).toBe(false);
  expect(repository.counts(ownerId)).toEqual({});
  expect(repository.history.list(['discarded'], 0, 1).total).toBe(2);
});

test('I4: an attempt whose answer could not be kept is over when the next one begins', async () => {
  const { repository, ownerId } = await openRepository();
  enqueue(repository, { ownerId, product: '1' });
  const request = seal(repository, ownerId);
  const unkept = repository.beginAttempt(request.id, start);
  expect(repository.settledThrough()).toBe(unkept - 1);
  const attemptId = settle(repository, ownerId, request, { step: 'delivered' });
  expect(repository.settledThrough()).toBe(attemptId);
});

test('history goes after 30 days with its attempts and requests; what is open stays for ever', async () => {
  const { repository, ownerId, database } = await openRepository();
  const waiting = enqueue(repository, { ownerId, product: '1' });
  for (const product of ['2', '3']) {
    enqueue(repository, { ownerId, product });
    settle(
      repository,
      ownerId,
      seal(repository, ownerId),
      product === '2' ? { step: 'delivered' } : { step: 'parkAll' },
    );
    enqueue(repository, { ownerId, product: '1' });
  }
  const open31DaysLater = repository.history.list(['pending', 'parked'], 0, 10).rows.map((row) => row.id);
  const newest = repository.settledThrough();
  repository.begin(start + 29 * day);
  expect(stateOf(repository, waiting)).not.toBeUndefined();
  repository.begin(start + 31 * day);
  expect(repository.history.list([], 0, 10).rows.map((row) => row.id)).toEqual(open31DaysLater);
  // Readings are still counted from the newest attempt.
  expect(repository.settledThrough()).toBe(newest);
  expect(database.prepare('SELECT count(*) AS total FROM attempts').get()).toEqual({ total: 1 });
});

test('the list is newest first, by page and by status', async () => {
  const { repository, ownerId } = await openRepository();
  const updates = ['1', '2', '3'].map((product) => enqueue(repository, { ownerId, product }));
  repository.discard(updates[1] ?? 0, start);
  expect(repository.history.list([], 1, 1)).toMatchObject({
    total: 3,
    rows: [{ id: updates[1], email: ana.email, company_id: '7' }],
  });
  expect(repository.history.list(['pending'], 0, 10).rows.map((row) => row.id)).toEqual([updates[2], updates[0]]);
  expect(repository.history.list(['discarded', 'parked'], 0, 10).total).toBe(1);
});
