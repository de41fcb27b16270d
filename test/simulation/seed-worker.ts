// Owns one worker of the simulation: it runs the seeds that it is given, one at a time, and sends back each report. Holds no rule.
import { parentPort } from 'node:worker_threads';
import { runSeed, type SeedOptions } from './run-seed.ts';

parentPort?.on('message', (options: SeedOptions) => {
  void runSeed(options).then((report) => {
    parentPort?.postMessage(report);
  });
});
