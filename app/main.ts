// Holds what the window needs to be on its way, and no more: main-terminal.ts is read behind it.
import { BrowserWindow, Menu, app, dialog, session } from 'electron';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { succeed, type Result } from './domain/result.ts';
import {
  defaultDataDirectory,
  prepareDataDirectory,
  requireLinks,
  requireTemporaryFolder,
} from './hosts/node/data-directory.ts';
import { holdCalls } from './hosts/electron/held-calls.ts';
import { findLink, holdStarts, readLink, type HeldStarts } from './hosts/electron/link.ts';
import { lockAll, lockSession } from './hosts/electron/lockdown.ts';
import { describeRefusedArgument, refusedArgument } from './hosts/electron/packaged.ts';
import { watchSandbox, type SandboxWatch } from './hosts/electron/page-sandbox.ts';
import { registerPageScheme, servePage } from './hosts/electron/scheme.ts';
import { openWindow } from './hosts/electron/window.ts';
import { isCommand, parseFlags, usage, type Flags } from './hosts/flags.ts';
import { describeIgnored, describeProvisionFailure } from './hosts/provisioning/messages.ts';
import type { ProvisionFile } from './hosts/provisioning/file.ts';
import { describeStartError, wordsFor } from './hosts/messages.ts';
import type { SecondStart } from './main-terminal.ts';
import { isInstalled } from './hosts/electron/installed.ts';

/** A page's process that does not even ask for its page must not keep the terminal from opening. */
const maxPageWaitMs = 1000;
/**
 * Chromium reads 32 KiB of what a second start says: its folder, its command line and, once more, the link. Of more it
 * answers nothing, and the second start takes the one that runs for hung, kills it and goes on in its place.
 */
const maxArgumentBytes = 8000;
/** The folder of the built app. */
const here = import.meta.dirname;

/** Resolves when it is written: a pipe on Windows takes a moment. */
async function print(stream: NodeJS.WriteStream, text: string): Promise<void> {
  await new Promise((written) => stream.write(text, written));
}

/** Chromium keeps one value for a switch: what was given at the start stays in it. */
function addFeature(name: 'enable-features' | 'disable-features', feature: string): void {
  const given = app.commandLine.getSwitchValue(name);
  app.commandLine.appendSwitch(name, given === '' ? feature : `${given},${feature}`);
}

/** The language before there is a terminal that knows better. Until the app is ready, `getLocale` knows none. */
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

/** Whether the app ends for want of the sandbox: then its last window is gone before it has said why. */
let isUnprotected = false;

/** Shows no page any more, says why, and ends the app in order. */
async function endUnprotected(tag: string): Promise<void> {
  if (isUnprotected) {
    return;
  }
  isUnprotected = true;
  // Not within the event that tells of the page: Electron is still busy with it.
  await sleep(0);
  for (const window of BrowserWindow.getAllWindows()) {
    window.destroy();
  }
  await sayError(wordsFor(tag).electron.noSandbox);
  app.quit();
}

async function run(
  flags: Flags,
  provision: ProvisionFile | null,
  dataDirectory: string,
  sandbox: SandboxWatch,
  starts: HeldStarts,
): Promise<void> {
  const systemLanguage = languageHere(flags);
  let language: string = systemLanguage;
  let crashes = 0;
  app.on('render-process-gone', (_event, _contents, { reason }) => {
    crashes += reason === 'clean-exit' ? 0 : 1;
  });
  try {
    await lockSession(session.defaultSession, isInstalled, {
      dataDirectory,
      onMisplaced: (name, ending) => {
        const sentence = wordsFor(language).electron.misplaced;
        void sayError(sentence.replace('{name}', () => name).replace('{ending}', () => ending));
      },
      onUnsaved: (name) => {
        void sayError(wordsFor(language).electron.notSaved.replace('{name}', () => name));
      },
    });
    const firstPage = servePage(session.defaultSession, join(here, 'renderer'));
    const calls = holdCalls();
    const opened = openWindow({
      preloadPath: join(here, 'preload.cjs'),
      iconPath: join(here, 'icons', 'icon.png'),
      dataDirectory,
      language: () => language,
      lastCallMs: (page) => calls.lastCallMs(page),
      onLost: () => {
        void sayError(wordsFor(language).electron.rendererLost).then(() => {
          app.quit();
        });
      },
    });
    if (process.platform === 'darwin') {
      const { menuOf } = await import('./hosts/electron/menu.ts');
      Menu.setApplicationMenu(Menu.buildFromTemplate(menuOf(language, () => void opened.quit())));
    }
    // The reading that follows keeps this process from answering, while the page's process starts.
    await Promise.race([firstPage, sleep(maxPageWaitMs)]);
    const { openTerminalBehind } = await import('./main-terminal.ts');
    await openTerminalBehind({
      flags,
      provision,
      dataDirectory,
      systemLanguage,
      here,
      opened,
      calls,
      starts,
      pageCrashes: () => crashes,
      pageSandbox: sandbox.state,
      looked: sandbox.looked,
      // A page that does not come must not keep the terminal from opening.
      waited: Promise.race([sandbox.looked, sleep(maxPageWaitMs)]),
      isUnprotected: () => isUnprotected,
      onLanguage: (spoken) => {
        language = spoken;
      },
    });
  } catch (error) {
    await refuse(describeStartError(error, systemLanguage, dataDirectory), 1);
  }
}

/** Reads the provisioning file that is named, if any. Fails with one message a field. */
async function readProvision(flags: Flags): Promise<Result<ProvisionFile | null, readonly string[]>> {
  if (flags.provisionPath === null) {
    return succeed(null);
  }
  const { readNamedProvision } = await import('./main-terminal.ts');
  return readNamedProvision(flags);
}

/** What Chromium does without, and what it does in this process. */
function setUpChromium(flags: Flags): void {
  // As root, where Chromium cannot have its sandbox, whoever starts the app says so.
  if (!app.commandLine.hasSwitch('no-sandbox')) {
    app.enableSandbox();
  }
  // The magnifier over the whole screen, by a script's own call or in the picker of a field for a colour: it takes the next
  // press from every program and tells a script what was there.
  addFeature('disable-features', 'EyeDropper');
  // With what preload.ts adds: else a script's window.close() destroys a window without the event that holds it.
  app.commandLine.appendSwitch('blink-settings', 'allowScriptsToCloseWindows=false');
  if (flags.safeMode) {
    app.disableHardwareAcceleration();
  }
  if (process.platform === 'linux') {
    // Without a sandbox, as there, processes for sound and for the network keep no attacker out. Sound's would take 20 MB
    // from the first sound on, the network's takes 10. Through Chromium's network comes nothing but a file that configures
    // the proxy, where the system names one: its script runs in a process of its own.
    addFeature('disable-features', 'AudioServiceOutOfProcess');
    addFeature('enable-features', 'NetworkServiceInProcess2');
  }
  if (process.platform === 'linux' && process.env['XDG_SESSION_TYPE'] === 'wayland') {
    // Such a desktop gives keys that hold everywhere through its portal alone.
    addFeature('enable-features', 'GlobalShortcutsPortal');
  }
}

/**
 * Whether this is the only start with this data folder; else the one that runs is told, and this one ends. It says so
 * where it leaves something undone, such as a file that was named.
 */
function isOnlyStart(meant: SecondStart, isLinkKnown: boolean, namesFile: boolean, language: string): boolean {
  if (app.requestSingleInstanceLock(meant)) {
    return true;
  }
  const isDone = (meant.companion || isLinkKnown) && !namesFile;
  if (!isDone) {
    process.stderr.write(`${wordsFor(language).start.alreadyRunning}\n`);
  }
  app.exit(isDone ? 0 : 1);
  return false;
}

async function begin(): Promise<void> {
  const systemLanguage = languageHere({ language: null });
  const args = process.argv.slice(1);
  const parsed = parseFlags(args, { ignoreUnknown: true, environment: process.env, systemLanguage });
  const language = (parsed.ok ? parsed.value.language : null) ?? systemLanguage;
  const refused = isInstalled
    ? refusedArgument({
        args,
        system: process.platform,
        isRoot: process.getuid?.() === 0,
        resourcesPath: process.resourcesPath,
      })
    : null;
  if (refused !== null) {
    const message = describeRefusedArgument(refused, language);
    await print(process.stderr, `${message}\n`);
    if (process.platform !== 'linux' && !isCommand(args)) {
      // The system's own box, which needs no page: what the start is refused for would be open as soon as Chromium is.
      dialog.showErrorBox('Tillside', message);
    }
    app.exit(2);
    return;
  }
  if (!parsed.ok) {
    const refusal = `${parsed.failure}\n\n${usage}`;
    if (isCommand(args)) {
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
    const { runHubCommand } = await import('./main-terminal.ts');
    const { lines, exitCode } = await runHubCommand(flags.hub, { language, environment: process.env });
    await print(exitCode === 0 ? process.stdout : process.stderr, `${lines.join('\n')}\n`);
    app.exit(exitCode);
    return;
  }
  const dataDirectory = flags.dataDirectory ?? defaultDataDirectory();
  if (flags.lookup !== null) {
    const { runLookup } = await import('./main-terminal.ts');
    const asked = await runLookup({ ...flags.lookup, dataDirectory, language });
    await print(process.stderr, asked.complaint);
    await print(process.stdout, asked.output);
    app.exit(asked.exitCode);
    return;
  }
  if (flags.checkPath !== null) {
    const { checkFile } = await import('./main-terminal.ts');
    const { lines, exitCode } = await checkFile(flags, dataDirectory, language);
    await print(exitCode === 2 ? process.stderr : process.stdout, `${lines.join('\n')}\n`);
    app.exit(exitCode);
    return;
  }
  if (Buffer.byteLength(args.join(' ')) > maxArgumentBytes) {
    // No dialog: any page could bring it up, over a kiosk as well.
    await print(process.stderr, `${wordsFor(language).electron.lineTooLong}\n`);
    app.exit(2);
    return;
  }
  const provision = await readProvision(flags);
  if (!provision.ok) {
    refuseEarly(describeProvisionFailure(flags.provisionPath ?? '', provision.failure, language), 2);
    return;
  }
  const link = findLink(args);
  const isLinkKnown = link !== null && readLink(link) !== null;
  for (const warning of [
    ...flags.warnings,
    ...(link !== null && !isLinkKnown ? [wordsFor(language).electron.linkRefused] : []),
    ...describeIgnored(flags, provision.value, isInstalled ? 'installed' : 'checkout', language),
  ]) {
    process.stderr.write(`${warning}\n`);
  }
  app.setName('Tillside');
  let folder = dataDirectory;
  try {
    prepareDataDirectory(folder);
    // Chromium says of a folder that it cannot write that somebody else has it.
    folder = join(dataDirectory, 'electron');
    app.setPath('userData', prepareDataDirectory(folder));
    requireLinks(folder);
    folder = app.getPath('temp');
    requireTemporaryFolder(folder);
  } catch (error) {
    refuseEarly(describeStartError(error, language, folder), 1);
    return;
  }
  const namesFile = flags.provisionPath !== null && !flags.isProvisionLasting;
  if (!isOnlyStart({ companion: flags.companion, link }, isLinkKnown, namesFile, language)) {
    return;
  }
  const starts = holdStarts(app);
  setUpChromium(flags);
  // Before the app is ready, or Electron makes a menu of its own first.
  Menu.setApplicationMenu(null);
  registerPageScheme();
  lockAll(app);
  const mayBeWithout = !isInstalled || args.includes('--no-sandbox');
  const sandbox = watchSandbox(app, () => {
    if (!mayBeWithout) {
      void endUnprotected(language);
    }
  });
  app.on('window-all-closed', () => {
    if (!isUnprotected) {
      app.quit();
    }
  });
  endBySignals();
  void app.whenReady().then(() => run(flags, provision.value, dataDirectory, sandbox, starts));
}

await begin();
