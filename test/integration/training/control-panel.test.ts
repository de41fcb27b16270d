import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { openPage } from '../../../app/hosts/page.ts';
import { lacksChromium, launchChromium, type ChromiumSession } from '../../support/chromium.ts';
import { type Caller, startSignedIn } from '../../support/training-caller.ts';

let chromium: ChromiumSession;
let caller: Caller;
beforeAll(async () => {
  if (!lacksChromium) {
    chromium = await launchChromium();
  }
});
afterAll(async () => {
  if (!lacksChromium) {
    await chromium.close();
  }
});
beforeEach(async ({ skip }) => {
  skip(lacksChromium, 'no Chromium');
  caller = await startSignedIn({ productCount: 50, panel: openPage('dist/renderer') });
});
afterEach(async () => {
  if (!lacksChromium) {
    await caller.platform.close();
  }
});

const open = (locale: string, url = caller.platform.controlUrl) =>
  chromium.open(url, { locale, viewport: { width: 1024, height: 768 } });

it('takes the network down and up, and shows what arrived meanwhile', async () => {
  const { page, watch } = await open('en-GB');
  await page.getByLabel('The network is down').check();
  await expect.poll(() => caller.platform.isNetworkDown()).toBe(true);
  await caller.list('page=7').catch(() => null);
  await page.getByText('What arrived', { exact: true }).click();
  await page.getByRole('cell', { name: 'GET /api/v3/stocks/1201/products?page=7' }).waitFor();
  await page.getByRole('cell', { name: 'never arrived' }).waitFor();
  await page.getByLabel('The network is down').uncheck();
  await expect.poll(() => caller.platform.isNetworkDown()).toBe(false);
  expect(watch.complaints).toEqual([]);
});

it.each([
  ['es-AR', 'La red', 'es'],
  ['pt-BR', 'A rede', 'pt-BR'],
  ['fr-FR', 'The network', 'en'],
])('speaks to whoever reads %s under the heading “%s”', async (locale, heading, language) => {
  const { page } = await open(locale);
  await page.getByRole('heading', { name: heading, exact: true }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe(language);
});

it('speaks Portuguese to whoever does, and English when asked', async () => {
  const { page } = await open('pt-BR');
  await page.getByRole('heading', { name: 'A rede', exact: true }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('pt-BR');
  await page.getByText('English', { exact: true }).click();
  await page.getByRole('heading', { name: 'The network', exact: true }).waitFor();
  expect(await page.locator('html').getAttribute('lang')).toBe('en');
});

it('is worked by key alone, keeps what is being typed, and says what cannot be', async () => {
  const { page } = await open('en-GB');
  await page.getByLabel('Requests that are lost (%)').focus();
  await page.keyboard.type('25');
  // Longer than the panel takes to ask again.
  await page.waitForTimeout(1500);
  await page.keyboard.press('Tab');
  await page.getByText('Done.').waitFor();
  await page.getByLabel('Requests that are lost (%)').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.type('900');
  await page.keyboard.press('Enter');
  await page.getByText('lossPercent must be 0 to 100').waitFor();
  await page.getByRole('button', { name: 'Reset everything' }).press('Enter');
  await expect.poll(() => page.getByLabel('Requests that are lost (%)').inputValue()).toBe('0');
});

it('changes a product by hand, says how a second till starts, and sets a variant', async () => {
  const { page } = await open('en-GB');
  await page.getByLabel('Quantity').fill('4.5');
  await page.getByRole('button', { name: 'Set quantity' }).click();
  await page.getByText('Done.').waitFor();
  expect((await caller.list('product_ids=1000001')).text).toContain('"balance":4.5');
  await page.getByText(`--training-of ${caller.platform.controlUrl}`).waitFor();
  await page.getByText('For integrators').click();
  await page.getByLabel('elementShape').selectOption('bare');
  await expect.poll(async () => (await caller.list('product_ids=1000001')).text).toContain('{"id":1000001,"name"');
});

it('says so without its key, and when the platform has ended', async () => {
  const { page: stranger } = await open('en-GB', `${caller.platform.platformUrl}/control/`);
  await stranger.getByRole('alert').getByText('lacks its key').waitFor();
  const { page } = await open('en-GB');
  await page.getByRole('heading', { name: 'The network', exact: true }).waitFor();
  await caller.platform.close();
  await page.getByRole('alert').getByText('no longer answers').waitFor();
  expect(await page.getByRole('heading').count()).toBe(0);
});
