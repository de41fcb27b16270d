import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { _electron, type ElectronApplication, type Page } from 'playwright-core';
import { onTestFinished } from 'vitest';
import { findElectron as findRuntime } from '../../build/electron-runtime.ts';
import { bareEnvironment } from './child.ts';
import { watchPage, type PageWatch } from './page-watch.ts';
import { makeSureOfAnswers } from './sure-answers.ts';
import { temporaryDirectory } from './temporary.ts';

const root = resolve(import.meta.dirname, '../..');
/** Where the package of Electron looks for its runtime. */
const runtimeVariable = 'ELECTRON_OVERRIDE_DIST_PATH';

/** An Electron that can be started here, or the reason why there is none. */
type FoundElectron = { readonly executablePath: string } | { readonly missing: string };

/** Looks where the app's own start looks, without fetching anything; on Linux a display is needed as well. */
export function findElectron(): FoundElectron {
  const executablePath = findRuntime();
  if (executablePath === null) {
    return { missing: 'no Electron runtime (`npm run electron:from-registry` fetches one for evaluation)' };
  }
  const hasDisplay =
    process.platform !== 'linux' ||
    ['DISPLAY', 'WAYLAND_DISPLAY'].some((variable) => (process.env[variable] ?? '') !== '');
  return hasDisplay ? { executablePath } : { missing: 'no display (xvfb-run would make one)' };
}

/** The app, running in Electron. */
export interface ElectronSession {
  readonly application: ElectronApplication;
  readonly page: Page;
  readonly watch: PageWatch;
  /** Its exit code, once it has ended; null when a signal ended it. */
  readonly ended: Promise<number | null>;
  /** Ends it as a person would. */
  close(): Promise<void>;
  /** Ends it as a power cut would. */
  kill(): Promise<void>;
}

/** Why tests in Electron are skipped; null when they are not, or when their absence is a failure. */
export function whyNoElectron(): string | null {
  const found = findElectron();
  const isRequired = !['', '0', 'false', undefined].includes(process.env['TILLSIDE_REQUIRE_ELECTRON']);
  return 'missing' in found && !isRequired ? found.missing : null;
}

/**
 * The command that starts an app in Electron, by default the built one, with these flags and without a debugger.
 * Throws when there is no runtime.
 */
export function electronCommand(
  flags: readonly string[],
  app = root,
): { readonly path: string; readonly parameters: readonly string[] } {
  const found = findElectron();
  if ('missing' in found) {
    throw new Error(found.missing);
  }
  return {
    path: found.executablePath,
    parameters: [...(process.getuid?.() === 0 ? ['--no-sandbox'] : []), app, ...flags],
  };
}

interface LaunchOptions {
  /** Variables beside the usual ones. */
  readonly environment?: Readonly<Record<string, string>>;
  /** May answer a program called "electron" that starts the runtime in its stead. */
  readonly wrap?: (executablePath: string) => string;
}

/**
 * A display of Xvfb is drawn by the processor in any case: no other way is looked for, nor one made ready for WebGL,
 * which no page has.
 */
const byTheProcessor = process.platform === 'linux' ? ['--disable-gpu', '--disable-software-rasterizer'] : [];

const requireHere = createRequire(import.meta.url);

/**
 * Launches the Electron of this folder. Told an executable, playwright-core attaches late, and one launch in five hangs;
 * finding Electron by its package, it does not. The package looks once a process.
 */
async function launchFrom(
  folder: string,
  options: Parameters<typeof _electron.launch>[0],
): Promise<ElectronApplication> {
  const usual = process.env[runtimeVariable];
  process.env[runtimeVariable] = folder;
  delete requireHere.cache[requireHere.resolve('electron/index.js')];
  try {
    return await _electron.launch(options);
  } finally {
    if (usual === undefined) {
      delete process.env[runtimeVariable];
    } else {
      process.env[runtimeVariable] = usual;
    }
  }
}

/** Starts the built app in Electron with these flags, and waits for its window. Throws when there is no runtime. */
export async function launchElectron(
  flags: readonly string[],
  { environment = {}, wrap = (path) => path }: LaunchOptions = {},
): Promise<ElectronSession> {
  const found = findElectron();
  if ('missing' in found) {
    throw new Error(found.missing);
  }
  const { main } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { main: string };
  if (!existsSync(join(root, main))) {
    throw new Error(`${main} is not built; \`npm run build\` builds it`);
  }
  const isRoot = process.getuid?.() === 0;
  const application = await launchFrom(dirname(wrap(found.executablePath)), {
    cwd: root,
    // Without it, playwright-core switches the sandbox off for everybody on Linux; root has to do without.
    chromiumSandbox: !isRoot,
    args: [root, ...(isRoot ? ['--no-sandbox'] : []), ...byTheProcessor, ...flags],
    env: { ...bareEnvironment(), ...environment },
  });
  makeSureOfAnswers(application);
  const child = application.process();
  const ended = new Promise<number | null>((done) => child.once('exit', done));
  // Until then playwright-core listens for the end of this process, to end the app with it.
  const left = new Promise((done) => child.once('close', done));
  const page = await application.firstWindow();
  // A question to the empty page is lost when the page comes.
  await page.waitForURL((url) => url.protocol !== 'about:', { waitUntil: 'commit' });
  return {
    application,
    page,
    watch: watchPage(page),
    ended,
    close: async () => {
      await application.close();
      await left;
    },
    kill: async () => {
      child.kill('SIGKILL');
      await left;
    },
  };
}

interface TestLaunchOptions extends LaunchOptions {
  readonly dataDirectory?: string;
  readonly language?: string;
}

/** As `launchElectron`, in English and on an empty data folder unless told; killed when the running test is over. */
export async function launchElectronForTest(
  flags: readonly string[] = [],
  { dataDirectory = temporaryDirectory(), language = 'en', ...options }: TestLaunchOptions = {},
): Promise<ElectronSession> {
  const session = await launchElectron(['--data-dir', dataDirectory, '--lang', language, ...flags], options);
  onTestFinished(session.kill);
  return session;
}
