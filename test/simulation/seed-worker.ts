import { parentPort } from 'node:worker_threads';
import { reportCounter } from './counter/report-counter.ts';
import { reportHub, type HubOptions } from './hub/report-hub.ts';
import type { Mutation } from './mutation.ts';
import { runSeed, type SeedOptions, type SeedReport } from './run-seed.ts';

/** The request to a worker. */
export type Work = SeedOptions & HubOptions & Pick<Mutation, 'world'>;

function run(options: SeedOptions & HubOptions, world: Mutation['world']): Promise<SeedReport> {
  if (world === 'counter') {
    return reportCounter(options);
  }
  return world === 'hub' ? reportHub(options) : runSeed(options, world);
}

parentPort?.on('message', ({ world, ...options }: Work) => {
  void run(options, world).then((report) => {
    parentPort?.postMessage(report);
  });
});
