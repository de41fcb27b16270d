// HTTP for programs of this machine: JSON alone, with little patience for whoever is slow or large.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { ListenOptions } from 'node:net';
import type { Duplex } from 'node:stream';
import { makeRoom, oneAtATime } from '../../domain/loopback-server.ts';
import type { Clock, Shell } from '../../ports.ts';
import { describeError } from '../messages.ts';
import { guardingHeaders } from '../page.ts';

export interface Answer {
  readonly status: number;
  /** Absent: the answer has no body. */
  readonly body?: object;
  readonly headers?: Readonly<Record<string, string>>;
}

/**
 * Who asks drop by drop, or nothing, gives the connection back after this. A connection may rest as long between two
 * requests: Node tells the program so, and hangs up without a word a second later.
 */
const defaultPatienceMs = 5000;
const hangUpAfterMs = 1000;
const tooLate = 'HTTP/1.1 408 Request Timeout\r\nConnection: close\r\n\r\n';
/** Node looks at all connections every so often, and wakes a machine at rest by it, though there are none: never, then. */
const longestIntervalMs = 2 ** 31 - 1;
export const maxConnections = 50;
const maxHeadBytes = 16_384;
/** The largest body that anybody has a reason to send. */
const maxBodyBytes = 4000;

export const refuse = (status: number, error: string, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  body: { error },
  headers,
});

/** The headers of every answer with its own. */
export function headersOf({ headers = {} }: Answer): Record<string, string> {
  return { ...guardingHeaders, 'Content-Type': 'application/json; charset=utf-8', ...headers };
}

/** The body as text; null when it is larger than any that is expected. */
export async function readBody(request: IncomingMessage): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
    return null;
  }
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) {
      return null;
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** Each request has its time until it is whole: from the connection, or from the rest after the answer before it. */
function createDeadlines(patienceMs: number) {
  const timers = new WeakMap<Duplex, NodeJS.Timeout>();
  const end = (socket: Duplex): void => {
    clearTimeout(timers.get(socket));
  };
  return {
    begin: (socket: Duplex, afterMs = 0): void => {
      end(socket);
      const cutOff = (): void => {
        socket.end(tooLate, () => socket.destroy());
      };
      timers.set(socket, setTimeout(cutOff, afterMs + patienceMs));
    },
    end,
  };
}

/** A server that is not listening yet. Whoever is answered null is hung up on. */
export function createQuickServer(
  answer: (request: IncomingMessage) => Promise<Answer | null>,
  log: Shell['log'],
  upgrade: ((request: IncomingMessage, socket: Duplex, head: Buffer) => void) | null = null,
  patienceMs = defaultPatienceMs,
): Server {
  const server = createServer({
    keepAliveTimeout: patienceMs,
    connectionsCheckingInterval: longestIntervalMs,
    maxHeaderSize: maxHeadBytes,
  });
  const deadlines = createDeadlines(patienceMs);
  server.on('connection', (socket) => {
    deadlines.begin(socket);
    socket.once('close', () => deadlines.end(socket));
  });
  const { listener, isAsking, isBusy } = oneAtATime((request: IncomingMessage, response: ServerResponse) => {
    const { socket, headers } = request;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      deadlines.end(socket);
    } else {
      request.once('end', () => {
        // The unread rest of a body ends only after the answer.
        if (!response.writableFinished) {
          deadlines.end(socket);
        }
      });
    }
    response.once('finish', () => deadlines.begin(socket, patienceMs + hangUpAfterMs));
    const send = (answered: Answer | null): void => {
      if (answered === null) {
        response.destroy();
        return;
      }
      // The unread rest of a body goes with the connection.
      const rest = request.complete ? {} : { Connection: 'close' };
      response
        .writeHead(answered.status, { ...headersOf(answered), ...rest })
        .end(answered.body === undefined ? undefined : JSON.stringify(answered.body));
    };
    answer(request).then(send, (error: unknown) => {
      if (request.destroyed && !request.complete) {
        // Whoever asked has gone in the middle of it.
        response.destroy();
        return;
      }
      log('error', 'programs: request failed', { error: describeError(error) });
      send(refuse(500, 'unexpected'));
    });
  });
  server.on('request', listener);
  // Node would answer a strange expectation by itself, before the gate.
  server.on('checkExpectation', listener);
  const upgraded = new WeakSet<object>();
  makeRoom(server, maxConnections, (socket) => upgraded.has(socket) || isBusy(socket));
  if (upgrade !== null) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      deadlines.end(socket);
      if (isAsking(socket)) {
        socket.destroy();
      } else {
        upgraded.add(socket);
        upgrade(request, socket, head);
      }
    });
  }
  return server;
}

/** Listens there from when it answers on. Throws what the system says. */
export async function startListening(server: Server, where: ListenOptions): Promise<void> {
  server.listen(where);
  await once(server, 'listening');
}

/** Ends every connection, and stops listening if it did. */
export async function closeServer(server: Server): Promise<void> {
  if (server.listening) {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  }
}

/** Lets through so many a second, and so many at once after a rest: answers 0, or for how many seconds to wait. */
export function createPace(clock: Clock, perSecond: number, atOnce: number): () => number {
  let left = atOnce;
  let filledAt = clock.uptimeMs();
  return () => {
    const now = clock.uptimeMs();
    left = Math.min(atOnce, left + ((now - filledAt) / 1000) * perSecond);
    filledAt = now;
    if (left < 1) {
      return Math.ceil((1 - left) / perSecond);
    }
    left -= 1;
    return 0;
  };
}
