import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join, resolve } from 'node:path';
import { openPage } from '../../app/hosts/page.ts';
import { mapBridgeScript } from './map-bridge.ts';
import { listenLocally } from '../support/listen.ts';

const rendererDirectory = join(resolve(import.meta.dirname), '../../dist/renderer');

interface MapServer {
  readonly origin: string;
  close(): Promise<void>;
}

/** Serves the page with these cards (one JSON list a line) and this state of the terminal. */
export async function startMapServer(cardsPath: string, state: unknown): Promise<MapServer> {
  const page = openPage(rendererDirectory, { bridgeScript: '/bridge.js' });
  const batches = readFileSync(cardsPath, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  const server = createServer((request, response) => {
    const path = request.url ?? '/';
    const json = { 'Content-Type': 'application/json; charset=utf-8' };
    if (path === '/bridge.js') {
      response.writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8' }).end(mapBridgeScript);
    } else if (path === '/state') {
      response.writeHead(200, json).end(JSON.stringify(state));
    } else if (path.startsWith('/cards/')) {
      response.writeHead(200, json).end(batches[Number(path.slice('/cards/'.length))] ?? '[]');
    } else {
      const file = page.read(path);
      response.writeHead(file.status, file.headers).end(file.body);
    }
  });
  const port = await listenLocally(server);
  return {
    origin: `http://127.0.0.1:${port}`,
    close: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}
