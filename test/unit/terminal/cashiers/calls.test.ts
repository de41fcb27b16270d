import { expect, test } from 'vitest';
import type { AuditAction } from '../../../../app/contract/audit.ts';
import { fail, succeed } from '../../../../app/domain/result.ts';
import { createCashierHandlers } from '../../../../app/terminal/cashiers/calls.ts';
import type { Cashiers } from '../../../../app/terminal/cashiers/cashiers.ts';
import { createManualClock } from '../../../support/manual-clock.ts';

const minuteMs = 60_000;

function makeTill({ minutes = 5, hasPin = true } = {}) {
  const clock = createManualClock();
  const till = { isLocked: false, minutes, noted: [] as AuditAction[] };
  const cashiers: Cashiers = {
    state: () => ({ lockedEmail: null, users: [] }),
    isLocked: () => till.isLocked,
    canLock: () => hasPin && !till.isLocked,
    lock: () => {
      till.isLocked = hasPin;
    },
    tryPin: () => Promise.resolve(fail({ kind: 'pinWrong' })),
    comeBack: () => succeed(undefined),
    keptUsers: () => [],
    needsPassword: () => false,
    signOutAside: () => Promise.resolve(false),
    noteSignIn: () => undefined,
    setPin: () => Promise.resolve(fail({ kind: 'pinWrong' })),
    forget: () => Promise.resolve(succeed(undefined)),
    readBadge: () => Promise.resolve(fail({ kind: 'badgeUnknown' })),
    comeByBadge: () => succeed({ outcome: 'came', email: 'bea@example.com' }),
    makeBadge: () => Promise.resolve(succeed('TILL0000000000000000')),
    removeBadge: () => succeed(true),
    close: () => undefined,
  };
  const handlers = createCashierHandlers({
    clock,
    shops: { cashiers, inTurn: (action) => action() },
    managerLock: {
      signedIn: () => 'ana@example.com',
      note: (action) => void till.noted.push(action),
      noteLater: () => (action) => void till.noted.push(action),
    },
    settings: { get: () => ({ cashierChange: { keptDays: 30, lockAfterMinutes: till.minutes, badges: true } }) },
  });
  return { clock, till, handlers, touch: () => handlers['cashier:noteActivity']({}) };
}

test('a till is locked once it has rested for so long, counted from the last touch', async () => {
  const { clock, till, touch } = makeTill();
  await touch();
  await clock.advance(4 * minuteMs);
  await touch();
  await clock.advance(5 * minuteMs - 1);
  expect(till).toMatchObject({ isLocked: false, noted: [] });
  await clock.advance(1);
  expect(till).toMatchObject({ isLocked: true, noted: [{ kind: 'tillLocked', isByRest: true }] });
  await touch();
  await clock.advance(10 * minuteMs);
  expect(till.noted).toHaveLength(1);
});

test('one that slept for so long is locked by the first touch', async () => {
  const { clock, till, touch } = makeTill();
  await touch();
  clock.jumpWall(5 * minuteMs);
  await touch();
  expect(till.isLocked).toBe(true);
});

test('no rest locks a till of somebody without a PIN or where the manager wants none', async () => {
  for (const made of [makeTill({ hasPin: false }), makeTill({ minutes: 0 })]) {
    await made.touch();
    await made.clock.advance(24 * 60 * minuteMs);
    expect(made.till).toMatchObject({ isLocked: false, noted: [] });
  }
});

test('each wrong PIN is on the list with the user whom it was tried for', async () => {
  const { till, handlers } = makeTill();
  await handlers['cashier:comeBack']({ email: 'bea@example.com', pin: '0000' });
  await handlers['cashier:setPin']({ pin: '1111', oldPin: '0000' });
  expect(till.noted).toEqual([
    { kind: 'ownPinWrong', name: 'bea@example.com' },
    { kind: 'ownPinWrong', name: 'ana@example.com' },
  ]);
});
