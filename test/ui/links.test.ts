// The proof that a link changes nothing before a person has said so, and that the person knows about what.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { EventPayload } from '../../app/contract/contract.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { changeState, emit, inputsOf } from './fake.ts';
import { signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { card, coffee, shirt } from './scene-fixtures.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();
const ready = readyState(nowMs);

async function follow(
  link: EventPayload<'link:opened'>,
  { answers = {}, state = {} }: { answers?: Record<string, unknown>; state?: Partial<TerminalState> } = {},
): Promise<Page> {
  const { page } = await stage.open(
    { state: { ...ready, ...state }, nowMs, answers, ...(state.lock === undefined ? {} : { pin: '2580' }) },
    { width: 1024, height: 768 },
    { path: '/#users' },
  );
  await page.getByRole('main', { name: 'Users' }).waitFor();
  await emit(page, 'link:opened', link);
  await page.getByRole('dialog').getByRole('button').nth(1).waitFor();
  return page;
}

const off = { kind: 'coupon', product: coffee, isEnabled: false } as const;
const confirm = (page: Page) => page.getByRole('button', { name: 'Switch off' });

it('asks, and switches when a person says so; nothing is noted as looked up', async () => {
  const page = await follow(off);
  const dialog = page.getByRole('dialog', { name: 'Switch this coupon off?' });
  await dialog.getByText('Café torrado e moído Serra Clara 500 g').waitFor();
  expect(await inputsOf(page, 'coupon:switch')).toEqual([]);
  expect(await inputsOf(page, 'lookup:find')).toEqual([{ text: coffee, source: 'program' }]);
  await confirm(page).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await inputsOf(page, 'coupon:switch')).toEqual([{ productId: '101', isEnabled: false }]);
  await page.getByRole('main', { name: 'Users' }).waitFor();
});

it('leaves it as it is by Enter and by Escape', async () => {
  for (const key of ['Enter', 'Escape']) {
    const page = await follow(off);
    await confirm(page).waitFor();
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Leave as it is');
    await page.keyboard.press(key);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await inputsOf(page, 'coupon:switch')).toEqual([]);
  }
});

it('asks once the dialog that is open is closed: it would take the keyboard from what is seen', async () => {
  const { page } = await stage.open({ state: ready, nowMs }, { width: 1024, height: 768 }, { path: '/#users' });
  await page.getByRole('main', { name: 'Users' }).waitFor();
  await page.keyboard.press('F1');
  const help = page.getByRole('dialog');
  await help.waitFor();
  await emit(page, 'link:opened', off);
  // Long enough for the question to be there.
  await page.waitForTimeout(1000);
  expect(await help.count()).toBe(1);
  expect(await help.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true);
  await page.keyboard.press('Escape');
  await confirm(page).waitFor();
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Leave as it is');
});

it('asks for the newer of two links that come behind a dialog: nobody has seen the older one', async () => {
  const { page } = await stage.open({ state: ready, nowMs }, { width: 1024, height: 768 }, { path: '/#users' });
  await page.getByRole('main', { name: 'Users' }).waitFor();
  await page.keyboard.press('F1');
  await page.getByRole('dialog').waitFor();
  await emit(page, 'link:opened', { ...off, product: shirt });
  await emit(page, 'link:opened', off);
  await page.keyboard.press('Escape');
  await confirm(page).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await inputsOf(page, 'coupon:switch')).toEqual([{ productId: '101', isEnabled: false }]);
});

it('keeps the question that stands when another link comes', async () => {
  const page = await follow(off);
  await confirm(page).waitFor();
  await emit(page, 'link:opened', { ...off, product: shirt });
  await confirm(page).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await inputsOf(page, 'coupon:switch')).toEqual([{ productId: '101', isEnabled: false }]);
});

it('asks for the PIN where coupons are locked', async () => {
  const page = await follow(off, { state: { lock: { ...ready.lock, hasPin: true } } });
  await confirm(page).click();
  const pin = page.getByRole('dialog').getByRole('textbox');
  await pin.pressSequentially('2580', { delay: 130 });
  await pin.press('Enter');
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
  expect(await inputsOf(page, 'coupon:switch')).toContainEqual({ productId: '101', isEnabled: false });
});

it.each([
  ['what this terminal does not know', { ...off, product: '9520000000028' }, {}, /knows no product with 9520000000028/],
  ['a link that is not known', { kind: 'refused' }, {}, /a link that it does not know/],
  [
    'a terminal that may not look it up',
    off,
    { 'lookup:find': { ok: false, failure: { kind: 'signInNeeded' } } },
    /sign in/i,
  ],
] as const)('says of %s why nothing is asked', async (_what, link, answers, words) => {
  const page = await follow(link, { answers });
  const dialog = page.getByRole('dialog');
  await dialog.getByText(words).first().waitFor();
  expect(await dialog.getByRole('button', { name: /^Switch/ }).count()).toBe(0);
  await dialog.getByRole('button', { name: 'Close' }).last().click();
  await dialog.waitFor({ state: 'detached' });
});

it('says what was so at the last reading, and asks all the same: somebody may have changed it since', async () => {
  const page = await follow({ ...off, isEnabled: true });
  const dialog = page.getByRole('dialog');
  await dialog.getByText('The consumption coupon was on when the platform was last asked.').waitFor();
  await dialog.getByRole('button', { name: 'Switch on' }).click();
  await dialog.waitFor({ state: 'detached' });
  expect(await inputsOf(page, 'coupon:switch')).toEqual([{ productId: '101', isEnabled: true }]);
});

it.each(['parked', 'waiting'] as const)(
  'a link to what is so already asks unless that is on its way: a change of it is %s',
  async (status) => {
    const coupon = { isEnabled: true, status, failure: null };
    const found = { kind: 'found', text: coffee, cards: [card({ coupon })] };
    const page = await follow({ ...off, isEnabled: true }, { answers: { 'lookup:find': { ok: true, value: found } } });
    const dialog = page.getByRole('dialog');
    const isWaiting = status === 'waiting';
    await dialog.getByText(isWaiting ? /is on already/ : /was on when the platform was last asked/).waitFor();
    expect(await dialog.getByRole('button', { name: 'Switch on' }).count()).toBe(isWaiting ? 0 : 1);
  },
);

it('says what a change that failed means, and keeps the question', async () => {
  const page = await follow(off, { answers: { 'coupon:switch': { ok: false, failure: { kind: 'queueFull' } } } });
  await confirm(page).click();
  await page.getByRole('dialog').getByRole('alert').waitFor();
  await confirm(page).waitFor();
});

const { session } = ready;
const bea = { session: { ...session, email: 'bea@example.com' } };
const elsewhere = { profileId: 2, profile: { ...ready.profile, companyId: '77' } };

it.each([
  ['another person', bea],
  ['another company of the same sign-in', elsewhere],
  ['a locked till', signedOut],
])('%s is not asked what the link has asked of the one before', async (_who, comes) => {
  const page = await follow(off);
  await confirm(page).waitFor();
  await changeState(page, comes as Partial<TerminalState>);
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await emit(page, 'link:opened', off);
  await confirm(page).waitFor();
});

it('whoever signs in is asked what a link has asked before', async () => {
  const switched = { ok: true, value: { isEnabled: false, status: 'waiting', failure: null } };
  const answers = { 'coupon:switch': switched };
  const { page } = await stage.open({ state: { ...ready, ...signedOut }, nowMs, answers });
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await emit(page, 'link:opened', off);
  await confirm(page).waitFor();
  await changeState(page, { phase: 'ready', session, connection: ready.connection });
  await page.getByRole('main', { name: 'Lookup' }).waitFor();
  await confirm(page).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await inputsOf(page, 'coupon:switch')).toEqual([{ productId: '101', isEnabled: false }]);
});
