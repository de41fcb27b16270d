import { execFileSync } from 'node:child_process';
import { existsSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { registryPostgresDirectory } from '../../build/project.ts';

/** The output of a program; null when it cannot be run or fails. */
export function outputOf(command: string, ...parameters: string[]): string | null {
  try {
    return execFileSync(command, parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    return null;
  }
}

function findAccount(): { readonly uid: number; readonly gid: number } | null {
  const name = outputOf('id', '-u', 'postgres') === null ? 'nobody' : 'postgres';
  const [uid, gid] = [outputOf('id', '-u', name), outputOf('id', '-g', name)];
  return process.getuid?.() !== 0 || uid === null || gid === null ? null : { uid: Number(uid), gid: Number(gid) };
}

/** Whom a server runs as, for it refuses to run as root; null where that is whoever runs the tests. */
export const serverAccount = process.platform === 'linux' ? findAccount() : null;

/** The program and its parameters, as the server's account runs it. */
export function asServerAccount(program: string, ...parameters: string[]): [string, string[]] {
  return serverAccount === null
    ? [program, parameters]
    : [
        'setpriv',
        [`--reuid=${serverAccount.uid}`, `--regid=${serverAccount.gid}`, '--clear-groups', program, ...parameters],
      ];
}

function outputAs(...given: Parameters<typeof asServerAccount>): string | null {
  const [program, parameters] = asServerAccount(...given);
  return outputOf(program, ...parameters);
}

/** A server that can be started here. */
export interface PostgresPrograms {
  readonly version: string;
  readonly folder: string;
}

/**
 * The servers that can be started here, each version once: the one in the folder that TILLSIDE_POSTGRES names and no other,
 * or the machine's, the newest first, and after them that of `npm run postgres:from-registry`.
 */
export function findPostgres(): readonly PostgresPrograms[] {
  if (process.platform !== 'linux') {
    return [];
  }
  const named = process.env['TILLSIDE_POSTGRES'] ?? '';
  const majorOf = (folder: string): number => Number(folder.split('/')[4]);
  const folders =
    named === ''
      ? [
          ...globSync('/usr/lib/postgresql/*/bin').toSorted((one, other) => majorOf(other) - majorOf(one)),
          outputOf('pg_config', '--bindir') ?? '',
          join(registryPostgresDirectory, 'bin'),
        ]
      : [named];
  const found = new Map<string, PostgresPrograms>();
  for (const folder of folders.filter((one) => existsSync(join(one, 'initdb')))) {
    // Null also where that account may not enter the folder.
    const version = outputAs(join(folder, 'postgres'), '--version')?.split(' ')[2];
    if (version !== undefined && !found.has(version)) found.set(version, { version, folder });
  }
  return [...found.values()];
}
