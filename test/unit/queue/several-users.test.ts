// The proof that updates leave under their own user and company alone, and that what another user's has overtaken waits
// for a person (Q7).
import { expect, test } from 'vitest';
import type { Id } from '../../../app/domain/int64.ts';
import { ana, bia } from './queue-shop.ts';
import { enqueue, noAnswer, openStore, productsOf, seal, settle, start, stateOf } from './repository-rows.ts';

test('updates go out only under their own user and company, and others are told that they wait', async () => {
  const { store, ownerId } = await openStore();
  const biaId = store.ownerId(bia);
  const elsewhere = store.ownerId({ ...ana, companyId: '8' as Id });
  enqueue(store, { ownerId, product: '1' });
  expect(store.nextWork(biaId, start)).toBe('nothing');
  expect(store.nextWork(elsewhere, start)).toBe('nothing');
  expect(store.seal(biaId, 'key', start)).toBeNull();
  expect(store.foreign(biaId)).toEqual([{ ...ana, total: 1 }]);
  expect(store.ownerId({ ...ana })).toBe(ownerId);
});

test('Q7: what a newer update of another user has overtaken waits for a person', async () => {
  const { store, ownerId } = await openStore();
  const biaId = store.ownerId(bia);
  const mine = enqueue(store, { ownerId, product: '1', isEnabled: true, seen: false });
  const untouched = enqueue(store, { ownerId, product: '2', isEnabled: true, seen: false });
  enqueue(store, { ownerId: biaId, product: '1', isEnabled: false, seen: true });
  settle(store, biaId, seal(store, biaId), { step: 'delivered' });
  expect(store.nextWork(ownerId, start)).toBe('read');
  store.applyReading(
    ownerId,
    new Map([
      ['1' as Id, false],
      ['2' as Id, false],
    ]),
    start,
    store.unread(ownerId, start),
  );
  expect(store.find(mine)).toMatchObject({ state: 'parked', parked_because: 'conflict', theirs: 0 });
  expect(stateOf(store, untouched)).toBe('pending');
});

test.each(['delivered', 'found to hold'])(
  'Q7: so does one that was under way when it was overtaken by one that was %s',
  async (how) => {
    const { store, ownerId } = await openStore();
    const biaId = store.ownerId(bia);
    const mine = enqueue(store, { ownerId, product: '1', isEnabled: true, seen: false });
    settle(store, ownerId, seal(store, ownerId), { step: 'sendAgain', cause: 'network', proveFirst: false }, noAnswer);
    enqueue(store, { ownerId: biaId, product: '1', isEnabled: false, seen: true, isSeenFresh: how === 'delivered' });
    if (how === 'delivered') {
      settle(store, biaId, seal(store, biaId), { step: 'delivered' });
    } else {
      store.applyReading(biaId, new Map([['1' as Id, false]]), start, store.unread(biaId, start));
    }
    expect(store.nextWork(ownerId, start)).toBe('read');
    store.applyReading(ownerId, new Map([['1' as Id, false]]), start, store.unread(ownerId, start));
    expect(store.find(mine)).toMatchObject({ state: 'parked', parked_because: 'conflict' });
    expect(store.retry(mine, start)).toBe(true);
    expect(productsOf(seal(store, ownerId))).toEqual(['1']);
  },
);

test('Q7: so does one that was made upon another of which nobody knows whether it took effect', async () => {
  const { store, ownerId } = await openStore();
  const biaId = store.ownerId(bia);
  const sent = enqueue(store, { ownerId, product: '1', isEnabled: true, seen: false });
  settle(store, ownerId, seal(store, ownerId), { step: 'sendAgain', cause: 'network', proveFirst: false }, noAnswer);
  const mine = enqueue(store, { ownerId, product: '1', isEnabled: false, seen: true });
  enqueue(store, { ownerId: biaId, product: '1', isEnabled: true, seen: false });
  settle(store, biaId, seal(store, biaId), { step: 'delivered' });
  expect(store.nextWork(ownerId, start)).toBe('read');
  expect(stateOf(store, sent)).toBe('superseded');
  store.applyReading(ownerId, new Map([['1' as Id, true]]), start, store.unread(ownerId, start));
  expect(store.find(mine)).toMatchObject({ state: 'parked', parked_because: 'conflict', theirs: 1 });
});

test('Q7: so does one where the settings cannot be read, until that person says so; nothing else does', async () => {
  const { store, ownerId } = await openStore();
  const biaId = store.ownerId(bia);
  const elsewhere = store.ownerId({ ...bia, companyId: '8' as Id });
  const mine = enqueue(store, { ownerId, product: '1', isEnabled: true, seen: false });
  const same = enqueue(store, { ownerId, product: '2', isEnabled: true, seen: true, isSeenFresh: false });
  const asked = enqueue(store, { ownerId, product: '3', isEnabled: true, seen: false });
  for (const [owner, product, isEnabled] of [
    [biaId, '1', true],
    [biaId, '1', false],
    [elsewhere, '2', false],
    [biaId, '3', true],
  ] as const) {
    enqueue(store, { ownerId: owner, product, isEnabled, seen: !isEnabled });
    settle(store, owner, seal(store, owner), { step: 'delivered' });
  }
  expect(store.nextWork(ownerId, start)).toBe('read');
  store.skipReading(ownerId, start);
  expect(store.find(mine)).toMatchObject({ state: 'parked', parked_because: 'conflict', theirs: 0 });
  expect([stateOf(store, same), stateOf(store, asked)]).toEqual(['pending', 'pending']);
  expect(store.retry(mine, start)).toBe(true);
  store.skipReading(ownerId, start);
  expect(productsOf(seal(store, ownerId))).toEqual(['1', '2', '3']);
});

test('Q7: an older update of another user overtakes nothing', async () => {
  const { store, ownerId } = await openStore();
  const biaId = store.ownerId(bia);
  enqueue(store, { ownerId: biaId, product: '1', isEnabled: false, seen: true });
  enqueue(store, { ownerId, product: '1', isEnabled: true, seen: false });
  settle(store, biaId, seal(store, biaId), { step: 'delivered' });
  expect(store.nextWork(ownerId, start)).toBe('seal');
});

test('an unanswered request is compared anew when another user of the company has sent since', async () => {
  const { store, ownerId } = await openStore();
  const biaId = store.ownerId(bia);
  const stranger = store.ownerId({ ...bia, companyId: '8' as Id });
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

test('the newest open change of a product by another user of the same company is told, and no other', async () => {
  const { store, ownerId } = await openStore();
  const biaId = store.ownerId(bia);
  const elsewhere = store.ownerId({ ...ana, companyId: '8' as Id });
  enqueue(store, { ownerId: elsewhere, product: '1', isEnabled: true });
  expect(store.openOfOther(biaId, bia, '1' as Id)).toBeUndefined();
  enqueue(store, { ownerId, product: '1', isEnabled: true });
  enqueue(store, { ownerId: biaId, product: '1', isEnabled: false });
  expect(store.openOfOther(biaId, bia, '1' as Id)).toEqual({
    subject_id: '1',
    is_enabled: 1,
    state: 'pending',
    email: ana.email,
  });
  expect(store.openOfOther(ownerId, ana, '1' as Id)).toMatchObject({ is_enabled: 0, email: bia.email });
  // Whoever is not signed in is another user to all.
  expect(store.openOfOther(0, ana, '1' as Id)).toMatchObject({ is_enabled: 0, email: bia.email });
  expect(store.openCouponsOfOthers(biaId, bia)).toHaveLength(1);
  settle(store, ownerId, seal(store, ownerId), { step: 'delivered' });
  expect(store.openOfOther(biaId, bia, '1' as Id)).toBeUndefined();
});
