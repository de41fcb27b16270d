import { coffee } from '../scene-fixtures.ts';
import { answered, at, type ShownScene } from '../scene-steps.ts';
import { lookupFails } from './lookup.ts';

/** Opens the help, and then another part of it than the keys by its place in the contents. */
export const help =
  (part = 0): NonNullable<ShownScene['steps']> =>
  async (page) => {
    await page.locator('.finder-input').waitFor();
    await page.keyboard.press('F1');
    await page.locator('.key-list').first().waitFor();
    if (part > 0) {
      await page.locator('.help-contents button').nth(part).click();
      await page.locator('.help-sections').waitFor();
    }
  };

export const helpScenes: readonly ShownScene[] = [
  at('help-keys', {}, help()),
  at('help', {}, help(1), { isOpenedAnew: true }),
  at('help-narrow', {}, help(1), { isOpenedAnew: true, sizes: [{ width: 600, height: 900 }] }),
  at(
    'help-questions',
    {},
    async (page) => {
      await help(4)(page);
      await page.locator('.help-sections button').nth(1).click();
    },
    { isOpenedAnew: true },
  ),
  // The sentence is the page's language's: this one is at its row in Portuguese alone.
  at(
    'help-questions-answer',
    { language: 'pt-BR' },
    async (page) => {
      await answered(page, coffee, '.help-link');
      await page.locator('.help-link').click();
      await page.locator('.help-page tr:focus').waitFor();
    },
    { ...lookupFails, isOpenedAnew: true },
  ),
];
