import { copying } from '../scene-fixtures.ts';
import { answered, at, shows, to, type ShownScene } from '../scene-steps.ts';

export const stockScenes: readonly ShownScene[] = [
  at('stock', {}, async (page) => {
    await to(page, '#stock');
    await page.locator('.stock-row .stock-name').nth(3).waitFor();
  }),
  at('stock-filters', {}, async (page) => {
    await to(page, '#stock');
    await page.locator('.stock-more-button').click();
    await page.locator('.stock-row .stock-name').nth(2).waitFor();
  }),
  at('stock-empty', { catalogue: copying }, shows('.empty', '#stock'), { stockRows: 0 }),
  at('stock-unknown-codes', {}, async (page) => {
    await answered(page, '9520000000028', '.miss');
    await to(page, '#stock');
    await page.locator('.stock-view select').selectOption('unknownCodes');
    await page.locator('.unknown-codes').waitFor();
  }),
  at('stock-unknown-codes-none', {}, async (page) => {
    await to(page, '#stock');
    await page.locator('.stock-view select').selectOption('unknownCodes');
    await page.locator('.empty').waitFor();
  }),
];
