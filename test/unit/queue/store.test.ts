// Owns the proof of the queue's invariants Q1 to Q7 in their single cases; any sequence of events is in store-model.test.ts.
import { expect, test } from 'vitest';
import { openCouponStore } from '../../../app/coupons/store.ts';
import { parseId, type Id } from '../../../app/domain/int64.ts';
import type { Disposition, Outcome } from '../../../app/queue/disposition.ts';
import type { OpenRequest, Owner } from '../../../app/queue/rows.ts';
import { longestQueue } from '../../../app/queue/intake.ts';
import { freshForMs, largestRequest, openQueueStore, type QueueStore } from '../../../app/queue/store.ts';
import type { Database } from '../../../app/storage/database.ts';
import { fillDisk, openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const platform = 'https://platform.example.com';
const ana: Owner = { platform, companyId: id('7'), email: 'ana@example.com' };
const bia: Owner = { ...ana, email: 'bia@example.com' };
const start = Date.UTC(2025, 5, 1);
const day = 86_400_000;

function id(text: string): Id {
  const parsed = parseId(text);
  if (parsed === null) {
    throw new Error(`not an id: ${text}`);
  }
  return parsed;
}

async function open(directory = temporaryDirectory()) {
  const database = await openQueueDatabase(directory);
  const coupons = openCouponStore(database);
  const store = openQueueStore(database, coupons.confirm);
  return { directory, database, coupons, store, ownerId: store.ownerId(ana) };
}

interface Change {
  readonly ownerId: number;
  readonly product: string;
  readonly isEnabled?: boolean;
  readonly seen?: boolean | null;
  readonly isSeenFresh?: boolean;
  readonly now?: number;
}

function enqueue(store: QueueStore, { ownerId, product, isEnabled = true, seen = !isEnabled, isSeenFresh = true, now = start }: Change): number {
  expect(store.enqueue({ ownerId, productId: id(product), isEnabled, seen, isSeenFresh, now })).toBe(true);
  return store.history.list([], 0, 1).rows[0]?.id ?? 0;
}

let keys = 0;

function seal(store: QueueStore, ownerId: number, now = start): OpenRequest {
  keys += 1;
  const request = store.seal(ownerId, `key-${keys}`, now);
  if (request === null) {
    throw new Error('nothing was sealed');
  }
  return request;
}

const noAnswer: Outcome = { kind: 'noAnswer', failure: { kind: 'timedOut' } };
const refused: Outcome = { kind: 'answer', status: 422, echo: 'ours', isPage: false, failure: { kind: 'unprocessable', status: 422, code: 'unprocessable_entity', message: 'made-up reason' } };

function settle(store: QueueStore, ownerId: number, request: OpenRequest, disposition: Disposition, outcome: Outcome = refused, now = start): number {
  const attemptId = store.beginAttempt(request.id, now);
  store.settle({ ownerId, requestId: request.id, attemptId }, outcome, disposition, now);
  return attemptId;
}

function stateOf(store: QueueStore, updateId: number): string | undefined {
  return store.find(updateId)?.state;
}

function productsOf(request: OpenRequest): string[] {
  return [...request.body.matchAll(/"product_id":(\d+)/g)].map((match) => match[1] ?? '');
}

/** Flips what is written in a row, as a failing disk would. */
function alter(database: Database, sql: string): void {
  expect(database.prepare(sql).run().changes).toBe(1);
}

test('Q1: an accepted update outlives the process', async () => {
  const first = await open();
  const update = enqueue(first.store, { ownerId: first.ownerId, product: '1' });
  first.database.close();
  const second = await open(first.directory);
  second.store.begin(start);
  expect(stateOf(second.store, update)).toBe('pending');
});

test('Q1: on a full disk nothing is accepted, nothing is half kept, and the older update stays as it was', async () => {
  const { store, ownerId, database } = await open();
  const older = enqueue(store, { ownerId, product: '1' });
  const makeRoom = fillDisk(database);
  let accepted = 0;
  let refusal: unknown = null;
  try {
    for (let product = 2; product < 5_000; product += 1) {
      store.enqueue({ ownerId, productId: id(String(product)), isEnabled: true, seen: false, isSeenFresh: true, now: start });
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

test('Q2, Q3: a sealed update is left alone; a newer one of its product waits, and gives way to one still newer', async () => {
  const { store, ownerId } = await open();
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
  const { store, ownerId } = await open();
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
  const first = await open();
  enqueue(first.store, { ownerId: first.ownerId, product: '1' });
  const request = seal(first.store, first.ownerId);
  const attempt = first.store.beginAttempt(request.id, start);
  expect(first.store.settledThrough()).toBe(attempt - 1);
  first.database.close();
  const { store, ownerId } = await open(first.directory);
  store.begin(start + 1000);
  expect(store.settledThrough()).toBe(attempt);
  expect(store.nextWork(ownerId, start + 1000)).toEqual({ resend: { ...request, isRepeated: true, earlierTries: 1 } });
});

test('Q4: no answer keeps key and bytes, and the row says why it waits', async () => {
  const { store, ownerId } = await open();
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
  const { store, ownerId } = await open();
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
  const { store, ownerId } = await open();
  enqueue(store, { ownerId, product: '9007199254740993' });
  enqueue(store, { ownerId, product: '9223372036854775807', isEnabled: false });
  expect(seal(store, ownerId).body).toBe('{"items":[{"product_id":9007199254740993,"is_enabled":true},{"product_id":9223372036854775807,"is_enabled":false}]}');
});

test('delivery and the confirmed setting are kept together', async () => {
  const { store, ownerId, coupons } = await open();
  const update = enqueue(store, { ownerId, product: '1' });
  settle(store, ownerId, seal(store, ownerId), { step: 'delivered' });
  expect(stateOf(store, update)).toBe('delivered');
  expect(coupons.confirmed(ana, id('1'))).toBe(true);
});

test('when the confirmed setting cannot be kept, the update is not delivered either', async () => {
  const database = await openQueueDatabase(temporaryDirectory());
  const store = openQueueStore(database, () => {
    throw new Error('no room');
  });
  const ownerId = store.ownerId(ana);
  const update = enqueue(store, { ownerId, product: '1' });
  const request = seal(store, ownerId);
  expect(() => settle(store, ownerId, request, { step: 'delivered' })).toThrow('no room');
  expect(stateOf(store, update)).toBe('sealed');
  expect(store.nextWork(ownerId, start)).toEqual({ resend: { ...request, isRepeated: true, earlierTries: 1 } });
});

test('named updates are parked with the platform\'s reason, and the rest go on', async () => {
  const { store, ownerId } = await open();
  const updates = ['1', '2', '3', '4'].map((product) => enqueue(store, { ownerId, product }));
  settle(store, ownerId, seal(store, ownerId), { step: 'parkNamed', named: [1, 3] });
  expect(updates.map((update) => stateOf(store, update))).toEqual(['pending', 'parked', 'pending', 'parked']);
  expect(store.find(updates[1] ?? 0)).toMatchObject({ parked_because: 'refused', failure: JSON.stringify(refused.failure) });
  expect(productsOf(seal(store, ownerId))).toEqual(['1', '3']);
});

test('what was refused while a newer update waited is no longer wanted', async () => {
  const { store, ownerId } = await open();
  const older = enqueue(store, { ownerId, product: '1', isEnabled: true });
  const request = seal(store, ownerId);
  const newer = enqueue(store, { ownerId, product: '1', isEnabled: false });
  settle(store, ownerId, request, { step: 'parkAll' });
  expect([stateOf(store, older), stateOf(store, newer)]).toEqual(['superseded', 'pending']);
});

test.each([1, 2, 3, 7, 64, 100])('halving finds one culprit of %i in at most 2 log2 n + 1 requests', async (size) => {
  for (const culprit of new Set([1, Math.ceil(size / 2), size])) {
    const { store, ownerId, database } = await open();
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
      settle(store, ownerId, request, !isAtFault ? { step: 'delivered' } : request.size > 1 ? { step: 'halve', readFirst: false } : { step: 'parkAll' });
    }
    expect(store.counts(ownerId)).toEqual({ ...(size === 1 ? {} : { delivered: size - 1 }), parked: 1 });
    expect(requests).toBeLessThanOrEqual(2 * Math.ceil(Math.log2(size)) + 1);
    expect(refusals).toBeLessThanOrEqual(Math.ceil(Math.log2(size)) + 1);
    database.close();
  }
});

test('updates that come while a request is being halved are not held up by it and do not join the halves', async () => {
  const { store, ownerId } = await open();
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

test('the queue has a limit that is told; changing one\'s mind needs no room', async () => {
  const { store, ownerId, database } = await open();
  database.transaction(() => {
    for (let product = 1; product <= longestQueue; product += 1) {
      store.enqueue({ ownerId, productId: id(String(product)), isEnabled: true, seen: false, isSeenFresh: true, now: start });
    }
  });
  const more = { ownerId, isEnabled: false, seen: null, isSeenFresh: true, now: start };
  expect(store.enqueue({ ...more, productId: id('999999') })).toBe(false);
  expect(store.enqueue({ ...more, productId: id('5') })).toBe(true);
  expect(store.counts(ownerId)).toEqual({ pending: longestQueue });
  expect(store.history.list(['superseded'], 0, 1).total).toBe(1);
});

test('a parked update can be sent again or given up, a pending one given up, and nothing else', async () => {
  const { store, ownerId } = await open();
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

// ---- Q6: damage --------------------------------------------------------------------------------------------------

test.each([
  "UPDATE updates SET subject_id = '3' WHERE id = 1",
  "UPDATE updates SET subject_id = '1x' WHERE id = 1",
  'UPDATE updates SET is_enabled = 0 WHERE id = 1',
  'UPDATE updates SET created_at = created_at + 1 WHERE id = 1',
  "UPDATE updates SET checksum = 'x' || checksum WHERE id = 1",
])('Q6: altered while it waits, it is parked as damaged and cannot be sent again: %s', async (damage) => {
  const { store, ownerId, database } = await open();
  const first = enqueue(store, { ownerId, product: '1' });
  enqueue(store, { ownerId, product: '2' });
  alter(database, damage);
  expect(productsOf(seal(store, ownerId))).toEqual(['2']);
  expect(store.find(first)).toMatchObject({ state: 'parked', parked_because: 'damaged' });
  expect(store.retry(first, start)).toBe(false);
  expect(store.discard(first, start)).toBe(true);
});

test('Q6: altered while it waits to be read, it is not held to be delivered', async () => {
  const { store, ownerId, database } = await open();
  const update = enqueue(store, { ownerId, product: '1', isSeenFresh: false });
  alter(database, 'UPDATE updates SET is_enabled = 0 WHERE id = 1');
  store.applyReading(ownerId, new Map([[id('1'), false]]), start, store.unread(ownerId, start));
  expect(store.find(update)).toMatchObject({ state: 'parked', parked_because: 'damaged' });
});

test.each([
  "UPDATE updates SET subject_id = '3' WHERE id = 1",
  "UPDATE updates SET subject_id = 'x' WHERE id = 1",
  'UPDATE updates SET is_enabled = 0 WHERE id = 1',
])('Q6: altered while it is under way, it is parked; what was sealed with it goes out anew after a reading: %s', async (damage) => {
  const { store, ownerId, database } = await open();
  const updates = ['1', '2'].map((product) => enqueue(store, { ownerId, product }));
  const request = seal(store, ownerId);
  alter(database, damage);
  expect(store.nextWork(ownerId, start)).toBe('read');
  expect(updates.map((update) => stateOf(store, update))).toEqual(['parked', 'pending']);
  store.applyReading(ownerId, new Map(), start, store.unread(ownerId, start));
  const next = seal(store, ownerId);
  expect(next.idempotencyKey).not.toBe(request.idempotencyKey);
  expect(productsOf(next)).toEqual(['2']);
});

test.each([
  "UPDATE requests SET body = replace(body, 'true', 'false')",
  "UPDATE requests SET idempotency_key = 'another'",
  'UPDATE requests SET checksum = \'\'',
  "UPDATE updates SET request_id = NULL, state = 'pending' WHERE id = 1",
])('Q6: an altered request is never sent; its updates are sound, and sealed anew: %s', async (damage) => {
  const { store, ownerId, database } = await open();
  const updates = ['1', '2'].map((product) => enqueue(store, { ownerId, product }));
  seal(store, ownerId);
  alter(database, damage);
  expect(store.nextWork(ownerId, start)).toBe('read');
  expect(updates.map((update) => stateOf(store, update))).toEqual(['pending', 'pending']);
  store.applyReading(ownerId, new Map(), start, store.unread(ownerId, start));
  expect(productsOf(seal(store, ownerId))).toEqual(['1', '2']);
});

// ---- Readings and conflicts --------------------------------------------------------------------------------------

test('what was made offline is compared first: the same is delivered, the unchanged is sent, the changed waits for a person', async () => {
  const { store, ownerId } = await open();
  const offline = { ownerId, isSeenFresh: false };
  const same = enqueue(store, { ...offline, product: '1', isEnabled: true, seen: false });
  const unchanged = enqueue(store, { ...offline, product: '2', isEnabled: true, seen: false });
  // Switched on and off again while somebody else switched it on.
  enqueue(store, { ...offline, product: '3', isEnabled: true, seen: false });
  const changed = enqueue(store, { ...offline, product: '3', isEnabled: false, seen: true });
  expect(store.nextWork(ownerId, start)).toBe('read');
  store.applyReading(ownerId, new Map([[id('1'), true], [id('3'), true]]), start, store.unread(ownerId, start));
  expect([same, unchanged, changed].map((update) => stateOf(store, update))).toEqual(['delivered', 'pending', 'parked']);
  expect(store.find(changed)).toMatchObject({ parked_because: 'conflict', theirs: 1 });
  expect(productsOf(seal(store, ownerId))).toEqual(['2']);
});

test('a conflict: keep mine sends it, although a reading says the same again', async () => {
  const { store, ownerId } = await open();
  const update = enqueue(store, { ownerId, product: '3', isEnabled: false, seen: false, isSeenFresh: false });
  store.applyReading(ownerId, new Map([[id('3'), true]]), start, store.unread(ownerId, start));
  expect(store.retry(update, start)).toBe(true);
  const later = start + freshForMs + 1;
  expect(store.nextWork(ownerId, later)).toBe('read');
  store.applyReading(ownerId, new Map([[id('3'), true]]), later, store.unread(ownerId, later));
  expect(productsOf(seal(store, ownerId, later))).toEqual(['3']);
});

test('the switch used again after a conflict counts from what it showed then', async () => {
  const { store, ownerId } = await open();
  enqueue(store, { ownerId, product: '3', isEnabled: false, seen: false, isSeenFresh: false });
  store.applyReading(ownerId, new Map([[id('3'), true]]), start, store.unread(ownerId, start));
  const again = enqueue(store, { ownerId, product: '3', isEnabled: false, seen: true, isSeenFresh: false });
  store.applyReading(ownerId, new Map([[id('3'), true]]), start, store.unread(ownerId, start));
  expect(stateOf(store, again)).toBe('pending');
  expect(store.nextWork(ownerId, start)).toBe('seal');
});

test('a product that the listing does not have is never proof that "off" holds', async () => {
  const { store, ownerId } = await open();
  const update = enqueue(store, { ownerId, product: '1', isEnabled: false, seen: true, isSeenFresh: false });
  store.applyReading(ownerId, new Map(), start, store.unread(ownerId, start));
  expect(stateOf(store, update)).toBe('pending');
});

test('a reading while a request is open delivers nothing: that request may yet change what was read', async () => {
  const { store, ownerId } = await open();
  enqueue(store, { ownerId, product: '1', isEnabled: true });
  const request = seal(store, ownerId);
  settle(store, ownerId, request, { step: 'sendAgain', cause: 'network', proveFirst: true }, noAnswer);
  const newer = enqueue(store, { ownerId, product: '1', isEnabled: false, isSeenFresh: false });
  store.applyReading(ownerId, new Map([[id('1'), false]]), start, store.unread(ownerId, start));
  expect(stateOf(store, newer)).toBe('pending');
});

test('a reading is good for two minutes, by a clock that was not set back', async () => {
  const { store, ownerId } = await open();
  enqueue(store, { ownerId, product: '1' });
  expect(store.nextWork(ownerId, start + freshForMs)).toBe('seal');
  expect(store.nextWork(ownerId, start + freshForMs + 1)).toBe('read');
  expect(store.nextWork(ownerId, start - day)).toBe('read');
  expect(store.seal(ownerId, 'key', start - day)).toBeNull();
  // A clock whose battery is empty starts in 1970.
  enqueue(store, { ownerId, product: '2', isSeenFresh: false, now: 30_000 });
  store.discard(1, 30_000);
  expect(store.nextWork(ownerId, 30_000)).toBe('read');
});

test('a request that was sealed long ago and never sent is dissolved and read for', async () => {
  const { store, ownerId } = await open();
  const update = enqueue(store, { ownerId, product: '1' });
  const request = seal(store, ownerId);
  expect(store.nextWork(ownerId, start + freshForMs)).toEqual({ resend: request });
  expect(store.nextWork(ownerId, start + freshForMs + 1)).toBe('read');
  expect(stateOf(store, update)).toBe('pending');
});

test('a key is not trusted for ever: after half a day without an answer what the platform has is read', async () => {
  const { store, ownerId } = await open();
  enqueue(store, { ownerId, product: '1' });
  const request = seal(store, ownerId);
  settle(store, ownerId, request, { step: 'sendAgain', cause: 'network', proveFirst: false }, noAnswer);
  const later = start + 11 * 3_600_000;
  expect(store.nextWork(ownerId, later)).toEqual({ resend: { ...request, isRepeated: true, earlierTries: 1 } });
  // Another attempt does not make the key any younger: it may be the first that the platform has kept.
  settle(store, ownerId, request, { step: 'sendAgain', cause: 'network', proveFirst: false }, noAnswer, later);
  expect(store.nextWork(ownerId, start + 13 * 3_600_000)).toBe('read');
});

test('what may be this terminal\'s own doing is no conflict', async () => {
  const { store, ownerId } = await open();
  enqueue(store, { ownerId, product: '1', isEnabled: true, seen: false });
  const request = seal(store, ownerId);
  // Off again, and on again, while the first is under way; the first is answered by a 500.
  enqueue(store, { ownerId, product: '1', isEnabled: false, seen: true, isSeenFresh: false });
  settle(store, ownerId, request, { step: 'sealAnew', cause: 'platform', readFirst: true });
  for (const has of [true, false]) {
    store.applyReading(ownerId, new Map([[id('1'), has]]), start, store.unread(ownerId, start));
    expect(store.counts(ownerId).parked).toBeUndefined();
  }
});

// ---- Several users -----------------------------------------------------------------------------------------------

test('updates go out only under their own user and company, and others are told that they wait', async () => {
  const { store, ownerId } = await open();
  const biaId = store.ownerId(bia);
  const elsewhere = store.ownerId({ ...ana, companyId: id('8') });
  enqueue(store, { ownerId, product: '1' });
  expect(store.nextWork(biaId, start)).toBe('nothing');
  expect(store.nextWork(elsewhere, start)).toBe('nothing');
  expect(store.seal(biaId, 'key', start)).toBeNull();
  expect(store.foreign(biaId)).toEqual([{ email: ana.email, total: 1 }]);
  expect(store.ownerId({ ...ana })).toBe(ownerId);
});

test('Q7: what a newer update of another user has overtaken waits for a person', async () => {
  const { store, ownerId } = await open();
  const biaId = store.ownerId(bia);
  const mine = enqueue(store, { ownerId, product: '1', isEnabled: true, seen: false });
  const untouched = enqueue(store, { ownerId, product: '2', isEnabled: true, seen: false });
  enqueue(store, { ownerId: biaId, product: '1', isEnabled: false, seen: true });
  settle(store, biaId, seal(store, biaId), { step: 'delivered' });
  expect(store.nextWork(ownerId, start)).toBe('read');
  store.applyReading(ownerId, new Map([[id('1'), false], [id('2'), false]]), start, store.unread(ownerId, start));
  expect(store.find(mine)).toMatchObject({ state: 'parked', parked_because: 'conflict', theirs: 0 });
  expect(stateOf(store, untouched)).toBe('pending');
});

test.each(['delivered', 'found to hold'])('Q7: so does one that was under way when it was overtaken by one that was %s', async (how) => {
  const { store, ownerId } = await open();
  const biaId = store.ownerId(bia);
  const mine = enqueue(store, { ownerId, product: '1', isEnabled: true, seen: false });
  settle(store, ownerId, seal(store, ownerId), { step: 'sendAgain', cause: 'network', proveFirst: false }, noAnswer);
  enqueue(store, { ownerId: biaId, product: '1', isEnabled: false, seen: true, isSeenFresh: how === 'delivered' });
  if (how === 'delivered') {
    settle(store, biaId, seal(store, biaId), { step: 'delivered' });
  } else {
    store.applyReading(biaId, new Map([[id('1'), false]]), start, store.unread(biaId, start));
  }
  expect(store.nextWork(ownerId, start)).toBe('read');
  store.applyReading(ownerId, new Map([[id('1'), false]]), start, store.unread(ownerId, start));
  expect(store.find(mine)).toMatchObject({ state: 'parked', parked_because: 'conflict' });
  expect(store.retry(mine, start)).toBe(true);
  expect(productsOf(seal(store, ownerId))).toEqual(['1']);
});

test('Q7: so does one that was made upon another of which nobody knows whether it took effect', async () => {
  const { store, ownerId } = await open();
  const biaId = store.ownerId(bia);
  const sent = enqueue(store, { ownerId, product: '1', isEnabled: true, seen: false });
  settle(store, ownerId, seal(store, ownerId), { step: 'sendAgain', cause: 'network', proveFirst: false }, noAnswer);
  const mine = enqueue(store, { ownerId, product: '1', isEnabled: false, seen: true });
  enqueue(store, { ownerId: biaId, product: '1', isEnabled: true, seen: false });
  settle(store, biaId, seal(store, biaId), { step: 'delivered' });
  expect(store.nextWork(ownerId, start)).toBe('read');
  expect(stateOf(store, sent)).toBe('superseded');
  store.applyReading(ownerId, new Map([[id('1'), true]]), start, store.unread(ownerId, start));
  expect(store.find(mine)).toMatchObject({ state: 'parked', parked_because: 'conflict', theirs: 1 });
});

test('Q7: an older update of another user overtakes nothing', async () => {
  const { store, ownerId } = await open();
  const biaId = store.ownerId(bia);
  enqueue(store, { ownerId: biaId, product: '1', isEnabled: false, seen: true });
  enqueue(store, { ownerId, product: '1', isEnabled: true, seen: false });
  settle(store, biaId, seal(store, biaId), { step: 'delivered' });
  expect(store.nextWork(ownerId, start)).toBe('seal');
});

test('an attempt whose answer could not be kept is over when the next one begins', async () => {
  const { store, ownerId } = await open();
  enqueue(store, { ownerId, product: '1' });
  const request = seal(store, ownerId);
  const unkept = store.beginAttempt(request.id, start);
  expect(store.settledThrough()).toBe(unkept - 1);
  const attemptId = settle(store, ownerId, request, { step: 'delivered' });
  expect(store.settledThrough()).toBe(attemptId);
});

test('an unanswered request is compared anew when another user of the company has sent since', async () => {
  const { store, ownerId } = await open();
  const biaId = store.ownerId(bia);
  const stranger = store.ownerId({ ...bia, companyId: id('8') });
  enqueue(store, { ownerId, product: '1' });
  const request = seal(store, ownerId);
  settle(store, ownerId, request, { step: 'sendAgain', cause: 'network', proveFirst: false }, noAnswer);
  enqueue(store, { ownerId: stranger, product: '2' });
  settle(store, stranger, seal(store, stranger), { step: 'delivered' });
  expect(store.nextWork(ownerId, start)).toEqual({ resend: { ...request, isRepeated: true, earlierTries: 1 } });
  enqueue(store, { ownerId: biaId, product: '2' });
  settle(store, biaId, seal(store, biaId), { step: 'delivered' });
  expect(store.nextWork(ownerId, start)).toBe('read');
});

// ---- History -----------------------------------------------------------------------------------------------------

test('history goes after 30 days with its attempts and requests; what is open stays for ever', async () => {
  const { store, ownerId, database } = await open();
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

test('the list is newest first, by page and by standing', async () => {
  const { store, ownerId } = await open();
  const updates = ['1', '2', '3'].map((product) => enqueue(store, { ownerId, product }));
  store.discard(updates[1] ?? 0, start);
  expect(store.history.list([], 1, 1)).toMatchObject({ total: 3, rows: [{ id: updates[1], email: ana.email, company_id: '7' }] });
  expect(store.history.list(['pending'], 0, 10).rows.map((row) => row.id)).toEqual([updates[2], updates[0]]);
  expect(store.history.list(['discarded', 'parked'], 0, 10).total).toBe(1);
});
