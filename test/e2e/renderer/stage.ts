// Owns the stage for the renderer's browser tests: the built page on a port of its own under the strict policy that the hosts
// use, and one Chromium. Never touches a host.
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { build, type Plugin } from 'vite';
import { afterAll, beforeAll, expect } from 'vitest';
import { contentSecurityPolicy } from '../../../app/hosts/page.ts';
import { launchChromium } from '../../support/chromium.ts';
import { watchPage } from '../../support/page-watch.ts';
import { installFakeBridge, type Scene } from './fake-bridge.ts';

const types: Readonly<Record<string, string>> = { '.html': 'text/html', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

export interface Stage {
  /** Opens a page on the scene; `complaints` collects console errors, page errors and refusals of the policy. One that `mayComplain` is judged by its test alone. With `isClockStopped` it is the scene's moment for ever. */
  open(
    scene: Scene,
    size?: { readonly width: number; readonly height: number },
    options?: { readonly mayComplain?: boolean; readonly context?: BrowserContextOptions; readonly isClockStopped?: boolean; readonly path?: string },
  ): Promise<{ readonly page: Page; readonly complaints: readonly string[] }>;
}

export interface StageOptions {
  /** Join the build of the page. */
  readonly plugins?: readonly Plugin[];
  /** Given to Chromium. */
  readonly flags?: readonly string[];
}

/** The stage for as long as the tests of a file run; in the end no page of it may have complained. */
export function setStage(options: StageOptions = {}): Stage {
  const watched: (readonly string[])[] = [];
  let folder: string;
  let stage: OpenStage;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tillside-stage-'));
    stage = await openStage(join(folder, 'dist'), options);
  });
  afterAll(async () => {
    await stage.close();
    await rm(folder, { recursive: true });
    expect(watched.flat()).toEqual([]);
  });
  return {
    open: async (scene, size, how = {}) => {
      const opened = await stage.open(scene, size, how);
      if (how.mayComplain !== true) {
        watched.push(opened.complaints);
      }
      return opened;
    },
  };
}

interface OpenStage extends Stage {
  close(): Promise<void>;
}

/** Makes it `nowMs` for ever for whoever asks the date. Playwright's own clock would stamp each key when it is heard, and make a slow typist of a scanner. */
function stopClock(nowMs: number): void {
  window.Date = class extends Date {
    constructor(...given: [] | [number | string | Date]) {
      super(...((given.length === 0 ? [nowMs] : given) as [number]));
    }

    static override now(): number {
      return nowMs;
    }
  } as DateConstructor;
}

/** Builds the renderer into `folder` and serves it. */
async function openStage(folder: string, { plugins = [], flags = [] }: StageOptions): Promise<OpenStage> {
  await build({ configFile: 'vite.config.ts', logLevel: 'error', plugins: [...plugins], build: { outDir: folder, emptyOutDir: true } });
  const server = createServer((request, response) => {
    const path = normalize(new URL(request.url ?? '/', 'http://localhost').pathname);
    const file = join(folder, path === '/' ? 'index.html' : path);
    const nonce = randomBytes(16).toString('base64');
    readFile(file).then(
      (content) => {
        response.setHeader('content-type', types[extname(file)] ?? 'application/octet-stream');
        response.setHeader('content-security-policy', contentSecurityPolicy(nonce));
        response.end(file.endsWith('.html') ? content.toString('utf8').replaceAll('__CSP_NONCE__', nonce) : content);
      },
      () => response.writeHead(404).end(),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { browser } = await launchChromium(flags);
  return {
    async open(scene, size = { width: 1366, height: 768 }, options = {}) {
      const context = await browser.newContext({ viewport: size, locale: 'en-GB', timezoneId: 'America/Sao_Paulo', ...options.context });
      context.setDefaultTimeout(8000);
      const page = await context.newPage();
      const { complaints } = watchPage(page);
      if (options.isClockStopped === true) {
        await page.addInitScript(stopClock, scene.nowMs);
      }
      await page.addInitScript(installFakeBridge, scene);
      await page.goto(new URL(options.path ?? '', address).href);
      return { page, complaints };
    },
    async close() {
      await browser.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
