import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan } from '../support/wedge.ts';
import { changeState, inputsOf } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.now();
const stage = setStage();
const users: TerminalState['cashiers']['users'] = [
  { email: 'ana@example.com', canComeBack: true, waitUntil: null, hasBadge: false },
  { email: 'bea@example.com', canComeBack: true, waitUntil: null, hasBadge: false },
  { email: 'caio@example.com', canComeBack: false, waitUntil: null, hasBadge: false },
];
const locked: Partial<TerminalState> = { ...signedOut, cashiers: { lockedEmail: 'ana@example.com', users } };
const atWork: Partial<TerminalState> = { cashiers: { lockedEmail: null, users } };

async function open(state: Partial<TerminalState>, scene: Partial<Scene> = {}): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs, state), nowMs, ...scene });
  await page.locator('main').waitFor();
  return page;
}

/** As a person types: slower than any scanner. */
const type = (page: Page, digits: string): Promise<void> => page.keyboard.type(digits, { delay: 130 });

it('Ctrl+L locks from any screen and from behind a dialog, and so does the button; without a PIN neither is there', async () => {
  const page = await open(atWork);
  await page.locator('.finder-input').waitFor();
  await page.keyboard.press('Control+l');
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').waitFor();
  await page.keyboard.press('Control+l');
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Lock', exact: true }).click();
  await expect.poll(() => inputsOf(page, 'cashier:lock')).toEqual([{}, {}, {}]);

  await changeState(page, { cashiers: { lockedEmail: null, users: users.slice(1) } });
  await expect.poll(() => page.getByRole('button', { name: 'Lock', exact: true }).count()).toBe(0);
  await page.keyboard.press('Control+l');
  await page.keyboard.press('F1');
  await page.getByRole('dialog').waitFor();
  expect(await inputsOf(page, 'cashier:lock')).toHaveLength(3);
});

it('the till that is locked asks for the PIN of whoever locked it; another is chosen by keyboard alone, and digits are hidden', async () => {
  const page = await open(locked);
  await page.getByRole('heading', { name: 'The till is locked' }).waitFor();
  const field = page.getByRole('textbox', { name: 'PIN' });
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true);
  await type(page, '2580139');
  expect(await field.inputValue()).toBe('••••••');
  await page.keyboard.press('Escape');
  await page.getByRole('group', { name: 'Choose your name' }).waitFor();
  const ana = page.getByRole('button', { name: 'ana@example.com' });
  await expect.poll(() => ana.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await field.waitFor();
  await type(page, '4711');
  await page.keyboard.press('Enter');
  await expect.poll(() => inputsOf(page, 'cashier:comeBack')).toEqual([{ email: 'bea@example.com', pin: '4711' }]);
  expect(await page.content()).not.toContain('4711');
});

it('what was being typed when the till was locked is there for the same person, and for nobody else', async () => {
  const { session } = readyState(nowMs);
  const page = await open(atWork);
  const shelf = page.getByRole('textbox', { name: 'Shelf or name' });
  const comes = async (email: string): Promise<void> => {
    await changeState(page, locked);
    await page.getByRole('heading', { name: 'The till is locked' }).waitFor();
    await changeState(page, { ...atWork, phase: 'ready', session: { ...session, email } });
    await shelf.waitFor();
  };
  await page.keyboard.press('Alt+T');
  await shelf.fill('Shelf 7');
  await comes(session.email ?? '');
  expect(await shelf.inputValue()).toBe('Shelf 7');
  await comes('bea@example.com');
  expect(await shelf.inputValue()).toBe('');
  await comes(session.email ?? '');
  expect(await shelf.inputValue()).toBe('');
});

it('a wrong PIN is said and asked for again; who needs the password is led to it with the e-mail typed', async () => {
  const page = await open(locked, {
    answers: { 'cashier:comeBack': { ok: false, failure: { kind: 'pinWrong', retryAfterMs: 0 } } },
  });
  await page.getByRole('textbox', { name: 'PIN' }).waitFor();
  for (const digit of ['2', '5', '8', '0']) {
    await page.getByRole('button', { name: digit, exact: true }).click();
  }
  await page.getByRole('button', { name: 'Sign in' }).click();
  await expect.poll(() => page.getByRole('status').filter({ hasText: 'This PIN is not right.' }).count()).toBe(1);
  await page.getByRole('button', { name: 'Other names' }).click();
  await page.getByRole('button', { name: /^caio@example\.com/ }).click();
  expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('caio@example.com');
  await page.getByRole('button', { name: 'Sign in with a PIN' }).click();
  await page.getByRole('button', { name: 'Other names' }).click();
  await page.getByRole('button', { name: 'Sign in with e-mail and password' }).click();
  expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('');
});

it('a touch is told where a rest locks the till, and nowhere else', async () => {
  const idle = await open({ ...atWork, cashierChange: { keptDays: 30, lockAfterMinutes: 0, badges: true } });
  await idle.keyboard.press('F1');
  await idle.getByRole('dialog').waitFor();
  expect(await inputsOf(idle, 'cashier:noteActivity')).toEqual([]);
  const counted = await open({ ...atWork, cashierChange: { keptDays: 30, lockAfterMinutes: 5, badges: true } });
  await expect.poll(() => inputsOf(counted, 'cashier:noteActivity')).toEqual([{}]);
});

it('whoever is signed in sets a PIN of their own, typed twice, and the manager takes one away', async () => {
  const page = await open({ cashiers: { lockedEmail: null, users: users.slice(1) } });
  await page.evaluate(() => {
    location.hash = '#settings/general';
  });
  await page.getByRole('button', { name: 'Set a PIN' }).click();
  for (const digits of ['2580', '2580']) {
    await expect.poll(() => page.getByRole('textbox').and(page.locator(':focus')).inputValue()).toBe('');
    await type(page, digits);
    await page.keyboard.press('Enter');
  }
  await expect.poll(() => inputsOf(page, 'cashier:setPin')).toEqual([{ pin: '2580' }]);
  await changeState(page, atWork);
  const change = page.getByRole('button', { name: 'Change the PIN' });
  await expect.poll(() => change.evaluate((button) => button === document.activeElement)).toBe(true);
  await page.evaluate(() => {
    location.hash = '#settings/lock';
  });
  await page.getByRole('button', { name: 'Remove the PIN of bea@example.com' }).click();
  await expect.poll(() => inputsOf(page, 'cashier:forget')).toEqual([{ email: 'bea@example.com' }]);
});

const code = 'TILL0123456789012345';

it('a badge at a locked till is handed on, nowhere looked up, and leads whoever needs it to the password', async () => {
  const page = await open(locked, {
    answers: { 'cashier:scanBadge': { ok: true, value: { outcome: 'passwordFirst', email: 'caio@example.com' } } },
  });
  await page.getByRole('textbox', { name: 'PIN' }).waitFor();
  await scan(page, code);
  await expect.poll(() => inputsOf(page, 'cashier:scanBadge')).toEqual([{ code }]);
  await page.getByRole('alert').filter({ hasText: 'caio@example.com needs the password first.' }).waitFor();
  expect(await page.getByRole('textbox', { name: 'E-mail' }).inputValue()).toBe('caio@example.com');
  expect(await inputsOf(page, 'lookup:find')).toEqual([]);
  expect(await page.content()).not.toContain(code.slice(4));
});

it('a badge at work is taken from any field and behind a dialog; an unknown one is said with its wait, a typed one refused', async () => {
  const unknown = { ok: false, failure: { kind: 'badgeUnknown', retryAfterMs: 5000 } };
  const page = await open(atWork, { answers: { 'cashier:scanBadge': unknown } });
  await page.locator('.finder-input').waitFor();
  await scan(page, code);
  await page.getByRole('alert').filter({ hasText: 'Nobody has this badge here.' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').waitFor();
  await scan(page, `]C0${code}`);
  await expect.poll(() => inputsOf(page, 'cashier:scanBadge')).toEqual([{ code }, { code }]);
  await page.keyboard.press('Escape');
  await scan(page, code.slice(0, -2));
  await page.getByRole('alert').filter({ hasText: 'The badge was not read whole.' }).waitFor();
  await page.locator('.finder-input').fill(code);
  await page.keyboard.press('Enter');
  await page.getByRole('alert').filter({ hasText: 'A badge is scanned, never typed.' }).waitFor();
  expect(await page.locator('.finder-input').inputValue()).toBe('');
  expect([await inputsOf(page, 'lookup:find'), await inputsOf(page, 'cashier:scanBadge')]).toEqual([
    [],
    [{ code }, { code }],
  ]);
});

it('a badge that a locked keychain keeps from being compared leads to the PIN', async () => {
  const page = await open(locked, {
    answers: { 'cashier:scanBadge': { ok: false, failure: { kind: 'vaultLocked' } } },
  });
  await page.getByRole('textbox', { name: 'PIN' }).waitFor();
  await scan(page, code);
  await page.getByRole('alert').filter({ hasText: 'badges cannot be checked. Type your PIN.' }).waitFor();
});

it('a change at work closes what was open, and one’s own badge says who is signed in', async () => {
  const page = await open(atWork, {
    answers: { 'cashier:scanBadge': { ok: true, value: { outcome: 'here', email: 'ana@example.com' } } },
  });
  await page.locator('.finder-input').waitFor();
  await scan(page, code);
  await page.getByRole('status').filter({ hasText: 'You are signed in already: ana@example.com' }).waitFor();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('dialog').waitFor();
  await changeState(page, {
    session: { state: 'signedIn', email: 'bea@example.com', keptIn: 'keychain', failure: null },
  });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // It is not said any more of a till that was locked since.
  await page.locator('.badge-note').waitFor();
  await changeState(page, locked);
  await page.locator('.badge-note').waitFor({ state: 'detached' });
});

it('a badge is made with the PIN, shown as bars alone, printed, and gone with its dialog', async () => {
  const page = await open(atWork, { answers: { 'cashier:makeBadge': { ok: true, value: { code } } } });
  await page.evaluate(() => {
    location.hash = '#settings/general';
    window.print = () => document.documentElement.setAttribute('data-printed', '');
  });
  await page.getByRole('button', { name: 'Make a badge' }).click();
  await expect.poll(() => page.getByRole('textbox').and(page.locator(':focus')).count()).toBe(1);
  await type(page, '2580');
  await page.keyboard.press('Enter');
  await page.getByRole('img', { name: 'Badge of ana@example.com' }).waitFor();
  expect(await inputsOf(page, 'cashier:makeBadge')).toEqual([{ pin: '2580' }]);
  await page.getByRole('button', { name: 'Print badge' }).click();
  await page.locator('html[data-printed]').waitFor();
  expect(await page.locator('.print-pages svg').count()).toBe(1);
  expect(await page.content()).not.toContain(code.slice(4));
  await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  // A slip beside it does not lose what is shown once.
  await page.mouse.click(5, 5);
  await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.locator('.label-preview').count()).toBe(0);
  const make = page.getByRole('button', { name: 'Make a badge' });
  await expect.poll(() => make.evaluate((button) => button === document.activeElement)).toBe(true);
});

it('a locked till says that a badge can be scanned, where somebody has one and the manager allows them', async () => {
  const withBadge = users.map((user) => ({ ...user, hasBadge: user.email === 'bea@example.com' }));
  const page = await open({ ...locked, cashiers: { lockedEmail: 'ana@example.com', users: withBadge } });
  const hint = page.getByText('Or scan your badge.');
  await hint.waitFor();
  await page.getByRole('button', { name: 'Other names' }).click();
  await hint.waitFor();
  await changeState(page, { cashierChange: { keptDays: 30, lockAfterMinutes: 0, badges: false } });
  await hint.waitFor({ state: 'detached' });
});
