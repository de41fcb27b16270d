import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { callsOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const layouts = ['2CCCC0TTTTTTV', '2CCCCCTTTTTTV', '2CCCCCCTTTTTV', '20CCCCCKKKKKV'];
const stage = setStage();

async function open(section: string, answers: Record<string, unknown> = {}): Promise<Page> {
  const { page } = await stage.open(
    {
      state: readyState(nowMs, { scaleLayouts: layouts }),
      nowMs,
      answers,
      delaysMs: { 'settings:update': 1500, 'lock:choose': 1500 },
    },
    undefined,
    { path: `#settings/${section}` },
  );
  await page.getByRole('main', { name: 'Settings' }).waitFor();
  return page;
}

const lastInput = async (page: Page) => (await callsOf(page, 'settings:update', 'lock:choose')).at(-1)?.input;

it('each of several quick clicks begins from the one before, although nothing has been saved yet', async () => {
  const page = await open('scanner');
  const part = page.getByRole('region', { name: 'Scale labels' });
  for (const _ of [1, 2, 3]) {
    await part.getByRole('button', { name: 'Move 20CCCCCKKKKKV up' }).press('Enter');
  }
  await expect.poll(() => lastInput(page)).toEqual({ scaleLayouts: ['20CCCCCKKKKKV', ...layouts.slice(0, 3)] });
  await page.getByRole('link', { name: 'You', exact: true }).click();
  const sounds = page.getByRole('region', { name: 'Sounds' });
  await sounds.getByRole('slider').press('End');
  await sounds.getByRole('switch').press(' ');
  await expect.poll(() => lastInput(page)).toEqual({ sounds: { isOn: false, volume: 100 } });
  await page.evaluate(() => {
    location.hash = '#settings/lock';
  });
  await page.getByRole('checkbox', { name: /^Coupons/ }).press(' ');
  await page.getByRole('checkbox', { name: /^Restoring users/ }).press(' ');
  await expect.poll(() => lastInput(page)).toMatchObject({ kinds: ['settings', 'discarding'] });
});

it('where the settings are locked a cashier sees their own, and the others after a press', async () => {
  const state = readyState(nowMs);
  const held = { ...state, lock: { ...state.lock, hasPin: true } };
  const { page } = await stage.open({ state: held, nowMs }, undefined, { path: '#settings/general' });
  const sections = page.getByRole('navigation', { name: 'Parts of the settings' });
  await sections.getByRole('link', { name: 'You', exact: true }).waitFor();
  expect(await sections.getByRole('link').allInnerTexts()).toEqual(['You', 'Support']);
  await sections.getByRole('link', { name: 'Support' }).click();
  await page.getByRole('region', { name: 'At work' }).waitFor();
  const forms = page.getByRole('region', { name: 'Changes and their history' });
  expect(await forms.count()).toBe(0);
  await sections.getByRole('button', { name: 'All settings' }).click();
  await forms.waitFor();
  expect(await sections.getByRole('link').count()).toBe(9);
  // Whoever opens one by its address, or has no lock, sees all of them.
  const { page: other } = await stage.open({ state: held, nowMs }, undefined, { path: '#settings/scanner' });
  await other.getByRole('link', { name: 'Scanner', exact: true }).waitFor();
  expect(await other.getByRole('button', { name: 'All settings' }).count()).toBe(0);
});

it('a choice that was not saved gives way to what is kept, and its failure is shown', async () => {
  const page = await open('scanner', { 'settings:update': { ok: false, failure: { kind: 'inputInvalid' } } });
  const part = page.getByRole('region', { name: 'Scale labels' });
  await part.getByRole('button', { name: 'Move 20CCCCCKKKKKV up' }).press('Enter');
  await part.getByRole('listitem').nth(2).getByText('20CCCCCKKKKKV').waitFor();
  await part.getByRole('listitem').nth(3).getByText('20CCCCCKKKKKV').waitFor();
  await part.getByRole('alert').waitFor();
});
