import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { once } from 'node:events';
import { join, resolve, sep } from 'node:path';
import { createInterface } from 'node:readline';
import { parseArgs } from 'node:util';
import { buildApp } from './build.ts';
import { enterHost, openDevServer, type HostSession } from './dev-server.ts';
import { electronEnvironment, obtainElectron } from './electron-runtime.ts';
import { buildStale, endWithParent, say } from './launch.ts';
import { projectDirectory, stopUnlessWritable } from './project.ts';

const { values } = parseArgs({
  options: { port: { type: 'string', default: '5173' }, electron: { type: 'boolean', default: false } },
});
stopUnlessWritable();
const port = Number(values.port);
const folder = join(projectDirectory, '.cache', 'dev');
const flags = ['--training', '--data-dir', join(folder, 'data')];
let session: HostSession | null = null;
let main: ChildProcess | null = null;
let isRestarting = false;

/** A main that ends by itself ends this program; one that fails is started anew by the next change. */
function keep(child: ChildProcess): void {
  main = child;
  child.on('exit', (code) => {
    if (!isRestarting && code === 0) {
      process.exit(0);
    }
  });
}

async function startBrowserHost(): Promise<void> {
  const child = spawn(process.execPath, [join(projectDirectory, 'app', 'serve.ts'), ...flags, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '--enable-source-maps' },
  });
  keep(child);
  const lines = createInterface(child.stdout);
  const address = await new Promise<string | null>((tell) => {
    lines.on('line', (line) => tell(/http:\S+/.exec(line)?.[0] ?? null));
    child.on('exit', () => tell(null));
  });
  if (address !== null) {
    session = await enterHost(address);
  }
}

async function startElectron(server: string): Promise<void> {
  const electron = obtainElectron(say);
  if (!electron.ok) {
    say(electron.failure);
    process.exit(1);
  }
  try {
    await buildApp(['main', 'worker', 'preload', 'scannerPreload'], 'warn', folder);
  } catch (error) {
    say(String(error));
    return;
  }
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  keep(
    spawn(electron.value, [...asRoot, '--inspect', '--enable-source-maps', join(folder, 'main.js'), ...flags], {
      stdio: 'inherit',
      env: { ...electronEnvironment(), TILLSIDE_DEV_SERVER: server },
    }),
  );
}

async function stopMain(): Promise<void> {
  if (main?.exitCode === null && main.signalCode === null) {
    const ended = once(main, 'exit');
    main.kill('SIGTERM');
    await ended;
  }
}

endWithParent();
mkdirSync(folder, { recursive: true });
for (const signal of ['SIGTERM', 'SIGINT'] as const) {
  process.on(signal, () => {
    isRestarting = true;
    void stopMain().then(() => process.exit(0));
  });
}
const built = join(projectDirectory, 'dist', 'renderer');
// A host does not start without it, and the practice store's panel is served from it.
await buildStale(['renderer']);
if (!existsSync(join(folder, 'renderer'))) {
  symlinkSync(built, join(folder, 'renderer'), 'junction');
}
const server = await openDevServer(projectDirectory, port, values.electron ? null : () => session);
const address = server.resolvedUrls?.local[0] ?? '';
const start = (): Promise<void> => (values.electron ? startElectron(address.replace(/\/$/, '')) : startBrowserHost());
await start();
process.stdout.write(`Tillside is at ${address}\n`);

const mainSources = resolve(projectDirectory, 'app') + sep;
let restarts = Promise.resolve();
let waiting = false;
server.watcher.add(mainSources);
server.watcher.on('all', (_event, path) => {
  if (!resolve(path).startsWith(mainSources) || waiting || !/\.tsx?$/.test(path)) {
    return;
  }
  waiting = true;
  restarts = restarts.then(async () => {
    waiting = false;
    isRestarting = true;
    await stopMain();
    isRestarting = false;
    await start();
    server.ws.send({ type: 'full-reload' });
    say('main was started anew');
  });
});
