import { spawn } from 'node:child_process';
import type { EventEmitter } from 'node:events';
import { once } from 'node:events';
import type { Clock } from '../../ports.ts';

/** Two minutes: macOS copies and checks all of a new version. */
const maxInstallMs = 120_000;

/**
 * Starts an installer for Windows in silence, which starts the app again at its end, and then calls `quit`. Rejects where
 * the system does not let it start; electron-updater would ask for an administrator's word then (U7), and quit.
 */
export async function runInstaller(installer: string, quit: () => void): Promise<void> {
  const child = spawn(installer, ['--updated', '/S', '--force-run'], { detached: true, stdio: 'ignore' });
  await once(child, 'spawn');
  child.unref();
  quit();
}

/** Starts a program, which outlives this one; answers whether it ended in order, and false where it cannot be started. */
export async function startProgram(program: string, flags: readonly string[]): Promise<boolean> {
  try {
    // Of some reasons, such as too little memory, it throws at once; others come as an event.
    const child = spawn(program, flags, { detached: true, stdio: 'ignore' });
    child.unref();
    const [code] = (await once(child, 'exit')) as [number | null];
    return code === 0;
  } catch {
    return false;
  }
}

/**
 * Has macOS replace the app, which then ends. Rejects where it refuses, or has not begun after two minutes; what it has
 * fetched later then ends nobody's work (U2).
 */
export function installByMacOs(
  updater: Pick<EventEmitter, 'once'> & { quitAndInstall(): void },
  system: Pick<EventEmitter, 'removeAllListeners'>,
  clock: Pick<Clock, 'after'>,
): Promise<never> {
  return new Promise((_resolve, reject) => {
    const refuse = (error: unknown): void => {
      timer.cancel();
      system.removeAllListeners('update-downloaded');
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const timer = clock.after(maxInstallMs, () => {
      refuse(new Error('macOS has not begun to install'));
    });
    updater.once('error', refuse);
    updater.quitAndInstall();
  });
}
