import type { Locator, Page } from 'playwright-core';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan } from '../support/wedge.ts';
import { emit, inputsOf, setAnswer } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { readyState } from './ready-state.ts';
import { createKeyboard } from './scan-bench.ts';
import { setStage } from './stage.ts';

const nowMs = Date.now();
const coffee = '7890000000101';
const cheese = '7890000000102';
const shirt = '7890000000103';
const size = { width: 1024, height: 768 };
const stage = setStage();

async function open(more: Partial<Scene> = {}, state: Partial<TerminalState> = {}): Promise<Page> {
  const { page } = await stage.open(
    { state: readyState(nowMs, { sounds: { isOn: false, volume: 0 }, ...state }), nowMs, ...more },
    size,
  );
  await page.locator('.finder-input').waitFor();
  return page;
}

const switched = async (page: Page) => (await inputsOf(page, 'coupon:switch')).map(({ productId }) => productId);
const said = (page: Page) => page.locator('.key-note');
const card = (page: Page, name: RegExp) => page.getByRole('region', { name });
const slow = async (page: Page, rate: number) =>
  (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });

/** A scanner and a person at one keyboard, in the machine's own time. */
async function keyboardOf(page: Page) {
  const keyboard = createKeyboard(await page.context().newCDPSession(page), Date.now());
  // Before the page is closed.
  onTestFinished(keyboard.settle);
  return {
    ...keyboard,
    scan: (code: string, withEnter = true) =>
      [...code, ...(withEnter ? ['Enter'] : [])].forEach((key) => keyboard.key(key, 4)),
  };
}

const bothNamed = (shared: string) => ({
  ok: true,
  value: {
    kind: 'several',
    text: shared,
    read: { as: 'barcode', ofCase: null, layout: null, facts: [], fault: null },
    hits: [
      ['103', 'Camiseta básica de algodão', 24],
      ['102', 'Queijo minas frescal', 3.475],
    ].map(([productId, name, amount]) => ({
      stockId: '11',
      stockName: 'Loja',
      productId,
      code: `A-${productId}`,
      name,
      unit: 'UNID',
      balance: { amount, asOf: nowMs - 60_000, source: 'listing' },
    })),
  },
});

describe('F4 after a scan', () => {
  it('brings a switch into sight that lies below the window, and the next scan begins with its figure', async () => {
    const page = await open({}, { isTourSeen: false });
    await page.setViewportSize({ width: 1024, height: 600 });
    const seen = async (what: Locator): Promise<number> =>
      what.evaluate(
        (element) =>
          new Promise((tell) =>
            new IntersectionObserver(([entry]) => tell(entry?.intersectionRatio ?? 0)).observe(element),
          ),
      );
    await scan(page, coffee);
    const coupon = page.getByRole('switch', { name: 'Consumption coupon' });
    await coupon.waitFor();
    expect(await seen(coupon)).toBeLessThan(0.9);
    await page.keyboard.press('F4');
    await expect.poll(() => switched(page)).toEqual(['101']);
    expect(await seen(coupon)).toBeGreaterThan(0.99);
    await scan(page, shirt);
    await card(page, /Camiseta/).waitFor();
    expect(await seen(page.locator('.figure').first())).toBeGreaterThan(0.5);
  });

  it.each([
    [1, 0],
    [4, 0],
    [6, 40],
  ])('switches that product, never the one before it: page slowed %i times, answer after %i ms', async (rate, ms) => {
    const page = await open({ delaysMs: { 'lookup:find': ms } });
    await scan(page, coffee);
    await card(page, /Café/).waitFor();
    await slow(page, rate);
    const expected: string[] = [];
    for (const [place, afterMs] of [0, 5, 15, 30, 60, 120].entries()) {
      const keyboard = await keyboardOf(page);
      const [code, productId] = place % 2 === 0 ? [cheese, '102'] : [shirt, '103'];
      keyboard.scan(code);
      keyboard.key('F4', afterMs);
      expected.push(productId);
      await keyboard.settle();
      await expect.poll(() => switched(page)).toEqual(expected);
    }
  });

  it.each([2, 4, 9])('waits for the end of a scan that is being typed: pressed after %i of its keys', async (at) => {
    const page = await open();
    await scan(page, coffee);
    await card(page, /Café/).waitFor();
    const keyboard = await keyboardOf(page);
    [...cheese, 'Enter'].forEach((key, index) => {
      if (index === at) keyboard.key('F4', 2);
      keyboard.key(key, 4);
    });
    await keyboard.settle();
    await expect.poll(() => switched(page)).toEqual(['102']);
    expect((await inputsOf(page, 'lookup:find')).map(({ text }) => text)).toEqual([coffee, cheese]);
  });

  it('waits for a scan that only silence ends', async () => {
    const page = await open();
    const keyboard = await keyboardOf(page);
    keyboard.scan(coffee, false);
    keyboard.key('F4', 2);
    await keyboard.settle();
    await expect.poll(() => switched(page)).toEqual(['101']);
  });

  it('does nothing, in words, where the scan names nothing, cannot be looked up, or is overtaken', async () => {
    const page = await open();
    await scan(page, coffee);
    await card(page, /Café/).waitFor();
    const press = async (code: string) => {
      const keyboard = await keyboardOf(page);
      keyboard.scan(code);
      keyboard.key('F4', 1);
      await keyboard.settle();
    };
    await press('4006381333931');
    await expect.poll(() => said(page).textContent()).toBe('F4: no product is on the screen.');
    await setAnswer(page, 'lookup:find', { ok: false, failure: { kind: 'storageFailed' } });
    await press(shirt);
    await page.getByText('could not be looked up').first().waitFor();
    expect(await said(page).textContent()).toBe('F4: no product is on the screen.');
    expect(await switched(page)).toEqual([]);
    expect(await said(page).getAttribute('role')).toBe('status');
  });

  it('belongs to its own scan: the next one drops it and says so; twice is once; too late is said', async () => {
    // Longer than a busy machine needs for the keys before the answer, and shorter than F4 waits for one.
    const page = await open({ delaysMs: { 'lookup:find': 800 } });
    const keyboard = await keyboardOf(page);
    keyboard.scan(coffee);
    keyboard.key('F4', 1);
    keyboard.scan(shirt);
    await keyboard.settle();
    await card(page, /Camiseta/).waitFor();
    await expect.poll(() => said(page).textContent()).toMatch(/F4 did nothing: another scan/);
    expect(await switched(page)).toEqual([]);
    const again = await keyboardOf(page);
    again.scan(cheese);
    again.key('F4', 1);
    again.key('F4', 90);
    await again.settle();
    await card(page, /Queijo/).waitFor();
    await expect.poll(() => switched(page)).toEqual(['102']);
    await page.close();

    const late = await open({ delaysMs: { 'lookup:find': 2_400 } });
    const fingers = await keyboardOf(late);
    fingers.scan(coffee);
    fingers.key('F4', 1);
    await fingers.settle();
    await expect.poll(() => said(late).textContent()).toMatch(/F4 did nothing: the answer took too long/);
    await card(late, /Café/).waitFor();
    expect(await switched(late)).toEqual([]);
  });

  it('does nothing while the scan waits behind a dialog, nor while a badge is being read', async () => {
    const page = await open({
      delaysMs: { 'cashier:scanBadge': 300 },
      answers: { 'cashier:scanBadge': { ok: false, failure: { kind: 'badgeUnknown' } } },
    });
    await scan(page, coffee);
    await card(page, /Café/).waitFor();
    await emit(page, 'link:opened', { kind: 'refused' });
    await page.getByRole('dialog').waitFor();
    const keyboard = await keyboardOf(page);
    keyboard.scan(shirt);
    keyboard.key('F4', 1);
    await keyboard.settle();
    await page.keyboard.press('Escape');
    await card(page, /Camiseta/).waitFor();
    const other = await keyboardOf(page);
    other.scan('TILL0123456789012345');
    other.key('F4', 1);
    await other.settle();
    await expect.poll(() => said(page).textContent()).toMatch(/a badge is being read/);
    expect(await switched(page)).toEqual([]);
  });
});

describe('a code that two products share', () => {
  const shared = '7891234567895';
  const openAsked = async (): Promise<Page> => {
    const page = await open();
    await scan(page, coffee);
    await card(page, /Café/).waitFor();
    await setAnswer(page, 'lookup:find', bothNamed(shared));
    await scan(page, shared);
    await page.getByRole('region', { name: '2 products share this code' }).waitFor();
    return page;
  };

  it('shows no card, and no key acts before one is chosen', async () => {
    const page = await openAsked();
    expect(await page.locator('.card').count()).toBe(0);
    for (const key of ['F4', 'F2', 'F9', 'Alt+KeyP', 'Alt+KeyN']) {
      await page.keyboard.press(key);
      await expect.poll(() => said(page).textContent()).toMatch(/choose a product first/);
    }
    expect([await switched(page), await page.getByRole('dialog').count()]).toEqual([[], 0]);
    expect(await page.locator('.announcement').textContent()).toMatch(
      /2 products share this code\. Which one is it\?.*1: Camiseta.*2: Queijo/,
    );
  });

  it.each([
    ['its digit', async (page: Page) => page.keyboard.press('2')],
    [
      'the arrows',
      async (page: Page) => {
        for (const key of ['ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key);
      },
    ],
    ['a finger', async (page: Page) => page.locator('.asking .line-button').nth(1).click()],
  ])('the second is chosen by %s: F4 switches it, and the recent lookups keep it', async (_how, choose) => {
    const page = await openAsked();
    await choose(page);
    await card(page, /Queijo/).waitFor();
    expect(await page.locator('.card').count()).toBe(1);
    await page.keyboard.press('F4');
    await expect.poll(() => switched(page)).toEqual(['102']);
    expect((await inputsOf(page, 'product:read')).filter(({ isOpened }) => isOpened === true)).toEqual([
      { stockId: '11', productId: '102', isOpened: true, text: shared },
    ]);
    await page.getByRole('button', { name: 'Choose another' }).click();
    await page.getByRole('region', { name: '2 products share this code' }).waitFor();
  });

  it('a scan that begins with a digit of the list chooses nothing, nor does the second Enter of a scanner', async () => {
    const page = await openAsked();
    const keyboard = await keyboardOf(page);
    keyboard.scan('2000000000015');
    keyboard.key('Enter', 6);
    await keyboard.settle();
    await expect
      .poll(async () => (await inputsOf(page, 'lookup:find')).map(({ text }) => text))
      .toEqual([coffee, shared, '2000000000015']);
    expect((await inputsOf(page, 'product:read')).filter(({ isOpened }) => isOpened === true)).toEqual([]);
    expect(await page.locator('.card').count()).toBe(0);
  });

  it.each([95, 300])(
    'a digit right after the next scan chooses nothing of the list before it: answered after %i ms',
    async (ms) => {
      const page = await open({ delaysMs: { 'lookup:find': ms } });
      const next = '7891234567888';
      for (const afterMs of [3, 40]) {
        await setAnswer(page, 'lookup:find', bothNamed(shared));
        await scan(page, shared);
        await expect.poll(() => page.locator('.finder-input[data-lends-digits]').inputValue()).toBe(shared);
        await setAnswer(page, 'lookup:find', bothNamed(next));
        const keyboard = await keyboardOf(page);
        keyboard.scan(next);
        keyboard.key('2', afterMs);
        // Ends the wait for more of a scan: the digit is a person's. Where the answer takes long, it is typed.
        keyboard.key('F13', 700);
        await keyboard.settle();
        await page
          .getByRole('main', { name: 'Lookup' })
          .getByText(/Queijo/)
          .first()
          .waitFor();
        const chosen = (await inputsOf(page, 'product:read')).filter(({ isOpened }) => isOpened === true);
        expect(chosen.map(({ text }) => text)).not.toContain(shared);
      }
    },
  );

  it.each([2, 3])(
    'a scan that pauses after its first %i keys chooses nothing, though these are digits of the list',
    async (at) => {
      const page = await openAsked();
      const keyboard = await keyboardOf(page);
      const code = '2175000000018';
      [...code, 'Enter'].forEach((key, place) => keyboard.key(key, place === at ? 250 : 5));
      await keyboard.settle();
      await expect
        .poll(async () => (await inputsOf(page, 'lookup:find')).map(({ text }) => text))
        .toEqual([coffee, shared, code]);
      expect((await inputsOf(page, 'product:read')).filter(({ isOpened }) => isOpened === true)).toEqual([]);
    },
  );

  it('another text can be typed over it, whatever it begins with', async () => {
    const page = await openAsked();
    await page.keyboard.press('9');
    await expect.poll(() => page.locator('.finder-input').inputValue()).toBe('9');
    await page.keyboard.press('2');
    await expect.poll(() => page.locator('.finder-input').inputValue()).toBe('92');
  });

  it('while another text is being searched for, no key acts on the card below the list', async () => {
    const page = await open();
    await scan(page, coffee);
    await card(page, /Café/).waitFor();
    await page.keyboard.type('queijo', { delay: 90 });
    await page.getByRole('option').first().waitFor();
    await page.keyboard.press('F4');
    await expect.poll(() => said(page).textContent()).toMatch(/choose a product first/);
    expect(await switched(page)).toEqual([]);
  });
});

describe('Enter in the field', () => {
  it.each(['index.html', 'companion.html'])('never brings back what was scanned before: %s', async (path) => {
    const { page } = await stage.open(
      { state: readyState(nowMs), nowMs, delaysMs: { 'lookup:find': 300 } },
      path === 'index.html' ? size : { width: 600, height: 700 },
      { path },
    );
    await page.getByRole('main').waitFor();
    await scan(page, coffee);
    await card(page, /Café/).waitFor();
    const keyboard = await keyboardOf(page);
    keyboard.scan(cheese);
    // As a scanner sends it that pauses before the second of its two ends.
    for (const pauseMs of [40, 20, 20]) keyboard.key('Enter', pauseMs);
    await keyboard.settle();
    await card(page, /Queijo/).waitFor();
    expect(new Set((await inputsOf(page, 'lookup:find')).slice(1).map(({ text }) => text))).toEqual(new Set([cheese]));
    await card(page, /Queijo/).waitFor();
  });
});
