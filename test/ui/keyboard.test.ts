import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { keysOf, screenShortcuts, shortcuts } from '../../renderer/stores/shortcuts.ts';
import { scan } from '../support/wedge.ts';
import { callsOf, inputsOf } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.now();
const coffee = '7890000000101';
const stage = setStage();

async function open(state: Partial<TerminalState> = {}, more: Partial<Scene> = {}): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs, state), nowMs, ...more }, { width: 1024, height: 768 });
  await page.locator('.finder-input').waitFor();
  return page;
}

const field = (page: Page) => page.getByRole('textbox', { name: 'Barcode, code or name' });
const isFocused = (page: Page, selector: string): Promise<boolean> =>
  page.evaluate((wanted) => document.activeElement?.matches(wanted) === true, selector);
const chord = (id: (typeof shortcuts)[number]['id']): string => keysOf(id).join('+').replace('Esc', 'Escape');
const current = (page: Page): Promise<string> => page.evaluate(() => location.hash.slice(1));

describe('every screen', () => {
  it('has a key, and Escape leads home from it', async () => {
    const page = await open();
    for (const screen of screenShortcuts) {
      await page.keyboard.press(chord(screen));
      await page.waitForFunction((wanted) => location.hash.split('/')[0] === `#${wanted}`, screen);
      await page.locator('main h1').first().waitFor();
      await page.keyboard.press('Escape');
      await page.waitForFunction(() => location.hash === '#lookup');
      await page.waitForFunction(() => document.activeElement?.matches('.finder-input') === true);
    }
  });
});

describe('the help', () => {
  it('opens with F1 or its button, tells every key, and closes with F1 or Escape without going home', async () => {
    const page = await open();
    await page.keyboard.press(chord('stock'));
    await page.waitForFunction(() => location.hash === '#stock');
    await page.keyboard.press('F1');
    const dialog = page.getByRole('dialog', { name: 'Help' });
    await dialog.locator('.key-list').first().waitFor();
    const listed = await dialog.locator('.key-list dd').allInnerTexts();
    for (const { id } of shortcuts) {
      expect(
        listed.map((keys) => keys.split(/\s+/).join('+')),
        id,
      ).toContain(keysOf(id).join('+'));
    }
    await page.keyboard.press('F1');
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Help' }).click();
    await dialog.waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    expect(await current(page)).toBe('stock');
    await page.keyboard.press('Escape');
    await page.waitForFunction(() => location.hash === '#lookup');
  });

  it('keeps other keys to itself', async () => {
    const page = await open();
    await scan(page, coffee);
    await page.getByRole('region', { name: /Café/ }).waitFor();
    await page.keyboard.press('F1');
    await page.getByRole('dialog', { name: 'Help' }).waitFor();
    await page.keyboard.press('F4');
    await page.keyboard.press(chord('queue'));
    expect([await inputsOf(page, 'coupon:switch'), await current(page)]).toEqual([
      [],
      expect.not.stringContaining('queue'),
    ]);
  });
});

describe('the answer', () => {
  it('is worked with by keys: details, coupon, label, live figure, and the field again', async () => {
    const page = await open();
    await scan(page, coffee);
    await page.getByText(/^Live, as of/).waitFor();

    await page.keyboard.press(chord('coupon'));
    await page.getByText('waiting to be sent', { exact: true }).waitFor();
    expect(await inputsOf(page, 'coupon:switch')).toEqual([{ productId: '101', isEnabled: false }]);

    // Its second stock may still be asked for, and nothing is asked beside that.
    await page.getByRole('button', { name: 'Ask for the live figure', exact: true }).waitFor();
    const asked = (await inputsOf(page, 'product:refresh')).length;
    await page.keyboard.press(chord('refresh'));
    await expect.poll(async () => (await callsOf(page, 'product:refresh')).length).toBeGreaterThan(asked);

    await page.keyboard.press(chord('details'));
    await page.getByText('Lot L-0042').first().waitFor();
    await page.keyboard.press(chord('details'));
    await page.getByRole('region', { name: 'Entry batches' }).waitFor({ state: 'detached' });

    await page.keyboard.press(chord('label'));
    await page.getByRole('dialog', { name: 'Shelf label' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Shelf label' }).waitFor({ state: 'detached' });
    expect(await page.locator('.card').count()).toBe(1);

    await page.getByRole('button', { name: 'Print label' }).focus();
    await page.keyboard.press(chord('search'));
    await expect.poll(() => isFocused(page, '.finder-input')).toBe(true);
  });

  it('copied can be pasted: name, codes, the figure in its stock, and its age', async () => {
    const page = await open();
    await scan(page, coffee);
    await page.getByText(/^Live, as of/).waitFor();
    await page.keyboard.press(chord('copy'));
    await page.getByText('Copied', { exact: true }).waitFor();
    await page.keyboard.press(chord('stock'));
    const search = page.locator('.search-field input').first();
    await search.waitFor();
    await page.keyboard.press(chord('search'));
    await expect.poll(() => search.evaluate((input) => input === document.activeElement)).toBe(true);
    await page.keyboard.press('Control+V');
    // One line is all that a field takes.
    await expect
      .poll(() => search.inputValue())
      .toMatch(/^Café torrado e moído Serra Clara 500 g\s*A-101 · 7890000000101\s*Loja: 148 packets\s*Live, as of/);
  });

  it('is emptied by Escape wherever the focus is at home, and typing never meets a shortcut', async () => {
    const page = await open();
    await scan(page, coffee);
    await page.getByRole('region', { name: /Café/ }).waitFor();
    await page.locator('.recent-one').first().focus();
    await page.keyboard.press('Escape');
    await page.getByRole('heading', { name: 'Scan a product' }).waitFor();
    expect(await field(page).inputValue()).toBe('');
    expect(await isFocused(page, '.finder-input')).toBe(true);
    for (const key of 'locq') {
      await page.keyboard.press(key);
      await page.waitForTimeout(120);
    }
    expect([await field(page).inputValue(), await current(page)]).toEqual(['locq', 'lookup']);
  });
});

describe('a scanner', () => {
  it('never presses a shortcut, whatever its separators are', async () => {
    const page = await open();
    await scan(page, `0104012345678901\u001d21A1B2`);
    await page.locator('.miss, .card').first().waitFor();
    expect([await inputsOf(page, 'coupon:switch'), await page.getByRole('dialog').count()]).toEqual([[], 0]);
  });
});

describe('the size of the text', () => {
  const sizes = (page: Page) =>
    page.evaluate(() => ({
      root: document.documentElement.dataset['textSize'],
      px: parseFloat(getComputedStyle(document.body).fontSize),
    }));

  it('grows and shrinks with Control by its steps, also over a dialog, and no further', async () => {
    const page = await open({ host: 'electron' });
    expect(await sizes(page)).toEqual({ root: 'normal', px: 17 });
    await page.keyboard.press('Control+Equal');
    await expect.poll(() => sizes(page)).toEqual({ root: 'large', px: expect.closeTo(17 * 1.15) });
    await page.keyboard.press('F1');
    await page.getByRole('dialog').waitFor();
    await page.keyboard.press('Control+NumpadAdd');
    await expect.poll(() => sizes(page)).toEqual({ root: 'largest', px: expect.closeTo(17 * 1.3) });
    await page.keyboard.press('Control+NumpadAdd');
    await page.keyboard.press('Control+Minus');
    await expect.poll(() => sizes(page)).toMatchObject({ root: 'large' });
    await page.keyboard.press('Control+0');
    await expect.poll(() => sizes(page)).toEqual({ root: 'normal', px: 17 });
    expect((await callsOf(page, 'settings:update')).map(({ input }) => input['textSize'])).toEqual([
      'large',
      'largest',
      'large',
      'normal',
    ]);
  });

  it('is left to the browser where there is one, which has a zoom of its own', async () => {
    const page = await open({ host: 'browser' });
    await page.evaluate(() => {
      window.addEventListener('keydown', ({ key, defaultPrevented }) => {
        document.body.dataset['left'] = `${document.body.dataset['left'] ?? ''}${key}${String(defaultPrevented)}`;
      });
    });
    await page.keyboard.press('Control+Equal');
    expect(await page.evaluate(() => document.body.dataset['left'])).toBe('Controlfalse=false');
    expect(await callsOf(page, 'settings:update')).toEqual([]);
  });
});
