// Checks every scene for everyone (WCAG 2.2 A and AA): axe-core in both themes, targets of 44 pixels and whole texts at both sizes in the three
// languages, whole texts at 200%, nothing that moves where less motion is wanted, nothing technical, nothing told to a mouse alone, and the keyboard alone. Never says how a scene should look.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { tabThrough } from './keyboard.ts';
import { findHoverOnly, findLostTexts, findMotion, findSmallTargets, findTechnical } from './probes.ts';
import { readyState } from './ready-state.ts';
import { sceneNowMs } from './scene-goods.ts';
import { scenes, type ShownScene } from './scenes.ts';
import { setStage } from './stage.ts';
import { dress, openScene, sizesOf, spoken } from './walk.ts';

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const ofColours = ['color-contrast', 'link-in-text-block'];
const leastTarget = 44;
const mostMotionSeconds = 0.01;
/** What these show is for whoever sets the terminal up or helps from afar. */
const forTechnicians = /^(?:settings|support|connect)-/;
interface AxeResult {
  readonly violations: readonly { readonly id: string; readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[] }[];
}

const stage = setStage();

/** What axe-core has against the page: all of it in the one theme, and in the other what colours decide, for nothing else is different there. */
async function askAxe(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(axeSource);
  for (const [theme, runOnly] of [['light', rules], ['dark', { type: 'rule', values: ofColours }]] as const) {
    await dress(page, { theme, language: 'en' });
    const { violations } = await page.evaluate((only) => (window as unknown as { axe: { run(context: Document, options: object): Promise<AxeResult> } }).axe.run(document, { runOnly: only, resultTypes: ['violations'] }), runOnly);
    found.push(...violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) => `${theme}: ${id} at ${target.join(' ')}: ${failureSummary ?? ''}`)));
  }
  return found;
}

/** What cannot be pressed or read at both sizes in the three languages, and at 200%. */
async function measure(page: Page, one: ShownScene): Promise<string[]> {
  const found: string[] = [];
  const note = (when: string, problems: readonly string[]): number => found.push(...problems.map((problem) => `${when}: ${problem}`));
  for (const size of sizesOf(one)) {
    for (const language of spoken) {
      await page.setViewportSize(size);
      await dress(page, { theme: 'light', language });
      note(`${size.width} ${language}`, [...(await page.evaluate(findSmallTargets, leastTarget)), ...(await page.evaluate(findLostTexts))]);
    }
    // What a page of this size is at 200% (WCAG 2.2, 1.4.4), in the language that takes the most room. The companion bar's window grows with it.
    if (one.path === undefined) {
      await page.setViewportSize({ width: size.width / 2, height: size.height / 2 });
      await dress(page, { theme: 'light', language: 'pt-BR' });
      note(`${size.width} at 200%`, await page.evaluate(findLostTexts));
    }
  }
  return found;
}

it.concurrent.each(scenes)('$name is there for everyone', async (one: ShownScene) => {
  const page = await openScene(stage, one);
  const motion = await page.evaluate(findMotion, mostMotionSeconds);
  const forMiceAlone = await page.evaluate(findHoverOnly);
  const technical = forTechnicians.test(one.name) ? [] : await page.evaluate(findTechnical);
  const axe = await askAxe(page);
  const keyboard = await tabThrough(page);
  const sizesAndWords = await measure(page, one);
  await page.context().close();
  expect({ motion, forMiceAlone, technical, axe, keyboard, sizesAndWords }).toEqual({ motion: [], forMiceAlone: [], technical: [], axe: [], keyboard: [], sizesAndWords: [] });
});

it('a lookup that fails says nothing technical outside of what is folded', async () => {
  const failure = { kind: 'platformFailed', status: 500, code: 'internal_server_error', message: 'at read (stock)' };
  const { page } = await stage.open({ state: readyState(sceneNowMs), nowMs: sceneNowMs, answers: { 'lookup:find': { ok: false, failure } } });
  await page.getByRole('textbox', { name: 'Barcode, code or name' }).fill('9520000000028');
  await page.keyboard.press('Enter');
  const folded = page.locator('.miss details');
  await folded.waitFor();
  expect(await page.evaluate(findTechnical)).toEqual([]);
  // The control: unfolded, it would be found.
  await folded.evaluate((element) => element.replaceWith(...element.children));
  expect(await page.evaluate(findTechnical)).toEqual(['HTTP 500 · internal_server_error', 'at read (stock)']);
  await page.context().close();
});
