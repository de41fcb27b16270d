import { app, type BrowserWindow } from 'electron';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fail, succeed } from '../../domain/result.ts';
import { createAxiosHttp } from '../../platform/http-axios.ts';
import { createOpenFile } from '../../platform/http-file.ts';
import type { Device, Shell } from '../../ports.ts';
import { hasRequestUnderWay } from '../../terminal/under-way.ts';
import type { DeviceChoices } from '../node/device-choices.ts';
import { createNodeClock, createNodeRandom } from '../node/node-ports.ts';
import { feedName } from '../updates/feed.ts';
import { forgetFormer } from '../updates/former-program.ts';
import { openKeptUpdate } from '../updates/kept-update.ts';
import { createUpdates, type Updater } from '../updates/updates.ts';
import { builtInUpdateSource } from './built-in-update-source.ts';
import { openAutostart, type Autostart } from './autostart.ts';
import { canReplace } from './replaceable.ts';
import { appImage, isInstalled } from './installed.ts';

export interface DeviceOptions {
  readonly dataDirectory: string;
  /** The data directory that was named, and must be again at sign-in; null for the user's own. */
  readonly namedDirectory: string | null;
  readonly choices: DeviceChoices;
  readonly isKiosk: boolean;
  /** Nothing is asked for or installed. */
  readonly isSafeMode: boolean;
  /** A person wants the app to end. */
  readonly quit: () => void;
  /** As `UpdaterOptions.letDirectoryGo`. */
  readonly letDirectoryGo: () => void;
  readonly log: Shell['log'];
  /** The operating system's proxies for an address. */
  readonly proxyOf: (url: string) => Promise<string>;
}

export interface ElectronDevice {
  readonly isKiosk: boolean;
  /**
   * Before the terminal is open: installs what lies ready, and then never answers, for this app ends; else sets what
   * the provisioning file says of the start at sign-in, and answers the port, and which field of the file that was if
   * it changed something.
   */
  open(startsAtSignIn: boolean | null): Promise<{ readonly port: Device; readonly changed: readonly string[] }>;
  /** The terminal is open, and its window is this one. */
  begin(window: BrowserWindow): void;
  close(): void;
}

/** The start at sign-in with this data directory, if one was named. */
export function openDeviceAutostart(namedDirectory: string | null): Autostart {
  return openAutostart(namedDirectory === null ? [] : ['--data-dir', namedDirectory]);
}

/**
 * A former program of version 1.0.0 holds the data directory until this one has answered (U10), so it has its answer before
 * the window. Whether there is a former one.
 */
export const answerFormer = (): boolean => appImage !== null && forgetFormer(appImage);

/** Makes the machine for this start of the app. */
export function createDevice({
  dataDirectory,
  namedDirectory,
  choices,
  isKiosk,
  isSafeMode,
  quit,
  letDirectoryGo,
  log,
  proxyOf,
}: DeviceOptions): ElectronDevice {
  const version = app.getVersion();
  const machine = { platform: process.platform, architecture: process.arch };
  const clock = createNodeClock();
  const way = { userAgent: `Tillside/${version}`, proxyOf };
  let updater: Updater | null = null;
  const openUpdater = async (): Promise<Updater> => {
    const { createUpdater } = await import('./updater.ts');
    const openFile = createOpenFile(way);
    updater ??= createUpdater({ dataDirectory, machine, appImage, letDirectoryGo, openFile, clock, log });
    return updater;
  };
  const queuePath = join(dataDirectory, 'store', 'queue.db');
  const updates = createUpdates({
    clock,
    random: createNodeRandom(),
    http: createAxiosHttp(way),
    log,
    kept: openKeptUpdate(dataDirectory),
    isUnattended: canReplace(),
    openUpdater,
    source: isInstalled && !isSafeMode ? (choices.updates ?? builtInUpdateSource()) : null,
    version,
    machine,
    forgetFormer: answerFormer,
    feedName: feedName(process.platform, process.arch),
    isRequestUnderWay: () => (existsSync(queuePath) ? hasRequestUnderWay(queuePath) : Promise.resolve(false)),
  });
  const autostart = openDeviceAutostart(namedDirectory);
  let isEndAllowed = !isKiosk;

  // The system, a signal and the settings end the app; a key that closes windows does not.
  app.on('before-quit', () => {
    isEndAllowed = true;
  });

  const port: Device = {
    update: () => updates.state(),
    checkForUpdate: () => updates.check(),
    startsAtSignIn: () => autostart.isOn(),
    setStartsAtSignIn: (isOn) => {
      try {
        autostart.set(isOn);
        return succeed(undefined);
      } catch (error) {
        return fail({ kind: 'storageFailed', message: String(error).slice(0, 300) });
      }
    },
    isKiosk,
    quit: () => {
      // The page hears the answer first.
      setImmediate(quit);
    },
  };

  return {
    isKiosk,
    open: async (startsAtSignIn) => {
      if (await updates.installAtStart()) {
        await new Promise(() => undefined);
      }
      const before = port.startsAtSignIn();
      if (startsAtSignIn === null || before === null) {
        return { port, changed: [] };
      }
      const set = port.setStartsAtSignIn(startsAtSignIn);
      log(set.ok ? 'info' : 'warning', 'start at sign-in', { isOn: startsAtSignIn, isSet: set.ok });
      return { port, changed: set.ok && before !== startsAtSignIn ? ['startsAtSignIn'] : [] };
    },
    begin: (window) => {
      if (isInstalled) {
        updates.begin();
      }
      if (isKiosk) {
        window.setKiosk(true);
        window.on('close', (event) => {
          if (!isEndAllowed) {
            event.preventDefault();
          }
        });
      }
    },
    close: () => {
      updates.close();
    },
  };
}
