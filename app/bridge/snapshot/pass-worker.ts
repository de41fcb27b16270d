// The thread that reads the source once: the process that answers tills never waits for it.
import { once } from 'node:events';
import { join } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { openOrReplace } from '../../storage/recover.ts';
import { openOwnIds } from '../ledger/own-ledger.ts';
import { snapshotMigrations } from '../migrations.ts';
import { openSource, type ShopFacts } from '../sources/open-source.ts';
import type { SourceSettings } from '../sources/settings.ts';
import { reasonOf } from '../reason.ts';
import { createPass, type PassResult, type SourceStock } from './pass.ts';

/** What the thread is started with. */
export interface PassWorkerData extends ShopFacts {
  readonly folder: string;
  readonly stocks: readonly SourceStock[];
  readonly source: SourceSettings;
  /** The address of the shared ledger, where there is one. */
  readonly ledger?: string | undefined;
  /** Milliseconds since 1970. */
  readonly beganAt: number;
}

/** What it is told, once the source is read: to make that the copy as of now. */
export interface PassOrder {
  readonly now: number;
}

/** What it says: that the source is read, and what has come of it. */
export type PassReport =
  | { readonly done: 'load' }
  | { readonly done: 'apply'; readonly result: PassResult }
  | { readonly done: 'nothing'; readonly problem: string };

async function run(port: NonNullable<typeof parentPort>): Promise<void> {
  const { folder, source: settings, ledger, beganAt, ...facts } = workerData as PassWorkerData;
  const ids =
    ledger === undefined
      ? await openOwnIds(folder, beganAt)
      : (await import('../ledger/shared-ledger.ts')).openSharedIds(ledger);
  const options = { kind: 'disposable', migrations: snapshotMigrations } as const;
  const { database } = await openOrReplace(join(folder, 'snapshot.db'), options, Date.now());
  const source = await openSource(settings, facts);
  const report = (word: PassReport): void => {
    port.postMessage(word);
  };
  try {
    const pass = createPass(database, (sourceIds) => ids.idsOf(sourceIds));
    await pass.load(source);
    pass.check();
    await ids.keep();
    report({ done: 'load' });
    const [{ now }] = (await once(port, 'message')) as [PassOrder];
    const result = pass.apply(now, beganAt, facts.stocks);
    // Whoever reads a page looks first into a log that holds the whole pass, for as long as it does.
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    report({ done: 'apply', result });
  } catch (error) {
    report({ done: 'nothing', problem: reasonOf(error) });
  } finally {
    await source.close();
    database.close();
    await ids.close();
    port.close();
  }
}

if (parentPort !== null) {
  await run(parentPort);
}
