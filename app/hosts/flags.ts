// Owns the command line that both hosts share: which flags there are, what they may hold, and the words about it. Never
// acts on any of them.
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { languageSchema, type Language } from '../contract/basics.ts';
import { fail, succeed, type Result } from '../domain/result.ts';

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
  /** For a technician: the manager's PIN is given up. */
  readonly forgetPin: boolean;
  readonly training: boolean;
  /** For a technician: nothing is sent or copied by itself, and no graphics hardware is used. */
  readonly safeMode: boolean;
  /** Electron only: what runs already shows its companion bar, or hides it. */
  readonly companion: boolean;
  /** Electron only: the window fills the screen, and is closed from the settings alone. */
  readonly kiosk: boolean;
}

export const usage = `Usage: tillside [--data-dir DIR] [--port N] [--lang en|pt-BR|es] [--provision FILE] [--forget-pin] [--training]
                [--companion] [--kiosk] [--safe-mode]

  --data-dir DIR     keep this terminal's data here; default: a folder "Tillside" among the user's own
  --port N           browser host only: listen on this port of 127.0.0.1; default: any free one
  --lang en|pt-BR|es instead of the operating system's language
  --provision FILE   set the terminal up from this file:
                     {"platformUrl", "clientId", "clientSecret", "companyId", "stockIds": [...], "language"?}; provisioning.schema.json
                     describes it whole
  --forget-pin       remove the manager's PIN, when nobody knows it any more; this is written to the list of who did what
  --training         open the practice store
  --companion        Electron only: call the companion bar of the Tillside that is running, for a desktop that gives it no shortcut
  --kiosk            Electron only: fill the screen; the window is then closed from the settings alone
  --safe-mode        send and copy nothing by itself, and leave graphics hardware, companion bar and tray alone
  --help             these lines

TILLSIDE_DATA_DIR, TILLSIDE_LANG, TILLSIDE_PROVISION and TILLSIDE_KIOSK=1 say the same to every start; a flag comes before them.
`;

const options = {
  'data-dir': { type: 'string' },
  port: { type: 'string' },
  lang: { type: 'string' },
  provision: { type: 'string' },
  'forget-pin': { type: 'boolean' },
  training: { type: 'boolean' },
  'safe-mode': { type: 'boolean' },
  companion: { type: 'boolean' },
  kiosk: { type: 'boolean' },
  help: { type: 'boolean' },
} as const;

export interface FlagsOptions {
  /** Electron's own switches stand on the same command line; with this, what is not known here is left to it. */
  readonly ignoreUnknown: boolean;
  /** Where to look for what the command line does not say. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
}

const variables = { 'data-dir': 'TILLSIDE_DATA_DIR', lang: 'TILLSIDE_LANG', provision: 'TILLSIDE_PROVISION', kiosk: 'TILLSIDE_KIOSK' } as const;

/** Reads the command line, without the program's name. Fails with one sentence. */
export function parseFlags(args: readonly string[], { ignoreUnknown, environment = {} }: FlagsOptions): Result<Flags, string> {
  let values: Readonly<Record<string, unknown>>;
  let isProvisionLasting: boolean;
  try {
    const said = parseArgs({ args: [...args], options, strict: !ignoreUnknown, allowPositionals: ignoreUnknown }).values;
    const isPractice = said['training'] === true;
    const kept = Object.entries(variables).flatMap(([name, variable]) => {
      const value = environment[variable] ?? '';
      return value === '' || (name === 'provision' && isPractice) ? [] : [[name, name === 'kiosk' ? value === '1' : value] as const];
    });
    values = { ...Object.fromEntries(kept), ...said };
    isProvisionLasting = values['provision'] !== undefined && said['provision'] === undefined;
  } catch (error) {
    // Node explains at length; its first sentence says which flag it is.
    return fail((error instanceof Error ? error.message : String(error)).split(/\.\s/)[0] ?? '');
  }
  const text = (name: keyof typeof options): string | null => {
    const value = values[name];
    return typeof value === 'string' && value !== '' ? value : null;
  };
  for (const name of ['data-dir', 'port', 'lang', 'provision'] as const) {
    if (values[name] !== undefined && text(name) === null) {
      return fail(`--${name} needs a value`);
    }
  }
  const port = text('port') ?? '0';
  if (!/^\d{1,5}$/.test(port) || Number(port) > 65_535) {
    return fail('--port must be a number from 0 to 65535');
  }
  const language = languageSchema.nullable().safeParse(text('lang'));
  if (!language.success) {
    return fail('--lang must be en, pt-BR or es');
  }
  const training = values['training'] === true;
  const provision = text('provision');
  if (training && provision !== null) {
    return fail('--training and --provision exclude each other');
  }
  const dataDirectory = text('data-dir');
  return succeed({
    help: values['help'] === true,
    dataDirectory: dataDirectory === null ? null : resolve(dataDirectory),
    port: Number(port),
    language: language.data,
    provisionPath: provision === null ? null : resolve(provision),
    isProvisionLasting,
    forgetPin: values['forget-pin'] === true,
    training,
    safeMode: values['safe-mode'] === true,
    companion: values['companion'] === true,
    kiosk: values['kiosk'] === true,
  });
}
