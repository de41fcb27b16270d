// Cashiers who change by their badges. Nobody types a PIN here: hashing one takes time that no virtual clock knows.
import { createHash } from 'node:crypto';
import type { UserAccount } from './referee-tokens.ts';

export interface CashierBadges {
  /** The code of each user's badge, by e-mail; empty where nobody has one. */
  readonly codes: Map<string, string>;
  /** The till's settings about them; absent where nobody has one. */
  readonly settings?: object;
}

export const noBadges = (): CashierBadges => ({ codes: new Map() });

/** Badges that were made at this till before the simulated world began. */
export function makeBadges(users: readonly UserAccount[], vaultName: string): CashierBadges {
  const codes = new Map(users.map(({ email }, place) => [email, `TILL${String(place).repeat(16)}`]));
  const cashiers = [...codes].map(([email, code]) => ({
    vaultName,
    email,
    pinHash: 'a text that no PIN fits',
    badgeHash: createHash('sha256').update(code).digest('hex'),
    wrong: 0,
    wrongAtMs: 0,
    signedInAt: null,
  }));
  return { codes, settings: { version: 2, cashiers } };
}
