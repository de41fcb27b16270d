import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PassOrder, PassReport, PassWorkerData } from './pass-worker.ts';
import type { PassResult } from './pass.ts';

/** Thrown by a pass that changed nothing, with the reason. */
export class PassError extends Error {
  override readonly name = 'PassError';
}

/** Starts the thread with the first pass, and again after it has ended by itself. */
export function createPassThread(workerData: PassWorkerData, now: () => number) {
  let worker: Worker | null = null;

  const ask = async (order: PassOrder): Promise<PassReport> => {
    worker ??= new Worker(new URL('./pass-worker.ts', import.meta.url), { workerData });
    const asked = worker;
    const ended = new AbortController();
    const gone = (): void => {
      worker = null;
      ended.abort();
    };
    asked.once('exit', gone);
    try {
      asked.postMessage(order);
      // Rejects with what the thread throws, too.
      const [report] = (await once(asked, 'message', { signal: ended.signal })) as [PassReport];
      return report;
    } catch (error) {
      worker = null;
      throw ended.signal.aborted ? new PassError('the thread that reads the source has ended') : error;
    } finally {
      asked.off('exit', gone);
    }
  };
  const pass = async (): Promise<PassResult> => {
    const loaded = await ask({ do: 'load' });
    // The moment of the change is that at which tills can see it.
    const report = loaded.done === 'load' ? await ask({ do: 'apply', now: now() }) : loaded;
    if (report.done !== 'apply') {
      throw new PassError(report.done === 'nothing' ? report.problem : 'the pass has no end');
    }
    return report.result;
  };

  return {
    /** Reads the source; not to be asked while it does. Throws PassError. */
    update: pass,
    close: async (): Promise<void> => {
      const last = worker;
      if (last !== null) {
        const exited = once(last, 'exit');
        last.postMessage({ do: 'end' } satisfies PassOrder);
        await exited;
      }
    },
  };
}
