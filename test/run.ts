// Owns `npm test`: makes sure that what the tests need is there (Node 24, a Chromium, a built app, a display), says in one
// line each what it did or could not do, and runs vitest with the parameters it was given. Never holds a test, and never
// lets a missing runtime pass in silence: what is skipped is said with its reason.
import { spawnSync } from 'node:child_process';
import { join, resolve } from 'node:path';
import { buildStale } from '../build/launch.ts';
import { packaged } from '../build/parts.ts';
import { isStale } from '../build/stale.ts';
import { findChromium } from './support/chromium.ts';
import { findElectron } from './support/electron.ts';

const root = resolve(import.meta.dirname, '..');
const installTimeoutMs = 300_000;

/** Runs a program to its end with this one's streams; answers its exit code, 1 when it could not run or was ended. */
function run(command: string, parameters: readonly string[], timeoutMs?: number): number {
  const { status } = spawnSync(command, parameters, { cwd: root, stdio: 'inherit', timeout: timeoutMs });
  return status ?? 1;
}

/** Whether a program of this name can be started. */
function isOnPath(command: string): boolean {
  return spawnSync('sh', ['-c', `command -v ${command}`]).status === 0;
}

/** Whether these parameters of vitest let end-to-end tests run. */
function includesEndToEnd(parameters: readonly string[]): boolean {
  const projects = parameters.flatMap((parameter, index) =>
    parameter === '--project' ? [parameters[index + 1] ?? ''] : parameter.startsWith('--project=') ? [parameter.slice(10)] : [],
  );
  const paths = parameters.filter((parameter) => /^(?:\.\/)?test\b|\.test\.|e2e/.test(parameter) && !parameter.startsWith('-'));
  return (projects.length === 0 || projects.includes('e2e') || projects.includes('screens')) && (paths.length === 0 || paths.some((path) => path.includes('e2e')));
}

function installChromium(): void {
  console.log('No Chromium was found: trying to install the one that Playwright knows.');
  run(process.execPath, [join(root, 'node_modules/playwright-core/cli.js'), 'install', '--no-progress', 'chromium'], installTimeoutMs);
  if (findChromium() === null && process.platform === 'linux' && process.getuid?.() === 0 && isOnPath('apt-get')) {
    console.log("Playwright's Chromium could not be had: trying Debian's package.");
    run('apt-get', ['update', '-q'], installTimeoutMs);
    run('apt-get', ['install', '-q', '-y', '--no-install-recommends', 'chromium'], installTimeoutMs);
  }
}

async function main(parameters: readonly string[]): Promise<number> {
  if (Number(process.versions.node.split('.')[0]) < 24) {
    return run(join(root, 'node_modules/.bin/node'), [import.meta.filename, ...parameters]);
  }
  const vitest = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...parameters];
  const skipped: string[] = [];
  if (includesEndToEnd(parameters)) {
    if (findChromium() === null) {
      installChromium();
    }
    const chromium = findChromium();
    if (chromium === null) {
      skipped.push('SKIPPED: tests in Chromium: none was found and none could be installed (TILLSIDE_CHROMIUM may name one)');
    } else {
      console.log(`Chromium: ${chromium}`);
    }
    await buildStale(['renderer', 'main', 'worker', 'preload']);
    if (!['', '0', 'false', undefined].includes(process.env['TILLSIDE_PACKAGED']) && isStale(root, packaged)) {
      console.log('Packaging the app for tests of what ships.');
      run(process.execPath, [join(root, 'build/package.ts')], installTimeoutMs);
    }
    if (process.platform === 'linux' && (process.env['DISPLAY'] ?? '') === '' && isOnPath('xvfb-run') && isOnPath('xauth')) {
      vitest.unshift('xvfb-run', '-a');
      // Only so that the search below sees what vitest will see; xvfb-run sets the real one.
      process.env['DISPLAY'] = ':xvfb';
    }
    const electron = findElectron();
    if ('missing' in electron) {
      skipped.push(`SKIPPED: tests in Electron: ${electron.missing}`);
    } else {
      console.log(`Electron: ${electron.executablePath}`);
    }
  }
  const [command = '', ...rest] = vitest;
  const code = run(command, rest);
  for (const line of skipped) {
    console.log(line);
  }
  return code;
}

process.exitCode = await main(process.argv.slice(2));
