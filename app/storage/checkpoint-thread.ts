//   C1  A checkpoint is answered once: by the thread, or with "not done" when the thread cannot start, has ended or is
//       too slow; whoever asked then does it by itself.
//   C2  A thread that has ended by itself or was too slow is not started again before the app is.
//   C3  When a checkpoint of a living thread is answered, the thread has let the files go.
//   C4  A thread that nobody has asked for a while is ended, and the next checkpoint starts another.
import { Worker } from 'node:worker_threads';
import type { Clock, Shell, Timer } from '../ports.ts';
import type { CheckpointAnswer, CheckpointRequest } from './checkpoint-worker.ts';

/** The disk may be slow; but who waits so long waits for a thread that hangs. */
const patienceMs = 20_000;
/** A thread that only waits takes some megabytes, and V8 wakes it every eight seconds. */
const idleMs = 60_000;
/** Its own heap holds next to nothing; what SQLite uses is not part of it. */
const heapMegabytes = 16;

export type CheckpointThread = ReturnType<typeof createCheckpointThread>;

export interface CheckpointThreadOptions {
  /** checkpoint-worker.ts, or what it was built into. */
  readonly workerPath: string;
  readonly clock: Clock;
  readonly log: Shell['log'];
}

/** Answers checkpoints from a thread that runs while there are any to be done. */
export function createCheckpointThread({ workerPath, clock, log }: CheckpointThreadOptions) {
  const waiting = new Map<number, (isDone: boolean) => void>();
  let worker: Worker | null = null;
  let idling: Timer | null = null;
  let isGone = false;
  let hasWorked = false;
  let last = 0;

  function settle(number: number, isDone: boolean): void {
    waiting.get(number)?.(isDone);
    waiting.delete(number);
    if (waiting.size === 0 && !isGone) {
      idling?.cancel();
      idling = clock.after(idleMs, () => {
        const idle = worker;
        worker = null; // C4
        void idle?.terminate();
      });
    }
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
    const noteEnd = (reason: string): void => {
      if (worker === started) {
        giveUp(reason);
      }
    };
    started.on('error', (error) => {
      noteEnd(String(error).slice(0, 500));
    });
    started.on('exit', (code) => {
      noteEnd(`it ended with ${String(code)}`);
    });
    return started;
  }

  return {
    /** Empties the log of the database at this path. Answers whether that is done (C1). */
    checkpoint: (path: string): Promise<boolean> => {
      if (isGone) {
        return Promise.resolve(false);
      }
      idling?.cancel();
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
    /** Ends the thread; what it is doing it finishes. */
    close: async (): Promise<void> => {
      isGone = true;
      idling?.cancel();
      await worker?.terminate();
    },
  };
}
