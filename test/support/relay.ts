import {
  createServer,
  request as sendRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { Socket } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Secrets } from './canary.ts';
import { listenLocally } from './listen.ts';

/**
 * The network's treatment of a request: carry it; carry it, but lose the answer to every PUT; break the connection;
 * answer with the sign-in page of some wireless network.
 */
type RelayMode = 'plugged' | 'losingAnswers' | 'unplugged' | 'portal';

/** One request that was carried to the platform, and the platform's answer, lost or not. */
export interface Exchange {
  /** When it came, by performance.now(). */
  readonly atMs: number;
  readonly method: string;
  readonly path: string;
  readonly requestHeaders: IncomingHttpHeaders;
  readonly requestBody: string;
  readonly status: number;
  readonly responseHeaders: IncomingHttpHeaders;
  readonly responseBody: string;
}

export interface Relay {
  /** The address that stands for the platform's; stays the same. */
  readonly url: string;
  readonly exchanges: readonly Exchange[];
  setMode(mode: RelayMode): void;
  close(): Promise<void>;
}

const portalDelayMs = 300;
const portalPage = '<!doctype html><title>Welcome</title><h1>Please accept the terms of this network</h1>';

/**
 * Listens on a free port of 127.0.0.1 and carries requests to the platform at this address, but for those that are cut
 * off.
 */
export async function openRelay(
  platformUrl: string,
  isCut: (headers: IncomingHttpHeaders) => boolean = () => false,
): Promise<Relay> {
  let mode: RelayMode = 'plugged';
  const exchanges: Exchange[] = [];
  const sockets = new Set<Socket>();

  const carry = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    const atMs = performance.now();
    const requestBody = await buffer(incoming);
    const { method = 'GET', url: path = '/', headers: requestHeaders } = incoming;
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      sendRequest(
        new URL(path, platformUrl),
        { method, headers: { ...requestHeaders, host: new URL(platformUrl).host } },
        resolve,
      )
        .on('error', reject)
        .end(requestBody);
    });
    const responseBody = await buffer(answer);
    const { statusCode: status = 502, headers: responseHeaders } = answer;
    exchanges.push({
      atMs,
      method,
      path,
      requestHeaders,
      requestBody: requestBody.toString('utf8'),
      status,
      responseHeaders,
      responseBody: responseBody.toString('utf8'),
    });
    if (mode === 'losingAnswers' && method === 'PUT') {
      outgoing.destroy();
      return;
    }
    outgoing.writeHead(status, responseHeaders).end(responseBody);
  };

  const server = createServer((incoming, outgoing) => {
    if (isCut(incoming.headers)) {
      outgoing.destroy();
      return;
    }
    if (mode === 'portal') {
      // As slowly as such networks are: what the screen shows meanwhile is a part of the story.
      setTimeout(
        () => outgoing.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(portalPage),
        portalDelayMs,
      );
      return;
    }
    carry(incoming, outgoing).catch(() => {
      outgoing.destroy();
    });
  });
  server.on('connection', (socket) => {
    if (mode === 'unplugged') {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  const port = await listenLocally(server);

  const cutConnections = (): void => {
    for (const socket of sockets) {
      socket.destroy();
    }
  };
  return {
    url: `http://127.0.0.1:${port}`,
    exchanges,
    setMode: (next) => {
      mode = next;
      cutConnections();
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        cutConnections();
      }),
  };
}

/** Every token that the platform has given, by what it is. */
export function tokensOf({ exchanges }: Relay): Secrets {
  return Object.fromEntries(
    exchanges
      .filter(({ path, status }) => path.endsWith('/oauth/token') && status === 200)
      .flatMap(({ responseBody }, index) => {
        const { access_token: access, refresh_token: refresh } = JSON.parse(responseBody) as {
          access_token: string;
          refresh_token: string;
        };
        return [
          [`access token ${String(index)}`, access],
          [`refresh token ${String(index)}`, refresh],
        ];
      }),
  ) as Secrets;
}
