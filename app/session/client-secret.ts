// Owns where the client secrets (API v3 §5), one a platform and client, are between two calls: in memory, and in the keychain where there is one. Never
// writes it anywhere else.
import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Vault } from '../ports.ts';
import { vaultUnder } from './vaults.ts';

const entryName = 'client-secret';

export interface ClientSecretPorts {
  readonly vault: Vault;
  /** Whether the keychain must hold the secret under this name; survives a restart. */
  readonly isInVault: (vaultName: string) => boolean;
  readonly markInVault: (vaultName: string, isInVault: boolean) => void;
  /** The keychain must hold the secret and did not answer it, or answered that it has none. */
  readonly onMissing: (kind: 'vaultLocked' | 'vaultUnavailable') => void;
  /** The keychain has answered it. */
  readonly onLoaded: () => void;
}

export interface ClientSecret {
  isKnown(vaultName: string): boolean;
  /** Keeps the secret in the keychain, or in memory alone where there is none. */
  keep(vaultName: string, secret: string): Promise<void>;
  /** Fails with `vaultLocked` when the keychain must hold it but does not answer it, with `vaultUnavailable` when nothing has it. */
  load(vaultName: string): Promise<Result<string, Failure>>;
  /** Forgets it in memory; the keychain keeps its entry. */
  forget(vaultName: string): void;
  /** Removes one for good. */
  remove(vaultName: string): Promise<void>;
}

/** Begins with nothing in memory. */
export function createClientSecret({ vault, isInVault, markInVault, onMissing, onLoaded }: ClientSecretPorts): ClientSecret {
  const known = new Map<string, string>();
  return {
    isKnown: (vaultName) => known.has(vaultName),
    keep: async (vaultName, secret) => {
      known.set(vaultName, secret);
      const written = await vaultUnder(vault, vaultName).write(entryName, secret);
      markInVault(vaultName, written.ok);
    },
    load: async (vaultName) => {
      if (!known.has(vaultName) && isInVault(vaultName)) {
        const stored = await vaultUnder(vault, vaultName).read(entryName);
        if (!stored.ok || stored.value === null) {
          const kind = stored.ok ? 'vaultLocked' : 'vaultUnavailable';
          onMissing(kind);
          return fail({ kind });
        }
        known.set(vaultName, stored.value);
        onLoaded();
      }
      const secret = known.get(vaultName);
      return secret === undefined ? fail({ kind: 'vaultUnavailable' }) : succeed(secret);
    },
    forget: (vaultName) => {
      known.delete(vaultName);
    },
    remove: async (vaultName) => {
      known.delete(vaultName);
      await vaultUnder(vault, vaultName).remove(entryName);
    },
  };
}
