import { expect, it } from 'vitest';
import type { RateLimitReading } from '../../app/contract/rate-limit.ts';
import { openSettings } from '../e2e/story.ts';
import { callsOf, inputsOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { setStage } from './stage.ts';

const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const none = { session: 0, person: 0, queue: 0, catalogue: 0 };
const reading: RateLimitReading = {
  limits: { limit: 60, windowSeconds: 60, reserve: 3 },
  limit: 45,
  used: { session: 1, person: 2, queue: 4, catalogue: 30 },
  waiting: [
    { lane: 'person', purpose: 'balance', subject: 'Café torrado', since: nowMs - 2_000 },
    { lane: 'catalogue', purpose: 'listing', subject: '412', since: nowMs - 65_000 },
  ],
  waitingCount: 60,
  pausedUntil: nowMs + 9_000,
  history: Array.from({ length: 60 }, (_, place) => ({
    used: { ...none, catalogue: place, person: place === 59 ? 1 : 0 },
    limit: place < 30 ? 60 : 45,
    refusals: place === 30 ? 2 : 0,
  })),
  pieceSeconds: 10,
  readAt: nowMs,
};
const stage = setStage();

it('shows what is used, why it is less than set, who waits and ten minutes, and asks only while open', async () => {
  const { page, complaints } = await stage.open({
    state: readyState(nowMs),
    nowMs,
    answers: { 'rateLimit:read': { ok: true, value: reading } },
  });
  await openSettings(page, 'Support');
  await page.getByRole('link', { name: 'See the requests' }).click();
  const now = page.getByRole('region', { name: 'Now' });
  await now.getByText('The platform has asked for a pause: nothing is sent for another 9 seconds').waitFor();
  expect((await now.getByRole('definition').allTextContents()).map((text) => text.trim())).toEqual([
    '37',
    '8',
    '45',
    '60',
  ]);
  await now.getByText('Others use the same account').waitFor();
  const history = page.getByRole('region', { name: 'The last ten minutes' });
  await history
    .getByRole('img', {
      name: 'Requests in use over the last ten minutes: at most 60 of 60. Refused by the platform: 2.',
    })
    .waitFor();
  // Each figure of the axis stands beside its line.
  const heights = (selector: string): Promise<number[]> =>
    history
      .locator(selector)
      .evaluateAll((parts) =>
        parts.map((part) => part.getBoundingClientRect()).map(({ top, height }) => Math.round(top + height / 2)),
      );
  const lines = await heights('.plot-rule, .plot-ground');
  const figures = await heights('.plot-scale > span');
  expect(figures).toHaveLength(3);
  expect(
    Math.max(...figures.map((figure, place) => Math.abs(figure - (lines[place] ?? Infinity)))),
  ).toBeLessThanOrEqual(2);
  await history.getByText('As a table').click();
  await expect.poll(() => history.getByRole('row').count()).toBe(11);
  const waiting = page.getByRole('region', { name: 'Who is waiting' });
  expect(await waiting.getByRole('listitem').allInnerTexts()).toEqual([
    expect.stringMatching(/Stock of a product\s*Café torrado[\s\S]*2 seconds/),
    expect.stringMatching(/Listing, page\s*412[\s\S]*1 minute/),
  ]);
  await waiting.getByText('and 58 more').waitFor();
  await expect.poll(async () => (await callsOf(page, 'rateLimit:read')).length).toBeGreaterThanOrEqual(4);
  await page.getByRole('link', { name: 'Lookup' }).click();
  const asked = (await inputsOf(page, 'rateLimit:read')).length;
  await page.waitForTimeout(1_500);
  expect((await inputsOf(page, 'rateLimit:read')).length).toBeLessThanOrEqual(asked + 1);
  expect(complaints).toEqual([]);
});

it('holds in its picture what was allowed before the limit was lowered', async () => {
  const lowered: RateLimitReading = {
    ...reading,
    limits: { ...reading.limits, limit: 20 },
    limit: 20,
    history: reading.history.map((piece, place) => ({ ...piece, used: none, limit: place < 30 ? 60 : 20 })),
  };
  const { page } = await stage.open({
    state: readyState(nowMs),
    nowMs,
    answers: { 'rateLimit:read': { ok: true, value: lowered } },
  });
  await openSettings(page, 'Support');
  await page.getByRole('link', { name: 'See the requests' }).click();
  const points = await page.locator('.plot-line').getAttribute('points');
  const heights = (points ?? '').split(' ').map((point) => Number(point.split(',')[1]));
  expect([Math.min(...heights), Math.max(...heights)]).toEqual([0, 100]);
  expect(await page.locator('.plot-scale').innerText()).toMatch(/^60/);
});

it('takes a figure that makes sense, and says what is wrong with another', async () => {
  const { page, complaints } = await stage.open({ state: readyState(nowMs), nowMs });
  await openSettings(page, 'Support');
  const part = page.getByRole('region', { name: 'Rate limit' });
  const limit = part.getByRole('textbox', { name: 'Requests in 60 seconds' });
  expect(await limit.inputValue()).toBe('60');
  await limit.fill('0');
  await part.getByText('A whole number from 1 to 1000').waitFor();
  await limit.press('Enter');
  await limit.fill('120');
  await limit.blur();
  await page.getByText('Saved', { exact: true }).waitFor();
  expect(await inputsOf(page, 'settings:update')).toEqual([
    { allowanceLimits: { limit: 120, windowSeconds: 60, reserve: 3 } },
  ]);
  expect(complaints).toEqual([]);
});

it('takes what shares the limit, and tells behind the question mark what is safe', async () => {
  const { page, complaints } = await stage.open({ state: readyState(nowMs), nowMs });
  await openSettings(page, 'Support');
  const part = page.getByRole('region', { name: 'Rate limit' });
  expect(await part.getByRole('radio', { name: 'The platform' }).isChecked()).toBe(true);
  await part.getByText('Each client ID', { exact: true }).click();
  await expect.poll(() => inputsOf(page, 'settings:update')).toEqual([{ rateLimitAccount: 'client' }]);
  await part.getByRole('button', { name: 'Rate limit' }).click();
  await part.getByText('“The platform” is always safe').waitFor();
  expect(complaints).toEqual([]);
});
