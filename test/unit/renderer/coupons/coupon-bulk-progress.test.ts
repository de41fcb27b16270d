import { expect, it } from 'vitest';
import { createCouponMany } from '../../../../renderer/coupons/coupon-bulk-store.ts';
import { createHeldWall, id, ok } from '../stores/held-bridge.ts';

it('tells how far it is while it works, and not before; a person can stop it', async () => {
  const { wall, next, calls } = createHeldWall();
  const many = createCouponMany(
    wall,
    () => () => undefined,
    () => undefined,
  );
  void many.getState().ask([id('1'), id('2')], true, 0);
  await next('coupon:countMany').answer(ok({ willChange: 2, already: 0, needed: 2, room: 10 }));
  many.getState().takeProgress({ done: 1, of: 2 });
  expect(many.getState().question?.progress).toBeNull();
  void many.getState().confirm();
  many.getState().takeProgress({ done: 1, of: 2 });
  expect(many.getState().question).toMatchObject({ isWorking: true, progress: { done: 1, of: 2 } });
  many.getState().stop();
  expect(calls.at(-1)?.channel).toBe('coupon:stopMany');
  await next('coupon:switchMany').answer(
    ok({ accepted: 1, already: 0, failure: { kind: 'cancelled' }, undo: 1, undoForMs: 8_000 }),
  );
  expect(many.getState()).toMatchObject({
    question: null,
    outcome: { kind: 'switched', answer: { accepted: 1, failure: { kind: 'cancelled' } } },
  });
});
