import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { callsOf, changeState, inputsOf } from './fake.ts';
import { showAt } from './fixtures.ts';
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
  await showAt(page, '#settings/lock');
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
  const forms = page.getByRole('region', { name: 'Changes and history' });
  expect(await forms.count()).toBe(0);
  // To see them asks for no PIN, and the button that is gone takes no focus along.
  await sections.getByRole('button', { name: 'All settings', exact: true }).press('Enter');
  await forms.waitFor();
  await sections.getByRole('link', { name: 'Support' }).and(page.locator(':focus')).waitFor();
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

describe('a text', () => {
  const openHours = async (answers: Record<string, unknown> = {}, delaysMs: Record<string, number> = {}) => {
    const scene = { state: readyState(nowMs), nowMs, answers, delaysMs };
    const { page } = await stage.open(scene, undefined, { path: '#settings/support' });
    const part = page.getByRole('region', { name: 'Changes and history' });
    return { page, part, days: part.getByRole('textbox').first(), saved: page.getByText('Saved', { exact: true }) };
  };
  const inputs = (page: Page) => inputsOf(page, 'settings:update');
  const of45 = { queueLimits: { historyDays: 45, askAfterHours: 72 } };

  it('is saved when its field is left and by Enter, and said so until the next one; Escape brings it back', async () => {
    const { page, days, saved } = await openHours();
    await days.fill('45');
    await days.blur();
    await saved.waitFor();
    await days.fill('46');
    await days.press('Escape');
    expect(await days.inputValue()).toBe('45');
    await days.blur();
    await days.fill('47');
    await days.press('Enter');
    await days.blur();
    await expect.poll(() => inputs(page)).toEqual([of45, { queueLimits: { historyDays: 47, askAfterHours: 72 } }]);
    await page.getByRole('link', { name: 'You', exact: true }).click();
    await saved.waitFor({ state: 'detached' });
  });

  it('that is refused gives way to what is kept, with the reason at its field', async () => {
    const { part, days, saved } = await openHours({
      'settings:update': { ok: false, failure: { kind: 'storageFull' } },
    });
    await days.fill('45');
    await days.press('Enter');
    await part.getByRole('alert').waitFor();
    expect([await days.inputValue(), await saved.count()]).toEqual(['30', 0]);
  });

  it('of which half is typed when the window is left is not saved, and can be typed on', async () => {
    const { page, days } = await openHours();
    await days.fill('4');
    // A window that loses the focus leaves its page the element that has it.
    await days.dispatchEvent('focusout', {});
    await days.pressSequentially('5');
    await days.press('Enter');
    await expect.poll(() => inputs(page)).toEqual([of45]);
  });

  it('is saved once when a key leads away from it, and wrong ones are not', async () => {
    const { page, days } = await openHours();
    const limit = page.getByRole('textbox', { name: 'Requests in 60 seconds' });
    await limit.fill('1.5');
    await days.fill('45');
    await showAt(page, '#queue');
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await expect.poll(() => inputs(page)).toEqual([of45]);
    await showAt(page, '#settings/support');
    expect(await limit.inputValue()).toBe('60');
    expect(await inputs(page)).toHaveLength(1);
  });

  it.each([
    [
      'the till is locked',
      { phase: 'signIn', cashiers: { ...readyState(0).cashiers, lockedEmail: 'ana@example.com' } },
    ],
    ['another profile is open', { profileId: 2 }],
    ['somebody else is here', { session: { ...readyState(0).session, email: 'bea@example.com' } }],
    ['practice is open', { mode: 'practice' }],
  ] as const)('that is being typed when %s is not saved', async (_when, change) => {
    const { page, days } = await openHours();
    await days.fill('45');
    await changeState(page, change);
    await expect.poll(async () => (await days.count()) === 0 || (await days.inputValue()) === '30').toBe(true);
    expect(await inputs(page)).toEqual([]);
  });

  it('is not there half typed after the page was read anew', async () => {
    const { page, days } = await openHours();
    await days.fill('45');
    await page.reload();
    await days.waitFor();
    expect(await days.inputValue()).toBe('30');
    expect(await inputs(page)).toEqual([]);
  });
});

it('of several clicks those that wait when another profile is open are not sent to it', async () => {
  const page = await open('scanner');
  const up = page.getByRole('button', { name: 'Move 20CCCCCKKKKKV up' });
  for (const _ of [1, 2, 3]) {
    await up.press('Enter');
  }
  await changeState(page, { profileId: 2 });
  await showAt(page, '#settings/general');
  await page.getByRole('radio', { name: 'Dark' }).press(' ');
  await expect.poll(() => lastInput(page), { timeout: 10_000 }).toEqual({ theme: 'dark' });
  expect(await callsOf(page, 'settings:update')).toHaveLength(2);
});
