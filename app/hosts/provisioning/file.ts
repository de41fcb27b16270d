import { closeSync, existsSync, fstatSync, readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { isAbsolute } from 'node:path';
import { z } from 'zod';
import { languageSchema } from '../../contract/basics.ts';
import { maxProfiles } from '../../contract/limits/profiles.ts';
import { settingSchemas } from '../../contract/settings.ts';
import { textOfFile } from '../../domain/file-text.ts';
import { parseId, type Id } from '../../domain/int64.ts';
import { parseJson } from '../../domain/json.ts';
import { repeatedNames } from '../../domain/repeated-names.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import { fitText } from '../../domain/visible-text.ts';
import { readHubAddress, type HubAddress } from '../../hub/address.ts';
import { readPlatformAddress } from '../../domain/platform-address.ts';
import { provisionedLockSchema } from './lock.ts';
import { isSameProfile } from '../../contract/same-profile.ts';
import type { Flags } from '../flags.ts';
import { here, isAnybodys, type FolderFacts } from '../node/data-directory.ts';
import { shopSourceSchema, updateSourceSchema } from '../node/device-choices.ts';
import type { SetUpFile } from '../set-up.ts';
import { openOnlyFile } from '../../storage/only-file.ts';

const maxBytes = 100_000;
const tooLarge = `the file: is larger than ${maxBytes} bytes`;

export interface ProvisionFile extends SetUpFile {
  /** When it was signed, and until when it is good, in milliseconds since 1970; absent where it was not. */
  readonly signed?: { readonly at: number; readonly until: number };
}

const text = (maxLength: number) =>
  z.string('must be text').min(1, 'must not be empty').max(maxLength, `must have ${maxLength} characters at most`);

/** As the form of a connection takes it. */
const clientId = z
  .string('must be text')
  .trim()
  .min(1, 'must not be empty')
  .max(500, 'must have 500 characters at most');

/** As a person may give it, without what nobody sees in it. */
const name = text(60)
  .overwrite((given) => fitText(given, 60) ?? '')
  .refine((given) => given !== '', 'must not be empty');

const id = z
  .unknown()
  .transform((value, context): Id => {
    const parsed = parseId(value);
    // The platform numbers from 1 on.
    if (parsed === null || parsed === '0') {
      context.addIssue({ code: 'custom', message: 'must be a whole number from 1 to 9223372036854775807' });
      return z.NEVER;
    }
    return parsed;
  })
  .meta({
    anyOf: [
      { type: 'integer', minimum: 1 },
      { type: 'string', pattern: '^(?=.*[1-9])[0-9]{1,19}$' },
    ],
    description: 'A whole number from 1 to 9223372036854775807, as a number or as text.',
  });

function describeAddressFailure(address: string, kind: string): string {
  if (/^https?:\/\/[^/]*@/i.test(address.trim())) {
    return 'must hold no user and no password';
  }
  return kind === 'addressNotSecure'
    ? 'must begin with https:// (http:// only for this machine itself)'
    : 'must be an address such as https://platform.example.com';
}

const address = text(2000)
  .transform((value, context): string => {
    const read = readPlatformAddress(value);
    if (!read.ok) {
      context.addIssue({ code: 'custom', message: describeAddressFailure(value, read.failure.kind) });
      return z.NEVER;
    }
    return read.value;
  })
  .meta({ description: "The platform's address: https, or http on this machine itself.", pattern: '^https?://' });

const moment = z.iso.datetime('must be a moment such as 2026-11-21T12:00:00.000Z').transform(Date.parse);

const hub = z
  .strictObject(
    {
      address: text(2000)
        .transform((value, context): HubAddress => {
          const read = readHubAddress(value);
          if (!read.ok) {
            context.addIssue({
              code: 'custom',
              message: `must be an address as --set-up-hub prints it (${read.failure})`,
            });
            return z.NEVER;
          }
          return read.value;
        })
        .meta({
          description: 'As --set-up-hub prints it. Goes to the keychain and nowhere else; delete the file afterwards.',
          pattern: '^tillside-hub://',
        }),
      name: name.optional().meta({ description: "What this till is called; the machine's name unless told." }),
    },
    'must be an object',
  )
  .meta({ description: "The shop's hub, through which its tills share the platform's limit." });

const profileFields = {
  platformUrl: address,
  clientId: clientId.meta({ description: "As the platform's administrator knows it." }),
  clientSecret: text(1000)
    // A keychain cuts a secret there, or keeps another one.
    .refine((value) => !/[\p{Cc}\p{Cs}]/u.test(value), 'must hold no control character')
    .meta({ description: 'Goes to the keychain and nowhere else; delete the file afterwards.' }),
  companyId: id,
  stockIds: z
    .array(id, 'must be a list of stock ids')
    .min(1, 'must name one stock at least')
    .max(50, 'must name 50 stocks at most')
    .transform((ids) => [...new Set(ids)]),
  name: name.optional().meta({ description: 'What the profile is called where there are several.' }),
};

// The language has a field of its own.
const { language: _language, ...asChosen } = settingSchemas;
// Until version 1.0.0 batches were asked for in hours of their own; a file that names them is still taken.
const settings = { ...asChosen, expiryAsking: z.object(asChosen.expiryAsking.shape, 'must be an object') };

/** Every field of the file; assets/provisioning.schema.json is made of it. */
export const provisionSchema = z.strictObject(
  {
    $schema: z.string('must be text').optional().meta({ description: 'Where this description lies, for editors.' }),
    ...profileFields,
    otherProfiles: z
      .array(z.strictObject(profileFields, 'must be an object'), 'must be a list')
      .max(maxProfiles - 1, `must name ${maxProfiles - 1} profiles at most`)
      .optional()
      .meta({ description: 'Kept beside the one above, which is opened unless one of these is open.' }),
    settings: z
      .strictObject(settings, 'must be an object')
      .partial()
      .optional()
      .meta({ description: 'What a person can choose in the settings; each of them whole, the others stay.' }),
    language: languageSchema.optional().meta({ description: "Instead of the operating system's." }),
    updates: updateSourceSchema
      .optional()
      .meta({ description: 'Where updates come from, instead of where the package was built to look.' }),
    startsAtSignIn: z
      .boolean('must be true or false')
      .optional()
      .meta({ description: 'Whether Tillside starts when somebody signs in to the machine.' }),
    kiosk: z
      .boolean('must be true or false')
      .optional()
      .meta({
        description:
          'Whether the window fills the screen and is only closed from the settings, or from Support before a sign-in, with the PIN where there is one.',
      }),
    statusFile: text(1000)
      .refine((path) => isAbsolute(path), 'must be a whole path')
      .nullable()
      .optional()
      .meta({
        description:
          'Where to write once a minute how this terminal is: FILE.json, and FILE.prom for Prometheus. null ends it.',
      }),
    managerLock: provisionedLockSchema.optional(),
    hub: hub.optional(),
    source: shopSourceSchema
      .optional()
      .meta({ description: 'Where this file is read again, without its secrets; what it changes is used at a start.' }),
    signed: z
      .strictObject({ at: moment, until: moment }, 'must be an object')
      .optional()
      .meta({ description: 'As `npm run sign-provisioning` writes it, for a file at an address.' }),
  },
  'must be a JSON object',
);

const secret = z.undefined('must not be in a file at an address, which holds no secret').optional();

/** A file at an address: whoever knows that can read it, and so it holds no secret. */
const publishedSchema = provisionSchema.extend({
  clientSecret: secret,
  otherProfiles: z
    .array(z.strictObject({ ...profileFields, clientSecret: secret }, 'must be an object'), 'must be a list')
    .max(maxProfiles - 1, `must name ${maxProfiles - 1} profiles at most`)
    .optional(),
  managerLock: secret,
  hub: secret,
  source: shopSourceSchema,
  signed: z.strictObject({ at: moment, until: moment }, 'must be an object'),
});

function tillName(): string {
  return hostname().slice(0, 60).trim() || 'Till';
}

/** Whether the object that the field would stand in does not have it. */
function isMissing(document: unknown, path: readonly PropertyKey[]): boolean {
  const [first, ...rest] = path;
  if (first === undefined || typeof document !== 'object' || document === null) {
    return false;
  }
  return Object.hasOwn(document, first)
    ? isMissing((document as Readonly<Record<PropertyKey, unknown>>)[first], rest)
    : rest.length === 0;
}

function describeIssue(
  issue: z.core.$ZodIssue,
  document: unknown,
): readonly (readonly [field: string, message: string])[] {
  const field = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => [field === '' ? key : `${field}.${key}`, 'is not a field of this file']);
  }
  const refused = field === 'language' ? 'must be "en", "pt-BR" or "es"' : issue.message;
  if (isMissing(document, issue.path)) {
    return [[field, 'is missing']];
  }
  const isSetting = issue.path[0] === 'settings' && issue.path.length > 1;
  return [[field === '' ? 'the file' : field, isSetting ? 'must be as provisioning.schema.json says' : refused]];
}

/** More of them nobody reads at once. */
const mostProblems = 50;
const maxShownField = 100;

/** Whoever made the file named its fields: a terminal would obey control characters, and a line end begin another line. */
function shownField(field: string): string {
  return field
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ')
    .slice(0, maxShownField)
    .toWellFormed();
}

/** One message for each field that an object of the file, which is JSON, has more than once, and for fifty at most. */
export const repeatedFields = (content: string): readonly string[] =>
  repeatedNames(content).map((path) => `${shownField(path)}: stands more than once in the file`);

/** Reads a document that came as text, from a disk or an address. Fails with one message a field. */
export function parseProvision(
  content: string,
  from: 'disk' | 'address' = 'disk',
): Result<ProvisionFile, readonly string[]> {
  if (Buffer.byteLength(content) > maxBytes) {
    return fail([tooLarge]);
  }
  const document = parseJson(content.replace(/^\uFEFF/, ''));
  // What was not UTF-8, as JSON is (RFC 8259 §8.1), has been read with this character in the place of others.
  if (document === undefined || content.includes('\uFFFD')) {
    return fail(['the file: is not JSON']);
  }
  // Which of them its author meant, nobody knows.
  const repeated = repeatedFields(content);
  if (repeated.length > 0) {
    return fail(repeated);
  }
  const parsed = (from === 'disk' ? provisionSchema : publishedSchema).safeParse(document);
  if (!parsed.success) {
    // Of a field, the first; what else is said of it follows from that.
    const first = new Map<string, string>();
    for (const [field, message] of parsed.error.issues.flatMap((issue) => describeIssue(issue, document))) {
      if (!first.has(field)) {
        first.set(field, message);
      }
    }
    return fail([...first].slice(0, mostProblems).map(([field, message]) => `${shownField(field)}: ${message}`));
  }
  const {
    $schema: _,
    clientSecret,
    language,
    updates,
    startsAtSignIn,
    kiosk,
    statusFile,
    managerLock,
    hub: wantedHub,
    source,
    signed,
    otherProfiles,
    settings: chosen,
    ...profile
  } = parsed.data;
  const profiles = [profile, ...(otherProfiles ?? [])];
  const twice = profiles.findIndex((one, at) => profiles.slice(0, at).some((before) => isSameProfile(before, one)));
  if (twice !== -1) {
    return fail([`otherProfiles.${twice - 1}.stockIds: are another profile's in this file`]);
  }
  const device = {
    ...(updates ? { updates } : {}),
    ...(startsAtSignIn === undefined ? {} : { startsAtSignIn }),
    ...(kiosk === undefined ? {} : { isKiosk: kiosk }),
    ...(statusFile === undefined ? {} : { statusFile }),
    ...(source === undefined ? {} : { source }),
  };
  return succeed({
    profile,
    ...(clientSecret === undefined ? {} : { clientSecret }),
    ...(language ? { language } : {}),
    ...(otherProfiles
      ? {
          otherProfiles: otherProfiles.map(({ clientSecret: ofOther, ...other }) => ({
            profile: other,
            ...(ofOther === undefined ? {} : { clientSecret: ofOther }),
          })),
        }
      : {}),
    ...(chosen ? { settings: chosen } : {}),
    ...(managerLock ? { managerLock } : {}),
    ...(signed ? { signed } : {}),
    ...(wantedHub ? { hub: { address: wantedHub.address, name: wantedHub.name ?? tillName() } } : {}),
    device,
  });
}

/**
 * Reads what the command line, or the environment, names. Answers null when it names nothing, or the environment a file
 * that is gone.
 */
export function readNamedProvision(
  { provisionPath, isProvisionLasting }: Pick<Flags, 'provisionPath' | 'isProvisionLasting'>,
  facts: Pick<FolderFacts, 'userId' | 'isReachable'> = here,
): Result<ProvisionFile | null, readonly string[]> {
  return provisionPath === null || (isProvisionLasting && !existsSync(provisionPath))
    ? succeed(null)
    : readProvision(provisionPath, facts);
}

/** Reads the provisioning file at this path. Fails with one message a field. */
export function readProvision(
  path: string,
  facts: Pick<FolderFacts, 'userId' | 'isReachable'> = here,
): Result<ProvisionFile, readonly string[]> {
  try {
    // What is looked at is what is read, whatever takes its place meanwhile.
    const file = openOnlyFile(path);
    try {
      const found = fstatSync(file);
      if (isAnybodys(path, found, facts)) {
        return fail(['the file: may be from anybody on this machine']);
      }
      return found.size > maxBytes ? fail([tooLarge]) : parseProvision(textOfFile(readFileSync(file)));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    return fail([code === 'ENOENT' ? 'the file: does not exist' : `the file: cannot be read (${code})`]);
  }
}
