// The proof of what a reading of the platform's settings does to the updates that wait: delivered, sent, or a conflict
// for a person; how long it is trusted, and how long a key.
import { expect, test } from 'vitest';
import { freshForMs } from '../../../app/queue/repository.ts';
import {
  enqueue,
  noAnswer,
  openRepository,
  productsOf,
  seal,
  settle,
  start,
  stateOf,
  takeReading,
} from './repository-rows.ts';

const day = 86_400_000;

test('offline changes are compared first: same is delivered, unchanged is sent, changed waits for a person', async () => {
  const { repository, ownerId } = await openRepository();
  const offline = { ownerId, isSeenFresh: false };
  const same = enqueue(repository, { ...offline, product: '1', isEnabled: true, seen: false });
  const unchanged = enqueue(repository, { ...offline, product: '2', isEnabled: true, seen: false });
  // Switched on and off again while somebody else switched it on.
  enqueue(repository, { ...offline, product: '3', isEnabled: true, seen: false });
  const changed = enqueue(repository, { ...offline, product: '3', isEnabled: false, seen: true });
  expect(repository.nextWork(ownerId, start)).toBe('read');
  takeReading(repository, ownerId, { 1: true, 3: true });
  expect([same, unchanged, changed].map((update) => stateOf(repository, update))).toEqual([
    'delivered',
    'pending',
    'parked',
  ]);
  expect(repository.find(changed)).toMatchObject({ parked_because: 'conflict', theirs: 1 });
  expect(productsOf(seal(repository, ownerId))).toEqual(['2']);
});

test('a conflict: keep mine sends it, although a reading says the same again', async () => {
  const { repository, ownerId } = await openRepository();
  const update = enqueue(repository, { ownerId, product: '3', isEnabled: false, seen: false, isSeenFresh: false });
  takeReading(repository, ownerId, { 3: true });
  expect(repository.retry(update, start)).toBe(true);
  const later = start + freshForMs + 1;
  expect(repository.nextWork(ownerId, later)).toBe('read');
  takeReading(repository, ownerId, { 3: true }, later);
  expect(productsOf(seal(repository, ownerId, later))).toEqual(['3']);
});

test('the switch used again after a conflict counts from what it showed then', async () => {
  const { repository, ownerId } = await openRepository();
  enqueue(repository, { ownerId, product: '3', isEnabled: false, seen: false, isSeenFresh: false });
  takeReading(repository, ownerId, { 3: true });
  const again = enqueue(repository, { ownerId, product: '3', isEnabled: false, seen: true, isSeenFresh: false });
  takeReading(repository, ownerId, { 3: true });
  expect(stateOf(repository, again)).toBe('pending');
  expect(repository.nextWork(ownerId, start)).toBe('seal');
});

test('a product that the listing does not have is never proof that "off" holds', async () => {
  const { repository, ownerId } = await openRepository();
  const update = enqueue(repository, { ownerId, product: '1', isEnabled: false, seen: true, isSeenFresh: false });
  takeReading(repository, ownerId, {});
  expect(stateOf(repository, update)).toBe('pending');
});

test('a reading while a request is open delivers nothing: that request may yet change what was read', async () => {
  const { repository, ownerId } = await openRepository();
  enqueue(repository, { ownerId, product: '1', isEnabled: true });
  const request = seal(repository, ownerId);
  settle(repository, ownerId, request, { step: 'sendAgain', cause: 'network', proveFirst: true }, noAnswer);
  const newer = enqueue(repository, { ownerId, product: '1', isEnabled: false, isSeenFresh: false });
  takeReading(repository, ownerId, { 1: false });
  expect(stateOf(repository, newer)).toBe('pending');
});

test('a reading is good for two minutes, by a clock that was not set back', async () => {
  const { repository, ownerId } = await openRepository();
  enqueue(repository, { ownerId, product: '1' });
  expect(repository.nextWork(ownerId, start + freshForMs)).toBe('seal');
  expect(repository.nextWork(ownerId, start + freshForMs + 1)).toBe('read');
  expect(repository.nextWork(ownerId, start - day)).toBe('read');
  expect(repository.seal(ownerId, 'key', start - day)).toBeNull();
  // A clock whose battery is empty starts in 1970.
  enqueue(repository, { ownerId, product: '2', isSeenFresh: false, now: 30_000 });
  repository.discard(1, 30_000);
  expect(repository.nextWork(ownerId, 30_000)).toBe('read');
});

test('a request that was sealed long ago and never sent is dissolved and read for', async () => {
  const { repository, ownerId } = await openRepository();
  const update = enqueue(repository, { ownerId, product: '1' });
  const request = seal(repository, ownerId);
  expect(repository.nextWork(ownerId, start + freshForMs)).toEqual({ resend: request });
  expect(repository.nextWork(ownerId, start + freshForMs + 1)).toBe('read');
  expect(stateOf(repository, update)).toBe('pending');
});

test('a key is not trusted for ever: after half a day without an answer what the platform has is read', async () => {
  const { repository, ownerId } = await openRepository();
  enqueue(repository, { ownerId, product: '1' });
  const request = seal(repository, ownerId);
  settle(repository, ownerId, request, { step: 'sendAgain', cause: 'network', proveFirst: false }, noAnswer);
  const later = start + 11 * 3_600_000;
  expect(repository.nextWork(ownerId, later)).toEqual({ resend: { ...request, isRepeated: true, earlierTries: 1 } });
  // Another attempt does not make the key any younger: it may be the first that the platform has kept.
  settle(repository, ownerId, request, { step: 'sendAgain', cause: 'network', proveFirst: false }, noAnswer, later);
  expect(repository.nextWork(ownerId, start + 13 * 3_600_000)).toBe('read');
});

test("what may be this terminal's own doing is no conflict", async () => {
  const { repository, ownerId } = await openRepository();
  enqueue(repository, { ownerId, product: '1', isEnabled: true, seen: false });
  const request = seal(repository, ownerId);
  // Off again, and on again, while the first is under way; the first is answered by a 500.
  enqueue(repository, { ownerId, product: '1', isEnabled: false, seen: true, isSeenFresh: false });
  settle(repository, ownerId, request, { step: 'sealAnew', cause: 'platform', readFirst: true });
  for (const has of [true, false]) {
    takeReading(repository, ownerId, { 1: has });
    expect(repository.counts(ownerId).parked).toBeUndefined();
  }
});
