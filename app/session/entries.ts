// The keychain's entries of sign-ins: invariants S2, S4 and S7 of session.ts.
import { z } from 'zod';
import type { Failure } from '../domain/failure.ts';
import { parseJson, writeJson } from '../domain/json.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import { isSameUser } from '../domain/same-user.ts';
import type { Vault } from '../ports.ts';
import { clientSecretName } from './client-secret.ts';

export const refreshTokenName = 'refresh-token';
/** The same for a user whose sign-in is kept beside others'. */
// mutant: the sign-ins of two cashiers are kept under one name (S7)
export const ownTokenName = (email: string): string => `${refreshTokenName} ${email.toLowerCase()}`;
/** The content of an entry in the keychain: the token, and whose it is. */
const entrySchema = z.object({ email: z.string(), token: z.string().min(1) });
/** In the place of a token: whoever the mark names has signed out since (S9). */
const over = writeJson({ isOver: true });

export interface EntryPorts {
  readonly vault: Vault;
  /** Whoever signed out has a token in the keychain still, which did not remove this entry. */
  readonly onTokenLeft?: (name: string) => void;
  /** Whether the sign-in of this user outlives that of another (S7). */
  readonly isKept?: (email: string) => boolean;
}

function tokenIn(text: string, email: string | null): string | null {
  const entry = entrySchema.safeParse(parseJson(text));
  return entry.success && isSameUser(entry.data.email, email) ? entry.data.token : null;
}

/** Whether the keychain has no such entry: one that is open answers the client secret, before and after. */
async function isMissing(vault: Vault, name: string): Promise<boolean> {
  const secretBefore = await vault.read(clientSecretName);
  const entry = await vault.read(name);
  const secretAfter = await vault.read(clientSecretName);
  const hasSecret = (read: Result<string | null, Failure>): boolean => read.ok && read.value !== null;
  return hasSecret(secretBefore) && entry.ok && entry.value === null && hasSecret(secretAfter);
}

/** The token of this user in one entry of the keychain, which must be there. */
async function readEntry(vault: Vault, name: string, email: string | null): Promise<Result<string, Failure>> {
  const stored = await vault.read(name);
  if (!stored.ok) {
    return stored;
  }
  // The mark says that there is an entry: an empty answer means that the keychain is locked (S2), or that the mark
  // could not be changed when the entry was removed.
  if (stored.value === null) {
    // mutant: an open keychain without the entry passes for a locked one (S2)
    return fail({ kind: (await isMissing(vault, name)) ? 'signInNeeded' : 'vaultLocked' });
  }
  // S4. A mark that could not be written, on a full disk say, still names the user before.
  const token = tokenIn(stored.value, email);
  return token === null ? fail({ kind: 'signInNeeded' }) : succeed(token);
}

/** Whether the app ended before the token of this user, who is kept, was moved from the shared entry. */
async function isInShared(vault: Vault, email: string): Promise<boolean> {
  const shared = await vault.read(refreshTokenName);
  return shared.ok && shared.value !== null && tokenIn(shared.value, email) !== null;
}

/** Removes this user's tokens. Answers which entries the keychain did not remove. */
export async function removeTokens(
  vault: Vault,
  email: string | null,
  isKept: boolean,
  isSharedTaken = () => false,
): Promise<readonly string[]> {
  const left: string[] = [];
  async function remove(name: string): Promise<void> {
    const removed = await vault.remove(name);
    if (!removed.ok) {
      left.push(name);
    }
  }
  if (email === null || !isKept) {
    await remove(refreshTokenName);
    return left;
  }
  // First, so that it takes no token that comes while the keychain is slow (S5).
  await remove(ownTokenName(email));
  // mutant: a token that was not moved to its own entry outlives the sign-out (S7)
  if ((await isInShared(vault, email)) && !isSharedTaken()) {
    await remove(refreshTokenName);
  }
  return left;
}

/** The keychain's entries: one that all share, and one for each who is kept (S7). */
export function createEntries({ vault, isKept, onTokenLeft }: EntryPorts) {
  const keeps = (email: string | null): email is string => email !== null && isKept?.(email) === true;
  const nameOf = (email: string | null): string => (keeps(email) ? ownTokenName(email) : refreshTokenName);
  async function remove(name: string): Promise<void> {
    const removed = await vault.remove(name);
    if (!removed.ok) {
      onTokenLeft?.(name);
    }
  }
  /** Has the next start find that whoever had this entry has signed out (S9). False where the keychain refuses. */
  async function noteOver(name: string): Promise<boolean> {
    return (await vault.write(name, over)).ok;
  }
  return {
    keeps,
    nameOf,
    read: async (email: string | null): Promise<Result<string, Failure>> => {
      const found = await readEntry(vault, nameOf(email), email);
      if (found.ok || found.failure.kind === 'vaultUnavailable' || !keeps(email)) {
        return found;
      }
      // The app ended before the token of a user who is kept was moved.
      const shared = await readEntry(vault, refreshTokenName, email);
      return shared.ok ? shared : found;
    },
    write: (email: string, token: string) => vault.write(nameOf(email), writeJson({ email, token })),
    noteOver,
    /** Likewise, in the place of a token: where the keychain refuses that, the token is removed. */
    replaceByOver: async (name: string): Promise<void> => {
      if (!(await noteOver(name))) {
        await remove(name);
      }
    },
    /** Whether this user's entry says so, or is of somebody who has come since: the mark is older (S9). */
    isOver: async (email: string): Promise<boolean> => {
      const stored = await vault.read(nameOf(email));
      return stored.ok && stored.value !== null && tokenIn(stored.value, email) === null;
    },
    remove,
  };
}

export type Entries = ReturnType<typeof createEntries>;
