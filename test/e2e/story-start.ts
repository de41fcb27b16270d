import type { Page } from 'playwright-core';
import { afterEach, onTestFinished } from 'vitest';
import { launchPlatformForTest, type Platform } from '../support/platform.ts';
import { openRelay, type Relay } from '../support/relay.ts';
import type { Running, Surface } from '../support/surface.ts';

/** A platform for this test, with a relay that can be unplugged before it. */
export async function openPlatform(): Promise<{ platform: Platform; relay: Relay }> {
  const platform = await launchPlatformForTest(['--products', '250']);
  const relay = await openRelay(platform.url);
  onTestFinished(() => relay.close());
  return { platform, relay };
}

/** Starts Tillside on a surface for each story of this file, and tells the screen of one that failed. */
export function startsOn(surface: Surface): (dataDirectory: string, flags?: readonly string[]) => Promise<Running> {
  let shown: Page | null = null;
  afterEach(async ({ task }) => {
    if (task.result?.state === 'fail' && shown !== null && !shown.isClosed()) {
      // The screen as a person would have seen it, as a screen reader tells it: the first thing to know about a story
      // that failed.
      console.log(`The screen of "${task.name}":\n${await shown.locator('body').ariaSnapshot()}`);
    }
  });
  return async (dataDirectory, flags) => {
    const running = await surface.start(dataDirectory, flags);
    onTestFinished(running.kill);
    shown = running.page;
    return running;
  };
}
