import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { checkDigitOf } from '../../app/domain/codes/barcode.ts';
import { inputsOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { createKeyboard, createRandom } from './scan-bench.ts';
import { setStage } from './stage.ts';

const nowMs = Date.now();
const stage = setStage();
const scans = 8;
const gapMs = 5;

/** Presses the keys of a scan when they are due, however late the page hears them. */
async function scanInTime(page: Page, keys: readonly string[], stallAt: number, stallMs: number): Promise<void> {
  let dueMs = Date.now();
  const keyboard = createKeyboard(await page.context().newCDPSession(page), dueMs);
  for (const [place, key] of keys.entries()) {
    const afterMs = place === stallAt ? stallMs : gapMs;
    dueMs += afterMs;
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, dueMs - Date.now())));
    keyboard.key(key, afterMs);
  }
  await keyboard.settle();
}

it.each([4, 6])('a scan that pauses is whole on a page that is slowed %i times', async (rate) => {
  const random = createRandom(rate);
  const { page } = await stage.open({ state: readyState(nowMs, { sounds: { isOn: false, volume: 0 } }), nowMs });
  await page.locator('.finder-input').waitFor();
  await (await page.context().newCDPSession(page)).send('Emulation.setCPUThrottlingRate', { rate });
  const expected: string[] = [];
  const finds = async () => (await inputsOf(page, 'lookup:find')).map(({ text }) => text);
  for (let scan = 0; scan < scans; scan += 1) {
    const body = random.text('0123456789', 12, 12);
    const code = scan % 2 === 0 ? body + checkDigitOf(body) : random.text('0123456789ABCDEF', 12, 14);
    expected.push(code);
    await scanInTime(page, [...code, 'Enter'], random.between(2, code.length), random.between(80, 580));
    await expect.poll(finds).toHaveLength(expected.length);
    await expect.poll(() => page.locator('.finder-input').inputValue()).toBe(code);
  }
  expect(await finds()).toEqual(expected);
});
