// The configuration of a bridge: one JSON file, read whole before anything starts.
import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { z } from 'zod';
import { textOfFile } from '../domain/file-text.ts';
import { parseId, type Id } from '../domain/int64.ts';
import { isLoopback } from '../domain/loopback.ts';
import { readOnlyFile } from '../storage/only-file.ts';
import { repeatedNames } from '../domain/repeated-names.ts';
import { secret, SecretReader, type WithSecrets } from './secrets.ts';
import { findLedgerFault } from './ledger/shared-ledger.ts';
import { findSourceFaults, sourceSchema } from './sources/settings.ts';

const maxConfigBytes = 1_000_000;

const id = z
  .string()
  .refine((text) => parseId(text) === text, 'must be digits, an int64, as "1" is')
  .transform((text) => text as Id);
const name = z.string().min(1).max(200);

export const configSchema = z.strictObject({
  $schema: z.string().optional(),
  listen: z.strictObject({
    host: z.string().min(1).max(200).default('127.0.0.1'),
    port: z.int().min(0).max(65_535),
    tls: z.strictObject({ certificate: z.string(), key: z.string() }).optional(),
    /** Plain HTTP at other addresses than this machine's own: only where a proxy in front speaks TLS. */
    isBehindProxy: z.boolean().default(false),
  }),
  folder: z.string().min(1).max(1000),
  /** The address of the PostgreSQL that several bridges share; without it the ledger lies in the folder. */
  ledger: secret.optional(),
  timeZone: z.string().refine(isTimeZone, 'is no time zone, as "America/Sao_Paulo" is'),
  requestsPerMinute: z.int().min(1).max(1_000_000).default(60),
  company: z.strictObject({ id, name, hasCoupons: z.boolean().default(true) }),
  stocks: z
    .array(z.strictObject({ id, name, source: z.string().min(1).max(200) }))
    .min(1)
    .max(200),
  applications: z
    .array(z.strictObject({ clientId: name, secret }))
    .min(1)
    .max(200),
  users: z
    .array(z.strictObject({ id, email: z.string().min(3).max(320), password: secret }))
    .min(1)
    .max(5000),
  source: sourceSchema,
});
type Written = z.infer<typeof configSchema>;

/** A configuration with its secrets read and its paths made whole. */
export type Config = WithSecrets<Written>;

function isTimeZone(text: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}

/** Thrown with everything that is wrong, a sentence each. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.faults = faults;
  }
}

function findDoubles<Item>(field: string, items: readonly Item[], nameOf: (item: Item) => string): string[] {
  const values = items.map(nameOf);
  const doubles = new Set(values.filter((value, place) => values.indexOf(value) !== place));
  return [...doubles].map((value) => `${field} has ${JSON.stringify(value)} twice`);
}

function findFaults({ listen, stocks, applications, users, source }: Written): string[] {
  const isOpen = !isLoopback(listen.host) && listen.tls === undefined && !listen.isBehindProxy;
  return [
    ...(isOpen ? ['listen.tls is needed at an address that other machines reach, or listen.isBehindProxy'] : []),
    ...findDoubles('stocks', stocks, (stock) => stock.id),
    ...findDoubles('applications', applications, ({ clientId }) => clientId),
    ...findDoubles('users', users, ({ email }) => email.toLowerCase()),
    ...findDoubles('users', users, (user) => user.id),
    ...findSourceFaults(source, stocks),
  ];
}

/** Reads the configuration. Throws ConfigError with every fault by its field. */
export function readConfig(path: string, environment: Readonly<Record<string, string | undefined>>): Config {
  let document: unknown;
  try {
    const bytes = readOnlyFile(path, ({ size }) => {
      if (size > maxConfigBytes) {
        throw new RangeError(`it is larger than ${maxConfigBytes} bytes`);
      }
    });
    const text = textOfFile(bytes);
    document = JSON.parse(text);
    // Which of them its author meant, nobody knows.
    const repeated = repeatedNames(text);
    if (repeated.length > 0) {
      throw new RangeError(`it has more than once ${repeated.join(', ')}`);
    }
  } catch (error) {
    throw new ConfigError([`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`]);
  }
  const parsed = configSchema.safeParse(document);
  if (!parsed.success) {
    throw new ConfigError(
      parsed.error.issues.map((issue) => `${issue.path.join('.') || 'the file'}: ${issue.message}`),
    );
  }
  const written = parsed.data;
  const directory = dirname(resolve(path));
  const secrets = new SecretReader(directory, environment);
  const read = secrets.readAll(written);
  const at = (relative: string): string => resolve(directory, relative);
  const { source } = read;
  const { tls } = read.listen;
  const config: Config = {
    ...read,
    listen: {
      ...read.listen,
      tls: tls === undefined ? undefined : { certificate: at(tls.certificate), key: at(tls.key) },
    },
    folder: at(read.folder),
    source:
      source.kind === 'sql' && source.database.startsWith('sqlite:')
        ? { ...source, database: `sqlite:${at(source.database.slice('sqlite:'.length))}` }
        : source,
  };
  const ledgerFault = read.ledger === undefined || read.ledger === '' ? null : findLedgerFault(read.ledger);
  const ownLedger = join(config.folder, 'ledger.db');
  const isUnchecked = environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0';
  const faults = [
    ...findFaults(written),
    ...secrets.faults,
    ...(config.ledger !== undefined && existsSync(ownLedger)
      ? [`ledger: ${config.folder} holds a ledger of its own, whose keys and ids the shared one lacks`]
      : []),
    ...(ledgerFault === null ? [] : [`ledger ${ledgerFault}`]),
    ...(isUnchecked ? ['the environment has NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate would be looked at'] : []),
  ];
  if (faults.length > 0) {
    throw new ConfigError(faults);
  }
  return config;
}
