import { writeFileSync } from 'node:fs';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  findOrphans,
  isWriting,
  lookAtScene,
  lookedAt,
  ofMostKinds,
  whyIncomparable,
  writeAlike,
} from './kept-pictures.ts';
import { drawOutage, outageFile } from './outage.ts';
import { isNight } from '../support/night.ts';
import { changeState } from './fake.ts';
import { tabThrough } from './keyboard.ts';
import { lengthenWords } from './longer-words.ts';
import { findHoverOnly, findLostTexts, findMotion, findSmallTargets, findTechnical } from './probes.ts';
import { readyState } from './ready-state.ts';
import { sceneNowMs } from './scene-fixtures.ts';
import type { ShownScene } from './scene-steps.ts';
import { axePath, drawNothing, setStage } from './stage.ts';
import { applyLook, changeLook, openScene, settled, sizesOf, spoken } from './walk.ts';

const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const ofColours = ['color-contrast', 'link-in-text-block'];
const minTargetPx = 44;
const maxMotionSeconds = 0.01;
/** The content of these is for whoever sets the terminal up or helps from afar. */
const forTechnicians = /^(?:settings-|support-|connect-|help-questions)/;
const goneThrough = new Set([...ofMostKinds].filter((_name, place) => place % 2 === 0));
interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly unknown[]; readonly failureSummary?: string }[];
  }[];
}

const stage = setStage();

/**
 * The faults that axe-core finds in the page: all of it in the one theme, and in the other what colours decide, for
 * nothing else is different there.
 */
async function askAxe(page: Page): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(`import('${axePath}').then(() => null)`);
  for (const [theme, runOnly] of [
    ['light', rules],
    ['dark', { type: 'rule', values: ofColours }],
  ] as const) {
    await applyLook(page, { theme, language: spoken[0] });
    const { violations } = await page.evaluate(
      (only) =>
        (window as unknown as { axe: { run(context: Document, options: object): Promise<AxeResult> } }).axe.run(
          document,
          { runOnly: only, resultTypes: ['violations'] },
        ),
      runOnly,
    );
    found.push(
      ...violations.flatMap(({ id, nodes }) =>
        nodes.map(({ target, failureSummary }) => `${theme}: ${id} at ${target.join(' ')}: ${failureSummary ?? ''}`),
      ),
    );
  }
  return found;
}

/** Makes each letter 15% wider, of which the average is half as wide as the font is large. */
function widenLetters(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { letter-spacing: 0.078em !important; }');
  document.adoptedStyleSheets.push(sheet);
}

/** What `measure` asks of the page, there and back once for each time. */
const probes = { settled, findLostTexts, findSmallTargets };
const probesText = Object.entries(probes).map(([name, probe]) => `${name}: ${probe.toString()}`);

/**
 * The faults of what cannot be pressed or read: at the first size in the three languages, with the largest text in the
 * two of long words, at 200%, with letters of twice the size, with wider letters and with words that are 30% longer; at
 * the other size in Portuguese.
 */
async function measure(page: Page, one: ShownScene, isWhole: boolean): Promise<string[]> {
  const found: string[] = [];
  await page.evaluate(`window.probes = { ${probesText.join()} }; null`);
  const note = async (when: string, least: number | null = null): Promise<void> => {
    const problems = await page.evaluate(async (px) => {
      const asked = (window as unknown as { readonly probes: typeof probes }).probes;
      await asked.settled();
      return [...asked.findLostTexts(), ...(px === null ? [] : asked.findSmallTargets(px))];
    }, least);
    found.push(...problems.map((problem) => `${when}: ${problem}`));
  };
  const [first, ...others] = sizesOf(one);
  if (!isWhole) {
    await Promise.all([page.setViewportSize(first), changeLook(page, { theme: 'light', language: 'pt-BR' })]);
    await note(`${first.width} pt-BR`, minTargetPx);
    return found;
  }
  for (const language of spoken) {
    await page.setViewportSize(first);
    // The page lays out two changes at once.
    await Promise.all([changeState(page, { textSize: 'normal' }), changeLook(page, { theme: 'light', language })]);
    await note(`${first.width} ${language}`, minTargetPx);
    if (language === 'pt-BR') {
      for (const size of others) {
        await page.setViewportSize(size);
        await note(`${size.width} ${language}`, minTargetPx);
      }
      // The size of a page of this size at 200% (WCAG 2.2, 1.4.4). The companion bar's window grows with it.
      if (one.path === undefined) {
        await page.setViewportSize({ width: first.width / 2, height: first.height / 2 });
        await note(`${first.width} at 200%`);
      }
    }
    if (language !== 'en') {
      await page.setViewportSize(first);
      await changeState(page, { textSize: 'largest' });
      await note(`${language} with the largest text`);
    }
  }
  const session = await page.context().newCDPSession(page);
  await session.send('Page.setFontSizes', { fontSizes: { standard: 32, fixed: 26 } });
  await note('with letters of twice the size');
  await Promise.all([
    session.send('Page.setFontSizes', { fontSizes: { standard: 16, fixed: 13 } }),
    page.evaluate(widenLetters),
  ]);
  await note('with wider letters');
  await Promise.all([page.evaluate(() => void document.adoptedStyleSheets.pop()), page.evaluate(lengthenWords, 0.3)]);
  await note('with longer words');
  return found;
}

let whyNotLooked: string | null = null;

beforeAll(async () => {
  whyNotLooked = await whyIncomparable();
});

afterAll(() => {
  if (isWriting) {
    writeAlike();
    writeFileSync(outageFile, drawOutage());
  }
});

// The pictures come first: they show the page as its steps left it. By day most are measured in one language at one size;
// half of those that hold most kinds of parts are gone through whole, as all are at night.
it.concurrent.each(lookedAt)('$name looks as it did, and is there for everyone', async (one: ShownScene) => {
  const page = await openScene(stage, one);
  const pictures = whyNotLooked === null ? await lookAtScene(stage, page, one) : [];
  if (!isWriting) {
    const motion = await page.evaluate(findMotion, maxMotionSeconds);
    const forMiceAlone = await page.evaluate(findHoverOnly);
    const technical = forTechnicians.test(one.name) ? [] : await page.evaluate(findTechnical);
    const isWhole = isNight || goneThrough.has(one.name);
    const axe = isWhole ? await askAxe(page) : [];
    await page.evaluate(drawNothing);
    const keyboard = isWhole ? await tabThrough(page) : [];
    const sizesAndWords = await measure(page, one, isWhole);
    expect({ pictures, motion, forMiceAlone, technical, axe, keyboard, sizesAndWords }).toEqual({
      pictures: [],
      motion: [],
      forMiceAlone: [],
      technical: [],
      axe: [],
      keyboard: [],
      sizesAndWords: [],
    });
  }
  await page.context().close();
});

it('pictures can be compared on this machine, and each is of a scene that there is', ({ skip }) => {
  expect(findOrphans()).toEqual([]);
  skip(whyNotLooked !== null, whyNotLooked ?? '');
});

it('a lookup that fails says nothing technical outside of what is folded', async () => {
  const failure = { kind: 'platformFailed', status: 500, code: 'internal_server_error', message: 'at read (stock)' };
  const { page } = await stage.open({
    state: readyState(sceneNowMs),
    nowMs: sceneNowMs,
    answers: { 'lookup:find': { ok: false, failure } },
  });
  await page.getByRole('textbox', { name: 'Barcode, code or name' }).fill('9520000000028');
  await page.keyboard.press('Enter');
  const folded = page.locator('.miss details');
  await folded.waitFor();
  expect(await page.evaluate(findTechnical)).toEqual([]);
  // The control: unfolded, it would be found.
  await folded.evaluate((element) => element.replaceWith(...element.children));
  expect(await page.evaluate(findTechnical)).toEqual(['HTTP 500 · internal_server_error', 'at read (stock)']);
});
