import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { changeState, inputsOf } from './fake.ts';
import type { Scene } from './fake-bridge.ts';
import { readyState } from './ready-state.ts';
import { to } from './scene-steps.ts';
import { setStage } from './stage.ts';

const nowMs = Date.now();
const stage = setStage();
const choice = { isOn: true, port: 17_863, origins: [], mayChangeCoupons: false };
const off: TerminalState['localApi'] = { ...choice, isOn: false, status: 'off', openPort: null };
const open: TerminalState['localApi'] = { ...choice, status: 'open', openPort: 17_863 };
const token = 'made-up-token-of-forty-three-letters-000000';

async function show(state: Partial<TerminalState>, scene: Partial<Scene> = {}): Promise<Page> {
  const { page } = await stage.open({ state: readyState(nowMs, state), nowMs, ...scene });
  await page.locator('main').waitFor();
  await to(page, '#settings/connection');
  return page;
}

it('is off at first and shows its choices once it is on; where the host has none, nothing is there', async () => {
  const page = await show({ localApi: off });
  const part = page.getByRole('region', { name: 'Programs on this machine' });
  const main = part.getByRole('switch', { name: 'Answer programs' });
  expect(await part.getByRole('button').count()).toBe(1);
  await main.focus();
  await page.keyboard.press('Space');
  await expect.poll(() => inputsOf(page, 'settings:update')).toEqual([{ localApi: choice }]);
  await changeState(page, { localApi: { ...choice, status: 'noToken', openPort: null } });
  await part.getByText('Nobody can ask yet: make a token.').waitFor();
  await changeState(page, { localApi: { ...choice, status: 'portTaken', openPort: null } });
  await part.getByText(/^Another program has port 17863\./).waitFor();
  await changeState(page, { localApi: open });
  await part.getByText('Answered at http://127.0.0.1:17863').waitFor();
  await changeState(page, { localApi: null });
  await expect.poll(() => part.count()).toBe(0);
});

it('makes a token, shows it once with a copy button, and asks before another one replaces it', async () => {
  const page = await show(
    { localApi: open, localApiTokenHash: null },
    { answers: { 'localApi:makeToken': { ok: true, value: { token } } } },
  );
  await page.getByRole('button', { name: 'Make a token' }).click();
  const field = page.getByRole('textbox', { name: 'Token' });
  expect(await field.inputValue()).toBe(token);
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('status').filter({ hasText: 'Copied' }).waitFor();
  await changeState(page, { localApiTokenHash: 'h'.repeat(43) });
  await page.getByRole('button', { name: 'Done' }).click();
  expect(await field.count()).toBe(0);
  expect(await page.content()).not.toContain(token);

  await page.getByRole('button', { name: 'Make a new token' }).click();
  await page.getByText('From then on programs with the present token are refused.').waitFor();
  await page.getByRole('button', { name: 'Keep the present one' }).click();
  expect(await inputsOf(page, 'localApi:makeToken')).toHaveLength(1);
  await page.getByRole('button', { name: 'Make a new token' }).click();
  await page.getByRole('button', { name: 'Make a new token' }).click();
  await expect.poll(() => inputsOf(page, 'localApi:makeToken')).toHaveLength(2);
});

it('takes a valid port and pages, each when its field is left, and saves origins', async () => {
  const page = await show({ localApi: open, localApiTokenHash: 'h'.repeat(43) });
  const port = page.getByRole('textbox', { name: 'Port' });
  const pages = page.getByRole('textbox', { name: 'Web pages that may ask' });
  await port.fill('80');
  await pages.fill('till.example.com');
  await pages.blur();
  await page.getByText('A number from 1024 to 65535, or 0.').waitFor();
  await page.getByText('Addresses with https:// or http://, one a line, 20 at most.').waitFor();
  expect(await inputsOf(page, 'settings:update')).toEqual([]);
  await port.fill('0');
  await pages.fill('https://till.example.com/sale?id=1\nhttps://till.example.com');
  await to(page, '#queue');
  await expect
    .poll(() => inputsOf(page, 'settings:update'))
    .toEqual([
      { localApi: { ...choice, port: 0 } },
      { localApi: { ...choice, port: 0, origins: ['https://till.example.com'] } },
    ]);
  await to(page, '#settings/connection');
  await page.getByRole('switch', { name: 'Let programs switch coupons' }).click();
  await expect
    .poll(async () => (await inputsOf(page, 'settings:update')).at(-1))
    .toMatchObject({ localApi: { mayChangeCoupons: true } });
});
