import type { Page } from 'playwright-core';
import { installFocusProbe } from './probes.ts';

/** More stops than any scene has. */
const maxStops = 150;
const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };

interface FocusProbe {
  readonly arrive: () => boolean;
  readonly end: () => string[];
}

/** The faults that a person meets who has the Tab key alone: a focus that is not seen, is lost, or does not get on. */
export async function tabThrough(page: Page): Promise<string[]> {
  const session = await page.context().newCDPSession(page);
  // Once for each stop and once more to get around; all are on their way before the first is answered.
  let presses = (await page.evaluate(installFocusProbe)) + 1;
  let isAround = false;
  for (let pressed = 0; pressed < maxStops && !isAround; pressed += presses, presses = 1) {
    await Promise.all(
      Array.from({ length: presses }, () => [
        session.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...tab }),
        session.send('Input.dispatchKeyEvent', { type: 'keyUp', ...tab }),
      ]).flat(),
    );
    isAround = await page.evaluate(() => (window as unknown as { focusProbe: FocusProbe }).focusProbe.arrive());
  }
  await session.detach();
  return page.evaluate(() => (window as unknown as { focusProbe: FocusProbe }).focusProbe.end());
}
