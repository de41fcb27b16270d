// The proof that what a failing disk has altered in the queue's rows is never sent as it is (Q6).
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import type { Database } from '../../../app/storage/database.ts';
import { enqueue, openStore, productsOf, seal, start, stateOf } from './store-rows.ts';

/** Flips what is written in a row, as a failing disk would. */
function alter(database: Database, sql: string): void {
  expect(database.prepare(sql).run().changes).toBe(1);
}

test.each([
  "UPDATE updates SET subject_id = '3' WHERE id = 1",
  "UPDATE updates SET subject_id = '1x' WHERE id = 1",
  'UPDATE updates SET is_enabled = 0 WHERE id = 1',
  'UPDATE updates SET created_at = created_at + 1 WHERE id = 1',
  "UPDATE updates SET checksum = 'x' || checksum WHERE id = 1",
])('Q6: altered while it waits, it is parked as damaged and cannot be sent again: %s', async (damage) => {
  const { store, ownerId, database } = await openStore();
  const first = enqueue(store, { ownerId, product: '1' });
  enqueue(store, { ownerId, product: '2' });
  alter(database, damage);
  expect(productsOf(seal(store, ownerId))).toEqual(['2']);
  expect(store.find(first)).toMatchObject({ state: 'parked', parked_because: 'damaged' });
  expect(store.retry(first, start)).toBe(false);
  expect(store.discard(first, start)).toBe(true);
});

test('Q6: altered while it waits to be read, it is not held to be delivered', async () => {
  const { store, ownerId, database } = await openStore();
  const update = enqueue(store, { ownerId, product: '1', isSeenFresh: false });
  alter(database, 'UPDATE updates SET is_enabled = 0 WHERE id = 1');
  store.applyReading(ownerId, new Map([['1' as Id, false]]), start, store.unread(ownerId, start));
  expect(store.find(update)).toMatchObject({ state: 'parked', parked_because: 'damaged' });
});

test.each([
  "UPDATE updates SET subject_id = '3' WHERE id = 1",
  "UPDATE updates SET subject_id = 'x' WHERE id = 1",
  'UPDATE updates SET is_enabled = 0 WHERE id = 1',
])(
  'Q6: altered while it is under way, it is parked; what was sealed with it goes out anew after a reading: %s',
  async (damage) => {
    const { store, ownerId, database } = await openStore();
    const updates = ['1', '2'].map((product) => enqueue(store, { ownerId, product }));
    const request = seal(store, ownerId);
    alter(database, damage);
    expect(store.nextWork(ownerId, start)).toBe('read');
    expect(updates.map((update) => stateOf(store, update))).toEqual(['parked', 'pending']);
    store.applyReading(ownerId, new Map(), start, store.unread(ownerId, start));
    const next = seal(store, ownerId);
    expect(next.idempotencyKey).not.toBe(request.idempotencyKey);
    expect(productsOf(next)).toEqual(['2']);
  },
);

test.each([
  "UPDATE requests SET body = replace(body, 'true', 'false')",
  "UPDATE requests SET idempotency_key = 'another'",
  "UPDATE requests SET checksum = ''",
  "UPDATE updates SET request_id = NULL, state = 'pending' WHERE id = 1",
])('Q6: an altered request is never sent; its updates are sound, and sealed anew: %s', async (damage) => {
  const { store, ownerId, database } = await openStore();
  const updates = ['1', '2'].map((product) => enqueue(store, { ownerId, product }));
  seal(store, ownerId);
  alter(database, damage);
  expect(store.nextWork(ownerId, start)).toBe('read');
  expect(updates.map((update) => stateOf(store, update))).toEqual(['pending', 'pending']);
  store.applyReading(ownerId, new Map(), start, store.unread(ownerId, start));
  expect(productsOf(seal(store, ownerId))).toEqual(['1', '2']);
});

test('Q6: an altered request that has left without an answer has time to arrive before anything is read or sent in its place', async () => {
  const { store, ownerId, database } = await openStore();
  enqueue(store, { ownerId, product: '1' });
  const request = seal(store, ownerId);
  store.beginAttempt(request.id, start);
  expect(store.mayArriveForMs(ownerId, start)).toBe(0);
  alter(database, "UPDATE requests SET checksum = ''");
  expect(store.nextWork(ownerId, start + 1000)).toBe('read');
  expect(store.mayArriveForMs(ownerId, start + 1000)).toBe(139_000);
  expect(store.mayArriveForMs(ownerId, start + 140_000)).toBe(0);
});
