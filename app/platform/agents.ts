import { Agent as HttpAgent, type AgentOptions as HttpAgentOptions } from 'node:http';
import { Agent as HttpsAgent, type AgentOptions } from 'node:https';
import { connect, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { getCACertificates, TLSSocket } from 'node:tls';
import type { Route } from './proxy.ts';
import { openTunnel } from './tunnel.ts';

type CreateConnection = HttpsAgent['createConnection'];
type ConnectionOptions = Parameters<CreateConnection>[0];
type OnConnection = (error: Error | null, stream: Duplex) => void;

/** A connection that comes about later than this is of no use to anybody: every exchange has been given up by then. */
const connectDeadlineMs = 20_000;

/** The TCP connection below each TLS connection. */
const transports = new WeakMap<object, Socket>();

function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}

/** Waits for the event; until then an error, or the deadline, destroys the socket and rejects. */
function established<Connecting extends Socket>(
  socket: Connecting,
  event: 'connect' | 'secureConnect',
): Promise<Connecting> {
  return new Promise((resolve, reject) => {
    const onError = (error: Error): void => {
      finish();
      // An error after the first has nobody to hear it.
      socket.on('error', () => undefined);
      socket.destroy();
      reject(error);
    };
    const onClose = (): void => {
      onError(Object.assign(new Error('the connection was closed before it stood'), { code: 'ECONNRESET' }));
    };
    const onEvent = (): void => {
      finish();
      resolve(socket);
    };
    const onTimeout = (): void => {
      onError(Object.assign(new Error('no connection in time'), { code: 'ETIMEDOUT' }));
    };
    function finish(): void {
      socket.setTimeout(0, onTimeout);
      socket.off('error', onError).off('close', onClose).off(event, onEvent);
    }
    socket.setTimeout(connectDeadlineMs, onTimeout);
    socket.on('error', onError).on('close', onClose).on(event, onEvent);
  });
}

function openDirectly({ host, port }: ConnectionOptions, defaultPort: number): Promise<Socket> {
  return established(connect({ host: host ?? 'localhost', port: Number(port ?? defaultPort) }), 'connect');
}

/** Hands over what is opened, as an agent's `createConnection` does. */
function handOver(opening: Promise<Duplex>, callback: OnConnection | undefined): void {
  opening.then(
    (stream) => callback?.(null, stream),
    (error: unknown) => {
      (callback as ((error: Error) => void) | undefined)?.(asError(error));
    },
  );
}

class PlainAgent extends HttpAgent {
  override createConnection(options: ConnectionOptions, callback?: OnConnection): undefined {
    handOver(openDirectly(options, 80), callback);
  }
}

/** The routes of an agent are tried in their order, before anything of a request has left. */
class SecureAgent extends HttpsAgent {
  readonly #routes: readonly Route[];

  constructor(routes: readonly Route[], options: AgentOptions) {
    super(options);
    this.#routes = routes;
  }

  override createConnection(options: ConnectionOptions, callback?: OnConnection): undefined {
    handOver(this.#open(options), callback);
  }

  async #open(options: ConnectionOptions): Promise<Duplex> {
    const transport = await this.#openTransport(options);
    const withTransport = { ...options, socket: transport };
    const stream = super.createConnection(withTransport);
    if (!(stream instanceof TLSSocket)) {
      throw new Error('no TLS');
    }
    transports.set(stream, transport);
    return established(stream, 'secureConnect');
  }

  async #openTransport(options: ConnectionOptions): Promise<Socket> {
    const host = String(options.host);
    const target = `${host.includes(':') ? `[${host}]` : host}:${String(options.port ?? 443)}`;
    let failure: unknown;
    for (const route of this.#routes) {
      try {
        return await (route === null ? openDirectly(options, 443) : openTunnel(route, target, this.options.ca));
      } catch (error) {
        failure = error;
      }
    }
    throw failure instanceof Error ? failure : new Error('no route leads there');
  }
}

/** Node's own certificate authorities and those that the operating system (and so a company's own policy) trusts. */
export function trustedCertificates(): string[] {
  try {
    return [...new Set([...getCACertificates('default'), ...getCACertificates('system')])];
  } catch {
    // A runtime without the operating system's store keeps to its own.
    return getCACertificates('default');
  }
}

/** Connections to http addresses. */
export function createPlainAgent(options: HttpAgentOptions): HttpAgent {
  return new PlainAgent(options);
}

/** Connections to https addresses by these routes, the first that opens. */
export function createSecureAgent(routes: readonly Route[], options: AgentOptions): HttpsAgent {
  return new SecureAgent(routes, options);
}

/**
 * Ends a connection so that nothing of what was written to it leaves this machine any more: a reset makes the system
 * throw away what it still holds (RFC 9293 §3.6), where a plain close would have it sent again and again for minutes.
 * Inside TLS to a proxy it is only closed.
 */
export function resetConnection(socket: Duplex): void {
  const transport = transports.get(socket) ?? socket;
  if (transport instanceof Socket && !(transport instanceof TLSSocket) && !transport.destroyed) {
    transport.resetAndDestroy();
  }
  socket.destroy();
}
