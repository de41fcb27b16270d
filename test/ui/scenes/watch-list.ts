import type { Page } from 'playwright-core';
import type { StockView } from '../../../renderer/stock/stock-views.ts';
import { id } from '../scene-fixtures.ts';
import { at, to, value, type More, type ShownScene } from '../scene-steps.ts';
import { signedOut } from '../fixtures.ts';

const watchList = { watched: 6, below: 4, unknown: 1, absent: 2 };
/** One below, one unknown, one less than nothing, and some with enough, in both stocks. */
const minima = { '11 101': 200, '12 2001': 12, '12 2003': 6, '11 2004': 2.5, '11 2006': 4, '12 2007': 9 };

const steps =
  (view: StockView, more: (page: Page) => Promise<unknown> = () => Promise.resolve()) =>
  async (page: Page): Promise<void> => {
    await to(page, '#stock');
    await page.locator('.stock-view select').selectOption(view);
    await page.locator('.stock-row .stock-name, .empty').first().waitFor();
    await more(page);
  };

const watched = (name: string, then: ShownScene['steps'], more: More = {}): ShownScene =>
  at(name, { watchList }, then ?? null, { minima, ...more });

/** A file with lines of every kind. */
const file = [
  'Code;Minimum',
  'S-1;12',
  'S-3;8',
  'S-5;0',
  'S-6;',
  'S-9;2,5',
  'S-9;3',
  'NO-SUCH-1;4',
  'TWO;1',
  'S-7;many',
  ';3',
];
const match = (number: number, minimum: number | null) => ({
  productId: id(String(2000 + number)),
  code: `S-${number}`,
  name: `Produto de exemplo ${number}`,
  unit: 'UNID',
  minimum,
});
/** Products named by the codes of the lines that can be read. */
const matches = [
  [match(1, 12)],
  [match(3, 6)],
  [match(5, 4)],
  [match(9, null)],
  [match(9, null)],
  [],
  [match(1, 12), match(3, 6)],
];

const openImport = async (page: Page): Promise<void> => {
  await page.locator('.listing-side > .mantine-Button-root').first().click();
  await page.getByRole('dialog').waitFor();
};

/** The watch list: on the card, in the stock table, from a file and on paper. */
export const watchListScenes: readonly ShownScene[] = [
  watched('watch-below', steps('below')),
  watched('watch-list', steps('watched')),
  watched('watch-ran-out', steps('ranOut')),
  at('changed-today-empty', {}, steps('changedToday'), { stockRows: 0 }),
  at(
    'watch-signed-out',
    { ...signedOut, watchList },
    async (page) => {
      await page.getByRole('button', { name: 'Look up without signing in' }).click();
      await to(page, '#stock');
      await page.locator('.stock-row .stock-name').nth(3).waitFor();
    },
    { minima },
  ),
  watched(
    'watch-many',
    steps('all', async (page) => {
      await page.locator('.stock-tick input').nth(1).click();
      await page.locator('.stock-tick input').nth(2).click();
      await page.locator('.choice-bar .mantine-Button-root').last().click();
      await page.getByRole('dialog').waitFor();
    }),
  ),
  watched(
    'watch-import-preview',
    steps('watched', async (page) => {
      await openImport(page);
      await page
        .locator('input[type=file]')
        .setInputFiles({ name: 'minimums.csv', mimeType: 'text/csv', buffer: Buffer.from(file.join('\r\n')) });
      await page.locator('.import-line').first().waitFor();
    }),
    { answers: { 'watchList:match': value({ matches }) } },
  ),
  watched(
    'watch-order',
    steps('below', async (page) => {
      await page.locator('.listing-side > .mantine-Button-root').first().click();
      await page.locator('.order-table').waitFor();
    }),
  ),
];
