// The proof that a till with nothing but a touch screen is enough: a cashier's story by taps alone, on a real terminal
// behind the browser host, in a Chromium with a touch screen.
import type { Locator } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPracticePage, type PracticePage } from '../support/practice-page.ts';
import { scan } from '../support/wedge.ts';

let practicePage: PracticePage;

beforeAll(async () => {
  practicePage = await openPracticePage({ hasTouch: true });
  // The manager's, who sets it elsewhere.
  await practicePage.practice.terminal.handlers['lock:setPin']({ pin: '2580' });
});
afterAll(() => practicePage?.close());

it('finds a product, switches its coupon with the PIN, takes it back, counts, and leaves the settings', async () => {
  const { page, practice, complaints } = practicePage;
  const button = (name: string, within: Locator = page.locator('body')): Locator =>
    within.getByRole('button', { name, exact: true });
  const go = async (screen: string): Promise<void> => {
    await page.getByRole('link', { name: screen, exact: true }).tap();
    await page.getByRole('main', { name: screen, exact: true }).waitFor();
  };

  const sample = page.getByRole('list', { name: 'Barcodes to try' }).getByRole('button').first();
  await sample.waitFor();
  // The change shall wait, so that it can be given up.
  await button('Take the network down').first().tap();
  await page.getByText('Offline').first().waitFor();

  await sample.tap();
  const card = page
    .getByRole('region')
    .filter({ has: page.getByRole('switch', { name: 'Consumption coupon' }) })
    .last();
  const coupon = card.getByRole('switch', { name: 'Consumption coupon' });
  const wasOn = await coupon.isChecked();
  await coupon.tap();
  const question = page.getByRole('dialog', { name: "Manager's PIN" });
  await question.waitFor();
  const enterPin = async (): Promise<void> => {
    for (const digit of '2580') {
      await button(digit, question).tap();
    }
    await button('Unlock', question).tap();
    await question.waitFor({ state: 'hidden' });
  };
  await enterPin();
  await expect.poll(() => coupon.isChecked()).toBe(!wasOn);
  await expect.poll(() => practice.updates()).toHaveLength(1);

  await go('Queue');
  // The PIN opened coupons alone, and asks again for this.
  await page
    .getByRole('main')
    .getByRole('button', { name: /Discard$/ })
    .first()
    .tap();
  await enterPin();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
  await expect.poll(async () => (await practice.updates()).map(({ status }) => status)).toEqual(['discarded']);

  // A count, and a quantity with decimals, without a key.
  await go('Count');
  await button('Begin counting').tap();
  await page.getByRole('heading', { name: 'Nothing counted yet' }).waitFor();
  await scan(page, '9500000000006');
  await button('Set quantity').tap();
  const quantity = page.getByRole('dialog', { name: 'Set quantity' });
  for (const key of ['1', '3', 'Delete the last digit', '2', '.', '5', '0']) {
    await button(key, quantity).tap();
  }
  await button('Save', quantity).tap();
  await page.getByRole('region', { name: 'Counted last' }).getByText('12.5', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Settings', exact: true }).tap();
  await page.getByRole('link', { name: 'You', exact: true }).tap();
  await page.getByRole('heading', { name: 'Settings' }).waitFor();
  await go('Lookup');
  expect(complaints).toEqual([]);
});
