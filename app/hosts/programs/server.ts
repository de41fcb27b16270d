// Answers programs on this machine: HTTP on a local socket, which no browser and no other user can reach.
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { Handlers } from '../../contract/bridge.ts';
import type { FailureKind } from '../../domain/failure.ts';
import type { Clock, Shell } from '../../ports.ts';
import { describeError } from '../messages.ts';
import { isSameSecret, newSecret } from '../node/secrets.ts';
import { lookUp } from './answers.ts';
import { newSocketPath, openDoorFile, removeSocket } from './door.ts';

export interface ProgramsOptions {
  readonly dataDirectory: string;
  readonly handlers: Handlers;
  readonly log: Shell['log'];
  readonly clock: Clock;
}

export interface Programs {
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

interface Answer {
  readonly status: number;
  readonly body: object;
}

/** Who asks drop by drop, or nothing, gives the connection back after this. Node looks for them twice a minute. */
const requestDeadlineMs = 5000;
const maxConnections = 50;
const maxHeadBytes = 16_384;
/** A lookup takes some milliseconds of the process that answers scans. */
const maxAnswersPerSecond = 50;

const statusOf: Partial<Record<FailureKind, number>> = {
  inputInvalid: 400,
  locked: 403,
  signInNeeded: 403,
  notReady: 503,
};

const refuse = (status: number, error: string): Answer => ({ status, body: { error } });

/** Listens for HTTP, with little patience for whoever is slow. */
function createQuickServer(answer: (request: IncomingMessage) => Promise<Answer>, log: Shell['log']): Server {
  const server = createServer({
    headersTimeout: requestDeadlineMs,
    requestTimeout: requestDeadlineMs,
    keepAliveTimeout: requestDeadlineMs,
    maxHeaderSize: maxHeadBytes,
  });
  server.maxConnections = maxConnections;
  server.on('request', (request, response) => {
    const send = ({ status, body }: Answer): void => {
      response
        .writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Cache-Control': 'no-store' })
        .end(JSON.stringify(body));
    };
    answer(request).then(send, (error: unknown) => {
      log('error', 'programs: request failed', { error: describeError(error) });
      send(refuse(500, 'unexpected'));
    });
  });
  return server;
}

/** Whether one more may be answered in the second that is running. */
function createPace(clock: Clock): () => boolean {
  let beganAt = -Infinity;
  let answered = 0;
  return () => {
    const now = clock.uptimeMs();
    if (now - beganAt >= 1000) {
      beganAt = now;
      answered = 0;
    }
    answered += 1;
    return answered <= maxAnswersPerSecond;
  };
}

/** Answers programs until it is closed. Where no socket can be opened, that is logged and nothing is answered. */
export async function openPrograms({ dataDirectory, handlers, log, clock }: ProgramsOptions): Promise<Programs> {
  const door = openDoorFile(dataDirectory);
  const left = door.get().socket;
  if (left !== null) {
    removeSocket(left);
  }
  const token = door.get().token ?? newSecret();
  const mayAnswer = createPace(clock);

  async function answer({ method, url = '', headers }: IncomingMessage): Promise<Answer> {
    const asked = URL.parse(url, 'http://tillside');
    if (!isSameSecret(headers.authorization ?? '', `Bearer ${token}`)) {
      return refuse(401, 'tokenNeeded');
    }
    if (asked?.pathname !== '/v1/lookup') {
      return refuse(404, 'noSuchPath');
    }
    if (method !== 'GET') {
      return refuse(405, 'noSuchMethod');
    }
    if (!mayAnswer()) {
      return refuse(429, 'tooMany');
    }
    const found = await lookUp(handlers, asked.searchParams.get('code') ?? '', log);
    return found.ok
      ? { status: 200, body: found.value }
      : refuse(statusOf[found.failure.kind] ?? 500, found.failure.kind);
  }

  const server = createQuickServer(answer, log);
  let path: string | null = null;
  try {
    path = newSocketPath();
    server.listen(path);
    await once(server, 'listening');
    if (!door.change({ socket: path, token })) {
      throw new Error('programs.json cannot be written');
    }
  } catch (error) {
    log('warning', 'programs: cannot be answered', { reason: error instanceof Error ? error.message : String(error) });
  }
  return {
    close: async () => {
      if (server.listening) {
        server.close();
        server.closeAllConnections();
        await once(server, 'close');
      }
      if (path !== null) {
        door.change({ socket: null });
        removeSocket(path);
      }
    },
  };
}
