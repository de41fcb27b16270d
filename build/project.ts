import { accessSync, constants } from 'node:fs';
import { join } from 'node:path';

/** The project's folder. */
export const projectDirectory = join(import.meta.dirname, '..');

/** Where `npm run electron:from-registry` puts its runtime. */
export const registryRuntimeDirectory = join(projectDirectory, '.cache', 'electron');

/** Ends a command line with this sentence. */
export function stop(message: string, exitCode = 2): never {
  process.stderr.write(`${message}\n`);
  process.exit(exitCode);
}

/** Ends a command that has to build, where this account may not: Vite would say it by a stack. */
export function stopUnlessWritable(): void {
  try {
    for (const folder of [projectDirectory, join(projectDirectory, 'node_modules')]) {
      accessSync(folder, constants.W_OK);
    }
  } catch {
    stop(
      `Tillside has to be built, and this account may not write in ${projectDirectory}. "npm run build" there, by somebody who may, is enough.`,
      1,
    );
  }
}
