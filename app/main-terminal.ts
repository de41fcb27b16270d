// The modules that main.ts reads once its window is on its way: the terminal, and everything around it.
import './hosts/node/plain-schemas.ts';
import ElectronStore from 'electron-store';
import { app, ipcMain, session, shell } from 'electron';
import { join } from 'node:path';
import { z } from 'zod';
import type { DeviceChoices, MachineChoices } from './hosts/node/device-choices.ts';
import { createDesktop } from './hosts/electron/desktop.ts';
import { answerFormer, createDevice, openDeviceAutostart, type ElectronDevice } from './hosts/electron/device.ts';
import type { HeldCalls } from './hosts/electron/held-calls.ts';
import { connectIpc } from './hosts/electron/ipc.ts';
import { readLink, type HeldStarts } from './hosts/electron/link.ts';
import { isOwnPanel } from './hosts/electron/lockdown.ts';
import { createPageLinks } from './hosts/electron/page-links.ts';
import { createScannerKeeper } from './hosts/electron/scanner-device/keeper.ts';
import { createDevicePages } from './hosts/electron/scanner-device/page.ts';
import { createSystemPrinters } from './hosts/electron/system-printers.ts';
import { createSystemProxyOf } from './hosts/electron/system-proxy.ts';
import type { OpenedWindow } from './hosts/electron/window.ts';
import type { Flags } from './hosts/flags.ts';
import { createPgLink } from './hosts/hub/pg-link.ts';
import { createLoopback } from './hosts/programs/loopback.ts';
import { openPrograms } from './hosts/programs/server.ts';
import { createNodeClock } from './hosts/node/node-ports.ts';
import { checkProvision } from './hosts/provisioning/check.ts';
import type { ProvisionFile } from './hosts/provisioning/file.ts';
import { setUpBy } from './hosts/provisioning/set-up.ts';
import { keepStore, type JsonFile, type JsonFileOptions } from './hosts/node/settings-file.ts';
import { startTerminal, type StartedTerminal, type StartOptions } from './hosts/start.ts';
import type { PageSandboxState } from './hosts/status-file.ts';
import type { Shell } from './ports.ts';
import { isInstalled } from './hosts/electron/installed.ts';

export { runHubCommand } from './hosts/hub/set-up.ts';
export { runLookup } from './hosts/programs/command.ts';
export { readNamedProvision } from './hosts/provisioning/file.ts';

/** The data that a second start hands over to the one that runs. */
const secondStartSchema = z.object({ companion: z.boolean(), link: z.string().nullable().default(null) });
export type SecondStart = z.infer<typeof secondStartSchema>;

/**
 * A terminal that does not close in this time is left to the operating system; nothing that is durable depends on it.
 */
const closingDeadlineMs = 8000;

const systemProxyOf = createSystemProxyOf(() => session.fromPartition('system-proxy'));

/** All of it; the start at sign-in is the system's to keep. */
const choicesOf = ({ startsAtSignIn: _startsAtSignIn, ...choices }: MachineChoices): DeviceChoices => choices;

function openJsonFile({ cwd, name }: JsonFileOptions): JsonFile {
  const file = new ElectronStore<Record<string, unknown>>({
    cwd,
    name,
    accessPropertiesByDotNotation: false,
    configFileMode: 0o600,
  });
  // The library would tell any page where the data lies.
  ipcMain.removeAllListeners('electron-store-get-data');
  return keepStore(file);
}

function openInBrowser(url: string): void {
  if (!isOwnPanel(url)) {
    return;
  }
  // A desktop without a browser is no reason to end.
  void shell.openExternal(url).catch(() => undefined);
}

function deviceFor(
  flags: Flags,
  { choices, log, letDirectoryGo }: Parameters<NonNullable<StartOptions['makeDevice']>>[0],
  dataDirectory: string,
  quit: () => void,
): ElectronDevice {
  return createDevice({
    quit,
    letDirectoryGo,
    dataDirectory,
    namedDirectory: flags.dataDirectory,
    choices,
    isKiosk: flags.kiosk || choices.isKiosk === true,
    isSafeMode: flags.safeMode,
    log,
    proxyOf: systemProxyOf,
  });
}

/** Shows the window or the companion bar, as a later start of the app means, and hands over its link. */
function showFor(
  meant: unknown,
  desktop: Pick<ReturnType<typeof createDesktop>, 'callCompanion' | 'showWindow'>,
  openLink: ReturnType<typeof createPageLinks>,
): void {
  const { companion = false, link = null } = secondStartSchema.safeParse(meant).data ?? {};
  if (companion) {
    desktop.callCompanion();
    return;
  }
  desktop.showWindow();
  if (link !== null) {
    openLink(readLink(link));
  }
}

/** The changes that a provisioning file would make, in lines and as an exit code. */
export function checkFile(
  { dataDirectory: named, checkPath }: Pick<Flags, 'dataDirectory' | 'checkPath'>,
  dataDirectory: string,
  language: string,
): ReturnType<typeof checkProvision> {
  return checkProvision({
    path: checkPath ?? '',
    dataDirectory,
    language,
    choicesOf,
    startsAtSignIn: openDeviceAutostart(named).isOn(),
  });
}

/** `around` has what is closed before the terminal: as much of it as stands by then. */
function closeAtEnd(
  isUnprotected: () => boolean,
  { close, endProcess }: Pick<StartedTerminal, 'close' | 'endProcess'>,
  around: readonly (() => Promise<void> | void)[],
): void {
  const exit = (code: number): void => endProcess(() => app.exit(code));
  const closeAll = async (): Promise<void> => {
    for (const closeOne of around) {
      await closeOne();
    }
    await close();
  };
  let isClosing = false;
  app.on('will-quit', (event) => {
    // Also of a second signal, or of a dialog that goes with the first: it ends when all is closed.
    event.preventDefault();
    if (isClosing) {
      return;
    }
    isClosing = true;
    setTimeout(() => exit(1), closingDeadlineMs).unref();
    void closeAll().then(
      () => exit(isUnprotected() ? 1 : 0),
      () => exit(1),
    );
  });
}

/**
 * Logs the end of Chromium's other processes, such as the graphics': after some of them the app ends as well. Answers
 * where the log is to be put once there is one.
 */
function watchProcesses(): { log: Shell['log'] } {
  const logged: { log: Shell['log'] } = { log: () => undefined };
  app.on('child-process-gone', (_event, { type, reason, exitCode }) => {
    if (reason !== 'clean-exit') {
      logged.log('warning', 'a process of Chromium has ended', { type, reason, exitCode });
    }
  });
  return logged;
}

interface Front {
  readonly flags: Flags;
  readonly provision: ProvisionFile | null;
  readonly dataDirectory: string;
  readonly systemLanguage: string;
  /** The folder of the built app. */
  readonly here: string;
  readonly opened: OpenedWindow;
  readonly calls: HeldCalls;
  readonly starts: HeldStarts;
  readonly pageCrashes: () => number;
  readonly pageSandbox: () => PageSandboxState;
  /** Resolves when the page's process has been looked at. */
  readonly looked: Promise<void>;
  /** The same, or the page has not come in time. */
  readonly waited: Promise<unknown>;
  /** The app says that the page has no sandbox, and ends: there is no window any more. */
  readonly isUnprotected: () => boolean;
  /** Called with every language that the terminal speaks from now on. */
  readonly onLanguage: (language: string) => void;
}

/** The page's process has been looked at. */
function noteSandbox(
  { pageSandbox, isUnprotected }: Pick<Front, 'pageSandbox' | 'isUnprotected'>,
  { log, writeStatus }: Pick<StartedTerminal, 'log' | 'writeStatus'>,
): void {
  const state = pageSandbox();
  log(state === 'off' ? 'warning' : 'info', "the sandbox of the page's process", { state });
  writeStatus();
  if (isUnprotected()) {
    log('error', 'no page is shown without the sandbox');
  }
}

/** The same at every start. */
const ofThisHost = {
  host: 'electron',
  askHolderToLeave: answerFormer,
  openHub: createPgLink,
  openInBrowser,
  openLocalApi: createLoopback,
  proxyOf: systemProxyOf,
} as const;

/** Opens the terminal behind this window. Throws StorageError and StartError. */
export async function openTerminalBehind(front: Front): Promise<void> {
  const { flags, provision, dataDirectory, systemLanguage, here, opened, calls, starts } = front;
  const { window } = opened;
  const desktop = createDesktop({ iconsDirectory: join(here, 'icons'), isSafeMode: flags.safeMode });
  const logged = watchProcesses();
  const scanners = flags.safeMode
    ? null
    : createScannerKeeper({
        clock: createNodeClock(),
        openPage: createDevicePages({
          preloadPath: join(here, 'scanner-preload.cjs'),
          isPackaged: isInstalled,
          log: (...line) => logged.log(...line),
        }),
      });
  const around: { device: ElectronDevice | null } = { device: null };
  const started = await startTerminal({
    ...ofThisHost,
    version: app.getVersion(),
    dataDirectory,
    systemLanguage,
    setUp: setUpBy(provision, flags, choicesOf),
    forgetPin: flags.forgetPin,
    training: flags.training,
    trainingOf: flags.trainingOf,
    isSafeMode: flags.safeMode,
    checkpointWorkerPath: join(here, 'checkpoint-worker.js'),
    rendererDirectory: join(here, 'renderer'),
    openJsonFile,
    ...(desktop.port === null ? {} : { desktop: desktop.port }),
    ...(scanners === null ? {} : { scannerDevices: scanners }),
    systemPrinters: createSystemPrinters(() => window),
    statusPath: flags.statusPath,
    pageCrashes: front.pageCrashes,
    pageSandbox: front.pageSandbox,
    makeDevice: (start) => {
      around.device = deviceFor(flags, start, dataDirectory, () => desktop.end());
      return around.device.open(start.startsAtSignIn);
    },
  });
  logged.log = started.log;
  const closings: (() => Promise<void> | void)[] = [() => around.device?.close()];
  closeAtEnd(front.isUnprotected, started, closings);
  started.terminal.subscribe((name, payload) => {
    if (name === 'terminal:changed' && 'language' in payload) {
      front.onLanguage(payload.language);
    }
  });
  const read = await started.terminal.handlers['terminal:read']({});
  if (read.ok) {
    front.onLanguage(read.value.language);
  }
  void front.looked.then(() => noteSandbox(front, started));
  await front.waited;
  if (front.isUnprotected() || window.isDestroyed()) {
    // The app ends, for want of the sandbox or as somebody has quit it meanwhile.
    return;
  }
  const { webContents } = window;
  const openLink = createPageLinks({ page: webContents, calls, mayOpen: () => !desktop.isStation(), log: started.log });
  const disconnect = connectIpc({
    calls,
    handlers: started.terminal.handlers,
    subscribe: (listener) => started.terminal.subscribe(listener),
    log: started.log,
    pages: () => (front.isUnprotected() ? [] : [...(window.isDestroyed() ? [] : [webContents]), ...desktop.pages()]),
    scannedPage: desktop.scannedPage,
  });
  closings.unshift(disconnect);
  const programs = openPrograms({
    dataDirectory,
    handlers: started.terminal.handlers,
    log: started.log,
    clock: createNodeClock(),
  });
  closings.push(async () => (await programs).close());
  await programs;
  if (window.isDestroyed()) {
    return;
  }
  const joined = desktop.join({
    window,
    terminal: started.terminal,
    jsonFile: started.jsonFile,
    log: started.log,
    preloadPath: join(here, 'preload.cjs'),
    hasTray: around.device?.isKiosk !== true,
  });
  // The bar may be open still.
  window.on('closed', () => {
    if (!front.isUnprotected()) {
      app.quit();
    }
  });
  around.device?.begin(window);
  opened.begin({
    jsonFile: started.jsonFile,
    log: started.log,
    quit: async () => {
      // A kiosk ends by the same call as from the settings: behind the PIN, and not while customers stand there.
      if (around.device?.isKiosk === true) {
        return (await started.terminal.handlers['device:quit']({})).ok;
      }
      if (!desktop.isStation()) {
        desktop.end();
      }
      return !desktop.isStation();
    },
    isHeld: () => around.device?.isKiosk === true || desktop.isStation(),
  });
  // The first page of the process is the window's.
  scanners?.begin();
  app.once('before-quit', () => scanners?.close());
  // Until it is known, no start may choose what a check station shows.
  await joined;
  starts.answerWith((meant) => showFor(meant, desktop, openLink));
}
