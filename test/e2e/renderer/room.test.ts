// Checks that every scene has room: for sentences that are 30% longer, in a build of the page that has them in the place of Spanish, and for letters of twice the
// size, in a browser that a person has set so. Nothing may be cut off, lie upon other words, or be out of reach.
import { describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { lengthen, longerWords } from './longer-words.ts';
import { findLostTexts } from './probes.ts';
import { scenes, type ShownScene } from './scenes.ts';
import { setStage, type Stage } from './stage.ts';
import { dress, openScene, settle, sizesOf } from './walk.ts';

/** What is lost at each size. */
async function lostAtEachSize(page: Page, one: ShownScene): Promise<string[]> {
  const found: string[] = [];
  for (const size of sizesOf(one)) {
    await page.setViewportSize(size);
    await settle(page);
    found.push(...(await page.evaluate(findLostTexts)).map((problem) => `${size.width}: ${problem}`));
  }
  return found;
}

describe('sentences that are 30% longer', () => {
  const stage: Stage = setStage({ plugins: [longerWords()] });

  it('are longer, and keep their gaps', () => {
    expect(lengthen('Sign out')).toBe('Siign ouut');
    expect(lengthen('{{count}} of {{total}} products')).toBe('{{count}} oof {{total}} produuucts');
  });

  it.concurrent.each(scenes)('have room in $name', async (one) => {
    const page = await openScene(stage, one);
    await dress(page, { theme: 'light', language: 'es' });
    expect(await lostAtEachSize(page, one)).toEqual([]);
    await page.context().close();
  });
});

describe('letters of twice the size', () => {
  const stage: Stage = setStage({ flags: ['--blink-settings=defaultFontSize=32,defaultFixedFontSize=26'] });

  it.concurrent.each(scenes)('have room in $name', async (one) => {
    const page = await openScene(stage, one);
    expect(await lostAtEachSize(page, one)).toEqual([]);
    await page.context().close();
  });
});
