// A terminal that is walked: the real main process behind a page in Chromium, with a keychain and a platform of its own.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { BrowserContext, CDPSession, Page } from 'playwright-core';
import type { Channel, InvokeInput, InvokeOutput } from '../../app/contract/contract.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import { startTrainingPlatform, type TrainingPlatform } from '../../app/training/server.ts';
import { startBrowserHost } from '../support/browser-host.ts';
import type { ChromiumSession } from '../support/chromium.ts';
import { startKeyring, type Keyring } from '../support/keyring.ts';
import { watchPage, type PageWatch } from '../support/page-watch.ts';
import { aheadFileVariable, setClockAhead, takenFileOf } from './clock-ahead.ts';

/** The digits of both cashiers' PINs. */
export const pins = ['2580', '134679'] as const;
export const allProducts = 60;
/** A machine with other work to do starts late. */
const patienceMs = 90_000;

/** A page of the terminal: its window, or the companion bar. */
export interface OpenPage {
  readonly page: Page;
  readonly session: CDPSession;
  readonly watch: PageWatch;
}

export interface Till {
  readonly platform: TrainingPlatform;
  readonly cashiers: readonly { readonly email: string; readonly password: string }[];
  readonly page: () => Page;
  readonly session: () => CDPSession;
  /** The companion bar; null while it is put away. */
  readonly bar: () => OpenPage | null;
  /** The complaints of the pages that are open. */
  readonly complaints: () => readonly string[];
  /** All that the clock has been ahead so far, in milliseconds; the last is what it is ahead now. */
  readonly aheads: () => readonly number[];
  /** Sets the clock of the main process and of its pages, to so many milliseconds ahead of the platform's. */
  setClock(aheadMs: number): Promise<void>;
  /** Closes the window and opens it again so much later. */
  reopen(awayMs: number): Promise<void>;
  showBar(): Promise<OpenPage>;
  hideBar(): Promise<void>;
  /** Asks the main process beside the page. */
  invoke<Name extends Channel>(name: Name, input: InvokeInput<Name>): Promise<Result<InvokeOutput<Name>, Failure>>;
  /** Ends the main process, starts it anew on what it has kept, and opens its page. */
  restart(signal: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

async function openPage(context: BrowserContext, url: string): Promise<OpenPage> {
  const page = await context.newPage();
  const watch = watchPage(page);
  page.setDefaultTimeout(5_000);
  await page.goto(url, { timeout: patienceMs });
  const session = await context.newCDPSession(page);
  await session.send('Accessibility.enable');
  return { page, watch, session };
}

/** Starts the main process, and opens its page in a profile of its own. */
async function start(
  chromium: ChromiumSession,
  flags: readonly string[],
  environment: Keyring['environment'],
  aheadMs: number,
) {
  const host = await startBrowserHost(flags, environment, { patienceMs });
  const context = await chromium.browser.newContext({
    viewport: { width: 1024, height: 768 },
    reducedMotion: 'reduce',
  });
  await context.addInitScript(setClockAhead, aheadMs);
  const window = await openPage(context, host.url);
  const home = window.page.url();
  const { origin } = new URL(home);
  const cookies = await context.cookies(home);
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = { Cookie, Origin: origin, 'Content-Type': 'application/json' };
  return { child: host.child, context, home, origin, headers, window };
}

/** Opens a terminal with two cashiers who have PINs, its copy complete, at the lookup. */
export async function openTill(chromium: ChromiumSession, seed: number): Promise<Till> {
  const folder = mkdtempSync(join(tmpdir(), 'tillside-walk-'));
  const platform = await startTrainingPlatform({
    directory: null,
    port: 0,
    productCount: allProducts,
    seed,
    secondHasCoupons: true,
  });
  const keyring = await startKeyring('open', join(folder, 'home'));
  const { platformUrl, clientId, clientSecret, companyId, stockIds } = platform;
  const provision = join(folder, 'till.json');
  writeFileSync(provision, JSON.stringify({ platformUrl, clientId, clientSecret, companyId, stockIds }));
  const flags = ['--data-dir', join(folder, 'data'), '--lang', 'en'];
  const aheadFile = join(folder, 'ahead');
  writeFileSync(aheadFile, '0');
  const environment = {
    ...keyring.environment,
    NODE_OPTIONS: `--import=${join(import.meta.dirname, 'clock-ahead.ts')}`,
    [aheadFileVariable]: aheadFile,
  };
  const aheads = [0];
  const stop = async (): Promise<void> => {
    await keyring.stop();
    await platform.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  let running = await start(chromium, [...flags, '--provision', provision], environment, 0).catch(
    async (error: unknown) => {
      await stop();
      throw error;
    },
  );
  let bar: OpenPage | null = null;
  const till: Till = {
    platform,
    cashiers: [{ email: platform.email, password: platform.password }, platform.otherUser],
    page: () => running.window.page,
    session: () => running.window.session,
    bar: () => bar,
    complaints: () => [...running.window.watch.complaints, ...(bar?.watch.complaints ?? [])],
    aheads: () => aheads,
    setClock: async (aheadMs) => {
      aheads.push(aheadMs);
      writeFileSync(aheadFile, String(aheadMs));
      running.child.process.kill('SIGUSR2');
      // A signal is heard late: what is asked next would be answered by the clock before.
      const { process: host } = running.child;
      while (host.exitCode === null && readFileSync(takenFileOf(aheadFile), 'utf8') !== String(aheadMs)) {
        await sleep(20);
      }
      await running.context.addInitScript(setClockAhead, aheadMs);
      await Promise.all(running.context.pages().map((page) => page.evaluate(setClockAhead, aheadMs)));
    },
    reopen: async (awayMs) => {
      await running.window.page.close();
      await sleep(awayMs);
      running = { ...running, window: await openPage(running.context, running.home) };
    },
    showBar: async () => (bar ??= await openPage(running.context, new URL('companion.html', running.home).href)),
    hideBar: async () => {
      await bar?.page.close();
      bar = null;
    },
    invoke: async (name, input) => {
      const { origin, headers } = running;
      const body = JSON.stringify(input);
      const response = await fetch(`${origin}/invoke/${name}`, { method: 'POST', headers, body });
      return (await response.json()) as Result<InvokeOutput<typeof name>, Failure>;
    },
    restart: async (signal) => {
      await running.context.close();
      bar = null;
      await running.child.stop(signal);
      running = await start(chromium, flags, environment, aheads.at(-1) ?? 0);
    },
    close: async () => {
      await running.context.close();
      await running.child.stop('SIGKILL');
      await stop();
    },
  };
  for (const place of [1, 0] as const) {
    const { email, password } = till.cashiers[place] ?? platform;
    await mustDo(till.invoke('session:signIn', { email, password }));
    await mustDo(till.invoke('cashier:setPin', { pin: pins[place] }));
    if (place === 1) {
      await mustDo(till.invoke('cashier:lock', {}));
    }
  }
  await mustDo(till.invoke('settings:update', { isTourSeen: true }));
  await running.window.page.getByText(/up to date as of/).waitFor({ timeout: patienceMs });
  return till;
}

async function mustDo(answer: Promise<Result<unknown, Failure>>): Promise<void> {
  const result = await answer;
  if (!result.ok) {
    throw new Error(`the walk cannot begin: ${JSON.stringify(result.failure)}`);
  }
}

/** Until nothing of the page has changed for so long, or the longest wait is over. */
export async function rest(page: Page, forMs = 150, maxMs = 1_500): Promise<void> {
  await page.evaluate(
    ([quietMs, longestMs]) =>
      new Promise<void>((resolve) => {
        const end = (): void => {
          watch.disconnect();
          resolve();
        };
        let quiet = setTimeout(end, quietMs);
        const watch = new MutationObserver(() => {
          clearTimeout(quiet);
          quiet = setTimeout(end, quietMs);
        });
        setTimeout(end, longestMs);
        watch.observe(document.body, { childList: true, subtree: true, characterData: true, attributes: true });
      }),
    [forMs, maxMs] as const,
  );
}
