// The proof that the practice store cannot be mistaken on the screen, and that its outage can be practised from there:
// a real terminal behind the browser host, in a real Chromium.
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { fromAccount } from '../support/account.ts';
import { openPracticePage, type PracticePage } from '../support/practice-page.ts';
import { scan } from '../support/wedge.ts';

let practicePage: PracticePage;
let page: Page;
let complaints: readonly string[];

beforeAll(async () => {
  practicePage = await openPracticePage();
  ({ page, complaints } = practicePage);
  await page.getByRole('complementary', { name: 'Practice store' }).waitFor();
});

afterAll(() => practicePage?.close());

/** Whether the band is what is painted at its own left end, over the whole width of the page. */
const isBandOnTop = () =>
  page.evaluate(() => {
    const band = document.querySelector('.practice-band');
    const place = band?.getBoundingClientRect();
    return (
      band !== null &&
      place !== undefined &&
      place.width === window.innerWidth &&
      place.top === 0 &&
      document.elementFromPoint(8, place.height / 2) === band
    );
  });

const rail = () => page.getByRole('navigation').getByRole('link').all();

it('wears its band on every screen and above a dialog', async () => {
  const links = await rail();
  expect(links.length).toBeGreaterThanOrEqual(4);
  for (const link of links) {
    await link.click();
    await page.locator('.rail-link[aria-current="page"]').waitFor();
    expect(await isBandOnTop(), await link.innerText()).toBe(true);
  }
  await fromAccount(page, 'Leave the practice store');
  await page.getByRole('dialog', { name: 'Leave the practice store?' }).waitFor();
  expect(await isBandOnTop()).toBe(true);
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('has its network taken down and brought back by key, and says so', async () => {
  await page.getByRole('button', { name: 'Take the network down' }).first().press('Enter');
  await page.getByText('its network is down').waitFor();
  await page.getByText('Offline').waitFor();
  expect(practicePage.practice.platform.isNetworkDown()).toBe(true);
  await page.getByRole('button', { name: 'Bring the network back' }).first().press('Enter');
  await page.getByText('nothing here is real', { exact: true }).waitFor();
  await page.getByText('Online').waitFor();
  expect(practicePage.practice.platform.isNetworkDown()).toBe(false);
});

it('says in the settings that they are its own, and shows the way to its control panel', async () => {
  await page.getByRole('link', { name: 'Settings' }).click();
  await page.getByRole('link', { name: 'This till' }).click();
  await page.getByText(/^PIN, list and tokens are the practice store’s own and/).waitFor();
  const opening = page.context().waitForEvent('page');
  await page.getByRole('button', { name: 'Practice control panel' }).click();
  const panel = await opening;
  await panel.getByRole('heading', { name: 'The network', exact: true }).waitFor();
  expect(new URL(panel.url()).origin).toBe(practicePage.practice.platform.platformUrl);
  await panel.close();
});

it('covers neither a dialog nor the note of a waiting scan, at either size, with letters doubled', async () => {
  await page.getByRole('link', { name: 'Lookup' }).click();
  await page.keyboard.press('F1');
  await page.getByRole('dialog').waitFor();
  await scan(page, '9526351702802');
  const note = page.getByText('Scanned 9526351702802: close this to see it.');
  await note.waitFor();
  for (const letters of ['16px', '32px']) {
    for (const width of [1024, 1366]) {
      await page.setViewportSize({ width, height: 768 });
      await page.evaluate((size) => document.documentElement.style.setProperty('font-size', size), letters);
      const edges = (): Promise<number[]> =>
        page.evaluate(() => {
          const box = (selector: string): DOMRect =>
            (document.querySelector(selector) ?? document.body).getBoundingClientRect();
          const [band, said, dialog] = [box('.practice-band'), box('.waiting-scan'), box('.mantine-Modal-content')];
          return [said.top - band.bottom, dialog.top - said.bottom, innerHeight - dialog.bottom].map((room) =>
            Math.sign(Math.floor(room)),
          );
        });
      await expect.poll(edges, { message: `${letters} at ${width}` }).toEqual([1, 1, 1]);
    }
  }
  await page.evaluate(() => document.documentElement.style.removeProperty('font-size'));
  await page.setViewportSize({ width: 1024, height: 768 });
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

it('leaves the whole rail in sight at 1366 by 768 in letters of 150 %', async () => {
  await page.setViewportSize({ width: 911, height: 512 });
  const wholeRail = page.locator('.rail');
  expect(await wholeRail.evaluate((box) => box.scrollHeight - box.clientHeight)).toBe(0);
  await page.setViewportSize({ width: 1024, height: 768 });
});

it('complains of nothing', () => {
  expect(complaints).toEqual([]);
});
