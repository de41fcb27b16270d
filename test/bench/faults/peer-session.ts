import type { HttpRequest } from '../../../app/ports.ts';
import { provision, user } from './fault-world.ts';

/** An answer as fetch and axios give it, redirects followed. */
export interface PeerAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Sends once. Throws as fetch does: TypeError "fetch failed", or a TimeoutError after 20 s. */
export type PeerExchange = (
  request: Pick<HttpRequest, 'method' | 'url' | 'headers'> & { readonly body: string },
) => Promise<PeerAnswer>;

/** The tokens that a keychain would keep over a restart. */
export interface KeptTokens {
  access: string | null;
  refresh: string | null;
}

export interface PeerSession {
  /** The access token; signs in when there is none. Throws when that cannot be done now. */
  token(): Promise<string>;
  /** Makes sure that this token is used no longer. Throws when that cannot be done now. */
  renew(stale: string): Promise<void>;
}

/** How a grant may be refused; a 429 says nothing of it. */
const refusedStatuses: readonly number[] = [400, 401, 403, 422];

/** Makes the sign-in of one run of the process; `uuid` answers a new key. */
export function createPeerSession(kept: KeptTokens, exchange: PeerExchange, uuid: () => string): PeerSession {
  let running: Promise<void> | null = null;
  const { clientId } = provision.profile;
  const client = { client_id: clientId, client_secret: provision.clientSecret, scope: '*' };

  function ask(grant: Readonly<Record<string, string>>): Promise<PeerAnswer> {
    // A key of its own each time: a platform may demand one, or answer it as before (API v3 §8 rules 1 and 3).
    const headers = { 'Content-Type': 'application/json', Accept: 'application/json', 'Idempotency-Key': uuid() };
    return exchange({
      method: 'POST',
      url: `${provision.profile.platformUrl}/oauth/token`,
      headers,
      body: JSON.stringify({ ...grant, ...client }),
    });
  }

  async function signIn(): Promise<void> {
    let answer = kept.refresh === null ? null : await ask({ grant_type: 'refresh_token', refresh_token: kept.refresh });
    if (answer === null || refusedStatuses.includes(answer.status)) {
      answer = await ask({ grant_type: 'password', username: user.email, password: user.password });
    }
    // Throws for a page and for an answer that was cut off.
    const tokens = JSON.parse(answer.body) as { readonly access_token?: string; readonly refresh_token?: string };
    if (answer.status !== 200 || tokens.access_token === undefined) {
      throw new Error('no token');
    }
    kept.access = tokens.access_token;
    kept.refresh = tokens.refresh_token ?? kept.refresh;
  }

  async function renew(stale: string | null): Promise<void> {
    if (kept.access === stale) {
      running ??= signIn().finally(() => {
        running = null;
      });
      await running;
    }
  }

  return {
    token: async () => {
      await renew(null);
      return kept.access ?? '';
    },
    renew,
  };
}
