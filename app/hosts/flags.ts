import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { Language } from '../contract/basics.ts';
import { languages } from '../domain/language.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { wordsFor } from './messages.ts';

/** Makes a database the terminals' hub, empties that, makes it none again, gives it another address, or removes one till. */
export interface HubCommand {
  readonly action: 'setUp' | 'reset' | 'remove' | 'newAddress' | 'removeTill';
  /** The name of the till that is removed. */
  readonly till?: string;
  /** Of the database, with its owner's password; never to be shown. */
  readonly ownerAddress: string;
  readonly isConfirmed: boolean;
}

export interface Flags {
  readonly help: boolean;
  /** Absolute; null for the user's own folder. */
  readonly dataDirectory: string | null;
  /** 0 for any free one. Only the browser host has a port. */
  readonly port: number;
  readonly language: Language | null;
  /** Absolute path of a provisioning file. */
  readonly provisionPath: string | null;
  /** Whether the environment names it, for every start: it may have been deleted after the first. */
  readonly isProvisionLasting: boolean;
  /** Absolute path of a provisioning file, or its address, whose changes are printed instead of opening the terminal. */
  readonly checkPath: string | null;
  /** A code that the Tillside that runs is asked for, instead of opening the terminal. */
  readonly lookup: { readonly code: string; readonly isJson: boolean } | null;
  /** Where the status for the fleet's monitoring is written; absolute, with or without one of its endings. */
  readonly statusPath: string | null;
  /** For a technician: the manager's PIN is given up. */
  readonly forgetPin: boolean;
  readonly training: boolean;
  /** The control panel's address of the practice store to open in place of one of its own. */
  readonly trainingOf: string | null;
  /** For a technician: nothing is sent or copied by itself, and no graphics hardware is used. */
  readonly safeMode: boolean;
  /** Electron only: what runs already shows its companion bar, or hides it. */
  readonly companion: boolean;
  /** Electron only: the window fills the screen, and is closed by a button of its page alone. */
  readonly kiosk: boolean;
  /** For whoever owns a database: what is done to it instead of opening the terminal. */
  readonly hub: HubCommand | null;
  /**
   * Warnings of what is given and does nothing, a sentence each: a misspelt flag among Electron's own, a variable that
   * says neither yes nor no.
   */
  readonly warnings: readonly string[];
}

export const usage = `Usage: tillside [--data-dir DIR] [--port N] [--lang en|pt-BR|es] [--provision FILE] [--status-file FILE] [--forget-pin]
                [--training] [--training-of ADDRESS] [--companion] [--kiosk] [--safe-mode]
       tillside [--json] [--data-dir DIR] --lookup=CODE
       tillside --check-provision FILE [--data-dir DIR]
       tillside --set-up-hub ADDRESS
       tillside --reset-hub ADDRESS [--yes]
       tillside --remove-hub ADDRESS [--yes]
       tillside --new-address ADDRESS [--yes]
       tillside --remove-till NAME --hub ADDRESS [--yes]

  --data-dir DIR     keep this terminal's data here; default: a folder "Tillside" among the user's own
  --port N           browser host only: listen on this port of this machine; default: any free one
  --lang en|pt-BR|es instead of the operating system's language
  --provision FILE   set the terminal up from this file:
                     {"platformUrl", "clientId", "clientSecret", "companyId", "stockIds": [...], "language"?}; provisioning.schema.json
                     describes it whole
  --lookup=CODE      print what the Tillside that runs answers to this code, as JSON with --json, and end with 0 for found, 1 for not
                     found, 2 when it cannot be asked; nothing is asked of the platform
  --check-provision FILE
                     print what this file, or the shop's at an https address, would change at this terminal, and end with 0 for nothing, 1
                     for something, 2 for a file that cannot be used; nothing is changed, and Tillside may be running
  --status-file FILE write once a minute how this terminal is: FILE.json, and FILE.prom for Prometheus
  --forget-pin       remove the manager's PIN, when nobody knows it any more; this is written to the list of who did what
  --training         open the practice store
  --training-of ADDRESS
                     open the practice store of the Tillside that runs beside this one, as its second till; its control panel shows
                     ADDRESS
  --companion        Electron only: call the companion bar of the Tillside that is running, for a desktop that gives it no shortcut
  --kiosk            Electron only: fill the screen; the window is then closed from the settings, or from Support before a sign-in
  --safe-mode        send and copy nothing by itself, and leave graphics hardware, companion bar and tray alone
  --set-up-hub ADDRESS
                     make a PostgreSQL database the terminals' hub, print the hub's address and end; ADDRESS is the database owner's:
                     postgres://owner@host:port/database#fingerprint, with the password as PGPASSWORD; without the SHA-256
                     fingerprint of the server's certificate, which only this machine's own needs not, it is shown, and nothing is sent
  --reset-hub ADDRESS
                     say what a hub whose data are damaged would forget; with --yes, empty it: its address stays as it is
  --remove-hub ADDRESS
                     say what would be lost without this hub; with --yes, remove it
  --new-address ADDRESS
                     say which tills of this hub would follow to another password and key; with --yes, make them, and print the hub's new
                     address; the one until now, as TILLSIDE_HUB_ADDRESS, is of no use then
  --remove-till NAME say which till of this name would be shut out of the hub at ADDRESS; with --yes, end its sessions and its sign-in;
                     the other tills go on
  --help             these lines

TILLSIDE_DATA_DIR, TILLSIDE_LANG, TILLSIDE_PROVISION, TILLSIDE_STATUS_FILE and TILLSIDE_KIOSK=1 say the same to every start; a flag comes
before them.
`;

const options = {
  'data-dir': { type: 'string' },
  port: { type: 'string' },
  lang: { type: 'string' },
  provision: { type: 'string' },
  'check-provision': { type: 'string' },
  lookup: { type: 'string' },
  json: { type: 'boolean' },
  'status-file': { type: 'string' },
  'forget-pin': { type: 'boolean' },
  training: { type: 'boolean' },
  'training-of': { type: 'string' },
  'safe-mode': { type: 'boolean' },
  companion: { type: 'boolean' },
  kiosk: { type: 'boolean' },
  'set-up-hub': { type: 'string' },
  'reset-hub': { type: 'string' },
  'remove-hub': { type: 'string' },
  'new-address': { type: 'string' },
  'remove-till': { type: 'string' },
  hub: { type: 'string' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export interface FlagsOptions {
  /** Electron's own switches stand on the same command line; with this, what is not known here is left to it. */
  readonly ignoreUnknown: boolean;
  /** Where to look for what the command line does not say. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** For the words, unless a language is named; English when it is absent. */
  readonly systemLanguage?: string;
}

const hubFlags = [
  ['set-up-hub', 'setUp'],
  ['reset-hub', 'reset'],
  ['remove-hub', 'remove'],
  ['new-address', 'newAddress'],
  ['remove-till', 'removeTill'],
] as const;

const variables = {
  'data-dir': 'TILLSIDE_DATA_DIR',
  lang: 'TILLSIDE_LANG',
  provision: 'TILLSIDE_PROVISION',
  'status-file': 'TILLSIDE_STATUS_FILE',
  kiosk: 'TILLSIDE_KIOSK',
} as const;

type Name = keyof typeof options;
const namesWithValue = (Object.keys(options) as Name[]).filter((name) => options[name].type === 'string');

/** The names of all flags, without the dashes. */
export const flagNames: ReadonlySet<string> = new Set(Object.keys(options));

/** Whether this start only prints something and ends, as a script wants it: nobody may be there to close a dialog. */
export function isCommand(args: readonly string[]): boolean {
  const { values } = parseArgs({ args: [...args], options, strict: false, allowPositionals: true });
  return ['lookup', 'check-provision', ...hubFlags.map(([name]) => name)].some((name) => name in values);
}

/** Whether this names a file on a server, not on a disk. */
export const isAddress = (text: string): boolean => /^https?:\/\//i.test(text);

const panelAddress = /^http:\/\/127\.0\.0\.1:\d{1,5}\/control\/#[\w-]{32}$/;

const yes = ['1', 'true', 'yes'];
const no = ['', '0', 'false', 'no'];

/** How many letters must be changed, added or left out to make one of the other (Levenshtein). */
function lettersBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (const [place, letter] of [...one].entries()) {
    const above = row;
    row = [place + 1];
    for (let at = 1; at <= other.length; at += 1) {
      row.push(
        Math.min(
          (above[at] ?? 0) + 1,
          (row[at - 1] ?? 0) + 1,
          (above[at - 1] ?? 0) + (other[at - 1] === letter ? 0 : 1),
        ),
      );
    }
  }
  return row[other.length] ?? 0;
}

/** The flag of ours that is at most two letters away; null when there is none, or it is one of ours itself. */
export function nearestFlag(name: string): string | null {
  return flagNames.has(name) ? null : (flagNames.values().find((ours) => lettersBetween(name, ours) <= 2) ?? null);
}

/** Which flag the words of Node's parser are about, and what about it. */
function describeParsing(error: unknown, words: ReturnType<typeof wordsFor>['flags']): string {
  const message = error instanceof Error ? error.message : String(error);
  const code = error instanceof Error && 'code' in error ? error.code : '';
  const name = /'([^' ]+)[^']*'/.exec(message)?.[1] ?? '';
  if (name === '') {
    return message;
  }
  const ofValue = message.includes('does not take') ? words.takesNoValue : words.needsValue;
  return (code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' ? ofValue : words.unknown).replace('{name}', () => name);
}

/** Reads the command line, without the program's name. Fails with one sentence. */
export function parseFlags(
  args: readonly string[],
  { ignoreUnknown, environment = {}, systemLanguage = 'en' }: FlagsOptions,
): Result<Flags, string> {
  const lenient = parseArgs({ args: [...args], options, strict: false, allowPositionals: true, tokens: true });
  const named = [lenient.values['lang'], environment[variables.lang]].find((one) =>
    languages.some((language) => language === one),
  );
  const words = wordsFor(typeof named === 'string' ? named : systemLanguage).flags;
  if (!ignoreUnknown) {
    try {
      parseArgs({ args: [...args], options, strict: true });
    } catch (error) {
      return fail(describeParsing(error, words));
    }
  }
  const isPractice = lenient.values['training'] === true || lenient.values['training-of'] !== undefined;
  const kept = Object.entries(variables).flatMap(([name, variable]) => {
    const value = environment[variable] ?? '';
    return value === '' || (name === 'provision' && isPractice)
      ? []
      : [[name, name === 'kiosk' ? yes.includes(value.toLowerCase()) : value] as const];
  });
  const values: Readonly<Record<string, unknown>> = { ...Object.fromEntries(kept), ...lenient.values };
  /** As it was given: the flag, or the variable in its place. */
  const givenAs = (name: Name): string =>
    lenient.values[name] === undefined && name in variables ? variables[name as keyof typeof variables] : `--${name}`;
  const text = (name: Name): string | null => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  for (const name of namesWithValue) {
    // A program that has read nothing asks for an empty code, and is told that it cannot be read.
    const isEmptyCode = name === 'lookup' && values[name] === '';
    if (values[name] !== undefined && text(name) === null && !isEmptyCode) {
      return fail(words.needsValue.replace('{name}', () => `--${name}`));
    }
  }
  const port = text('port') ?? '0';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return fail(words.port.replace('{name}', '--port'));
  }
  const tag = text('lang');
  const language = languages.find((one) => one === tag) ?? null;
  if (language !== tag) {
    return fail(words.language.replace('{name}', () => givenAs('lang')));
  }
  const trainingOf = text('training-of');
  if (trainingOf !== null && !panelAddress.test(trainingOf)) {
    return fail(words.panelAddress.replace('{name}', '--training-of'));
  }
  const provision = text('provision');
  if (isPractice && provision !== null) {
    const practice = trainingOf === null ? '--training' : '--training-of';
    return fail(words.excludes.replace('{one}', practice).replace('{other}', '--provision'));
  }
  const isConfirmed = values['yes'] === true;
  const hubs = hubFlags.flatMap(([name, action]) => {
    const given = text(name);
    const of =
      action === 'removeTill' ? { till: given ?? '', ownerAddress: text('hub') ?? '' } : { ownerAddress: given ?? '' };
    return given === null ? [] : [{ name, hub: { action, ...of, isConfirmed } }];
  });
  const [one, other] = hubs;
  if (one !== undefined && other !== undefined) {
    return fail(words.excludes.replace('{one}', `--${one.name}`).replace('{other}', `--${other.name}`));
  }
  if ((one?.name === 'remove-till') !== (text('hub') !== null)) {
    return fail(words.needsTill);
  }
  if (isConfirmed && (one === undefined || one.hub.action === 'setUp')) {
    return fail(words.needsHub);
  }
  const [code, isJson] = [values['lookup'] === '' ? '' : text('lookup'), values['json'] === true];
  if (isJson && code === null) {
    return fail(words.needsLookup);
  }
  const misspelt = lenient.tokens.flatMap((token) => {
    const like = token.kind === 'option' && token.rawName.startsWith('--') ? nearestFlag(token.name) : null;
    return token.kind !== 'option' || like === null
      ? []
      : [words.misspelt.replace('{name}', () => token.rawName).replace('{like}', () => `--${like}`)];
  });
  const isKioskClear = [...yes, ...no].includes((environment[variables.kiosk] ?? '').toLowerCase());
  const [dataDirectory, statusPath, checkPath] = [text('data-dir'), text('status-file'), text('check-provision')];
  return succeed({
    help: values['help'] === true,
    dataDirectory: dataDirectory === null ? null : resolve(dataDirectory),
    port: Number(port),
    language,
    provisionPath: provision === null ? null : resolve(provision),
    isProvisionLasting: provision !== null && lenient.values['provision'] === undefined,
    checkPath: checkPath === null || isAddress(checkPath) ? checkPath : resolve(checkPath),
    lookup: code === null ? null : { code, isJson },
    statusPath: statusPath === null ? null : resolve(statusPath),
    forgetPin: values['forget-pin'] === true,
    training: isPractice,
    trainingOf,
    safeMode: values['safe-mode'] === true,
    companion: values['companion'] === true,
    kiosk: values['kiosk'] === true,
    hub: one?.hub ?? null,
    warnings: [
      ...misspelt,
      ...(isKioskClear
        ? []
        : [words.notUnderstood.replace('{name}', `${variables.kiosk}=${environment[variables.kiosk] ?? ''}`)]),
    ],
  });
}
