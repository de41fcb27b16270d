import { readFile } from 'node:fs/promises';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { goTo } from '../e2e/story.ts';
import { scan } from '../support/wedge.ts';
import { callsOf, changeState, inputsOf, setAnswer } from './fake.ts';
import { signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { hits, id, sceneNowMs as nowMs } from './scene-fixtures.ts';
import { setStage, type Opening } from './stage.ts';
import { lines, stocktakes } from './scenes/stocktakes.ts';

const coffee = '7890000000101';
const shirt = '7890000000103';
const stage = setStage();
const field = 'Scan, or type a code or name';

async function open({ state, size, ...scene }: Opening = {}): Promise<Page> {
  const { page } = await stage.open({ ...scene, state: readyState(nowMs, state), nowMs }, size);
  await goTo(page, 'Count');
  return page;
}

/** In a new count of a shelf. */
async function begin(opening: Opening = {}): Promise<Page> {
  const page = await open(opening);
  await page.getByLabel('Shelf or name').fill('Shelf 4');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Shelf 4' }).waitFor();
  return page;
}

const lastCounted = (page: Page) => page.getByRole('region', { name: 'Counted last' });
const row = (page: Page, name: string) => page.getByRole('listitem').filter({ hasText: name });
const scansOf = async (page: Page): Promise<readonly unknown[]> =>
  (await inputsOf(page, 'stocktake:scan')).map(({ text, source }) => `${String(source)} ${String(text)}`);

describe('a count', () => {
  it('offers the filters that have lines', async () => {
    const page = await begin();
    const filters = page.getByRole('radiogroup', { name: 'Show' }).getByRole('radio');
    expect(await filters.count()).toBe(0);
    await scan(page, coffee);
    await lastCounted(page).waitFor();
    await expect.poll(() => filters.count()).toBe(2);
    await scan(page, '9520000000028');
    await expect.poll(() => filters.count()).toBe(3);
  });

  it.each([
    ['the largest text', { width: 1024, height: 768 }, 'largest'],
    ['a small screen', { width: 911, height: 512 }, 'normal'],
  ] as const)(
    'can be begun without scrolling with %s, and no field lies below the button',
    async (_how, size, textSize) => {
      const page = await open({ size, state: { textSize }, stocktakes });
      const button = page.getByRole('button', { name: 'Begin counting' });
      const boxOf = async (one: Locator) => (await one.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
      const part = await boxOf(page.getByRole('region', { name: 'New count' }));
      const { y, height } = await boxOf(button);
      expect(y + height).toBeLessThanOrEqual(part.y + part.height);
      await page.getByText('A filter', { exact: true }).click();
      await page.getByLabel('Balance').focus();
      const balance = await boxOf(page.getByLabel('Balance'));
      expect(balance.y + balance.height).toBeLessThanOrEqual((await boxOf(button)).y);
      await button.click();
      await page.getByText('Loja').first().waitFor();
      expect(await inputsOf(page, 'stocktake:start')).toHaveLength(1);
    },
  );

  it('begins with the name that is typed without a click, or with its day and time', async () => {
    const page = await open();
    await page.getByRole('heading', { name: 'Nothing has been counted yet' }).waitFor();
    await page.keyboard.type('Shelf 4', { delay: 130 });
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Nothing counted yet' }).waitFor();
    await page.getByRole('button', { name: 'All counts' }).click();
    await page.getByRole('button', { name: 'Begin counting' }).click();
    await page.getByRole('heading', { name: 'Nothing counted yet' }).waitFor();
    const [named, unnamed] = await inputsOf(page, 'stocktake:start');
    expect(named).toEqual({ name: 'Shelf 4', stockId: '11', filter: null });
    expect(unnamed).toEqual({ ...named, name: expect.stringMatching(/^\d+\/\d+\/\d+, \d+:\d+:\d+$/) });
  });

  it('begins once its stock is copied, and shows until then how far the copy is', async () => {
    const { catalogue } = readyState(nowMs);
    const stocks = catalogue.stocks.map((stock) => (stock.name === 'Loja' ? { ...stock, completeAsOf: null } : stock));
    const page = await open({
      state: { catalogue: { ...catalogue, phase: 'copying', copied: 1500, total: 5000, stocks } },
    });
    const button = page.getByRole('button', { name: 'Begin counting' });
    await page.getByRole('region', { name: 'Copying the catalogue' }).getByText('1,500 of 5,000').waitFor();
    expect(await button.isDisabled()).toBe(true);
    await page.getByLabel('Stock', { exact: true }).selectOption({ label: 'Depósito' });
    await expect.poll(() => button.isEnabled()).toBe(true);
    await page.getByLabel('Stock', { exact: true }).selectOption({ label: 'Loja' });
    await expect.poll(() => button.isDisabled()).toBe(true);
    await page.getByLabel('Shelf or name').press('Enter');
    await changeState(page, { catalogue });
    await expect.poll(() => button.isEnabled()).toBe(true);
    expect(await page.getByRole('region', { name: 'Copying the catalogue' }).count()).toBe(0);
    expect(await callsOf(page, 'stocktake:start')).toEqual([]);
  });

  it('takes every scan of a burst, in its order, and no lookup is made', async () => {
    const page = await begin({ delaysMs: { 'stocktake:scan': 40 } });
    const burst = Array.from({ length: 12 }, (_, place) => [coffee, shirt, '9520000000042'][place % 3] ?? '');
    for (const code of burst) {
      await scan(page, code);
    }
    await expect.poll(() => scansOf(page)).toEqual(burst.map((code) => `scan ${code}`));
    await row(page, 'Serra Clara').getByText('4 packets').waitFor();
    await row(page, 'Camiseta').getByText('4 units', { exact: true }).waitFor();
    await row(page, '9520000000042').getByText('No product in the copy has this code.').waitFor();
    expect(await page.getByRole('listitem').count()).toBe(3);
    expect(await callsOf(page, 'lookup:find')).toEqual([]);
  });

  it('tells at once what was counted, what the copy said and by how much they differ', async () => {
    const page = await begin();
    await scan(page, shirt);
    await lastCounted(page).getByText('Copy: 24 units, 23 minutes old').waitFor();
    await lastCounted(page).getByText('23 fewer').waitFor();
    await scan(page, '7890000000106');
    await lastCounted(page).getByText('The copy has no figure').waitFor();
    await scan(page, '7890000000102');
    await lastCounted(page).getByText('The code tells no weight: counted as one. Set the quantity.').waitFor();
  });

  it('the key for the quantity, pressed right after a scan, means that one and not the one before', async () => {
    const page = await begin({ delaysMs: { 'stocktake:scan': 250 } });
    await scan(page, coffee);
    await lastCounted(page).getByText('Serra Clara').waitFor();
    await scan(page, shirt);
    await page.keyboard.press('Alt+KeyM');
    const dialog = page.getByRole('dialog', { name: 'Set quantity' });
    await dialog.waitFor();
    expect(await dialog.innerText()).toMatch(/Camiseta/);
  });

  it('takes a typed quantity in place of the scans, undoes step by step, and takes a line out', async () => {
    const page = await begin();
    await scan(page, coffee);
    await page.keyboard.press('Alt+M');
    const dialog = page.getByRole('dialog', { name: 'Set quantity' });
    await dialog.getByLabel('Quantity').fill('1,500');
    await page.keyboard.press('Enter');
    await dialog.getByText('Write a number such as 12 or 1.5.').waitFor();
    await dialog.getByLabel('Quantity').fill('148');
    await page.keyboard.press('Enter');
    await lastCounted(page).getByText('the same').waitFor();
    await dialog.waitFor({ state: 'detached' });
    await page.keyboard.press('Alt+Z');
    await lastCounted(page).getByText('Taken back').waitFor();
    await lastCounted(page).getByText('147 fewer').waitFor();
    await page.getByRole('button', { name: /^Change Café/ }).click();
    await dialog.getByRole('button', { name: 'Take the line out' }).click();
    await page.getByRole('heading', { name: 'Nothing counted yet' }).waitFor();
  });

  it('says that another page has counted the same since, and takes that back only once it has been seen', async () => {
    const page = await begin({ delaysMs: { 'stocktake:undo': 300 } });
    await scan(page, coffee);
    await row(page, 'Café').waitFor();
    const [scanned] = await inputsOf(page, 'stocktake:scan');
    const scanElsewhere = (text: string): Promise<unknown> =>
      page.evaluate(
        (input) =>
          (
            window as unknown as { tillside: { invoke: (channel: string, input: object) => Promise<unknown> } }
          ).tillside.invoke('stocktake:scan', input),
        { stocktakeId: scanned?.['stocktakeId'], text, source: 'scan' },
      );
    await scanElsewhere(coffee);
    await scanElsewhere(shirt);
    await page.keyboard.press('Alt+Z');
    await page.keyboard.press('Alt+Z');
    await lastCounted(page)
      .getByText(/^Not taken back: this has changed since/)
      .waitFor();
    await lastCounted(page).getByText('2', { exact: true }).waitFor();
    // Beside such a sentence the name had room for a letter.
    const name = lastCounted(page).locator('.count-outcome-name');
    expect((await name.boundingBox())?.height).toBeLessThan(80);
    await page.getByText('Alt + Z did nothing: the screen had just changed. Look, then press again.').waitFor();
    await page.keyboard.press('Alt+Z');
    await lastCounted(page).getByText('Taken back').waitFor();
    await lastCounted(page).getByText('1', { exact: true }).waitFor();
    await row(page, 'Camiseta').waitFor();
  });

  it('asks which one when what was typed fits several, and whether a code without a product counts', async () => {
    const page = await begin();
    // Nothing is counted that could be taken back.
    expect(await page.getByRole('button', { name: 'Undo' }).count()).toBe(0);
    // Without a click, and also after a button was pressed.
    await page.getByRole('button', { name: 'All counts' }).focus();
    await page.keyboard.type('ca', { delay: 60 });
    await page.keyboard.press('Enter');
    await lastCounted(page).getByText('Several products fit “ca”. Which one?').waitFor();
    const shirts = lastCounted(page).getByRole('button', { name: /^Camiseta/ });
    const isAt = (place: Locator): Promise<boolean> => place.evaluate((one) => one === document.activeElement);
    for (let step = 0; step < 9 && !(await isAt(shirts)); step += 1) {
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await row(page, 'Camiseta').waitFor();
    expect(await inputsOf(page, 'stocktake:add')).toMatchObject([{ productId: '103' }]);
    await expect.poll(() => isAt(page.getByRole('textbox', { name: field }))).toBe(true);
    await page.getByRole('textbox', { name: field }).fill('no such thing');
    await page.keyboard.press('Enter');
    await lastCounted(page).getByRole('button', { name: 'Count the code all the same' }).click();
    await row(page, 'no such thing').waitFor();
    // A list of choices keeps its letters.
    const kinds = page.getByRole('combobox', { name: 'Kind of file' });
    await kinds.press('c');
    expect(await isAt(kinds)).toBe(true);
  });

  it('a typed text that fits nothing, or several, is given up by Undo and Esc; what was counted stays', async () => {
    const page = await begin();
    const input = page.getByRole('textbox', { name: field });
    await scan(page, coffee);
    await row(page, 'Café').waitFor();
    for (const [text, news, key] of [
      ['no such thing', /^No product for/, 'Alt+Z'],
      ['ca', /^Several products/, 'Escape'],
    ] as const) {
      await input.pressSequentially(text, { delay: 130 });
      await page.keyboard.press('Enter');
      await lastCounted(page).getByText(news).waitFor();
      await page.keyboard.press(key);
      await lastCounted(page).getByText(news).waitFor({ state: 'detached' });
    }
    await input.pressSequentially('bisc', { delay: 130 });
    await page.keyboard.press('Escape');
    await expect.poll(() => input.inputValue()).toBe('');
    await row(page, 'Café').waitFor();
    expect(await callsOf(page, 'stocktake:undo')).toEqual([]);
    // Now it leads home, as everywhere.
    await page.keyboard.press('Escape');
    await input.waitFor({ state: 'detached' });
  });

  it('offers to choose among the products of a scanned code, to which all its scans then go', async () => {
    const [line] = lines;
    const shared = { ...line, productId: null, code: shirt, name: null, miss: 'several', state: 'unknownCode' };
    const [stocktake] = stocktakes;
    const page = await open({ stocktakes: stocktakes.slice(0, 1) });
    await page.getByRole('button', { name: 'Go on counting' }).first().click();
    await setAnswer(page, 'stocktake:scan', {
      ok: true,
      value: { kind: 'counted', line: shared, stocktake, doubt: null },
    });
    await scan(page, shirt);
    const choose = lastCounted(page).getByRole('button', { name: 'Choose the product' });
    await choose.waitFor();
    await setAnswer(page, 'stocktake:scan', { ok: true, value: { kind: 'several', text: shirt, hits } });
    await choose.click();
    await lastCounted(page).getByText(`Several products fit “${shirt}”. Which one?`).waitFor();
    // Until then they are kept.
    expect(await inputsOf(page, 'stocktake:undo')).toEqual([]);
    expect(await scansOf(page)).toEqual([`scan ${shirt}`, `typed ${shirt}`]);
    await page.locator('.count-outcome-hits button').first().click();
    await expect.poll(() => inputsOf(page, 'stocktake:add')).toMatchObject([{ instead: shared.id }]);
  });

  it('offers the same at each line of such a code', async () => {
    const [line] = lines;
    const shared = { ...line, productId: null, code: shirt, name: null, miss: 'several', state: 'unknownCode' };
    const page = await open({
      stocktakes: stocktakes.slice(0, 1),
      answers: {
        'stocktake:listLines': { ok: true, value: { total: 2, rows: [{ ...line, id: 77 }, shared] } },
        'stocktake:scan': { ok: true, value: { kind: 'several', text: shirt, hits } },
      },
    });
    await page.getByRole('button', { name: 'Go on counting' }).first().click();
    await page.getByText('Choose the product: all that was counted of it goes there.').waitFor();
    const choose = page.getByRole('button', { name: `Choose the product of ${shirt}` });
    const change = page.getByRole('button', { name: `Change ${shirt}`, exact: false });
    expect((await choose.boundingBox())?.y).toBeLessThan(((await change.boundingBox())?.y ?? 0) + 44);
    await choose.click();
    await page.locator('.count-outcome-hits button').first().click();
    await expect.poll(() => inputsOf(page, 'stocktake:add')).toMatchObject([{ instead: shared.id }]);
  });

  it('keeps the scans of a dialog until it is closed, and counts them then', async () => {
    const page = await begin();
    await scan(page, coffee);
    await lastCounted(page).getByText('packet', { exact: false }).first().waitFor();
    await page.keyboard.press('Alt+M');
    const dialog = page.getByRole('dialog', { name: 'Set quantity' });
    await dialog.waitFor();
    await scan(page, shirt);
    await page.getByText(`Scanned ${shirt}: close this to go on with it.`).waitFor();
    expect(await dialog.getByLabel('Quantity').inputValue()).toBe('');
    await page.keyboard.press('Escape');
    await row(page, 'Camiseta').waitFor();
    expect(await callsOf(page, 'lookup:find')).toEqual([]);
  });

  it('says which scans could not be kept, until somebody has read it', async () => {
    const page = await begin({ answers: { 'stocktake:scan': { ok: false, failure: { kind: 'storageFull' } } } });
    await scan(page, coffee);
    await scan(page, shirt);
    await page.getByText(`Not counted: ${coffee}, ${shirt}. Scan this again.`).waitFor();
    await page.getByRole('button', { name: 'I have read it' }).click();
    await page.getByText('Not counted:').waitFor({ state: 'detached' });
  });

  it('counts only on its screen: Esc leads home, where a scan looks up, and back it goes on', async () => {
    const page = await begin();
    await scan(page, coffee);
    await row(page, 'Serra Clara').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('main', { name: 'Lookup' }).waitFor();
    await scan(page, shirt);
    await page.getByRole('region', { name: 'Camiseta básica de algodão' }).waitFor();
    await page.keyboard.press('Alt+T');
    await page.getByRole('heading', { name: 'Shelf 4' }).waitFor();
    await scan(page, coffee);
    await row(page, 'Serra Clara').getByText('2 packets').waitFor();
    expect(await scansOf(page)).toEqual([`scan ${coffee}`, `scan ${coffee}`]);
  });

  it('is there again after the page was loaded anew', async () => {
    const page = await open({ stocktakes, lines });
    await page.getByRole('button', { name: 'Go on counting' }).first().click();
    await page.getByRole('heading', { name: 'Prateleira 4' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Prateleira 4' }).waitFor();
    await scan(page, coffee);
    await row(page, 'Serra Clara').waitFor();
  });

  it('that is finished counts nothing: a scan looks up', async () => {
    const page = await begin();
    await page.getByRole('button', { name: 'Finish', exact: true }).click();
    await page.getByText('nothing is added to it', { exact: false }).waitFor();
    expect(await page.getByRole('textbox', { name: field }).count()).toBe(0);
    await page.getByRole('button', { name: 'Open again' }).click();
    await page.getByRole('textbox', { name: field }).waitFor();
    await page.getByRole('button', { name: 'Finish', exact: true }).click();
    await page.getByText('nothing is added to it', { exact: false }).waitFor();
    await scan(page, coffee);
    await page.getByRole('region', { name: /Café/ }).waitFor();
    expect(await scansOf(page)).toEqual([]);
  });

  it('is not there for whoever has not signed in', async () => {
    const { page } = await stage.open({ state: readyState(nowMs, signedOut), nowMs });
    await page.getByRole('button', { name: 'Look up without signing in' }).click();
    await page.getByRole('link', { name: 'Stock' }).waitFor();
    expect(await page.getByRole('link', { name: 'Count' }).count()).toBe(0);
  });
});

describe('the lines', () => {
  const goOn = async (page: Page): Promise<void> => {
    await page.getByRole('button', { name: 'Go on counting' }).first().click();
    await row(page, 'Camiseta').waitFor();
  };

  it('are narrowed to how they stand, and walked with the arrow keys', async () => {
    const page = await open({ stocktakes, lines });
    await goOn(page);
    await page.locator('.choice').getByText('No figure').click();
    await row(page, 'Camiseta').waitFor({ state: 'detached' });
    await row(page, 'Açaí').waitFor();
    await page.locator('.choice').getByText('All', { exact: true }).click();
    await page.getByRole('textbox', { name: field }).focus();
    await page.getByRole('region', { name: 'What was counted' }).focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toMatch(/^Change Pão/);
  });

  it('are saved as a file in which an unknown figure is no nought', async () => {
    const page = await open({ stocktakes: stocktakes.map((one) => ({ ...one, name: 'Açougue: 4/5 <A>' })), lines });
    await goOn(page);
    await page.getByLabel('Kind of file').selectOption('csv');
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Save as file' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/^tillside-count-Açougue-4-5-A-\d{4}-\d\d-\d\d\.csv$/);
    const [head, ...rows] = (await readFile(await download.path(), 'utf8')).split('\r\n');
    expect(head).toBe(
      '\uFEFFCount,Stock,Product ID,Code,Name,Counted,Unit,Copy’s figure,As of,Age in minutes,Difference,Result,Counted at,Counted by',
    );
    expect(rows[4]).toMatch(
      /^Açougue: 4\/5 <A>,Loja,104,A-104,"Pão .*",9,PACOTE,12,2026-.*,20,-3,Different,2026-.*,ana@/,
    );
    expect(rows[2]).toMatch(/^Açougue: 4\/5 <A>,Loja,106,A-106,.*,7,POTE,,,,,No figure,/);
    expect(rows[0]).toMatch(/^Açougue: 4\/5 <A>,Loja,105,A-105,.*,,CX10,-6,2026-.*,,,Not counted,,$/);
  });

  it('are printed as one table, and nothing else is', async () => {
    const page = await open({ stocktakes, lines });
    await goOn(page);
    await page.evaluate(() => {
      Object.assign(window, {
        printed: 0,
        print: () => Object.assign(window, { printed: (window as unknown as { printed: number }).printed + 1 }),
      });
    });
    await page.getByRole('button', { name: 'Print' }).click();
    await page.waitForFunction(() => (window as unknown as { printed: number }).printed === 1);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.print-lines tbody tr').count()).toBe(lines.length);
    expect(await page.locator('.shell').isVisible()).toBe(false);
    expect(await page.locator('.print-lines').innerText()).toContain('The copy has no figure');
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    await page.locator('.print-lines').waitFor({ state: 'detached' });
  });

  it('of 2,000 are drawn as far as they are in sight', async () => {
    const many = Array.from({ length: 2_000 }, (_, place) => ({
      ...(lines[0] as (typeof lines)[number]),
      id: 10_000 + place,
      productId: id(String(10_000 + place)),
      name: `Produto ${place}`,
    }));
    const page = await open({ stocktakes: stocktakes.slice(0, 1), lines: many });
    await page.getByRole('button', { name: 'Go on counting' }).first().click();
    await row(page, 'Produto 0').first().waitFor();
    await scan(page, coffee);
    await row(page, 'Serra Clara').waitFor();
    expect(await page.getByRole('listitem').count()).toBeLessThan(40);
    const asked = await inputsOf(page, 'stocktake:listLines');
    expect(asked.every(({ limit }) => limit === 100)).toBe(true);
  });
});

describe('all counts', () => {
  it('are deleted after a question alone', async () => {
    const page = await open({ stocktakes, lines });
    const first = row(page, 'Prateleira 4');
    await first.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Keep it' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await first.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog').getByText('5 counted lines are gone').waitFor();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await first.waitFor({ state: 'detached' });
    expect(await inputsOf(page, 'stocktake:delete')).toEqual([{ stocktakeId: 3 }]);
  });

  it("are deleted by the manager's PIN where deleting is locked", async () => {
    const { lock } = readyState(nowMs);
    const page = await open({ stocktakes, lines, pin: '2580', state: { lock: { ...lock, hasPin: true } } });
    const first = row(page, 'Prateleira 4');
    await first.getByRole('button', { name: "Locked: asks for the manager's PIN Delete" }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('dialog', { name: "Manager's PIN" }).getByText('Discarding and deleting is locked.').waitFor();
    await page.keyboard.type('2580', { delay: 130 });
    await page.keyboard.press('Enter');
    await first.waitFor({ state: 'detached' });
  });

  it('are begun for what a filter fits, after it was said how many products that are', async () => {
    const page = await open();
    await page.getByLabel('Shelf or name').fill('Coffee');
    await page.getByText('A filter', { exact: true }).click();
    await page.getByText('22 products').waitFor();
    await page.getByLabel('Balance').selectOption('Zero');
    await page.getByText('1 product', { exact: true }).waitFor();
    await page.getByLabel('Name, code or barcode').fill('pao');
    await page.getByRole('button', { name: 'Begin counting' }).click();
    await page.getByRole('heading', { name: 'Coffee' }).waitFor();
    expect(await inputsOf(page, 'stocktake:start')).toMatchObject([{ filter: { term: 'pao', amount: 'zero' } }]);
  });

  it('say that the platform takes no counted stock', async () => {
    const page = await open();
    await page.getByText('The platform takes no counted stock from Tillside', { exact: false }).waitFor();
  });

  it('are printed as labels: as many as there are pieces, one of a weight, none of what the copy has not', async () => {
    const card = (productId: string, name: string, unit: string) => ({
      stockId: '11',
      stockName: 'Loja',
      productId,
      code: `A-${productId}`,
      name,
      unit,
      barcodes: [],
      balance: { amount: 1, asOf: nowMs, source: 'listing' },
      options: [],
      extra: [],
      minimum: null,
      coupon: { isEnabled: false, status: 'confirmed', failure: null },
    });
    const labelPrinter = { kind: 'network', host: '192.0.2.40', port: 9100, language: 'zpl', dpi: 203 } as const;
    const page = await begin({
      state: { labelPrinter },
      answers: {
        'product:readMany': {
          ok: true,
          value: [null, card('103', 'Camiseta básica', 'UNID'), card('102', 'Queijo minas frescal', 'KG')],
        },
      },
    });
    for (const code of [coffee, shirt, shirt, shirt, '9520000000042']) {
      await scan(page, code);
    }
    await page.getByRole('textbox', { name: field }).fill('queijo minas');
    await page.keyboard.press('Enter');
    await row(page, 'Queijo').waitFor();
    await page.getByRole('button', { name: 'Labels' }).click();
    const dialog = page.getByRole('dialog', { name: 'Labels of 2 products' });
    await dialog.getByRole('button', { name: 'Print 4 labels' }).click();
    const copies = async (): Promise<unknown> =>
      (await inputsOf(page, 'label:print')).map(({ labels }) =>
        (labels as readonly { readonly copies: number }[]).map((one) => one.copies),
      );
    await expect.poll(copies).toEqual([[3, 1]]);
    const [asked] = await inputsOf(page, 'product:readMany');
    expect(asked?.['places']).toEqual(['101', '103', '102'].map((productId) => ({ stockId: '11', productId })));
    await dialog.getByText('The same number of each', { exact: true }).click();
    await dialog.getByRole('textbox', { name: 'Copies' }).fill('5');
    await dialog.getByRole('button', { name: 'Print 10 labels' }).waitFor();
  });
});
