// Owns the way HTTP really goes out: one request by axios, one whole answer of any status, or the name of what prevented
// it. Sends exactly the bytes it was given, follows no redirect (so no token ever reaches another host), retries nothing,
// and never throws. Trusts the certificates of the operating system besides Node's own, and uses the proxy that the
// environment names, except for this machine itself. Never knows the platform's API.
import axios, { AxiosError, type AxiosResponse } from 'axios';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { getCACertificates } from 'node:tls';
import type { Failure, FailureKind } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Http, HttpRequest, HttpResponse } from '../ports.ts';

export interface HttpOptions {
  /** Sent as `User-Agent` with every request that names none. */
  readonly userAgent: string;
}

/** An idle connection is let go after this time, before most servers drop it under a request that has just left. */
const idleConnectionMs = 4000;

/** The most bytes a request's body may have; this app's largest holds 100 coupon settings. */
const maxBodyBytes = 10_000_000;

const tlsCodes = /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_)/;
const timeoutCodes = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ERR_SOCKET_CONNECTION_TIMEOUT']);

/** Node's own certificate authorities and those that the operating system (and so a company's own policy) trusts. */
function trustedCertificates(): string[] {
  try {
    return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  } catch {
    // A runtime without the operating system's store keeps to its own.
    return getCACertificates('default');
  }
}

const loopbackHosts = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // Several addresses of one host that all refused come as one error with an empty message.
  const inner = error instanceof Error && error.cause instanceof AggregateError ? error.cause.errors.map(String).join('; ') : '';
  return (message || inner || 'no connection').slice(0, 500);
}

function kindOf(error: unknown): FailureKind {
  if (!(error instanceof AxiosError)) {
    return 'unreachable';
  }
  if (error.message.startsWith('maxContentLength')) {
    return 'answerTooLarge';
  }
  const code = error.code ?? '';
  if (timeoutCodes.has(code)) {
    return 'timedOut';
  }
  return tlsCodes.test(code) ? 'tlsRejected' : 'unreachable';
}

function flattenHeaders(response: AxiosResponse): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of Object.entries(response.headers)) {
    if (value !== undefined && value !== null) {
      headers[name.toLowerCase()] = Array.isArray(value) ? value.join(', ') : String(value);
    }
  }
  return headers;
}

/**
 * The text of a body: UTF-8, as RFC 8259 §8.1 wants it for JSON, whatever the answer says of itself; where the bytes cannot be that, in
 * the character set that the answer names.
 */
function decode(bytes: Buffer, contentType: string): string {
  try {
    // A byte order mark is left out.
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    const [, label = 'utf-8'] = /charset\s*=\s*"?([\w.:-]{1,40})/i.exec(contentType) ?? [];
    try {
      return new TextDecoder(label).decode(bytes);
    } catch {
      return bytes.toString('utf8');
    }
  }
}

/** The world's HTTP. Failures are as the port names them. */
export function createAxiosHttp(options: HttpOptions): Http {
  const httpAgent = new HttpAgent({ keepAlive: true, timeout: idleConnectionMs });
  let httpsAgent: HttpsAgent | undefined;
  const client = axios.create({
    adapter: 'http',
    maxRedirects: 0,
    validateStatus: () => true,
    // Bytes in, bytes out: no parsing of JSON, no rewriting of bodies.
    responseType: 'arraybuffer',
    transformRequest: [(data: unknown) => data],
    transformResponse: [(data: unknown) => data],
    maxBodyLength: maxBodyBytes,
    decompress: true,
    httpAgent,
  });

  const exchange = async (request: HttpRequest, signal: AbortSignal): Promise<HttpResponse> => {
    const address = new URL(request.url);
    // axios would also answer data: addresses, from themselves.
    if (address.protocol !== 'https:' && address.protocol !== 'http:') {
      throw new Error(`not an address of HTTP: ${address.protocol}`);
    }
    if (address.protocol === 'https:') {
      httpsAgent ??= new HttpsAgent({ keepAlive: true, timeout: idleConnectionMs, ca: trustedCertificates() });
    }
    const response = await client.request<Buffer>({
      method: request.method,
      url: request.url,
      headers: { 'User-Agent': options.userAgent, ...request.headers },
      ...(request.body === undefined ? {} : { data: Buffer.from(request.body, 'utf8') }),
      maxContentLength: request.maxBytes,
      signal,
      ...(httpsAgent ? { httpsAgent } : {}),
      ...(loopbackHosts.test(address.hostname) ? { proxy: false } : {}),
    });
    const headers = flattenHeaders(response);
    return { status: response.status, headers, body: decode(response.data, headers['content-type'] ?? '') };
  };

  return {
    send: async (request): Promise<Result<HttpResponse, Failure>> => {
      if (request.signal?.aborted) {
        return fail({ kind: 'cancelled' });
      }
      const abandonment = new AbortController();
      let abandonedAs: Failure | null = null;
      const abandon = (failure: Failure): void => {
        abandonedAs ??= failure;
        abandonment.abort();
      };
      const onCancel = (): void => {
        abandon({ kind: 'cancelled' });
      };
      // The deadline covers name lookup, connection, handshake, answer and body alike.
      const deadline = setTimeout(() => {
        abandon({ kind: 'timedOut', message: `no whole answer within ${request.timeoutMs} ms` });
      }, request.timeoutMs);
      request.signal?.addEventListener('abort', onCancel, { once: true });
      try {
        return succeed(await exchange(request, abandonment.signal));
      } catch (error) {
        return fail(abandonedAs ?? { kind: kindOf(error), message: describe(error) });
      } finally {
        clearTimeout(deadline);
        request.signal?.removeEventListener('abort', onCancel);
      }
    },
  };
}
