import { z } from 'zod';
import { isObject } from '../../domain/loose-json.ts';
import { readPlatformAddress } from '../../domain/platform-address.ts';
import { writeValue, type JsonFile } from './settings-file.ts';

const keyExpected = 'must be an Ed25519 public key (32 bytes, base64), or a list of one to ten';
/** As `npm run sign-feed` prints it. */
const publicKey = z.string(keyExpected).regex(/^[A-Za-z0-9+/]{43}=$/, keyExpected);
const publicKeys = z.union([publicKey.transform((one) => [one]), z.array(publicKey).min(1).max(10)], keyExpected);
const aKeyOrSome =
  'an Ed25519 public key, 32 bytes, base64, or a list of such keys while one takes the place of another';

const address = z
  .string('must be text')
  .max(2000, 'must have 2000 characters at most')
  .refine((value) => readPlatformAddress(value).ok, 'must begin with https:// (http:// only for this machine itself)')
  // What lies beside it is asked for by its name.
  .refine((value) => !value.includes('#'), 'must have no "#"');

export const updateSourceSchema = z.strictObject(
  {
    url: address
      .refine((value) => !value.includes('?'), 'must have no "?"')
      .meta({
        description: 'The folder that holds latest.yml, latest-linux.yml or latest-mac.yml with their signatures.',
        format: 'uri',
        pattern: '^https?://',
      }),
    publicKey: publicKeys.meta({ description: `Who may sign the updates: ${aKeyOrSome}. No key, no updates.` }),
  },
  'must be an object',
);
export type UpdateSource = z.infer<typeof updateSourceSchema>;

export const shopSourceSchema = z.strictObject(
  {
    url: address.meta({
      description: 'The address of the file; its signature lies beside it.',
      format: 'uri',
      pattern: '^https?://',
    }),
    publicKey: publicKeys.meta({ description: `Who may sign the file: ${aKeyOrSome}.` }),
    shop: z
      .string('must be text')
      .min(1, 'must not be empty')
      .max(60, 'must have 60 characters at most')
      .meta({ description: 'Whose file it is, in words of your own: a file that names another shop is not used.' }),
  },
  'must be an object',
);
export type ShopSource = z.infer<typeof shopSourceSchema>;

export interface DeviceChoices {
  /** Instead of what the package was built with. */
  readonly updates?: UpdateSource | undefined;
  readonly isKiosk?: boolean | undefined;
  /** Where the status for the fleet's monitoring is written; null for nowhere. */
  readonly statusFile?: string | null | undefined;
  /** Where the shop's provisioning file is read again. */
  readonly source?: ShopSource | undefined;
}

/** The choices of a provisioning file about the machine. */
export interface MachineChoices extends DeviceChoices {
  readonly startsAtSignIn?: boolean;
}

const key = 'device';
const storedSchema = z
  .object({
    updates: updateSourceSchema.strip().optional().catch(undefined),
    isKiosk: z.boolean().optional().catch(undefined),
    statusFile: z.string().max(1000).nullable().optional().catch(undefined),
    source: shopSourceSchema.strip().optional().catch(undefined),
  })
  .catch({});

/** The stored choices; whatever cannot be read was not chosen. */
export function readDeviceChoices(jsonFile: Pick<JsonFile, 'get'>): DeviceChoices {
  return storedSchema.parse(jsonFile.get(key) ?? {});
}

/** These choices by their names in the provisioning file. */
export function fieldsOfChoices({
  updates,
  isKiosk,
  statusFile,
  source,
}: DeviceChoices): Readonly<Record<string, unknown>> {
  return { kiosk: isKiosk, updates, statusFile, source };
}

/** Which of these differ from what was chosen before, by their names in the provisioning file. */
export function changedChoices(before: DeviceChoices, choices: DeviceChoices): readonly string[] {
  const was = fieldsOfChoices(before);
  return Object.entries(fieldsOfChoices(choices)).flatMap(([name, value]) =>
    value !== undefined && JSON.stringify(value) !== JSON.stringify(was[name]) ? [name] : [],
  );
}

/**
 * Keeps what is given beside what was chosen before, and answers all of it; it holds for this run also where it cannot
 * be kept. `changed` has the fields of the provisioning file that say something else than before.
 */
export function takeDeviceChoices(
  jsonFile: JsonFile,
  choices: DeviceChoices,
): { readonly choices: DeviceChoices; readonly changed: readonly string[] } {
  const before = readDeviceChoices(jsonFile);
  const changed = changedChoices(before, choices);
  const all = { ...before, ...choices };
  if (changed.length > 0) {
    // What a newer version has written stays.
    const kept = jsonFile.get(key);
    writeValue(jsonFile, key, { ...(isObject(kept) ? kept : {}), ...all });
  }
  return { choices: all, changed };
}

/** The source of the file that was named for every start, as it said last. */
const namedSourceKey = 'namedSource';

const isSameSource = (one: unknown, other: ShopSource | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * Where the shop's file is read: where a file that is named for this start says. One that is named for every start counts
 * when it says so for the first time; after that the shop's own may have named another address, or other keys.
 */
export function chooseSource(
  jsonFile: Pick<JsonFile, 'get'>,
  named: ShopSource | undefined,
  isLasting: boolean,
): ShopSource | undefined {
  const kept = readDeviceChoices(jsonFile).source;
  if (named === undefined || !isLasting) {
    return named ?? kept;
  }
  const before = jsonFile.get(namedSourceKey);
  // An earlier version did not note what it said.
  const isKnown = isSameSource(before, named) || (before === undefined && kept?.shop === named.shop);
  return kept !== undefined && isKnown ? kept : named;
}

/**
 * Notes what a file that is named for every start has said, once `chosen` is kept: else it is to count at the next start.
 * Where there never was one that is noted as well.
 */
export function noteNamedSource(
  jsonFile: JsonFile,
  named: ShopSource | undefined,
  chosen: ShopSource | undefined,
): void {
  const before = jsonFile.get(namedSourceKey);
  const isToBeNoted = named === undefined ? before === undefined : !isSameSource(before, named);
  if (isToBeNoted && isSameSource(readDeviceChoices(jsonFile).source, chosen)) {
    writeValue(jsonFile, namedSourceKey, named ?? null);
  }
}
