// Owns where the application's client secret (API v3 §5) is between two calls: in memory, and in the keychain where there is one. Never
// writes it anywhere else.
import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Vault } from '../ports.ts';
import { vaultOf } from './vaults.ts';

const entryName = 'client-secret';

export interface ClientSecretPorts {
  readonly vault: Vault;
  /** Whether the keychain must hold the secret; survives a restart. */
  readonly isInVault: () => boolean;
  readonly markInVault: (isInVault: boolean) => void;
  /** The keychain must hold the secret and did not answer it, or answered that it has none. */
  readonly onMissing: (kind: 'vaultLocked' | 'vaultUnavailable') => void;
  /** The keychain has answered it. */
  readonly onLoaded: () => void;
}

export interface ClientSecret {
  isKnown(): boolean;
  /** Keeps the secret in the keychain, or in memory alone where there is none. */
  keep(platformUrl: string, secret: string): Promise<void>;
  /** Fails with `vaultLocked` when the keychain must hold it but does not answer it, with `vaultUnavailable` when nothing has it. */
  load(platformUrl: string): Promise<Result<string, Failure>>;
  /** Forgets it in memory; the keychain keeps its entry. */
  forget(): void;
}

/** Begins with nothing in memory. */
export function createClientSecret({ vault, isInVault, markInVault, onMissing, onLoaded }: ClientSecretPorts): ClientSecret {
  let known: string | null = null;
  return {
    isKnown: () => known !== null,
    keep: async (platformUrl, secret) => {
      known = secret;
      const written = await vaultOf(vault, platformUrl).write(entryName, secret);
      markInVault(written.ok);
    },
    load: async (platformUrl) => {
      if (known === null && isInVault()) {
        const stored = await vaultOf(vault, platformUrl).read(entryName);
        if (!stored.ok || stored.value === null) {
          const kind = stored.ok ? 'vaultLocked' : 'vaultUnavailable';
          onMissing(kind);
          return fail({ kind });
        }
        known = stored.value;
        onLoaded();
      }
      return known === null ? fail({ kind: 'vaultUnavailable' }) : succeed(known);
    },
    forget: () => {
      known = null;
    },
  };
}
