import { spawn, spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** One for each file that may run beside another; empty where the machine's own is used. */
    readonly displays: readonly string[];
  }
}

/**
 * How many files with windows may run beside each other: two more than processors, for each waits a part of its time.
 * Those of one display have one focus, one set of shortcuts and one clipboard, so each needs a display of its own, which
 * only X has for the asking.
 */
export const windowsAtATime =
  process.platform === 'linux' && spawnSync('sh', ['-c', 'command -v Xvfb']).status === 0
    ? availableParallelism() + 2
    : 1;

interface Display {
  readonly name: string;
  close(): void;
}

/** Opens a display, which goes with this process however it ends: what the shell reads then comes to its end. */
function openDisplay(): Promise<Display> {
  const server = spawn(
    'sh',
    [
      '-c',
      'Xvfb -displayfd 3 -screen 0 1280x1024x24 -nolisten tcp </dev/null & exec 3>&-; read -r _end; kill $!; wait',
    ],
    { stdio: ['pipe', 'ignore', 'ignore', 'pipe'] },
  );
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    let number = '';
    server.stdio[3]
      ?.on('data', (chunk: Buffer) => {
        number += String(chunk);
        if (number.endsWith('\n')) {
          resolve({ name: `:${number.trim()}`, close: () => server.stdin?.end() });
        }
      })
      .once('end', () => {
        reject(new Error('Xvfb has opened no display'));
      });
  });
}

/** Opens the displays for the files of this project, until the run is over. */
export async function setup(project: TestProject): Promise<() => void> {
  const displays = await Promise.all(
    Array.from({ length: windowsAtATime > 1 ? windowsAtATime : 0 }, () => openDisplay()),
  );
  project.provide(
    'displays',
    displays.map(({ name }) => name),
  );
  return () => {
    displays.forEach((display) => {
      display.close();
    });
  };
}
