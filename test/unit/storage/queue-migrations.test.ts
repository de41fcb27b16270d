// Owns the proof that a queue.db of an earlier version opens with everything that was in it, sends what was under way with the
// same key and bytes, and was backed up first.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCouponStore } from '../../../app/coupons/store.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { checksumOf } from '../../../app/queue/checksum.ts';
import { openQueueStore } from '../../../app/queue/store.ts';
import { Database } from '../../../app/storage/database.ts';
import { queueMigrations } from '../../../app/storage/queue-migrations.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const now = Date.UTC(2025, 5, 1);
const key = '0f8fad5b-d9cb-469f-a165-70867728950e';
const body = '{"items":[{"product_id":9007199254740993,"is_enabled":true}]}';
const states = ['pending', 'sealed', 'delivered', 'parked', 'superseded', 'discarded'] as const;
const firstVersion = queueMigrations.filter(({ version }) => version === 1);

/** A file as the first version left it: one update in each state, one request under way with two attempts, a newer id forgotten. */
async function writeFirstVersion(path: string): Promise<void> {
  const database = await Database.open(path, { kind: 'precious', migrations: firstVersion });
  database.exec("INSERT INTO owners VALUES (1, 'https://platform.example.com', '7', 'ana@example.com')");
  database.prepare('INSERT INTO requests (id, owner_id, idempotency_key, body, created_at, checksum) VALUES (4, 1, ?, ?, ?, ?)').run(key, body, now, checksumOf([1, key, body]));
  const insert = database.prepare(
    `INSERT INTO updates (id, owner_id, product_id, is_enabled, seen, created_at, changed_at, state, request_id, split_group, checked_at, attempts, failure, parked_because, theirs, checksum)
     VALUES (?, 1, ?, 1, 0, ?, ?, ?, ?, 0, ?, ?, ?, ?, ?, ?)`,
  );
  states.forEach((state, place) => {
    const product = state === 'sealed' ? '9007199254740993' : String(place + 1);
    const isSealed = state === 'sealed';
    const [because, theirs] = state === 'parked' ? ['conflict', 0] : [null, null];
    insert.run(place + 1, product, now, now, state, isSealed ? 4 : null, now, isSealed ? 2 : 0, null, because, theirs, checksumOf([1, product, 1, now]));
  });
  database.exec('INSERT INTO updates (id, owner_id, product_id, is_enabled, created_at, changed_at, state, checksum) VALUES (90, 1, 1, 1, 0, 0, \'discarded\', \'\')');
  database.exec('DELETE FROM updates WHERE id = 90');
  database.prepare("INSERT INTO attempts (request_id, sent_at, settled_at, outcome) VALUES (4, ?, ?, '{\"kind\":\"noAnswer\",\"failure\":{\"kind\":\"timedOut\"}}')").run(now, now + 1);
  database.prepare('INSERT INTO attempts (request_id, sent_at) VALUES (4, ?)').run(now + 2);
  openCouponStore(database).confirm({ platform: 'https://platform.example.com', companyId: '7' as Id }, [{ productId: '3' as Id, isEnabled: true }], 1);
  database.close();
}

async function openNewest(path: string) {
  const database = await Database.open(path, { kind: 'precious', migrations: queueMigrations });
  const coupons = openCouponStore(database);
  return { database, coupons, store: openQueueStore(database, coupons.confirm) };
}

test('rows in every state are kept as coupons, with sound checksums, and nothing that follows takes an old id', async () => {
  const path = join(temporaryDirectory(), 'queue.db');
  await writeFirstVersion(path);
  const { database, store, coupons } = await openNewest(path);
  store.begin(now);
  expect(store.history.page(0, 100).map(({ id, kind, subject_id: subject, state }) => `${id} ${kind} ${subject} ${state}`)).toEqual([
    '1 coupon 1 pending', '2 coupon 9007199254740993 sealed', '3 coupon 3 delivered', '4 coupon 4 parked', '5 coupon 5 superseded', '6 coupon 6 discarded',
  ]);
  expect(store.find(4)).toMatchObject({ parked_because: 'conflict', theirs: 0, seen: 0, is_in_doubt: 0, is_age_approved: 0 });
  expect(coupons.confirmed({ platform: 'https://platform.example.com', companyId: '7' as Id }, '3' as Id)).toBe(true);
  expect(store.enqueueRestoration({ ownerId: 1, userId: '703' as Id, now })).toBe(true);
  expect(store.history.list([], 0, 1).rows).toMatchObject([{ id: 91, kind: 'restoreUser' }]);
  database.close();
});

test('what was under way goes out with the same key and bytes; what waited goes after it', async () => {
  const path = join(temporaryDirectory(), 'queue.db');
  await writeFirstVersion(path);
  const { database, store } = await openNewest(path);
  store.begin(now + 5);
  const request = store.seal(1, 'another', now + 5);
  expect(request).toMatchObject({ idempotencyKey: key, body, method: 'PUT', path: '/api/v3/products/consumption-coupons', kind: 'coupon', isRepeated: true, isInDoubt: false });
  const attemptId = store.beginAttempt(4, now + 5);
  store.settle({ ownerId: 1, requestId: 4, attemptId }, { kind: 'answer', status: 204, echo: 'ours', isPage: false, failure: { kind: 'refused' } }, { step: 'delivered' }, now + 6);
  expect(store.find(2)?.state).toBe('delivered');
  // The attempts that were made before are told beside the new one.
  expect(store.history.attemptsOf(2).map(({ outcome }) => outcome)).toEqual(['noAnswer', 'abandoned', 'answered']);
  expect(store.seal(1, 'another', now + 6)).toMatchObject({ idempotencyKey: 'another', body: '{"items":[{"product_id":1,"is_enabled":true}]}' });
  database.close();
});

test('the file is backed up before it is changed, and the backup is the first version whole', async () => {
  const path = join(temporaryDirectory(), 'queue.db');
  await writeFirstVersion(path);
  const { database } = await openNewest(path);
  database.close();
  const newest = queueMigrations.at(-1)?.version ?? 0;
  expect(existsSync(`${path}.before-${newest}`)).toBe(true);
  const backup = await Database.open(`${path}.before-${newest}`, { kind: 'precious', migrations: firstVersion });
  expect(backup.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  expect(backup.prepare<{ state: string }>('SELECT state FROM updates ORDER BY id').all().map(({ state }) => state)).toEqual([...states]);
  expect(backup.prepare('SELECT idempotency_key, body FROM requests').all()).toEqual([{ idempotency_key: key, body }]);
  backup.close();
});

test('an empty file of the first version opens as well', async () => {
  const path = join(temporaryDirectory(), 'queue.db');
  (await Database.open(path, { kind: 'precious', migrations: firstVersion })).close();
  const { database, store } = await openNewest(path);
  const ownerId = store.ownerId({ platform: 'https://platform.example.com', companyId: '7' as Id, email: 'ana@example.com' });
  expect(store.enqueueRestoration({ ownerId, userId: '703' as Id, now })).toBe(true);
  database.close();
});
