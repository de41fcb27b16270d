import type { Page } from 'playwright-core';

/** Notes every tone from here on; answers their frequencies in hertz, in their order. */
export async function listenToTones(page: Page): Promise<() => Promise<readonly number[]>> {
  await page.evaluate(() => {
    const tones: number[] = [];
    const start = OscillatorNode.prototype.start;
    OscillatorNode.prototype.start = function (when) {
      tones.push(this.frequency.value);
      start.call(this, when);
    };
    Object.assign(window, { tones });
  });
  return () => page.evaluate(() => (window as unknown as { tones: number[] }).tones);
}
