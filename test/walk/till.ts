// A terminal that is walked: the real main process behind a page in Chromium, with a keychain and a platform of its own.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { CDPSession, Page } from 'playwright-core';
import type { Channel, InvokeInput, InvokeOutput } from '../../app/contract/contract.ts';
import type { Failure } from '../../app/domain/failure.ts';
import type { Result } from '../../app/domain/result.ts';
import { startTrainingPlatform, type TrainingPlatform } from '../../app/training/server.ts';
import { startBrowserHost } from '../support/browser-host.ts';
import type { ChromiumSession } from '../support/chromium.ts';
import { startKeyring, type Keyring } from '../support/keyring.ts';

/** The digits of both cashiers' PINs. */
export const pins = ['2580', '134679'] as const;
export const allProducts = 60;
/** A machine with other work to do starts late. */
const patienceMs = 90_000;

export interface Till {
  readonly platform: TrainingPlatform;
  readonly cashiers: readonly { readonly email: string; readonly password: string }[];
  readonly page: () => Page;
  readonly session: () => CDPSession;
  /** The complaints of the page that is open. */
  readonly complaints: () => readonly string[];
  /** Asks the main process beside the page. */
  invoke<Name extends Channel>(name: Name, input: InvokeInput<Name>): Promise<Result<InvokeOutput<Name>, Failure>>;
  /** Ends the main process, starts it anew on what it has kept, and opens its page. */
  restart(signal: NodeJS.Signals): Promise<void>;
  close(): Promise<void>;
}

/** Starts the main process, and opens its page in a profile of its own. */
async function start(chromium: ChromiumSession, flags: readonly string[], environment: Keyring['environment']) {
  const host = await startBrowserHost(flags, environment, patienceMs);
  const { page, watch } = await chromium.open(host.url, {
    viewport: { width: 1024, height: 768 },
    reducedMotion: 'reduce',
  });
  page.setDefaultTimeout(5_000);
  const session = await page.context().newCDPSession(page);
  await session.send('Accessibility.enable');
  const { origin } = new URL(host.url);
  const cookies = await page.context().cookies(page.url());
  const Cookie = cookies.map(({ name, value }) => `${name}=${value}`).join('; ');
  const headers = { Cookie, Origin: origin, 'Content-Type': 'application/json' };
  return { child: host.child, page, watch, session, origin, headers };
}

/** Opens a terminal with two cashiers who have PINs, its copy complete, at the lookup. */
export async function openTill(chromium: ChromiumSession, seed: number): Promise<Till> {
  const folder = mkdtempSync(join(tmpdir(), 'tillside-walk-'));
  const platform = await startTrainingPlatform({ directory: null, port: 0, productCount: allProducts, seed });
  const keyring = await startKeyring('open', join(folder, 'home'));
  const { platformUrl, clientId, clientSecret, companyId, stockIds } = platform;
  const provision = join(folder, 'till.json');
  writeFileSync(provision, JSON.stringify({ platformUrl, clientId, clientSecret, companyId, stockIds }));
  const flags = ['--data-dir', join(folder, 'data'), '--lang', 'en'];
  const stop = async (): Promise<void> => {
    await keyring.stop();
    await platform.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
  };
  let running = await start(chromium, [...flags, '--provision', provision], keyring.environment).catch(
    async (error: unknown) => {
      await stop();
      throw error;
    },
  );
  const till: Till = {
    platform,
    cashiers: [{ email: platform.email, password: platform.password }, platform.otherUser],
    page: () => running.page,
    session: () => running.session,
    complaints: () => running.watch.complaints,
    invoke: async (name, input) => {
      const { origin, headers } = running;
      const body = JSON.stringify(input);
      const response = await fetch(`${origin}/invoke/${name}`, { method: 'POST', headers, body });
      return (await response.json()) as Result<InvokeOutput<typeof name>, Failure>;
    },
    restart: async (signal) => {
      await running.page.context().close();
      await running.child.stop(signal);
      running = await start(chromium, flags, keyring.environment);
    },
    close: async () => {
      await running.page.context().close();
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
  await running.page.getByText(/up to date as of/).waitFor({ timeout: patienceMs });
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
