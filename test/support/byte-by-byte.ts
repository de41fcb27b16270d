import type { Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Writes so many chunks of one byte each (RFC 9112 §7.1), as fast as they are taken, and the end of the body. */
export function writeBytes(socket: Socket, count: number): void {
  socket.setNoDelay();
  // Each in a turn of its own: of what comes together Node makes one part.
  const writeOn = (left: number): void => {
    socket.write(left === 0 ? '0\r\n\r\n' : '1\r\nx\r\n');
    if (left > 0) {
      setImmediate(writeOn, left - 1);
    }
  };
  writeOn(count);
}

/** The megabytes that cannot be freed now. The process' whole size says too little: garbage counts in it. */
function heldMemory(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1_000_000;
}

/** The most memory that was held meanwhile beyond what was held before, in megabytes. */
export async function mostMemoryOf(action: () => Promise<unknown>): Promise<number> {
  const before = heldMemory();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, heldMemory());
  }, 500);
  try {
    await action();
  } finally {
    clearInterval(watch);
  }
  return most - before;
}
