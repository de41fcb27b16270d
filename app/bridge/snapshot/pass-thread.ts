import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { PassOrder, PassReport, PassWorkerData } from './pass-worker.ts';
import type { PassResult } from './pass.ts';

/** Thrown by a pass that changed nothing, with the reason. */
export class PassError extends Error {
  override readonly name = 'PassError';
}

/** It holds a batch of the source at a time; left to itself, V8 would let much more pile up before it looks. */
const resourceLimits = { maxYoungGenerationSizeMb: 8, maxOldGenerationSizeMb: 128 };

const endTimeoutMs = 5000;

/** What the worker says next. Throws what it throws, and PassError when it ends without a word. */
async function reportOf(worker: Worker, exited: Promise<unknown>): Promise<PassReport> {
  const gone = exited.then(() => {
    throw new PassError('the thread that reads the source has ended');
  });
  // Rejects with what the thread throws, too.
  const [report] = (await Promise.race([once(worker, 'message'), gone])) as [PassReport];
  return report;
}

/**
 * Reads the source once, in a thread that lives for this pass alone: between two of them it would keep memory, and a
 * connection to the source. When aborted it ends at once, and changes nothing. Throws PassError.
 */
export async function runPass(
  workerData: PassWorkerData,
  now: () => number,
  aborted: AbortSignal,
): Promise<PassResult> {
  aborted.throwIfAborted();
  const worker = new Worker(new URL('./pass-worker.ts', import.meta.url), { workerData, resourceLimits });
  const exited = new Promise((resolve) => worker.once('exit', resolve));
  // What it throws rejects the report; it ends by that, whenever it is.
  worker.on('error', () => {});
  const end = (): void => void worker.terminate();
  aborted.addEventListener('abort', end);
  try {
    const loaded = await reportOf(worker, exited);
    if (loaded.done === 'load') {
      // The moment of the change is that at which tills can see it.
      worker.postMessage({ now: now() } satisfies PassOrder);
    }
    const report = loaded.done === 'load' ? await reportOf(worker, exited) : loaded;
    if (report.done !== 'apply') {
      throw new PassError(report.done === 'nothing' ? report.problem : 'the pass has no end');
    }
    return report.result;
  } finally {
    // It has said what came of it: a connection to a server that has fallen silent would keep it for long.
    const late = setTimeout(end, endTimeoutMs);
    await exited;
    clearTimeout(late);
    aborted.removeEventListener('abort', end);
  }
}
