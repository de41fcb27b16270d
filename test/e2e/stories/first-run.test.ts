import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, it } from 'vitest';
import { shareOf } from '../../support/night.ts';
import { surfaces, type Running } from '../../support/surface.ts';
import { scan } from '../../support/wedge.ts';
import { ean13Modules } from '../../unit/renderer/labels/ean13.ts';

/** Presses what a person would, and counts. */
function createHand(page: Page) {
  let steps = 0;
  return {
    press: async (name: string | RegExp): Promise<void> => {
      await page.getByRole('button', { name }).first().click();
      steps += 1;
    },
    steps: () => steps,
  };
}

/**
 * The modules of the first sample as a scanner sees them, whether it has its white on both sides (GS1 General
 * Specifications §5.2.3.4), and their width.
 */
function modulesOf(page: Page): Promise<{ modules: string; isQuiet: boolean; pixelsAModule: number }> {
  return page
    .locator('.sample-plate svg')
    .first()
    .evaluate((svg: SVGSVGElement) => {
      const path = svg.querySelector('path');
      const width = svg.viewBox.baseVal.width;
      const middle = svg.viewBox.baseVal.height / 2;
      const columns = Array.from({ length: width }, (_, x) =>
        path?.isPointInFill(new DOMPoint(x + 0.5, middle)) === true ? '1' : '0',
      );
      const [from, to] = [columns.indexOf('1'), columns.lastIndexOf('1')];
      const pixelsAModule = (to + 1 - from) / 95;
      const modules = Array.from({ length: 95 }, (_, place) => columns[from + place * pixelsAModule]).join('');
      return { modules, isQuiet: from >= 11 * pixelsAModule && width - to - 1 >= 7 * pixelsAModule, pixelsAModule };
    });
}

describe.each(shareOf(surfaces, 1))('the first run $name', ({ missing, isRequired, start }) => {
  const folders: string[] = [];
  const newFolder = (): string => {
    const folder = mkdtempSync(join(tmpdir(), 'tillside-first-run-'));
    folders.push(folder);
    return folder;
  };
  afterAll(() => folders.forEach((folder) => rmSync(folder, { recursive: true, force: true })));
  const isSkipped = missing !== null && !isRequired;

  it.skipIf(isSkipped)(
    'answers a first scan after two steps, and a barcode scanned off the screen after one',
    async () => {
      const running: Running = await start(newFolder());
      const { page } = running;
      const hand = createHand(page);
      await hand.press('Practice store');
      const samples = page.getByRole('list', { name: 'Barcodes to try' });
      await samples.waitFor();
      const code = await samples.locator('.sample-plate .mono').first().innerText();
      expect(await modulesOf(page)).toEqual({ modules: ean13Modules(code), isQuiet: true, pixelsAModule: 2 });
      const name = await samples.locator('.sample-name').first().innerText();
      await hand.press(new RegExp(code));
      await page.getByRole('region', { name }).waitFor();
      expect(hand.steps()).toBe(2);

      await page.keyboard.press('Escape');
      const other = await samples.locator('.sample-plate .mono').nth(1).innerText();
      await scan(page, other);
      await page.locator('.card').getByText(other).first().waitFor();
      await page.keyboard.press('Escape');
      await hand.press(/A code that no product has/);
      await page.locator('.miss').waitFor();
      expect(running.complaints).toEqual([]);
      await running.close();
    },
  );

  it.skipIf(isSkipped)(
    'shows a short tour that blocks no scan, stays skipped after a restart, and can be called again',
    async () => {
      const folder = newFolder();
      const first = await start(folder);
      const hand = createHand(first.page);
      await hand.press('Practice store');
      const tour = (page: Page) => page.getByRole('region', { name: 'Short tour' });
      await tour(first.page).getByText('1 of 5').waitFor();
      await first.page.getByRole('list', { name: 'Barcodes to try' }).waitFor();
      await scan(first.page, await first.page.locator('.sample-plate .mono').first().innerText());
      await first.page.locator('.card').waitFor();
      await tour(first.page).getByText('2 of 5').waitFor();
      await hand.press('Skip the tour');
      await tour(first.page).waitFor({ state: 'detached' });
      expect(hand.steps()).toBe(2);
      // The page does not wait for it; whoever ends the program at once sees the tour again.
      await expect.poll(() => readFileSync(join(folder, 'settings.json'), 'utf8')).toMatch(/"isTourSeen":\s*true/);
      await first.close();

      const second = await start(folder);
      await second.page.locator('.finder-input:focus').waitFor();
      expect(await tour(second.page).count()).toBe(0);
      await second.page.keyboard.press('F1');
      await second.page
        .getByRole('dialog', { name: 'Help' })
        .getByRole('button', { name: 'Show the short tour' })
        .click();
      for (const place of [1, 2, 3, 4]) {
        await tour(second.page).getByText(`${place} of 5`).waitFor();
        await second.page.getByRole('button', { name: 'Next' }).click();
      }
      await second.page.getByRole('button', { name: 'Done' }).click();
      await tour(second.page).waitFor({ state: 'detached' });
      expect(second.complaints).toEqual([]);
      await second.close();
    },
  );
});
