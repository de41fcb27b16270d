import type { Socket } from 'node:net';

/** Writes so many chunks of one byte each (RFC 9112 §7.1), as fast as they are taken, and the end of the body. */
export function writeBytes(socket: Socket, count: number): void {
  const atOnce = 10_000;
  const parts = '1\r\nx\r\n'.repeat(atOnce);
  const writeOn = (left: number): void => {
    socket.write(left === 0 ? '0\r\n\r\n' : parts, () => left > 0 && writeOn(left - 1));
  };
  writeOn(count / atOnce);
}

/** The most memory that the process had meanwhile beyond what it had before, in megabytes. */
export async function mostMemoryOf(action: () => Promise<unknown>): Promise<number> {
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 20);
  try {
    await action();
  } finally {
    clearInterval(watch);
  }
  return (most - before) / 1_000_000;
}
