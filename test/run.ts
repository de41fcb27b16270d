import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { runtimeVersion, whyNoProof } from '../build/electron-runtime.ts';
import { packaged } from '../build/parts.ts';
import { isStale } from '../build/stale.ts';
import { findChromium } from './support/chromium.ts';
import { findElectron } from './support/electron.ts';
import { hasMariadb } from './support/mariadb.ts';
import { isNight } from './support/night.ts';
import { findPostgres } from './support/find-postgres.ts';
import { hasTryton } from './support/tryton.ts';
import { hasWixl } from './support/wixl.ts';

const root = resolve(import.meta.dirname, '..');
const isShippedRequired = !['', '0', 'false', undefined].includes(process.env['TILLSIDE_REQUIRE_SHIPPED']);
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

/** The projects that a newcomer runs, and the rest; vitest.config.ts says what each is. */
const waiting = ['servers', 'endurance', 'e2e', 'walk'];
const computing = ['simulation', ...(isNight ? ['seeds'] : [])];
const tiers: Readonly<Record<string, readonly string[]>> = {
  '--long': [...waiting, 'ui', ...computing],
  // Its three parts: what only computes may run beside the pages, and has what these leave free.
  '--waiting': waiting,
  '--pages': ['ui'],
  '--computing': computing,
};
const short = ['unit', 'platform-api', 'integration', 'stories'];
const withoutBrowser = ['unit', 'platform-api', 'servers', 'simulation', 'endurance', 'seeds'];

/** The parameters for vitest: a project or a path that was named stands for itself, else those of the tier are run. */
function chooseTests([first, ...others]: readonly string[]): readonly string[] {
  const tier = tiers[first ?? ''];
  const given = first === undefined || tier !== undefined ? others : [first, ...others];
  const isNamed = given.some(
    (parameter) =>
      parameter.startsWith('--project') || (!parameter.startsWith('-') && /^(?:\.\/)?test\b|\.test\./.test(parameter)),
  );
  return isNamed ? given : [...(tier ?? short).map((name) => `--project=${name}`), ...given];
}

/** Whether these parameters of vitest let tests of such a project run. */
function runs(parameters: readonly string[], isSuch: (project: string) => boolean): boolean {
  const projects = [...parameters.join(' ').matchAll(/--project[= ](\S+)/g)].map(([, name = '']) => name);
  return projects.length === 0 || projects.some(isSuch);
}

function installChromium(): void {
  console.log('No Chromium was found: trying to install the one that Playwright knows.');
  run(
    process.execPath,
    [join(root, 'node_modules/playwright-core/cli.js'), 'install', '--no-progress', 'chromium'],
    installTimeoutMs,
  );
  if (findChromium() === null && process.platform === 'linux' && process.getuid?.() === 0 && isOnPath('apt-get')) {
    console.log("Playwright's Chromium could not be had: trying Debian's package.");
    run('apt-get', ['update', '-q'], installTimeoutMs);
    for (const name of ['chromium-headless-shell', 'chromium']) {
      if (findChromium() === null) {
        run('apt-get', ['install', '-q', '-y', '--no-install-recommends', name], installTimeoutMs);
      }
    }
  }
}

async function main(given: readonly string[]): Promise<number> {
  if (Number(process.versions.node.split('.')[0]) < 24) {
    return run(join(root, 'node_modules/.bin/node'), [import.meta.filename, ...given]);
  }
  const parameters = chooseTests(given);
  const vitest = [process.execPath, join(root, 'node_modules/vitest/vitest.mjs'), 'run', ...parameters];
  const skipped: string[] = [];
  if (runs(parameters, (project) => ['servers', 'e2e'].includes(project)) && findPostgres().length === 0) {
    skipped.push(
      `SKIPPED: tests on a PostgreSQL server: ${process.platform === 'linux' ? 'none is installed (Debian: apt-get install postgresql)' : 'on Linux alone'}`,
    );
  }
  if (runs(parameters, (project) => project === 'servers') && !hasMariadb()) {
    skipped.push('SKIPPED: tests on a MariaDB server: none is installed (Debian: apt-get install mariadb-server-core)');
  }
  if (runs(parameters, (project) => project === 'servers') && !hasTryton()) {
    const packages = 'tryton-server tryton-modules-stock-lot-sled';
    skipped.push(`SKIPPED: tests on a Tryton server: none is installed (Debian: apt-get install ${packages})`);
  }
  if (runs(parameters, (project) => project === 'unit') && !hasWixl()) {
    skipped.push('SKIPPED: tests of the MSI: no wixl (Debian: apt-get install wixl msitools)');
  }
  // These need a browser or a display.
  if (runs(parameters, (project) => !withoutBrowser.includes(project))) {
    if (findChromium() === null) {
      installChromium();
    }
    const chromium = findChromium();
    if (chromium === null) {
      skipped.push(
        'SKIPPED: tests in Chromium: none was found and none could be installed (TILLSIDE_CHROMIUM may name one)',
      );
    } else {
      console.log(`Chromium: ${chromium}`);
    }
    if (!['', '0', 'false', undefined].includes(process.env['TILLSIDE_PACKAGED']) && isStale(root, packaged)) {
      console.log('Packaging the app for tests of what ships.');
      run(process.execPath, [join(root, 'build/package.ts')], installTimeoutMs);
    }
    if (
      process.platform === 'linux' &&
      (process.env['DISPLAY'] ?? '') === '' &&
      isOnPath('xvfb-run') &&
      isOnPath('xauth')
    ) {
      vitest.unshift('xvfb-run', '-a');
      // Only so that the search below sees what vitest will see; xvfb-run sets the real one.
      process.env['DISPLAY'] = ':xvfb';
    }
    const electron = findElectron();
    if ('missing' in electron) {
      skipped.push(`SKIPPED: tests in Electron: ${electron.missing}`);
    } else {
      const { devDependencies } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
        readonly devDependencies: Readonly<Record<string, string>>;
      };
      const doubt = whyNoProof(runtimeVersion(electron.executablePath), devDependencies['electron'] ?? '');
      console.log(`Electron: ${electron.executablePath}${doubt === null ? '' : ` (${doubt})`}`);
      if (doubt !== null && isShippedRequired) {
        console.log('FAILED: TILLSIDE_REQUIRE_SHIPPED asks for the runtime that ships.');
        return 1;
      }
    }
  }
  const [command = '', ...rest] = vitest;
  const code = run(command, rest);
  for (const line of skipped) {
    console.log(line);
  }
  return code;
}

const [first, ...others] = process.argv.slice(2);
if (first === '--night') {
  // Read once, when a process starts.
  process.env['TILLSIDE_NIGHT'] = '1';
  process.exitCode = run(process.execPath, [import.meta.filename, '--long', ...others]);
} else if (first === '--all') {
  // Each in a process of its own, for `main` prepares the environment of one.
  const runSelf = (...given: string[]): number => run(process.execPath, [import.meta.filename, ...given]);
  process.exitCode = runSelf(...others) || runSelf('--long', ...others);
} else {
  process.exitCode = await main(process.argv.slice(2));
}
