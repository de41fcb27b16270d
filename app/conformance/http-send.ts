import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { gatherBytes } from '../domain/gathered-bytes.ts';

export interface WireRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sent as UTF-8; null for none. */
  readonly body: string | null;
}

export interface WireAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

/** Sends one request; a text says why no whole answer came. It never rejects. */
export type Send = (request: WireRequest) => Promise<WireAnswer | string>;

const timeoutMs = 20_000;
/** Twenty kilobytes for each product of a page; all answers of a run are kept. */
const maxBytes = 2 * 1024 * 1024;

async function read(incoming: AsyncIterable<Buffer>): Promise<string> {
  const bytes = gatherBytes();
  let size = 0;
  for await (const chunk of incoming) {
    size += chunk.length;
    if (size > maxBytes) throw new Error(`an answer of more than ${maxBytes} bytes`);
    bytes.add(chunk);
  }
  return bytes.all().toString('utf8');
}

/** One request over the network, without redirects, abandoned after 20 s or 2 MB. */
export const sendOverHttp: Send = ({ method, url, headers, body }) =>
  new Promise((resolve) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const giveUp = (error: unknown): void => {
      resolve(signal.aborted ? `no answer within ${timeoutMs / 1000} s` : String(error));
    };
    const send = url.startsWith('https:') ? requestTls : requestPlain;
    const length = body === null ? {} : { 'content-length': String(Buffer.byteLength(body)) };
    try {
      const outgoing = send(url, { method, signal, headers: { ...headers, ...length } }, (incoming) => {
        read(incoming).then((text) => {
          const all = Object.entries(incoming.headers).map(([name, value]): [string, string] => [name, String(value)]);
          resolve({ status: incoming.statusCode ?? 0, headers: Object.fromEntries(all), text });
        }, giveUp);
      });
      // Of an answer that nobody asked for there is no error: Node closes the connection, and says nothing more.
      outgoing.on('error', giveUp).on('upgrade', ({ statusCode }, socket) => {
        socket.destroy();
        giveUp(`another protocol (${statusCode})`);
      });
      outgoing.end(body ?? undefined);
    } catch (error) {
      // A token that no header can hold.
      giveUp(error);
    }
  });
