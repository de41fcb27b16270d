// Checks every scene, in both themes, both sizes and the three languages, against the picture of it that was kept, so that nothing moves or changes
// its colour unseen. With TILLSIDE_PICTURES=write the present ones are kept; a person looks at them before they are committed.
// The letters are those of DejaVu Sans; where browser or letters are drawn otherwise than they were, only what is coarse is compared, and that is said.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { launchChromium } from '../../support/chromium.ts';
import { coarsen, compare, drawDifference, readPicture, writePicture, type Picture } from './pictures.ts';
import { scenes } from './scenes.ts';
import { setStage } from './stage.ts';
import { dress, openScene, sizesOf, spoken, themes, type Size } from './walk.ts';

const folder = join(import.meta.dirname, 'pictures');
const madeWithFile = join(folder, 'made-with.json');
const isWriting = process.env['TILLSIDE_PICTURES'] === 'write';
/** Where the present picture and what is different are put for a person to look at. */
const differencesFolder = join(tmpdir(), 'tillside-pictures');

/** A pixel for each three of the page's, so that they stay small. */
const scale = 1 / 3;
/** So many pixels may differ: letters are not drawn wholly alike twice. A button that moves by four pixels changes more. */
const mostMoved = 12;
const mostRecoloured = 12;
/** With other letters: of the squares of six pixels, and how different one may be. */
const coarseSide = 6;
const mostCoarseShare = 0.04;

const stillForMs = 120;
const mostAttempts = 20;

interface MadeWith {
  readonly chromium: string;
  /** The digest of a few letters as this browser draws them. */
  readonly letters: string;
}

/** Which browser this is, and how it draws letters. */
async function readMadeWith(): Promise<MadeWith> {
  const { browser } = await launchChromium();
  const page = await browser.newPage({ viewport: { width: 320, height: 80 }, deviceScaleFactor: 1 });
  await page.setContent('<p style="font: 17px DejaVu Sans; margin: 0">Ação, pingüino, 0123456789 <b>gfQ@</b> <code style="font-family: DejaVu Sans Mono">l1I0O</code></p>');
  const letters = createHash('sha256').update(await page.screenshot()).digest('hex').slice(0, 16);
  const chromium = browser.version().split('.')[0] ?? '';
  await browser.close();
  return { chromium, letters };
}

const fileOf = (name: string, width: number, theme: string, language: string): string => `${width}-${theme}-${language}/${name}.png`;

async function takePicture(session: CDPSession, { width, height }: Size): Promise<Picture> {
  const { data } = await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true, clip: { x: 0, y: 0, width, height, scale } });
  return readPicture(Buffer.from(data, 'base64'));
}

/** A picture of a page on which nothing has changed for a while. */
async function takeStill(page: Page, session: CDPSession, size: Size): Promise<Picture> {
  let last = await takePicture(session, size);
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    await page.waitForTimeout(stillForMs);
    const next = await takePicture(session, size);
    if (Buffer.compare(last.data, next.data) === 0) {
      break;
    }
    last = next;
  }
  return last;
}

/** Why a picture is not as it was; null when it is. */
function judge(file: string, taken: Picture, isStrict: boolean): string | null {
  const path = join(folder, file);
  if (!existsSync(path)) {
    return `${file}: was never kept`;
  }
  // In as few colours as the kept one: what has not changed is then the same to the pixel.
  const [before, written] = [readFileSync(path), writePicture(taken)];
  if (before.equals(written)) {
    return null;
  }
  const [kept, now] = [readPicture(before), readPicture(written)];
  const coarse = (picture: Picture): Picture => coarsen(picture, coarseSide);
  const { moved, recoloured } = isStrict ? compare(kept, now) : compare(coarse(kept), coarse(now));
  const [allowedMoved, allowedRecoloured] = isStrict ? [mostMoved, mostRecoloured] : [((now.width * now.height) / coarseSide ** 2) * mostCoarseShare, Number.POSITIVE_INFINITY];
  if (moved <= allowedMoved && recoloured <= allowedRecoloured) {
    return null;
  }
  for (const [end, content] of [['now', writePicture(now)], ['difference', drawDifference(kept, now)]] as const) {
    const shown = join(differencesFolder, file.replace('.png', `.${end}.png`));
    mkdirSync(dirname(shown), { recursive: true });
    writeFileSync(shown, content);
  }
  return `${file}: ${moved} pixels are something else, ${recoloured} of another colour; see ${differencesFolder}`;
}

const stage = setStage();
let isStrict = true;

beforeAll(async () => {
  const present = await readMadeWith();
  if (isWriting) {
    mkdirSync(folder, { recursive: true });
    writeFileSync(madeWithFile, `${JSON.stringify(present, null, 2)}\n`);
    return;
  }
  const kept = JSON.parse(readFileSync(madeWithFile, 'utf8')) as MadeWith;
  isStrict = kept.chromium === present.chromium && kept.letters === present.letters;
  if (!isStrict) {
    console.log(`Pictures are compared coarsely: they were made with Chromium ${kept.chromium} and letters ${kept.letters}, and this is Chromium ${present.chromium} with letters ${present.letters}.`);
  }
});

describe('every scene looks as it did', () => {
  it.concurrent.each(scenes)('$name', async (one) => {
    const problems: (string | null)[] = [];
    const shown = async (page: Page, language: (typeof spoken)[number]): Promise<void> => {
      const session = await page.context().newCDPSession(page);
      for (const size of sizesOf(one)) {
        await page.setViewportSize(size);
        for (const theme of themes) {
          await dress(page, { theme, language });
          const file = fileOf(one.name, size.width, theme, language);
          if (isWriting) {
            mkdirSync(dirname(join(folder, file)), { recursive: true });
            writeFileSync(join(folder, file), writePicture(await takeStill(page, session, size)));
          } else {
            // A busy machine draws what was measured a little later.
            const problem = judge(file, await takePicture(session, size), isStrict);
            problems.push(problem === null ? null : judge(file, await takeStill(page, session, size), isStrict));
          }
        }
      }
    };
    if (one.isOpenedAnew === true) {
      for (const language of spoken) {
        const page = await openScene(stage, { ...one, scene: { ...one.scene, state: { ...one.scene.state, language } } });
        await shown(page, language);
        await page.context().close();
      }
    } else {
      const page = await openScene(stage, one);
      for (const language of spoken) {
        await shown(page, language);
      }
      await page.context().close();
    }
    expect(problems.filter((problem) => problem !== null)).toEqual([]);
  });
});

afterAll(() => {
  const wanted = new Set(scenes.flatMap((one) => sizesOf(one).flatMap(({ width }) => themes.flatMap((theme) => spoken.map((language) => fileOf(one.name, width, theme, language))))));
  const kept = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.png')).map((file) => file.replaceAll('\\', '/'));
  const left = kept.filter((file) => !wanted.has(file));
  if (isWriting) {
    left.forEach((file) => rmSync(join(folder, file)));
  } else {
    expect(left, 'pictures of no scene').toEqual([]);
  }
});
