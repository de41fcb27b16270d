import { z } from 'zod';
import { ownPinLength } from '../contract/limits/cashiers.ts';
import type { Failure } from '../domain/failure.ts';
import type { Result } from '../domain/result.ts';
import { isSameUser } from '../domain/same-user.ts';
import { maxWrongCounted } from '../lock/stored-lock.ts';
import type { StoredAttempts } from '../lock/waits.ts';

export const noAttempts: StoredAttempts = { wrong: 0, wrongAtMs: 0 };

const keptCashierSchema = z.object({
  /** The name of the sign-in that they belong to; see profiles.ts. */
  vaultName: z.string().min(1).max(2600),
  /** As it was typed at the last sign-in. */
  email: z.string().min(1).max(320),
  /** See lock/pin.ts; null for one who has taken their PIN away and is signed in still. */
  pinHash: z.string().max(500).nullable().catch(''),
  /** Its digits, so that the last one signs in; null until it was right once after there was such a figure. */
  pinLength: z.number().int().min(ownPinLength.atLeast).max(ownPinLength.atMost).nullable().catch(null),
  /**
   * The keyed hash of their badge's code, in hexadecimal (terminal/cashiers/badge-key.ts); until its first use after there was a
   * key, its SHA-256; null for one without a badge.
   */
  badgeHash: z
    .string()
    .regex(/^(hmac-sha256:)?[0-9a-f]{64}$/)
    .nullable()
    .catch(null),
  /** Attempts since the last right PIN, and when the last of them began; see lock/stored-lock.ts. */
  wrong: z.number().int().min(0).max(maxWrongCounted).catch(maxWrongCounted),
  wrongAtMs: z.number().min(0).catch(0),
  /**
   * Since when the PIN suffices, by the steady time of `cashierTime`; null when the password is needed first, and the keychain
   * need hold no token.
   */
  signedInAt: z.number().nullable().catch(null),
});
export type KeptCashier = Readonly<z.infer<typeof keptCashierSchema>>;

/** Whether this is somebody with a PIN. */
export function hasPin(cashier: KeptCashier | null): cashier is KeptCashier {
  return cashier !== null && cashier.pinHash !== null;
}

const isSamePerson =
  (one: Pick<KeptCashier, 'vaultName' | 'email'>) =>
  (other: Pick<KeptCashier, 'vaultName' | 'email'>): boolean =>
    one.vaultName === other.vaultName && isSameUser(one.email, other.email);

/** Reads them from the settings document, each person once; one that makes no sense never costs the others. */
export const keptCashiersSchema = z
  .array(z.unknown())
  .transform((listed) => listed.flatMap((one) => keptCashierSchema.safeParse(one).data ?? []))
  .transform((cashiers) => cashiers.filter((one, place) => cashiers.findIndex(isSamePerson(one)) === place))
  .catch([]);

/** Attempts with badges that nobody has; one that makes no sense waits longest. */
export const badgeAttemptsSchema: z.ZodType<StoredAttempts> = z
  .object({ wrong: keptCashierSchema.shape.wrong, wrongAtMs: keptCashierSchema.shape.wrongAtMs })
  .optional()
  .catch({ wrong: maxWrongCounted, wrongAtMs: 0 })
  .transform((stored) => stored ?? noAttempts);

/**
 * The steady time by which sign-ins are counted, with both clocks, in milliseconds; null before the first one, and in a
 * document of before there was such a time: it begins as the wall clock.
 */
export const cashierTimeSchema = z
  .object({ steadyMs: z.number(), wallMs: z.number(), uptimeMs: z.number().min(0) })
  .nullable()
  .catch(null);

export type KeptCashiers = ReturnType<typeof createKeptCashiers>;

/** The users with a PIN over a settings document. */
export function createKeptCashiers(settings: {
  readonly get: () => { readonly cashiers: readonly KeptCashier[] };
  readonly change: (change: { readonly cashiers: readonly KeptCashier[] }) => Result<void, Failure>;
  readonly changeForGood: (change: { readonly cashiers: readonly KeptCashier[] }) => Result<void, Failure>;
}) {
  const is = (vaultName: string, email: string) => isSamePerson({ vaultName, email });
  const all = (): readonly KeptCashier[] => settings.get().cashiers;
  function withOne(cashier: KeptCashier): { readonly cashiers: readonly KeptCashier[] } {
    const place = all().findIndex(is(cashier.vaultName, cashier.email));
    return { cashiers: place === -1 ? [...all(), cashier] : all().with(place, cashier) };
  }
  return {
    all,
    of: (vaultName: string): readonly KeptCashier[] => all().filter((one) => one.vaultName === vaultName),
    find: (vaultName: string, email: string): KeptCashier | null => all().find(is(vaultName, email)) ?? null,
    /** Adds one, or puts it in the place of what is kept of this user. */
    keep: (cashier: KeptCashier): Result<void, Failure> => settings.change(withOne(cashier)),
    /** The same, unless that will not survive a restart: then nothing is changed. */
    keepForGood: (cashier: KeptCashier): Result<void, Failure> => settings.changeForGood(withOne(cashier)),
    remove: (vaultName: string, email: string): Result<void, Failure> => {
      const isThis = is(vaultName, email);
      return settings.change({ cashiers: all().filter((one) => !isThis(one)) });
    },
  };
}
