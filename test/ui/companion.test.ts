import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { defaultCompanion } from '../../app/contract/companion.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan } from '../support/wedge.ts';
import { callsOf, changeState, emit, inputsOf } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { signedOut } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';
import { listenToTones } from './tones.ts';

const nowMs = Date.now();
const coffee = '7890000000101';
const shirt = '7890000000103';
const stage = setStage();

const companion = { ...defaultCompanion, isShortcutHeld: true };

async function open(state: Partial<TerminalState> = {}, more: Partial<Scene> = {}): Promise<Page> {
  const { page } = await stage.open(
    { state: readyState(nowMs, { host: 'electron', companion, ...state }), nowMs, ...more },
    { width: 600, height: 700 },
    { path: 'companion.html' },
  );
  await page.getByRole('main', { name: 'Companion bar' }).waitFor();
  return page;
}

const show = (page: Page, isShown: boolean) => emit(page, 'companion:changed', { isShown });
const countCalls = async (page: Page, channel: string) => (await callsOf(page, channel)).length;
const field = (page: Page) => page.getByRole('textbox', { name: 'Barcode, code or name' });
const heightOf = (page: Page): Promise<number> =>
  page.locator('.bar').evaluate((bar) => bar.getBoundingClientRect().height);

describe('an answer', () => {
  it("is the scan's, with figure, unit, age, coupon and the other stock, and makes way for the next one", async () => {
    const page = await open();
    await scan(page, coffee);
    const product = page.getByRole('region', { name: /Café/ });
    await product.waitFor();
    const text = await product.innerText();
    expect(text).toMatch(
      /148[^]*Loja[^]*(?:Live|From the copy), as of[^]*Consumption coupon[^]*ON[^]*F4[^]*Depósito[^]*1,320/,
    );
    expect(await page.locator('[aria-live]').first().textContent()).toMatch(/Café[^]*148/);
    await scan(page, shirt);
    await page.getByRole('region', { name: /Camiseta/ }).waitFor();
    expect(await product.count()).toBe(0);
    expect(await page.getByRole('list', { name: 'Options' }).innerText()).toMatch(/P azul[^]*4[^]*P verde/);
    expect(
      await field(page).evaluate((input: HTMLInputElement) =>
        input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0),
      ),
    ).toBe(shirt);
  });

  it('is told again in the language that was chosen meanwhile', async () => {
    const page = await open();
    await scan(page, coffee);
    const told = page.locator('.announcement');
    await told.getByText(/148 packets/).waitFor();
    await changeState(page, { language: 'es', languageChosen: true });
    await told.getByText(/148 paquetes/).waitFor();
  });

  it('is switched by F4 and its button, which says and sounds what they did', async () => {
    const page = await open();
    const tones = await listenToTones(page);
    await scan(page, coffee);
    const coupon = page.getByRole('switch', { name: 'Consumption coupon' });
    await coupon.waitFor();
    expect(await coupon.isChecked()).toBe(true);
    const before = (await tones()).length;
    await page.keyboard.press('F4');
    await expect.poll(() => coupon.isChecked()).toBe(false);
    await page.getByText(/^Coupon off, /).waitFor();
    await expect.poll(async () => (await tones()).slice(before)).toEqual([784, 523]);
    await coupon.click();
    await page.getByText(/^Coupon on, /).waitFor();
    await expect.poll(async () => (await tones()).slice(before + 2)).toEqual([880, 1175, 1568]);
    expect((await callsOf(page, 'coupon:switch')).map(({ input }) => input)).toEqual([
      { productId: '101', isEnabled: false },
      { productId: '101', isEnabled: true },
    ]);
  });

  it('whose coupon is locked says so, and is not switched', async () => {
    const page = await open({}, { answers: { 'coupon:switch': { ok: false, failure: { kind: 'locked' } } } });
    await scan(page, coffee);
    await page.keyboard.press('F4');
    // The bar has no room for the question: it says where the PIN is asked for.
    await page
      .getByText('The coupon was not switched. The manager has locked this. Open Tillside and switch it there')
      .waitFor();
    expect(await page.getByRole('switch').isChecked()).toBe(true);
  });

  it('leads whoever would switch its coupon without a sign-in to the window, by the button and by F4', async () => {
    const page = await open({ ...signedOut, lookupNeedsSignIn: false });
    await scan(page, coffee);
    await page.getByRole('button', { name: 'Sign in to switch it' }).click();
    await expect.poll(() => countCalls(page, 'window:show')).toBe(1);
    await page.keyboard.press('F4');
    await expect.poll(() => countCalls(page, 'window:show')).toBe(2);
  });

  it("of a scale's label in doubt says why it asks; a name typed since chooses nothing for the label", async () => {
    const text = '2000102034758';
    const read = { as: 'scaleLabel', ofCase: null, layout: null, facts: [], fault: null, doubt: 'unit' };
    const hit = { stockId: '11', stockName: 'Loja', productId: '102', code: 'A-102', name: 'Queijo minas frescal' };
    const balance = { amount: 3.475, asOf: nowMs - 60_000, source: 'listing' };
    const hits = [{ ...hit, unit: 'UNID', balance }];
    const page = await open(
      {},
      { answers: { 'lookup:find': { ok: true, value: { kind: 'several', text, read, hits } } } },
    );
    await scan(page, text);
    const list = page.getByRole('region', { name: '1 product found' });
    await list.getByText(/^This label and the unit of this product do not go together/).waitFor();
    expect(await list.getByText(/Which one is it/).count()).toBe(0);
    for (const [name, product] of [
      ['camiseta', /Camiseta/],
      ['queijo', /Queijo minas/],
    ] as const) {
      await scan(page, text);
      await list.waitFor();
      await field(page).pressSequentially(name, { delay: 120 });
      await page.getByRole('button', { name: product }).click();
      await page.getByRole('region', { name: product }).waitFor();
      expect(await page.getByRole('button', { name: 'Choose another' }).count()).toBe(0);
    }
    expect(await inputsOf(page, 'lookup:choose')).toEqual([]);
    const opened = (await inputsOf(page, 'product:read')).filter(({ isOpened }) => isOpened === true);
    expect(opened.map(({ productId, text: asked }) => [productId, asked])).toEqual([
      ['103', undefined],
      ['102', undefined],
    ]);
  });

  it("is never a cashier's badge: the till takes it, and the bar says so without its code", async () => {
    const code = 'TILL0123456789012345';
    const page = await open({}, { answers: { 'cashier:scanBadge': { ok: false, failure: { kind: 'badgeUnknown' } } } });
    await scan(page, coffee);
    await page.getByRole('region', { name: /Café/ }).waitFor();
    const shown = await field(page).inputValue();
    await scan(page, code, { pauses: { 7: 90 } });
    await page.getByRole('alert').filter({ hasText: 'Nobody has this badge here.' }).waitFor();
    expect(await inputsOf(page, 'cashier:scanBadge')).toEqual([{ code }]);
    expect(await inputsOf(page, 'lookup:find')).toHaveLength(1);
    expect(await field(page).inputValue()).toBe(shown);
    expect(await page.content()).not.toContain(code.slice(4));
  });

  it("is the typed text's, and what is typed next takes the field", async () => {
    const page = await open();
    await field(page).pressSequentially('queijo', { delay: 120 });
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /Queijo minas/ }).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('region', { name: /Queijo minas/ }).waitFor();
    await page.keyboard.press('x', { delay: 120 });
    await expect.poll(() => field(page).inputValue()).toBe('x');
  });

  it('to what nobody has, to what is no code, and while the copy runs, is a miss of its kind', async () => {
    const { catalogue } = readyState(nowMs);
    const page = await open();
    const look = async (text: string, title: string): Promise<void> => {
      await field(page).fill(text);
      await page.keyboard.press('Enter');
      await page.getByRole('region', { name: title }).waitFor();
    };
    await look('nothing-like-it', 'Unknown product');
    await look('2000000000001', 'Not a readable code');
    const copying = { phase: 'copying', copied: 1200, total: 5000, completeAt: nowMs + 60_000 } as const;
    await changeState(page, { catalogue: { ...catalogue, ...copying } });
    await look('nothing-like-it', 'Not copied yet');
  });
});

describe('the bar', () => {
  it('makes way for what is typed next, which is answered with suggestions', async () => {
    const page = await open();
    await scan(page, coffee);
    await page.getByRole('region', { name: /Café/ }).waitFor();
    await field(page).pressSequentially('cam', { delay: 120 });
    const suggestion = page.getByRole('button', { name: /Camiseta/ });
    await suggestion.waitFor();
    expect(await page.getByRole('region', { name: /Café/ }).count()).toBe(0);
    expect(await field(page).inputValue()).toBe('cam');
    await suggestion.click();
    await page.getByRole('region', { name: /Camiseta/ }).waitFor();
    expect(await suggestion.count()).toBe(0);
  });

  it('is low until there is an answer, and again after hiding, with an empty field that has the keyboard', async () => {
    const page = await open();
    const low = await heightOf(page);
    expect(low).toBeLessThan(90);
    await scan(page, coffee);
    await page.getByRole('region', { name: /Café/ }).waitFor();
    expect(await heightOf(page)).toBeGreaterThan(low + 100);
    await show(page, false);
    await expect.poll(() => heightOf(page)).toBe(low);
    await expect.poll(() => field(page).inputValue()).toBe('');
    await page.getByRole('button', { name: 'Hide the bar' }).focus();
    await show(page, true);
    await expect.poll(() => field(page).evaluate((input) => input === document.activeElement)).toBe(true);
  });

  it('asks to be hidden by Escape and by its button, and opens the window when asked to', async () => {
    const page = await open();
    await page.keyboard.press('Escape');
    await expect.poll(() => countCalls(page, 'companion:hide')).toBe(1);
    await page.getByRole('button', { name: 'Hide the bar' }).click();
    await expect.poll(() => countCalls(page, 'companion:hide')).toBe(2);
    await scan(page, coffee);
    await page.getByRole('button', { name: 'Open Tillside' }).click();
    await expect.poll(() => countCalls(page, 'window:show')).toBe(1);
  });

  it('asks to be hidden when nobody has used it for so long as was chosen, and never when it was chosen so', async () => {
    const brief = await open({ companion: { ...companion, hideAfterSeconds: 600 } });
    await brief.clock.install();
    for (const _time of [1, 2]) {
      await brief.keyboard.press('a');
      await brief.clock.fastForward(400_000);
      expect(await countCalls(brief, 'companion:hide')).toBe(0);
    }
    await brief.clock.fastForward(200_000);
    await expect.poll(() => countCalls(brief, 'companion:hide')).toBe(1);
    await brief.close();
    const lasting = await open({ companion: { ...companion, hideAfterSeconds: 0 } });
    await lasting.clock.install();
    await lasting.keyboard.press('a');
    await lasting.clock.fastForward(86_400_000);
    expect(await countCalls(lasting, 'companion:hide')).toBe(0);
  });

  it.each([
    ['signIn', 'Nobody is signed in.'],
    ['firstRun', 'No shop is open yet.'],
  ] as const)(
    'says that it cannot answer in the phase %s, with one way on, and keeps no scan',
    async (phase, words) => {
      const page = await open({ phase, lookupNeedsSignIn: true });
      await page.getByText(words).waitFor();
      expect(await field(page).count()).toBe(0);
      await scan(page, coffee);
      await page.getByRole('button', { name: 'Open Tillside' }).click();
      await expect.poll(() => countCalls(page, 'window:show')).toBe(1);
      await expect.poll(() => countCalls(page, 'lookup:find')).toBe(0);
    },
  );

  it('shows that there is no network, what waits, and that the practice store is open', async () => {
    const page = await open({
      mode: 'practice',
      practice: { isNetworkDown: false, hasPanel: true },
      connection: { state: 'offline', since: nowMs, failure: null },
      queue: { ...readyState(nowMs).queue, pending: 3 },
    });
    await page.getByRole('complementary', { name: 'Practice store' }).waitFor();
    expect(await page.getByRole('status').first().innerText()).toMatch(/Offline[^]*3/);
  });
});

describe('the settings', () => {
  const update = async (page: Page) => (await inputsOf(page, 'settings:update')).at(-1);
  const openSettings = async (state: Partial<TerminalState> = {}): Promise<Page> => {
    const { page } = await stage.open(
      { state: readyState(nowMs, { host: 'electron', companion, ...state }), nowMs },
      { width: 1024, height: 768 },
      { path: '#settings/till' },
    );
    await page.getByRole('main', { name: 'Settings' }).waitFor();
    return page;
  };
  const part = (page: Page) => page.getByRole('region', { name: 'Companion bar and tray' });

  it('take the keys that are pressed, say which cannot be taken, and leave all as it was at Escape', async () => {
    const page = await openSettings();
    const button = part(page).getByRole('button', { name: 'Choose keys' });
    await button.waitFor();
    expect(await part(page).locator('kbd').allTextContents()).toEqual(['Ctrl', 'Alt', 'Space']);
    await button.click();
    await page.keyboard.press('Control+KeyC');
    await part(page).getByText('Programs need these keys', { exact: false }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => button.getAttribute('aria-pressed')).toBe('false');
    await page.getByRole('main', { name: 'Settings' }).waitFor();
    await button.click();
    await page.keyboard.press('Control+Shift+F9');
    await expect.poll(() => update(page)).toEqual({ companion: { ...defaultCompanion, shortcut: 'Control+Shift+F9' } });
    await part(page).getByRole('button', { name: 'Use no keys' }).click();
    await expect.poll(() => update(page)).toEqual({ companion: { ...defaultCompanion, shortcut: null } });
  });

  it("leave a scan alone while they wait for keys, GS1's separator included", async () => {
    const page = await openSettings();
    await part(page).getByRole('button', { name: 'Choose keys' }).click();
    await scan(page, '010789000000010110A1\u001d21B2');
    await expect.poll(() => countCalls(page, 'lookup:find')).toBe(1);
    await expect.poll(() => update(page)).toBeUndefined();
  });

  it('say that another program has the keys, when the bar goes away, and that the window may be closed', async () => {
    const page = await openSettings({ companion: { ...companion, isShortcutHeld: false } });
    await part(page).getByText('Another program uses these keys', { exact: false }).waitFor();
    await part(page).getByText('after 60 s', { exact: true }).click();
    await expect.poll(() => update(page)).toEqual({ companion: { ...defaultCompanion, hideAfterSeconds: 60 } });
    await part(page).getByRole('switch', { name: 'Keep running without a window' }).click();
    await expect
      .poll(() => update(page))
      .toEqual({ companion: { ...defaultCompanion, hideAfterSeconds: 60, keepInTray: true } });
  });

  it('are not there where there is no desktop around the page', async () => {
    const page = await openSettings({ host: 'browser', companion: null });
    await page.getByRole('region', { name: 'Label printer' }).waitFor();
    expect(await part(page).count()).toBe(0);
  });
});

it('is as tall in the narrow window that Windows makes of a minimised one', async () => {
  const page = await open({ mode: 'practice' });
  const own = await heightOf(page);
  await page.setViewportSize({ width: 160, height: 40 });
  await expect.poll(() => page.evaluate(() => window.innerWidth)).toBe(160);
  expect(await heightOf(page)).toBe(own);
});
