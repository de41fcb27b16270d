// Owns which part of the keychain a store may see: none in practice, and one platform's own entries for a real one. Never keeps a
// secret itself.
import { fail, succeed } from '../domain/result.ts';
import type { Vault } from '../ports.ts';

/** A vault that keeps nothing: practice needs no secret, and must never touch the real store's. */
export const noVault: Vault = {
  read: () => Promise.resolve(succeed(null)),
  write: () => Promise.resolve(fail({ kind: 'vaultUnavailable' as const })),
  remove: () => Promise.resolve(succeed(undefined)),
};

/** The same keychain with entries of one platform's own: a secret never goes to another address than the one it was given for. */
export function vaultOf(vault: Vault, platformUrl: string): Vault {
  return {
    read: (name) => vault.read(`${name} ${platformUrl}`),
    write: (name, secret) => vault.write(`${name} ${platformUrl}`, secret),
    remove: (name) => vault.remove(`${name} ${platformUrl}`),
  };
}
