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
