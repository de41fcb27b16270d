// The thread that reads the source: the process that answers tills never waits for it.
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { Database } from '../../storage/database.ts';
import { openOrReplace } from '../../storage/recover.ts';
import { idMigrations, snapshotMigrations } from '../migrations.ts';
import { openSource, type ShopFacts, type SourceSettings } from '../sources/open-source.ts';
import { createIds } from './ids.ts';
import { createPass, type PassResult } from './pass.ts';

/** What the thread is started with. */
export interface PassWorkerData extends ShopFacts {
  readonly folder: string;
  readonly source: SourceSettings;
}

/** What it is told: to read the source, to make that the copy as of now, or to end. */
export type PassOrder = { readonly do: 'load' | 'end' } | { readonly do: 'apply'; readonly now: number };

/** Its answer to each order but the last. */
export type PassReport =
  | { readonly done: 'load' }
  | { readonly done: 'apply'; readonly result: PassResult }
  | { readonly done: 'nothing'; readonly problem: string };

async function run(port: NonNullable<typeof parentPort>): Promise<void> {
  const { folder, source: settings, ...facts } = workerData as PassWorkerData;
  const ids = await Database.open(join(folder, 'ids.db'), { kind: 'precious', migrations: idMigrations });
  const options = { kind: 'disposable', migrations: snapshotMigrations } as const;
  const { database } = await openOrReplace(join(folder, 'snapshot.db'), options, Date.now());
  const source = openSource(settings, facts);
  const pass = createPass(database, createIds(ids));

  const carryOut = async (order: PassOrder): Promise<PassReport | null> => {
    switch (order.do) {
      case 'load':
        await pass.load(source);
        return { done: 'load' };
      case 'apply':
        return { done: 'apply', result: pass.apply(order.now) };
      case 'end':
        await source.close();
        database.close();
        ids.close();
        port.close();
        return null;
    }
  };
  const report = async (order: PassOrder): Promise<void> => {
    try {
      const done = await carryOut(order);
      if (done !== null) {
        port.postMessage(done);
      }
    } catch (error) {
      const problem = error instanceof Error ? error.message : String(error);
      port.postMessage({ done: 'nothing', problem } satisfies PassReport);
    }
  };
  port.on('message', (order: PassOrder) => void report(order));
}

if (parentPort !== null) {
  await run(parentPort);
}
