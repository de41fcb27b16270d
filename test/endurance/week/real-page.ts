import type { CDPSession, Page } from 'playwright-core';
import type { HostBridge } from '../../../app/contract/bridge.ts';
import type { Id } from '../../../app/domain/int64.ts';
import { cardOf, goTo } from '../../e2e/story.ts';
import { launchChromium } from '../../support/chromium.ts';
import { watchPage } from '../../support/page-watch.ts';
import { typeScan } from '../../support/wedge.ts';

/** Objects that a page holds after a collection; the heap in bytes. */
export interface PageHeld {
  readonly heap: number;
  readonly nodes: number;
  readonly listeners: number;
  readonly documents: number;
}

export interface RealPage {
  readonly complaints: readonly string[];
  scan(text: string): Promise<void>;
  /** Whether the product with this name is on the screen within some seconds. */
  sees(name: string): Promise<boolean>;
  /** Whether the terminal accepted it. */
  switch(productId: Id, isEnabled: boolean): Promise<boolean>;
  /** Goes to the next of the other screens, and back to the lookup. */
  lookAround(): Promise<void>;
  read(): Promise<PageHeld>;
  close(): Promise<void>;
}

const patienceMs = 20_000;
export const screens = ['Stock', 'Coupons', 'Queue', 'Count', 'Settings'] as const;

async function readPage(session: CDPSession): Promise<PageHeld> {
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  const of = (wanted: string): number => metrics.find(({ name }) => name === wanted)?.value ?? Number.NaN;
  return {
    heap: of('JSHeapUsedSize'),
    nodes: of('Nodes'),
    listeners: of('JSEventListeners'),
    documents: of('Documents'),
  };
}

/** Opens the page of the host at this origin with its cookie, signed in already. */
export async function openRealPage(origin: string, cookie: string): Promise<RealPage> {
  const chromium = await launchChromium();
  const { page, watch } = await openWith(chromium, origin, cookie);
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  let looks = 0;
  return {
    complaints: watch.complaints,
    scan: async (text) => {
      const atMs = await typeScan((method, parameters) => session.send(method, parameters), text);
      // The keys' own times lie ahead of the clock.
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, atMs - Date.now())));
    },
    sees: (name) =>
      cardOf(page, name)
        .waitFor({ timeout: patienceMs })
        .then(
          () => true,
          () => false,
        ),
    switch: (productId, isEnabled) =>
      page.evaluate(
        async (input) => {
          const { tillside } = window as unknown as { readonly tillside: HostBridge };
          return ((await tillside.invoke('coupon:switch', input)) as { readonly ok: boolean }).ok;
        },
        { productId, isEnabled },
      ),
    lookAround: async () => {
      const screen = screens[looks % screens.length] ?? 'Stock';
      looks += 1;
      await goTo(page, screen);
      await goTo(page, 'Lookup');
    },
    read: () => readPage(session),
    close: () => chromium.close(),
  };
}

async function openWith(
  chromium: Awaited<ReturnType<typeof launchChromium>>,
  origin: string,
  cookie: string,
): Promise<{ readonly page: Page; readonly watch: { readonly complaints: readonly string[] } }> {
  const [name = '', value = ''] = cookie.split('=');
  const context = await chromium.browser.newContext({
    viewport: { width: 1366, height: 768 },
    locale: 'en-GB',
    storageState: {
      cookies: [
        {
          name,
          value,
          domain: new URL(origin).hostname,
          path: '/',
          expires: -1,
          httpOnly: true,
          secure: false,
          sameSite: 'Strict',
        },
      ],
      origins: [],
    },
  });
  const page = await context.newPage();
  page.setDefaultTimeout(patienceMs);
  const watch = watchPage(page);
  await page.goto(origin);
  await page.getByRole('textbox', { name: 'Barcode, code or name' }).waitFor();
  return { page, watch };
}
