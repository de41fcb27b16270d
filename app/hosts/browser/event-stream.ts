// Owns the stream of events to the pages that are open: server-sent events (HTML standard §9.2), one connection a page.
// A page that does not keep up is cut off and comes back to a whole snapshot. Never holds an event for later.
import type { ServerResponse } from 'node:http';
import { guardingHeaders } from '../page.ts';
import { writeJson } from '../../domain/json.ts';

export interface EventStreams {
  /** Turns this response into a stream; answers a function that sends to this page alone, or null when there are too many. */
  open(response: ServerResponse): ((name: string, payload: unknown) => void) | null;
  /** Sends to every page. */
  send(name: string, payload: unknown): void;
  /** Ends every stream. */
  close(): void;
}

const maxStreams = 50;
const heartbeatMs = 15_000;
/** A page with this much unread has stopped reading. */
const maxUnreadBytes = 4_000_000;

function frame(name: string, payload: unknown): string {
  return `data: ${writeJson({ name, payload })}\n\n`;
}

export function createEventStreams(): EventStreams {
  const streams = new Set<ServerResponse>();

  const write = (stream: ServerResponse, text: string): void => {
    if (stream.writableLength > maxUnreadBytes) {
      stream.destroy();
      return;
    }
    stream.write(text);
  };

  // A page behind a sleeping machine notices a dead connection by the missing heartbeat's failing write.
  const heartbeat = setInterval(() => {
    for (const stream of streams) {
      write(stream, ': still here\n\n');
    }
  }, heartbeatMs);
  heartbeat.unref();

  return {
    open: (response) => {
      if (streams.size >= maxStreams) {
        return null;
      }
      response.writeHead(200, { ...guardingHeaders, 'Content-Type': 'text/event-stream; charset=utf-8', Connection: 'keep-alive' });
      response.write('retry: 1000\n\n');
      streams.add(response);
      response.on('close', () => {
        streams.delete(response);
      });
      response.on('error', () => {
        streams.delete(response);
      });
      return (name, payload) => {
        write(response, frame(name, payload));
      };
    },
    send: (name, payload) => {
      const text = frame(name, payload);
      for (const stream of streams) {
        write(stream, text);
      }
    },
    close: () => {
      clearInterval(heartbeat);
      for (const stream of streams) {
        stream.end();
      }
    },
  };
}
