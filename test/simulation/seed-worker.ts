import { parentPort } from 'node:worker_threads';
import { reportCounter } from './counter/report-counter.ts';
import { reportHub } from './hub/report-hub.ts';
import type { Mutation } from './mutation.ts';
import { runSeed, type SeedOptions, type SeedReport } from './run-seed.ts';

function run(options: SeedOptions, world: Mutation['world']): Promise<SeedReport> {
  if (world === 'counter') {
    return reportCounter(options);
  }
  return world === 'hub' ? reportHub(options) : runSeed(options, world);
}

parentPort?.on('message', ({ world, ...options }: SeedOptions & Pick<Mutation, 'world'>) => {
  void run(options, world).then((report) => {
    parentPort?.postMessage(report);
  });
});
