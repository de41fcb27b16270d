import { describe, expect, it, onTestFinished } from 'vitest';
import { launchPlatformForTest } from '../support/platform.ts';
import { shareOf } from '../support/night.ts';
import { surfaces } from '../support/surface.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { cardOf, connect, goTo, seeConnection, seeCopyComplete, signIn } from './story.ts';

// By day in the installed app alone: the stories are told in both.
describe.each(shareOf(surfaces.toReversed(), 1))('$name', (surface) => {
  it.skipIf(surface.missing !== null && !surface.isRequired)(
    'lists, filters, opens and exports the stock, also when the platform has gone (1)',
    async () => {
      const platform = await launchPlatformForTest(['--products', '150']);
      const { page, complaints, save, kill } = await surface.start(temporaryDirectory());
      onTestFinished(kill);
      await connect(page, platform);
      await signIn(page, platform);
      await seeCopyComplete(page);
      await goTo(page, 'Stock');
      const table = page.getByRole('grid', { name: 'Products in stock' });
      const names = table.locator('.stock-row .stock-name');
      await names.first().waitFor();
      await page.getByText(/^This terminal’s copy, complete as of /).waitFor();

      await platform.child.stop('SIGKILL');
      await page.getByRole('textbox', { name: 'Name, code or barcode' }).fill('caf');
      await expect
        .poll(
          async () =>
            (await names.allInnerTexts()).every((name) =>
              /(^| )caf/i.test(name.normalize('NFD').replaceAll(/\p{M}/gu, '')),
            ) && (await names.count()) > 0,
        )
        .toBe(true);
      const byName = table.getByRole('button', { name: 'Name' });
      await byName.click();
      await table.getByRole('columnheader', { name: 'Name' }).and(page.locator('[aria-sort=ascending]')).waitFor();
      const shown = await names.allInnerTexts();
      await byName.click();
      await expect.poll(() => names.allInnerTexts()).toEqual(shown.toReversed());

      const workbook = await save(() => page.getByRole('button', { name: 'Save as file' }).click());
      expect(workbook.name).toMatch(/^tillside-stock-\d{4}-\d{2}-\d{2}\.xlsx$/);
      expect(workbook.text).toMatch(/^PK[^]*xl\/workbook\.xml/);
      await page.getByLabel('Kind of file').selectOption('CSV');
      const file = await save(() => page.getByRole('button', { name: 'Save as file' }).click());
      const lines = file.text.slice(1).trimEnd().split('\r\n');
      expect(file.name).toMatch(/^tillside-stock-\d{4}-\d{2}-\d{2}\.csv$/);
      expect(lines[0]).toBe(
        'Stock ID,Stock,Product ID,Code,Barcodes,Name,Balance,Unit,As of,Balance from,Minimum,Product changed,Change dated by',
      );
      expect(lines).toHaveLength(shown.length + 1);

      await names.first().click();
      await cardOf(page, shown.at(-1) ?? '')
        .first()
        .waitFor();
      await seeConnection(page, 'Offline');
      await goTo(page, 'Stock');
      await page.getByText('Offline: nothing newer comes in just now.').waitFor();
      // Minimums are this terminal's own: from a file, without the platform.
      const [, , , code = '', , name = ''] = (lines[1] ?? '').split(',');
      const view = page.getByRole('combobox', { name: 'What is listed' });
      await view.selectOption('Watch list');
      await page.getByRole('button', { name: 'Import minimums' }).click();
      await page
        .locator('input[type=file]')
        .setInputFiles({
          name: 'minimums.csv',
          mimeType: 'text/csv',
          buffer: Buffer.from(`Code,Minimum\r\n${code},999999\r\nNO-SUCH-1,5\r\n`),
        });
      await page.getByText('1 line is left out.').waitFor();
      await page.getByRole('button', { name: 'Make 1 change' }).click();
      await view.selectOption('Below minimum · 1');
      await expect.poll(() => names.allInnerTexts()).toEqual([name]);
      // The platform's end is all that there was to complain of.
      expect(complaints.filter((complaint) => !complaint.includes('ERR_CONNECTION'))).toEqual([]);
    },
  );
});
