import '../node/plain-schemas.ts';
import { app, autoUpdater } from 'electron';
import { AppImageUpdater, MacUpdater, NsisUpdater, Provider, type AppUpdater } from 'electron-updater';
import type { AppAdapter } from 'electron-updater/out/AppAdapter.js';
import { parseUpdateInfo, resolveFiles, type ProviderRuntimeOptions } from 'electron-updater/out/providers/Provider.js';
import { existsSync, readdirSync, rmSync, statfsSync } from 'node:fs';
import { join } from 'node:path';
import type { OpenFile } from '../../platform/http-file.ts';
import type { Clock, Shell } from '../../ports.ts';
import { onlyFile } from '../../storage/only-file.ts';
import { installByMacOs, runInstaller, startProgram } from '../updates/begin-install.ts';
import { fileFor, readFeed, type Feed, type FeedFile, type Machine } from '../updates/feed.ts';
import { fetchFile } from '../updates/fetch-file.ts';
import { bringBackFormer, freeBytesBeside, replaceProgram, watchNewProgram } from '../updates/former-program.ts';
import { isUpdateFor, readProgramHeaderOf } from '../updates/program-header.ts';
import { hasRoomBeside, hasRoomFor } from '../updates/policy.ts';
import type { Updater } from '../updates/updates.ts';
import { isInstalled } from './installed.ts';

type UpdateInfo = ReturnType<typeof parseUpdateInfo>;
type CustomPublishOptions = Extract<
  Parameters<AppUpdater['setFeedURL']>[0],
  { readonly provider: 'custom'; [index: string]: unknown }
>;

export interface UpdaterOptions {
  readonly dataDirectory: string;
  readonly machine: Machine;
  /** The AppImage that this program runs out of. */
  readonly appImage: string | null;
  /** Lets the data directory go, which the new program takes while this one still waits for its answer. */
  readonly letDirectoryGo: () => void;
  /** Opens what is fetched. */
  readonly openFile: OpenFile;
  readonly clock: Clock;
  readonly log: Shell['log'];
}

/** Stands where an address must be named and nothing is asked for. */
const nowhere = 'https://feed.invalid';

function parse(feed: string): UpdateInfo {
  return parseUpdateInfo(feed, 'feed', new URL(nowhere));
}

function read(feed: string): Feed | null {
  try {
    return readFeed(parse(feed));
  } catch {
    return null;
  }
}

/** The file of a feed for this machine; null when there is none. */
function fileIn(feed: string, machine: Machine): FeedFile | null {
  const known = read(feed);
  return known === null ? null : fileFor(known, machine);
}

function chosenFile(feed: string, machine: Machine): FeedFile {
  const file = fileIn(feed, machine);
  if (file === null) {
    throw new Error('the feed has no file for this machine');
  }
  return file;
}

/**
 * Of each file, its own: electron-updater empties its folder before it fetches, and what lies ready is to stay until a
 * newer one is whole.
 */
function folderOf({ sha512 }: FeedFile): string {
  return Buffer.from(sha512, 'base64').toString('hex').slice(0, 32);
}

/** Such a folder, and the one of before each file had its own. */
const madeHere = /^(?:[\da-f]{32}|tillside-updater)$/;

/**
 * Leaves files alone where electron-updater keeps some: it waits for a pipe for ever, and reads a device without end. What
 * is none is removed, and then fetched again; throws where it cannot be, or lies in Chromium's folder.
 */
function keepFilesOnly(folder: string, log: Shell['log']): void {
  onlyFile(join(app.getPath('userData'), '.updaterId'));
  const kept = existsSync(folder) ? readdirSync(folder, { recursive: true, withFileTypes: true }) : [];
  for (const { parentPath, name } of kept.filter((entry) => !entry.isFile() && !entry.isDirectory())) {
    const path = join(parentPath, name);
    log('warning', 'updates: removed', { reason: `${path} is no file` });
    rmSync(path);
  }
}

/** Gives electron-updater the one feed whose signature was checked, and of it the one file for this machine. */
class CheckedFeed extends Provider<UpdateInfo> {
  readonly #feed: string;
  readonly #file: string;
  readonly #url: URL;

  constructor(options: CustomPublishOptions, _updater: unknown, runtime: ProviderRuntimeOptions) {
    super(runtime);
    this.#feed = String(options['feed']);
    this.#file = String(options['file']);
    this.#url = new URL(`${String(options['url']).replace(/\/+$/, '')}/`);
  }

  getLatestVersion(): Promise<UpdateInfo> {
    const info = parse(this.#feed);
    return Promise.resolve({ ...info, files: info.files.filter(({ url }) => url === this.#file) });
  }

  resolveFiles(info: UpdateInfo): ReturnType<typeof resolveFiles> {
    return resolveFiles(info, this.#url);
  }
}

/** Starts the program with this process's flags; answers whether it ended in order. */
function startAgain(place: string): Promise<boolean> {
  return startProgram(place, process.argv.slice(1));
}

/**
 * Puts the new file in the old one's place in one step, and starts it. electron-updater would remove the old one first:
 * whoever switched the machine off then had none. This process stays until the new one has answered, and brings the old
 * one back when it ends badly before (U10).
 */
function replaceAppImage(newFile: string, { appImage: place, letDirectoryGo, clock, log }: UpdaterOptions): void {
  if (place === null) {
    throw new Error('this program runs out of no AppImage');
  }
  replaceProgram(newFile, place);
  app.releaseSingleInstanceLock();
  letDirectoryGo();
  void watchNewProgram(place, startAgain(place), clock)
    .then((came) => {
      // Whoever has this lock was started meanwhile, and runs out of what is in its place.
      if (came === 'failed' && app.requestSingleInstanceLock()) {
        log('error', 'updates: the new version ended before it had answered; the former one is back in its place');
        bringBackFormer(place);
        app.releaseSingleInstanceLock();
        void startAgain(place);
      }
    })
    .catch((error: unknown) => {
      log('error', 'updates: the former version is not back in its place', { reason: String(error).slice(0, 300) });
    })
    .finally(() => {
      app.exit(0);
    });
}

function updaterOfSystem(adapter: AppAdapter): AppUpdater {
  switch (process.platform) {
    case 'win32':
      return new NsisUpdater(null, adapter);
    case 'darwin':
      return new MacUpdater(undefined, adapter);
    default:
      return new AppImageUpdater(null, adapter);
  }
}

/** Makes electron-updater's own, which fetches and installs only when it is told to. */
function makeUpdater(cache: string, log: Shell['log']): AppUpdater {
  const made = updaterOfSystem({
    version: app.getVersion(),
    name: app.getName(),
    isPackaged: isInstalled,
    appUpdateConfigPath: join(process.resourcesPath, 'app-update.yml'),
    userDataPath: app.getPath('userData'),
    baseCachePath: cache,
    whenReady: () => app.whenReady(),
    relaunch: () => {
      app.relaunch();
    },
    quit: () => {
      app.quit();
    },
    onQuit: () => undefined,
  });
  made.autoDownload = false;
  made.autoInstallOnAppQuit = false;
  made.allowDowngrade = false;
  made.disableWebInstaller = true;
  made.disableDifferentialDownload = true;
  made.forceDevUpdateConfig = true;
  made.logger = {
    info: () => undefined,
    warn: (message: unknown) => {
      log('warning', 'updater', { message: String(message).slice(0, 300) });
    },
    error: (message: unknown) => {
      log('warning', 'updater', { message: String(message).slice(0, 300) });
    },
  };
  return made;
}

/** Makes the updater of this system. */
export function createUpdater(options: UpdaterOptions): Updater {
  const { dataDirectory, machine, openFile, log } = options;
  const cache = join(dataDirectory, 'updates');
  let made: { readonly feed: string; readonly updater: AppUpdater } | null = null;

  function updaterFor(feed: string, url: string): AppUpdater {
    const file = chosenFile(feed, machine);
    const folder = join(cache, folderOf(file));
    keepFilesOnly(folder, log);
    // One that has fetched a file takes it for another's when a renewed feed names it, and fetches it anew.
    if (made?.feed !== feed) {
      made = { feed, updater: makeUpdater(folder, log) };
    }
    const { updater } = made;
    updater.setFeedURL({ provider: 'custom', updateProvider: CheckedFeed, feed, file: file.url, url });
    return updater;
  }

  function keepOnly(...feeds: readonly string[]): void {
    const kept = feeds.map((feed) => fileIn(feed, machine)).map((file) => (file === null ? null : folderOf(file)));
    const others = existsSync(cache) ? readdirSync(cache).filter((name) => !kept.includes(name)) : [];
    // Where somebody has put a link to another folder in its place, all else there is theirs.
    for (const name of others.filter((one) => madeHere.test(one))) {
      try {
        rmSync(join(cache, name), { recursive: true, force: true });
      } catch (error) {
        log('warning', 'updates: what is not needed any more stays', { reason: String(error).slice(0, 300) });
      }
    }
  }

  /** Fetches what the feed offers, or with `isHereAlone` finds it fetched. Rejects when it is not whole and right. */
  async function fetch(feed: string, url: string, isHereAlone: boolean): Promise<string> {
    const updater = updaterFor(feed, url);
    const offered = await updater.checkForUpdates();
    if (offered?.isUpdateAvailable !== true) {
      throw new Error('not offered any more');
    }
    const file = chosenFile(feed, machine);
    const { bavail, bsize } = statfsSync(dataDirectory);
    if (!isHereAlone && !hasRoomFor(file.size, bavail * bsize)) {
      throw new Error('not enough room on the disk');
    }
    const { cancellationToken: token } = offered;
    if (isHereAlone) {
      // What is cancelled is no error to electron-updater: updates.ts says what it means.
      token?.cancel();
    }
    // With an adapter of our own it leaves the way to the network to us. Its own follows redirects without end, goes on
    // writing after it was told to stop, and takes Chromium's way, which is not that of the feed.
    Reflect.set(updater, 'httpExecutor', {
      download: ({ href }: URL, path: string) =>
        isHereAlone ? token?.createPromise(() => undefined) : fetchFile({ ...file, url: href, path, open: openFile }),
    });
    const [path = ''] = await updater.downloadUpdate();
    if (!isUpdateFor(readProgramHeaderOf(path), machine)) {
      rmSync(path, { force: true });
      throw new Error('what was fetched is no program for this machine');
    }
    return path;
  }

  return {
    read,
    isOffered: async (feed) => (await updaterFor(feed, nowhere).checkForUpdates())?.isUpdateAvailable === true,
    keepOnly,
    fetch: async (feed, url) => {
      await fetch(feed, url, false);
    },
    prepare: async (feed) => {
      const file = await fetch(feed, nowhere, true).catch(() => null);
      if (file === null) {
        return null;
      }
      const { appImage } = options;
      if (appImage !== null && !hasRoomBeside(chosenFile(feed, machine).size, freeBytesBeside(appImage))) {
        // Before it is tried: a full disk uses no attempt up (U5).
        throw new Error('not enough room on the disk of the program');
      }
      return async () => {
        switch (process.platform) {
          case 'win32':
            await runInstaller(file, () => app.quit());
            break;
          case 'darwin':
            await installByMacOs(updaterFor(feed, nowhere), autoUpdater, options.clock);
            break;
          default:
            replaceAppImage(file, options);
        }
      };
    },
  };
}
