import { onOneLine } from '../../domain/one-line.ts';
import { fail, mapFailure, type Result } from '../../domain/result.ts';
import { createAxiosHttp } from '../../platform/http-axios.ts';
import type { Clock, Vault } from '../../ports.ts';
import { createKeytarVault } from '../../session/keytar-vault.ts';
import { foreseeProvisioning } from '../../terminal/provisioning/foreseen.ts';
import type { ProvisionedChange } from '../../terminal/provisioning/provisioning.ts';
import { describeStartError, wordsFor } from '../messages.ts';
import { liesIn, whyNotOurs } from '../node/data-directory.ts';
import { peekSettings, type JsonFile } from '../node/settings-file.ts';
import { StartError } from '../node/start-error.ts';
import {
  changedChoices,
  fieldsOfChoices,
  readDeviceChoices,
  type DeviceChoices,
  type ShopSource,
} from '../node/device-choices.ts';
import { isAddress } from '../flags.ts';
import { createNodeClock, createNodeRandom } from '../node/node-ports.ts';
import { readProvision, type ProvisionFile } from './file.ts';
import { describeProvisionFailure, describeRefusal } from './messages.ts';
import { previewPublished } from './published.ts';

export interface ProvisionCheckOptions {
  /** Of a file, or the address of the shop's. */
  readonly path: string;
  /** Of the terminal, which may be running, or not be there yet. */
  readonly dataDirectory: string;
  /** BCP 47 tag of the language of what is printed. */
  readonly language: string;
  /** The choices of the file that this host obeys. */
  readonly choicesOf: (device: ProvisionFile['device']) => DeviceChoices;
  /** Whether the system starts the app at sign-in; null where it cannot. */
  readonly startsAtSignIn: boolean | null;
  /** The keychain's unless a test says otherwise. */
  readonly vault?: Vault;
}

/** Fails with the sentences that say why it cannot be used. */
async function readNamed(
  { path, dataDirectory, language }: ProvisionCheckOptions,
  clock: Clock,
  used: Pick<JsonFile, 'get'>,
  source: ShopSource | undefined,
): Promise<Result<ProvisionFile, string>> {
  if (!isAddress(path)) {
    return mapFailure(readProvision(path), (messages) => describeProvisionFailure(path, messages, language));
  }
  if (source === undefined) {
    return fail(describeRefusal(path, 'noKey', [], language));
  }
  const http = createAxiosHttp({ userAgent: 'Tillside' });
  const previewed = await previewPublished({ http, dataDirectory, source, clock, used }, path);
  return mapFailure(previewed, ({ reason, messages }) => describeRefusal(path, reason, messages, language));
}

const maxValueLength = 300;

function printed(value: unknown, none: string): string {
  if (value === null || value === undefined) {
    return none;
  }
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return onOneLine(text.slice(0, maxValueLength));
}

/**
 * Reports the changes that the file would make at this terminal, by its fields and without secrets; nothing is changed.
 * The exit code is 0
 * for nothing, 1 for something, 2 for a file or a data folder that cannot be used.
 */
export async function checkProvision(
  options: ProvisionCheckOptions,
): Promise<{ readonly lines: readonly string[]; readonly exitCode: 0 | 1 | 2 }> {
  const { path, dataDirectory, language, choicesOf, startsAtSignIn, vault } = options;
  const unfit = whyNotOurs(dataDirectory);
  if (unfit !== null) {
    return { lines: [describeStartError(new StartError(unfit), language, dataDirectory)], exitCode: 2 };
  }
  const stored = peekSettings(dataDirectory);
  const kept = { get: (key: string) => stored[key] };
  const before = readDeviceChoices(kept);
  const clock = createNodeClock();
  const read = await readNamed(options, clock, kept, before.source);
  if (!read.ok) {
    return { lines: [read.failure], exitCode: 2 };
  }
  const { device } = read.value;
  if (typeof device.statusFile === 'string' && liesIn(dataDirectory, device.statusFile)) {
    return { lines: [describeStartError(new StartError('statusInside'), language, dataDirectory)], exitCode: 2 };
  }
  const ports = { clock, random: createNodeRandom(), vault: vault ?? createKeytarVault({ clock, dataDirectory }) };
  const choices = choicesOf(device);
  const [was, is] = [fieldsOfChoices(before), fieldsOfChoices(choices)];
  const changes: readonly ProvisionedChange[] = [
    ...(await foreseeProvisioning(ports, stored['document'] ?? null, read.value)),
    ...changedChoices(before, choices).map((field) => ({ field, values: { from: was[field], to: is[field] } })),
    ...(startsAtSignIn === null || (device.startsAtSignIn ?? startsAtSignIn) === startsAtSignIn
      ? []
      : [{ field: 'startsAtSignIn', values: { from: startsAtSignIn, to: device.startsAtSignIn } }]),
  ];
  const words = wordsFor(language).provisioning.check;
  const lines = changes.map(({ field, values }) => {
    const sentence = values === undefined ? words.secret : words.change;
    return `  ${sentence
      .replace('{field}', () => field)
      .replace('{from}', () => printed(values?.from, words.none))
      .replace('{to}', () => printed(values?.to, words.none))}`;
  });
  const heading = (lines.length === 0 ? words.nothing : words.changes).replace('{path}', () => onOneLine(path));
  return { lines: [heading, ...lines], exitCode: lines.length === 0 ? 0 : 1 };
}
