import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { tabThrough } from './keyboard.ts';
import type { ShownScene } from './scene-steps.ts';
import { scenes } from './scenes.ts';
import { setStage } from './stage.ts';
import { applyLook, openScene, themes } from './walk.ts';

const stage = setStage();
const named = (name: string): ShownScene => {
  const found = scenes.find((one) => one.name === name);
  if (found === undefined) {
    throw new Error(`no scene is called ${name}`);
  }
  return found;
};

const open = (name: string, context: Parameters<typeof openScene>[3]): Promise<Page> =>
  openScene(stage, named(name), undefined, context);

/** The marks that tell one state from another without a shadow: ground, edge, outline and ink. */
const look = (place: Locator): Promise<string> =>
  place.first().evaluate((element) => {
    const { backgroundColor, borderColor, color, outlineStyle, outlineColor } = getComputedStyle(element);
    return [backgroundColor, borderColor, color, outlineStyle === 'none' ? '' : outlineColor].join(' | ');
  });

describe('the system’s own colours', () => {
  const forced = { forcedColors: 'active' } as const;

  it.each([
    'first-run',
    'connect-errors',
    'sign-in',
    'lookup-found',
    'stock-filters',
    'coupons-chosen',
    'queue-parked',
    'settings-general',
    'settings-scanner',
    'label-dialog',
    'companion-found',
  ])('show where the keyboard is in %s', async (name) => {
    const page = await open(name, forced);
    expect(await tabThrough(page)).toEqual([]);
    await page.context().close();
  });

  it('tell a switch that is on from one that is off, and what is ticked', async () => {
    const page = await open('coupons', forced);
    const track = (state: string): Locator =>
      page.locator(`.coupon-table [role="switch"]${state} + *, [role="grid"] input[role="switch"]${state} + *`);
    expect(await look(track(':checked'))).not.toBe(await look(track(':not(:checked)')));
    const tick = page.getByRole('checkbox').nth(1);
    const before = await look(tick);
    await page.locator('.coupon-tick').nth(0).click();
    await expect.poll(() => look(tick)).not.toBe(before);
    await page.context().close();
  });

  it('tell what is chosen from what is not, and where one is', async () => {
    const page = await open('settings-general', forced);
    expect(await look(page.locator('.choice .mantine-SegmentedControl-label[data-active]'))).not.toBe(
      await look(page.locator('.choice .mantine-SegmentedControl-label:not([data-active])')),
    );
    expect(await look(page.locator('.rail-link[aria-current]'))).not.toBe(
      await look(page.locator('.rail-link:not([aria-current])')),
    );
    expect(await look(page.locator('.settings-section[aria-current]'))).not.toBe(
      await look(page.locator('.settings-section:not([aria-current])')),
    );
    await page.context().close();
  });

  it('leave a barcode black on white, and progress to be seen', async () => {
    const page = await open('details', forced);
    expect(
      await page
        .locator('.barcode-plate')
        .first()
        .evaluate((plate) => [getComputedStyle(plate).backgroundColor, getComputedStyle(plate).color]),
    ).toEqual(['rgb(255, 255, 255)', 'rgb(0, 0, 0)']);
    await page.context().close();
    const copying = await open('copying', forced);
    expect(await look(copying.locator('.mantine-Progress-section'))).not.toBe(
      await look(copying.locator('.mantine-Progress-root')),
    );
    await copying.context().close();
  });
});

describe('more contrast', () => {
  it('makes soft inks and thin lines strong in both themes', async () => {
    const page = await open('settings-general', { contrast: 'more' });
    const plain = await open('settings-general', {});
    for (const theme of themes) {
      const role = async (shown: Page, name: string): Promise<string> => {
        await applyLook(shown, { theme, language: 'en' });
        return shown.evaluate((wanted) => getComputedStyle(document.documentElement).getPropertyValue(wanted), name);
      };
      for (const name of ['--ink-soft', '--line', '--accent', '--warn', '--bad']) {
        expect(await role(page, name), `${theme} ${name}`).not.toBe(await role(plain, name));
      }
    }
    await page.context().close();
    await plain.context().close();
  });
});
