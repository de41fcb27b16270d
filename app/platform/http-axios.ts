// The way HTTP really goes out: one request by axios, one whole answer of any status, or the name of what prevented it.
// Trusts the certificates of the operating system besides Node's own, goes through the proxy that the environment or
// the system names, except to this machine itself, and speaks plain HTTP to this machine alone.
import axios, { AxiosError, type AxiosResponse } from 'axios';
import { request as requestPlainly, type ClientRequest, type IncomingMessage, type RequestOptions } from 'node:http';
import { request as requestSecurely } from 'node:https';
import type { Duplex } from 'node:stream';
import type { Failure, FailureKind } from '../domain/failure.ts';
import { fail, succeed, type Result } from '../domain/result.ts';
import type { Http, HttpRequest, HttpResponse } from '../ports.ts';
import { resetConnection } from './agents.ts';
import { gatherBytes } from '../domain/gathered-bytes.ts';
import { isLoopback } from '../domain/loopback.ts';
import { createWays, type HttpOptions } from './ways.ts';

/** The most bytes a request's body may have; this app's largest holds 100 coupon settings. */
const maxBodyBytes = 10_000_000;

const tlsCodes =
  /^(?:ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|EPROTO$|HOSTNAME_MISMATCH$|INVALID_CA$|INVALID_PURPOSE$|PATH_LENGTH_)/;
const timeoutCodes = new Set(['ETIMEDOUT', 'ESOCKETTIMEDOUT', 'ERR_SOCKET_CONNECTION_TIMEOUT']);

function describe(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  // Several addresses of one host that all refused come as one error with an empty message.
  const inner =
    error instanceof Error && error.cause instanceof AggregateError ? error.cause.errors.map(String).join('; ') : '';
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
 * The text of a body: UTF-8, as RFC 8259 §8.1 wants it for JSON, whatever the answer says of itself; where the bytes
 * cannot be that, in the character set that the answer names.
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

async function readBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const bytes = gatherBytes();
  for await (const part of body) {
    bytes.add(part);
  }
  return bytes.all();
}

/** The world's HTTP. Fails as the port says, and with `addressNotSecure` for plain HTTP to another machine. */
export function createAxiosHttp(options: HttpOptions): Http {
  const { plainAgent: httpAgent, agentTo } = createWays(options);
  const client = axios.create({
    adapter: 'http',
    maxRedirects: 0,
    validateStatus: () => true,
    // Bytes in, bytes out: no parsing of JSON, no rewriting of bodies. Kept by the library, each part that comes would
    // be an object of its own until the end.
    responseType: 'stream',
    transformRequest: [(data: unknown) => data],
    transformResponse: [(data: unknown) => data],
    maxBodyLength: maxBodyBytes,
    decompress: true,
    // The agent takes the way through a proxy: the library's own would pass a proxy's refusal off as the platform's
    // answer.
    proxy: false,
    httpAgent,
  });

  /** `onConnection` is called with the connection before the first byte of the request leaves. */
  const exchange = async (
    request: HttpRequest,
    signal: AbortSignal,
    onConnection: (socket: Duplex) => void,
  ): Promise<HttpResponse> => {
    const address = new URL(request.url);
    // axios would also answer data: addresses, from themselves.
    if (address.protocol !== 'https:' && address.protocol !== 'http:') {
      throw new Error(`not an address of HTTP: ${address.protocol}`);
    }
    const httpsAgent = address.protocol === 'https:' ? await agentTo(address, signal) : null;
    const response = await client.request<AsyncIterable<Buffer>>({
      method: request.method,
      url: request.url,
      // No Accept but the one that is given.
      headers: { Accept: false, 'User-Agent': options.userAgent, ...request.headers },
      ...(request.body === undefined ? {} : { data: Buffer.from(request.body, 'utf8') }),
      maxContentLength: request.maxBytes,
      signal,
      ...(httpsAgent === null ? {} : { httpsAgent }),
      transport: {
        request: (outgoing: RequestOptions, onResponse: (response: IncomingMessage) => void): ClientRequest =>
          // Node gives a request its connection, says so, and only then writes.
          (httpsAgent === null ? requestPlainly : requestSecurely)(outgoing, onResponse).once('socket', onConnection),
      },
    });
    const headers = flattenHeaders(response);
    return {
      status: response.status,
      headers,
      body: decode(await readBytes(response.data), headers['content-type'] ?? ''),
    };
  };

  return {
    send: async (request): Promise<Result<HttpResponse, Failure>> => {
      if (request.signal?.aborted) {
        return fail({ kind: 'cancelled' });
      }
      const address = URL.parse(request.url);
      if (address?.protocol === 'http:' && !isLoopback(address.hostname)) {
        return fail({ kind: 'addressNotSecure' });
      }
      const abandonment = new AbortController();
      let abandonedAs: Failure | null = null;
      let connection: Duplex | null = null;
      const abandon = (failure: Failure): void => {
        abandonedAs ??= failure;
        if (connection !== null) {
          resetConnection(connection);
        }
        abandonment.abort();
      };
      const onConnection = (socket: Duplex): void => {
        const refusal = request.onLeaving?.() ?? null;
        if (refusal === null) {
          connection = socket;
          return;
        }
        // Nothing can be written to it from here on.
        socket.destroy();
        abandon(refusal);
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
        return succeed(await exchange(request, abandonment.signal, onConnection));
      } catch (error) {
        return fail(abandonedAs ?? { kind: kindOf(error), message: describe(error) });
      } finally {
        clearTimeout(deadline);
        request.signal?.removeEventListener('abort', onCancel);
      }
    },
  };
}
