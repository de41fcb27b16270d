import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { OptionTable } from '../contract/training-panel.ts';
import type { PanelFiles } from './control.ts';
import { conditionTable } from './options/network-conditions.ts';
import { boundsOf, readOptions } from '../service/option.ts';
import { variantTable } from './options/variants.ts';
import { startTrainingPlatform, type TrainingOptions } from './server.ts';

/** The flag of an option, e.g. "loss-percent" of lossPercent. */
function flagOf(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

function describe(table: OptionTable): string {
  return Object.entries(table)
    .map(
      ([name, option]) => `  --${flagOf(name)} ${boundsOf(option)}   (${String(option.default)})\n      ${option.says}`,
    )
    .join('\n');
}

const help = `Usage: npm run platform -- [--port N] [--products N] [--seed N] [--directory PATH] [conditions] [variants]

Runs the training platform (API v3 on 127.0.0.1) until it is interrupted.

  --port N          port to listen on, 0 to 65535; by default the system chooses one
  --products N      number of products, 0 to 1000000; 5000 by default
  --seed N          the same seed makes the same products and the same mishaps; 1 by default
  --directory PATH  an existing folder for what is to survive a restart; by default nothing is kept
  --help            this text

Conditions: what real life brings. Each can be changed in the control panel while the platform runs.

${describe(conditionTable)}

Variants: how the platform reads what API v3 leaves open.

${describe(variantTable)}
`;

interface Flags {
  readonly options: TrainingOptions;
  readonly isHelp: boolean;
}

function readNumber(name: string, text: string | undefined, maximum: number, fallback: number): number {
  if (text === undefined) {
    return fallback;
  }
  if (!/^\d{1,10}$/.test(text) || Number(text) > maximum) {
    throw new RangeError(`--${name} must be a whole number from 0 to ${maximum}, not "${text}"`);
  }
  return Number(text);
}

function flagsOf(table: OptionTable): Record<string, { type: 'string' }> {
  return Object.fromEntries(Object.keys(table).map((name) => [flagOf(name), { type: 'string' }]));
}

/** The options of the table that are among the flags. */
function readTable<Table extends OptionTable>(table: Table, values: Readonly<Record<string, unknown>>) {
  const given = Object.keys(table).filter((name) => values[flagOf(name)] !== undefined);
  return readOptions(table, Object.fromEntries(given.map((name) => [name, values[flagOf(name)]])));
}

function readDirectory(path: string | undefined): string | null {
  if (path !== undefined && !existsSync(path)) {
    throw new RangeError(`--directory must be an existing folder, not "${path}"`);
  }
  return path ?? null;
}

function readFlags(flags: readonly string[]): Flags {
  const own = {
    port: { type: 'string' },
    products: { type: 'string' },
    seed: { type: 'string' },
    directory: { type: 'string' },
  } as const;
  const { values } = parseArgs({
    args: [...flags],
    options: { ...flagsOf(conditionTable), ...flagsOf(variantTable), ...own, help: { type: 'boolean', short: 'h' } },
    strict: true,
    allowPositionals: false,
  });
  return {
    isHelp: values.help ?? false,
    options: {
      directory: readDirectory(values.directory),
      port: readNumber('port', values.port, 65_535, 0),
      productCount: readNumber('products', values.products, 1_000_000, 5000),
      seed: readNumber('seed', values.seed, 2 ** 31 - 1, 1),
      conditions: readTable(conditionTable, values),
      ...readTable(variantTable, values),
    },
  };
}

async function run(options: TrainingOptions): Promise<void> {
  const platform = await startTrainingPlatform(options);
  const lines = [
    `The training platform is at ${platform.platformUrl}`,
    `Client ID: ${platform.clientId}`,
    `Client secret: ${platform.clientSecret}`,
    `Company ID: ${platform.companyId}`,
    `Stock IDs: ${platform.stockIds.join(', ')}`,
    `E-mail: ${platform.email}`,
    `Password: ${platform.password}`,
    `Control panel: ${platform.controlUrl}`,
    `Description (OpenAPI 3.1): ${platform.platformUrl}/openapi.json`,
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void platform.close());
  }
}

/** Runs the training platform with the flags of this process until a signal; `openPanel` opens the built panel. */
export async function runTrainingPlatform(openPanel: () => Promise<PanelFiles>): Promise<void> {
  let flags: Flags;
  try {
    flags = readFlags(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${help}`);
    process.exitCode = 2;
    return;
  }
  if (flags.isHelp) {
    process.stdout.write(help);
    return;
  }
  try {
    await run({ ...flags.options, panel: await openPanel() });
  } catch (error) {
    process.stderr.write(
      `The training platform could not start: ${error instanceof Error ? error.message : String(error)}\n`,
    );
    process.exitCode = 1;
  }
}
