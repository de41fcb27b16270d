import { z } from 'zod';
import type { Failure } from '../../domain/failure.ts';
import type { Result } from '../../domain/result.ts';
import { readPlatformAddress } from '../../platform/address.ts';
import { writeValue, type JsonStore } from './settings-file.ts';

const keyExpected = 'must be an Ed25519 public key (32 bytes, base64), or a list of one to ten';
/** As `npm run sign-feed` prints it. */
const publicKey = z.string(keyExpected).regex(/^[A-Za-z0-9+/]{43}=$/, keyExpected);

export const updateSourceSchema = z.strictObject(
  {
    url: z
      .string('must be text')
      .max(2000, 'must have 2000 characters at most')
      .refine(
        (value) => readPlatformAddress(value).ok,
        'must begin with https:// (http:// only for this machine itself)',
      )
      .meta({
        description: 'The folder that holds latest.yml, latest-linux.yml or latest-mac.yml with their signatures.',
        format: 'uri',
        pattern: '^https?://',
      }),
    publicKey: z
      .union([publicKey.transform((one) => [one]), z.array(publicKey).min(1).max(10)], keyExpected)
      .meta({
        description:
          'Who may sign the updates: an Ed25519 public key, 32 bytes, base64, or a list of such keys while one takes the place of another. No key, no updates.',
      }),
  },
  'must be an object',
);
export type UpdateSource = z.infer<typeof updateSourceSchema>;

export interface DeviceChoices {
  /** Instead of what the package was built with. */
  readonly updates?: UpdateSource | undefined;
  readonly isKiosk?: boolean | undefined;
}

const key = 'device';
const storedSchema = z
  .object({ updates: updateSourceSchema.optional().catch(undefined), isKiosk: z.boolean().optional().catch(undefined) })
  .catch({});

/** What was chosen; whatever cannot be read was not. */
export function readDeviceChoices(store: JsonStore): DeviceChoices {
  return storedSchema.parse(store.get(key) ?? {});
}

/** Which of these differ from what was chosen before, by their names in the provisioning file. */
export function changedChoices(before: DeviceChoices, choices: DeviceChoices): readonly string[] {
  const isOther = (name: keyof DeviceChoices): boolean =>
    choices[name] !== undefined && JSON.stringify(choices[name]) !== JSON.stringify(before[name]);
  return [...(isOther('isKiosk') ? ['kiosk'] : []), ...(isOther('updates') ? ['updates'] : [])];
}

/** Keeps what is given beside what was chosen before. Fails with `storageFull` or `storageFailed`. */
export function keepDeviceChoices(store: JsonStore, choices: DeviceChoices): Result<void, Failure> {
  return writeValue(store, key, { ...readDeviceChoices(store), ...choices });
}
