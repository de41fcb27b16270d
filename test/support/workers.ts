import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';

interface WorkerRun<Work, Report> {
  /** Answers each message, a piece of work, with one, its report. */
  readonly script: URL;
  readonly works: readonly Work[];
  readonly onReport: (report: Report, work: Work) => void;
}

/**
 * Has workers make each piece of work, one a processor at a time, and hands over each report as it comes. Rejects with
 * the first error.
 */
export async function runInWorkers<Work, Report>({ script, works, onReport }: WorkerRun<Work, Report>): Promise<void> {
  const left = [...works];
  const workers: Worker[] = [];
  const serve = (worker: Worker): Promise<void> =>
    new Promise((resolve, reject) => {
      let current: Work | undefined;
      const next = (): void => {
        current = left.shift();
        if (current === undefined) {
          resolve();
        } else {
          worker.postMessage(current);
        }
      };
      worker.on('error', reject);
      worker.on('message', (report: Report) => {
        try {
          if (current !== undefined) {
            onReport(report, current);
          }
          next();
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)));
        }
      });
      next();
    });
  try {
    await Promise.all(
      Array.from({ length: Math.min(availableParallelism(), works.length) }, () => {
        const worker = new Worker(script);
        workers.push(worker);
        return serve(worker);
      }),
    );
  } finally {
    await Promise.all(workers.map((worker) => worker.terminate()));
  }
}
