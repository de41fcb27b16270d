import ElectronStore from 'electron-store';
import { Menu, app, dialog, ipcMain, session, shell, type BrowserWindow } from 'electron';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { defaultDataDirectory, prepareDataDirectory } from './hosts/node/data-directory.ts';
import type { DeviceChoices, MachineChoices } from './hosts/node/device-choices.ts';
import { createDesktop } from './hosts/electron/desktop.ts';
import { createDevice, openDeviceAutostart, type ElectronDevice } from './hosts/electron/device.ts';
import { connectIpc, sendLink } from './hosts/electron/ipc.ts';
import { findLink, readLink } from './hosts/electron/link.ts';
import { isOwnPanel, lockAllContents, lockSession } from './hosts/electron/lockdown.ts';
import { refusedSwitch } from './hosts/electron/packaged.ts';
import { createScannerKeeper } from './hosts/electron/scanner-device/keeper.ts';
import { createDevicePages } from './hosts/electron/scanner-device/page.ts';
import { registerPageScheme, servePage } from './hosts/electron/scheme.ts';
import { createSystemPrinters } from './hosts/electron/system-printers.ts';
import { openWindow } from './hosts/electron/window.ts';
import { isCommand, parseFlags, usage, type Flags } from './hosts/flags.ts';
import { createPgLink } from './hosts/hub/pg-link.ts';
import { runHubCommand } from './hosts/hub/set-up.ts';
import { runLookup } from './hosts/programs/command.ts';
import { createLoopback } from './hosts/programs/loopback.ts';
import { openPrograms } from './hosts/programs/server.ts';
import { checkProvision } from './hosts/provisioning/check.ts';
import { describeIgnored, describeProvisionFailure } from './hosts/provisioning/messages.ts';
import { createNodeClock } from './hosts/node/node-ports.ts';
import { readNamedProvision, type ProvisionFile } from './hosts/provisioning/file.ts';
import { setUpBy } from './hosts/provisioning/set-up.ts';
import type { JsonStore, JsonStoreOptions } from './hosts/node/settings-file.ts';
import { startTerminal } from './hosts/start.ts';
import { describeStartError, wordsFor } from './hosts/messages.ts';
import type { Shell } from './ports.ts';

/** The folder of the built app. */
const here = import.meta.dirname;

/** What a second start hands over to the one that runs. */
const secondStartSchema = z.object({ companion: z.boolean(), link: z.string().nullable().default(null) });

/**
 * A terminal that does not close in this time is left to the operating system; nothing that is durable depends on it.
 */
const closingDeadlineMs = 8000;

/** All of it; the start at sign-in is the system's to keep. */
const choicesOf = ({ startsAtSignIn: _startsAtSignIn, ...choices }: MachineChoices): DeviceChoices => choices;

function openStore({ cwd, name }: JsonStoreOptions): JsonStore {
  const store = new ElectronStore({ cwd, name, accessPropertiesByDotNotation: false, configFileMode: 0o600 });
  // The library would tell any page where the data lies.
  ipcMain.removeAllListeners('electron-store-get-data');
  return store;
}

/** Resolves when it is written: a pipe on Windows takes a moment. */
async function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  await new Promise((written) => stream.write(text, written));
}

function openInBrowser(url: string): void {
  if (!isOwnPanel(url)) {
    return;
  }
  // A desktop without a browser is no reason to end.
  void shell.openExternal(url).catch(() => undefined);
}

/**
 * The language of what is said before there is a terminal that knows better. Before the app is ready, `getLocale` knows
 * none.
 */
function languageHere(flags: Pick<Flags, 'language'>): string {
  return flags.language ?? app.getPreferredSystemLanguages()[0] ?? app.getLocale();
}

/** Says why the app cannot go on, on stderr and in a dialog, until a person has closed that. */
async function sayError(message: string): Promise<void> {
  process.stderr.write(`${message.trimEnd()}\n`);
  await dialog.showMessageBox({ type: 'error', title: 'Tillside', message: 'Tillside', detail: message });
}

/** Says why the app cannot start, and ends it. */
async function refuse(message: string, exitCode: number): Promise<void> {
  // However the dialog goes away, the app did not start.
  app.once('will-quit', () => {
    app.exit(exitCode);
  });
  await sayError(message);
  app.exit(exitCode);
}

function endBySignals(): void {
  // SIGHUP: the terminal's window was closed, on Windows the console.
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) {
    process.on(signal, () => {
      app.quit();
    });
  }
}

/**
 * The same before there is a data folder for Chromium's own files. Those that the dialog needs lie among the system's
 * temporary ones and go with it, but for what Chromium writes when all else has ended.
 */
function refuseEarly(message: string, exitCode: number): void {
  try {
    const folder = mkdtempSync(join(tmpdir(), 'tillside-'));
    app.setPath('userData', folder);
    process.once('exit', () => {
      try {
        rmSync(folder, { recursive: true, force: true });
      } catch {
        // Chromium has just written there; the system clears the folder of temporary files.
      }
    });
  } catch {
    // A full disk, which may be what is to be told: Chromium's own choice has to do.
  }
  endBySignals();
  void app.whenReady().then(() => refuse(message, exitCode));
}

function setMenu(): void {
  // On macOS the menu carries the shortcuts of editing; elsewhere the window needs none.
  Menu.setApplicationMenu(
    process.platform === 'darwin'
      ? Menu.buildFromTemplate([{ role: 'appMenu' }, { role: 'editMenu' }, { role: 'windowMenu' }])
      : null,
  );
}

function deviceFor(flags: Flags, choices: DeviceChoices, dataDirectory: string, log: Shell['log']): ElectronDevice {
  return createDevice({
    dataDirectory,
    namedDirectory: flags.dataDirectory,
    choices,
    isKiosk: flags.kiosk || choices.isKiosk === true,
    isSafeMode: flags.safeMode,
    log,
  });
}

/** Shows the window or the companion bar, as a later start of the app asks, and hands over its link. */
function hearOtherStarts(show: (link: string | null) => void, callCompanion: () => void): void {
  // The command line that comes along has been rearranged by Chromium; what was meant is handed over beside it.
  app.on('second-instance', (_event, _line, _folder, meant) => {
    const { companion = false, link = null } = secondStartSchema.safeParse(meant).data ?? {};
    if (companion) {
      callCompanion();
    } else {
      show(link);
    }
  });
  // macOS hands over a link by itself.
  app.on('open-url', (event, link) => {
    event.preventDefault();
    show(link);
  });
}

function preparePages(rendererDirectory: string): void {
  setMenu();
  lockSession(session.defaultSession, app.isPackaged);
  servePage(session.defaultSession, rendererDirectory);
}

async function run(flags: Flags, provision: ProvisionFile | null, dataDirectory: string): Promise<void> {
  const systemLanguage = languageHere(flags);
  let window: BrowserWindow | null = null;
  let language: string = systemLanguage;
  const desktop = createDesktop({ iconsDirectory: join(here, 'icons'), isSafeMode: flags.safeMode });
  const logged: { log: Shell['log'] } = { log: () => undefined };
  const scanners = flags.safeMode
    ? null
    : createScannerKeeper({
        clock: createNodeClock(),
        openPage: createDevicePages({
          preloadPath: join(here, 'scanner-preload.cjs'),
          isPackaged: app.isPackaged,
          log: (...line) => logged.log(...line),
        }),
      });
  const around: { device: ElectronDevice | null; crashes: number } = { device: null, crashes: 0 };
  app.on('render-process-gone', (_event, _contents, { reason }) => {
    around.crashes += reason === 'clean-exit' ? 0 : 1;
  });
  try {
    const rendererDirectory = join(here, 'renderer');
    preparePages(rendererDirectory);
    const started = await startTerminal({
      openHub: createPgLink,
      openLocalApi: createLoopback,
      host: 'electron',
      version: app.getVersion(),
      dataDirectory,
      systemLanguage,
      setUp: setUpBy(provision, flags, choicesOf),
      forgetPin: flags.forgetPin,
      training: flags.training,
      trainingOf: flags.trainingOf,
      isSafeMode: flags.safeMode,
      checkpointWorkerPath: join(here, 'checkpoint-worker.js'),
      proxyOf: (url) => session.defaultSession.resolveProxy(url),
      openInBrowser,
      rendererDirectory,
      openStore,
      ...(desktop.port === null ? {} : { desktop: desktop.port }),
      ...(scanners === null ? {} : { scannerDevices: scanners }),
      systemPrinters: createSystemPrinters(() => window),
      statusPath: flags.statusPath,
      pageCrashes: () => around.crashes,
      makeDevice: (opened) => {
        around.device = deviceFor(flags, opened.choices, dataDirectory, opened.log);
        return around.device.open(opened.startsAtSignIn);
      },
    });
    logged.log = started.log;
    started.terminal.subscribe((name, payload) => {
      language = name === 'terminal:changed' && 'language' in payload ? payload.language : language;
    });
    const disconnect = connectIpc({
      handlers: started.terminal.handlers,
      subscribe: (listener) => started.terminal.subscribe(listener),
      log: started.log,
      pages: () => [...(window === null || window.isDestroyed() ? [] : [window.webContents]), ...desktop.pages()],
      scannedPage: () =>
        desktop.shownCompanion() ?? (window === null || window.isDestroyed() ? null : window.webContents),
    });
    const programs = await openPrograms({
      dataDirectory,
      handlers: started.terminal.handlers,
      log: started.log,
      clock: createNodeClock(),
    });
    app.once('will-quit', (event) => {
      event.preventDefault();
      disconnect();
      around.device?.close();
      setTimeout(() => app.exit(1), closingDeadlineMs).unref();
      void programs
        .close()
        .then(() => started.close())
        .then(
          () => app.exit(0),
          () => app.exit(1),
        );
    });
    const preloadPath = join(here, 'preload.cjs');
    window = openWindow({
      preloadPath,
      iconPath: join(here, 'icons', 'icon.png'),
      store: started.store,
      log: started.log,
      language: () => language,
      mayQuit: () => !desktop.isStation(),
      onLost: () => {
        void sayError(wordsFor(language).rendererLost).then(() => {
          app.quit();
        });
      },
    });
    const { webContents } = window;
    const show = (link: string | null): void => {
      desktop.showWindow();
      if (link !== null && !desktop.isStation() && !webContents.isDestroyed()) {
        sendLink(webContents, readLink(link), started.log);
      }
    };
    desktop.join({
      window,
      terminal: started.terminal,
      store: started.store,
      log: started.log,
      preloadPath,
      hasTray: around.device?.isKiosk !== true,
    });
    around.device?.begin(window);
    // The first page of the process is the window's.
    scanners?.begin();
    app.once('before-quit', () => scanners?.close());
    hearOtherStarts(show, () => desktop.callCompanion());
  } catch (error) {
    await refuse(describeStartError(error, systemLanguage, dataDirectory), 1);
  }
}

async function begin(): Promise<void> {
  const systemLanguage = languageHere({ language: null });
  const parsed = parseFlags(process.argv.slice(1), { ignoreUnknown: true, environment: process.env, systemLanguage });
  const language = (parsed.ok ? parsed.value.language : null) ?? systemLanguage;
  const refused = app.isPackaged
    ? refusedSwitch({
        hasSwitch: (name) => app.commandLine.hasSwitch(name),
        isRoot: process.getuid?.() === 0,
        resourcesPath: process.resourcesPath,
      })
    : null;
  if (refused !== null) {
    // Without a dialog: what it is refused for would be open as soon as one is.
    await print(process.stderr, `${wordsFor(language).switchRefused.replace('{switch}', refused)}\n`);
    app.exit(2);
    return;
  }
  if (!parsed.ok) {
    const refusal = `${parsed.failure}\n\n${usage}`;
    if (isCommand(process.argv.slice(1))) {
      await print(process.stderr, refusal);
      app.exit(2);
    } else {
      refuseEarly(refusal, 2);
    }
    return;
  }
  const flags = parsed.value;
  if (flags.help) {
    await print(process.stdout, usage);
    app.exit(0);
    return;
  }
  if (flags.hub !== null) {
    // The app is not ready before this module is, so that no display is needed and nothing is written.
    const { lines, exitCode } = await runHubCommand(flags.hub, { language, environment: process.env });
    await print(exitCode === 0 ? process.stdout : process.stderr, `${lines.join('\n')}\n`);
    app.exit(exitCode);
    return;
  }
  const dataDirectory = flags.dataDirectory ?? defaultDataDirectory();
  if (flags.lookup !== null) {
    const asked = await runLookup({ ...flags.lookup, dataDirectory, language });
    await print(process.stderr, asked.complaint);
    await print(process.stdout, asked.output);
    app.exit(asked.exitCode);
    return;
  }
  if (flags.checkPath !== null) {
    const { lines, exitCode } = await checkProvision({
      path: flags.checkPath,
      dataDirectory,
      language,
      choicesOf,
      startsAtSignIn: openDeviceAutostart(flags.dataDirectory).isOn(),
    });
    await print(exitCode === 2 ? process.stderr : process.stdout, `${lines.join('\n')}\n`);
    app.exit(exitCode);
    return;
  }
  const provision = readNamedProvision(flags);
  if (!provision.ok) {
    refuseEarly(describeProvisionFailure(flags.provisionPath ?? '', provision.failure, language), 2);
    return;
  }
  const link = findLink(process.argv.slice(1));
  const isLinkKnown = link !== null && readLink(link) !== null;
  for (const said of [
    ...flags.warnings,
    ...(link !== null && !isLinkKnown ? [wordsFor(language).linkRefused] : []),
    ...describeIgnored(flags, provision.value, app.isPackaged ? 'installed' : 'checkout', language),
  ]) {
    process.stderr.write(`${said}\n`);
  }
  app.setName('Tillside');
  try {
    prepareDataDirectory(dataDirectory);
    // Chromium says of a folder that it cannot write that somebody else has it.
    app.setPath('userData', prepareDataDirectory(join(dataDirectory, 'electron')));
  } catch (error) {
    refuseEarly(describeStartError(error, language, dataDirectory), 1);
    return;
  }
  const meant: z.infer<typeof secondStartSchema> = { companion: flags.companion, link };
  if (!app.requestSingleInstanceLock(meant)) {
    if (flags.companion || isLinkKnown) {
      // The one that runs has been told.
      app.exit(0);
      return;
    }
    process.stderr.write(`${wordsFor(language).alreadyRunning}\n`);
    app.exit(1);
    return;
  }
  // As root, where Chromium cannot have its sandbox, whoever starts the app says so.
  if (!app.commandLine.hasSwitch('no-sandbox')) {
    app.enableSandbox();
  }
  if (flags.safeMode) {
    app.disableHardwareAcceleration();
  }
  if (process.platform === 'linux') {
    // A process of its own for sound has no sandbox there: it would take 20 MB from the first sound on, and guard nothing.
    app.commandLine.appendSwitch('disable-features', 'AudioServiceOutOfProcess');
  }
  if (process.platform === 'linux' && process.env['XDG_SESSION_TYPE'] === 'wayland') {
    // Such a desktop gives keys that hold everywhere through its portal alone.
    app.commandLine.appendSwitch('enable-features', 'GlobalShortcutsPortal');
  }
  registerPageScheme();
  lockAllContents(app);
  app.on('window-all-closed', () => {
    app.quit();
  });
  endBySignals();
  void app.whenReady().then(() => run(flags, provision.value, dataDirectory));
}

await begin();
