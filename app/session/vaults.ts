import { fail, succeed } from '../domain/result.ts';
import type { Vault } from '../ports.ts';

/** A vault that keeps nothing: practice needs no secret, and must never touch the real store's. */
export const noVault: Vault = {
  read: () => Promise.resolve(succeed(null)),
  write: () => Promise.resolve(fail({ kind: 'vaultUnavailable' as const })),
  remove: () => Promise.resolve(succeed(undefined)),
};

/**
 * The same keychain with entries of one platform's and client's own: a secret never goes to another address than the
 * one it was given for.
 */
export function vaultUnder(vault: Vault, vaultName: string): Vault {
  return {
    read: (name) => vault.read(`${name} ${vaultName}`),
    write: (name, secret) => vault.write(`${name} ${vaultName}`, secret),
    remove: (name) => vault.remove(`${name} ${vaultName}`),
  };
}
