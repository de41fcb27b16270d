// Proves that what is typed while a dialog is being opened goes into that dialog or nowhere, never behind it.
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { scan } from '../support/wedge.ts';
import { inputsOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { sceneNowMs as nowMs } from './scene-fixtures.ts';
import { to } from './scene-steps.ts';
import { setAnswers } from './scenes/coupon-sets.ts';
import { setStage } from './stage.ts';

const stage = setStage();

/** Keeps the part of the page with this name from coming until the answered function is called. */
async function holdPart(page: Page, name: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(`**/assets/${name}-*.js`, async (route) => {
    await held.promise;
    await route.continue();
  });
  return held.resolve;
}

/** The list of coupons, whose dialogs do not come before they are released. */
async function openCoupons() {
  const { page } = await stage.open({ state: readyState(nowMs), nowMs, answers: setAnswers }, undefined, {
    isOwn: true,
  });
  const release = await holdPart(page, 'coupon-sets');
  await to(page, '#coupons');
  return { page, search: page.locator('.search-field input'), release };
}

/** With something in the search, the dialog of the sets is asked for; the keyboard stays where it was. */
async function beginSets(page: Page, search: Locator): Promise<void> {
  await search.fill('ca');
  await page.getByRole('button', { name: 'Sets' }).evaluate((button) => (button as HTMLElement).click());
}

describe('while a dialog is being read', () => {
  it('what is typed goes nowhere, and what opened it is not pressed again', async () => {
    const { page, search, release } = await openCoupons();
    await page.locator('.coupon-row .coupon-tick').first().click();
    await page.getByRole('button', { name: 'Save as set' }).click();
    await page.keyboard.type('Su', { delay: 90 });
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(300);
    expect([await search.inputValue(), await page.getByRole('dialog').count()]).toEqual(['', 0]);
    release();
    const dialog = page.getByRole('dialog');
    await dialog.waitFor();
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null))
      .toBe(true);
    await page.keyboard.type('cos', { delay: 90 });
    expect(await dialog.getByLabel('Name of the set').inputValue()).toBe('cos');
    await page.keyboard.press('Escape');
    await expect.poll(() => dialog.count()).toBe(0);
    expect(await search.inputValue()).toBe('');
    // The keyboard is the page's again.
    await page.keyboard.type('caf', { delay: 90 });
    expect(await search.inputValue()).toBe('caf');
  });

  it('nothing behind it is typed into, pressed or pasted into, and a scan waits as behind any dialog', async () => {
    const { page, search, release } = await openCoupons();
    await beginSets(page, search);
    await search.evaluate((one) => (one as HTMLElement).focus());
    await page.keyboard.type('fé', { delay: 90 });
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText('pasted');
    await scan(page, '7890000000101');
    await page.getByRole('switch').first().focus();
    await page.keyboard.press('Space');
    await page.keyboard.press('Enter');
    await page.waitForTimeout(300);
    expect(await search.inputValue()).toBe('ca');
    expect([await inputsOf(page, 'lookup:find'), await inputsOf(page, 'coupon:switch')]).toEqual([[], []]);
    release();
    await page.getByRole('dialog').waitFor();
  });

  it('Escape closes it, also where it never comes: the keys and what was scanned are the page’s again', async () => {
    const { page, search, release } = await openCoupons();
    await beginSets(page, search);
    await scan(page, '7890000000101');
    await page.getByText('7890000000101').waitFor();
    await search.focus();
    await page.keyboard.press('Escape');
    expect([await search.inputValue(), await page.evaluate(() => location.hash)]).toEqual(['ca', '#coupons']);
    await page.keyboard.type('f', { delay: 90 });
    expect(await search.inputValue()).toBe('caf');
    await page.getByRole('button', { name: 'Show it' }).click();
    await expect.poll(async () => (await inputsOf(page, 'lookup:find')).length).toBe(1);
    release();
    await page.waitForTimeout(300);
    expect(await page.getByRole('dialog').count()).toBe(0);
  });
});
