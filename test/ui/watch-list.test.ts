import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { scan } from '../support/wedge.ts';
import type { Scene } from './fake-bridge.ts';
import { changeState, inputsOf, setAnswer } from './fake.ts';
import { signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { hits } from './scene-fixtures.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const coffee = '7890000000101';
/** As a person types, not a scanner. */
const typing = { delay: 130 };
const stage = setStage();
const watchList = { watched: 4, below: 2, unknown: 1, absent: 3 };
const minima = { '11 101': 200, '12 2001': 12, '12 2003': 6, '11 2006': 4 };

async function open(state: Partial<TerminalState> = {}, more: Partial<Scene> = {}): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs, { watchList, ...state }), nowMs, minima, ...more });
  await page.getByRole('main').waitFor();
  return page;
}

/** Goes to the stock table and chooses what is listed. */
async function list(page: Page, name: RegExp): Promise<Locator> {
  await page.getByRole('link', { name: 'Stock' }).click();
  const views = page.getByRole('combobox', { name: 'What is listed' });
  await views.waitFor();
  const label = (await views.locator('option').allTextContents()).find((words) => name.test(words));
  await views.selectOption({ label: label ?? String(name) });
  await expect.poll(async () => (await inputsOf(page, 'stock:browse')).length).toBeGreaterThan(1);
  return page.getByRole('grid').locator('.stock-row');
}

const setOnes = async (page: Page) => (await inputsOf(page, 'watchList:set')).flatMap(({ minima: given }) => given);

describe('the minimum on the card', () => {
  it('takes all digits that are typed as soon as it is opened, the first time as well', async () => {
    const page = await open();
    await scan(page, coffee);
    await page.getByRole('button', { name: 'Below the minimum of 200' }).press('Enter');
    await page.keyboard.type('345', typing);
    await expect.poll(() => page.getByRole('dialog').getByRole('textbox').inputValue()).toBe('345');
  });

  it('says that the balance is below it, and is changed by the keyboard alone', async () => {
    const page = await open();
    await scan(page, coffee);
    const button = page.getByRole('button', { name: 'Below the minimum of 200' });
    await button.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Minimum' });
    const field = dialog.getByRole('textbox', { name: 'Minimum, in: packets' });
    await expect.poll(() => field.inputValue()).toBe('200');
    await expect.poll(() => field.evaluate((element) => element === document.activeElement)).toBe(true);
    // Pressed, the dialog keeps the keyboard, and does not give it to the lookup behind.
    await dialog.getByText('Minimum, in: packets').click();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('a lot', typing);
    await page.keyboard.press('Enter');
    await dialog.getByText('A number above 0').waitFor();
    await page.keyboard.press('Control+A');
    await page.keyboard.type('100.5', typing);
    await page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    const changed = page.getByRole('button', { name: 'Minimum 100.5' });
    await changed.waitFor();
    await expect.poll(() => changed.evaluate((element) => element === document.activeElement)).toBe(true);
    expect(await setOnes(page)).toEqual([{ stockId: '11', productId: '101', minimum: 100.5 }]);
  });

  it('has keys of digits that type as a keyboard does, over the kept one first', async () => {
    const page = await open();
    await scan(page, coffee);
    await page.getByRole('button', { name: 'Below the minimum of 200' }).click();
    const dialog = page.getByRole('dialog', { name: 'Minimum' });
    const field = dialog.getByRole('textbox', { name: 'Minimum, in: packets' });
    const press = (key: string) => dialog.getByRole('button', { name: key, exact: true }).click();
    const isSelected = (element: HTMLInputElement) => element.selectionEnd === 3 && element.selectionStart === 0;
    await expect.poll(() => field.evaluate(isSelected)).toBe(true);
    await page.locator('.amount-pad').evaluate((pad: HTMLElement) => (pad.style.display = 'block'));
    await press('5');
    await press('0');
    expect(await field.inputValue()).toBe('50');
    await page.keyboard.press('ArrowLeft');
    await press('7');
    await press('8');
    await press('Delete the last digit');
    expect(await field.inputValue()).toBe('570');
    await field.fill('1'.repeat(20));
    await press('2');
    expect(await field.inputValue()).toBe('1'.repeat(20));
  });

  it('is taken off, and not said to be kept for a product that has left the copy', async () => {
    const page = await open();
    await setAnswer(page, 'watchList:set', { ok: true, value: { kept: 0 } });
    await scan(page, coffee);
    await page.getByRole('button', { name: 'Below the minimum of 200' }).click();
    const dialog = page.getByRole('dialog', { name: 'Minimum' });
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.getByText('1 minimum was not kept: the copy no longer has its product.').waitFor();
    await setAnswer(page, 'watchList:set', undefined);
    await page.getByRole('button', { name: 'No minimum' }).click();
    await page.getByRole('button', { name: 'Set a minimum' }).waitFor();
    expect((await setOnes(page)).at(-1)).toEqual({ stockId: '11', productId: '101', minimum: null });
  });

  it('can be read without a sign-in, and not be changed', async () => {
    const page = await open(signedOut);
    await page.getByRole('textbox', { name: 'E-mail' }).waitFor();
    await scan(page, coffee);
    await page.getByText('Below the minimum of 200').waitFor();
    expect(await page.getByRole('button', { name: /minimum/i }).count()).toBe(0);
  });

  it('asks for the manager’s PIN where settings are locked, and goes on with it', async () => {
    const page = await open({}, { pin: '2580' });
    await scan(page, coffee);
    await page.getByRole('button', { name: /Below the minimum of 200/ }).click();
    await page.getByRole('textbox', { name: /Minimum/ }).fill('10');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: /PIN/ }).waitFor();
    await page.keyboard.type('2580', typing);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Minimum 10' }).waitFor();
  });
});

describe('the lists of the stock table', () => {
  it('are counted on the rail and by their names', async () => {
    const page = await open();
    await page.getByText('2 products below their minimum').waitFor({ state: 'attached' });
    const rows = await list(page, /^Below minimum · 2$/);
    await expect.poll(() => rows.count()).toBe(2);
    expect(await rows.nth(0).innerText()).toMatch(/S-1\s+Produto de exemplo 1\s+1\s+unit\s+below 12\s+\d+ \w+ ago/);
    await page.getByText('1 watched product has no known balance.').waitFor();
    await list(page, /^Watch list · 4$/);
    await expect.poll(() => rows.count()).toBe(4);
    await page.getByText('3 minimums belong to products that the copy does not have.').waitFor();
    // A figure that nobody knows is not below anything.
    expect(await rows.nth(3).innerText()).toMatch(/–\s+units\s+minimum 6\s+not known/);
  });

  it('tell what ran out and came back, and when', async () => {
    const page = await open();
    const rows = await list(page, /^Came back$/);
    await page.getByText('Since yesterday').first().waitFor();
    await expect.poll(() => rows.first().innerText()).toMatch(/since Mar 9, 19:00/);
    await list(page, /^Ran out$/);
    await expect.poll(() => rows.first().innerText()).toMatch(/−2.5\s+units\s+since Mar 9, 19:00/);
  });

  it.each([
    [/^Below minimum/, 4, 'Nothing is below its minimum'],
    [/^Below minimum/, 0, 'No product has a minimum yet'],
    [/^Watch list/, 0, 'No product has a minimum yet'],
  ])('%s teaches what it is for while it is empty, of %i with a minimum', async (name, watched, title) => {
    const page = await open({ watchList: { watched, below: 0, unknown: 0, absent: 0 } }, { minima: {} });
    await list(page, name);
    await page.getByRole('heading', { name: title }).waitFor();
    // The way to a file stands where the words name it.
    const asked = page.getByRole('button', { name: watched === 0 ? 'Import minimums' : 'Order proposal' });
    await expect.poll(() => asked.count()).toBe(1);
  });
});

describe('what has changed today', () => {
  it('goes onto labels, all of it or what is ticked of it', async () => {
    const page = await open({}, { stockRows: 450 });
    await list(page, /^Changed today/);
    expect((await inputsOf(page, 'stock:browse')).at(-1)).toMatchObject({ query: { list: 'changedToday' } });
    await page.getByText('Since midnight: another name').waitFor();
    const all = page.getByRole('button', { name: 'Labels of all' });
    await all.click();
    // Nearly every fourth.
    await page.getByRole('dialog', { name: 'Labels of 74 products' }).waitFor();
    await page.locator('.label-preview').waitFor();
    const asked = (await inputsOf(page, 'product:readMany')).flatMap(({ places }) => places as readonly unknown[]);
    expect(asked).toHaveLength(74);
    expect(asked.slice(0, 2)).toMatchObject([{ productId: '2009' }, { productId: '2029' }]);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => all.evaluate((element) => element === document.activeElement)).toBe(true);
    await page.getByText('74 products chosen').waitFor();

    await page.getByRole('checkbox', { name: 'Choose Produto de exemplo 9', exact: true }).click();
    await page.getByRole('toolbar').getByRole('button', { name: 'Labels' }).click();
    await page.getByRole('dialog', { name: 'Labels of 73 products' }).waitFor();
  });

  it('is so much that it fits onto no choice, and nothing is printed', async () => {
    const page = await open({}, { stockRows: 40_100 });
    await list(page, /^Changed today/);
    await page.getByRole('button', { name: 'Labels of all' }).click();
    await page.getByText(/10,000/).waitFor();
    expect(await page.getByRole('dialog').count()).toBe(0);
  });

  it('can be read without a sign-in as the watch list can, and nothing be printed, chosen or set', async () => {
    const page = await open(signedOut);
    await page.getByRole('button', { name: 'Look up without signing in' }).click();
    await list(page, /^Changed today/);
    expect(await page.getByRole('button', { name: 'Labels of all' }).count()).toBe(0);
    const rows = await list(page, /^Watch list/);
    await expect.poll(() => rows.count()).toBe(4);
    expect(await page.getByRole('checkbox').count()).toBe(0);
    expect(await page.getByRole('button', { name: 'Import minimums' }).count()).toBe(0);
  });

  it('stands in one list with the other views, beside the filters in one line of a small window', async () => {
    for (const language of ['en', 'pt-BR', 'es'] as const) {
      const page = await open({ language });
      await page.setViewportSize({ width: 1024, height: 768 });
      await page.locator('a[href="#stock"]').click();
      const line = page.locator('.stock-lists');
      await line.locator('.stock-more-button').waitFor();
      expect(await line.locator('.stock-view option').count()).toBe(10);
      for (const size of [
        { width: 1024, height: 768 },
        { width: 911, height: 512 },
      ]) {
        await page.setViewportSize(size);
        const boxes = await Promise.all(
          ['.stock-view', '.search-field', '.stock-choice', '.stock-more-button'].map((part) =>
            line.locator(part).boundingBox(),
          ),
        );
        expect(new Set(boxes.map((box) => box?.y)).size, `${language} ${size.width}`).toBe(1);
        expect(Math.min(...boxes.map((box) => box?.height ?? 0))).toBeGreaterThanOrEqual(44);
        const words = await line
          .locator('.stock-choice select')
          .evaluate((choice) => [choice.scrollWidth, choice.clientWidth]);
        expect(words[0], `${language} ${size.width}`).toBe(words[1]);
      }
      // The longest view has a count besides.
      await page.setViewportSize({ width: 1024, height: 768 });
      for (const textSize of ['normal', 'largest'] as const) {
        await changeState(page, { textSize });
        const view = line.locator('.stock-view select');
        await view.waitFor();
        const missing = await view.evaluate((choice: HTMLSelectElement) => {
          const free = choice.cloneNode(true) as HTMLSelectElement;
          Object.assign(free.style, { width: 'auto', position: 'absolute' });
          choice.after(free);
          const wanted = free.offsetWidth;
          free.remove();
          return wanted - choice.offsetWidth;
        });
        expect(missing, `${language} ${textSize}`).toBeLessThanOrEqual(0);
      }
      await page.close();
    }
  });
});

describe('many at once', () => {
  it('are counted by product, one of which may have a row for each stock', async () => {
    const rows = hits.slice(0, 3).map((hit) => ({ ...hit, minimum: null, turnedAt: null, fields: [] }));
    const value = { view: 1, total: 3, found: 3, isWhole: true, rows };
    const page = await open({}, { answers: { 'stock:browse': { ok: true, value } } });
    await page.getByRole('link', { name: 'Stock' }).click();
    await page.getByRole('grid').locator('.stock-row').nth(2).waitFor();
    await page.getByRole('grid').focus();
    await page.keyboard.press('Control+a');
    const bar = page.getByRole('toolbar', { name: 'Chosen products' });
    await bar.getByText('3 rows: 2 products chosen', { exact: true }).waitFor();
    await bar.getByRole('button', { name: 'Set a minimum' }).click();
    await page.getByRole('dialog', { name: 'Minimum for 2 products' }).waitFor();
  });

  it('are ticked by mouse and keyboard, and get one minimum', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Stock' }).click();
    const grid = page.getByRole('grid');
    await grid.getByRole('checkbox', { name: 'Choose Produto de exemplo 2', exact: true }).click();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Space');
    await page.getByText('3 products chosen').waitFor();
    expect(await grid.getByRole('row', { selected: true }).count()).toBe(3);
    await page.getByRole('toolbar', { name: 'Chosen products' }).getByRole('button', { name: 'Set a minimum' }).click();
    await page.getByRole('dialog', { name: 'Minimum for 3 products' }).getByRole('textbox').fill('7.5');
    await page.keyboard.press('Enter');
    await page.getByRole('toolbar').waitFor({ state: 'detached' });
    expect(await setOnes(page)).toEqual(
      [
        ['11', '2002'],
        ['11', '102'],
        ['11', '2006'],
      ].map(([stockId, productId]) => ({ stockId, productId, minimum: 7.5 })),
    );
    // Whoever works by keys is where they were.
    await expect.poll(() => grid.evaluate((element) => element === document.activeElement)).toBe(true);
  });

  it('says the unit of all, or of several that each has its own', async () => {
    const page = await open();
    await page.getByRole('link', { name: 'Stock' }).click();
    const choose = (name: string) => page.getByRole('checkbox', { name: `Choose ${name}`, exact: true }).click();
    const dialog = page.getByRole('dialog');
    await page.getByRole('columnheader', { name: 'Code' }).getByRole('button').click();
    await choose('Produto de exemplo 2');
    await choose('Produto de exemplo 4');
    await page.getByRole('button', { name: 'Set a minimum' }).click();
    await dialog.getByRole('textbox', { name: 'Minimum, in: units', exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    await page
      .getByRole('checkbox', { name: /^Choose Café/ })
      .first()
      .click();
    await page.getByRole('button', { name: 'Set a minimum' }).click();
    await dialog.getByText(/^Each in its own unit \((?:packets, units|units, packets)\)\. With less/).waitFor();
    await dialog.getByRole('textbox', { name: 'Minimum', exact: true }).waitFor();
  });

  it('all of them, with those that are not in sight, slice by slice; another list begins with none', async () => {
    const page = await open({}, { stockRows: 450 });
    await page.getByRole('link', { name: 'Stock' }).click();
    const grid = page.getByRole('grid');
    await grid.locator('.stock-row').first().waitFor();
    await grid.focus();
    await page.keyboard.press('Control+a');
    await page.getByText('450 rows: 449 products chosen').waitFor();
    await page.getByRole('button', { name: 'Set a minimum' }).click();
    await page.getByText(/^Each in its own unit \(boxes of 10, units, packets, kg, …\)\. With less/).waitFor();
    await page.getByRole('textbox', { name: 'Minimum' }).fill('1');
    await page.keyboard.press('Enter');
    await expect.poll(async () => (await setOnes(page)).length).toBe(450);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await grid.focus();
    await page.keyboard.press('Control+a');
    await page.getByText('450 rows: 449 products chosen').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: 'What is listed' }).waitFor();
  });
});

describe('a file of minimums', () => {
  const product = (number: number, minimum: number | null) => ({
    productId: String(2000 + number),
    code: `S-${number}`,
    name: `Produto ${number}`,
    unit: 'UNID',
    minimum,
  });

  it('is shown before it is set: what changes, and what is left out and why', async () => {
    const matches = [[product(6, 4)], [product(4, null)], [product(9, 3)], [], [product(2, 12), product(8, null)]];
    const page = await open({}, { answers: { 'watchList:match': { ok: true, value: { matches } } } });
    await list(page, /^Watch list/);
    await page.getByRole('button', { name: 'Import minimums' }).click();
    const path = join(temporaryDirectory(), 'mínimos.csv');
    await writeFile(
      path,
      '\uFEFFCódigo;Mínimo\r\nS-6;15\r\nS-4;2,5\r\nS-9;0\r\nNO-1;3\r\nTWO;3\r\n;9\r\nS-7;lots\r\nS-8;\r\n',
    );
    const dialog = page.getByRole('dialog', { name: 'Import minimums from a file' });
    const [chooser] = await Promise.all([
      page.waitForEvent('filechooser'),
      dialog.getByRole('button', { name: 'Choose a file' }).click(),
    ]);
    await chooser.setFiles(path);
    await dialog.getByText('2 minimums will be set.').waitFor();
    await dialog.getByText('1 product will have no minimum any more.').waitFor();
    await dialog.getByText('4 lines are left out.').waitFor();
    await dialog.getByText('1 line has no minimum and changes nothing.').waitFor();
    const { catalogue } = readyState(nowMs);
    const ofPart = dialog.getByText('codes that are not found may still come');
    expect(await ofPart.count()).toBe(0);
    const stocks = catalogue.stocks.map((stock) => ({ ...stock, completeAsOf: null }));
    await changeState(page, { catalogue: { ...catalogue, stocks } });
    await ofPart.waitFor();
    await expect
      .poll(async () => (await dialog.getByRole('listitem').filter({ hasText: 'Line' }).allInnerTexts()).join(' | '))
      .toMatch(
        /NO-1\s+Line 5 · No product of this stock has this code in the copy\. \| TWO\s+Line 6 · Several products share this code\. \| ;9\s+Line 7 · It has no code\. \| S-7;lots\s+Line 8 · Its minimum is not a number\. \| Produto 9\s+Line 4 · from 3 to none \| Produto 6\s+Line 2 · from 4 to 15 \| Produto 4\s+Line 3 · from none to 2.5/,
      );
    expect(await setOnes(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Make 3 changes' }).click();
    await page.getByText('3 minimums kept.').waitFor();
    expect(await setOnes(page)).toEqual([
      { stockId: '11', productId: '2009', minimum: null },
      { stockId: '11', productId: '2006', minimum: 15 },
      { stockId: '11', productId: '2004', minimum: 2.5 },
    ]);
    expect(await inputsOf(page, 'watchList:match')).toEqual([
      { stockId: '11', codes: ['S-6', 'S-4', 'S-9', 'NO-1', 'TWO'] },
    ]);
    // Once more, when the product of one has left the copy.
    await setAnswer(page, 'watchList:set', { ok: true, value: { kept: 2 } });
    await page.getByRole('button', { name: 'Import minimums' }).click();
    await page.locator('input[type=file]').setInputFiles(path);
    await dialog.getByRole('button', { name: 'Make 3 changes' }).click();
    await page.getByText('2 minimums kept. 1 minimum was not kept: the copy no longer has its product.').waitFor();
  });

  it('that is no list of minimums, or cannot be read, is refused in words', async () => {
    const page = await open();
    await list(page, /^Watch list/);
    await page.getByRole('button', { name: 'Import minimums' }).click();
    // Files of the disk: what playwright-core passes itself takes seconds on a busy machine.
    const choose = async (name: string, content: string | Buffer): Promise<void> => {
      const path = join(temporaryDirectory(), name);
      await writeFile(path, content);
      await page.locator('input[type=file]').setInputFiles(path);
    };
    await choose('film.csv', Buffer.alloc(5_000_001));
    await page.getByText(/^This file is too large for a list of products: at most 50,000 lines/).waitFor();
    await page.evaluate(() => {
      // As of a file that another program holds.
      Blob.prototype.arrayBuffer = () => Promise.reject(new DOMException('held', 'NotReadableError'));
    });
    await choose('min.csv', 'S-1;15');
    await page.getByText(/^This file cannot be read: it is gone, another program holds it/).waitFor();
    expect(await inputsOf(page, 'watchList:match')).toEqual([]);
  });

  // In the system's dialog whoever stands at a kiosk can choose the settings, in which the hash of the manager's PIN is.
  it('that is not called a list is not shown, whatever is in it', async () => {
    const page = await open();
    await list(page, /^Watch list/);
    await page.getByRole('button', { name: 'Import minimums' }).click();
    const buffer = Buffer.from('code,minimum\n$scrypt$ln=15$salt$digest,1\n');
    for (const name of ['settings.json', 'settings', 'tillside.log', 'list.csv.new']) {
      await page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer });
      await page.getByText(name, { exact: true }).waitFor();
      await page.getByText(/^This file cannot be read as a list/).waitFor();
      expect(await page.getByText('scrypt').count()).toBe(0);
    }
    expect(await inputsOf(page, 'watchList:match')).toEqual([]);
    await page.locator('input[type=file]').setInputFiles({ name: 'MIN.CSV', mimeType: 'text/csv', buffer });
    await page.getByText('scrypt').waitFor();
  });
});

describe('the order proposal', () => {
  it('stands in the line of the head, and opens once something is below its minimum', async () => {
    const page = await open();
    await list(page, /^Below minimum/);
    const button = page.getByRole('button', { name: 'Order proposal' });
    const save = page.getByRole('button', { name: 'Save as file' });
    expect((await button.boundingBox())?.y).toBe((await save.boundingBox())?.y);
    expect(await button.isEnabled()).toBe(true);
    await page.getByRole('textbox', { name: 'Name, code or barcode' }).fill('nothing');
    await expect.poll(() => button.isDisabled()).toBe(true);
  });

  it('has a line for each product where the screen is wide enough for it', async () => {
    const page = await open({ language: 'es' });
    await page.setViewportSize({ width: 1920, height: 1080 });
    await page.getByRole('link', { name: 'Stock' }).click();
    await page.locator('select:has(option[value=below])').selectOption('below');
    await page.getByRole('button', { name: 'Propuesta de pedido' }).click();
    const rows = page.locator('.order-table tbody tr');
    await rows.first().waitFor();
    const lines = await rows.locator('> *').evaluateAll((cells) =>
      cells.map((cell) => {
        const text = document.createRange();
        text.selectNodeContents(cell);
        return new Set([...text.getClientRects()].map(({ bottom }) => Math.round(bottom))).size;
      }),
    );
    expect(Math.max(...lines)).toBe(1);
  });

  it('keeps a code whole on paper, and its columns where they are when an age grows', async () => {
    const row = {
      stockId: '11',
      stockName: 'Depósito',
      productId: '1',
      code: '000260-P',
      name: 'Pão de queijo congelado tradicional 1 kg, pacote econômico para a família',
      unit: 'PCT',
      balance: { amount: 1, asOf: nowMs - 600_000, source: 'listing' },
      minimum: 1200,
      turnedAt: null,
    };
    const page = await open(
      { textSize: 'largest' },
      { answers: { 'stock:browse': { ok: true, value: { view: 1, total: 1, found: 1, isWhole: true, rows: [row] } } } },
    );
    await page.setViewportSize({ width: 1366, height: 768 });
    await list(page, /^Below minimum/);
    await page.getByRole('button', { name: 'Order proposal' }).click();
    const dialog = page.getByRole('dialog', { name: 'Order proposal' });
    const heads = (): Promise<number[]> =>
      dialog.locator('thead th').evaluateAll((cells) => cells.map((cell) => cell.getBoundingClientRect().x));
    const age = dialog.locator('tbody .age');
    await age.waitFor();
    const before = await heads();
    await age.evaluate((cell) => {
      cell.textContent = '59 minutes ago, and the shop says so';
    });
    expect(await heads()).toEqual(before);
    await page.evaluate(() => Object.assign(window, { print: () => undefined }));
    await dialog.getByRole('button', { name: 'Print' }).click();
    await page.emulateMedia({ media: 'print' });
    // A4 without its margins.
    await page.setViewportSize({ width: 718, height: 1046 });
    const paper = page.locator('.order-paper');
    await expect.poll(() => paper.isVisible()).toBe(true);
    expect(await paper.evaluate((element) => element.scrollWidth)).toBeLessThanOrEqual(718);
    const lines = await paper.locator('tbody .mono').evaluate((cell) => {
      const text = document.createRange();
      text.selectNodeContents(cell);
      return text.getClientRects().length;
    });
    expect(lines).toBe(1);
  });

  it('says of how many minimums the copy has no product, before the lines and on paper', async () => {
    const page = await open({ watchList: { watched: 4, below: 0, unknown: 0, absent: 4 } });
    await list(page, /^Below minimum/);
    const words = '4 minimums belong to products that the copy does not have. They are kept for their return.';
    await page.getByText(words).waitFor();
    await page.getByRole('button', { name: 'Order proposal' }).click();
    const dialog = page.getByRole('dialog', { name: 'Order proposal' });
    await dialog.getByText(words).waitFor();
    // The copy has grown: the lines are still those of before.
    await changeState(page, { watchList: { watched: 4, below: 4, unknown: 0, absent: 0 } });
    await dialog.getByText(words).waitFor();
    await page.evaluate(() => Object.assign(window, { print: () => undefined }));
    await dialog.getByRole('button', { name: 'Print' }).click();
    expect(await page.locator('.order-paper').getByText(words).count()).toBe(1);
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
  });

  it('lists what is missing with its age, what nobody knows last, and is saved and printed', async () => {
    const page = await open();
    await list(page, /^Below minimum/);
    await page.getByRole('button', { name: 'Order proposal' }).click();
    const dialog = page.getByRole('dialog', { name: 'Order proposal' });
    await dialog.getByText('The balance of 1 product is not known. It stands last: count it first.').waitFor();
    const rows = dialog.getByRole('row');
    expect(await rows.allInnerTexts()).toMatchObject(
      [
        /Code\s+Name\s+Stock\s+Balance\s+Minimum\s+To order\s+As of/,
        /S-1\s+Produto de exemplo 1\s+Depósito\s+1 unit\s+12 units\s+11 units\s+\d+ \w+ ago · old/,
        /A-101\s+Café torrado e moído Serra Clara 500 g\s+Loja\s+148 packets\s+200 packets\s+52 packets\s+\d+ \w+ ago · old/,
        /S-3\s+Produto de exemplo 3\s+Depósito\s+–\s+6 units\s+count it\s+not known/,
      ].map((pattern) => expect.stringMatching(pattern) as string),
    );
    await dialog.getByRole('combobox', { name: 'Kind of file' }).selectOption('CSV');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save as file' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^tillside-order-\d{4}-\d{2}-\d{2}\.csv$/);
    expect((await readFile(await download.path(), 'utf8')).split('\r\n').slice(0, 2)).toEqual([
      '\uFEFFStock,Code,Name,Balance,Minimum,To order,Unit,As of',
      'Depósito,S-1,Produto de exemplo 1,1,12,11,un.,2026-03-09 19:00:00',
    ]);
    await page.evaluate(() => Object.assign(window, { print: () => undefined }));
    await dialog.getByRole('button', { name: 'Print' }).click();
    await page.emulateMedia({ media: 'print' });
    const paper = page.locator('.order-paper');
    await expect.poll(() => paper.isVisible()).toBe(true);
    expect(await paper.locator('tbody tr').count()).toBe(3);
    expect(await dialog.isVisible()).toBe(false);
    await page.emulateMedia({ media: null });
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await paper.waitFor({ state: 'detached' });
  });

  it('is in the order of the suppliers that the shop shows in the table, and the file has them', async () => {
    const rowOf = (number: number, amount: number | null, supplier: string | null) => ({
      stockId: '11',
      stockName: 'Loja',
      productId: String(number),
      code: `S-${number}`,
      name: `Produto ${number}`,
      unit: 'UNID',
      balance: { amount, asOf: null, source: null },
      minimum: 5,
      turnedAt: null,
      ...(supplier === null ? {} : { fields: [{ name: 'Vendor', value: supplier, kind: 'text', on: ['table'] }] }),
    });
    const rows = [rowOf(1, 1, null), rowOf(2, null, 'Alfa'), rowOf(3, 2, 'Água 11'), rowOf(4, 3, 'Água 2')];
    const page = await open(
      { shownFields: [{ path: 'product.supplier.name', name: 'Vendor', on: ['table'] }] },
      { answers: { 'stock:browse': { ok: true, value: { view: 1, total: 4, found: 4, isWhole: true, rows } } } },
    );
    await list(page, /^Below minimum/);
    await page.getByRole('button', { name: 'Order proposal' }).click();
    const dialog = page.getByRole('dialog', { name: 'Order proposal' });
    await expect
      .poll(() => dialog.getByRole('row').allInnerTexts())
      .toMatchObject(
        [/Name\s+Vendor\s+Stock/, /S-4\s+Produto 4\s+Água 2/, /S-3.*\s+Água 11/, /S-1/, /S-2.*\s+Alfa/].map(
          (pattern) => expect.stringMatching(pattern) as string,
        ),
      );
    await dialog.getByRole('combobox', { name: 'Kind of file' }).selectOption('CSV');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      dialog.getByRole('button', { name: 'Save as file' }).click(),
    ]);
    expect((await readFile(await download.path(), 'utf8')).split('\r\n').slice(0, 2)).toEqual([
      '\uFEFFVendor,Stock,Code,Name,Balance,Minimum,To order,Unit,As of',
      'Água 2,Loja,S-4,Produto 4,3,5,2,un.,',
    ]);
  });
});
