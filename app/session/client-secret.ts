// Where the client secrets (API v3 §5), one a platform and client, are between two calls: in memory, and in the
// keychain where there is one.
import type { Failure } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { RequestToken } from '../platform/tokens.ts';
import type { Vault } from '../ports.ts';
import { vaultUnder } from './vaults.ts';

/** The entry's name in the keychain. */
export const clientSecretName = 'client-secret';

export interface ClientSecretPorts {
  readonly vault: Vault;
  /** Whether the keychain must hold the secret under this name; survives a restart. */
  readonly isInVault: (vaultName: string) => boolean;
  readonly markInVault: (vaultName: string, isInVault: boolean) => void;
  /** The keychain must hold the secret and did not answer it, or answered that it has none. */
  readonly onMissing: (kind: 'vaultLocked' | 'vaultUnavailable') => void;
  /** It has given, or taken, the secret: it works. */
  readonly onAnswered: () => void;
  /** What `isGood` says may have changed. */
  readonly onChange: () => void;
}

export interface ClientSecret {
  /** Whether there is one that the platform has not refused since. */
  isGood(vaultName: string): boolean;
  /** Keeps the secret in the keychain, or in memory alone where there is none. */
  keep(vaultName: string, secret: string): Promise<void>;
  /**
   * Has the secret tried by the next calls for a token, and keeps it when it proves right; at once where there is no
   * other.
   */
  offer(vaultName: string, secret: string): Promise<void>;
  /**
   * The same calls, from whose answers it is learnt which secret is right. A renewal goes on with the older secret when
   * the offered one is refused.
   */
  proving(vaultName: string, requestToken: RequestToken): RequestToken;
  /**
   * Fails with `vaultLocked` when the keychain must hold it but does not answer it, with `vaultUnavailable` when
   * nothing has it.
   */
  load(vaultName: string): Promise<Result<string, Failure>>;
  /** Forgets it in memory; the keychain keeps its entry. */
  forget(vaultName: string): void;
  /** Removes one for good. */
  remove(vaultName: string): Promise<void>;
}

/**
 * Whether a refusal speaks of the secret: by RFC 6749 §5.2 it is named; API v3 §5 rule 6 tells it not from a wrong
 * user, and then one that is not proved is in doubt.
 */
function isOfSecret({ kind, code }: Failure, isUnproved: boolean): boolean {
  const isRefusal = kind === 'credentialsRejected' || kind === 'unauthorized';
  return code === 'invalid_client' || (isRefusal && isUnproved && code !== 'invalid_grant');
}

/** Begins with nothing in memory. */
export function createClientSecret({
  vault,
  isInVault,
  markInVault,
  onMissing,
  onAnswered,
  onChange,
}: ClientSecretPorts): ClientSecret {
  const known = new Map<string, string>();
  /** Not proved yet. */
  const offered = new Map<string, string>();
  /** Names of those that are kept for want of an older one, and not proved yet either. */
  const unproved = new Set<string>();
  /** Names of those by which the last call for a token was, or may have been, refused. */
  const refused = new Set<string>();

  async function keep(vaultName: string, secret: string): Promise<void> {
    known.set(vaultName, secret);
    offered.delete(vaultName);
    refused.delete(vaultName);
    const written = await vaultUnder(vault, vaultName).write(clientSecretName, secret);
    markInVault(vaultName, written.ok);
    if (written.ok) {
      onAnswered();
    }
  }

  function forget(vaultName: string): void {
    known.delete(vaultName);
    offered.delete(vaultName);
    unproved.delete(vaultName);
    refused.delete(vaultName);
  }

  async function load(vaultName: string): Promise<Result<string, Failure>> {
    const trial = offered.get(vaultName);
    if (trial !== undefined) {
      return succeed(trial);
    }
    if (!known.has(vaultName) && isInVault(vaultName)) {
      const stored = await vaultUnder(vault, vaultName).read(clientSecretName);
      if (!stored.ok || stored.value === null) {
        const kind = stored.ok ? 'vaultLocked' : 'vaultUnavailable';
        onMissing(kind);
        return fail({ kind });
      }
      known.set(vaultName, stored.value);
      onAnswered();
      onChange();
    }
    const secret = known.get(vaultName);
    return secret === undefined ? fail({ kind: 'vaultUnavailable' }) : succeed(secret);
  }

  return {
    isGood: (vaultName) => (offered.has(vaultName) || known.has(vaultName)) && !refused.has(vaultName),
    keep,
    offer: async (vaultName, secret) => {
      if ((!known.has(vaultName) && !isInVault(vaultName)) || known.get(vaultName) === secret) {
        const isNew = known.get(vaultName) !== secret;
        await keep(vaultName, secret);
        if (isNew) {
          unproved.add(vaultName);
        }
        return;
      }
      offered.set(vaultName, secret);
      refused.delete(vaultName);
    },
    proving: (vaultName, requestToken) => async (client, grant) => {
      const answer = await requestToken(client, grant);
      const isOffered = offered.get(vaultName) === client.clientSecret;
      if (answer.ok) {
        refused.delete(vaultName);
        unproved.delete(vaultName);
        if (isOffered) {
          await keep(vaultName, client.clientSecret);
        }
        return answer;
      }
      if (!isOfSecret(answer.failure, isOffered || unproved.has(vaultName))) {
        return answer;
      }
      refused.add(vaultName);
      onChange();
      if (!isOffered) {
        return answer;
      }
      offered.delete(vaultName);
      if (grant.grant_type === 'password') {
        return answer;
      }
      const older = await load(vaultName);
      if (!older.ok) {
        return older;
      }
      const second = await requestToken({ ...client, clientSecret: older.value }, grant);
      if (second.ok) {
        refused.delete(vaultName);
      }
      return second;
    },
    load,
    forget,
    remove: async (vaultName) => {
      forget(vaultName);
      await vaultUnder(vault, vaultName).remove(clientSecretName);
    },
  };
}
