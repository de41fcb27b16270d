import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fromAccount } from '../support/account.ts';
import { defaultScanner } from '../../app/contract/limits/scanner.ts';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { scan } from '../support/wedge.ts';
import { changeState, inputsOf } from './fake.ts';
import { showAt } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';
import { listenToTones } from './tones.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const coffee = '7890000000101';
const shirt = '7890000000103';
const stage = setStage();

async function open(
  state: Partial<TerminalState> = {},
  more: { answers?: Record<string, unknown>; hash?: string; pin?: string } = {},
): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs, state), nowMs, ...more });
  await page.getByRole('main').waitFor();
  if (more.hash !== undefined) {
    await showAt(page, more.hash);
    // A screen's parts may still be on their way when its frame is there.
    await page.getByRole('heading', { name: /Try the scanner|Coupons/ }).waitFor();
  }
  return page;
}

const finds = async (page: Page): Promise<unknown[]> =>
  (await inputsOf(page, 'lookup:find')).filter(({ isAgain }) => isAgain !== true).map(({ text }) => text);

describe('a scan', () => {
  it('leaves the caret and the selection of a field where they were', async () => {
    const page = await open({}, { hash: '#settings/scanner' });
    const before = page.getByRole('textbox', { name: 'Sent before each code' });
    await before.fill('~#');
    await before.evaluate((field: HTMLInputElement) => field.setSelectionRange(0, 1, 'backward'));
    await scan(page, coffee);
    await page.getByText('This scanner is heard as it should be.').waitFor();
    expect(
      await before.evaluate((field: HTMLInputElement) => [field.value, field.selectionStart, field.selectionEnd]),
    ).toEqual(['~#', 0, 1]);
  });

  it("that begins with a blank never chooses from a list or turns a switch; a person's blank still does", async () => {
    const page = await open({}, { hash: '#settings/scanner' });
    const toSounds = () => showAt(page, '#settings/general');
    await toSounds();
    const sound = page.getByRole('switch', { name: 'Sound after each scan' });
    await sound.focus();
    await scan(page, ' 7 A1234');
    await expect.poll(() => inputsOf(page, 'lookup:find')).toHaveLength(1);
    expect(await inputsOf(page, 'settings:update')).toEqual([]);
    await toSounds();
    await sound.focus();
    await page.keyboard.press(' ');
    await expect.poll(() => inputsOf(page, 'settings:update')).toEqual([{ sounds: { isOn: false, volume: 50 } }]);
    await showAt(page, '#settings/scanner');
    const list = page.getByRole('combobox', { name: 'The scanner ends with' });
    await list.focus();
    await scan(page, 'TTTT1234');
    await page.waitForTimeout(150);
    expect(await inputsOf(page, 'settings:update')).toHaveLength(1);
    await page.keyboard.press('t');
    await expect
      .poll(async () => (await inputsOf(page, 'settings:update')).at(-1))
      .toEqual({ scanner: { ...defaultScanner, terminator: 'tab' } });
  });

  it('is heard by the settings, from the next key on', async () => {
    const page = await open({ scanner: { ...defaultScanner, prefix: '~', suffix: '#' } });
    await scan(page, `~${coffee}#`);
    await page.getByRole('region', { name: /Café/ }).waitFor();
    await changeState(page, { scanner: { ...defaultScanner, charactersAtLeast: 20 } });
    await scan(page, shirt, { end: null });
    await page.waitForTimeout(200);
    expect(await finds(page)).toEqual([coffee]);
  });
});

describe('a scan with pauses', () => {
  it('is one scan, and leaves nothing in the field and presses nothing, wherever it pauses', async () => {
    const page = await open({ sounds: { isOn: false, volume: 0 } });
    const field = page.getByRole('textbox', { name: 'Barcode, code or name' });
    for (const pauses of [{ 1: 300 }, { 3: 590 }, { 7: 200 }, { 12: 300 }, { 13: 400 }, { 1: 150, 2: 150, 8: 150 }]) {
      await page.locator('.account').focus();
      await scan(page, coffee, { pauses });
      await expect.poll(() => field.inputValue()).toBe(coffee);
      await expect.poll(() => page.getByRole('dialog').count()).toBe(0);
      await page
        .getByRole('heading', { name: 'Recent' })
        .or(page.getByText('Recent', { exact: true }))
        .first()
        .waitFor();
    }
    expect(new Set(await finds(page))).toEqual(new Set([coffee]));
    expect(await finds(page)).toHaveLength(6);
  });

  it('too long to be put together is said to be in pieces, with the sound of a miss and without a product', async () => {
    const page = await open();
    for (const left of [2, 1, 0]) {
      await scan(page, coffee);
      await expect.poll(async () => (await finds(page)).length).toBe(3 - left);
    }
    await page.waitForTimeout(100);
    await scan(page, coffee.slice(0, 9), { end: null });
    await page.getByRole('heading', { name: 'Scanned in two pieces: scan again' }).waitFor();
    await page.locator('.answer-signal[data-signal="notFound"]').waitFor();
    expect(await page.locator('.announcement').textContent()).toBe('Scanned in two pieces: scan again');
    await scan(page, '508');
    await page.waitForTimeout(200);
    expect(await finds(page)).toHaveLength(3);
    expect(await page.getByRole('textbox', { name: 'Barcode, code or name' }).inputValue()).toBe('');
    await scan(page, shirt);
    await page.getByRole('region', { name: /Camiseta/ }).waitFor();
  });
});

describe('scans during a dialog', () => {
  it('are counted there, and at home all are looked up in their order when it is closed', async () => {
    const page = await open();
    await fromAccount(page, 'Sign out');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Stay signed in' }).focus();
    await scan(page, shirt);
    await page.getByText(`Scanned ${shirt}: close this to see it.`).waitFor();
    await scan(page, coffee);
    await page.getByText(`2 scans wait, the last of them ${coffee}: close this to see it.`).waitFor();
    await dialog.getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByRole('region', { name: /Café/ }).waitFor();
    expect(await finds(page)).toEqual([shirt, coffee]);
    await page.getByRole('button', { name: /Camiseta/ }).waitFor();
  });

  it('are offered elsewhere, where the person stays until they want to see them', async () => {
    const page = await open({}, { hash: '#coupons' });
    await fromAccount(page, 'Sign out');
    await page.getByRole('dialog').waitFor();
    await scan(page, shirt);
    await page.getByText(`Scanned ${shirt}: close this, then press “Show it”.`).waitFor();
    expect(await finds(page)).toEqual([]);
    await scan(page, coffee);
    await page.getByRole('dialog').getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByText(`Scanned ${coffee}`, { exact: true }).waitFor();
    expect(await finds(page)).toEqual([shirt]);
    expect(await page.getByRole('main', { name: 'Coupons' }).count()).toBe(1);
    // The screen ends where the offer begins: no row lies behind it.
    const edges = await page.evaluate(() => [
      document.querySelector('main')?.getBoundingClientRect().bottom,
      document.querySelector('.offered-scan')?.getBoundingClientRect().top,
    ]);
    expect(edges[0]).toBe(edges[1]);
    await page.getByRole('button', { name: 'Show it' }).click();
    await page.getByRole('region', { name: /Café/ }).waitFor();
    expect(await finds(page)).toEqual([shirt, coffee]);
    expect(await page.getByText('close this').count()).toBe(0);
  });

  it('leave the keyboard on the screen when the offered one is put away', async () => {
    const page = await open({}, { hash: '#coupons' });
    await fromAccount(page, 'Sign out');
    await page.getByRole('dialog').waitFor();
    await scan(page, coffee);
    await page.getByRole('dialog').getByRole('button', { name: 'Stay signed in' }).click();
    await page.getByRole('button', { name: 'Put this scan away' }).press('Enter');
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Coupons');
  });

  it('of a signing out are not for whoever comes next', async () => {
    const page = await open();
    await fromAccount(page, 'Sign out');
    await page.getByRole('dialog').waitFor();
    await scan(page, coffee);
    await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Password').waitFor();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    // A scan that is made there is answered, and would be after one that had waited.
    await scan(page, '9520000000028');
    await expect.poll(() => finds(page)).toEqual(['9520000000028']);
  });
});

describe('the page that tries a scanner out', () => {
  it('shows each key, what it means and the product, and looks nothing up for the recent ones', async () => {
    const page = await open({}, { hash: '#settings/scanner' });
    await page.getByText('Waiting for a scan').waitFor();
    await scan(page, `]E0${coffee}`);
    const part = page.getByRole('region', { name: 'Try the scanner' });
    await part.getByText('This scanner is heard as it should be.').waitFor();
    await part.getByText(']E0 · EAN/UPC').waitFor();
    await scan(page, ']C10107890000000101\u001d10AB');
    await part.getByText('0107890000000101<GS>10AB').waitFor();
    await scan(page, `]E0${coffee}`);
    await part.getByText(']E0 · EAN/UPC').waitFor();
    await part.getByText('Every key that came').click();
    await part.getByRole('cell', { name: 'U+005D' }).waitFor();
    expect(await part.getByRole('row').count()).toBe(1 + 3 + 13 + 1);
    expect(await finds(page)).toEqual([]);
    expect(await page.getByRole('main', { name: 'Settings' }).count()).toBe(1);
    await part.getByRole('button', { name: 'Look it up' }).click();
    await page.getByRole('main', { name: 'Lookup' }).waitFor();
    expect(await finds(page)).toEqual([`]E0${coffee}`]);
  });

  it('says what to change, changes it at a touch, and the next scan is heard so', async () => {
    const page = await open({}, { hash: '#settings/scanner' });
    const part = page.getByRole('region', { name: 'Try the scanner' });
    await scan(page, `~${coffee}`, { end: null });
    await part.getByText('Your scanner sends no Enter.').waitFor();
    await part.getByText('The scanner sends ~ before the code.').waitFor();
    await part.getByRole('button', { name: 'Use these settings' }).click();
    await part.getByText('These settings are in use.', { exact: false }).waitFor();
    expect((await inputsOf(page, 'settings:update')).at(-1)).toEqual({
      scanner: { ...defaultScanner, terminator: 'none', prefix: '~' },
    });
    await scan(page, `~${coffee}`, { end: null });
    await part.getByText('This scanner is heard as it should be.').waitFor();
    await part.getByText('Café torrado e moído Serra Clara 500 g').waitFor();
    await page.getByRole('button', { name: 'Back to the default settings' }).click();
    await page.getByText('Your settings were replaced by the defaults.').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect
      .poll(async () => (await inputsOf(page, 'settings:update')).at(-1))
      .toEqual({ scanner: { ...defaultScanner, terminator: 'none', prefix: '~' } });
  });

  it('tells a person from a scanner, and leaves what is typed into a field alone', async () => {
    const page = await open({}, { hash: '#settings/scanner' });
    const part = page.getByRole('region', { name: 'Try the scanner' });
    await page.getByRole('textbox', { name: 'Sent before each code' }).pressSequentially('ab', { delay: 90 });
    await page.waitForTimeout(900);
    expect(await part.getByText('Waiting for a scan').count()).toBe(1);
    await page.getByRole('heading', { name: 'Settings' }).click();
    await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
    await page.keyboard.type('arroz', { delay: 110 });
    await part.getByText('Typed by a person, or as slowly as one.').waitFor();
  });

  it.each(['Enter', 'ArrowDown'])(
    'shows nothing of a PIN that a dialog over it asked for, whatever key follows: %s',
    async (key) => {
      const { lock } = readyState(nowMs);
      const page = await open(
        { lock: { ...lock, hasPin: true, kinds: ['settings'] } },
        { hash: '#settings/scanner', pin: '471193' },
      );
      await page.getByRole('combobox', { name: 'The scanner ends with' }).selectOption('tab');
      const dialog = page.getByRole('dialog');
      await dialog.waitFor();
      await page.keyboard.type('471193', { delay: 100 });
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.keyboard.press(key);
      // A burst is over with a rest.
      await page.waitForTimeout(1000);
      await scan(page, coffee);
      await expect.poll(() => inputsOf(page, 'lookup:find')).toEqual([{ text: coffee, source: 'scan', isAgain: true }]);
    },
  );

  it('shows what was measured of the scanner, and says when it pauses', async () => {
    const page = await open({}, { hash: '#settings/scanner' });
    const path = page.getByRole('region', { name: 'Pace of this scanner' });
    await path.getByText('Not measured yet').waitFor();
    for (const _ of [1, 2, 3]) {
      await scan(page, coffee);
    }
    await path.getByText('No scan has paused.').waitFor();
    expect((await path.getByRole('definition').allTextContents()).slice(0, 4)).toEqual([
      '3',
      '4 milliseconds',
      '4 milliseconds',
      'Enter',
    ]);
    await scan(page, coffee, { pauses: { 5: 240 } });
    await path.getByText('1 of the last 4 scans paused in the middle, for up to 240 milliseconds.').waitFor();
  });

  it('gives the report as a text', async () => {
    const page = await open({}, { hash: '#settings/scanner' });
    await scan(page, coffee);
    await page.getByRole('button', { name: 'Copy the report' }).click();
    await page.getByText('Copied.', { exact: false }).waitFor();
    await page.context().grantPermissions(['clipboard-read']);
    const report = await page.evaluate(() => navigator.clipboard.readText());
    expect(report).toContain(`What was read: ${coffee}`);
    expect(report).toContain('Silence that ends a scan (milliseconds): 80');
    expect(report.split('\n').filter((line) => /^\d {2}U\+003\d/.test(line))).toHaveLength(13);
  });
});

describe('the answer of a scan', () => {
  it('is framed and sounds: long for an old figure, once for found, twice for not; typing is silent', async () => {
    const page = await open();
    const played = await listenToTones(page);
    await scan(page, coffee);
    await page.locator('.answer-signal').waitFor();
    await expect.poll(played).toEqual([880]);
    // The live figure has come meanwhile: the card alone tells that.
    await page
      .getByText(/^Live, as of/)
      .first()
      .waitFor();
    expect(await played()).toHaveLength(1);
    await scan(page, coffee);
    await page.locator('.answer-signal[data-signal="found"]').waitFor();
    await expect.poll(played).toEqual([880, 1320]);
    await scan(page, '4000000000000');
    await page.locator('.answer-signal[data-signal="notFound"]').waitFor();
    await expect.poll(played).toEqual([880, 1320, 440, 440]);
    await page.locator('.answer-signal').waitFor({ state: 'detached' });
    await page.getByRole('textbox', { name: 'Barcode, code or name' }).fill('5000000000000');
    await page.keyboard.press('Enter');
    await page.getByRole('region').filter({ hasText: '5000000000000' }).waitFor();
    expect(await played()).toHaveLength(4);
  });

  it('is told once: the lookup is still when it is shown again', async () => {
    const page = await open();
    const played = await listenToTones(page);
    await scan(page, '4000000000000');
    await expect.poll(played).toEqual([440, 440]);
    await showAt(page, '#queue');
    await page.getByRole('heading', { name: 'Queue', exact: true }).waitFor();
    await showAt(page, '#lookup');
    await page.getByRole('region').filter({ hasText: '4000000000000' }).waitFor();
    await scan(page, coffee);
    await page.locator('.answer-signal[data-signal="stale"]').waitFor();
    await expect.poll(played).toEqual([440, 440, 880]);
  });

  it('is silent when sound is off, and can be tried and set', async () => {
    const page = await open({ sounds: { isOn: false, volume: 50 } });
    const played = await listenToTones(page);
    await scan(page, coffee);
    await page.locator('.answer-signal').waitFor();
    await page
      .getByText(/^Live, as of/)
      .first()
      .waitFor();
    expect(await played()).toEqual([]);
    await showAt(page, '#settings/general');
    const part = page.getByRole('region', { name: 'Sounds' });
    expect(await part.getByRole('button', { name: 'Found', exact: true }).isDisabled()).toBe(true);
    await part.getByRole('switch', { name: 'Sound after each scan' }).click({ force: true });
    await part.getByRole('slider').press('End');
    await part.getByText('Volume: 100').waitFor();
    await expect
      .poll(async () => (await inputsOf(page, 'settings:update')).at(-1))
      .toEqual({ sounds: { isOn: true, volume: 100 } });
    for (const [name, count] of [
      ['Found', 1],
      ['Old figure', 2],
      ['Not found', 4],
    ] as const) {
      await part.getByRole('button', { name, exact: true }).click();
      await expect.poll(played).toHaveLength(count);
    }
  });

  it('is framed without movement where less of it is wanted', async () => {
    const page = await open();
    await scan(page, coffee);
    const frame = page.locator('.answer-signal');
    await frame.waitFor();
    expect(await frame.evaluate((element) => getComputedStyle(element).animationName)).toBe('none');
  });
});
