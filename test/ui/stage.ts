import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import type { BrowserContextOptions, CDPSession, Disposable, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished } from 'vitest';
import type { TerminalState } from '../../app/contract/terminal-state.ts';
import { contentSecurityPolicy } from '../../app/hosts/page.ts';
import { projectDirectory } from '../../build/project.ts';
import { launchChromium } from '../support/chromium.ts';
import { watchPage } from '../support/page-watch.ts';
import { hostOf } from './fake.ts';
import { installFakeBridge, type Scene } from './fake-bridge.ts';
import { createSceneHosts, type SceneHosts } from './scene-host.ts';

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.woff2': 'font/woff2',
};

/** Where a page finds axe-core, beside its own scripts: as a text of half a megabyte it would be compiled anew each time. */
export const axePath = '/axe.min.js';
const axeFile = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** A page lives for seconds: compiling what it often runs into faster code costs more than that saves. */
const flags = ['--js-flags=--no-maglev --no-opt'];

const folder = join(projectDirectory, 'dist/renderer');
/** Hands out the files of the renderer. */
const server = createServer((request, response) => {
  const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
  const file = path === axePath ? axeFile : join(folder, path === '/' ? 'index.html' : path);
  const nonce = randomBytes(16).toString('base64');
  readFile(file).then(
    (content) => {
      response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
      response.setHeader('content-security-policy', contentSecurityPolicy(nonce));
      if (file.endsWith('.html')) {
        response.end(content.toString('utf8').replaceAll('__CSP_NONCE__', nonce));
      } else {
        // A script that is kept is not compiled again: a page opens in two thirds of the time.
        response.setHeader('cache-control', 'immutable, max-age=86400').end(content);
      }
    },
    () => response.writeHead(404).end(),
  );
});
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
server.unref();
const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
/**
 * One for all files that share a process, as is the server, and they go with that. They are there before a file's tests
 * begin: of a file, they would be a trace. What a file opens in it is closed at the file's end.
 */
const { browser } = await launchChromium(flags);

/** What moves is drawn sixty times a second: a quarter of what a page costs. The stories see it move. */
const reducedMotion = 'reduce';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** How a test's page is opened: the scene, and what differs in its state. */
export type Opening = Omit<Partial<Scene>, 'state'> & { readonly state?: Partial<TerminalState>; readonly size?: Size };

export interface Stage {
  /**
   * Opens a page on the scene; `complaints` collects console errors, page errors and refusals of the policy. One that
   * `mayComplain` is judged by its test alone. With `isClockStopped` it is the scene's moment for ever. Unless it
   * `isDrawn`, nothing of it can be seen in a picture. A page that was closed is used again, unless it `isOwn`. It is
   * closed after its test unless it `staysOpen`, as it must where tests run beside each other.
   */
  open(
    scene: Scene,
    size?: Size,
    options?: {
      readonly mayComplain?: boolean;
      readonly context?: BrowserContextOptions;
      readonly isClockStopped?: boolean;
      readonly isDrawn?: boolean;
      readonly path?: string;
      readonly isOwn?: boolean;
      readonly staysOpen?: boolean;
    },
  ): Promise<{ readonly page: Page; readonly complaints: readonly string[] }>;
}

/** The stage for as long as the tests of a file run; in the end no page of it may have complained. */
export function setStage(): Stage {
  const watched: (readonly string[])[] = [];
  let stage: OpenStage;
  beforeAll(() => {
    stage = openStage();
  });
  afterAll(async () => {
    await stage.close();
    expect(watched.flat()).toEqual([]);
    expect([...stage.refusals]).toEqual([]);
  });
  return {
    open: async (scene, size, how = {}) => {
      const opened = await stage.open(scene, size, how);
      if (how.staysOpen !== true) {
        onTestFinished(() => opened.page.close());
      }
      if (how.mayComplain !== true) {
        watched.push(opened.complaints);
      }
      return opened;
    },
  };
}

interface OpenStage extends Stage {
  /** Messages that the contract refuses, and bugs of what answers. */
  readonly refusals: ReadonlySet<string>;
  close(): Promise<void>;
}

/**
 * Makes it `nowMs` for ever for whoever asks the date. Playwright's own clock would stamp each key when it is heard,
 * and make a slow typist of a scanner.
 */
export function stopClock(nowMs: number): void {
  window.Date = class extends Date {
    constructor(...given: [] | [number | string | Date]) {
      super(...((given.length === 0 ? [nowMs] : given) as [number]));
    }

    static override now(): number {
      return nowMs;
    }
  } as DateConstructor;
}

/** Draws nothing of the page, a tenth of what it costs: it is laid out and can be hit all the same. */
export function drawNothing(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(':root { opacity: 0 !important; }');
  document.adoptedStyleSheets.push(sheet);
}

/** Lets the page ask. A function that Playwright exposes would cost a quarter of what opening a page does. */
async function connect(page: Page, hosts: SceneHosts): Promise<void> {
  const session = await page.context().newCDPSession(page);
  session.on('Runtime.bindingCalled', ({ payload, executionContextId: contextId }) =>
    hosts.ask(payload, (message) =>
      // Nobody hears it where the page has gone.
      session
        .send('Runtime.evaluate', { expression: `hearHost(${JSON.stringify(message)})`, contextId })
        .catch(() => undefined),
    ),
  );
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: 'askHost' });
}

interface PooledPage {
  readonly page: Page;
  /** Leave the page when it is closed. */
  readonly scripts: Disposable[];
}

interface PagePool {
  open(size: Size, options: BrowserContextOptions, isOwn: boolean): Promise<PooledPage>;
  /** Closes all that it has opened. */
  close(): Promise<void>;
}

/**
 * Answers pages on which nothing is left of the test before; a new one takes five times as long as one that is used
 * again.
 */
function createPagePool(hosts: SceneHosts): PagePool {
  const idle = new Map<string, PooledPage[]>();
  /** Each ends a context for good. */
  const endings: (() => Promise<void>)[] = [];
  const open: PagePool['open'] = async (size, options, isOwn) => {
    const kind = JSON.stringify(options);
    const free = idle.get(kind) ?? [];
    idle.set(kind, free);
    const pooled = isOwn ? undefined : free.pop();
    if (pooled !== undefined) {
      await pooled.page.setViewportSize(size);
      return pooled;
    }
    const context = await browser.newContext({
      viewport: size,
      locale: 'en-GB',
      timezoneId: 'America/Sao_Paulo',
      reducedMotion,
      ...options,
    });
    endings.push(context.close.bind(context));
    context.setDefaultTimeout(8000);
    const page = await context.newPage();
    await connect(page, hosts);
    const opened: PooledPage = { page, scripts: [] };
    if (!isOwn) {
      const sessions: CDPSession[] = [];
      const openSession = context.newCDPSession.bind(context);
      context.newCDPSession = async (target) => {
        const session = await openSession(target);
        sessions.push(session);
        return session;
      };
      page.close = context.close = async () => {
        if (free.includes(opened)) {
          return;
        }
        page.removeAllListeners();
        // Some have been left already.
        await Promise.allSettled(sessions.splice(0).map((session) => session.detach()));
        await Promise.all(opened.scripts.splice(0).map((script) => script.dispose()));
        await Promise.all(
          context
            .pages()
            .filter((other) => other !== page)
            .map((other) => other.close()),
        );
        await page.evaluate(() => window.sessionStorage.clear());
        await page.unrouteAll();
        await context.clearPermissions();
        await page.emulateMedia({ media: null });
        await page.mouse.move(-1, -1);
        await page.goto('about:blank');
        free.push(opened);
      };
    }
    return opened;
  };
  return { open, close: async () => void (await Promise.all(endings.map((end) => end()))) };
}

function openStage(): OpenStage {
  const refusals = new Set<string>();
  const hosts = createSceneHosts((words) => refusals.add(words));
  const pool = createPagePool(hosts);
  return {
    refusals,
    async open(scene, size = { width: 1366, height: 768 }, options = {}) {
      const { page, scripts } = await pool.open(size, options.context ?? {}, options.isOwn ?? false);
      const { complaints } = watchPage(page);
      if (options.isClockStopped === true) {
        scripts.push(await page.addInitScript(stopClock, scene.nowMs));
      }
      if (options.isDrawn !== true) {
        scripts.push(await page.addInitScript(drawNothing));
      }
      const host = hosts.add(scene, options.isClockStopped === true);
      hostOf.set(page, host);
      scripts.push(await page.addInitScript(installFakeBridge, host.key));
      await page.goto(new URL(options.path ?? '', address).href);
      return { page, complaints };
    },
    async close() {
      await pool.close();
      await hosts.close();
    },
  };
}
