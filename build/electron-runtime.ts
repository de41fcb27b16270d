import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fail, succeed, type Result } from '../app/domain/result.ts';
import { projectDirectory, registryRuntimeDirectory } from './project.ts';

const downloadDeadlineMs = 5 * 60_000;
const packageDirectory = join(projectDirectory, 'node_modules', 'electron');

const executableNames: Readonly<Record<string, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

function executableIn(directory: string): string | null {
  const path = join(directory, executableNames[process.platform] ?? 'electron');
  return existsSync(path) ? path : null;
}

function downloadedExecutable(): string | null {
  // The package writes path.txt last, when its runtime is whole.
  return existsSync(join(packageDirectory, 'path.txt')) ? executableIn(join(packageDirectory, 'dist')) : null;
}

/** Answers the path of an Electron executable that is on this machine already, or null. */
export function findElectron(): string | null {
  const named = process.env['ELECTRON_OVERRIDE_DIST_PATH'] ?? '';
  return (
    (named === '' ? null : executableIn(named)) ?? executableIn(registryRuntimeDirectory) ?? downloadedExecutable()
  );
}

/** The version of a runtime, as the file beside its executable says it; null when there is none. */
export function runtimeVersion(executable: string): string | null {
  const folder = process.platform === 'darwin' ? join(dirname(executable), '..', '..', '..') : dirname(executable);
  const path = join(folder, 'version');
  return existsSync(path) ? readFileSync(path, 'utf8').trim().replace(/^v/, '') : null;
}

/**
 * Why a run with this runtime proves nothing of the package, which ships the one that package.json names; null when it
 * is the same.
 */
export function whyNoProof(version: string | null, namedVersion: string): string | null {
  return version === namedVersion
    ? null
    : `this runtime is Electron ${version ?? 'of an unknown version'}, and the package ships ${namedVersion}: no proof of the package`;
}

/**
 * Like findElectron, but lets the electron package download its runtime when there is none. Fails with one sentence.
 */
export function obtainElectron(say: (line: string) => void): Result<string, string> {
  const found = findElectron();
  if (found !== null) {
    return succeed(found);
  }
  const { version } = JSON.parse(readFileSync(join(packageDirectory, 'package.json'), 'utf8')) as { version: string };
  say(
    `Fetching the runtime of Electron ${version} (about 120 MB, once; given up after ${downloadDeadlineMs / 60_000} minutes) ...`,
  );
  const download = spawnSync(process.execPath, [join(packageDirectory, 'install.js')], {
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: downloadDeadlineMs,
    encoding: 'utf8',
  });
  const downloaded = downloadedExecutable();
  if (download.status === 0 && downloaded !== null) {
    return succeed(downloaded);
  }
  const reason = download.error ? 'it took too long' : (download.stderr.trim().split('\n')[0] ?? 'unknown reason');
  return fail(`Electron's runtime cannot be had from its makers here (${reason})`);
}

/**
 * The variables that Electron is started with. On Linux Chromium loads no preload script from a folder with accents
 * unless the locale is UTF-8, so it is given one where there is none; the language stays.
 */
export function electronEnvironment(environment: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  if (process.platform !== 'linux') {
    return environment;
  }
  const { stdout } = spawnSync('locale', ['charmap'], { env: environment, encoding: 'utf8' });
  if (stdout?.trim() === 'UTF-8') {
    return environment;
  }
  const names = ['LANGUAGE', 'LC_ALL', 'LC_MESSAGES', 'LANG'].map((name) => environment[name] ?? '');
  return { ...environment, LC_ALL: 'C.UTF-8', LANGUAGE: names.find((name) => name !== '')?.replace(/\..*/, '') };
}
