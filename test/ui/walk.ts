import type { BrowserContextOptions, Page } from 'playwright-core';
import type { Language } from '../../app/contract/basics.ts';
import { changeState, theHostOf } from './fake.ts';
import type { SceneHost } from './scene-host.ts';
import type { ShownScene } from './scene-steps.ts';
import type { Size, Stage } from './stage.ts';

export const themes = ['light', 'dark'] as const;
const sizes = [
  { width: 1024, height: 768 },
  { width: 1366, height: 768 },
] as const;
/** In the order in which a page changes least often: pictures end with the first, what is measured begins with it. */
export const spoken = ['pt-BR', 'es', 'en'] as const satisfies readonly Language[];

/** The sizes at which a scene is looked at. */
export function sizesOf(one: ShownScene): readonly [Size, ...Size[]] {
  const [first = sizes[0], ...others] = one.sizes ?? sizes;
  return [first, ...others];
}

export interface Look {
  readonly theme: (typeof themes)[number];
  readonly language: Language;
}

/** Opens a scene and takes its steps. */
export async function openScene(
  stage: Stage,
  one: ShownScene,
  size: Size = sizesOf(one)[0],
  context: BrowserContextOptions = {},
  isOwn = false,
): Promise<Page> {
  const { page } = await stage.open(one.scene, size, {
    mayComplain: one.mayComplain === true,
    isClockStopped: true,
    isDrawn: true,
    ...(one.path === undefined ? {} : { path: one.path }),
    context: { reducedMotion: 'reduce', ...context },
    isOwn,
    staysOpen: true,
  });
  await page.evaluate(steady);
  await page.locator('main').waitFor();
  await one.steps?.(page);
  await page.evaluate(rest, { forMs: 200, maxMs: 4000 });
  await settle(page);
  return page;
}

/** Neither a caret nor an answer's signal, which come and go. Constructed sheets pass the page's policy. */
function steady(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`
    * { caret-color: transparent !important; }
    .answer-signal { display: none !important; }`);
  document.adoptedStyleSheets.push(sheet);
}

/** Until nothing of the page has changed for so long: what is read in the background has come. */
async function rest({ forMs, maxMs }: { readonly forMs: number; readonly maxMs: number }): Promise<void> {
  await new Promise<void>((resolve) => {
    const watch = new MutationObserver(() => {
      clearTimeout(quiet);
      quiet = setTimeout(end, forMs);
    });
    const end = (): void => {
      watch.disconnect();
      resolve();
    };
    let quiet = setTimeout(end, forMs);
    setTimeout(end, maxMs);
    watch.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
  });
}

/** The last that each scene's main process was given. */
const looks = new WeakMap<SceneHost, string>();

/**
 * Changes theme and language as the main process would, and waits until the page has taken them. Answers whether they
 * were others before.
 */
export async function changeLook(page: Page, { theme, language }: Look): Promise<boolean> {
  const wanted = `${theme} ${language}`;
  const host = theHostOf(page);
  if (looks.get(host) === wanted) {
    return false;
  }
  await changeState(page, { theme, language, languageChosen: true });
  const isDressed = await page.evaluate(
    async (look) => {
      const { dataset } = document.documentElement;
      // A language is read before it is spoken.
      for (let frame = 0; frame < look.maxFrames; frame += 1) {
        if (document.documentElement.lang === look.language && dataset['mantineColorScheme'] === look.theme) {
          return true;
        }
        await new Promise((resolve) => requestAnimationFrame(resolve));
      }
      return false;
    },
    { theme, language, maxFrames: 600 },
  );
  if (!isDressed) {
    throw new Error(`the page did not take ${theme} and ${language}`);
  }
  looks.set(host, wanted);
  return true;
}

/** Changes theme and language as the main process would, and waits until they are drawn. */
export async function applyLook(page: Page, look: Look): Promise<void> {
  if (await changeLook(page, look)) {
    await settle(page);
  }
}

/** Until what has been measured has been drawn: lists measure their rows, dialogs take the focus. It runs in the page. */
export async function settled(): Promise<void> {
  const ending = document.getAnimations().filter((animation) => animation.effect?.getTiming().iterations !== Infinity);
  await Promise.allSettled(ending.map(({ finished }) => finished));
  for (let frame = 0; frame < 2; frame += 1) {
    await new Promise((resolve) => requestAnimationFrame(resolve));
  }
}

/** Waits in the page until it has settled. */
export const settle = (page: Page): Promise<void> => page.evaluate(settled);
