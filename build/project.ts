import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The project's folder. */
export const projectDirectory = join(import.meta.dirname, '..');

/** What package.json says of the product: its version, whose it is and where it is found. */
export const product = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8')) as {
  readonly version: string;
  readonly author: { readonly name: string };
  readonly homepage: string;
  readonly repository: { readonly url: string };
  readonly bugs: { readonly url: string };
  readonly devDependencies: Readonly<Record<string, string>>;
};

/** Where `npm run electron:from-registry` puts its runtime. */
export const registryRuntimeDirectory = join(projectDirectory, '.cache', 'electron');

/** Where `npm run postgres:from-registry` puts its server. */
export const registryPostgresDirectory = join(projectDirectory, '.cache', 'postgres');

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
