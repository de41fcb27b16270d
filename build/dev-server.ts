import { realpathSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { createServer, type Plugin, type ViteDevServer } from 'vite';

/** Where the browser host lets this server in, and as whom. */
export interface HostSession {
  /** Ends with "/". */
  readonly home: string;
  readonly cookie: string;
}

/** Spends the one-time address that a browser host prints. */
export async function enterHost(address: string): Promise<HostSession> {
  const { status, headers } = await fetch(address, { redirect: 'manual' });
  const home = headers.get('location');
  const cookie = headers.get('set-cookie')?.split(';')[0];
  if (home === null || cookie === undefined) {
    throw new Error(`the browser host answered ${status}`);
  }
  return { home: new URL(home, address).href, cookie };
}

const bridgePaths = ['/bridge.js', '/sealed/call', '/sealed/events'];

/** Puts the host's bridge into the page, and hands its calls on to the host. */
function bridgeTo(session: () => HostSession | null): Plugin {
  return {
    name: 'bridge-to-host',
    transformIndexHtml: () => [{ tag: 'script', attrs: { src: '/bridge.js' }, injectTo: 'head-prepend' }],
    configureServer: ({ middlewares }) => {
      middlewares.use((incoming, response, next) => {
        const path = incoming.url ?? '';
        const host = session();
        if (!bridgePaths.includes(path)) {
          next();
          return;
        }
        if (host === null) {
          response.writeHead(503).end();
          return;
        }
        const { host: name, origin } = new URL(host.home);
        // The host still refuses what another site sends: Sec-Fetch-Site is handed on as it came.
        const headers = {
          ...incoming.headers,
          host: name,
          cookie: host.cookie,
          ...(incoming.method === 'POST' ? { origin } : {}),
        };
        const asked = request(new URL(path.slice(1), host.home), { method: incoming.method, headers }, (answered) => {
          response.writeHead(answered.statusCode ?? 502, answered.headers);
          answered.pipe(response);
        });
        asked.on('error', () => response.destroy());
        response.on('close', () => asked.destroy());
        incoming.pipe(asked);
      });
    },
  };
}

const ofJson = ", { with: { type: 'json' } }";

/** Vite answers a JSON file as a module in JavaScript, which a browser refuses where the import says that it is JSON. */
const jsonAsModule: Plugin = {
  name: 'json-as-module',
  enforce: 'pre',
  transform: {
    filter: { id: /\.tsx?$/, code: ofJson },
    handler: (code) => ({ code: code.replaceAll(ofJson, ''), map: null }),
  },
};

/**
 * Serves the renderer of the project in this folder from its sources, with hot reload. Its pages reach the host of this
 * session; with null they bring their bridge along.
 */
export async function openDevServer(
  directory: string,
  port: number,
  session: (() => HostSession | null) | null,
  plugins: readonly Plugin[] = [],
): Promise<ViteDevServer> {
  const server = await createServer({
    configFile: join(directory, 'vite.config.ts'),
    root: join(directory, 'renderer'),
    cacheDir: join(directory, '.cache', 'vite'),
    logLevel: 'warn',
    // Those of vite.config.ts are named from the project's folder.
    optimizeDeps: { entries: ['index.html', 'companion.html'] },
    css: { devSourcemap: true },
    server: {
      host: '127.0.0.1',
      port,
      strictPort: port !== 0,
      fs: { allow: [directory, realpathSync(join(directory, 'node_modules'))] },
      // Electron's pages lie at another origin than the server.
      ...(port === 0 ? {} : { hmr: { host: '127.0.0.1', clientPort: port } }),
    },
    plugins: [jsonAsModule, ...plugins, ...(session === null ? [] : [bridgeTo(session)])],
  });
  return server.listen();
}
