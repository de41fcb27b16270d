import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { HubAddress } from '../hub/address.ts';
import type { HubLink } from '../hub/link.ts';
import { createAxiosHttp } from '../platform/http-axios.ts';
import type {
  Clock,
  Desktop,
  Device,
  Http,
  LocalApi,
  Ports,
  PracticePlatform,
  ScannerDevices,
  Shell,
  SystemPrinters,
} from '../ports.ts';
import type { Handlers } from '../contract/bridge.ts';
import { fail, mapResult } from '../domain/result.ts';
import { createKeytarVault } from '../session/keytar-vault.ts';
import { createCheckpointThread } from '../storage/checkpoint-thread.ts';
import { StorageError } from '../storage/database.ts';
import { lockInstance } from '../storage/instance-lock.ts';
import { openTerminal, type Terminal } from '../terminal/terminal.ts';
import { joinPractice } from '../training/second-till.ts';
import { createCommandPrinters } from './node/command-printers.ts';
import { liesIn, prepareDataDirectory } from './node/data-directory.ts';
import { describeStartError, wordsFor } from './messages.ts';
import {
  chooseSource,
  fieldsOfChoices,
  noteNamedSource,
  takeDeviceChoices,
  type DeviceChoices,
  type ShopSource,
} from './node/device-choices.ts';
import { noteDataPlace } from './node/data-place.ts';
import { StartError } from './node/start-error.ts';
import { openLog } from './node/log-file.ts';
import { readAccount, readMachine } from './node/machine.ts';
import { createNodeClock, createNodeRandom, createOffsetMinutes } from './node/node-ports.ts';
import { searchNamedFoldersAlone } from './node/program-search.ts';
import { logUncaught } from './node/uncaught.ts';
import { openPage } from './page.ts';
import {
  chooseFile,
  type PublishedFile,
  type PublishedFileParts,
  type SetUpFile,
  type SetUpOptions,
} from './set-up.ts';
import { createStatusFile, type PageSandboxState, type StatusFile } from './status-file.ts';
import { openSettings, type JsonFile, type JsonFileOptions } from './node/settings-file.ts';

/** The loopback address for programs, and its life beside the terminal's. */
export interface StartedLocalApi extends LocalApi {
  /** Begins to answer over the terminal; pages call the handlers that it answers. */
  begin(terminal: Pick<Terminal, 'handlers' | 'subscribe'>): Handlers;
  close(): Promise<void>;
}

export interface StartOptions {
  readonly host: Shell['host'];
  readonly version: string;
  /** An existing folder. */
  readonly dataDirectory: string;
  /** Asks a process that holds the directory to leave it; false where none is known that would. */
  readonly askHolderToLeave?: (() => boolean) | undefined;
  readonly systemLanguage: string;
  readonly setUp: SetUpOptions;
  /** Gives up the manager's PIN. */
  readonly forgetPin: boolean;
  /** Opens the practice store unless it is open already. */
  readonly training: boolean;
  /** The control panel's address of another Tillside's practice store, to be opened in place of one of its own. */
  readonly trainingOf: string | null;
  /** Sends and copies nothing by itself. */
  readonly isSafeMode: boolean;
  /** The operating system's proxies for an address, as "PROXY host:port; DIRECT"; absent where it cannot be asked. */
  readonly proxyOf?: (url: string) => Promise<string>;
  /** Opens an address in the system's browser; absent where the page can do so by itself. */
  readonly openInBrowser?: (url: string) => void;
  /** How a shop's hub is reached. */
  readonly openHub?: (address: HubAddress) => HubLink;
  /** Makes the loopback address for programs. */
  readonly openLocalApi: (parts: { readonly clock: Clock; readonly log: Shell['log'] }) => StartedLocalApi;
  /** Where the status for the fleet's monitoring is written, whatever the provisioning file says. */
  readonly statusPath: string | null;
  /** How many pages have crashed; absent where the pages are a browser's. */
  readonly pageCrashes?: () => number;
  /** Whether the pages' processes have their sandbox; absent where the pages are a browser's. */
  readonly pageSandbox?: () => PageSandboxState;
  /** The desktop around the page, where there is such a thing. */
  readonly desktop?: Desktop;
  /** Where scanners without a keyboard can be held. */
  readonly scannerDevices?: ScannerDevices;
  /** Where pages can be printed without a dialog. */
  readonly systemPrinters?: SystemPrinters;
  /**
   * Makes the installed app's machine of what has been opened, before the terminal is; a newer version may take this
   * app's place meanwhile. `choices` are this file's over those of earlier ones.
   */
  readonly makeDevice?: (opened: {
    readonly log: Shell['log'];
    readonly choices: DeviceChoices;
    /** The file's choice of it; null where it makes none. */
    readonly startsAtSignIn: boolean | null;
    /** Lets the data directory go, for another version that is started now: this start then never goes on. */
    readonly letDirectoryGo: () => void;
  }) => Promise<{ readonly port: Device; readonly changed: readonly string[] }>;
  /** The program of the thread for checkpoints: app/storage/checkpoint-worker.ts, or what it was built into. */
  readonly checkpointWorkerPath: string;
  readonly openJsonFile: (options: JsonFileOptions) => JsonFile;
  /** The folder of the built pages. */
  readonly rendererDirectory: string;
}

export interface StartedTerminal {
  readonly terminal: Terminal;
  readonly jsonFile: JsonFile;
  readonly log: Shell['log'];
  /** Writes the status file now, where there is one. */
  readonly writeStatus: () => void;
  /** Closes the terminal and lets the data directory go. */
  close(): Promise<void>;
  /** Ends the process once that is closed, or never will be: by `inOrder`, unless that would not come to its end. */
  endProcess(inOrder: () => void): void;
}

/** A process that is just ending may still hold the directory; who starts again at once waits for it this long. */
const lockPatienceMs = 2000;
/** And for one that was asked to leave. */
const askedPatienceMs = 20_000;
const lockRetryMs = 100;

async function takeDirectory(
  dataDirectory: string,
  askHolderToLeave: StartOptions['askHolderToLeave'],
): Promise<{ release(): void }> {
  const mayLeave = (): boolean => {
    try {
      return askHolderToLeave?.() === true;
    } catch {
      // Whoever cannot be asked stays.
      return false;
    }
  };
  let patienceMs = lockPatienceMs;
  for (let waitedMs = 0; ; waitedMs += lockRetryMs) {
    try {
      return lockInstance(dataDirectory);
    } catch (error) {
      if (waitedMs >= patienceMs || !(error instanceof StorageError)) {
        throw error;
      }
      if (waitedMs === 0 && error.failure.kind === 'alreadyRunning' && mayLeave()) {
        patienceMs = askedPatienceMs;
      }
    }
    await sleep(lockRetryMs);
  }
}

/** Takes the directory and opens its log, which has what nobody catches as well until it is let go. Throws StorageError. */
async function openDirectory({ dataDirectory, askHolderToLeave }: StartOptions, clock: Clock) {
  const lock = await takeDirectory(dataDirectory, askHolderToLeave);
  const { write: log, lines } = openLog({ dataDirectory, now: () => clock.now() });
  const endLogging = logUncaught(log, clock);
  const letGo = (): void => {
    endLogging();
    lock.release();
  };
  return { lock, log, lines, letGo };
}

/** The file that is opened, and what of it the disk has refused since. */
function watchJsonFile(open: StartOptions['openJsonFile']) {
  const refused = new Set<string>();
  return {
    refused,
    openJsonFile: (options: JsonFileOptions): JsonFile => {
      const file = open(options);
      return {
        get: (key) => file.get(key),
        set: (key, value) => {
          refused.add(key);
          file.set(key, value);
          refused.delete(key);
        },
      };
    },
  };
}

async function openPractice({ handlers }: Terminal, log: Shell['log']): Promise<void> {
  const state = await handlers['terminal:read']({});
  if (state.ok && state.value.mode === 'practice' && state.value.phase === 'ready') {
    return;
  }
  const started = await handlers['practice:start']({});
  if (!started.ok) {
    log('error', 'the practice store did not open', { kind: started.failure.kind, reason: started.failure.message });
  }
}

type StartPractice = Shell['startPractice'];

/** How the practice store is opened: one of its own, or another Tillside's. Throws StartError `practiceGone`. */
async function choosePractice(options: StartOptions, http: Http): Promise<StartPractice> {
  const { trainingOf, dataDirectory, systemLanguage, rendererDirectory } = options;
  const { practiceTill } = wordsFor(systemLanguage).start;
  const tillName = (number: number): string => practiceTill.replace('{number}', String(number));
  if (trainingOf === null) {
    return async (directory): Promise<PracticePlatform> => {
      const { practiceProducts, startTrainingPlatform } = await import('../training/server.ts');
      return {
        ...(await startTrainingPlatform({
          directory: prepareDataDirectory(directory),
          productCount: practiceProducts,
          panel: openPage(rendererDirectory),
          // So that a manager can practise what is shown where.
          listedFields: 'more',
        })),
        tillName: tillName(1),
      };
    };
  }
  const id = createHash('sha256').update(dataDirectory).digest('base64url');
  const joined = await joinPractice(http, trainingOf, id, tillName);
  if (!joined.ok) {
    throw new StartError('practiceGone');
  }
  return (directory) => {
    prepareDataDirectory(directory);
    return Promise.resolve(joined.value);
  };
}

/** Whether nothing is to be read or used by itself. */
const isLeftAlone = ({ isSafeMode, training, trainingOf }: StartOptions): boolean =>
  isSafeMode || training || trainingOf !== null;

/** Null where no address is named. */
function openPublishedFile(
  { setUp, dataDirectory }: StartOptions,
  source: ShopSource | undefined,
  parts: Pick<PublishedFileParts, 'clock' | 'random' | 'http' | 'log' | 'jsonFile'>,
): PublishedFile | null {
  return source === undefined ? null : setUp.openPublished({ ...parts, dataDirectory, source });
}

/** Keeps what the file that sets this start up says of the machine, and where the shop's own is read. */
function takeChoices(
  { file: named, isFileLasting, choicesOf }: SetUpOptions,
  jsonFile: JsonFile,
  source: ShopSource | undefined,
  file: SetUpFile | null,
): ReturnType<typeof takeDeviceChoices> {
  // The shop's own file alone says another source than was chosen.
  const chosen = file === null || file === named ? { source } : {};
  const taken = takeDeviceChoices(jsonFile, { ...choicesOf(file?.device ?? {}), ...chosen });
  noteNamedSource(jsonFile, isFileLasting ? named?.device.source : undefined, taken.choices.source);
  return taken;
}

/** Null where no place is named. */
function openStatusFile(
  { statusPath, dataDirectory, pageCrashes, pageSandbox }: StartOptions,
  choices: DeviceChoices,
  clock: Clock,
  log: Shell['log'],
): StatusFile | null {
  const path = statusPath ?? choices.statusFile ?? null;
  return path === null
    ? null
    : createStatusFile({
        clock,
        log,
        path,
        dataDirectory,
        pageCrashes: pageCrashes ?? (() => null),
        pageSandbox: pageSandbox ?? (() => null),
      });
}

/**
 * Node's end waits for a call of the keychain, and that for a person whom the system asks for the password. An end by
 * SIGTERM is one in order: whatever starts the app again where it fails lets it rest.
 */
function endProcess(isHeldUp: boolean, inOrder: () => void): void {
  if (isHeldUp) {
    process.removeAllListeners('SIGTERM');
    process.kill(process.pid, 'SIGTERM');
    // Where something else of the process has taken that signal over.
    process.kill(process.pid, 'SIGKILL');
  } else {
    inOrder();
  }
}

/**
 * Starts a terminal. Throws StorageError `alreadyRunning`, `storageFromFuture`, `storageFull` or `storageFailed`, and
 * StartError.
 */
export async function startTerminal(options: StartOptions): Promise<StartedTerminal> {
  searchNamedFoldersAlone();
  const { dataDirectory, version } = options;
  const isStatusOurs = (path: string | null | undefined): boolean =>
    typeof path === 'string' && liesIn(dataDirectory, path);
  if (isStatusOurs(options.statusPath) || isStatusOurs(options.setUp.file?.device.statusFile)) {
    throw new StartError('statusInside');
  }
  const clock = createNodeClock();
  const { lock, log, lines, letGo } = await openDirectory(options, clock);
  try {
    const { openJsonFile, refused } = watchJsonFile(options.openJsonFile);
    const { settingsFile, jsonFile, setAside } = openSettings(dataDirectory, clock.now(), openJsonFile);
    log('info', 'starting', { version, host: options.host, isSafeMode: options.isSafeMode });
    if (setAside !== null) {
      log('warning', 'settings file was damaged and is set aside', { path: setAside });
    }
    const random = createNodeRandom();
    const http = createAxiosHttp({
      userAgent: `Tillside/${version}`,
      ...(options.proxyOf === undefined ? {} : { proxyOf: options.proxyOf }),
    });
    const readFile: SetUpOptions['readFile'] = (text, tag) => {
      const read = options.setUp.readFile(text, tag);
      return read.ok && isStatusOurs(read.value.device.statusFile)
        ? fail([describeStartError(new StartError('statusInside'), tag, dataDirectory)])
        : read;
    };
    const source = chooseSource(jsonFile, options.setUp.file?.device.source, options.setUp.isFileLasting);
    const known = openPublishedFile(options, source, { clock, random, http, log, jsonFile });
    // Also where it is left alone, a file that is named for every start makes way for it.
    const { file, noteUsed } = chooseFile(options.setUp, known, isLeftAlone(options));
    const published = isLeftAlone(options) ? null : known;
    const { choices, changed } = takeChoices(options.setUp, jsonFile, source, file);
    const startsAtSignIn = file?.device.startsAtSignIn ?? null;
    const device = await options.makeDevice?.({ log, choices, startsAtSignIn, letDirectoryGo: () => lock.release() });
    const statusFile = openStatusFile(options, choices, clock, log);
    const localApi = options.openLocalApi({ clock, log });
    const checkpoints = createCheckpointThread({ workerPath: options.checkpointWorkerPath, clock, log });
    const formerDirectories = noteDataPlace(jsonFile, dataDirectory);
    const vault = createKeytarVault({ clock, dataDirectory, formerDirectories });
    const ports: Ports = {
      clock,
      random,
      http,
      vault,
      settingsFile,
      shell: {
        host: options.host,
        version,
        dataDirectory,
        systemLanguage: options.systemLanguage,
        offsetMinutes: createOffsetMinutes(clock),
        log,
        readLog: lines,
        machine: () => readMachine(dataDirectory),
        account: readAccount(),
        isSafeMode: options.isSafeMode,
        startPractice: await choosePractice(options, http),
        checkpoint: (path) => checkpoints.checkpoint(path),
        ...(options.openInBrowser === undefined ? {} : { openInBrowser: options.openInBrowser }),
        ...(options.desktop === undefined ? {} : { desktop: options.desktop }),
        ...(options.scannerDevices === undefined ? {} : { scannerDevices: options.scannerDevices }),
        ...(options.systemPrinters === undefined ? {} : { systemPrinters: options.systemPrinters }),
        commandPrinters: createCommandPrinters(),
        machineFields: fieldsOfChoices(choices),
        localApi,
        ...(statusFile === null ? {} : { statusFile: statusFile.state }),
        ...(published === null ? {} : { shopFile: published }),
        ...(device === undefined ? {} : { device: device.port }),
      },
    };
    const ownTerminal = await openTerminal(ports, {
      forgetPin: options.forgetPin,
      settingsSetAside: setAside,
      ...(file === null ? {} : { provision: file }),
      provisionedMachine: [...changed, ...(device?.changed ?? [])],
      openFile: (text, tag) =>
        mapResult(readFile(text, tag), (opened) => ({
          provision: opened,
          keepMachine: () => {
            const kept = takeDeviceChoices(jsonFile, options.setUp.choicesOf(opened.device)).changed;
            const { startsAtSignIn: wanted } = opened.device;
            const set = wanted === undefined ? undefined : device?.port.setStartsAtSignIn(wanted);
            return [...kept, ...(set?.ok === true ? ['startsAtSignIn'] : [])];
          },
        })),
      ...(options.openHub === undefined ? {} : { openHub: options.openHub }),
    });
    const terminal = { ...ownTerminal, handlers: localApi.begin(ownTerminal) };
    if (options.training) {
      await openPractice(terminal, log);
    }
    // What is gone with this run is to be said again at the next start.
    if (refused.size === 0) {
      noteUsed();
    }
    published?.begin();
    statusFile?.begin(terminal.status);
    return {
      terminal,
      jsonFile,
      log,
      writeStatus: () => statusFile?.writeNow(),
      close: async () => {
        published?.close();
        await statusFile?.close();
        await localApi.close();
        await terminal.close();
        await checkpoints.close();
        log('info', 'ended');
        letGo();
      },
      endProcess: (inOrder) => endProcess(vault.isAsking(), inOrder),
    };
  } catch (error) {
    letGo();
    throw error;
  }
}
