// The proof that what a failing disk has altered in the queue's rows is never sent as it is (Q6).
import { expect, test } from 'vitest';
import type { Disposition, Outcome } from '../../../app/queue/disposition.ts';
import { toQueuedUpdate, type OpenQueue } from '../../../app/queue/shown-updates.ts';
import type { Id } from '../../../app/domain/int64.ts';
import type { Database } from '../../../app/storage/database.ts';
import {
  enqueue,
  noAnswer,
  openRepository,
  productsOf,
  refused,
  seal,
  settle,
  start,
  stateOf,
  takeReading,
} from './repository-rows.ts';

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
  const { repository, ownerId, database } = await openRepository();
  const first = enqueue(repository, { ownerId, product: '1' });
  enqueue(repository, { ownerId, product: '2' });
  alter(database, damage);
  expect(productsOf(seal(repository, ownerId))).toEqual(['2']);
  expect(repository.find(first)).toMatchObject({ state: 'parked', parked_because: 'damaged' });
  expect(repository.retry(first, start)).toBe(false);
  expect(repository.discard(first, start)).toBe(true);
});

test('a row of which a company, a product or a number of attempts is none is shown, and hides no other', async () => {
  const { repository, ownerId, database } = await openRepository();
  enqueue(repository, { ownerId, product: '1' });
  alter(database, "UPDATE owners SET company_id = '4\u00e91'");
  alter(database, "UPDATE updates SET subject_id = '1x', attempts = -125");
  const open: OpenQueue = {
    target: { platform: 'https://platform.example.com', companyId: '7' as Id },
    catalogue: { nameOf: () => null },
    queueRepository: repository,
    owner: () => null,
    sendsFor: () => false,
  };
  const { rows } = repository.history.list([], 0, 10);
  expect(rows.map((row) => toQueuedUpdate(open, row))).toMatchObject([{ companyId: '0', productId: '0', attempts: 0 }]);
});

test('Q6: altered while it waits to be read, it is not held to be delivered', async () => {
  const { repository, ownerId, database } = await openRepository();
  const update = enqueue(repository, { ownerId, product: '1', isSeenFresh: false });
  alter(database, 'UPDATE updates SET is_enabled = 0 WHERE id = 1');
  takeReading(repository, ownerId, { 1: false });
  expect(repository.find(update)).toMatchObject({ state: 'parked', parked_because: 'damaged' });
});

test.each([
  "UPDATE updates SET subject_id = '3' WHERE id = 1",
  "UPDATE updates SET subject_id = 'x' WHERE id = 1",
  'UPDATE updates SET is_enabled = 0 WHERE id = 1',
])('Q6: altered under way, it is parked; what was sealed with it goes out anew after a reading: %s', async (damage) => {
  const { repository, ownerId, database } = await openRepository();
  const updates = ['1', '2'].map((product) => enqueue(repository, { ownerId, product }));
  const request = seal(repository, ownerId);
  alter(database, damage);
  expect(repository.nextWork(ownerId, start)).toBe('read');
  expect(updates.map((update) => stateOf(repository, update))).toEqual(['parked', 'pending']);
  takeReading(repository, ownerId, {});
  const next = seal(repository, ownerId);
  expect(next.idempotencyKey).not.toBe(request.idempotencyKey);
  expect(productsOf(next)).toEqual(['2']);
});

test.each([
  "UPDATE requests SET body = replace(body, 'true', 'false')",
  "UPDATE requests SET idempotency_key = 'another'",
  "UPDATE requests SET checksum = ''",
  "UPDATE updates SET request_id = NULL, state = 'pending' WHERE id = 1",
])('Q6: an altered request is never sent; its updates are sound, and sealed anew: %s', async (damage) => {
  const { repository, ownerId, database } = await openRepository();
  const updates = ['1', '2'].map((product) => enqueue(repository, { ownerId, product }));
  seal(repository, ownerId);
  alter(database, damage);
  expect(repository.nextWork(ownerId, start)).toBe('read');
  expect(updates.map((update) => stateOf(repository, update))).toEqual(['pending', 'pending']);
  takeReading(repository, ownerId, {});
  expect(productsOf(seal(repository, ownerId))).toEqual(['1', '2']);
});

test('Q6: an altered request without an answer has time to arrive before anything follows it', async () => {
  const { repository, ownerId, database } = await openRepository();
  enqueue(repository, { ownerId, product: '1' });
  const request = seal(repository, ownerId);
  repository.beginAttempt(request.id, start);
  expect(repository.mayArriveForMs(ownerId, start)).toBe(0);
  alter(database, "UPDATE requests SET checksum = ''");
  expect(repository.nextWork(ownerId, start + 1000)).toBe('read');
  expect(repository.mayArriveForMs(ownerId, start + 1000)).toBe(139_000);
  expect(repository.mayArriveForMs(ownerId, start + 140_000)).toBe(0);
});

const sendAgain: Disposition = { step: 'sendAgain', cause: 'network', proveFirst: false };
const delivered: Outcome = {
  kind: 'answer',
  status: 204,
  echo: 'none',
  isPage: false,
  failure: { kind: 'unexpected', status: 204 },
};

test.each([
  { what: 'a failure of a middlebox', outcome: { ...refused, status: 504, echo: 'none' }, mayArriveForMs: 139_000 },
  {
    what: 'a time-out that a middlebox tells of',
    outcome: { ...refused, status: 408, echo: 'none' },
    mayArriveForMs: 139_000,
  },
  { what: 'a refusal of a middlebox', outcome: { ...refused, echo: 'none' }, mayArriveForMs: 129_000 },
  {
    what: 'a 429 of the platform',
    outcome: { ...refused, status: 429, failure: { kind: 'tooManyRequests' } },
    mayArriveForMs: 129_000,
  },
  { what: 'a refusal that names another key', outcome: { ...refused, echo: 'other' }, mayArriveForMs: 139_000 },
  { what: 'a refusal of the platform', outcome: refused, mayArriveForMs: 0 },
  { what: 'a failure of the platform', outcome: { ...refused, status: 500 }, mayArriveForMs: 0 },
  { what: 'a success whose echo a gateway took off', outcome: delivered, mayArriveForMs: 0 },
] satisfies readonly { readonly what: string; readonly outcome: Outcome; readonly mayArriveForMs: number }[])(
  'Q6: an altered request timed out, then answered by $what, may arrive for $mayArriveForMs ms',
  async ({ outcome, mayArriveForMs }) => {
    const { repository, ownerId, database } = await openRepository();
    enqueue(repository, { ownerId, product: '1' });
    const request = seal(repository, ownerId);
    settle(repository, ownerId, request, sendAgain, noAnswer, start - 10_000);
    settle(repository, ownerId, request, sendAgain, outcome, start);
    alter(database, "UPDATE requests SET checksum = ''");
    expect(repository.nextWork(ownerId, start + 1000)).toBe('read');
    expect(repository.mayArriveForMs(ownerId, start + 1000)).toBe(mayArriveForMs);
  },
);
