import type { Page } from 'playwright-core';
import { afterEach, expect, test } from 'vitest';
import { connect, type PackagedSession } from '../support/packaged.ts';
import { temporaryDirectory } from '../support/temporary.ts';
import { launchOnWindows, seeAddress, windowsPackage } from '../support/windows.ts';

let session: PackagedSession | null = null;
afterEach(async () => {
  await session?.kill();
  session = null;
});

/** Ends the page's process; answers the page that takes its place. */
async function crash(running: PackagedSession, page: Page): Promise<Page> {
  const crashed = page.waitForEvent('crash');
  const protocol = await page.context().newCDPSession(page);
  protocol.send('Page.crash').catch(() => undefined);
  await crashed;
  const line = await seeAddress(running.child);
  // A page that is not back yet is not shown to whoever connects.
  for (let attempt = 0; attempt < 20; attempt += 1) {
    const back = await connect(line, 1_000).catch(() => null);
    if (back !== null) {
      return back;
    }
  }
  throw new Error('the page has not come back');
}

test.skipIf(windowsPackage === null)(
  'the third crash within a minute brings the safe screen, and the app back',
  async () => {
    session = await launchOnWindows(['--data-dir', temporaryDirectory(), '--lang', 'pt-BR']);
    let { page } = session;
    const practice = (): Promise<void> => page.getByRole('button', { name: 'Loja de treino' }).waitFor();
    for (let crashes = 0; crashes < 2; crashes += 1) {
      await practice();
      page = await crash(session, page);
    }
    await practice();
    page = await crash(session, page);
    await page.getByRole('heading', { name: 'A janela parou de funcionar' }).waitFor();
    expect(await page.locator('body').innerText()).toContain('Nada foi perdido');
    await page.getByRole('link', { name: 'Tentar de novo' }).click();
    await practice();
  },
);
