import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { startChild } from './child.ts';
import { connect, listening, type PackagedSession } from './packaged.ts';
import { watchPage } from './page-watch.ts';

const room = resolve(import.meta.dirname, '../windows/room');
/** A first start of Windows' Electron in Wine. */
const patienceMs = 120_000;

/** The folder of the packaged app for Windows that `npm run windows` has made; null unless that runs the tests. */
export const winePackage = process.env['TILLSIDE_WINE_PACKAGE'] ?? null;

const environment = { WINE_ROOM: process.env['WINE_ROOM'] ?? '' };

/** Runs a program of Windows to its end; answers its output. */
export function runInWine(program: string, ...parameters: readonly string[]): string {
  const env = { ...process.env, ...environment };
  return spawnSync(room, ['wine', program, ...parameters], { env, encoding: 'utf8' }).stdout;
}

/** Lets the package be driven by whoever started it. */
export function allowDriving(): void {
  writeFileSync(join(winePackage ?? '', 'resources', 'debugging-allowed'), '');
}

/** Starts it, or another program that it was installed as, and waits for its window. One at a time. */
export async function launchInWine(
  flags: readonly string[],
  program = join(winePackage ?? '', 'Tillside.exe'),
): Promise<PackagedSession> {
  allowDriving();
  const child = startChild(room, ['wine', program, '--remote-debugging-port=0', ...flags], { environment });
  // Wine's programs have one output.
  const page = await connect(await child.waitForLine(listening, patienceMs));
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
      runInWine('taskkill', '/f', '/im', 'Tillside.exe');
      await child.ended;
    },
  };
}
