import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { bundleOf } from '../../build/build.ts';
import { leaveOut, withoutFetch } from '../../build/left-out.ts';
import { projectDirectory } from '../../build/project.ts';

/**
 * Bundles a program of the project into the folder, as the packaged app is bundled, and answers the path of the script.
 * It starts with a third of the computing that its sources take. What it finds by its own place, it finds where its
 * sources do.
 */
export async function bundleProgram(folder: string, entry: string): Promise<string> {
  const fileName = `${basename(entry, '.ts')}.js`;
  const { build: options, ...configuration } = bundleOf(entry, fileName, 'es');
  await build({
    ...configuration,
    define: { 'import.meta.url': JSON.stringify(pathToFileURL(join(projectDirectory, entry)).href) },
    build: { ...options, outDir: folder },
    plugins: [leaveOut(), withoutFetch()],
    logLevel: 'warn',
  });
  return join(folder, fileName);
}
