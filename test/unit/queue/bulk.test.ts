// The proof of Q10 and of what is done with several updates at once, in their single cases; any sequence of events is
// in store-model.test.ts.
import { expect, test } from 'vitest';
import { maxUpdatesAtOnce } from '../../../app/contract/limits/queue.ts';
import { openCouponRepository } from '../../../app/coupons/repository.ts';
import type { Id } from '../../../app/domain/int64.ts';
import type { Disposition, Outcome } from '../../../app/queue/disposition.ts';
import { maxQueueLength } from '../../../app/queue/capacity.ts';
import type { Owner } from '../../../app/queue/rows.ts';
import { openQueueRepository, type QueueRepository } from '../../../app/queue/repository.ts';
import { openQueueDatabase } from '../../support/queue-database.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const ana: Owner = { platform: 'https://platform.example.com', companyId: '7' as Id, email: 'ana@example.com' };
const bia: Owner = { ...ana, email: 'bia@example.com' };
const start = Date.UTC(2025, 5, 1);
const answered = (status: number): Outcome => ({
  kind: 'answer',
  status,
  echo: 'ours',
  isPage: false,
  failure: { kind: 'forbidden', status },
});

async function open() {
  const database = await openQueueDatabase(temporaryDirectory());
  const repository = openQueueRepository(database, openCouponRepository(database).confirm);
  return { database, repository, ownerId: repository.ownerId(ana), otherId: repository.ownerId(bia) };
}

function add(repository: QueueRepository, ownerId: number, productId: string, isEnabled = true, now = start): number {
  expect(
    repository.enqueue({ ownerId, productId: productId as Id, isEnabled, seen: !isEnabled, isSeenFresh: true, now }),
  ).toBe(true);
  return repository.history.list([], 0, 1).rows[0]?.id ?? 0;
}

let keys = 0;

/** Seals and sends what waits; the answer has this consequence. */
function send(repository: QueueRepository, ownerId: number, disposition: Disposition, now = start): void {
  keys += 1;
  const request = repository.seal(ownerId, `many-${keys}`, now);
  if (request === null) {
    throw new Error('nothing was sealed');
  }
  repository.settle(
    { ownerId, requestId: request.id, attemptId: repository.beginAttempt(request.id, now) },
    answered(disposition.step === 'delivered' ? 204 : 403),
    disposition,
    now,
  );
}

const stateOf = (repository: QueueRepository, updateId: number): string | undefined => repository.find(updateId)?.state;

test('Q10: what was given up stands again as it stood, and is compared with the platform before it goes', async () => {
  const { repository, ownerId } = await open();
  const refused = add(repository, ownerId, '1');
  send(repository, ownerId, { step: 'parkAll' });
  const waiting = add(repository, ownerId, '2');
  expect(repository.discardMany([refused, waiting], start + 1)).toEqual([refused, waiting]);
  expect([stateOf(repository, refused), stateOf(repository, waiting)]).toEqual(['discarded', 'discarded']);
  expect(repository.bringBack([refused, waiting], start + 60_001)).toBe(2);
  expect(repository.find(refused)).toMatchObject({ state: 'parked', parked_because: 'refused' });
  expect(repository.find(waiting)).toMatchObject({ state: 'pending', checked_steady_ms: null });
  expect(repository.nextWork(ownerId, start + 2)).toBe('read');
});

test('Q10: after a minute it stays given up; nothing else that is over returns', async () => {
  const { repository, ownerId } = await open();
  const given = add(repository, ownerId, '1');
  repository.discardMany([given], start);
  expect(repository.bringBack([given], start + 60_001)).toBe(0);
  const delivered = add(repository, ownerId, '2');
  send(repository, ownerId, { step: 'delivered' });
  expect(repository.bringBack([delivered, 999], start)).toBe(0);
  expect(stateOf(repository, delivered)).toBe('delivered');
});

test('Q10: a newer one of the same product, whoever made it, is in the way; a given-up one is not', async () => {
  const { repository, ownerId, otherId } = await open();
  const [first, second, third, fourth] = ['1', '2', '3', '4'].map((productId) =>
    add(repository, ownerId, productId),
  ) as [number, number, number, number];
  repository.discardMany([first, second, third, fourth], start);
  add(repository, ownerId, '1', false);
  add(repository, otherId, '2', false);
  repository.discardMany([add(repository, ownerId, '3', false)], start);
  // Delivered by another, who has overtaken it.
  add(repository, otherId, '4', false);
  send(repository, otherId, { step: 'delivered' });
  expect(repository.bringBack([first, second, third, fourth], start + 1)).toBe(1);
  expect([first, second, third, fourth].map((updateId) => stateOf(repository, updateId))).toEqual([
    'discarded',
    'discarded',
    'pending',
    'discarded',
  ]);
});

test('Q10, Q3: an older one of the same product that has come back to wait is in the way', async () => {
  const { repository, ownerId } = await open();
  const older = add(repository, ownerId, '1');
  const request = repository.seal(ownerId, 'older', start);
  const newer = add(repository, ownerId, '1', false);
  repository.discardMany([newer], start);
  repository.settle(
    { ownerId, requestId: request?.id ?? 0, attemptId: repository.beginAttempt(request?.id ?? 0, start) },
    answered(500),
    { step: 'sealAnew', cause: 'platform', readFirst: true },
    start,
  );
  expect(stateOf(repository, older)).toBe('pending');
  expect(repository.bringBack([newer], start + 1)).toBe(0);
});

test('Q10, Q8: a user has one open restoration, so that an older wish does not stand beside a newer one', async () => {
  const { repository, ownerId } = await open();
  const wish = (): number => {
    repository.enqueueRestoration({ ownerId, userId: '703' as Id, now: start });
    return repository.history.list([], 0, 1).rows[0]?.id ?? 0;
  };
  const first = wish();
  repository.discardMany([first], start);
  const second = wish();
  expect(second).not.toBe(first);
  expect(repository.bringBack([first], start + 1)).toBe(0);
  repository.discardMany([second], start + 1);
  expect(repository.bringBack([second], start + 2)).toBe(1);
});

test('Q10: a full queue takes nothing back', async () => {
  const { database, repository, ownerId } = await open();
  const given = add(repository, ownerId, '1');
  repository.discardMany([given], start);
  repository.enqueueMany(
    Array.from({ length: maxQueueLength }, (_, place) => ({
      productId: String(1000 + place) as Id,
      isEnabled: true,
      seen: false,
    })),
    { ownerId, isSeenFresh: true, now: start },
  );
  expect(repository.room()).toBe(0);
  expect(repository.bringBack([given], start + 1)).toBe(0);
  database.close();
});

test('many are counted by what can be done, tried again and given up; what has left or gone stays so', async () => {
  const { database, repository, ownerId, otherId } = await open();
  const [refused, conflict, damaged] = ['1', '2', '3'].map((productId) => add(repository, ownerId, productId)) as [
    number,
    number,
    number,
  ];
  send(repository, ownerId, { step: 'parkAll' });
  database.exec(`UPDATE updates SET parked_because = 'conflict', theirs = 0 WHERE id = ${conflict}`);
  database.exec(`UPDATE updates SET parked_because = 'damaged' WHERE id = ${damaged}`);
  const sealed = add(repository, ownerId, '4');
  repository.seal(ownerId, 'sealed', start);
  const waiting = add(repository, ownerId, '5');
  const all = [refused, conflict, damaged, sealed, waiting, 999];
  expect(repository.countMany(all, [ownerId])).toEqual({
    pending: 1,
    retryable: 2,
    ofOthers: 0,
    conflicts: 1,
    damaged: 1,
    attempted: 0,
    gone: 2,
  });
  expect([repository.foreignParked(ownerId), repository.foreignParked(otherId)]).toEqual([0, 3]);
  expect(repository.countMany(all, [otherId])).toMatchObject({ retryable: 2, ofOthers: 2 });
  expect(repository.retryMany(all, start + 1)).toBe(2);
  expect([refused, conflict, damaged, sealed, waiting].map((updateId) => stateOf(repository, updateId))).toEqual([
    'pending',
    'pending',
    'parked',
    'sealed',
    'pending',
  ]);
  expect(repository.discardMany([...all, waiting], start + 1)).toEqual([refused, conflict, damaged, waiting]);
  expect(stateOf(repository, sealed)).toBe('sealed');
});

test('of two parked updates of one product only the newer is tried again, and both are not counted', async () => {
  const { database, repository, ownerId } = await open();
  const older = add(repository, ownerId, '1');
  send(repository, ownerId, { step: 'parkAll' });
  const newer = add(repository, ownerId, '1', false);
  send(repository, ownerId, { step: 'parkAll' });
  database.exec(`UPDATE updates SET state = 'parked' WHERE id = ${older}`);
  expect(repository.retryMany([newer, older], start + 1)).toBe(2);
  expect([stateOf(repository, newer), stateOf(repository, older)]).toEqual(['pending', 'superseded']);
});

test('one call takes a slice, and no more', async () => {
  const { repository, ownerId } = await open();
  const updates = Array.from({ length: maxUpdatesAtOnce + 1 }, (_, place) =>
    add(repository, ownerId, String(place + 1)),
  );
  expect(repository.discardMany(updates, start)).toHaveLength(maxUpdatesAtOnce);
});

test('only what got no answer or a platform failure may have taken effect, not what was refused', async () => {
  const { repository, ownerId } = await open();
  const attempted = (...updateIds: number[]): number => repository.countMany(updateIds, [ownerId]).attempted;
  const noAnswer: Outcome = { kind: 'noAnswer', failure: { kind: 'timedOut' } };
  const settle = (outcome: Outcome, disposition: Disposition): void => {
    keys += 1;
    const request = repository.seal(ownerId, `many-${keys}`, start);
    if (request === null) {
      throw new Error('nothing was sealed');
    }
    repository.settle(
      { ownerId, requestId: request.id, attemptId: repository.beginAttempt(request.id, start) },
      outcome,
      disposition,
      start,
    );
  };
  const refused = add(repository, ownerId, '1');
  settle(answered(422), { step: 'parkAll' });
  const doubtful = add(repository, ownerId, '2');
  settle(answered(503), { step: 'sealAnew', cause: 'platform', readFirst: true });
  expect([attempted(refused), attempted(doubtful)]).toEqual([0, 1]);
  // A wait at the gate settles nothing; the refusal of what was read and sent again does.
  repository.skipReading(ownerId, start);
  settle(noAnswer, { step: 'sendAgain', cause: 'network', proveFirst: false });
  settle(answered(429), { step: 'sealAnew', cause: 'rate', readFirst: true });
  expect(attempted(doubtful)).toBe(1);
  repository.skipReading(ownerId, start);
  settle(answered(404), { step: 'parkAll' });
  expect(attempted(refused, doubtful)).toBe(0);
  // Of a restoration nobody can read it.
  repository.enqueueRestoration({ ownerId, userId: '703' as Id, now: start });
  settle(answered(500), { step: 'sealAnew', cause: 'platform', readFirst: true });
  const restoration = repository.restorationOf(ownerId, '703' as Id)?.id ?? 0;
  expect(attempted(restoration)).toBe(1);
  expect(repository.retry(restoration, start)).toBe(true);
  settle(answered(404), { step: 'parkMaybeDone' });
  expect(attempted(restoration)).toBe(1);
});

test('taken back before it left is marked apart from given up, and the mark goes when it returns', async () => {
  const { repository, ownerId } = await open();
  const undone = add(repository, ownerId, '1');
  const given = add(repository, ownerId, '2');
  expect(repository.takeBack([undone], start)).toEqual({ takenBack: 1, sent: 0 });
  repository.discardMany([given], start);
  expect(
    [undone, given].map((updateId) => [stateOf(repository, updateId), repository.find(updateId)?.failure]),
  ).toEqual([
    ['discarded', '{"kind":"cancelled"}'],
    ['discarded', null],
  ]);
  expect(repository.bringBack([undone], start + 1)).toBe(1);
  expect(repository.find(undone)).toMatchObject({ state: 'pending', failure: null });
});

test('Q1, Q2, Q3: many that are made durable by one statement are the same rows as one by one', async () => {
  const many = Array.from({ length: 600 }, (_, place) => ({
    productId: String(place + 1) as Id,
    isEnabled: true,
    seen: place % 3 === 0 ? null : false,
  }));
  const rows = [];
  for (const size of [1, many.length]) {
    const { database, repository, ownerId, otherId } = await open();
    // One waits, one is under way, one is parked, and one is another user's.
    for (const productId of ['12', '7']) {
      add(repository, ownerId, productId, false);
      send(repository, ownerId, productId === '12' ? { step: 'delivered' } : { step: 'parkAll' });
    }
    add(repository, ownerId, '20', false);
    expect(repository.seal(ownerId, `size-${size}`, start)).not.toBeNull();
    add(repository, ownerId, '30', false);
    add(repository, otherId, '40', false);
    const asked = {
      ownerId,
      isSeenFresh: true,
      now: start + 1,
      plan: 'Happy hour',
      names: new Map([['5' as Id, 'Café']]),
    };
    const accepted: number[] = [];
    for (let place = 0; place < many.length; place += size) {
      accepted.push(...repository.enqueueMany(many.slice(place, place + size), asked));
    }
    expect(new Set(accepted.map((updateId) => repository.find(updateId)?.subject_id)).size).toBe(600);
    rows.push(
      database
        .prepare(
          `SELECT subject_id, owner_id, kind, state, is_enabled, seen, created_at, changed_at, created_steady_ms, checked_steady_ms, checksum, name, plan
           FROM updates ORDER BY subject_id, id`,
        )
        .all(),
    );
  }
  expect(rows[1]).toEqual(rows[0]);
  expect(rows[0]).toHaveLength(605);
});

test('as many are accepted as there is room for, and no more, however many come at once', async () => {
  const { repository, ownerId, otherId } = await open();
  const wishes = (count: number, from: number) =>
    Array.from({ length: count }, (_, place) => ({
      productId: String(from + place) as Id,
      isEnabled: true,
      seen: null,
    }));
  const asked = { isSeenFresh: false, now: start };
  expect(repository.enqueueMany(wishes(maxQueueLength - 600, 1), { ...asked, ownerId: otherId })).toHaveLength(
    maxQueueLength - 600,
  );
  expect(repository.room()).toBe(600);
  expect(repository.enqueueMany(wishes(601, 1), { ...asked, ownerId })).toHaveLength(600);
  expect(repository.room()).toBe(0);
});
