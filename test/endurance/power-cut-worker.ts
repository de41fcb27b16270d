import { parentPort } from 'node:worker_threads';
import { cutTerminal, type CutWork } from './power-cut-run.ts';

parentPort?.on('message', (work: CutWork) => {
  void cutTerminal(work).then((report) => parentPort?.postMessage(report));
});
