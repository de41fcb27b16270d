import type { Page } from 'playwright-core';
import { id } from '../scene-fixtures.ts';
import { at, shows, to, value, type ShownScene } from '../scene-steps.ts';
import { byOther, stillWaiting } from './lookup.ts';

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
  at('coupons', {}, toCoupons, { couponRows: 400 }),
  at(
    'coupons-of-other',
    { queue: stillWaiting(2) },
    async (page) => {
      await to(page, '#coupons');
      await page.getByRole('grid').getByRole('row').nth(1).waitFor();
    },
    {
      answers: {
        'coupon:list': value({
          view: 1,
          total: 2,
          isCut: false,
          neverSet: null,
          rows: [
            {
              productId: id('101'),
              productName: 'Café torrado e moído Serra Clara 500 g',
              code: 'A-101',
              coupon: byOther(false, 'confirmed', false),
            },
            {
              productId: id('102'),
              productName: 'Queijo minas frescal',
              code: 'A-102',
              coupon: byOther(true, 'waiting', true),
            },
          ],
        }),
      },
    },
  ),
  at('coupons-chosen', {}, async (page) => {
    await chooseAll(page);
    await page.getByText('40 products chosen').waitFor();
  }),
  at('coupons-many-dialog', {}, async (page) => {
    await chooseAll(page, 'Switch on');
    await page.getByRole('dialog').getByText('10 will be switched on.').waitFor();
  }),
  at(
    'coupons-many-no-room',
    {},
    async (page) => {
      await chooseAll(page, 'Switch off');
      await page.getByRole('dialog').locator('.notice').waitFor();
    },
    { queueRoom: 5 },
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
    { undoForMs: 600_000 },
  ),
  at('coupons-empty', {}, shows('.empty', '#coupons'), { couponRows: 0 }),
];
