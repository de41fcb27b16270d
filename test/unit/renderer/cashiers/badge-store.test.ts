import { expect, it } from 'vitest';
import { createBadgeStore } from '../../../../renderer/cashiers/badge-store.ts';
import { createHeldBridge, failed, ok } from '../stores/held-bridge.ts';

const code = 'TILL0123456789012345';

it('a badge is being read until the last of several is answered, whatever the answer', async () => {
  const { bridge, next } = createHeldBridge();
  const store = createBadgeStore(bridge, () => () => undefined);
  let isKnown = false;
  expect(store.getState().untilRead()).toBeNull();
  void store.getState().scan(code);
  void store.getState().scan(code);
  void store
    .getState()
    .untilRead()
    ?.then(() => (isKnown = true));
  await next('cashier:scanBadge').answer(ok({ outcome: 'here', email: 'ana@example.com' }));
  expect([isKnown, store.getState().isReading]).toEqual([false, true]);
  await next('cashier:scanBadge').answer(failed('vaultLocked'));
  expect([isKnown, store.getState().isReading, store.getState().untilRead()]).toEqual([true, false, null]);
});
