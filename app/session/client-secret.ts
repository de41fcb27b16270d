// Where the client secrets (API v3 §5), one a platform and client, are between two calls: in memory, and in the
// keychain where there is one. Invariant S9, cited by the tests: a keychain that does not take a secret keeps the older
// one, which the next start finds, and is given the newer one again.
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
  /** False where a restart would not know: nobody would ever remove it. */
  readonly markInVault: (vaultName: string) => boolean;
  /** The keychain must hold the secret and did not answer it, or answered that it has none. */
  readonly onMissing: (kind: 'vaultLocked' | 'vaultMoved' | 'vaultUnavailable') => void;
  /** It has given, or taken, the secret: it works. */
  readonly onAnswered: () => void;
  /** Calls back when `isGood` may have changed. */
  readonly onChange: () => void;
}

export type ClientSecret = ReturnType<typeof createClientSecret>;

/**
 * Whether a refusal speaks of the secret: by RFC 6749 §5.2 it is named; API v3 §5 rule 6 tells it not from a wrong
 * user, and then one that is not proved is in doubt.
 */
function isOfSecret({ kind, code }: Failure, isUnproved: boolean): boolean {
  const isRefusal = kind === 'credentialsRejected' || kind === 'unauthorized';
  return code === 'invalid_client' || (isRefusal && isUnproved && code !== 'invalid_grant');
}

function missingAs(stored: Result<string | null, Failure>): 'vaultLocked' | 'vaultMoved' | 'vaultUnavailable' {
  if (stored.ok) {
    return 'vaultLocked';
  }
  return stored.failure.kind === 'vaultMoved' ? 'vaultMoved' : 'vaultUnavailable';
}

/** This run's knowledge of one name. */
interface Held {
  /** The secret in use. */
  known: string | null;
  /** Another, not proved yet. */
  offered: string | null;
  /** The keychain did not take the one in use. */
  isInMemoryOnly: boolean;
  /** It is kept for want of an older one, and not proved yet either. */
  isUnproved: boolean;
  /** The last call for a token was, or may have been, refused for it. */
  isRefused: boolean;
}

const nothingHeld: Held = { known: null, offered: null, isInMemoryOnly: false, isUnproved: false, isRefused: false };

/** Begins with nothing in memory. */
export function createClientSecret(ports: ClientSecretPorts) {
  const { vault, isInVault, markInVault, onMissing, onAnswered, onChange } = ports;
  const all = new Map<string, Held>();
  const of = (vaultName: string): Held => {
    const held = all.get(vaultName) ?? { ...nothingHeld };
    all.set(vaultName, held);
    return held;
  };

  async function keep(vaultName: string, secret: string): Promise<void> {
    const held = Object.assign(of(vaultName), { known: secret, offered: null, isRefused: false });
    const written = await vaultUnder(vault, vaultName).write(clientSecretName, secret);
    // S9: One that the keychain has taken before is there still.
    // mutant: a client secret that the keychain did not take is lost at the end of the run (S9)
    held.isInMemoryOnly = !written.ok || !(isInVault(vaultName) || markInVault(vaultName));
    if (!held.isInMemoryOnly) {
      onAnswered();
    } else if (written.ok) {
      await vaultUnder(vault, vaultName).remove(clientSecretName);
    }
  }

  async function keepAgain(vaultName: string): Promise<void> {
    const { known, isInMemoryOnly } = of(vaultName);
    if (known !== null && isInMemoryOnly) {
      await keep(vaultName, known);
    }
  }

  /** The one in use, whatever is offered. */
  async function loadKnown(vaultName: string): Promise<Result<string, Failure>> {
    const held = of(vaultName);
    if (held.known === null && isInVault(vaultName)) {
      const stored = await vaultUnder(vault, vaultName).read(clientSecretName);
      if (!stored.ok || stored.value === null) {
        const kind = missingAs(stored);
        onMissing(kind);
        return fail({ kind });
      }
      held.known ??= stored.value;
      onAnswered();
      onChange();
    }
    return held.known === null ? fail({ kind: 'vaultUnavailable' }) : succeed(held.known);
  }

  async function load(vaultName: string): Promise<Result<string, Failure>> {
    const { offered } = of(vaultName);
    if (offered !== null) {
      return succeed(offered);
    }
    const known = await loadKnown(vaultName);
    // One may have been offered meanwhile.
    const { offered: since } = of(vaultName);
    return since === null ? known : succeed(since);
  }

  return {
    /** Whether there is one that the platform has not refused since. */
    isGood: (vaultName: string) => {
      const { offered, known, isRefused } = of(vaultName);
      return (offered ?? known) !== null && !isRefused;
    },
    /** Keeps the secret in the keychain, or in memory alone where there is none. */
    keep,
    /** Gives the keychain the secret in use, if it did not take it before. */
    keepAgain,
    /**
     * Has the secret tried by the next calls for a token, and keeps it when it proves right; at once where there is no
     * other.
     */
    offer: async (vaultName: string, secret: string): Promise<void> => {
      const held = of(vaultName);
      if ((held.known === null && !isInVault(vaultName)) || held.known === secret) {
        held.isUnproved ||= held.known !== secret;
        await keep(vaultName, secret);
        return;
      }
      Object.assign(held, { offered: secret, isRefused: false });
    },
    /**
     * The same calls, from whose answers it is learnt which secret is right. A renewal goes on with the older secret when
     * the offered one is refused.
     */
    proving:
      (vaultName: string, requestToken: RequestToken): RequestToken =>
      async (client, grant, signal) => {
        const answer = await requestToken(client, grant, signal);
        const held = of(vaultName);
        const isOffered = held.offered === client.clientSecret;
        if (answer.ok) {
          Object.assign(held, { isRefused: false, isUnproved: false });
          await (isOffered ? keep(vaultName, client.clientSecret) : keepAgain(vaultName));
          return answer;
        }
        // One that was offered may have been refused beside this call, or another one be offered, since it was sent.
        const isOther = held.known !== client.clientSecret;
        if (!isOfSecret(answer.failure, isOther || held.isUnproved)) {
          return answer;
        }
        held.isRefused = true;
        onChange();
        if (!isOther) {
          return answer;
        }
        held.offered = isOffered ? null : held.offered;
        if (grant.grant_type === 'password') {
          return answer;
        }
        const older = await loadKnown(vaultName);
        if (!older.ok) {
          return older;
        }
        const second = await requestToken({ ...client, clientSecret: older.value }, grant);
        if (second.ok) {
          held.isRefused = false;
        }
        return second;
      },
    /**
     * Fails with `vaultLocked` when the keychain must hold it but does not answer it, with `vaultMoved` when it holds
     * it for another place of the data folder, with `vaultUnavailable` when nothing has it.
     */
    load,
    /** Removes one for good. Fails as the keychain does, which has it still. */
    remove: (vaultName: string): Promise<Result<void, Failure>> => {
      all.delete(vaultName);
      return vaultUnder(vault, vaultName).remove(clientSecretName);
    },
  };
}
