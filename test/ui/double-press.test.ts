import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { goTo } from '../e2e/story.ts';
import { scan } from '../support/wedge.ts';
import { callsOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { stocktakes } from './scenes/stocktakes.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();

async function open(screen: 'Queue' | 'Count', context = {}): Promise<Page> {
  const scene = { state: readyState(nowMs), nowMs, stocktakes };
  const { page } = await stage.open(scene, { width: 1024, height: 768 }, { context });
  await goTo(page, screen);
  return page;
}

/** Presses the middle of this, the so-manieth time in a row as whoever counts double clicks counts them. */
async function press(page: Page, on: Locator, clickCount: number): Promise<void> {
  const box = await on.boundingBox();
  if (box === null) {
    throw new Error('nothing to press');
  }
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await pressAgain(page, clickCount);
}

/** Presses where the mouse is. */
async function pressAgain(page: Page, clickCount: number): Promise<void> {
  await page.mouse.down({ clickCount });
  await page.mouse.up({ clickCount });
}

describe('the second press of a double click', () => {
  it.each(['Retry', 'Discard'])('decides nothing of the row that %s has brought under it', async (what) => {
    const page = await open('Queue');
    const decided = () => callsOf(page, 'queue:retry', 'queue:discard');
    const row = page.getByRole('listitem').filter({ hasText: 'Água de coco 1 litro' });
    await press(page, row.getByRole('button', { name: what }), 1);
    await expect.poll(() => page.locator('li:hover').innerText()).toMatch(/^Camiseta/);
    await pressAgain(page, 2);
    await pressAgain(page, 3);
    expect(await decided()).toHaveLength(1);
    // Nor has Enter anything to decide now.
    expect(await page.locator(':focus').innerText()).toBe('History');
    // One that is not of the double click.
    await pressAgain(page, 1);
    expect(await decided()).toHaveLength(2);
  });

  it('does nothing behind the dialog that the first has closed', async () => {
    const page = await open('Count');
    await page.getByRole('button', { name: 'Delete' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Keep it' }).waitFor();
    await press(page, dialog.getByRole('button', { name: 'Close' }), 1);
    await dialog.waitFor({ state: 'detached' });
    await pressAgain(page, 2);
    expect(await callsOf(page, 'stocktake:setClosed')).toEqual([]);
  });

  it('opens one control panel of the practice store', async () => {
    const state = readyState(nowMs, { mode: 'practice', practice: { isNetworkDown: false, hasPanel: true } });
    const answers = { 'practice:openPanel': { ok: true, value: { url: null } } } as const;
    const { page } = await stage.open({ state, nowMs, answers }, { width: 1024, height: 768 });
    await goTo(page, 'Settings');
    await page.getByRole('link', { name: 'This till' }).click();
    const panel = page.getByRole('button', { name: 'Practice control panel' });
    await panel.dblclick();
    expect(await callsOf(page, 'practice:openPanel')).toHaveLength(1);
    await panel.click();
    expect(await callsOf(page, 'practice:openPanel')).toHaveLength(2);
  });

  it('presses again what has moved, but is under it still', async () => {
    const page = await open('Queue');
    await page.evaluate(() => {
      const button = document.createElement('button');
      button.style.cssText = 'position: fixed; top: 0; left: 0; width: 100px; height: 40px; z-index: 9999';
      button.addEventListener('click', () => {
        button.style.left = '50px';
        button.textContent = `${Number(button.textContent) + 1}`;
      });
      document.body.append(button);
    });
    await page.mouse.move(48, 20);
    await pressAgain(page, 1);
    await page.mouse.move(52, 20);
    await pressAgain(page, 2);
    expect(await page.locator('body > button').innerText()).toBe('2');
  });

  it('types the digit beside the first', async () => {
    const page = await open('Count', { hasTouch: true });
    await page.getByLabel('Shelf or name').fill('Shelf 4');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Shelf 4' }).waitFor();
    await scan(page, '7890000000101');
    await page.getByRole('region', { name: 'Counted last' }).waitFor();
    await page.keyboard.press('Alt+M');
    const dialog = page.getByRole('dialog');
    const key = (digit: string) => dialog.getByRole('button', { name: digit, exact: true });
    await press(page, key('1'), 1);
    await press(page, key('2'), 2);
    await pressAgain(page, 3);
    expect(await dialog.getByRole('textbox').inputValue()).toBe('122');
  });
});
