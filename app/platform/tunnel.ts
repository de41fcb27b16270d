// Owns the connection to an https address through a proxy: CONNECT (RFC 9110 §9.3.6), then TLS with the address itself inside, so that the proxy
// sees the name and port and nothing else. Whatever a proxy says instead of opening the way is a failure of the connection and never an answer of
// the platform's: it could otherwise sign a person out, or call a change delivered. Never sends a request that is not inside TLS.
import { Agent, type AgentOptions } from 'node:https';
import { connect as connectTcp, type Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import type { Way } from './proxy.ts';

/** Within it the proxy has to open the way; the exchange's own deadline covers the whole. */
const tunnelDeadlineMs = 10_000;
/** The most that a proxy may say before the way is open. */
const mostHeadBytes = 16_384;

function openTunnel(proxy: URL, target: string, ca: AgentOptions['ca']): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const credentials = `${decodeURIComponent(proxy.username)}:${decodeURIComponent(proxy.password)}`;
    const authorization = credentials === ':' ? '' : `Proxy-Authorization: Basic ${Buffer.from(credentials).toString('base64')}\r\n`;
    const host = proxy.hostname.replaceAll(/^\[|\]$/g, '');
    const isSecure = proxy.protocol === 'https:';
    const port = proxy.port === '' ? (isSecure ? 443 : 80) : Number(proxy.port);
    const socket = isSecure ? connectTls({ host, port, servername: /[a-z]/i.test(host) && !host.includes(':') ? host : '', ...(ca === undefined ? {} : { ca }), ALPNProtocols: ['http/1.1'] }) : connectTcp({ host, port });
    let head = Buffer.alloc(0);

    const settle = (): void => {
      clearTimeout(deadline);
      socket.off('data', onData).off('error', onError).off('end', onEnd);
    };
    const giveUp = (what: string): void => {
      settle();
      socket.on('error', () => undefined);
      socket.destroy();
      reject(new Error(`the proxy ${proxy.host} ${what}`));
    };
    const onError = (error: Error): void => {
      giveUp(`cannot be reached: ${error.message}`);
    };
    const onEnd = (): void => {
      giveUp('closed the connection');
    };
    const onData = (chunk: Buffer): void => {
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf('\r\n\r\n');
      if (end === -1 ? head.length > mostHeadBytes : end + 4 < head.length) {
        giveUp('said more than an answer');
        return;
      }
      if (end === -1) {
        return;
      }
      const [, status = ''] = /^HTTP\/1\.[01] (\d{3})(?: |\r)/.exec(head.toString('latin1')) ?? [];
      if (!/^2\d\d$/.test(status)) {
        giveUp(`does not open the way: ${status === '' ? 'no answer of HTTP' : status}`);
        return;
      }
      settle();
      socket.pause();
      resolve(socket);
    };
    const deadline = setTimeout(() => {
      giveUp('did not answer in time');
    }, tunnelDeadlineMs);
    socket.on('data', onData).on('error', onError).on('end', onEnd);
    socket.write(`CONNECT ${target} HTTP/1.1\r\nHost: ${target}\r\n${authorization}\r\n`);
  });
}

/** The ways of an agent are tried in their order, before anything of a request has left. */
class TunnelAgent extends Agent {
  readonly #ways: readonly Way[];

  constructor(ways: readonly Way[], options: AgentOptions) {
    super(options);
    this.#ways = ways;
  }

  override createConnection(options: Parameters<Agent['createConnection']>[0], callback?: (error: Error | null, stream: Duplex) => void): Duplex | null | undefined {
    this.#open(options).then(
      (stream) => callback?.(null, stream),
      (error: unknown) => {
        (callback as ((error: unknown) => void) | undefined)?.(error);
      },
    );
    return undefined;
  }

  async #open(options: Parameters<Agent['createConnection']>[0]): Promise<Duplex> {
    const host = String(options.host);
    const target = `${host.includes(':') ? `[${host}]` : host}:${String(options.port ?? 443)}`;
    let failure: unknown;
    for (const way of this.#ways) {
      try {
        const socket = way === null ? undefined : await openTunnel(way, target, this.options.ca);
        const stream = super.createConnection({ ...options, ...(socket === undefined ? {} : { socket }) });
        if (stream) {
          return stream;
        }
      } catch (error) {
        failure = error;
      }
    }
    throw failure instanceof Error ? failure : new Error('no way leads there');
  }
}

/** Connections to https addresses by these ways, the first that opens. */
export function createTunnelAgent(ways: readonly Way[], options: AgentOptions): Agent {
  return new TunnelAgent(ways, options);
}
