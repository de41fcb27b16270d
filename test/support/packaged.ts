import { existsSync, linkSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { chromium, type Page } from 'playwright-core';
import { startChild, type Child } from './child.ts';
import { watchPage, type PageWatch } from './page-watch.ts';
import { makeTemporaryDirectory } from './temporary.ts';

/** Where `npm run package:dir` puts it on Linux. */
export const packageDirectory = resolve(import.meta.dirname, '../../dist/package/linux-unpacked');
const patienceMs = 20_000;
const lookEveryMs = 50;

/** Why the packaged app cannot be tested here; null when it can. */
export function whyNoPackage(): string | null {
  if (process.platform !== 'linux') {
    return 'the packaged app is tested on Linux';
  }
  return existsSync(join(packageDirectory, 'tillside')) ? null : 'no packaged app (`npm run package:dir` makes one)';
}

/** The size of a file, or of all files in a folder. */
export function bytesOf(path: string): number {
  const status = statSync(path);
  return status.isDirectory()
    ? readdirSync(path).reduce((sum, name) => sum + bytesOf(join(path, name)), 0)
    : status.size;
}

function linkTree(from: string, to: string): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      linkTree(source, target);
    } else {
      linkSync(source, target);
    }
  }
}

const copies: ReturnType<typeof makeTemporaryDirectory>[] = [];
process.once('exit', () => {
  copies.forEach((copy) => copy.remove());
});
let drivable: string | null = null;

/** The folder of a copy, of hard links, that is there for as long as this process. */
export function linkPackage(): string {
  const parent = makeTemporaryDirectory(existsSync(packageDirectory) ? join(packageDirectory, '..') : tmpdir());
  copies.push(parent);
  const copy = join(parent.path, 'app');
  linkTree(packageDirectory, copy);
  return copy;
}

/** The folder of a copy that lets itself be driven; made once a process. */
export function drivablePackage(): string {
  if (drivable === null) {
    drivable = linkPackage();
    writeFileSync(join(drivable, 'resources', 'debugging-allowed'), '');
  }
  return drivable;
}

export interface PackagedSession {
  readonly page: Page;
  readonly watch: PageWatch;
  readonly child: Child;
  close(): Promise<void>;
  kill(): Promise<void>;
}

interface PackagedOptions {
  readonly environment?: Readonly<Record<string, string>>;
}

/** Waits for the window: playwright-core hangs when it attaches to a browser whose first page is only coming. */
export async function seePage(port: number): Promise<void> {
  for (let waitedMs = 0; waitedMs < patienceMs; waitedMs += lookEveryMs) {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`, { signal: AbortSignal.timeout(patienceMs) });
    const targets = (await answer.json()) as readonly { readonly type: string; readonly title: string }[];
    // Its title stands in the document, so that one that has it has begun to load.
    if (targets.some(({ type, title }) => type === 'page' && title.endsWith('Tillside'))) {
      return;
    }
    await sleep(lookEveryMs);
  }
  throw new Error('the app has shown no window');
}

/** Where an app that lets itself be driven says so. */
export const listening = /^DevTools listening on (ws:\/\/127\.0\.0\.1:(\d+)\/\S+)$/;

/** The window of the app that has said this line. Throws when there is none for so long. */
export async function connect([, address = '', port = '']: RegExpExecArray, timeout = patienceMs): Promise<Page> {
  await seePage(Number(port));
  const browser = await chromium.connectOverCDP(address, { timeout: patienceMs });
  const [context] = browser.contexts();
  if (context === undefined) {
    throw new Error('the packaged app has no window');
  }
  // The companion bar has a page of its own.
  const isWindow = (page: Page): boolean => !page.url().endsWith('/companion.html');
  return context.pages().find(isWindow) ?? (await context.waitForEvent('page', { timeout, predicate: isWindow }));
}

/** Starts the packaged app with these flags and waits for its window. */
export async function launchPackaged(
  flags: readonly string[],
  { environment = {} }: PackagedOptions = {},
): Promise<PackagedSession> {
  const isRoot = process.getuid?.() === 0;
  const child = startChild(
    join(drivablePackage(), 'tillside'),
    [...(isRoot ? ['--no-sandbox'] : []), '--remote-debugging-port=0', ...flags],
    { environment },
  );
  const page = await connect(await child.waitForErrorLine(listening, patienceMs));
  return {
    page,
    watch: watchPage(page),
    child,
    close: async () => {
      const { code } = await child.stop();
      if (code !== 0) {
        throw new Error(`the packaged app ended with ${String(code)}:\n${child.errorLines.slice(-20).join('\n')}`);
      }
    },
    kill: () => child.kill(),
  };
}

interface AsarEntry {
  readonly files?: Readonly<Record<string, AsarEntry>>;
  readonly offset?: string;
  readonly size?: number;
  readonly unpacked?: boolean;
  readonly integrity?: { readonly algorithm: string; readonly hash: string };
}

interface AsarFile {
  readonly path: string;
  readonly isUnpacked: boolean;
  readonly hasIntegrity: boolean;
  readonly text: () => string;
}

/** The files of an archive (https://github.com/electron/asar#format). */
export function readAsar(path: string): readonly AsarFile[] {
  const bytes = readFileSync(path);
  const start = 8 + bytes.readUInt32LE(4);
  const header = JSON.parse(bytes.toString('utf8', 16, 16 + bytes.readUInt32LE(12))) as AsarEntry;
  const list = (entry: AsarEntry, at: string): AsarFile[] =>
    Object.entries(entry.files ?? {}).flatMap(([name, child]) => {
      const below = at === '' ? name : `${at}/${name}`;
      if (child.files !== undefined) {
        return list(child, below);
      }
      const offset = start + Number(child.offset ?? 0);
      return [
        {
          path: below,
          isUnpacked: child.unpacked === true,
          hasIntegrity: child.integrity?.algorithm === 'SHA256',
          text: () => bytes.toString('utf8', offset, offset + (child.size ?? 0)),
        },
      ];
    });
  return list(header, '');
}
