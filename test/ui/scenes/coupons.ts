import type { Page } from 'playwright-core';
import { at, shows, to, type ShownScene } from '../scene-steps.ts';
import { couponUpdates as updates } from '../scene-updates.ts';

export const toCoupons = async (page: Page): Promise<void> => {
  await to(page, '#coupons');
  await page.getByRole('grid').getByRole('row').nth(3).waitFor();
};

const chooseAll = async (page: Page, then?: 'Switch on' | 'Switch off'): Promise<void> => {
  await toCoupons(page);
  await page.getByRole('checkbox', { name: 'Choose all' }).click();
  if (then !== undefined) {
    await page.getByRole('button', { name: then }).click();
  }
};

export const couponsScenes: readonly ShownScene[] = [
  at('coupons', {}, toCoupons, { couponRows: 400, updates }),
  at(
    'coupons-chosen',
    {},
    async (page) => {
      await chooseAll(page);
      await page.getByText('40 products chosen').waitFor();
    },
    { updates },
  ),
  at(
    'coupons-many-dialog',
    {},
    async (page) => {
      await chooseAll(page, 'Switch on');
      await page.getByRole('dialog').getByText('10 will be switched on.').waitFor();
    },
    { updates },
  ),
  at(
    'coupons-many-no-room',
    {},
    async (page) => {
      await chooseAll(page, 'Switch off');
      await page.getByRole('dialog').locator('.notice').waitFor();
    },
    { queueRoom: 5, updates },
  ),
  at(
    'coupons-many-done',
    {},
    async (page) => {
      await chooseAll(page, 'Switch on');
      await page.getByRole('dialog').getByRole('button', { name: 'Switch 10 on' }).click();
      await page.locator('.many-outcome').waitFor();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
    },
    { undoForMs: 600_000, updates },
  ),
  at('coupons-empty', {}, shows('.empty', '#coupons'), { couponRows: 0, updates: [] }),
];
