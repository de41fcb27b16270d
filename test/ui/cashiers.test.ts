import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { changeState, inputsOf } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.now();
const stage = setStage();
const users: TerminalState['cashiers']['users'] = [
  { email: 'ana@example.com', canComeBack: true, waitUntil: null },
  { email: 'bea@example.com', canComeBack: true, waitUntil: null },
  { email: 'caio@example.com', canComeBack: false, waitUntil: null },
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
  await page.getByRole('button', { name: 'bea@example.com' }).focus();
  await page.keyboard.press('Enter');
  await field.waitFor();
  await type(page, '4711');
  await page.keyboard.press('Enter');
  await expect.poll(() => inputsOf(page, 'cashier:comeBack')).toEqual([{ email: 'bea@example.com', pin: '4711' }]);
  expect(await page.content()).not.toContain('4711');
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
  const idle = await open({ ...atWork, cashierChange: { keptDays: 30, lockAfterMinutes: 0 } });
  await idle.keyboard.press('F1');
  await idle.getByRole('dialog').waitFor();
  expect(await inputsOf(idle, 'cashier:noteActivity')).toEqual([]);
  const counted = await open({ ...atWork, cashierChange: { keptDays: 30, lockAfterMinutes: 5 } });
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
  await page.evaluate(() => {
    location.hash = '#settings/lock';
  });
  await page.getByRole('button', { name: 'Remove the PIN of bea@example.com' }).click();
  await expect.poll(() => inputsOf(page, 'cashier:forget')).toEqual([{ email: 'bea@example.com' }]);
});
