// The browser host's HTTP server: bound to this machine alone, it serves the renderer's files, the bridge script, the
// calls and the stream of events, each behind the gate.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import type { Handlers, EventListener } from '../../contract/bridge.ts';
import { makeRoom, oneAtATime } from '../../domain/loopback-server.ts';
import type { Shell } from '../../ports.ts';
import { openPage } from '../page.ts';
import { checkEvent } from '../dispatch.ts';
import { describeError, wordsFor } from '../messages.ts';
import { answer, answerWords } from './answers.ts';
import { BodyTooLarge, createCalls } from './calls.ts';
import { createEventStreams } from './event-stream.ts';
import { createGate, withoutHome } from './gate.ts';
import { pageBridgeScript } from './page-bridge.ts';
import { createSealing } from './sealing.ts';

export interface BrowserHostOptions {
  readonly handlers: Handlers;
  readonly subscribe: (listener: EventListener) => () => void;
  readonly log: Shell['log'];
  /** The built renderer. */
  readonly rendererDirectory: string;
  /** 0 for any free one. */
  readonly port: number;
  /** Of this machine; one that no run before has had unless told. */
  readonly address?: string | undefined;
  /** BCP 47 tag for the few sentences that the host itself says. */
  readonly language: string;
  /** Called with the address to open, at the start and whenever the last one was used. */
  readonly onAddress: (address: string) => void;
  /** Who sends a head or a body drop by drop, or nothing, gives the connection back after this. */
  readonly patience?: typeof defaultPatience;
}

export type BrowserHost = Awaited<ReturnType<typeof openBrowserHost>>;

const maxConnections = 200;
const defaultPatience = { headMs: 10_000, requestMs: 20_000, lookEveryMs: 2000 };
const bridgePath = '/bridge.js';
const firstAddress = '127.0.0.1';

function isPrefetch({ headers }: IncomingMessage): boolean {
  return [headers['sec-purpose'], headers['purpose'], headers['x-moz']].some((purpose) =>
    String(purpose ?? '').includes('prefetch'),
  );
}

/** The status and sentence with which the browser is answered when a request failed. */
function refusalOf(error: unknown): readonly [status: number, sentence: string] {
  if (error instanceof BodyTooLarge) {
    return [413, 'Too large'];
  }
  return error instanceof URIError ? [400, 'Not an address'] : [500, 'Failed'];
}

/**
 * An address of this machine that no run before has had. Whatever another program has left in a browser for another one,
 * on whichever port, such as a worker that answers in the place of whoever listens, does not reach this run.
 */
function newAddress(): string {
  return ['127', ...Array.from({ length: 3 }, () => randomInt(1, 255))].join('.');
}

/** Listens on this machine alone; slow senders cannot hold it up. */
async function listen(port: number, address: string, patience: typeof defaultPatience): Promise<Server> {
  const server = createServer({
    headersTimeout: patience.headMs,
    requestTimeout: patience.requestMs,
    connectionsCheckingInterval: patience.lookEveryMs,
  });
  server.listen(port, address);
  try {
    await once(server, 'listening');
    return server;
  } catch (error) {
    // macOS has the first one alone.
    if (address !== firstAddress && error instanceof Error && 'code' in error && error.code === 'EADDRNOTAVAIL') {
      return listen(port, firstAddress, patience);
    }
    throw error;
  }
}

/** Opens the browser host. Throws when the port is taken or the renderer has not been built. */
export async function openBrowserHost(options: BrowserHostOptions) {
  const { log } = options;
  const page = openPage(options.rendererDirectory, { bridgeScript: `.${bridgePath}` });
  const words = wordsFor(options.language).browser;

  const server = await listen(options.port, options.address ?? newAddress(), options.patience ?? defaultPatience);
  const { address, port } = server.address() as AddressInfo;
  const gate = createGate(address, port);
  const streams = createEventStreams();
  const sealing = createSealing();
  const calls = createCalls({ handlers: options.handlers, log, sealing, streams });
  const reportAddress = (): void => {
    options.onAddress(`${gate.origin}/?token=${gate.token()}`);
  };

  const enter = (request: IncomingMessage, response: ServerResponse, token: string): void => {
    // A browser that only looks ahead, or asks for the headers alone, must not use the address up.
    if (request.method !== 'GET' || isPrefetch(request)) {
      response.writeHead(204).end();
      return;
    }
    const admission = gate.admit(token);
    if (admission !== null) {
      response
        .writeHead(303, {
          Location: admission.home,
          'Set-Cookie': admission.cookie,
          'Cache-Control': 'no-store',
          'Referrer-Policy': 'no-referrer',
        })
        .end();
      reportAddress();
    } else {
      answerWords(response, 403, options.language, words.linkUsed);
    }
  };

  const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const target = request.url ?? '';
    // Joined, not resolved: "//other" is a path here, not the name of another host.
    const url = target.startsWith('/') ? URL.parse(`${gate.origin}${target}`) : null;
    if (!gate.isForThisHost(request.headers) || url === null) {
      answer(response, 421, 'This host answers to its own address alone');
      return;
    }
    if (request.headers.upgrade !== undefined) {
      // Events are a stream of HTTP; nothing here speaks another protocol.
      answer(response, 400, 'No other protocol is spoken here');
      return;
    }
    const token = url.pathname === '/' ? url.searchParams.get('token') : null;
    if (token !== null) {
      enter(request, response, token);
      return;
    }
    if (!gate.isAdmitted(request.headers)) {
      answerWords(response, 401, options.language, words.linkNeeded);
      return;
    }
    const pathname = withoutHome(url.pathname);
    const isSealedCall = pathname === '/sealed/call';
    const isCall = isSealedCall || pathname.startsWith('/invoke/');
    const isStream = pathname === '/events' || pathname === '/sealed/events';
    if (request.method !== (isCall ? 'POST' : 'GET')) {
      answer(response, 405, 'Method not allowed');
      return;
    }
    if ((isCall || isStream) && !gate.isFromOwnPage(request.headers, isCall)) {
      answer(response, 403, "Calls come from the host's own page alone");
      return;
    }
    if (isSealedCall) {
      await calls.invokeSealed(request, response);
    } else if (isCall) {
      await calls.invoke(request, response, decodeURIComponent(pathname.slice('/invoke/'.length)));
    } else if (isStream) {
      // By its name, not by its cookie: each address that a browser opens gives it another one.
      const browser = request.headers['user-agent'] ?? '';
      await calls.stream(response, pathname === '/sealed/events' ? browser : null);
    } else if (pathname === bridgePath) {
      answer(response, 200, pageBridgeScript(sealing.key), 'text/javascript; charset=utf-8');
    } else {
      const file = page.read(pathname);
      response.writeHead(file.status, file.headers).end(file.body);
    }
  };

  const { listener, isBusy } = oneAtATime((request: IncomingMessage, response: ServerResponse) => {
    handle(request, response).catch((error: unknown) => {
      if (response.headersSent) {
        response.destroy();
        return;
      }
      const [status, sentence] = refusalOf(error);
      if (status === 500) {
        log('error', 'request failed', { error: describeError(error) });
      }
      response.setHeader('Connection', 'close');
      answer(response, status, sentence);
    });
  });
  makeRoom(server, maxConnections, isBusy);
  server.on('request', listener);
  // Node would answer a strange expectation by itself, before the gate.
  server.on('checkExpectation', listener);

  const unsubscribe = options.subscribe((name, payload) => {
    const checked = checkEvent(name, payload, log);
    if (checked !== undefined) {
      streams.send(name, checked);
    }
  });
  reportAddress();

  return {
    port,
    /** Ends every connection and stops listening. */
    close: async (): Promise<void> => {
      unsubscribe();
      streams.close();
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
