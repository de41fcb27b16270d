// Proves that a choice becomes a set, that a set is switched by the same question as a choice, is planned by the clock
// on the wall, and that the queue tells what is planned and what was missed.
import { writeXlsx } from 'hucre/xlsx';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import {
  chooseSetFile,
  openSets,
  plannedAheadAnswer,
  plannedAnswer,
  plannedWaitingAnswer,
  setAnswers,
  setMatches,
} from './scenes/coupon-sets.ts';
import type { Id } from '../../app/domain/int64.ts';
import { callsOf, changeState, emit, inputsOf, setAnswer } from './fake.ts';
import { readyState } from './ready-state.ts';
import { sceneNowMs } from './scene-fixtures.ts';
import { to, value } from './scene-steps.ts';
import { setStage } from './stage.ts';

const stage = setStage();

async function open(answers: Readonly<Record<string, unknown>> = setAnswers, delaysMs = {}): Promise<Page> {
  const { page } = await stage.open({ state: readyState(sceneNowMs), nowMs: sceneNowMs, answers, delaysMs });
  await page.getByRole('main').waitFor();
  return page;
}

/** Answers the dialog with the form of a plan. */
async function openPlan(page: Page): Promise<Locator> {
  await openSets(page);
  await page.getByRole('group', { name: 'Sucos' }).getByRole('button', { name: 'Plan…' }).click();
  return page.getByRole('dialog');
}

it('chosen coupons become a set, in the place of one of the same name', async () => {
  const page = await open();
  await to(page, '#coupons');
  await page.locator('.coupon-row .coupon-tick').first().click();
  await page.getByRole('button', { name: 'Save as set' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByText('Give the set a name.').waitFor();
  await dialog.getByLabel('Name of the set').fill('Sucos');
  await dialog.getByRole('button', { name: 'Replace' }).click();
  await dialog.getByRole('heading', { name: 'Sucos' }).waitFor();
  expect(await inputsOf(page, 'couponSet:save')).toMatchObject([
    { setId: 2, name: 'Sucos', how: { kind: 'list', productIds: [expect.any(String) as string] } },
  ]);
  const plan = page.getByRole('group', { name: 'Sucos' }).getByRole('button', { name: 'Plan…' });
  await expect.poll(() => plan.evaluate((one) => one === document.activeElement)).toBe(true);
});

it('a set whose products come late asks neither behind another one nor once the sets are left', async () => {
  const page = await open(setAnswers, { 'couponSet:read': 500 });
  await openSets(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Switch on', exact: true }).first().click();
  await dialog.getByText('Reading').waitFor();
  await dialog.getByRole('button', { name: 'Switch off', exact: true }).last().click();
  await expect.poll(() => inputsOf(page, 'coupon:countMany')).toHaveLength(1);
  expect(
    (await inputsOf(page, 'coupon:countMany')).map((input) => (input as { isEnabled: boolean }).isEnabled),
  ).toEqual([false]);
  await page.keyboard.press('Escape');
  await openSets(page);
  await dialog.getByRole('button', { name: 'Switch on', exact: true }).first().click();
  await page.keyboard.press('Escape');
  await page.waitForTimeout(700);
  expect(await inputsOf(page, 'coupon:countMany')).toHaveLength(1);
});

it('coupons chosen at one company are not there to become a set of the next one', async () => {
  const page = await open();
  await to(page, '#coupons');
  await page.locator('.coupon-row .coupon-tick').first().click();
  await page.getByRole('button', { name: 'Save as set' }).click();
  await page.getByRole('dialog').getByLabel('Name of the set').fill('Weekend');
  const { profile } = readyState(sceneNowMs);
  await changeState(page, { profileId: 2, profile: profile === null ? null : { ...profile, companyId: '77' as Id } });
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await inputsOf(page, 'couponSet:save')).toEqual([]);
});

it('a file becomes a set after it was seen: what it names, and what is left out and why', async () => {
  const page = await open({ ...setAnswers, 'couponSet:match': setMatches });
  await openSets(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'From a file' }).click();
  await chooseSetFile(page);
  await dialog.getByText('2 products found.').waitFor();
  await dialog.getByText('4 lines are left out.').waitFor();
  await expect
    .poll(async () => (await dialog.getByRole('listitem').filter({ hasText: 'Line' }).allInnerTexts()).join(' | '))
    .toMatch(
      /NO-1\s+Line 3 · No product has this code in the copy\. \| TWO\s+Line 4 · Several products share this code\. \| ;Bolo\s+Line 5 · It has no code\. \| S-1\s+Line 6 · Line 2 names the same product\. \| Produto de exemplo 1\s+Line 2 · 7890000000017 \| Produto de exemplo 4\s+Line 7 · S-4/,
    );
  expect(await inputsOf(page, 'couponSet:match')).toEqual([
    { codes: ['7890000000017', 'NO-1', 'TWO', 'S-1', 'S-4'], areIds: false },
  ]);
  await dialog.getByRole('button', { name: 'Go on with 2 products' }).click();
  await dialog.getByText('2 products of the file “happy-hour.csv”.').waitFor();
  await dialog.getByLabel('Name of the set').fill('From the file');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('heading', { name: 'Sucos' }).waitFor();
  expect(await inputsOf(page, 'couponSet:save')).toEqual([
    { setId: null, name: 'From the file', how: { kind: 'list', productIds: ['2001', '2004'] } },
  ]);
});

it('the products of a set are replaced from a workbook, and its name stays', async () => {
  const page = await open({ ...setAnswers, 'couponSet:match': setMatches });
  await openSets(page);
  const dialog = page.getByRole('dialog');
  await page.getByRole('group', { name: 'Happy hour' }).getByRole('button', { name: 'Change…' }).click();
  await dialog.getByRole('button', { name: 'Replace its products from a file' }).click();
  const rows = [['Produto', 'SKU'], ...['7', 'NO-1', 'TWO', 'S-1', 'S-4'].map((code) => ['Café', code])];
  const buffer = Buffer.from(await writeXlsx({ sheets: [{ name: 'Cupons', rows }] }));
  const mimeType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
  await page.locator('input[type=file]').setInputFiles({ name: 'cupons.xlsx', mimeType, buffer });
  await dialog.getByRole('button', { name: 'Replace with 2 products' }).click();
  await dialog.getByRole('heading', { name: 'Sucos' }).waitFor();
  expect(await inputsOf(page, 'couponSet:save')).toEqual([
    { setId: 1, name: 'Happy hour', how: { kind: 'list', productIds: ['2001', '2004'] } },
  ]);
});

it('a long look-up of a file can be stopped', async () => {
  const page = await open();
  // An answer that never comes.
  await setAnswer(page, 'couponSet:match', new Promise(() => undefined));
  await openSets(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'From a file' }).click();
  await chooseSetFile(page);
  await dialog.getByRole('button', { name: 'Stop' }).click();
  await dialog.getByText(/^A file \(CSV or Excel\)/).waitFor();
});

it('a set is counted before it is switched, like a choice', async () => {
  const page = await open();
  await openSets(page);
  await page.getByRole('group', { name: 'Happy hour' }).getByRole('button', { name: 'Switch on' }).click();
  await page.getByRole('dialog', { name: /Switch the coupons of 3 products on/ }).waitFor();
  await expect
    .poll(() => inputsOf(page, 'coupon:countMany'))
    .toMatchObject([{ productIds: { length: 3 }, isEnabled: true }]);
  expect(await callsOf(page, 'coupon:switchMany')).toEqual([]);
});

it('a plan has a day and a time at least, and says what it will do', async () => {
  const page = await open();
  const dialog = await openPlan(page);
  await dialog.getByRole('button', { name: 'Plan it' }).click();
  await dialog.getByText(/^Choose a time to switch on/).waitFor();
  await dialog.getByText('Every week', { exact: true }).click();
  await dialog.getByLabel('Day', { exact: true }).selectOption({ label: 'Friday' });
  await dialog.getByLabel('Switch on at').fill('18');
  await dialog.getByLabel('Switch off at').fill('02:00');
  await dialog.getByText('Every Friday: on 18:00, off 02:00 on the next day').waitFor();
  await dialog.getByRole('button', { name: 'Plan it' }).click();
  await dialog.getByRole('heading', { name: 'Sucos' }).waitFor();
  expect(await inputsOf(page, 'couponSet:plan')).toEqual([
    { setId: 2, times: { repeats: 'weekly', day: expect.any(String) as string, on: '18:00', off: '02:00' } },
  ]);
  // The keyboard is at the set that was planned, not at what switches another one.
  const plan = page.getByRole('group', { name: 'Sucos' }).getByRole('button', { name: 'Plan…' });
  await expect.poll(() => plan.evaluate((one) => one === document.activeElement)).toBe(true);
});

it('a plan that comes once takes its day from the calendar, from today on', async () => {
  const page = await open();
  const dialog = await openPlan(page);
  const day = dialog.getByLabel('Day', { exact: true });
  const calendar = dialog.locator('input[type=date]');
  expect(await calendar.getAttribute('min')).toBe(await day.inputValue());
  await calendar.evaluate((field: HTMLInputElement) => {
    field.showPicker = () => field.setAttribute('data-shown', '');
  });
  await dialog.getByRole('button', { name: 'Open the calendar' }).click();
  expect(await calendar.getAttribute('data-shown')).toBe('');
  await dialog.getByLabel('Switch on at').fill('18');
  await day.fill('2001-01-01');
  await dialog.getByText(/^Choose a day from 20/).waitFor();
  await dialog.getByRole('button', { name: 'Plan it' }).click();
  expect(await inputsOf(page, 'couponSet:plan')).toEqual([]);
  const last = (await calendar.getAttribute('max')) ?? '';
  await calendar.fill(last);
  expect(await day.inputValue()).toBe(last);
  await dialog.getByRole('button', { name: 'Plan it' }).click();
  await expect
    .poll(() => inputsOf(page, 'couponSet:plan'))
    .toEqual([{ setId: 2, times: { repeats: 'once', day: last, on: '18:00', off: null } }]);
});

it('the day of a plan is typed in the order of the language on the screen', async () => {
  const state = readyState(sceneNowMs, { language: 'pt-BR' });
  const { page } = await stage.open({ state, nowMs: sceneNowMs, answers: setAnswers });
  await openSets(page);
  await page.getByRole('group', { name: 'Sucos' }).getByRole('button', { name: 'Planejar…' }).click();
  const dialog = page.getByRole('dialog');
  const day = dialog.getByLabel('Dia', { exact: true });
  const second = new Date((await dialog.locator('input[type=date]').inputValue()) + 'T00:00:00Z');
  second.setUTCMonth(second.getUTCMonth() + 1, 2);
  const planned = second.toISOString().slice(0, 10);
  // The year goes without saying: a plan is for the next months.
  for (const parts of [planned.split('-'), planned.split('-').slice(1)]) {
    await day.fill('');
    await dialog.getByText(/^\S+ 2 de /).waitFor({ state: 'detached' });
    await day.fill(parts.toReversed().join('/'));
    await dialog.getByText(/^\S+ 2 de /).waitFor();
  }
  await dialog.getByLabel('Ligar às', { exact: true }).fill('18');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => inputsOf(page, 'couponSet:plan'))
    .toEqual([{ setId: 2, times: { repeats: 'once', day: planned, on: '18:00', off: null } }]);
});

it('a day or time that is typed over the one in the field is taken or refused, never lost', async () => {
  const page = await open();
  const dialog = await openPlan(page);
  const day = dialog.getByLabel('Day', { exact: true });
  const last = (await dialog.locator('input[type=date]').getAttribute('max')) ?? '';
  await dialog.getByLabel('Once').focus();
  await page.keyboard.press('Tab');
  await page.keyboard.type(last, { delay: 130 });
  expect(await day.inputValue()).toBe(last);
  const time = dialog.getByLabel('Switch on at');
  await time.fill('18:00');
  await dialog.getByLabel('Switch off at').focus();
  await page.keyboard.press('Shift+Tab');
  await page.keyboard.type('19:30', { delay: 130 });
  expect(await time.inputValue()).toBe('19:30');
  await day.click();
  await page.keyboard.press('End');
  await page.keyboard.type(last, { delay: 130 });
  await page.keyboard.press('Enter');
  await dialog.getByText(/^Choose a day from 20/).waitFor();
  expect(await inputsOf(page, 'couponSet:plan')).toEqual([]);
});

it('a plan is removed after a question alone, and the keyboard does not begin at what removes', async () => {
  const page = await open();
  await openSets(page);
  const begins = page.getByRole('button', { name: 'Switch on' }).first();
  await expect.poll(() => begins.evaluate((one) => one === document.activeElement)).toBe(true);
  const remove = page.getByRole('button', { name: /^Remove plan of/ }).first();
  await remove.click();
  const question = page.getByRole('dialog', { name: 'Remove this plan?' });
  await question.getByRole('button', { name: 'Keep it' }).click();
  await question.waitFor({ state: 'detached' });
  expect(await inputsOf(page, 'couponSet:removePlan')).toEqual([]);
  await remove.click();
  await question.getByRole('button', { name: 'Remove plan' }).click();
  await expect.poll(() => inputsOf(page, 'couponSet:removePlan')).toEqual([{ planId: 1 }]);
  await question.waitFor({ state: 'detached' });
  // The list without it: the keyboard stays in the dialog.
  await setAnswer(page, 'couponSet:list', value({ sets: [] }));
  await emit(page, 'queue:changed', { revision: 9 });
  await remove.waitFor({ state: 'detached' });
  await expect.poll(() => page.getByRole('dialog').evaluate((one) => one.contains(document.activeElement))).toBe(true);
});

it('a time that is over, and too many plans, are two sentences', async () => {
  const page = await open({ ...setAnswers, 'couponSet:plan': { ok: false, failure: { kind: 'plansFull' } } });
  const dialog = await openPlan(page);
  await dialog.getByLabel('Switch on at').fill('18');
  await dialog.getByRole('button', { name: 'Plan it' }).click();
  await dialog.getByText('There are 100 plans already. Remove one first.').waitFor();
  await setAnswer(page, 'couponSet:plan', { ok: false, failure: { kind: 'inputInvalid' } });
  await dialog.getByRole('button', { name: 'Plan it' }).click();
  await dialog.getByText('This time is over already. Choose a later one.').waitFor();
});

it('the queue tells what was missed, to be switched now or left, and what comes can be skipped', async () => {
  const page = await open({ ...setAnswers, 'couponSet:listPlanned': plannedAnswer });
  await to(page, '#queue');
  const planned = page.getByRole('region', { name: 'Planned at this terminal' });
  await planned.getByText(/Café da manhã was missed/).waitFor();
  await planned.getByRole('button', { name: 'Switch off now' }).click();
  await page.getByRole('dialog', { name: /Switch the coupons of 3 products off/ }).waitFor();
  await page.keyboard.press('Escape');
  await setAnswer(page, 'couponSet:read', { ok: false, failure: { kind: 'setNotWhole' } });
  await planned.getByRole('button', { name: 'Switch off now' }).click();
  await planned.getByText(/finds more than can be switched at once/).waitFor();
  await planned.getByRole('button', { name: 'Leave' }).click();
  await planned
    .getByRole('button', { name: /^Skip once: Happy hour/ })
    .first()
    .click();
  await expect
    .poll(() => inputsOf(page, 'couponSet:skip'))
    .toMatchObject([{ planId: 1, isEnabled: true, isSkipped: true }]);
  expect(await inputsOf(page, 'couponSet:leaveMissed')).toEqual([{ planId: 3 }]);
});

it('the queue says of which plan the day was chosen by a clock ahead', async () => {
  const page = await open({ ...setAnswers, 'couponSet:listPlanned': plannedAheadAnswer });
  await to(page, '#queue');
  const planned = page.getByRole('region', { name: 'Planned at this terminal' });
  await planned.getByText(/Planned while this machine’s clock was 60 days ahead/).waitFor();
  expect(await planned.getByText(/days ahead/).count()).toBe(1);
});

it('the queue lists what is due and cannot be made yet, and why', async () => {
  const page = await open({ ...setAnswers, 'couponSet:listPlanned': plannedWaitingAnswer });
  await to(page, '#queue');
  const planned = page.getByRole('region', { name: 'Planned at this terminal' });
  await planned.getByText(/Its time has come.*stocks that the open profile does not have/).waitFor();
  expect(await planned.getByRole('button', { name: /^Skip once/ }).count()).toBe(1);
});
