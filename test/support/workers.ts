import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

interface WorkerRun<Work, Report> {
  /** Answers each message, a piece of work, with one, its report. */
  readonly script: URL;
  /** Asked for the next piece when a worker is free. */
  readonly works: Iterable<Work>;
  readonly onReport: (report: Report, work: Work) => void;
}

/**
 * Has workers make each piece of work, one a processor at a time, and hands over each report as it comes. Rejects with
 * the first error.
 */
export async function runInWorkers<Work, Report>({ script, works, onReport }: WorkerRun<Work, Report>): Promise<void> {
  const left = works[Symbol.iterator]();
  const workers: Worker[] = [];
  const serve = (first: Work): Promise<void> =>
    new Promise((resolve, reject) => {
      const worker = new Worker(script);
      workers.push(worker);
      let current = first;
      worker.on('error', reject);
      worker.on('message', (report: Report) => {
        try {
          onReport(report, current);
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
          return;
        }
        const next = left.next();
        if (next.done === true) {
          resolve();
        } else {
          current = next.value;
          worker.postMessage(current);
        }
      });
      worker.postMessage(current);
    });
  try {
    const serving: Promise<void>[] = [];
    for (let number = 0; number < availableParallelism(); number += 1) {
      const first = left.next();
      if (first.done === true) {
        break;
      }
      serving.push(serve(first.value));
    }
    await Promise.all(serving);
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
