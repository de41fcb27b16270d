import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { isNight } from '../support/night.ts';
import { callsOf } from './fake.ts';
import { readyState } from './ready-state.ts';
import { createKeyboard, installBench, planOf, play, scanners, seedsAPage } from './scan-bench.ts';
import { setStage } from './stage.ts';

const runs = Number(process.env['TILLSIDE_SCAN_MIXTURES'] ?? (isNight ? 500 : 60));
const nowMs = Date.parse('2026-03-10T15:00:00-03:00');
const stage = setStage();

const alone = process.env['TILLSIDE_SCAN_SEED'];
const seeds = alone === undefined ? Array.from({ length: runs }, (_, run) => run) : [Number(alone)];

async function openBench(seed: number): Promise<Page> {
  const { page } = await stage.open({
    state: readyState(nowMs, { scanner: planOf(seed).settings, sounds: { isOn: false, volume: 0 } }),
    nowMs,
  });
  await page.getByRole('main').waitFor();
  await page.evaluate(installBench);
  return page;
}

it(`is right in ${runs} mixtures of scans, typing, focus and dialogs`, { timeout: 900_000 }, async () => {
  let scans = 0;
  let typed = 0;
  for (let start = 0; start < seeds.length; start += seedsAPage) {
    const part = seeds.slice(start, start + seedsAPage);
    const page = await openBench(part[0] ?? 0);
    const keyboard = createKeyboard(await page.context().newCDPSession(page));
    for (const seed of part) {
      const plan = planOf(seed);
      const { expected, found } = await play(page, keyboard, plan);
      expect(found, `seed ${seed}: ${JSON.stringify(plan.steps)}`).toEqual(expected);
      scans += expected.scans.length;
      typed += Object.values(expected.typed).join('').length;
    }
    expect((await callsOf(page)).filter(({ channel }) => /switch|settings|sign/i.test(channel))).toEqual([]);
    await page.close();
  }
  // A fuzzer that plays nothing finds nothing.
  if (alone === undefined) {
    expect(scans).toBeGreaterThan(runs);
    expect(typed).toBeGreaterThan(runs);
    expect(new Set(seeds.map((seed) => planOf(seed).settings)).size).toBe(scanners.length);
  }
});
