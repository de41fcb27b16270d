// A real Tryton server with a shop of its own.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { connectTryton } from '../../app/bridge/sources/tryton/rpc.ts';
import { bareEnvironment, startChild } from './child.ts';
import { findFreePort } from './postgres.ts';
import { makeTemporaryDirectory } from './temporary.ts';

const programs = { server: '/usr/bin/trytond', admin: '/usr/bin/trytond-admin' } as const;
const modules = '/usr/lib/python3/dist-packages/trytond/modules/stock_lot_sled';

/** Whether a Tryton server can be started here: Debian's tryton-server and tryton-modules-stock-lot-sled do. */
export function hasTryton(): boolean {
  return [...Object.values(programs), modules].every((path) => existsSync(path));
}

/** Its administrator. */
export const trytonUser = { user: 'admin', password: 'qwzxmbvplk-9c2e4' } as const;
export const trytonDatabase = 'shop';

export interface Tryton {
  readonly address: string;
  /** Calls a method of the server as its administrator. */
  call(method: string, params: readonly unknown[], context?: object): Promise<unknown>;
  kill(): Promise<void>;
  /** Stops it and removes its data. */
  remove(): Promise<void>;
}

/** Starts a server with stock, lots and expiry dates over an empty database of its own. */
export async function startTryton(): Promise<Tryton> {
  const directory = makeTemporaryDirectory();
  const path = (name: string): string => join(directory.path, name);
  mkdirSync(path('db'));
  writeFileSync(path(`db/${trytonDatabase}.sqlite`), '');
  writeFileSync(path('password'), trytonUser.password);
  const port = await findFreePort();
  const settings = ['[database]', 'uri = sqlite://', `path = ${path('db')}`, '[web]', `listen = 127.0.0.1:${port}`, ''];
  writeFileSync(path('trytond.conf'), settings.join('\n'));
  const where = ['-c', path('trytond.conf'), '-d', trytonDatabase];
  const setUp = ['--all', '-u', 'stock_lot_sled', '--activate-dependencies', '--email', 'admin@example.com'];
  const env = { ...bareEnvironment(), TRYTONPASSFILE: path('password') };
  execFileSync(programs.admin, [...where, ...setUp], { stdio: 'ignore', env });
  const child = startChild(programs.server, where);
  const address = `http://127.0.0.1:${port}`;
  const isUp = (): Promise<boolean> =>
    fetch(address).then(
      () => true,
      () => false,
    );
  while (!(await isUp())) {
    if (child.process.exitCode !== null) {
      throw new Error(`trytond has ended: ${child.errorLines.join('\n')}`);
    }
    await wait(100);
  }
  const { call } = connectTryton({ address, database: trytonDatabase, ...trytonUser });
  const kill = async (): Promise<void> => {
    await child.stop('SIGKILL');
  };
  return {
    address,
    call: (method, params, context = {}) => call(method, params, context),
    kill,
    remove: async () => {
      await kill();
      directory.remove();
    },
  };
}
