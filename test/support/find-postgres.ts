import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';

/** The output of a program; null when it cannot be run or fails. */
export function outputOf(command: string, ...parameters: string[]): string | null {
  try {
    return execFileSync(command, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

/**
 * The folder of PostgreSQL's programs: the one that TILLSIDE_POSTGRES names, or that of the newest version; null where no
 * server is installed.
 */
export function findPostgres(): string | null {
  if (process.platform !== 'linux') {
    return null;
  }
  const versionOf = (folder: string): number => Number(folder.split('/')[4]);
  const folders = [
    process.env['TILLSIDE_POSTGRES'] ?? '',
    ...globSync('/usr/lib/postgresql/*/bin').toSorted((one, other) => versionOf(other) - versionOf(one)),
    outputOf('pg_config', '--bindir') ?? '',
  ];
  return folders.find((folder) => ['initdb', 'postgres'].every((name) => existsSync(join(folder, name)))) ?? null;
}
