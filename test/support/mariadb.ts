import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { startChild, type Child } from './child.ts';
import { findFreePort } from './postgres.ts';
import { makeTemporaryDirectory } from './temporary.ts';

const program = '/usr/sbin/mariadbd';
const password = 'shop-canary-5b1d';

/** Whether a MariaDB server can be started here: Debian's mariadb-server-core does. */
export function hasMariadb(): boolean {
  return existsSync(program);
}

/** What a new server runs first: its own tables, and a user with a password. */
function firstStatements(): string {
  const own = ['mysql_system_tables.sql', 'mysql_system_tables_data.sql'].map((name) =>
    readFileSync(join('/usr/share/mysql', name), 'utf8'),
  );
  return [
    'CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket=NULL;',
    ...own,
    `FLUSH PRIVILEGES;\nCREATE USER shop@'127.0.0.1' IDENTIFIED BY '${password}';`,
    "GRANT ALL ON *.* TO shop@'127.0.0.1';\n",
  ].join('\n');
}

export interface Mariadb {
  /** The address of a database of this name, with the user and password of the tests. */
  addressOf(database: string): string;
  /** The statements that it was sent. */
  log(): string;
  /** As a power cut of the process: nothing is told to it. */
  kill(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** Starts a server with data and a port of its own. `certificate` is a folder with server.crt and server.key. */
export async function startMariadb(certificate: string | null = null): Promise<Mariadb> {
  const directory = makeTemporaryDirectory();
  const tls =
    certificate === null
      ? []
      : [
          `--ssl-cert=${join(certificate, 'server.crt')}`,
          `--ssl-key=${join(certificate, 'server.key')}`,
          '--require-secure-transport',
        ];
  const path = (name: string): string => join(directory.path, name);
  // Nothing of this machine's own configuration, and whoever runs the tests.
  const user = `--user=${process.getuid?.() === 0 ? 'root' : (process.env['USER'] ?? '')}`;
  const data = `--datadir=${path('data')}`;
  mkdirSync(path('data'));
  execFileSync(program, ['--no-defaults', user, data, '--bootstrap'], {
    input: firstStatements(),
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const start = async (attemptsLeft: number): Promise<{ readonly port: number; readonly child: Child }> => {
    const port = await findFreePort();
    const child = startChild(program, [
      '--no-defaults',
      user,
      data,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      `--socket=${path('socket')}`,
      '--innodb-buffer-pool-size=16M',
      '--innodb-flush-log-at-trx-commit=0',
      '--skip-name-resolve',
      '--general-log',
      `--general-log-file=${path('statements')}`,
      ...tls,
    ]);
    try {
      await child.waitForErrorLine(/ready for connections/);
      return { port, child };
    } catch (error) {
      // Somebody else may take a port between its finding and its use.
      if (attemptsLeft === 0) throw error;
      return start(attemptsLeft - 1);
    }
  };
  const { port, child } = await start(4);
  const kill = async (): Promise<void> => {
    await child.stop('SIGKILL');
  };
  return {
    addressOf: (database) => `mariadb://shop:${password}@127.0.0.1:${port}/${database}`,
    log: () => readFileSync(path('statements'), 'utf8'),
    kill,
    remove: async () => {
      await kill();
      directory.remove();
    },
  };
}
