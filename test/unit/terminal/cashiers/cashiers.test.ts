// The proof of C1, C3 and C6: whoever has a PIN is at the screen after a password or their PIN alone, whatever lay between,
// and by their PIN for no longer than the manager's days, whatever the clock said.
import { expect, test } from 'vitest';
import type { SessionState } from '../../../../app/contract/terminal-state.ts';
import { fail, succeed } from '../../../../app/domain/result.ts';
import { createKeptCashiers, type KeptCashier } from '../../../../app/settings/kept-cashiers.ts';
import { openSettings } from '../../../../app/settings/settings.ts';
import { createCashierHandlers } from '../../../../app/terminal/cashiers/calls.ts';
import { createCashiers, type CashierParts } from '../../../../app/terminal/cashiers/cashiers.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import type { SettingsFile } from '../../../../app/ports.ts';
import { makeSettingsFile } from '../../../support/ports.ts';

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000];
const [ana, bea] = ['ana@example.com', 'bea@example.com'];
const [shop, otherShop] = ['https://one.example', 'https://other.example'];

const keptOf = (email: string, vaultName = shop): KeptCashier => ({
  vaultName,
  email,
  pinHash: 'a hash',
  pinLength: null,
  badgeHash: null,
  wrong: 0,
  wrongAtMs: 0,
  signedInAt: 0,
});

/** One run of a till that finds these settings; whoever `signedIn` names is signed in. */
function startTill(file: SettingsFile, clock = createManualClock()) {
  const settings = openSettings(file);
  const kept = createKeptCashiers(settings);
  const till = {
    vaultName: shop,
    stay: 1,
    isOpen: true,
    isPractice: false,
    signedIn: ana as string | null,
    aheadMs: 0,
    released: [] as string[],
  };
  const session = {
    state: (): SessionState => ({ state: 'signedIn', email: till.signedIn, keptIn: 'keychain', failure: null }),
    user: () => till.signedIn,
    change: (email: string) => ((till.signedIn = email), succeed(undefined)),
    release: (email: string) => (till.released.push(email), Promise.resolve()),
  };
  const parts = {
    ports: { clock, random: { uuid: () => '0f8fad5b-d9cb-469f-a165-70867728950e', fraction: () => 0 } },
    settings,
    profiles: { current: () => ({ vaultName: till.vaultName }) },
    kept,
    shop: {
      workspace: () => (till.isOpen ? { session, platformClock: () => ({ aheadMs: till.aheadMs, at: 0 }) } : null),
      practice: () => (till.isPractice ? {} : null),
      stay: () => till.stay,
    },
    isTrying: () => false,
    onCome: () => undefined,
    changed: () => undefined,
  };
  const cashiers = createCashiers(parts as unknown as CashierParts);
  const handlers = createCashierHandlers({
    clock,
    shops: { cashiers, inTurn: (action) => action() },
    managerLock: { signedIn: () => till.signedIn, note: () => undefined, noteLater: () => () => undefined },
    settings,
  });
  const comesBack = (): boolean => cashiers.comeBack(kept.find(shop, ana) ?? keptOf(ana)).ok;
  return { till, clock, kept, settings, cashiers, comesBack, touch: () => handlers['cashier:noteActivity']({}) };
}

/** A till with two users who have a PIN at one shop. */
function openTill(keptDays = 30, file = makeSettingsFile(), clock = createManualClock()) {
  const settings = openSettings(file);
  const kept = createKeptCashiers(settings);
  for (const email of [ana, bea]) {
    kept.keep({ ...keptOf(email), signedInAt: clock.now() });
  }
  settings.change({ cashierChange: { keptDays, lockAfterMinutes: 5, badges: true } });
  return startTill(file, clock);
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

test('C6 a sign-in is used beside the screen for as long as its PIN suffices, and where there is one', () => {
  const { till, clock, kept, cashiers, settings } = atWork();
  expect(cashiers.keptUsers(shop)).toEqual([ana, bea]);
  till.signedIn = null;
  expect(cashiers.keptUsers(shop)).toEqual([ana, bea]);
  expect(cashiers.keptUsers(otherShop)).toEqual([]);
  kept.keep({ ...keptOf(bea), signedInAt: null });
  expect(cashiers.keptUsers(shop), 'refused, or signed out').toEqual([ana]);
  kept.keep({ ...keptOf(bea), signedInAt: clock.now(), pinHash: null });
  expect(cashiers.keptUsers(shop), 'without a PIN').toEqual([ana]);
  settings.change({ cashierChange: { keptDays: 0, lockAfterMinutes: 5, badges: true } });
  expect(cashiers.keptUsers(shop)).toEqual([]);
});

test('C3 whose days are over loses the kept sign-in also when the next one who comes has no PIN', async () => {
  const { till, clock, cashiers, settings } = atWork();
  settings.change({ cashierChange: { keptDays: 1, lockAfterMinutes: 5, badges: true } });
  cashiers.lock();
  await clock.advance(dayMs);
  till.signedIn = 'caio@example.com';
  cashiers.noteSignIn();
  expect(till.released).toEqual([ana, bea]);
});

test('an e-mail in other letters is one person in a document of before, as everywhere', () => {
  const file = makeSettingsFile();
  const settings = openSettings(file);
  settings.change({ cashiers: [keptOf(ana), keptOf('Ana@Example.com'), keptOf('Ana@Example.com', otherShop)] });
  const { cashiers, kept } = startTill(file);
  expect(cashiers.state().users.map(({ email }) => email)).toEqual([ana]);
  expect(kept.all()).toHaveLength(2);
});

test('C6 a sign-in sends while its PIN suffices behind the lock, and while it goes on at the screen', async () => {
  const { clock, cashiers, settings } = atWork();
  settings.change({ cashierChange: { keptDays: 1, lockAfterMinutes: 5, badges: true } });
  cashiers.lock();
  expect(cashiers.needsPassword(ana)).toBe(false);
  await clock.advance(dayMs);
  expect(cashiers.needsPassword(ana)).toBe(true);
  expect(cashiers.state().lockedEmail).toBeNull();
  cashiers.noteSignIn();
  expect(cashiers.needsPassword(ana)).toBe(false);
  await clock.advance(dayMs);
  expect(cashiers.needsPassword(ana), 'still at the screen').toBe(false);
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

const noon = Date.UTC(2026, 10, 20, 12);

/** Ana gives her password while this machine's clock is wrong by so much; its file outlives the run. */
function signedInBy(wrongMs: number, keptDays = 1) {
  const file = makeSettingsFile();
  const till = openTill(keptDays, file, createManualClock({ now: noon + wrongMs, uptimeMs: hourMs }));
  till.cashiers.noteSignIn();
  /** The next start, so long after noon and with a clock that is wrong by so much. */
  const restart = (afterMs: number, nowWrongMs = 0) =>
    startTill(file, createManualClock({ now: noon + afterMs + nowWrongMs, uptimeMs: minuteMs }));
  return { ...till, file, restart };
}

test.each([400, 20, 1, 0, -1, -20, -400])(
  'C3 a password typed %i days ahead lets in for the days chosen, while the app runs and after a start',
  async (daysAhead) => {
    const wrongMs = daysAhead * dayMs;
    const running = signedInBy(wrongMs);
    running.clock.jumpWall(-wrongMs);
    await running.clock.advance(dayMs - hourMs);
    expect(running.comesBack()).toBe(true);
    await running.clock.advance(hourMs);
    expect(running.comesBack()).toBe(false);

    const later = signedInBy(wrongMs);
    later.clock.jumpWall(-wrongMs);
    await later.clock.advance(hourMs);
    later.cashiers.close();
    expect(later.restart(2 * hourMs).comesBack()).toBe(true);
    expect(later.restart(dayMs + minuteMs).comesBack()).toBe(false);
  },
);

test.each([400, 20])(
  'C3 a clock of %i days ahead that is set right between two starts asks for the password',
  (days) => {
    const { restart, cashiers } = signedInBy(days * dayMs);
    cashiers.close();
    for (const afterMs of [hourMs, (days - 1) * dayMs, (days + 2) * dayMs]) {
      const next = restart(afterMs);
      expect(next.comesBack()).toBe(false);
      next.cashiers.noteSignIn();
      expect(next.comesBack(), 'nobody is locked out for good').toBe(true);
    }
  },
);

test('a PIN that is set while somebody else comes is nobody’s', async () => {
  const { till, cashiers, kept } = atWork();
  till.signedIn = 'cid@example.com';
  const setting = cashiers.setPin('2580', undefined);
  till.signedIn = bea;
  expect(await setting).toEqual(fail({ kind: 'userChanged' }));
  expect(kept.find(shop, 'cid@example.com')).toBeNull();
  expect(kept.find(shop, bea)).toMatchObject({ pinHash: 'a hash' });
});

test('C3 what the platform says of the clock counts while the terminal is off for as long as that is ahead', () => {
  const { till, cashiers, restart } = signedInBy(20 * dayMs);
  till.aheadMs = 20 * dayMs;
  cashiers.close();
  expect(restart(20 * dayMs + hourMs).comesBack()).toBe(false);
});

test('C3 a clock that is set back before each start lets nobody in for longer', async () => {
  const { file, clock, cashiers } = signedInBy(0, 3);
  await clock.advance(2 * dayMs);
  cashiers.close();
  const next = startTill(file, createManualClock({ now: noon + hourMs, uptimeMs: minuteMs }));
  expect(next.comesBack()).toBe(false);
  // Killed: the clocks were noted within the hour.
  const { restart, ...killed } = signedInBy(0, 3);
  await killed.clock.advance(2 * dayMs);
  expect(restart(hourMs).comesBack()).toBe(false);
});

test('C3 older settings are read: what was signed in lately stays, a stamp ahead is void for good', () => {
  for (const [daysAhead, isIn] of [
    [-0.5, true],
    [-2, false],
    [40, false],
  ] as const) {
    const file = makeSettingsFile();
    const restart = (now: number) => startTill(file, createManualClock({ now }));
    openTill(1, file, createManualClock({ now: noon + daysAhead * dayMs })).cashiers.close();
    const document = file.read() as Record<string, unknown>;
    file.write({ ...document, cashierTime: undefined });
    const first = restart(noon);
    expect(first.comesBack()).toBe(isIn);
    first.cashiers.close();
    expect(restart(noon + 40 * dayMs + hourMs).comesBack()).toBe(false);
  }
});
