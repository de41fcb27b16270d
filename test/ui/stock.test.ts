import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, it } from 'vitest';
import { goTo } from '../e2e/story.ts';
import { scan } from '../support/wedge.ts';
import { inputsOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { setStage, type Opening } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();

interface Opened {
  readonly page: Page;
  readonly grid: Locator;
  /** The table's rows without its heading, as far as they are drawn. */
  readonly rows: Locator;
}

async function open({ state, size, ...scene }: Opening = {}): Promise<Opened> {
  const { page } = await stage.open({ ...scene, state: readyState(nowMs, state), nowMs }, size);
  await page.getByRole('link', { name: 'Stock' }).click();
  const grid = page.getByRole('grid', { name: 'Products in stock' });
  await grid.waitFor();
  return { page, grid, rows: grid.locator('.stock-row') };
}

it('with the largest letters a name and its heading have room beside two stocks', async () => {
  const { page } = await open({ state: { textSize: 'largest' }, size: { width: 1024, height: 768 } });
  const name = page.locator('.stock-row .stock-name').first();
  await expect.poll(async () => (await name.boundingBox())?.width).toBeGreaterThan(160);
});

const queries = async (page: Page) =>
  (await inputsOf(page, 'stock:browse')).map(({ query }) => query as Record<string, unknown>);

describe('the stock table', () => {
  it('says what it is a table of, as of when, and how many fit', async () => {
    const { page, rows } = await open();
    await rows.first().waitFor();
    await page.getByText('This terminal’s copy, complete as of').waitFor();
    await page.getByText('40 lines in 2 stocks').waitFor();
    expect(await rows.nth(2).innerText()).toMatch(/S-9\s+Produto de exemplo 9\s+−2.5\s+units\s+\d+ \w+ ago\s+Depósito/);
  });

  it('says that the copy is still running, and that nothing newer comes while offline', async () => {
    const ready = readyState(nowMs);
    const stocks = ready.catalogue.stocks.map((stock) => ({ ...stock, copied: 620, total: 1000, completeAsOf: null }));
    const { page } = await open({
      state: {
        catalogue: { ...ready.catalogue, phase: 'copying', stocks },
        connection: { state: 'offline', since: nowMs, failure: null },
      },
    });
    await page.getByText('This terminal’s copy, still running: 62 %.').waitFor();
    await page.getByText('Offline: nothing newer comes in just now.').waitFor();
  });

  it('begins with the lowest balance; each heading sorts, and turns the order round at a second press', async () => {
    const { page, grid, rows } = await open();
    await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('41');
    expect(await rows.first().locator('.stock-balance').innerText()).toContain('−6');
    const sorted = async (): Promise<unknown> =>
      Promise.all(
        ['Code', 'Name', 'Balance', 'As of', 'Stock'].map(async (name) =>
          grid.getByRole('columnheader', { name }).getAttribute('aria-sort'),
        ),
      );
    expect(await sorted()).toEqual(['none', 'none', 'ascending', 'none', 'none']);
    await grid.getByRole('columnheader', { name: 'Balance' }).getByRole('button').click();
    await expect.poll(sorted).toEqual(['none', 'none', 'descending', 'none', 'none']);
    for (const name of ['Code', 'Name', 'As of', 'Stock']) {
      await grid.getByRole('columnheader', { name }).getByRole('button').press('Enter');
    }
    await page.keyboard.press('Enter');
    await expect.poll(sorted).toEqual(['none', 'none', 'none', 'none', 'descending']);
    expect((await queries(page)).map(({ orderBy, direction }) => `${String(orderBy)} ${String(direction)}`)).toEqual([
      'balance asc',
      'balance desc',
      'code asc',
      'name asc',
      'asOf asc',
      'stock asc',
      'stock desc',
    ]);
  });

  it('filters by view, term, stock, ids and date, and takes all but the view off again', async () => {
    const { page } = await open();
    await page.getByText('40 lines in 2 stocks').waitFor();
    await page.getByRole('textbox', { name: 'Name, code or barcode' }).fill('pro');
    await page.getByRole('combobox', { name: 'What is listed' }).selectOption('Negative');
    await page.getByText('6 lines in 2 stocks').waitFor();
    await page.getByRole('combobox', { name: 'Stock' }).selectOption({ label: 'Depósito' });
    await page.getByRole('button', { name: 'More filters' }).click();
    await page.getByLabel('Product IDs').fill('7\n8, x');
    await page.getByText('“x” is not a product ID.').waitFor();
    await page.getByLabel('Changed since').fill('2026-03-01 08:30');
    await page.getByRole('button', { name: 'More filters (2 on)' }).waitFor();
    expect((await queries(page)).at(-1)).toEqual({
      list: 'all',
      stockId: '12',
      amount: 'negative',
      orderBy: 'balance',
      direction: 'asc',
      term: 'pro',
      productIds: ['7', '8'],
      updatedFrom: Date.parse('2026-03-01T08:30:00-03:00'),
    });
    await page.getByRole('button', { name: 'Clear filters' }).first().click();
    await expect
      .poll(async () => (await queries(page)).at(-1))
      .toMatchObject({ stockId: null, amount: 'negative', term: '', productIds: null, updatedFrom: null });
    await page.getByRole('combobox', { name: 'What is listed' }).selectOption('All products');
    await page.getByText('40 lines in 2 stocks').waitFor();
  });

  it('keeps the view and the order while the page lives, and saves the file in them', async () => {
    const { page, grid } = await open();
    await page.getByRole('combobox', { name: 'What is listed' }).selectOption('Negative');
    await grid.getByRole('columnheader', { name: 'As of' }).getByRole('button').click();
    await page.getByRole('link', { name: 'Lookup' }).click();
    await page.getByRole('link', { name: 'Stock' }).click();
    await page.getByText('7 lines in 2 stocks').waitFor();
    await page.getByRole('button', { name: 'Save as file' }).click();
    const exported = async (): Promise<unknown> => (await inputsOf(page, 'stock:export')).at(0)?.['query'];
    await expect.poll(exported).toMatchObject({ list: 'all', amount: 'negative', orderBy: 'asOf', direction: 'asc' });
  });

  it('lists the codes that named no product, saves them as a file, and looks one up again', async () => {
    const { page } = await open();
    await page.getByRole('link', { name: 'Lookup' }).click();
    await scan(page, '9520000000028');
    await page.locator('.miss').waitFor();
    await page.getByRole('link', { name: 'Stock' }).click();
    await page.getByRole('combobox', { name: 'What is listed' }).selectOption('Codes without a product');
    const code = page.getByRole('list', { name: 'Codes without a product' }).getByRole('button');
    expect(await code.innerText()).toMatch(/^9520000000028\s+once\s+last /);
    expect(await page.getByRole('button', { name: 'Save as file' }).isEnabled()).toBe(true);
    await code.press('Enter');
    await page.locator('.miss').waitFor();
    expect((await inputsOf(page, 'lookup:find')).at(-1)).toMatchObject({ text: '9520000000028' });
  });

  it.each(['31/02/2026', 'yesterday'])(
    'says of %s at Enter that it is no date and that the filter is not applied',
    async (text) => {
      const { page } = await open();
      await page.getByRole('button', { name: 'More filters' }).click();
      const since = page.getByLabel('Changed since');
      await since.fill(text);
      await expect.poll(() => page.getByText('This is no date.').count()).toBe(0);
      await since.press('Enter');
      await page.getByText(/This is no date\. .*This filter is not applied\./).waitFor();
    },
  );

  it('teaches what to do when nothing fits', async () => {
    const { page } = await open();
    await page.getByRole('textbox', { name: 'Name, code or barcode' }).fill('nothing');
    await page.getByRole('heading', { name: 'No product fits' }).waitFor();
    await page.getByRole('grid').getByRole('button', { name: 'Clear filters' }).click();
    await page.getByText('40 lines in 2 stocks').waitFor();
  });

  it('is walked by keys, opens a product on the lookup screen, and is where it was when one comes back', async () => {
    const { page, grid, rows } = await open({ stockRows: 1_000_000 });
    await rows.first().waitFor();
    await grid.focus();
    const activeRow = async (): Promise<number> =>
      Number(await grid.locator('[data-active="true"]').getAttribute('aria-rowindex')) - 2;
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect.poll(() => activeRow()).toBe(1);
    await page.keyboard.press('End');
    await grid.getByText('Produto de exemplo 999999', { exact: true }).waitFor();
    expect(await activeRow()).toBe(999_999);
    expect(await grid.getAttribute('aria-activedescendant')).toBe(
      await grid.locator('[data-active="true"]').getAttribute('id'),
    );
    await page.keyboard.press('PageUp');
    const there = await activeRow();
    expect(there).toBeGreaterThan(999_980);
    expect(there).toBeLessThan(999_998);
    await page.keyboard.press('Home');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: 'Café torrado e moído Serra Clara 500 g' }).waitFor();
    await page.getByRole('link', { name: 'Stock' }).click();
    await rows.first().waitFor();
    expect(await activeRow()).toBe(0);
  });

  it('shows any of a million rows in a box of bounded height, with few of them drawn', async () => {
    const { page, grid, rows } = await open({ stockRows: 1_000_000 });
    await rows.first().waitFor();
    expect(await grid.evaluate((box) => box.scrollHeight)).toBeLessThan(4_100_000);
    await grid.evaluate((box) => box.scrollTo({ top: (box.scrollHeight - box.clientHeight) / 2 }));
    await expect
      .poll(async () =>
        Number((await rows.nth(12).locator('.stock-name').innerText()).replace('Produto de exemplo ', '')),
      )
      .toBeGreaterThan(490_000);
    const before = Number(await rows.nth(12).getAttribute('aria-rowindex'));
    expect(Math.abs(before - 500_000)).toBeLessThan(2_000);
    // A turn of the wheel moves by as much as anywhere.
    await grid.hover();
    await page.mouse.wheel(0, 440);
    await expect.poll(async () => Number(await rows.nth(12).getAttribute('aria-rowindex')) - before).toBe(10);
    await expect.poll(() => rows.count()).toBeLessThan(60);
  });

  it.each(['Escape', 'Clear selection'])(
    '%s goes back to the views where more were chosen than can be',
    async (way) => {
      const { page, grid, rows } = await open({ stockRows: 10_001 });
      await rows.first().waitFor();
      await grid.focus();
      await page.keyboard.press('Control+a');
      const bar = page.getByRole('toolbar', { name: 'Chosen products' });
      await bar.getByText('At most 10,000 products can be chosen at once.', { exact: false }).waitFor();
      expect(await bar.getByRole('button').allInnerTexts()).toEqual(['Clear selection']);
      await (way === 'Escape' ? page.keyboard.press(way) : bar.getByRole('button', { name: way }).click());
      await page.getByRole('combobox', { name: 'What is listed' }).waitFor();
      await expect.poll(() => grid.evaluate((element) => element === document.activeElement)).toBe(true);
    },
  );

  it('hands the file over, for Excel or as CSV, by the keys, and remembers which', async () => {
    const rowOf = (productId: string, code: string | null, name: string) => ({
      hit: { stockId: '11', stockName: 'Loja', productId, code, name, unit: 'KG', balance },
      barcodes: [],
      minimum: null,
      updatedAt: null,
      updatedBy: 'platform',
    });
    const balance = { amount: -1.5, asOf: null, source: null };
    const rows = [rowOf('2001', '007', 'Café'), rowOf('2002', null, '=Pão')];
    const value = { view: 9, total: 2, found: 2, isWhole: true, rows, next: null };
    const { page } = await open({ answers: { 'stock:export': { ok: true, value } } });
    const save = async () => {
      const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')]);
      return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
    };
    await page.getByRole('button', { name: 'Save as file' }).focus();
    const workbook = await save();
    expect(workbook.name).toMatch(/^tillside-stock-\d{4}-\d{2}-\d{2}\.xlsx$/);
    const nothing = Array.from({ length: 5 }, () => null);
    expect((await readSheet(workbook.bytes)).slice(1)).toEqual([
      ['11', 'Loja', '2001', '007', null, 'Café', -1.5, 'KG', ...nothing],
      ['11', 'Loja', '2002', null, null, '=Pão', -1.5, 'KG', ...nothing],
    ]);
    await page.getByLabel('Kind of file').focus();
    await page.keyboard.type('CSV', { delay: 130 });
    await page.getByRole('button', { name: 'Save as file' }).focus();
    const table = await save();
    expect(table.name).toMatch(/\.csv$/);
    expect(table.bytes.toString().split('\r\n').slice(1)).toEqual([
      '11,Loja,2001,007,,Café,-1.5,KG,,,,,',
      "11,Loja,2002,,,'=Pão,-1.5,KG,,,,,",
      '',
    ]);
    await goTo(page, 'Coupons');
    expect(await page.getByLabel('Kind of file').inputValue()).toBe('csv');
    expect(await inputsOf(page, 'settings:update')).toEqual([{ fileKind: 'csv' }]);
  });

  it('says how far a long file is, and leaves none when it is stopped', async () => {
    const endless = { view: 9, total: 2000, found: 2000, isWhole: true, rows: [], next: 1 };
    const { page } = await open({
      answers: { 'stock:export': { ok: true, value: endless } },
      delaysMs: { 'stock:export': 20 },
    });
    const files: string[] = [];
    page.on('download', (download) => files.push(download.suggestedFilename()));
    await page.getByRole('button', { name: 'Save as file' }).click();
    await page.getByText('0 of 2,000').waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.getByText('Writing the file').waitFor({ state: 'detached' });
    const asked = (await inputsOf(page, 'stock:export')).length;
    await goTo(page, 'Coupons');
    expect(await inputsOf(page, 'stock:export')).toHaveLength(asked);
    expect(files).toEqual([]);
  });

  it('is searched by typing, wherever the keyboard is, and gives a scan back', async () => {
    const { page, rows } = await open();
    await rows.first().waitFor();
    await page.keyboard.type('exemplo 9', { delay: 130 });
    const field = page.getByRole('textbox', { name: 'Name, code or barcode' });
    expect(await field.inputValue()).toBe('exemplo 9');
    await expect.poll(async () => (await queries(page)).at(-1)).toMatchObject({ term: 'exemplo 9' });
    // A list of choices keeps its letters.
    const views = page.getByRole('combobox').first();
    await views.press('a');
    expect(await views.evaluate((one) => one === document.activeElement)).toBe(true);
    // So does a menu, which Escape closes then.
    const menu = page.getByRole('menu');
    await page.locator('.account').click();
    await page.keyboard.press('a');
    expect(await menu.evaluate((one) => one.contains(document.activeElement))).toBe(true);
    await page.keyboard.press('Escape');
    await menu.waitFor({ state: 'detached' });
    expect(await field.inputValue()).toBe('exemplo 9');
    await page.getByRole('heading', { name: 'Stock', exact: true }).focus();
    // A letter that a scan follows at once is its first.
    await page.waitForTimeout(700);
    await scan(page, '7891000100103');
    await expect.poll(() => inputsOf(page, 'lookup:find')).toMatchObject([{ text: '7891000100103' }]);
    await page.getByRole('link', { name: 'Stock' }).click();
    expect(await field.inputValue()).toBe('exemplo 9');
  });

  it('gives way to a scan like every screen', async () => {
    const { page, grid } = await open();
    await grid.focus();
    await scan(page, '7890000000101');
    await page.getByRole('region', { name: /Café/ }).waitFor();
  });
});
