//   C1  A checkpoint is answered once: by the thread, or with "not done" when the thread cannot start, has ended or is
//       too slow; whoever asked then does it by itself.
//   C2  A thread that has ended or was too slow is not started again before the app is.
//   C3  When a checkpoint of a living thread is answered, the thread has let the files go.
import { Worker } from 'node:worker_threads';
import type { Clock, Shell } from '../ports.ts';
import type { CheckpointAnswer, CheckpointRequest } from './checkpoint-worker.ts';

/** The disk may be slow; but who waits so long waits for a thread that hangs. */
const patienceMs = 20_000;
/** Its own heap holds next to nothing; what SQLite uses is not part of it. */
const heapMegabytes = 16;

export interface CheckpointThread {
  /** Empties the log of the database at this path. Answers whether that is done (C1). */
  checkpoint(path: string): Promise<boolean>;
  /** Ends the thread; what it is doing it finishes. */
  close(): Promise<void>;
}

export interface CheckpointThreadOptions {
  /** checkpoint-worker.ts, or what it was built into. */
  readonly workerPath: string;
  readonly clock: Clock;
  readonly log: Shell['log'];
}

/** Answers checkpoints from a thread that begins with the first of them. */
export function createCheckpointThread({ workerPath, clock, log }: CheckpointThreadOptions): CheckpointThread {
  const waiting = new Map<number, (isDone: boolean) => void>();
  let worker: Worker | null = null;
  let isGone = false;
  let hasWorked = false;
  let last = 0;

  function settle(number: number, isDone: boolean): void {
    waiting.get(number)?.(isDone);
    waiting.delete(number);
  }

  /** From now on whoever asks does it by itself. */
  function giveUp(reason: string): void {
    if (!isGone) {
      isGone = true;
      log('warning', 'the thread for checkpoints is gone; the main thread does them from now on', { reason });
    }
    for (const number of waiting.keys()) {
      settle(number, false);
    }
  }

  function start(): Worker {
    const started = new Worker(workerPath, {
      name: 'checkpoints',
      resourceLimits: { maxOldGenerationSizeMb: heapMegabytes },
      execArgv: [],
    });
    // It never keeps the process alive.
    started.unref();
    started.on('message', ({ number, failure }: CheckpointAnswer) => {
      if (failure === null && !hasWorked) {
        hasWorked = true;
        log('info', 'checkpoints are done in a thread of their own');
      }
      if (failure !== null) {
        log('warning', 'a checkpoint failed in its thread', { reason: failure });
      }
      settle(number, failure === null);
    });
    started.on('error', (error) => {
      giveUp(String(error).slice(0, 500));
    });
    started.on('exit', (code) => {
      giveUp(`it ended with ${String(code)}`);
    });
    return started;
  }

  return {
    checkpoint: (path) => {
      if (isGone) {
        return Promise.resolve(false);
      }
      worker ??= start();
      last += 1;
      const request: CheckpointRequest = { number: last, path };
      return new Promise((resolve) => {
        const deadline = clock.after(patienceMs, () => {
          giveUp(`it did not answer within ${String(patienceMs)} ms`);
          void worker?.terminate();
        });
        waiting.set(request.number, (isDone) => {
          deadline.cancel();
          resolve(isDone);
        });
        worker?.postMessage(request);
      });
    },
    close: async () => {
      isGone = true;
      await worker?.terminate();
    },
  };
}
