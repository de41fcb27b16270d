// The proof that a queue.db of an earlier version opens with everything that was in it, sends what was under way with
// the same key and bytes, and was backed up first.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { openRateLimit } from '../../../../app/rate-limit/rate-limit.ts';
import { platformLimit } from '../../../../app/rate-limit/rules.ts';
import { openSendLog } from '../../../../app/rate-limit/send-log.ts';
import { openCouponRepository } from '../../../../app/coupons/repository.ts';
import { openCouponSets } from '../../../../app/coupons/sets.ts';
import type { Id } from '../../../../app/domain/int64.ts';
import { openQueueRepository } from '../../../../app/queue/repository.ts';
import { Database } from '../../../../app/storage/database.ts';
import { queueMigrations } from '../../../../app/terminal/workspace/queue-migrations.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { firstVersion, writeFirstQueue } from '../../../support/first-version.ts';
import { openMinima } from '../../../../app/watch-list/minima.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';

const { now, key, body, states, migrations: firstMigrations } = firstVersion;

/** What a queue.db held before its migration to this version, opened today. */
async function openFrom(version: number, write: string | ((before: Database) => unknown)) {
  const path = join(temporaryDirectory(), 'queue.db');
  const migrations = queueMigrations.filter((one) => one.version < version);
  const before = await Database.open(path, { kind: 'precious', migrations });
  if (typeof write === 'string') {
    before.exec(write);
  } else {
    await write(before);
  }
  before.close();
  return { path, ...(await openNewest(path)) };
}

async function openFirst() {
  const path = join(temporaryDirectory(), 'queue.db');
  await writeFirstQueue(path);
  return { path, ...(await openNewest(path)) };
}

async function openNewest(path: string) {
  const database = await Database.open(path, { kind: 'precious', migrations: queueMigrations });
  onTestFinished(() => database.close());
  const coupons = openCouponRepository(database);
  return { database, coupons, repository: openQueueRepository(database, coupons.confirm) };
}

test('rows in every state are kept as coupons, with sound checksums, and no old id is used again', async () => {
  const { repository, coupons } = await openFirst();
  repository.begin(now);
  expect(
    repository.history
      .page(0, 100)
      .map(({ id, kind, subject_id: subject, state }) => `${id} ${kind} ${subject} ${state}`),
  ).toEqual([
    '1 coupon 1 pending',
    '2 coupon 9007199254740993 sealed',
    '3 coupon 3 delivered',
    '4 coupon 4 parked',
    '5 coupon 5 superseded',
    '6 coupon 6 discarded',
  ]);
  expect(repository.find(4)).toMatchObject({
    parked_because: 'conflict',
    theirs: 0,
    seen: 0,
    is_in_doubt: 0,
    is_age_approved: 0,
  });
  // Nobody knows any more what they were called.
  expect(repository.history.page(0, 100).map(({ name }) => name)).toEqual([null, null, null, null, null, null]);
  expect(coupons.confirmed({ platform: 'https://platform.example.com', companyId: '7' as Id }, '3' as Id)).toBe(true);
  expect(repository.enqueueRestoration({ ownerId: 1, userId: '703' as Id, now })).toBe(true);
  expect(repository.history.list([], 0, 1).rows).toMatchObject([{ id: 91, kind: 'restoreUser' }]);
});

test('what was under way goes out with the same key and bytes; what waited goes after it', async () => {
  const { repository } = await openFirst();
  repository.begin(now + 5);
  const request = repository.seal(1, 'another', now + 5);
  expect(request).toMatchObject({
    idempotencyKey: key,
    body,
    method: 'PUT',
    path: '/api/v3/products/consumption-coupons',
    kind: 'coupon',
    isRepeated: true,
    isInDoubt: false,
  });
  const attemptId = repository.beginAttempt(4, now + 5);
  repository.settle(
    { ownerId: 1, requestId: 4, attemptId },
    { kind: 'answer', status: 204, echo: 'ours', isPage: false, failure: { kind: 'refused' } },
    { step: 'delivered' },
    now + 6,
  );
  expect(repository.find(2)?.state).toBe('delivered');
  // The attempts that were made before are told beside the new one.
  expect(repository.history.attemptsOf(2).map(({ outcome }) => outcome)).toEqual(['noAnswer', 'abandoned', 'answered']);
  expect(repository.seal(1, 'another', now + 6)).toMatchObject({
    idempotencyKey: 'another',
    body: '{"items":[{"product_id":1,"is_enabled":true}]}',
  });
});

test('the file is backed up before it is changed, and the backup is the first version whole', async () => {
  const { path, database } = await openFirst();
  database.close();
  const newest = queueMigrations.at(-1)?.version ?? 0;
  expect(existsSync(`${path}.before-${newest}`)).toBe(true);
  const backup = await Database.open(`${path}.before-${newest}`, { kind: 'precious', migrations: firstMigrations });
  expect(backup.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
  expect(
    backup
      .prepare<{ state: string }>('SELECT state FROM updates ORDER BY id')
      .all()
      .map(({ state }) => state),
  ).toEqual([...states]);
  expect(backup.prepare('SELECT idempotency_key, body FROM requests').all()).toEqual([{ idempotency_key: key, body }]);
  backup.close();
});

test('an empty file of the first version opens as well', async () => {
  const path = join(temporaryDirectory(), 'queue.db');
  (await Database.open(path, { kind: 'precious', migrations: firstMigrations })).close();
  const { repository } = await openNewest(path);
  const ownerId = repository.ownerId({
    platform: 'https://platform.example.com',
    companyId: '7' as Id,
    email: 'ana@example.com',
  });
  expect(repository.enqueueRestoration({ ownerId, userId: '703' as Id, now })).toBe(true);
});

test('former slots count as answered when they were, else as abandoned; nothing is known of a 429', async () => {
  const { database } = await openFrom(
    6,
    "INSERT INTO slots (lane, sent_at, settled_at) VALUES ('person', 1000000, 1000100), ('queue', 1000000, NULL)",
  );
  const rateLimit = openRateLimit(
    createManualClock({ uptimeMs: 1_062_200 }),
    openSendLog(database, 'https://platform.example.com'),
  );
  expect(rateLimit.read()).toMatchObject({ held: { person: 0, queue: 1 }, pausedUntilMs: null, limit: platformLimit });
});

test('slots from before numbers were free again count as they did, in the order they were taken', async () => {
  const { database } = await openFrom(10, (before) => {
    before.exec(
      `INSERT INTO slots (id, lane, sent_at, settled_at, is_abandoned)
       VALUES (902, 'queue', 1000200, NULL, 0), (900, 'person', 1000000, 1000100, 0), (901, 'session', 1000100, 1000200, 1)`,
    );
  });
  // At an account of its own, which no slot of before names: all of them count there (B9).
  const log = openSendLog(database, 'https://platform.example.com', 'one');
  expect(log.remember(1_062_200)).toEqual([
    { id: 900, lane: 'person', isOthers: false, arrivedForMs: 60_100 },
    { id: 901, lane: 'session', isOthers: false, arrivedForMs: -60_000 },
    { id: 902, lane: 'queue', isOthers: false, arrivedForMs: -120_000 },
  ]);
  expect(log.take('person', 1_062_200)).toBe(903);
});

test('a queue.db from before there were minimums has none, keeps what is in it, and takes some', async () => {
  const { path, database, repository } = await openFirst();
  const scope = { platform: 'https://platform.example.com', companyId: '7' as Id, stockIds: ['1' as Id] };
  const minima = openMinima(database, scope);
  expect(minima.list()).toEqual([]);
  const kept = { stockId: '1' as Id, productId: '9007199254740993' as Id, minimum: 2.5 };
  minima.set([kept]);
  expect(repository.history.page(0, 100)).toHaveLength(states.length);
  database.close();
  const again = await openNewest(path);
  expect(openMinima(again.database, scope).list()).toEqual([kept]);
});

test('a queue.db from before sets of coupons keeps its updates, of no plan, and takes sets and plans', async () => {
  const { path, database, repository } = await openFrom(
    9,
    `INSERT INTO owners (platform, company_id, email) VALUES ('https://platform.example.com', '7', 'ana@example.com');
     INSERT INTO updates (owner_id, kind, subject_id, is_enabled, created_at, changed_at, state, checksum)
     VALUES (1, 'coupon', '12', 1, ${now}, ${now}, 'delivered', '');`,
  );
  expect(repository.history.page(0, 100)).toMatchObject([{ subject_id: '12', plan: null }]);
  const sets = openCouponSets(database, { platform: 'https://platform.example.com', companyId: '7' as Id });
  expect(sets.list()).toEqual([]);
  const setId = sets.save(null, 'Sodas', { kind: 'list', productIds: ['12' as Id] }, 'ana@example.com') ?? 0;
  const times = { repeats: 'weekly', day: '2026-11-27', on: '18:00', off: null } as const;
  const planId = sets.plan(setId, 1, times, now, now) ?? 0;
  database.close();
  const again = await openNewest(path);
  const kept = openCouponSets(again.database, { platform: 'https://platform.example.com', companyId: '7' as Id });
  expect(kept.list()).toMatchObject([{ setId, name: 'Sodas', plans: [{ planId, times, email: 'ana@example.com' }] }]);
});

test('settings read before the company was named are forgotten where a platform has several, only there', async () => {
  const [several, single] = ['https://several.example.com', 'https://single.example.com'];
  const scopes = [
    { platform: several, companyId: '7' as Id },
    { platform: several, companyId: '8' as Id },
    { platform: single, companyId: '7' as Id },
  ];
  const email = 'ana@example.com';
  const productId = '3' as Id;
  const { coupons, repository } = await openFrom(11, async (before) => {
    const old = openCouponRepository(before);
    for (const scope of scopes) {
      const { lastId: ownerId } = before
        .prepare('INSERT INTO owners (platform, company_id, email) VALUES (?, ?, ?)')
        .run(scope.platform, scope.companyId, email);
      before
        .prepare(
          `INSERT INTO updates (owner_id, kind, subject_id, is_enabled, seen, created_at, changed_at, created_steady_ms, state, checked_steady_ms, checksum)
           VALUES (?1, 'coupon', ?2, 0, 1, ?3, ?3, ?3, 'pending', ?3, '')`,
        )
        .run(ownerId, productId, now);
      const asked = { mark: 0, number: 1, leftMs: 0 };
      await old.replaceAll(scope, [{ productId, isEnabled: true }], asked, now, () => Promise.resolve(true));
    }
  });
  expect(scopes.map((scope) => [coupons.confirmed(scope, productId), coupons.readAt(scope)])).toEqual([
    [null, null],
    [null, null],
    [true, now],
  ]);
  expect(repository.history.page(0, 10).map(({ state, seen }) => [state, seen])).toEqual([
    ['pending', null],
    ['pending', null],
    ['pending', 1],
  ]);
  expect(scopes.map((scope) => repository.hasOtherCompany(scope))).toEqual([true, true, false]);
});

test('a queue.db from before lists went by a file keeps its plans and updates, shared with nobody', async () => {
  const { database, repository } = await openFrom(
    14,
    `INSERT INTO owners (platform, company_id, email) VALUES ('https://platform.example.com', '7', 'ana@example.com');
     INSERT INTO coupon_sets (platform, company_id, name, email, product_ids) VALUES ('https://platform.example.com', '7', 'Sodas', 'ana@example.com', '["12"]');
     INSERT INTO coupon_plans (set_id, owner_id, times, created_at) VALUES (1, 1, '{"repeats":"weekly","day":"2026-11-27","on":"18:00","off":null}', ${now});
     INSERT INTO updates (owner_id, kind, subject_id, is_enabled, created_at, changed_at, state, checksum, plan)
     VALUES (1, 'coupon', '12', 1, ${now}, ${now}, 'pending', '', 'Sodas');`,
  );
  const sets = openCouponSets(database, { platform: 'https://platform.example.com', companyId: '7' as Id });
  expect(sets.plans()).toMatchObject([{ planId: 1, isShared: false }]);
  expect(repository.history.page(0, 10)).toMatchObject([{ plan: 'Sodas', state: 'pending', until_steady_ms: null }]);
});

test('a queue.db from before plans noted the steady time keeps them, as made by a right clock', async () => {
  const { database } = await openFrom(
    12,
    `INSERT INTO owners (platform, company_id, email) VALUES ('https://platform.example.com', '7', 'ana@example.com');
     INSERT INTO coupon_sets (platform, company_id, name, email, product_ids) VALUES ('https://platform.example.com', '7', 'Sodas', 'ana@example.com', '["12"]');
     INSERT INTO coupon_plans (set_id, owner_id, times, created_at) VALUES (1, 1, '{"repeats":"weekly","day":"2026-11-27","on":"18:00","off":null}', ${now});
     INSERT INTO plan_moments (plan_id, day, is_enabled, state, due_at) VALUES (1, '2026-11-27', 1, 'made', ${now});`,
  );
  const sets = openCouponSets(database, { platform: 'https://platform.example.com', companyId: '7' as Id });
  expect(sets.plans()).toMatchObject([{ planId: 1, createdAt: now, createdSteadyMs: null, aheadMs: 0 }]);
  expect(sets.moments(1)).toMatchObject([{ day: '2026-11-27', state: 'made' }]);
  sets.expectMadeAgain(1, now, 5);
  expect(sets.moments(1)).toHaveLength(1);
});
