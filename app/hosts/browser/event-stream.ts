// The stream of events to the pages that are open: server-sent events (HTML standard §9.2), one connection a page.
import type { ServerResponse } from 'node:http';
import { guardingHeaders } from '../page.ts';
import { writeJson } from '../../domain/json.ts';

interface StreamedPage {
  readonly browser: string;
  readonly write: (json: string) => string;
}

export interface EventStreams {
  /**
   * Turns this response into a stream of events, each as `write` turns its JSON into one line; answers a function that
   * sends to this page alone, or null when there are too many. `browser` is the same for all pages of one.
   */
  open(response: ServerResponse, page?: StreamedPage): ((name: string, payload: unknown) => void) | null;
  /** Sends to every page. */
  send(name: string, payload: unknown): void;
  /** Sends an answer, sealed for the call with this nonce, to every page whose events are sealed. */
  sendAnswer(nonce: string, sealed: string): void;
  /** Ends every stream. */
  close(): void;
}

const maxStreams = 50;
/** A browser opens six connections to a host, for all its pages: what they call needs some of them. */
const maxStreamsOfBrowser = 4;
const heartbeatMs = 15_000;
/** A page with this much unread has stopped reading. */
const maxUnreadBytes = 4_000_000;
const plain = (json: string): string => json;

export function createEventStreams(): EventStreams {
  /** Each with how its lines are written, and of which browser a page's is. */
  const streams = new Map<ServerResponse, Partial<StreamedPage>>();
  const countOf = (browser: string): number =>
    [...streams.values()].filter((stream) => stream.browser === browser).length;

  const write = (stream: ServerResponse, text: string): void => {
    if (stream.writableLength > maxUnreadBytes) {
      stream.destroy();
      return;
    }
    stream.write(text);
  };

  // A page behind a sleeping machine notices a dead connection by the missing heartbeat's failing write.
  const heartbeat = setInterval(() => {
    for (const stream of streams.keys()) {
      write(stream, ': still here\n\n');
    }
  }, heartbeatMs);
  heartbeat.unref();

  return {
    open: (response, page) => {
      const { browser, write: line = plain } = page ?? {};
      if (streams.size >= maxStreams || (browser !== undefined && countOf(browser) >= maxStreamsOfBrowser)) {
        return null;
      }
      response.writeHead(200, {
        ...guardingHeaders,
        'Content-Type': 'text/event-stream; charset=utf-8',
        Connection: 'keep-alive',
      });
      response.write('retry: 1000\n\n');
      streams.set(response, page ?? {});
      const forget = (): void => {
        streams.delete(response);
      };
      response.on('close', forget).on('error', forget);
      return (name, payload) => {
        write(response, `data: ${line(writeJson({ name, payload }))}\n\n`);
      };
    },
    send: (name, payload) => {
      const json = writeJson({ name, payload });
      for (const [stream, { write: line = plain }] of streams) {
        write(stream, `data: ${line(json)}\n\n`);
      }
    },
    sendAnswer: (nonce, sealed) => {
      for (const [stream, { browser }] of streams) {
        if (browser !== undefined) {
          write(stream, `event: answer\ndata: ${nonce}.${sealed}\n\n`);
        }
      }
    },
    close: () => {
      clearInterval(heartbeat);
      for (const stream of streams.keys()) {
        stream.end();
      }
    },
  };
}
