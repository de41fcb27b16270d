// A platform that answers what a test gives it, over real HTTP on loopback, and remembers what it was asked.
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { onTestFinished } from 'vitest';
import { listenLocally } from './listen.ts';

export interface Asked {
  readonly method: string;
  /** Path and query as they came. */
  readonly url: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

export interface Said {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface ScriptedPlatform {
  readonly url: string;
  readonly asked: Asked[];
  /** The answer to a request; 404 unless a test says otherwise. */
  answer: (asked: Asked) => Said | 'hang' | 'reset';
}

/** Starts one for the running test. */
export async function startScriptedPlatform(): Promise<ScriptedPlatform> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const now: Asked = {
        method: request.method ?? '',
        url: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks).toString('utf8'),
      };
      asked.push(now);
      const answer = platform.answer(now);
      if (answer === 'reset') {
        request.socket.resetAndDestroy();
      } else if (answer !== 'hang') {
        response.writeHead(answer.status, answer.headers).end(answer.body);
      }
    });
  });
  const port = await listenLocally(server);
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
  });
  const platform: ScriptedPlatform = { url: `http://127.0.0.1:${port}`, asked, answer: () => ({ status: 404 }) };
  return platform;
}

/** A JSON answer. */
export function sayJson(status: number, body: unknown, headers: Readonly<Record<string, string>> = {}): Said {
  return { status, headers: { 'Content-Type': 'application/json', ...headers }, body: JSON.stringify(body) };
}
