// The loopback address at which programs of this machine ask, where a manager has switched it on: HTTP, and web sockets
// for events.
import { STATUS_CODES, type IncomingMessage, type Server } from 'node:http';
import type { Duplex } from 'node:stream';
import type { EventListener, Handlers } from '../../contract/bridge.ts';
import { defaultLocalApi } from '../../contract/local-api.ts';
import type { LocalApiChoice } from '../../domain/local-api.ts';
import type { Clock, LocalApi, Shell } from '../../ports.ts';
import { newSecret } from '../node/secrets.ts';
import { createProgramCalls } from './answers.ts';
import { createEventSockets, maxListeners } from './event-sockets.ts';
import { createEventSource } from './events.ts';
import { createGuesses } from './guesses.ts';
import { hashOfToken, judge, type Verdict } from './loopback-gate.ts';
import { createListener } from './loopback-listener.ts';
import { createQuickServer, headersOf, refuse, type Answer } from './quick-server.ts';
import { addressOf, createRoutes, type Routes } from './routes.ts';

export interface Loopback extends LocalApi {
  /** Begins to answer over this terminal; pages call the handlers that it answers, so that their scans are heard. */
  begin(terminal: {
    readonly handlers: Handlers;
    readonly subscribe: (listener: EventListener) => () => void;
  }): Handlers;
  /** Ends every connection and stops listening. */
  close(): Promise<void>;
}

const pace = { perSecond: 20, atOnce: 40 };

/** Answers who wants another protocol, and hangs up. */
function answerRaw(socket: Duplex, answer: Answer): void {
  const body = JSON.stringify(answer.body ?? {});
  const headers = { ...headersOf(answer), 'Content-Length': String(Buffer.byteLength(body)), Connection: 'close' };
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const first = `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? ''}`;
  socket.end(`${[first, ...head].join('\r\n')}\r\n\r\n${body}`, () => socket.destroy());
}

function newToken(): { readonly token: string; readonly hash: string } {
  const token = newSecret();
  return { token, hash: hashOfToken(token) };
}

/** Why a listener with the token cannot be taken now; null where it can. */
function refusedListener(request: IncomingMessage, routes: Routes | null): Answer | null {
  const isWebSocket = /^websocket$/i.test(request.headers.upgrade ?? '');
  return !isWebSocket || addressOf(request)?.pathname !== '/v1/events'
    ? refuse(404, 'noSuchPath')
    : (routes?.tooMany() ?? null);
}

interface LoopbackPorts {
  readonly clock: Clock;
  readonly log: Shell['log'];
  /** How long who is slow, or rests, keeps a connection. */
  readonly patienceMs?: number;
}

/** Begins switched off. */
export function createLoopback({ clock, log, patienceMs }: LoopbackPorts): Loopback {
  let choice: LocalApiChoice = defaultLocalApi;
  let tokenHashes: readonly string[] = [];
  let routes: Routes | null = null;
  let readState: Handlers['terminal:read'] | null = null;
  let onChange = (): void => undefined;
  let unsubscribe = (): void => undefined;
  let isClosed = false;
  const sockets = createEventSockets(clock, log);
  const source = createEventSource({
    now: () => clock.now(),
    maySend: () => sockets.count() > 0,
    send: (event) => sockets.send(event),
  });
  const answerGuess = createGuesses(clock, log);
  const listener = createListener({
    clock,
    log,
    makeServer,
    wanted: () => {
      if (!choice.isOn || routes === null || isClosed) {
        return 'off';
      }
      return tokenHashes.length === 0 ? 'noToken' : choice.port;
    },
    onChange: () => onChange(),
    onClosing: () => sockets.hangUp(),
  });

  /** By what the settings say now, at every request. */
  function judged(request: IncomingMessage): Verdict {
    const { openPort } = listener.status();
    return choice.isOn && tokenHashes.length > 0 && openPort !== null
      ? judge(request, { ...choice, tokenHashes, port: openPort })
      : { refusal: refuse(503, 'notReady'), isGuess: false, headers: {} };
  }

  async function answer(request: IncomingMessage): Promise<Answer | null> {
    const { refusal, isGuess, headers } = judged(request);
    const refused = isGuess && refusal !== null ? await answerGuess(refusal) : refusal;
    if (isGuess && refused === null) {
      return null;
    }
    const answered = refused ?? (await routes?.answer(request)) ?? refuse(503, 'notReady');
    return { ...answered, headers: { ...answered.headers, ...headers } };
  }

  async function upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): Promise<void> {
    const { refusal, isGuess } = judged(request);
    if (isGuess && refusal !== null && (await answerGuess(refusal)) === null) {
      socket.destroy();
      return;
    }
    const refused = refusal ?? refusedListener(request, routes);
    const state = refused === null ? await readState?.({}) : undefined;
    // Looked at last: meanwhile the token may have become another, and others may have come in.
    const isFull = sockets.count() >= maxListeners;
    const answered = refused ?? judged(request).refusal ?? (isFull ? refuse(503, 'tooManyListen') : null);
    if (answered !== null) {
      answerRaw(socket, answered);
      return;
    }
    sockets.take(request, socket, head, state?.ok === true ? source.queue(state.value) : null);
  }

  function makeServer(): Server {
    const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
      socket.on('error', () => socket.destroy());
      upgrade(request, socket, head).catch((error: unknown) => {
        log('error', 'programs: request failed', { error: error instanceof Error ? error.name : typeof error });
        socket.destroy();
      });
    };
    return createQuickServer(answer, log, onUpgrade, patienceMs);
  }

  return {
    use: (nextChoice, nextHashes) => {
      const isOtherGate =
        nextHashes.join(' ') !== tokenHashes.join(' ') || nextChoice.origins.join(' ') !== choice.origins.join(' ');
      choice = nextChoice;
      tokenHashes = nextHashes;
      if (isOtherGate) {
        // Whoever listens has shown a token, or an origin, that no longer holds.
        sockets.hangUp();
      }
      void listener.settle();
    },
    status: () => listener.status(),
    listen: (changed) => {
      onChange = changed;
    },
    newToken,
    begin: ({ handlers, subscribe }) => {
      readState = handlers['terminal:read'];
      routes = createRoutes({
        calls: createProgramCalls(handlers, log),
        clock,
        mayChangeCoupons: (request) => choice.mayChangeCoupons && judged(request).refusal === null,
        pace,
      });
      unsubscribe = subscribe(source.listener);
      void listener.settle();
      return source.hear(handlers);
    },
    close: () => {
      isClosed = true;
      unsubscribe();
      return listener.settle();
    },
  };
}
