import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';
import type { PlatformCalls, PlatformOptions } from './platform-worker.ts';

type Name = keyof PlatformCalls;

export interface WeekPlatform {
  /** Asks the platform's thread; no time passes, virtual or of this thread's, until it has answered. */
  call<Called extends Name>(
    name: Called,
    ...parameters: Parameters<PlatformCalls[Called]>
  ): Awaited<ReturnType<PlatformCalls[Called]>>;
  close(): Promise<void>;
}

const patienceMs = 60_000;

/** Starts the platform of a simulated week. */
export function startWeekPlatform(options: Omit<PlatformOptions, 'port' | 'signal'>): WeekPlatform {
  const { port1, port2 } = new MessageChannel();
  const signal = new SharedArrayBuffer(4);
  const flag = new Int32Array(signal);
  const worker = new Worker(new URL('platform-worker.ts', import.meta.url), {
    workerData: { ...options, port: port2, signal } satisfies PlatformOptions,
    transferList: [port2],
  });
  port1.unref();
  return {
    call: (name, ...parameters) => {
      Atomics.store(flag, 0, 0);
      port1.postMessage({ name, parameters });
      // The word about the answer before may wake this wait as well.
      while (Atomics.load(flag, 0) === 0) {
        if (Atomics.wait(flag, 0, 0, patienceMs) === 'timed-out') {
          throw new Error(`the platform does not answer: ${name}`);
        }
      }
      return (receiveMessageOnPort(port1) as { readonly message: Awaited<ReturnType<PlatformCalls[typeof name]>> })
        .message;
    },
    close: async () => {
      port1.close();
      await worker.terminate();
    },
  };
}
