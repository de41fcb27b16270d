import { z } from 'zod';
import { count, instant, nameSchema, shortText } from './basics.ts';
import { rateLimitAccounts } from './limits/rate-limit.ts';

/** Which part of a hub's address cannot be used. */
const hubAddressParts = [
  'tooLong',
  'protocol',
  'shape', // not one address, or with parts that there are none of, such as a query
  'user',
  'password',
  'host',
  'port',
  'database',
  'storeKey',
  'fingerprint',
  'fingerprintMissing', // another machine's server is used with its certificate alone
] as const;

/** Why the hub cannot be used. */
const hubFailures = [
  'unreachable', // refused, or the network is down
  'unknownName', // no machine has this name
  'noAnswer', // no whole answer in time
  'noTls', // the server offers no encryption
  'otherCertificate', // not the certificate that the hub's address names
  'wrongPassword', // of the role, or there is no such role
  'notLetIn', // from this machine, or this role no longer
  'weakSignIn', // the server asks for the password itself, or does not prove that it is the certificate's
  'noDatabase', // the server has no such database
  'notSetUp', // a database without Tillside's tables
  'newerVersion', // set up by a newer Tillside
  'olderVersion', // set up by an older Tillside
  'tooManyConnections',
  'diskFull',
  'keychain', // the keychain does not give the hub's address
  'failed', // any other answer
  'otherKey', // the document was sealed with another key, or by nobody who has one
  'newerDocument',
  'contended',
  'storage',
] as const;
const failure = z.enum(hubFailures).nullable();

/** The result of trying a hub; it works when both are null. */
export const hubReportSchema = z.strictObject({ wrongPart: z.enum(hubAddressParts).nullable(), failure });
export type HubReport = z.infer<typeof hubReportSchema>;

/** `name` is this terminal's at the hub. */
export const joinHubSchema = z.strictObject({ address: z.string().max(2000), name: nameSchema(60) });

/** Where the hub is, and nothing secret. */
export const hubPlaceSchema = z.strictObject({
  // Also one of a provisioning file.
  terminalName: z.string().min(1).max(60),
  host: z.string().min(1).max(253),
  port: z.number().int().min(1).max(65_535),
  database: z.string().min(1).max(63),
});

/** The hub that this terminal has joined; the whole address is in the keychain. */
export const joinedHubSchema = hubPlaceSchema.extend({
  terminalId: z.uuid(),
  /** The ids of the hub's keys before the present one, which this terminal has followed. */
  formerKeys: z.array(z.string().max(60)).max(50).optional().catch(undefined),
});
export type JoinedHub = Readonly<z.infer<typeof joinedHubSchema>>;

/** So many are told at most. */
export const maxTills = 1000;
const hubTillSchema = z.strictObject({
  /** Names it in `hub:remove`. */
  id: shortText,
  name: shortText,
  appVersion: shortText,
  isSelf: z.boolean(),
  /** `silent`: nothing was heard of it for a while; `unheard`: nor yet since this terminal has come, or come back. */
  state: z.enum(['here', 'unheard', 'silent']),
  /** Its requests that counted against the limit when it was last heard. */
  slots: count,
  /** The slots that it may use when it is cut off. */
  share: count,
  /** What of its requests count together, as its record says; for some minutes after a change as before. */
  countsBy: z.enum(rateLimitAccounts),
  /** It counts at another account than this one, and shares no limit with it. */
  hasOwnLimit: z.boolean(),
  /** It asks the platform for the pages of the catalogue now, for all. */
  isReader: z.boolean(),
  /** Its requests that counted at the fullest moment of each ten seconds, oldest first, ten minutes at most. */
  history: z.array(count).max(60),
});
export type HubTill = z.infer<typeof hubTillSchema>;

const hubStateSchema = z.strictObject({
  /** `alone`: cut off for so long that this terminal uses its share. */
  mode: z.enum(['joining', 'shared', 'cutOff', 'alone']),
  failure,
  /** When it last became so. */
  since: instant,
  /** Requests in a window that this terminal may use now, and later if the hub stays silent. */
  limit: count,
  later: z.strictObject({ limit: count, from: instant }).nullable(),
  /** How many of the limit are kept for silent terminals. */
  kept: count,
  /** All that were heard of last, this one first. */
  tills: z.array(hubTillSchema).max(maxTills),
});
export type HubState = z.infer<typeof hubStateSchema>;

export const hubReadingSchema = z.strictObject({
  /** Null while this terminal has joined no hub; `state` is null while no shop is open that takes part. */
  hub: hubPlaceSchema
    .extend({
      /** The practice store's, which the tills of one machine share. */
      isPractice: z.boolean(),
      /** SHA-256 of the server's certificate, 64 hex digits; null where none is named, or the keychain does not say. */
      fingerprint: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .nullable(),
      state: hubStateSchema.nullable(),
    })
    .nullable(),
  readAt: instant,
});
export type HubReading = z.infer<typeof hubReadingSchema>;
