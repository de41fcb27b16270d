import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PassOrder, PassReport, PassWorkerData } from './pass-worker.ts';
import type { PassResult } from './pass.ts';

/** Thrown by a pass that changed nothing, with the reason. */
export class PassError extends Error {
  override readonly name = 'PassError';
}

const endTimeoutMs = 5000;

/** Starts the thread with the first pass, and again after it has ended by itself. */
export function createPassThread(workerData: PassWorkerData, now: () => number) {
  let worker: Worker | null = null;

  const start = (): Worker => {
    const started = new Worker(new URL('./pass-worker.ts', import.meta.url), { workerData });
    // What it throws while it is asked rejects the question; it ends by that, whenever it is.
    started.on('error', () => {});
    started.once('exit', () => {
      worker = worker === started ? null : worker;
    });
    return started;
  };
  const ask = async (order: PassOrder): Promise<PassReport> => {
    const asked = (worker ??= start());
    const ended = new AbortController();
    const gone = (): void => {
      ended.abort();
    };
    asked.once('exit', gone);
    try {
      asked.postMessage(order);
      // Rejects with what the thread throws, too.
      const [report] = (await once(asked, 'message', { signal: ended.signal })) as [PassReport];
      return report;
    } catch (error) {
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
        const giveUp = setTimeout(() => void last.terminate(), endTimeoutMs);
        await exited;
        clearTimeout(giveUp);
      }
    },
  };
}
