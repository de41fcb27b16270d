import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HubServer } from '../../app/hub/address.ts';
import { startChild, type Child } from './child.ts';
import { asServerAccount, findPostgres, outputOf, serverAccount, type PostgresPrograms } from './find-postgres.ts';
import { shareOf } from './night.ts';
import { makeCertificate } from './openssl.ts';
import { makeTemporaryDirectory } from './temporary.ts';
import { listenLocally } from './listen.ts';

const servers = findPostgres();

/** Whether a PostgreSQL server can be started here; test/run.ts says how to get one. */
export function hasPostgres(): boolean {
  return servers.length > 0;
}

/** For `describe.each`: each version that can be started here, by day one of them; or one that is to be skipped. */
export function postgresVersions(): readonly PostgresPrograms[] {
  return hasPostgres() ? shareOf(servers, 1) : [{ version: 'that is not here', folder: '' }];
}

export interface Postgres {
  /** Its superuser, as the owner of a hub in the database "postgres". */
  readonly owner: HubServer & { readonly fingerprint: string };
  /** Stops or continues every process of it. */
  freeze(): void;
  thaw(): void;
  /** As a power cut of the process: nothing is told to it. */
  kill(): Promise<void>;
  /** Starts it again on the same data and the same port. */
  start(): Promise<void>;
  /** The lines that it has written to its log since it was started. */
  log(): string;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

interface PostgresOptions {
  readonly hasTls?: boolean;
  /** Lines of postgresql.conf. */
  readonly settings?: readonly string[];
  /** Of which version. */
  readonly programs?: PostgresPrograms | undefined;
}

/** A port that nobody has just now. */
export async function findFreePort(): Promise<number> {
  const server = createServer();
  const port = await listenLocally(server);
  await new Promise((resolve) => {
    server.close(resolve);
  });
  return port;
}

/** The process and those that it has started. */
function familyOf(pid: number): number[] {
  return [pid, ...(outputOf('ps', '--ppid', String(pid), '-o', 'pid=') ?? '').split(/\s+/).filter(Boolean).map(Number)];
}

const password = 'owner-canary-7f3a';

const give = (path: string): void => {
  if (serverAccount !== null) chownSync(path, serverAccount.uid, serverAccount.gid);
};

/**
 * A cluster of these programs that no server has used, which goes with the temporary files of the run. Making one costs
 * ten times as much as copying it. Workers that make it at the same time keep the one that was ready first.
 */
function preparedCluster(programs: PostgresPrograms): string {
  const prepared = join(tmpdir(), `postgres-${programs.version}`);
  if (existsSync(prepared)) {
    return join(prepared, 'data');
  }
  const directory = makeTemporaryDirectory();
  const data = join(directory.path, 'data');
  writeFileSync(join(directory.path, 'password'), password);
  mkdirSync(data);
  for (const path of [directory.path, data, join(directory.path, 'password')]) {
    give(path);
  }
  const parameters = '-D data -U postgres -A scram-sha-256 --pwfile=password -E UTF8 --locale=C --no-sync'.split(' ');
  execFileSync(...asServerAccount(join(programs.folder, 'initdb'), ...parameters), {
    stdio: 'ignore',
    cwd: directory.path,
  });
  try {
    renameSync(directory.path, prepared);
  } catch (error) {
    if (!existsSync(prepared)) throw error;
    directory.remove();
  }
  return join(prepared, 'data');
}

/** Starts a server with data and a port of its own. */
export async function startPostgres({
  hasTls = true,
  settings = [],
  programs = servers[0],
}: PostgresOptions = {}): Promise<Postgres> {
  if (programs === undefined) {
    throw new Error('no PostgreSQL can be started here');
  }
  const directory = makeTemporaryDirectory();
  give(directory.path);
  const data = join(directory.path, 'data');
  execFileSync('cp', ['-a', preparedCluster(programs), data]);
  const fingerprint = makeCertificate(data);
  give(join(data, 'server.key'));
  give(join(data, 'server.crt'));
  writeFileSync(
    join(data, 'postgresql.auto.conf'),
    [
      `ssl = ${hasTls ? 'on' : 'off'}`,
      "unix_socket_directories = ''",
      'shared_buffers = 8MB',
      // In its folder, and gone with it: what a killed server has in /dev/shm stays there.
      'dynamic_shared_memory_type = mmap',
      'max_connections = 10',
      ...settings,
      '',
    ].join('\n'),
  );

  let port = 0;
  let child: Child;
  const start = async (): Promise<void> => {
    child = startChild(
      ...asServerAccount(join(programs.folder, 'postgres'), '-D', data, '-p', String(port), '-h', '127.0.0.1'),
    );
    await child.waitForErrorLine(/database system is ready to accept connections/);
  };
  // Somebody else may take a port between its finding and its use.
  for (let attempt = 1; port === 0; attempt += 1) {
    port = await findFreePort();
    await start().catch((error: unknown) => {
      if (attempt === 5) throw error;
      port = 0;
    });
  }
  const signal = (name: NodeJS.Signals): void => {
    for (const pid of familyOf(child.process.pid ?? 0)) {
      try {
        process.kill(pid, name);
      } catch {
        // It has just ended by itself.
      }
    }
  };
  const kill = async (): Promise<void> => {
    if (child.process.exitCode === null && child.process.signalCode === null) {
      signal('SIGKILL');
    }
    await child.stop('SIGKILL');
    // The leftover of a killed server would keep the next from starting.
    rmSync(join(data, 'postmaster.pid'), { force: true });
  };
  return {
    owner: { user: 'postgres', password, host: '127.0.0.1', port, database: 'postgres', fingerprint },
    freeze: () => {
      signal('SIGSTOP');
    },
    thaw: () => {
      signal('SIGCONT');
    },
    kill,
    start,
    log: () => child.errorLines.join('\n'),
    remove: async () => {
      await kill();
      directory.remove();
    },
  };
}
