import { mkdtempSync, rmSync } from 'node:fs';
import { platform, tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/**
 * Makes an empty folder, below the system's own for such things unless said; the caller removes it. For what outlives
 * one test.
 */
export function makeTemporaryDirectory(parent = tmpdir()): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(parent, 'tillside-test'));
  return {
    path,
    remove: () => {
      const isWindows = platform() === 'win32';
      try {
        // A process that is just ending may still be writing.
        rmSync(path, { recursive: true, force: true, maxRetries: isWindows ? 0 : 10, retryDelay: 100 });
      } catch (error) {
        // Windows removes nothing that is open; what is left goes with the run (temporary-root.ts).
        if (!isWindows) {
          throw error;
        }
      }
    },
  };
}

/** Answers the path of an empty folder that is removed when the running test is over. */
export function temporaryDirectory(): string {
  const directory = makeTemporaryDirectory();
  onTestFinished(() => directory.remove());
  return directory.path;
}
