// The proof of what a customer can do at the check station: look up, choose a language, and nothing else.
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { defaultStation, type StationAnswer } from '../../app/contract/station.ts';
import { scan } from '../support/wedge.ts';
import { callsOf, changeState, goAway, inputsOf, setAnswer } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { showAt } from './fixtures.ts';
import { readyState } from './ready-state.ts';
import { coffee } from './scene-fixtures.ts';
import { setStage } from './stage.ts';
import { stationProduct, stationState } from './scenes/station.ts';

const nowMs = Date.now();
const stage = setStage();
const found = (name: string): { ok: true; value: StationAnswer } => ({
  ok: true,
  value: { kind: 'found', products: [stationProduct({ name, stock: { kind: 'few' } })] },
});

async function open(scene: Partial<Scene> = {}, station = {}): Promise<Page> {
  const { page } = await stage.open({
    state: stationState({}, station),
    nowMs,
    answers: { 'station:find': found('Café') },
    ...scene,
  });
  await page.getByRole('main', { name: 'Check station' }).waitFor();
  return page;
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, exact: true });
const field = (page: Page) => page.getByRole('textbox', { name: 'Or type the code' });

it('a scan is answered with words, the next takes its place, and both are read out', async () => {
  const page = await open();
  await scan(page, coffee);
  await heading(page, 'Café').waitFor();
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Café: Few left.');
  await setAnswer(page, 'station:find', { ok: true, value: { kind: 'askUs' } });
  await scan(page, '9520000000028');
  await heading(page, 'Please ask us').waitFor();
  expect(await heading(page, 'Café').count()).toBe(0);
  expect(await inputsOf(page, 'station:find')).toEqual([{ text: coffee }, { text: '9520000000028' }]);
  expect(await field(page).inputValue()).toBe('');
});

it('a code is typed by touch or keys; the screen clears itself, and the shop’s language is back', async () => {
  const page = await open({}, { clearAfterSeconds: 120 });
  for (const key of ['7', '8', '9']) {
    await page.getByRole('button', { name: key, exact: true }).click();
  }
  await page.getByRole('button', { name: 'Delete the last digit' }).click();
  await page.getByRole('button', { name: 'Look up' }).click();
  await heading(page, 'Café').waitFor();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('Hold the product’s code to the scanner').waitFor();

  await page.clock.install();
  await page.getByRole('button', { name: 'Español' }).click();
  await page.getByRole('button', { name: 'Consultar' }).waitFor();
  await scan(page, coffee);
  await heading(page, 'Café').waitFor();
  await page.getByRole('button', { name: '5', exact: true }).click();
  await page.clock.fastForward(90_000);
  await page.getByRole('button', { name: '6', exact: true }).click();
  await page.clock.fastForward(90_000);
  expect(await page.getByRole('main').getByRole('textbox').inputValue()).toBe('56');
  await page.clock.fastForward(30_000);
  await page.getByText('Hold the product’s code to the scanner').waitFor();
  expect(await field(page).inputValue()).toBe('');
  expect(await page.evaluate(() => document.documentElement.lang)).toBe('en');
  expect((await inputsOf(page, 'station:find')).map(({ text }) => text)).toEqual(['78', coffee]);
  expect(await page.evaluate(() => JSON.stringify([window.sessionStorage, window.localStorage]))).not.toContain(coffee);
});

it('a cashier’s badge is not looked up, shown or spoken of, neither then nor after the station', async () => {
  const code = 'TILL0123456789012345';
  const page = await open({ answers: { 'cashier:scanBadge': { ok: false, failure: { kind: 'locked' } } } });
  await scan(page, code);
  await expect.poll(() => inputsOf(page, 'cashier:scanBadge')).toEqual([{ code }]);
  await scan(page, code, { pauses: { 3: 120, 11: 80 } });
  await expect.poll(() => inputsOf(page, 'cashier:scanBadge')).toHaveLength(2);
  await page.getByText('Hold the product’s code to the scanner').waitFor();
  expect(await field(page).inputValue()).toBe('');
  expect(await inputsOf(page, 'station:find')).toEqual([]);
  expect(await page.content()).not.toContain(code.slice(4));
  await changeState(page, readyState(nowMs));
  await page.getByRole('main', { name: 'Lookup' }).waitFor();
  expect(await page.locator('.badge-note').count()).toBe(0);
  await page.getByText('Scan a product').waitFor();
});

it('no key, menu or link leads anywhere, and nothing but lookups is asked for', async () => {
  const page = await open();
  const address = page.url();
  const entries = await page.evaluate(() => window.history.length);
  for (const key of ['F1', 'F5', 'F6', 'F7', 'F11', 'F12', 'Escape', 'Alt+Home', 'Alt+ArrowLeft']) {
    await page.keyboard.press(key);
  }
  for (const key of [
    'Control+r',
    'Control+p',
    'Control+f',
    'Control+l',
    'Control+u',
    'Control+Shift+i',
    'Control+Equal',
  ]) {
    await page.keyboard.press(key);
  }
  await page.mouse.click(400, 400, { button: 'right' });
  await showAt(page, '#queue');
  await page.getByRole('main', { name: 'Check station' }).waitFor();
  expect(await page.getByRole('dialog').count()).toBe(0);
  expect(await page.getByRole('link').count()).toBe(0);
  expect(page.url().replace('#queue', '')).toBe(address.replace(/#.*/, ''));
  expect(await page.evaluate(() => window.history.length)).toBeLessThanOrEqual(entries + 1);
  expect(await page.evaluate(() => document.body.innerText)).not.toContain('ana@example.com');
  const asked = new Set((await callsOf(page)).map(({ channel }) => channel));
  expect([...asked].filter((channel) => channel !== 'terminal:read' && channel !== 'lookup:listRecent')).toEqual([]);
});

it('the keys and the held corner ask for the manager’s PIN: a wrong one is said, the right one leaves', async () => {
  const page = await open({
    answers: { 'station:leave': { ok: false, failure: { kind: 'pinWrong', retryAfterMs: 0 } } },
  });
  await page.keyboard.press('Control+Shift+E');
  const pin = page.getByRole('textbox', { name: 'PIN' });
  await pin.waitFor();
  await page.keyboard.type('2580', { delay: 130 });
  await page.keyboard.press('Enter');
  await expect.poll(() => inputsOf(page, 'station:leave')).toEqual([{ pin: '2580' }]);
  await page.getByText('This PIN is not right.').waitFor();
  await page.keyboard.press('Escape');
  await pin.waitFor({ state: 'hidden' });

  await page.clock.install();
  const corner = page.locator('.station-corner');
  await corner.hover();
  await page.mouse.down();
  await page.clock.fastForward(1_000);
  expect(await pin.count()).toBe(0);
  await page.clock.fastForward(2_500);
  await page.mouse.up();
  await pin.waitFor();
  await changeState(page, readyState(nowMs));
  await page.getByRole('main', { name: 'Lookup' }).waitFor();
  expect(await pin.count()).toBe(0);
});

it('the question for the PIN stays when the finger that held the corner is lifted', async () => {
  const page = await open();
  await page.clock.install();
  await page.evaluate(() => addEventListener('click', () => (document.documentElement.dataset['lifted'] = ''), true));
  const touch = await page.context().newCDPSession(page);
  const corner = await page.locator('.station-corner').boundingBox();
  const at = { x: (corner?.x ?? 0) + 20, y: (corner?.y ?? 0) + 20 };
  await touch.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [at] });
  await page.clock.fastForward(3_100);
  const pin = page.getByRole('textbox', { name: 'PIN' });
  await pin.waitFor();
  await touch.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await expect.poll(() => page.evaluate(() => document.documentElement.dataset['lifted'])).toBe('');
  await page.clock.fastForward(1_000);
  expect(await pin.isVisible()).toBe(true);
});

it('when the main process has gone a customer is told to ask, and nothing else; it is back by itself', async () => {
  const page = await open();
  await goAway(page, true);
  await scan(page, coffee);
  await heading(page, 'Please ask us').waitFor();
  expect(await page.getByRole('alertdialog').count()).toBe(0);
  await goAway(page, false);
  await scan(page, coffee);
  await heading(page, 'Café').waitFor();
});

it('the manager is shown how to leave it before it is opened, and needs a PIN', async () => {
  const { page } = await stage.open({ state: readyState(nowMs), nowMs });
  await page.getByRole('main').waitFor();
  await showAt(page, '#settings/till');
  const begin = page.getByRole('button', { name: 'Open the check station' });
  await expect.poll(() => begin.isDisabled()).toBe(true);
  await changeState(page, { lock: { ...readyState(nowMs).lock, hasPin: true } });
  await begin.click();
  const asked = page.getByRole('dialog', { name: 'Open the check station?' });
  await asked.getByText('Ctrl+Shift+E', { exact: false }).waitFor();
  await asked.getByRole('button', { name: 'Open the check station' }).click();
  await expect.poll(() => inputsOf(page, 'settings:update')).toEqual([{ station: { ...defaultStation, isOn: true } }]);
});
