// Who may ask at the loopback address: by its own name, from a page that is listed or from none, with the token.
import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isOwnName } from '../../domain/loopback-server.ts';
import { isSameSecret } from '../node/secrets.ts';
import { tokenProtocolPrefix } from './events.ts';
import { refuse, type Answer } from './quick-server.ts';

export interface GateParts {
  /** At which this is asked. */
  readonly port: number;
  readonly origins: readonly string[];
  readonly mayChangeCoupons: boolean;
  /** Of the tokens that hold. */
  readonly tokenHashes: readonly string[];
}

export interface Verdict {
  /** Null for who may come in. */
  readonly refusal: Answer | null;
  /** Whether a token was wrong or missing, and nothing else. */
  readonly isGuess: boolean;
  /** For every answer to this page, so that it may read it. */
  readonly headers: Readonly<Record<string, string>>;
}

/** The hash that is kept of a token. */
export function hashOfToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

/** In a header alone: addresses stand in histories and logs. Pages cannot set one for a web socket, but a protocol. */
function tokenOf({ headers }: IncomingMessage): string {
  const bearer = /^Bearer +([\w-]+)$/i.exec(headers.authorization ?? '')?.[1];
  if (bearer !== undefined || headers.upgrade === undefined) {
    return bearer ?? '';
  }
  const offered = (headers['sec-websocket-protocol'] ?? '').split(',').map((protocol) => protocol.trim());
  return offered.find((protocol) => protocol.startsWith(tokenProtocolPrefix))?.slice(tokenProtocolPrefix.length) ?? '';
}

function preflight({ headers }: IncomingMessage, mayChangeCoupons: boolean): Answer {
  return {
    status: 204,
    headers: {
      'Access-Control-Allow-Methods': mayChangeCoupons ? 'GET, PUT' : 'GET',
      'Access-Control-Allow-Headers': 'Authorization, Content-Type',
      'Access-Control-Max-Age': '600',
      // A page of the network asks whether it may ask this machine (Private Network Access).
      ...(headers['access-control-request-private-network'] === 'true'
        ? { 'Access-Control-Allow-Private-Network': 'true' }
        : {}),
    },
  };
}

/** Judges a request before anything of it is looked at. */
export function judge(request: IncomingMessage, { port, origins, mayChangeCoupons, tokenHashes }: GateParts): Verdict {
  const { headers, method } = request;
  const { origin } = headers;
  const out = (refusal: Answer): Verdict => ({ refusal, isGuess: false, headers: {} });
  if (!isOwnName(headers.host, port)) {
    return out(refuse(421, 'wrongHost'));
  }
  // A browser names the page in every request whose answer it lets a page read. What it sends without, as for a picture
  // or a link, no page has a reason to send here.
  const isAllowed = origin === undefined ? headers['sec-fetch-site'] === undefined : origins.includes(origin);
  if (!isAllowed) {
    return out(refuse(403, 'originNotAllowed'));
  }
  const forPage: Record<string, string> =
    origin === undefined
      ? {}
      : { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': 'Retry-After', Vary: 'Origin' };
  if (method === 'OPTIONS' && origin !== undefined && headers['access-control-request-method'] !== undefined) {
    return { refusal: preflight(request, mayChangeCoupons), isGuess: false, headers: forPage };
  }
  const shown = hashOfToken(tokenOf(request));
  const isKnown = tokenHashes.some((hash) => isSameSecret(shown, hash));
  return { refusal: isKnown ? null : refuse(401, 'tokenNeeded'), isGuess: !isKnown, headers: forPage };
}
