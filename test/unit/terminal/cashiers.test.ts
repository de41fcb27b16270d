// The proof of C1: whoever has a PIN is at the screen after a password or their PIN alone, whatever lay between.
import { expect, test } from 'vitest';
import type { SessionState } from '../../../app/contract/terminal-state.ts';
import { succeed } from '../../../app/domain/result.ts';
import { createKeptCashiers, type KeptCashier } from '../../../app/settings/kept-cashiers.ts';
import { openSettings } from '../../../app/settings/settings.ts';
import { createCashierHandlers } from '../../../app/terminal/cashier-handlers.ts';
import { createCashiers, type CashierParts } from '../../../app/terminal/cashiers.ts';
import { createManualClock } from '../../support/manual-clock.ts';
import { makeSettingsFile } from '../../support/ports.ts';

const minuteMs = 60_000;
const [ana, bea] = ['ana@example.com', 'bea@example.com'];
const [shop, otherShop] = ['https://one.example', 'https://other.example'];

const keptOf = (email: string, vaultName = shop): KeptCashier => ({
  vaultName,
  email,
  pinHash: 'a hash',
  badgeHash: null,
  wrong: 0,
  wrongAtMs: 0,
  signedInAt: 0,
});

/** A till with two users who have a PIN at one shop; whoever `signedIn` names is signed in. */
function openTill() {
  const clock = createManualClock();
  const settings = openSettings(makeSettingsFile());
  const kept = createKeptCashiers(settings);
  for (const email of [ana, bea]) {
    kept.keep({ ...keptOf(email), signedInAt: clock.now() });
  }
  settings.change({ cashierChange: { keptDays: 30, lockAfterMinutes: 5, badges: true } });
  const till = { vaultName: shop, stay: 1, isOpen: true, isPractice: false, signedIn: ana as string | null };
  const session = {
    state: (): SessionState => ({ state: 'signedIn', email: till.signedIn, keptIn: 'keychain', failure: null }),
    user: () => till.signedIn,
    change: (email: string) => ((till.signedIn = email), succeed(undefined)),
    release: () => Promise.resolve(),
  };
  const parts = {
    ports: { clock, random: { uuid: () => '', fraction: () => 0 } },
    settings,
    profiles: { current: () => ({ vaultName: till.vaultName }) },
    kept,
    store: {
      workspace: () => (till.isOpen ? { session } : null),
      practice: () => (till.isPractice ? {} : null),
      stay: () => till.stay,
    },
    changed: () => undefined,
  };
  const cashiers = createCashiers(parts as unknown as CashierParts);
  const handlers = createCashierHandlers({
    clock,
    stores: { cashiers, inTurn: (action) => action() },
    managerLock: { signedIn: () => till.signedIn, note: () => undefined },
    settings,
  });
  return { till, clock, kept, cashiers, touch: () => handlers['cashier:noteActivity']({}) };
}

/** The same till with Ana at its screen by her password. */
function atWork() {
  const open = openTill();
  expect(open.cashiers.isLocked()).toBe(true);
  open.cashiers.noteSignIn();
  expect(open.cashiers.isLocked()).toBe(false);
  return open;
}

test('C1 whoever comes back from another stay needs the PIN, however short it was', () => {
  for (const elsewhere of [{ vaultName: otherShop, signedIn: null }, { isPractice: true }]) {
    const { till, cashiers, kept } = atWork();
    Object.assign(till, elsewhere, { stay: 2 });
    expect(cashiers.isLocked(), 'nobody with a PIN is signed in there').toBe(false);
    Object.assign(till, { vaultName: shop, isPractice: false, signedIn: ana, stay: 3 });
    expect(cashiers.isLocked()).toBe(true);
    cashiers.comeBack(kept.find(shop, ana) ?? keptOf(ana));
    expect(cashiers.isLocked()).toBe(false);
  }
});

test('C1 a rest that is over while no store is open, or where nobody can be locked, locks all the same', async () => {
  for (const meanwhile of [{ isOpen: false }, { signedIn: null }, { isPractice: true }]) {
    const { till, clock, touch, cashiers } = atWork();
    await touch();
    Object.assign(till, meanwhile);
    await clock.advance(5 * minuteMs);
    Object.assign(till, { isOpen: true, signedIn: ana, isPractice: false });
    expect(cashiers.isLocked()).toBe(true);
  }
});

test('C1 the end of a sign-in locks, also when the keychain brings it back', () => {
  const { till, kept, cashiers } = atWork();
  till.signedIn = null;
  kept.keep({ ...keptOf(ana), signedInAt: null });
  till.signedIn = ana;
  expect(cashiers.isLocked()).toBe(true);
  cashiers.noteSignIn();
  expect(cashiers.isLocked()).toBe(false);
});

test('C1 a company of the same sign-in, and a moment without any store, change nothing', () => {
  const { till, cashiers } = atWork();
  till.isOpen = false;
  expect(cashiers.isLocked()).toBe(false);
  till.isOpen = true;
  expect(cashiers.isLocked()).toBe(false);
});

test('C1 somebody without a PIN who signs in meanwhile leaves nobody at the screen', () => {
  const { till, cashiers } = atWork();
  till.signedIn = 'carla@example.com';
  cashiers.noteSignIn();
  expect(cashiers.isLocked()).toBe(false);
  till.signedIn = ana;
  expect(cashiers.isLocked()).toBe(true);
});
