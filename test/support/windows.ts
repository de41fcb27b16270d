import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startChild, type Child } from './child.ts';
import { connect, listening, type PackagedSession } from './packaged.ts';
import { watchPage } from './page-watch.ts';

const room = resolve(import.meta.dirname, '../windows/room');
/** A first start of Windows' Electron in Wine. */
const patienceMs = 120_000;

/** Else the programs run in Wine. */
export const isWindows = process.platform === 'win32';

/** The folder of the packaged app for Windows that `npm run windows` has made; null unless that runs the tests. */
export const windowsPackage = process.env['TILLSIDE_WINDOWS_PACKAGE'] ?? null;

const environment = { WINE_ROOM: process.env['WINE_ROOM'] ?? '' };

/** How a program of Windows is started here. */
function commandOf(program: string, parameters: readonly string[]): readonly [string, readonly string[]] {
  return isWindows ? [program, parameters] : [room, ['wine', program, ...parameters]];
}

/** Runs a program of Windows to its end; answers its output. */
export function runOnWindows(program: string, ...parameters: readonly string[]): string {
  const [command, all] = commandOf(program, parameters);
  return spawnSync(command, all, { env: { ...process.env, ...environment }, encoding: 'utf8' }).stdout;
}

/** Lets the package be driven by whoever started it. */
export function allowDriving(): void {
  writeFileSync(join(windowsPackage ?? '', 'resources', 'debugging-allowed'), '');
}

/** Waits until this app says where it can be driven. */
export function seeAddress(child: Child): Promise<RegExpExecArray> {
  // Wine's programs have one output.
  return isWindows ? child.waitForErrorLine(listening, patienceMs) : child.waitForLine(listening, patienceMs);
}

/** Starts it, or another program that it was installed as, and waits for its window. One at a time. */
export async function launchOnWindows(
  flags: readonly string[],
  program = join(windowsPackage ?? '', 'Tillside.exe'),
): Promise<PackagedSession> {
  allowDriving();
  const child = startChild(...commandOf(program, ['--remote-debugging-port=0', ...flags]), { environment });
  const page = await connect(await seeAddress(child));
  return {
    page,
    watch: watchPage(page),
    child,
    close: async () => {
      const browser = page.context().browser();
      // The answer may come after the connection has gone.
      await (await browser?.newBrowserCDPSession())?.send('Browser.close').catch(() => undefined);
      const { code } = await child.ended;
      if (code !== 0) {
        throw new Error(`the packaged app ended with ${String(code)}:\n${child.lines.slice(-20).join('\n')}`);
      }
    },
    kill: async () => {
      runOnWindows('taskkill', '/f', '/im', 'Tillside.exe');
      await child.ended;
    },
  };
}
