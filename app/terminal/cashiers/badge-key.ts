// The key of the badges' verifiers (decision 50): in the keychain, and in memory once it was read. Without it, whoever
// has the settings cannot try codes.
import { createHash, createHmac } from 'node:crypto';
import type { Failure } from '../../domain/failure.ts';
import { fail, succeed, type Result } from '../../domain/result.ts';
import type { Random, Vault } from '../../ports.ts';
import type { KeptCashier, KeptCashiers } from '../../settings/kept-cashiers.ts';
import { ownTokenName } from '../../session/entries.ts';
import { vaultUnder } from '../../session/vaults.ts';

/** The entry's name in the keychain. */
export const badgeKeyName = 'badge-key';

const keyedMark = 'hmac-sha256:';
const isKeyed = ({ badgeHash }: Pick<KeptCashier, 'badgeHash'>): boolean => badgeHash?.startsWith(keyedMark) === true;

/** The hash that is kept instead of a badge's code. */
export function keyedHashOf(code: string, key: string): string {
  return keyedMark + createHmac('sha256', key).update(code).digest('hex');
}

/** The hash that was kept before there was a key. */
export function plainHashOf(code: string): string {
  return createHash('sha256').update(code).digest('hex');
}

export interface BadgeKeyParts {
  readonly vault: Vault;
  readonly random: Random;
  readonly kept: Pick<KeptCashiers, 'all' | 'keep'>;
}

export type BadgeKey = ReturnType<typeof createBadgeKey>;

/** Begins with no key in memory. */
export function createBadgeKey({ vault, random, kept }: BadgeKeyParts) {
  let known: string | null = null;
  let making: Promise<Result<string, Failure>> | null = null;

  async function find(): Promise<Result<string | null, Failure>> {
    if (known !== null || !kept.all().some(isKeyed)) {
      return succeed(known);
    }
    const read = await vault.read(badgeKeyName);
    if (!read.ok) {
      return fail({ kind: read.failure.kind === 'vaultMoved' ? 'badgeVoid' : 'vaultUnavailable' });
    }
    known ??= read.value;
    if (known !== null) {
      return succeed(known);
    }
    // The badges say that there is an entry: an empty answer means that the keychain is locked, or has lost it.
    for (const owner of kept.all().filter(isKeyed)) {
      if (await isLost(owner)) {
        return fail({ kind: 'badgeVoid' });
      }
    }
    return fail({ kind: 'vaultLocked' });
  }

  /** Whether the keychain has lost the key: one that is open answers the sign-in, before and after. */
  async function isLost({ vaultName, email }: KeptCashier): Promise<boolean> {
    const readSignIn = () => vaultUnder(vault, vaultName).read(ownTokenName(email));
    const [before, entry, after] = [await readSignIn(), await vault.read(badgeKeyName), await readSignIn()];
    return [before, after].every((read) => read.ok && read.value !== null) && entry.ok && entry.value === null;
  }

  async function make(owner: KeptCashier): Promise<Result<string, Failure>> {
    const found = await find();
    if (found.ok && found.value !== null) {
      return succeed(found.value);
    }
    if (!found.ok && found.failure.kind !== 'badgeVoid' && !(await isLost(owner))) {
      return found;
    }
    // One that a crash has left before any badge was made with it is as good as another.
    const key = `${random.uuid()} ${random.uuid()}`;
    const written = await vault.write(badgeKeyName, key);
    if (!written.ok) {
      return fail({ kind: 'vaultUnavailable' });
    }
    known = key;
    // No scan can fit what was made with a key that is lost.
    for (const other of kept.all().filter(isKeyed)) {
      kept.keep({ ...other, badgeHash: null });
    }
    return succeed(key);
  }

  return {
    /**
     * The key where a badge was made with one, else null. Fails with `badgeVoid` where the keychain has lost it or the
     * data folder was moved, with `vaultLocked` or `vaultUnavailable`.
     */
    find,
    /**
     * The key, made where there is none; `owner` has a sign-in in the keychain, by which a locked one is told from one
     * that has lost the key. Fails as `find` does.
     */
    findOrMake: (owner: KeptCashier): Promise<Result<string, Failure>> => {
      making ??= make(owner).finally(() => {
        making = null;
      });
      return making;
    },
  };
}
