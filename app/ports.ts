import type { Failure } from './domain/failure.ts';
import type { Id } from './domain/int64.ts';
import type { PrinterPlace } from './domain/labels/printer.ts';
import type { LocalApiChoice, LocalApiStatus } from './domain/local-api.ts';
import type { Account } from './domain/redact.ts';
import type { Result } from './domain/result.ts';
import type { ScannerConnection, ScannerDevice, ScannerDeviceChoice, ScannerReading } from './domain/scanner-device.ts';

/** A timer that has not fired yet. */
export interface Timer {
  cancel(): void;
}

export interface Clock {
  /**
   * The machine's wall clock, in milliseconds since 1970. May jump; for showing to people and for the platform's dates.
   */
  now(): number;
  /**
   * Milliseconds since the machine started, comparable between processes of the same boot; never goes backwards while
   * the machine runs, and starts again near 0 with it. For every waiting time and for the rate limit.
   */
  uptimeMs(): number;
  /** Calls back once, after at least this many milliseconds. Never keeps the process alive. */
  after(delayMs: number, callback: () => void): Timer;
}

export interface Random {
  /** A random UUID, version 4. */
  uuid(): string;
  /** A number from 0 up to but not including 1. */
  fraction(): number;
}

/** A text that terminals of one shop share; its moment is in the hub's time, in milliseconds. */
export interface SharedText {
  readonly text: string;
  readonly atMs: number;
}

/** One that was found, and how old it was then, in milliseconds: never younger than it is. */
export interface FoundText extends SharedText {
  readonly ageMs: number;
}

/** The text that another terminal has published. */
export interface SharedNews extends FoundText {
  /** The id of that terminal. */
  readonly by: string;
}

/** Texts by name that the terminals of one shop share; whatever goes wrong, there is none. */
export interface SharedTexts {
  /** The hub's time, by which no text looks younger than it is; null while the hub does not answer. */
  nowMs(): number | null;
  /**
   * Null where there is none; `newer` where a newer version of the app has written what this one cannot read. What was
   * written before the hub lost something is not there, unless of `everyEpoch`: then its moment says nothing.
   */
  read(name: string, of?: 'everyEpoch'): Promise<FoundText | 'newer' | null>;
  /** Puts it in the place of an older one. */
  write(name: string, text: SharedText): Promise<void>;
  /** Whether this terminal is the one that does what this name stands for; until it no longer asks, for 20 s. */
  lease(name: string): Promise<boolean>;
  /**
   * Shows it to all other terminals that listen to this name, at once. The last ones are kept for those to come; what
   * `replaces` takes the place of all that this terminal has published there. Answers whether it is published.
   */
  publish(name: string, text: SharedText, how?: 'replaces'): Promise<boolean>;
  /** Calls back with what others publish, each once, and first with what is kept; until the answer is called. */
  listen(name: string, listener: (news: SharedNews) => void): () => void;
}

export interface HttpRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The exact body, sent as UTF-8. */
  readonly body?: string;
  /** The whole exchange is abandoned after this many milliseconds. */
  readonly timeoutMs: number;
  /** A longer body is refused as `answerTooLarge`. */
  readonly maxBytes: number;
  readonly signal?: AbortSignal;
  /**
   * Called at most once, when the connection stands and before the first byte of the request leaves. When it answers a
   * failure nothing leaves, and `send` fails with it. Where `send` fails without having called it, nothing has been
   * sent.
   */
  readonly onLeaving?: () => Failure | null;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /**
   * When it came, by the machine's wall clock, in milliseconds since 1970; noted by the exchange, not by the network.
   */
  readonly receivedAt?: number;
  /** Those of the request, which no text of the answer may give back to a screen or a file; noted likewise. */
  readonly secrets?: readonly string[];
}

export interface Http {
  /**
   * Sends one request and reads one whole answer of any status; follows no redirect. Fails with `unreachable`,
   * `timedOut`, `tlsRejected`, `answerTooLarge` or `cancelled`, and whether a request that has left arrived is then
   * unknown; or with `addressNotSecure`, sending nothing. What is abandoned, at its time-out or by its signal, leaves
   * this machine no later: its connection is reset.
   */
  send(request: HttpRequest): Promise<Result<HttpResponse, Failure>>;
}

/**
 * The operating system's keychain. Names are the app's own, such as "refresh-token". Calls take effect in the order in
 * which they were made.
 */
export interface Vault {
  /**
   * The secret, or null when there is no such entry or the keychain is locked. Fails with `vaultUnavailable`, and with
   * `vaultMoved` where the keychain has it for the place where the data folder was before.
   */
  read(name: string): Promise<Result<string | null, Failure>>;
  /** Fails with `vaultUnavailable`. */
  write(name: string, secret: string): Promise<Result<void, Failure>>;
  /** Fails with `vaultUnavailable`. Succeeds when there was no such entry. */
  remove(name: string): Promise<Result<void, Failure>>;
  /** A person waits for what is read next: they are asked for the keychain's password, also where nobody gave it before. */
  readonly askAnew?: () => void;
}

/** Small facts that survive a restart; one JSON document. Never a secret. */
export interface SettingsFile {
  /** The stored document, or null on a first run. */
  read(): unknown;
  /** Replaces the document whole. Fails with `storageFull` or `storageFailed`. */
  write(document: unknown): Result<void, Failure>;
}

/** A running practice platform, and what a terminal needs to use it. */
export interface PracticePlatform {
  readonly platformUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly companyId: Id;
  readonly stockIds: readonly Id[];
  readonly email: string;
  readonly password: string;
  /** The control panel, with the key that opens it; for the machine's own browser alone. */
  readonly controlUrl: string;
  /** This till among those that share the practice store; absent where none can. */
  readonly tillName?: string;
  /** The way that a second till's requests take: its own practised outage. */
  readonly through?: (http: Http) => Http;
  isNetworkDown(): boolean;
  /** Practises an outage: while the network is down, no request reaches the practice platform. */
  setNetworkDown(isDown: boolean): void;
  close(): Promise<void>;
}

/** The surroundings of the page on a desktop: the system's keyboard, and other windows. */
export interface Desktop {
  /**
   * Holds this shortcut (domain/shortcut.ts) in the whole system in place of the one before; null holds none. Answers
   * false when it cannot be had, and then holds none.
   */
  holdShortcut(shortcut: string | null): boolean;
  /** Hides the companion bar and gives the keyboard back to the program before. */
  hideCompanion(): void;
  /** Makes the companion bar so many pixels tall, as far as its screen allows. */
  fitCompanion(height: number): void;
  /** Shows the window, wherever it was, and hides the companion bar, while that is shown. */
  showWindow(): void;
}

/** Scanners without a keyboard, of which the host holds one. */
export interface ScannerDevices {
  /** Those that are present, whatever is chosen. Empty when the system does not say within a few seconds. */
  list(): Promise<readonly ScannerDevice[]>;
  /**
   * Holds this device, in place of the one before, and opens it again whenever it is plugged in again; null holds none.
   */
  use(choice: ScannerDeviceChoice | null): void;
  connection(): ScannerConnection;
  /** Calls back when `connection` has changed, and with each reading. To be called once. */
  listen(listener: { readonly changed: () => void; readonly read: (reading: ScannerReading) => void }): void;
}

/** The loopback address at which programs of this machine ask. */
export interface LocalApi {
  /** Answers as chosen, in place of before; who brings no token of one of these hashes is refused. */
  use(choice: LocalApiChoice, tokenHashes: readonly string[]): void;
  status(): LocalApiStatus;
  /** Calls back when `status` has changed. To be called once. */
  listen(changed: () => void): void;
  /** Draws a token, and the hash that is kept of it. */
  newToken(): { readonly token: string; readonly hash: string };
}

/** The system's printers, which print the window's page without a dialog. */
export interface SystemPrinters {
  /** Their names. */
  list(): Promise<readonly string[]>;
  /**
   * Prints the page on paper of this size, in millimetres; null is the usual printer, or its own paper. Fails with
   * `printerFailed`, on the usual printer with `notPrinted`.
   */
  print(
    name: string | null,
    paper: { readonly width: number; readonly height: number } | null,
  ): Promise<Result<void, Failure>>;
}

/** Label printers that take commands. */
export interface CommandPrinters {
  /**
   * Hands the printer these bytes, and answers when it has taken all of them, as far as a connection can tell. Fails
   * with `printerUnreachable`, nothing sent; with `printerFailed`, or `cancelled` by the signal, some of them sent.
   */
  send(place: PrinterPlace, bytes: Uint8Array, signal: AbortSignal): Promise<Result<void, Failure>>;
}

/** The app's knowledge of a newer version. */
export interface UpdateState {
  /**
   * `off`: nobody has said where from; `announced`: an administrator must install it; `failed`: it could not be
   * installed.
   */
  readonly state: 'off' | 'upToDate' | 'checking' | 'ready' | 'announced' | 'failed';
  /** The newer version, where there is one. */
  readonly version: string | null;
  /** When the update server was last heard, in milliseconds since 1970. */
  readonly checkedAt: number | null;
  /**
   * The outcome of the last check. `date`: the server's offer is not good on this machine's date; `failed`: no answer,
   * or none that could be believed.
   */
  readonly lastCheck: 'good' | 'failed' | 'date';
}

/** The surroundings of the installed app on its machine. */
export interface Device {
  update(): UpdateState;
  /** Looks for an update now; what comes of it, `update` tells. */
  checkForUpdate(): Promise<void>;
  /** Whether the system starts the app at sign-in; null where it cannot. */
  startsAtSignIn(): boolean | null;
  /** Fails with `storageFailed` when the system refuses. */
  setStartsAtSignIn(isOn: boolean): Result<void, Failure>;
  /** Whether the window fills the screen and can be closed by `quit` alone. */
  readonly isKiosk: boolean;
  /** Ends the app. */
  quit(): void;
}

/** The machine's facts for the support technician; without anything that a person typed. */
export interface MachineFacts {
  /** The operating system, its release and the processor's kind, in one line. */
  readonly system: string;
  readonly versions: readonly { readonly name: string; readonly version: string }[];
  readonly memoryBytes: number;
  readonly freeMemoryBytes: number;
  /** On the disk of the data directory; null when the system does not say. */
  readonly freeDiskBytes: number | null;
  /** The files in the data directory, by their path in there. */
  readonly files: readonly { readonly name: string; readonly bytes: number }[];
}

/** The files that tell a shop's monitoring how this terminal is. */
export interface StatusFileState {
  /** Without the endings of the two files. */
  readonly path: string;
  /** When they were last written, in milliseconds since 1970; null when they never were in this run. */
  readonly writtenAt: number | null;
  /** Why they could not be written just now; null when all is well. */
  readonly failure: string | null;
}

/** The shop's provisioning file at an address, which is read again and again. */
export interface ShopFileState {
  readonly url: string;
  readonly shop: string;
  /** When the address last offered a file that can be used, in milliseconds since 1970; null: not yet. */
  readonly readAt: number | null;
  /** When the newest file that can be used was signed; null where there is none. */
  readonly signedAt: number | null;
  /** Whether that one waits for the next start. */
  readonly isWaiting: boolean;
  /**
   * The outcome of the last reading in this run. `failed`: no answer; `notSigned`: not by a key that is known;
   * `invalid`: no provisioning file; `otherShop`: one of another shop; `date`: not good on this machine's date;
   * `ahead`: signed by a clock that was ahead; `older`: older than what is here. Whatever it is but `good`, nothing of
   * what was offered is used.
   */
  readonly lastReading: 'none' | 'good' | 'failed' | 'notSigned' | 'invalid' | 'otherShop' | 'date' | 'ahead' | 'older';
}

export interface ShopFileSource {
  state(): ShopFileState;
  /** Reads it now; what comes of it, `state` tells. */
  readAgain(): Promise<void>;
}

export interface Shell {
  readonly host: 'electron' | 'browser';
  readonly version: string;
  /** An existing folder that belongs to this terminal alone. */
  readonly dataDirectory: string;
  /** The operating system's language as a BCP 47 tag. */
  readonly systemLanguage: string;
  /** The machine's offset from UTC at a moment, in minutes; west is negative. */
  offsetMinutes(at: number): number;
  /** Writes one line for the support technician. Details never hold a secret. */
  log(level: 'info' | 'warning' | 'error', message: string, details?: Readonly<Record<string, unknown>>): void;
  /** The log's lines, oldest first; absent where nothing keeps them. */
  readLog?(): readonly string[];
  /** Absent where there is no machine of its own. */
  machine?(): Promise<MachineFacts>;
  /** The choices about this machine, by the fields of a provisioning file; absent where none can be made. */
  readonly machineFields?: Readonly<Record<string, unknown>>;
  /** Absent where nobody has named a place for them. */
  statusFile?(): StatusFileState;
  /** Absent where nobody has named an address. */
  readonly shopFile?: ShopFileSource;
  /** Whose account of the machine this runs under; absent where there is none. */
  readonly account?: Account;
  /** True when a technician has started the app so that nothing leaves this terminal by itself. */
  readonly isSafeMode?: boolean;
  /** Starts the embedded platform on loopback with its data in this folder. */
  startPractice(directory: string): Promise<PracticePlatform>;
  /**
   * Moves what the write-ahead log of the disposable database at this path holds into its file, in another thread,
   * which lets the files go before this answers. Answers false when it is not done; absent where there is no other
   * thread. Either way the one who asked does it.
   */
  checkpoint?(path: string): Promise<boolean>;
  /** Opens an address of this machine's own in the system's browser; absent where the page can open it by itself. */
  openInBrowser?(url: string): void;
  /** Absent where the page is all there is. */
  readonly desktop?: Desktop;
  /** Absent where no device can be held, and in safe mode. */
  readonly scannerDevices?: ScannerDevices;
  /** Absent where programs can be given no address. */
  readonly localApi?: LocalApi;
  /** Absent where the pages are a browser's. */
  readonly systemPrinters?: SystemPrinters;
  /** Absent where nothing can be reached. */
  readonly commandPrinters?: CommandPrinters;
  /** Absent where nothing is installed. */
  readonly device?: Device;
}

export interface Ports {
  readonly clock: Clock;
  readonly random: Random;
  readonly http: Http;
  readonly vault: Vault;
  readonly settingsFile: SettingsFile;
  readonly shell: Shell;
}
