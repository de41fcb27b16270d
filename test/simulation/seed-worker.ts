import { parentPort } from 'node:worker_threads';
import { reportCounter } from './counter/report-counter.ts';
import type { Mutation } from './mutation.ts';
import { runSeed, type SeedOptions } from './run-seed.ts';

parentPort?.on('message', ({ world, ...options }: SeedOptions & Pick<Mutation, 'world'>) => {
  void (world === 'counter' ? reportCounter(options) : runSeed(options, world)).then((report) => {
    parentPort?.postMessage(report);
  });
});
