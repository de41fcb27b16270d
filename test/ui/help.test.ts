import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { helpPages } from '../../renderer/stores/navigation.ts';
import { shopPages } from '../support/docs.ts';
import { scan } from '../support/wedge.ts';
import { callsOf } from './fake.ts';
import { firstRun } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { failing } from './scene-steps.ts';
import { setStage } from './stage.ts';
import { sentences } from '../support/sentences.ts';
import { languages } from '../../app/domain/language.ts';

const nowMs = Date.now();
const stage = setStage();

async function open(
  state: Partial<TerminalState> = {},
  size = { width: 1024, height: 768 },
  answers: Readonly<Record<string, unknown>> = {},
): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs, state), nowMs, answers }, size);
  await page.locator('main').waitFor();
  return page;
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Help' });
const contents = (page: Page) => page.getByRole('navigation', { name: 'Contents' });
const focused = (page: Page): Promise<string> => page.evaluate(() => document.activeElement?.textContent ?? '');
const englishTitles = (page: string, depth: number): string[] =>
  shopPages
    .find(({ path }) => path === `docs/en/${page}.md`)
    ?.headings.filter((heading) => heading.depth === depth)
    .map(({ title }) => title) ?? [];

async function openPage(page: Page, name: string): Promise<void> {
  await page.keyboard.press('F1');
  await contents(page).getByRole('button', { name }).click();
  await page.getByRole('article', { name }).waitFor();
}

describe('the help', () => {
  it('has every page of docs/ with its sections, and the keys', async () => {
    const page = await open();
    await page.keyboard.press('F1');
    await dialog(page).getByRole('heading', { name: 'Keyboard' }).waitFor();
    for (const [place, name] of helpPages.entries()) {
      await contents(page)
        .getByRole('button')
        .nth(place + 1)
        .click();
      const [title = ''] = englishTitles(name, 1);
      await dialog(page).getByRole('heading', { name: title, exact: true }).waitFor();
      expect(await focused(page)).toBe(title);
      expect(await page.getByRole('navigation', { name: 'On this page' }).getByRole('button').allInnerTexts()).toEqual(
        englishTitles(name, 2),
      );
    }
  });

  it('shows its pictures, and lets no address lead out of the app', async () => {
    const page = await open();
    await openPage(page, 'Cashier');
    const pictures = page.locator('.help-page img');
    expect(await pictures.count()).toBeGreaterThan(0);
    await expect
      .poll(() =>
        pictures.evaluateAll((all) => all.every((one) => one instanceof HTMLImageElement && one.naturalWidth === 1024)),
      )
      .toBe(true);
    await contents(page).getByRole('button', { name: 'Questions' }).click();
    await page.getByText('It should look like https://shop.example.com').waitFor();
    expect(await page.locator('.help-page a[href*=":"]').count()).toBe(0);
  });

  it('is scrolled by keys, leads from page to page by its links, and keeps the focus', async () => {
    const page = await open();
    await openPage(page, 'Cashier');
    const scrolled = (): Promise<number> => page.locator('.help-page').evaluate(({ scrollTop }) => scrollTop);
    await page.keyboard.press('PageDown');
    await expect.poll(scrolled).toBeGreaterThan(100);
    await page.getByRole('link', { name: 'Scanner', exact: true }).click();
    await page.getByRole('article', { name: 'Questions and answers' }).waitFor();
    await expect.poll(() => focused(page)).toBe('Scanner');
    // The address of the page behind it stays.
    expect(await page.evaluate(() => location.hash)).not.toContain('scanner');
    for (let stop = 0; stop < 80; stop += 1) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
    }
  });

  it('goes to a section of a page from its list', async () => {
    const page = await open({}, { width: 600, height: 700 });
    await openPage(page, 'Technician');
    const last = englishTitles('technician', 2).at(-1) ?? '';
    await page
      .getByRole('navigation', { name: 'On this page' })
      .getByRole('button', { name: last, exact: true })
      .click();
    const heading = dialog(page).getByRole('heading', { name: last, exact: true });
    await expect.poll(() => focused(page)).toBe(last);
    const [title, found] = [await dialog(page).locator('header').boundingBox(), await heading.boundingBox()];
    expect(found?.y).toBeGreaterThanOrEqual((title?.y ?? 0) + (title?.height ?? 0));
    expect((found?.y ?? 0) + (found?.height ?? 0)).toBeLessThan(700);
  });

  it('lets a scan wait until it is closed, and gives the focus back', async () => {
    const page = await open();
    await page.locator('.finder-input').focus();
    await openPage(page, 'Manager');
    await scan(page, '7890000000101');
    await page.getByText('Scanned 7890000000101: close this to see it.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('region', { name: /Café/ }).waitFor();
    expect(await page.evaluate(() => document.activeElement?.matches('.finder-input'))).toBe(true);
  });

  it('opens before anybody has signed in, without the tour', async () => {
    const page = await open(firstRun);
    await page.getByRole('button', { name: 'Help' }).click();
    await page.getByRole('article', { name: 'Cashier' }).waitFor();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    await page.keyboard.press('F1');
    await dialog(page).getByRole('heading', { name: 'Keyboard' }).waitFor();
    expect(await page.getByRole('button', { name: 'Show the short tour' }).count()).toBe(0);
  });
});

describe('what failed', () => {
  const coffee = '7890000000101';
  /** The text of the row that has the focus. */
  const answered = (page: Page): Promise<string | undefined> =>
    page.evaluate(() => document.activeElement?.closest('tr')?.cells[0]?.innerText);

  it.each(languages)('leads to its answer by the keyboard, and lets the next scan through, in %s', async (language) => {
    const words = sentences[language];
    const page = await open({ language }, undefined, { 'lookup:find': failing({ kind: 'storageFailed' }) });
    await page.locator('.finder-input').focus();
    await scan(page, coffee);
    const link = page.getByRole('button', { name: words.help.answer });
    await link.press('Enter');
    await page.getByRole('article', { name: words.help.part.questions }).waitFor();
    await expect.poll(() => answered(page)).toBe(words.failure.storageFailed.says);
    const [row, article] = [
      await page.locator('tr:focus').boundingBox(),
      await page.locator('.help-page').boundingBox(),
    ];
    expect(row?.y).toBeGreaterThan(article?.y ?? 0);
    expect((row?.y ?? 0) + (row?.height ?? 0)).toBeLessThan((article?.y ?? 0) + (article?.height ?? 0));
    await page.keyboard.press('Escape');
    await page.locator('.help').waitFor({ state: 'detached' });
    await expect.poll(() => link.evaluate((button) => button === document.activeElement)).toBe(true);
    // The scanner's Enter presses nothing.
    await scan(page, coffee);
    await expect.poll(async () => (await callsOf(page, 'lookup:find')).length).toBe(2);
    expect(await page.locator('.help').count()).toBe(0);
  });

  it('leads there from a band and from a dialog, which stays below', async () => {
    const page = await open(
      { notices: [{ id: 1, kind: 'queueSetAside', detail: 'queue.db.damaged' }] },
      { width: 600, height: 700 },
      { 'settings:update': failing({ kind: 'storageFull' }) },
    );
    await page.getByRole('button', { name: 'What can I do?' }).click();
    await expect.poll(() => answered(page)).toMatch(/^The queue's file was damaged and has been set aside as …$/);
    await page.keyboard.press('F1');
    await dialog(page).waitFor({ state: 'detached' });
    await scan(page, coffee);
    await page.getByRole('button', { name: 'Print label' }).click();
    const label = page.getByRole('dialog', { name: 'Shelf label' });
    await label.getByRole('button', { name: 'Save as PDF' }).click();
    const link = label.getByRole('alert').getByRole('button', { name: 'What can I do?' });
    await link.click();
    await expect.poll(() => answered(page)).toBe('The disk is full.');
    await page.locator('tr:focus').click();
    await page.keyboard.press('Escape');
    await dialog(page).waitFor({ state: 'detached' });
    expect(await label.isVisible()).toBe(true);
    await expect.poll(() => link.evaluate((button) => button === document.activeElement)).toBe(true);
  });
});
