// The web sockets of programs that listen: they are told events, and are asked for nothing.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Clock, Shell } from '../../ports.ts';
import { eventProtocol, type ProgramEvent } from './events.ts';

export const maxListeners = 8;
/** Whoever has this much unread has stopped reading. */
export const maxUnreadBytes = 262_144;
/** A listener that is silent to a ping for so long is gone. */
const pingEveryMs = 30_000;
/** So long for a farewell to be read. */
const farewellMs = 500;
const goingAway = 1001;
const notAccepted = 1003;

/** Begins with nobody listening. */
export function createEventSockets(clock: Clock, log: Shell['log']) {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: 1024,
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has(eventProtocol) ? eventProtocol : false),
  });
  const listeners = new Set<WebSocket>();

  function isReading(listener: WebSocket): boolean {
    if (listener.bufferedAmount <= maxUnreadBytes) {
      return true;
    }
    log('warning', 'programs: one that does not read its events is cut off');
    listener.terminate();
    return false;
  }

  function send(listener: WebSocket, text: string): void {
    if (isReading(listener)) {
      listener.send(text, () => undefined);
    }
  }

  function leave(listener: WebSocket, code: number, reason: string): void {
    listener.close(code, reason);
    clock.after(farewellMs, () => listener.terminate());
  }

  /** A program that has gone without a word is noticed by its silence. */
  function watch(listener: WebSocket): void {
    let isThere = true;
    const look = (): void => {
      if (!isThere) {
        listener.terminate();
      } else if (listeners.has(listener) && isReading(listener)) {
        isThere = false;
        listener.ping();
        timer = clock.after(pingEveryMs, look);
      }
    };
    let timer = clock.after(pingEveryMs, look);
    listener.on('pong', () => {
      isThere = true;
    });
    listener.on('ping', () => isReading(listener));
    listener.on('message', () => leave(listener, notAccepted, 'nothing is taken here'));
    listener.on('error', () => listener.terminate());
    listener.on('close', () => {
      timer.cancel();
      listeners.delete(listener);
    });
  }

  return {
    /** How many listen. */
    count: () => listeners.size,
    /** Takes over a connection whose sender has shown the token, and tells it this first. */
    take: (request: IncomingMessage, socket: Duplex, head: Buffer, first: ProgramEvent | null) => {
      server.handleUpgrade(request, socket, head, (listener) => {
        listeners.add(listener);
        watch(listener);
        if (first !== null) {
          send(listener, JSON.stringify(first));
        }
      });
    },
    send: (event: ProgramEvent) => {
      const text = JSON.stringify(event);
      for (const listener of listeners) {
        send(listener, text);
      }
    },
    /** Hangs up on all. */
    hangUp: () => {
      for (const listener of listeners) {
        leave(listener, goingAway, 'Tillside no longer answers here');
      }
    },
  };
}
