// The proof that updates leave under their own user and company alone, and that what another user's has overtaken waits
// for a person (Q7).
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { ana, bia } from './queue-shop.ts';
import {
  enqueue,
  leaveUnanswered,
  openRepository,
  productsOf,
  seal,
  settle,
  start,
  stateOf,
  takeReading,
} from './repository-rows.ts';

test('updates go out only under their own user and company, and others are told that they wait', async () => {
  const { repository, ownerId } = await openRepository();
  const biaId = repository.ownerId(bia);
  const elsewhere = repository.ownerId({ ...ana, companyId: '8' as Id });
  enqueue(repository, { ownerId, product: '1' });
  expect(repository.nextWork(biaId, start)).toBe('nothing');
  expect(repository.nextWork(elsewhere, start)).toBe('nothing');
  expect(repository.seal(biaId, 'key', start)).toBeNull();
  expect(repository.foreign(biaId)).toEqual([{ ...ana, total: 1 }]);
  expect(repository.ownerId({ ...ana })).toBe(ownerId);
});

test('Q7: what a newer update of another user has overtaken waits for a person', async () => {
  const { repository, ownerId } = await openRepository();
  const biaId = repository.ownerId(bia);
  const mine = enqueue(repository, { ownerId, product: '1', isEnabled: true, seen: false });
  const untouched = enqueue(repository, { ownerId, product: '2', isEnabled: true, seen: false });
  enqueue(repository, { ownerId: biaId, product: '1', isEnabled: false, seen: true });
  settle(repository, biaId, seal(repository, biaId), { step: 'delivered' });
  expect(repository.nextWork(ownerId, start)).toBe('read');
  takeReading(repository, ownerId, { 1: false, 2: false });
  expect(repository.find(mine)).toMatchObject({ state: 'parked', parked_because: 'conflict', theirs: 0 });
  expect(stateOf(repository, untouched)).toBe('pending');
});

test.each(['delivered', 'found to hold'])(
  'Q7: so does one that was under way when it was overtaken by one that was %s',
  async (how) => {
    const { repository, ownerId } = await openRepository();
    const biaId = repository.ownerId(bia);
    const mine = enqueue(repository, { ownerId, product: '1', isEnabled: true, seen: false });
    leaveUnanswered(repository, ownerId);
    enqueue(repository, {
      ownerId: biaId,
      product: '1',
      isEnabled: false,
      seen: true,
      isSeenFresh: how === 'delivered',
    });
    if (how === 'delivered') {
      settle(repository, biaId, seal(repository, biaId), { step: 'delivered' });
    } else {
      takeReading(repository, biaId, { 1: false });
    }
    expect(repository.nextWork(ownerId, start)).toBe('read');
    takeReading(repository, ownerId, { 1: false });
    expect(repository.find(mine)).toMatchObject({ state: 'parked', parked_because: 'conflict' });
    expect(repository.retry(mine, start)).toBe(true);
    expect(productsOf(seal(repository, ownerId))).toEqual(['1']);
  },
);

test('Q7: so does one that was made upon another of which nobody knows whether it took effect', async () => {
  const { repository, ownerId } = await openRepository();
  const biaId = repository.ownerId(bia);
  const sent = enqueue(repository, { ownerId, product: '1', isEnabled: true, seen: false });
  leaveUnanswered(repository, ownerId);
  const mine = enqueue(repository, { ownerId, product: '1', isEnabled: false, seen: true });
  enqueue(repository, { ownerId: biaId, product: '1', isEnabled: true, seen: false });
  settle(repository, biaId, seal(repository, biaId), { step: 'delivered' });
  expect(repository.nextWork(ownerId, start)).toBe('read');
  expect(stateOf(repository, sent)).toBe('superseded');
  takeReading(repository, ownerId, { 1: true });
  expect(repository.find(mine)).toMatchObject({ state: 'parked', parked_because: 'conflict', theirs: 1 });
});

test('Q7: so does one where the settings cannot be read, until that person says so; nothing else does', async () => {
  const { repository, ownerId } = await openRepository();
  const biaId = repository.ownerId(bia);
  const elsewhere = repository.ownerId({ ...bia, companyId: '8' as Id });
  const mine = enqueue(repository, { ownerId, product: '1', isEnabled: true, seen: false });
  const same = enqueue(repository, { ownerId, product: '2', isEnabled: true, seen: true, isSeenFresh: false });
  const asked = enqueue(repository, { ownerId, product: '3', isEnabled: true, seen: false });
  for (const [owner, product, isEnabled] of [
    [biaId, '1', true],
    [biaId, '1', false],
    [elsewhere, '2', false],
    [biaId, '3', true],
  ] as const) {
    enqueue(repository, { ownerId: owner, product, isEnabled, seen: !isEnabled });
    settle(repository, owner, seal(repository, owner), { step: 'delivered' });
  }
  expect(repository.nextWork(ownerId, start)).toBe('read');
  repository.skipReading(ownerId, start);
  expect(repository.find(mine)).toMatchObject({ state: 'parked', parked_because: 'conflict', theirs: 0 });
  expect([stateOf(repository, same), stateOf(repository, asked)]).toEqual(['pending', 'pending']);
  expect(repository.retry(mine, start)).toBe(true);
  repository.skipReading(ownerId, start);
  expect(productsOf(seal(repository, ownerId))).toEqual(['1', '2', '3']);
});

test('Q7: an older update of another user overtakes nothing', async () => {
  const { repository, ownerId } = await openRepository();
  const biaId = repository.ownerId(bia);
  enqueue(repository, { ownerId: biaId, product: '1', isEnabled: false, seen: true });
  enqueue(repository, { ownerId, product: '1', isEnabled: true, seen: false });
  settle(repository, biaId, seal(repository, biaId), { step: 'delivered' });
  expect(repository.nextWork(ownerId, start)).toBe('seal');
});

test('an unanswered request is compared anew when another user of the company has sent since', async () => {
  const { repository, ownerId } = await openRepository();
  const biaId = repository.ownerId(bia);
  const stranger = repository.ownerId({ ...bia, companyId: '8' as Id });
  enqueue(repository, { ownerId, product: '1' });
  const request = seal(repository, ownerId);
  leaveUnanswered(repository, ownerId, request);
  enqueue(repository, { ownerId: stranger, product: '2' });
  settle(repository, stranger, seal(repository, stranger), { step: 'delivered' });
  expect(repository.nextWork(ownerId, start)).toEqual({ resend: { ...request, isRepeated: true, earlierTries: 1 } });
  enqueue(repository, { ownerId: biaId, product: '2' });
  settle(repository, biaId, seal(repository, biaId), { step: 'delivered' });
  expect(repository.nextWork(ownerId, start)).toBe('read');
});

test('the newest open change of a product by another user of the same company is told, and no other', async () => {
  const { repository, ownerId } = await openRepository();
  const biaId = repository.ownerId(bia);
  const elsewhere = repository.ownerId({ ...ana, companyId: '8' as Id });
  enqueue(repository, { ownerId: elsewhere, product: '1', isEnabled: true });
  expect(repository.openOfOther(biaId, bia, '1' as Id)).toBeUndefined();
  enqueue(repository, { ownerId, product: '1', isEnabled: true });
  enqueue(repository, { ownerId: biaId, product: '1', isEnabled: false });
  expect(repository.openOfOther(biaId, bia, '1' as Id)).toEqual({
    subject_id: '1',
    is_enabled: 1,
    state: 'pending',
    email: ana.email,
  });
  expect(repository.openOfOther(ownerId, ana, '1' as Id)).toMatchObject({ is_enabled: 0, email: bia.email });
  // Whoever is not signed in is another user to all.
  expect(repository.openOfOther(0, ana, '1' as Id)).toMatchObject({ is_enabled: 0, email: bia.email });
  expect(repository.openCouponsOfOthers(biaId, bia)).toHaveLength(1);
  settle(repository, ownerId, seal(repository, ownerId), { step: 'delivered' });
  expect(repository.openOfOther(biaId, bia, '1' as Id)).toBeUndefined();
});
