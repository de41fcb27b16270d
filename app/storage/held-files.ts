import { platform } from 'node:os';

const heldCodes = new Set<unknown>(['EACCES', 'EBUSY', 'EPERM']);
/** 1.3 s in all. */
const waitsMs = [10, 20, 40, 80, 160, 320, 640];

/**
 * Does something to a file, such as renaming it; on Windows again for a second while another program, such as a virus
 * scanner or an indexer, has it open. Throws what the last attempt threw.
 */
export function retryWhileHeld(action: () => void, system = platform()): void {
  for (const waitMs of system === 'win32' ? waitsMs : []) {
    try {
      action();
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && heldCodes.has(error.code))) {
        throw error;
      }
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, waitMs);
  }
  action();
}
