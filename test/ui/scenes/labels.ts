import type { Page } from 'playwright-core';
import type { LabelPrinter } from '../../../app/domain/labels/printer.ts';
import { at, failing, to, type ShownScene } from '../scene-steps.ts';

const networkPrinter: LabelPrinter = { kind: 'network', host: '192.0.2.40', port: 9100, language: 'tspl', dpi: 203 };

/** The labels of the first rows of the stock table. */
export async function openManyLabels(page: Page, rows = 3): Promise<void> {
  await to(page, '#stock');
  await page.locator('.stock-row .stock-name').first().waitFor();
  const grid = page.getByRole('grid').first();
  await grid.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Space');
  for (let row = 1; row < rows; row += 1) {
    await page.keyboard.press('Shift+ArrowDown');
  }
  await page.getByRole('toolbar').locator('button').nth(-2).click();
  await page.locator('.label-preview').waitFor();
}

/** Labels of many products, and the printer that takes them. */
export const labelsScenes: readonly ShownScene[] = [
  at('labels-many', {}, (page) => openManyLabels(page)),
  at(
    'labels-broken',
    { labelPrinter: networkPrinter },
    async (page) => {
      await openManyLabels(page);
      await page.locator('.form-actions button').last().click();
      await page.locator('.label-broken').waitFor();
    },
    { answers: { 'label:print': failing({ kind: 'printerFailed' }) } },
  ),
  at('printer-settings', { labelPrinter: networkPrinter }, async (page) => {
    await to(page, '#settings/till');
    await page.locator('.settings-part form').last().scrollIntoViewIfNeeded();
    await page.locator('.settings-part input[maxlength="253"]').waitFor();
  }),
];
