import { mkdirSync, writeFileSync } from 'node:fs';
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Handlers } from '../../app/contract/bridge.ts';
import { openBrowserHost, type BrowserHostOptions } from '../../app/hosts/browser/server.ts';
import { createFakeEvents, createFakeHandlers } from './fake-handlers.ts';
import { temporaryDirectory } from './temporary.ts';

export interface Answer {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/**
 * One request exactly as it is written here: no client rewrites the path, the host or the origin. To a port of this
 * machine, or a socket's path.
 */
export async function ask(
  where: number | string,
  method: string,
  path: string,
  headers: OutgoingHttpHeaders = {},
  body?: string,
): Promise<Answer> {
  const place = typeof where === 'string' ? { socketPath: where } : { host: '127.0.0.1', port: where };
  const request = httpRequest({ ...place, method, path, headers, agent: false });
  request.end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
    text += chunk;
  }
  return { status: response.statusCode ?? 0, headers: response.headers, body: text };
}

/**
 * Opens the browser host over fake handlers and a renderer of two files, for as long as the running test, at 127.0.0.1
 * unless told.
 */
export async function openHost(
  own: Partial<Handlers> = {},
  more: Partial<Pick<BrowserHostOptions, 'patience' | 'address' | 'port'>> = {},
) {
  const rendererDirectory = join(temporaryDirectory(), 'renderer');
  mkdirSync(join(rendererDirectory, 'assets'), { recursive: true });
  writeFileSync(join(rendererDirectory, '..', 'private.js'), 'private');
  writeFileSync(
    join(rendererDirectory, 'index.html'),
    '<!doctype html><meta name="csp-nonce" content="__CSP_NONCE__"><script type="module" src="./assets/app.js"></script>',
  );
  writeFileSync(join(rendererDirectory, 'assets', 'app.js'), 'export {};');
  const addresses: string[] = [];
  const logged: unknown[] = [];
  const events = createFakeEvents();
  const host = await openBrowserHost({
    handlers: createFakeHandlers(own),
    subscribe: events.subscribe,
    log: (...line) => logged.push(line),
    rendererDirectory,
    port: 0,
    address: '127.0.0.1',
    language: 'en-GB',
    onAddress: (address) => addresses.push(address),
    ...more,
  });
  onTestFinished(() => host.close());
  const { port } = host;
  const path = (address: string | undefined): string => (address ?? '').replace(`http://127.0.0.1:${port}`, '');
  const enter = async (): Promise<string> => {
    const entered = await ask(port, 'GET', path(addresses.at(-1)));
    return entered.headers['set-cookie']?.[0]?.split(';')[0] ?? '';
  };
  return {
    host,
    port,
    addresses,
    path,
    enter,
    events,
    logged,
    own: { Origin: `http://127.0.0.1:${port}`, 'Content-Type': 'application/json' },
  };
}
