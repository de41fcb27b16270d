import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { projectDirectory } from '../../build/project.ts';
import { launchChromium } from '../support/chromium.ts';
import { isNight } from '../support/night.ts';
import { shownScenes } from '../support/docs.ts';
import { outageScenes } from './outage.ts';
import { compare, drawDifference, isWrittenAs, readPicture, writePicture } from './pictures.ts';
import type { ShownScene } from './scene-steps.ts';
import { scenes } from './scenes.ts';
import type { Size, Stage } from './stage.ts';
import { applyLook, openScene, sizesOf, spoken, themes } from './walk.ts';

const folder = join(import.meta.dirname, 'pictures');
const madeWithFile = join(folder, 'made-with.json');
/** The digest of each kept picture and what Chromium drew, byte by byte, when the two were the same to the pixel. */
const alikeFile = join(folder, 'alike.json');
const alike = new Map(Object.entries(JSON.parse(readFileSync(alikeFile, 'utf8')) as Record<string, string>));
/** Whether the pictures are drawn anew, and nothing is judged. */
export const isWriting = process.env['TILLSIDE_PICTURES'] === 'write';
/** Where the present picture and what is different are put for a person to look at. */
const differencesFolder = join(projectDirectory, 'test-results', 'pictures');

/**
 * So many pixels may differ: letters are not drawn wholly alike twice. A button that moves by one pixel changes more.
 */
const maxMoved = 40;
const maxRecoloured = 40;

/** The scenes that hold most kinds of parts. */
export const ofMostKinds = new Set([
  'coupons-chosen',
  'details',
  'first-run',
  'lookup-found',
  'lookup-several',
  'lookup-unknown',
  'pin-dialog',
  'practice',
  'queue-parked',
  'settings-general',
  'sign-in',
  'stock',
]);

const stillForMs = 120;
const maxAttempts = 20;

interface MadeWith {
  /** The major version. */
  readonly chromium: string;
  /** The digest of a few of the app's letters, as this machine's fontconfig has them drawn. */
  readonly letters: string;
}

async function readMadeWith(): Promise<MadeWith> {
  const { browser } = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 320, height: 80 }, deviceScaleFactor: 1 });
  const font = readFileSync(
    createRequire(import.meta.url).resolve(
      '@fontsource-variable/atkinson-hyperlegible-next/files/atkinson-hyperlegible-next-latin-wght-normal.woff2',
    ),
  );
  await page.setContent(
    `<style>@font-face { font-family: own; font-weight: 200 800; src: url(data:font/woff2;base64,${font.toString('base64')}) }</style><p style="font: 17px own">Ação, pingüino, 0123456789 <b>gfQ@</b></p>`,
  );
  await page.evaluate(() => document.fonts.ready);
  const letters = createHash('sha256')
    .update(await page.screenshot())
    .digest('hex')
    .slice(0, 16);
  const chromium = browser.version().split('.')[0] ?? '';
  await browser.close();
  return { chromium, letters };
}

/** One way to look at a scene, and the file of its picture. */
interface View {
  readonly size: Size;
  readonly theme: (typeof themes)[number];
  readonly language: (typeof spoken)[number];
  readonly file: string;
}

/** Whether it holds most kinds of parts, or docs/ or the README shows it. */
const isRead = ({ name }: ShownScene): boolean =>
  ofMostKinds.has(name) || shownScenes.has(name) || outageScenes.has(name);

/** The scenes that are looked at: by day those that `isRead`, and every sixteenth of all. */
export const lookedAt = isNight || isWriting ? scenes : scenes.filter((one, place) => isRead(one) || place % 16 === 0);

/** How a scene is looked at: once; in each language where it `isRead`; in each size and theme where it holds most kinds. */
function viewsOf(one: ShownScene): readonly View[] {
  const isKind = ofMostKinds.has(one.name);
  const [first] = sizesOf(one);
  const all = spoken
    .toReversed()
    .flatMap((language) =>
      sizesOf(one).flatMap((size) =>
        themes.map((theme): View => ({
          size,
          theme,
          language,
          file: `${size.width}-${theme}-${language}/${one.name}.png`,
        })),
      ),
    );
  return all.filter(({ size, theme, language }) => {
    const isFirst = size === first && theme === 'light';
    return language === 'pt-BR' ? isKind || isFirst : isRead(one) && isFirst;
  });
}

const digestOf = (kept: Buffer, drawn: Buffer): string =>
  createHash('sha256').update(kept).update(drawn).digest('base64url').slice(0, 22);

/** All of the page's size: after a clip, Chromium would compile the scripts of each next page anew. */
async function draw(session: CDPSession): Promise<Buffer> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true });
  return Buffer.from(data, 'base64');
}

/** A picture of a page on which nothing has changed for a while. */
async function drawStill(page: Page, session: CDPSession): Promise<Buffer> {
  let last = await draw(session);
  for (let attempt = 0; attempt < maxAttempts; attempt += 1) {
    await page.waitForTimeout(stillForMs);
    const next = await draw(session);
    if (last.equals(next)) {
      break;
    }
    last = next;
  }
  return last;
}

/** Why a picture is not as it was; null when it is. */
function judge(file: string, drawn: Buffer): string | null {
  const path = join(folder, file);
  if (!existsSync(path)) {
    return `${file}: was never kept`;
  }
  const before = readFileSync(path);
  // To read a picture takes longer than to draw it.
  if (alike.get(file) === digestOf(before, drawn)) {
    return null;
  }
  // In as few colours as the kept one: what has not changed is then the same to the pixel.
  const taken = readPicture(drawn);
  if (isWrittenAs(before, taken)) {
    return null;
  }
  const [kept, now] = [readPicture(before), readPicture(writePicture(taken))];
  const { moved, recoloured } = compare(kept, now);
  if (moved <= maxMoved && recoloured <= maxRecoloured) {
    return null;
  }
  for (const [end, content] of [
    ['now', writePicture(now)],
    ['difference', drawDifference(kept, now)],
  ] as const) {
    const shown = join(differencesFolder, file.replace('.png', `.${end}.png`));
    mkdirSync(dirname(shown), { recursive: true });
    writeFileSync(shown, content);
  }
  return `${file}: ${moved} pixels are something else, ${recoloured} of another colour; see ${differencesFolder}`;
}

/** Keeps the picture of this view, or answers why it is not as it was. */
async function look(page: Page, session: CDPSession, { file }: View): Promise<string | null> {
  if (isWriting) {
    const drawn = await drawStill(page, session);
    const kept = writePicture(readPicture(drawn));
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), kept);
    alike.set(file, digestOf(kept, drawn));
    return null;
  }
  // A busy machine draws what was measured a little later.
  return judge(file, await draw(session)) === null ? null : judge(file, await drawStill(page, session));
}

async function lookAtAll(page: Page, views: readonly View[]): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page);
  const problems: string[] = [];
  for (const view of views) {
    await page.setViewportSize(view.size);
    await applyLook(page, view);
    const problem = await look(page, session, view);
    problems.push(...(problem === null ? [] : [problem]));
  }
  return problems;
}

/**
 * Why a scene does not look as it did, a line each picture. The open page is looked at, unless the scene must be opened
 * anew in each language; the page is left in the light theme, in the first language, at its first size.
 */
export async function lookAtScene(stage: Stage, page: Page, one: ShownScene): Promise<readonly string[]> {
  const views = viewsOf(one);
  if (one.isOpenedAnew !== true) {
    const problems = await lookAtAll(page, views);
    await page.setViewportSize(sizesOf(one)[0]);
    await applyLook(page, { theme: 'light', language: spoken[0] });
    return problems;
  }
  const problems: string[] = [];
  for (const language of new Set(views.map((view) => view.language))) {
    const state = { ...one.scene.state, language };
    const own = await openScene(stage, { ...one, scene: { ...one.scene, state } });
    const inIt = views.filter((view) => view.language === language);
    problems.push(...(await lookAtAll(own, inIt)));
    await own.context().close();
  }
  return problems;
}

/** Why the kept pictures cannot be compared with this machine's; null when they can. */
export async function whyIncomparable(): Promise<string | null> {
  const present = await readMadeWith();
  if (isWriting) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(madeWithFile, `${JSON.stringify(present, null, 2)}\n`);
    return null;
  }
  const kept = JSON.parse(readFileSync(madeWithFile, 'utf8')) as MadeWith;
  return kept.chromium === present.chromium && kept.letters === present.letters
    ? null
    : `SKIPPED: pictures were made with Chromium ${kept.chromium} and letters ${kept.letters}; here are ${present.chromium} and ${present.letters}. Debian 12's packages chromium and fontconfig have them.`;
}

const wantedFiles = (): ReadonlySet<string> => new Set(scenes.flatMap((one) => viewsOf(one).map(({ file }) => file)));

/** Keeps what was drawn beside each picture, also where a few scenes alone were drawn anew. */
export function writeAlike(): void {
  const wanted = wantedFiles();
  const rows = [...alike].filter(([file]) => wanted.has(file)).toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(alikeFile, `${JSON.stringify(Object.fromEntries(rows), null, 2)}\n`);
}

/** Pictures of no scene, and names of none that should be looked at in every size and theme. Written anew, the former are removed. */
export function findOrphans(): readonly string[] {
  const wanted = wantedFiles();
  const left = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.png'))
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !wanted.has(file));
  if (isWriting) {
    left.forEach((file) => rmSync(join(folder, file)));
    return [];
  }
  return [...left, ...[...ofMostKinds].filter((name) => !scenes.some((one) => one.name === name))];
}
