import type { Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import { goTo } from '../e2e/story.ts';
import { isNight } from '../support/night.ts';
import { inputsOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { bench, createKeyboard, createRandom, installBench, type Keyboard, type Tally } from './scan-bench.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();
const runs = isNight ? 300 : 10;
/** However busy the machine is. */
const waiting = { timeout: 8000 };
/**
 * The bench's parts in the order of the Tab key, but for the list, which a blank opens: it has the keys of the system's
 * own then.
 */
const stops = ['text', 'secret', 'area', 'figures', 'button', 'box', 'link', 'fold'] as const;

interface Press {
  readonly name: string;
  readonly withShift?: boolean;
  readonly afterMs: number;
}

interface Seat {
  readonly page: Page;
  readonly keyboard: Keyboard;
}

async function openApp(): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs, { sounds: { isOn: false, volume: 0 } }), nowMs });
  await page.getByRole('main').waitFor();
  return page;
}

async function sit(page: Page): Promise<Seat> {
  const keyboard = createKeyboard(await page.context().newCDPSession(page));
  // Before the page is closed: a key that is still under way would then be told as lost.
  onTestFinished(keyboard.settle);
  return { page, keyboard };
}

const layBench = async (page: Page): Promise<Seat> => {
  await page.evaluate(installBench);
  await bench(page, (one) => one.open());
  await page.locator('#bench-list').evaluate((list) => Object.assign(list, { tabIndex: -1 }));
  return sit(page);
};

/** The app's page with the bench, and an empty one with the same: nobody watches the keys there. */
async function openBoth(): Promise<readonly [Seat, Seat]> {
  const app = await openApp();
  const plain = await app.context().newPage();
  await plain.evaluate(() => Object.assign(window, { fake: { calls: [] } }));
  return [await layBench(app), await layBench(plain)];
}

type Come = Tally & { readonly at: string };

/** The outcome of some presses, begun on one part of the bench. */
async function playOn({ page, keyboard }: Seat, on: string, presses: readonly Press[]): Promise<Come> {
  await bench(
    page,
    (one, part) => {
      one.begin();
      one.focus(part);
    },
    on,
  );
  presses.forEach(({ name, withShift, afterMs }) => keyboard.key(name, afterMs, withShift));
  await keyboard.settle();
  // Ends whatever may still be held, and does nothing itself.
  keyboard.key('F13', 400);
  await keyboard.settle();
  const at = await page.evaluate(() => document.activeElement?.id ?? '');
  const tally = await bench(page, (one) => one.tally());
  // The release of a blank that was held is nobody's.
  return {
    ...tally,
    pressed: Object.fromEntries(Object.entries(tally.pressed).filter(([what]) => !what.endsWith('released'))),
    at,
  };
}

const spread = (on: string, presses: readonly Press[]): string => `${on}: ${JSON.stringify(presses)}`;

describe('quick presses of a person', () => {
  it(`come to the same as unwatched ones, in ${runs} mixtures of blanks, letters, Enter, Tab and arrows`, async () => {
    const [app, plain] = await openBoth();
    let pressed = 0;
    for (let seed = 0; seed < runs; seed += 1) {
      const { between, one } = createRandom(seed);
      const on = one(stops);
      let stop = stops.indexOf(on);
      const presses = Array.from({ length: between(2, 8) }, (): Press => {
        const drawn = one([' ', ' ', ' ', 'Enter', 'Tab', 'ArrowDown', 'a', '7', 'Shift']);
        const step = drawn === 'Tab' ? one([1, -1]) : 0;
        // Nobody leaves the bench.
        const name = stops[stop + step] === undefined ? ' ' : drawn;
        stop += name === 'Tab' ? step : 0;
        // Four characters that followed one another more quickly would be a scan's.
        return {
          name,
          withShift: name === 'Tab' && step < 0,
          afterMs: name.length === 1 ? between(36, 140) : between(1, 140),
        };
      });
      const expected = await playOn(plain, on, presses);
      expect(await playOn(app, on, presses), `seed ${seed}, ${spread(on, presses)}`).toEqual(expected);
      pressed += Object.values(expected.pressed).reduce((sum, count) => sum + count, 0);
    }
    expect(pressed).toBeGreaterThan(runs / 2);
    await app.page.close();
  });

  it(`choose from a list what the browser chooses, in ${runs} mixtures of letters and arrows`, async () => {
    const [app, plain] = await openBoth();
    let chosen = 0;
    for (let seed = 0; seed < runs; seed += 1) {
      const { between, one } = createRandom(seed);
      const presses = Array.from({ length: between(1, 7) }, (): Press => ({
        name: one(['0', '1', 'a', 'x', 'n', 'o', ' ', 'ArrowDown']),
        afterMs: one([between(36, 140), between(36, 140), 1100]),
      }))
        // A list that is opened has the keys of the system's own.
        .filter(
          ({ name, afterMs }, place, all) =>
            name !== ' ' ||
            (place > 0 && afterMs < 1000 && all[place - 1]?.name.length === 1 && all[place - 1]?.name !== ' '),
        );
      const expected = await playOn(plain, 'list', presses);
      expect(await playOn(app, 'list', presses), `seed ${seed}, ${spread('list', presses)}`).toEqual(expected);
      chosen += expected.pressed['list'] ?? 0;
    }
    expect(chosen).toBeGreaterThan(runs / 2);
    await app.page.close();
  });

  it('act once and by themselves when no other key follows', async () => {
    const [{ page, keyboard }] = await openBoth();
    await bench(page, (one) => one.focus('button'));
    keyboard.key(' ', 300);
    await keyboard.settle();
    await expect.poll(async () => (await bench(page, (one) => one.tally())).pressed['button'], waiting).toBe(1);
    keyboard.key('F13', 400);
    await keyboard.settle();
    expect((await bench(page, (one) => one.tally())).pressed).toEqual({ button: 1 });
  });

  it('act once where Enter is held, also on a button that has the focus then, and at the next press', async () => {
    const [{ page }] = await openBoth();
    const pressed = () => bench(page, (one) => one.tally().pressed);
    await bench(page, (one) => one.focus('button'));
    for (let times = 0; times < 5; times += 1) {
      await page.keyboard.down('Enter');
    }
    await bench(page, (one) => one.focus('fold'));
    await page.keyboard.down('Enter');
    await page.keyboard.up('Enter');
    expect(await pressed()).toEqual({ button: 1, 'fold released': 1 });
    await page.keyboard.press('Enter');
    expect(await pressed()).toMatchObject({ button: 1, fold: 1 });
  });

  it("switch a row of the coupons' list once where Enter is held", async () => {
    const page = await openApp();
    await goTo(page, 'Coupons');
    const grid = page.getByRole('grid', { name: 'Coupons' });
    await grid.getByText('Produto de exemplo 1', { exact: true }).waitFor();
    await grid.focus();
    for (let row = 0; row < 2; row += 1) {
      await page.keyboard.press('ArrowDown');
      for (let times = 0; times < 5; times += 1) {
        await page.keyboard.down('Enter');
      }
      await page.keyboard.up('Enter');
    }
    await expect.poll(async () => (await inputsOf(page, 'coupon:switch')).length, waiting).toBe(2);
  });

  it('go on in a text of several lines while Enter is held', async () => {
    const [{ page }] = await openBoth();
    await bench(page, (one) => one.focus('area'));
    for (let times = 0; times < 5; times += 1) {
      await page.keyboard.down('Enter');
    }
    expect((await bench(page, (one) => one.tally())).typed['area']).toBe('\n'.repeat(5));
  });

  it('type into the field that the letter behind a blank leads to', async () => {
    const { page, keyboard } = await sit(await openApp());
    await page.evaluate(installBench);
    await bench(page, (one) => one.focus('button'));
    [' ', 'c', 'a', 'f'].forEach((name) => keyboard.key(name, 60));
    await keyboard.settle();
    await expect
      .poll(() => page.getByRole('textbox', { name: 'Barcode, code or name' }).inputValue(), waiting)
      .toBe('caf');
    expect((await bench(page, (one) => one.tally())).pressed).toEqual({ button: 1 });
  });

  it("choose in the coupons' list where the list was at when they came", async () => {
    const page = await openApp();
    await goTo(page, 'Coupons');
    const grid = page.getByRole('grid', { name: 'Coupons' });
    await grid.getByText('Produto de exemplo 1', { exact: true }).waitFor();
    await grid.focus();
    const { keyboard } = await sit(page);
    const chosen = (): Promise<(string | null)[]> =>
      grid.locator('[aria-selected="true"]').evaluateAll((rows) => rows.map((row) => row.getAttribute('data-index')));
    keyboard.key('ArrowDown', 100);
    keyboard.key(' ', 1);
    keyboard.key('ArrowDown', 1);
    keyboard.key('ArrowDown', 1);
    keyboard.key(' ', 1);
    keyboard.key('ArrowDown', 1);
    await expect.poll(chosen, waiting).toEqual(['0', '2']);
    // With Shift it adds, and takes nothing away.
    keyboard.key('ArrowUp', 1);
    keyboard.key(' ', 1, true);
    keyboard.key('ArrowDown', 1);
    keyboard.key(' ', 1);
    keyboard.key('ArrowDown', 1);
    await expect.poll(chosen, waiting).toEqual(['0', '2', '3']);
  });
});
