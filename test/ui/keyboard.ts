import type { Page } from 'playwright-core';
import { installFocusProbe } from './probes.ts';

/** More stops than any scene has. */
const maxStops = 150;

interface FocusProbe {
  readonly judge: () => string | null;
  readonly missed: () => readonly string[];
}

/** The faults that a person meets who has the Tab key alone: a focus that is not seen, is lost, or does not get on. */
export async function tabThrough(page: Page): Promise<string[]> {
  const found: string[] = [];
  const judge = (): Promise<string | null> =>
    page.evaluate(() => (window as unknown as { focusProbe: FocusProbe }).focusProbe.judge());
  await page.evaluate(installFocusProbe);
  await page.keyboard.press('Tab');
  let problem = await judge();
  // Where a page has one stop alone, the way around leads through the window's own.
  if (problem === 'nowhere') {
    await page.keyboard.press('Tab');
    problem = await judge();
  }
  for (let stop = 0; stop < maxStops && problem !== 'around'; stop += 1) {
    if (problem !== null) {
      found.push(problem);
    }
    await page.keyboard.press('Tab');
    problem = await judge();
  }
  return [
    ...found,
    ...(await page.evaluate(() => (window as unknown as { focusProbe: FocusProbe }).focusProbe.missed())).map(
      (name) => `is never reached: ${name}`,
    ),
  ];
}
