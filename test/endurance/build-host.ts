import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { bundleOf } from '../../build/build.ts';
import { leaveOut, withoutFetch } from '../../build/left-out.ts';
import { projectDirectory } from '../../build/project.ts';

const fileName = 'serve.js';

/**
 * Bundles the browser host into the folder, as the packaged app is bundled, and answers the path of the script. It
 * starts with a third of the computing that its sources take, and a loop of kills does little but start it. It takes
 * page, worker and version from where its sources do.
 */
export async function buildHost(folder: string): Promise<string> {
  const entry = 'app/serve.ts';
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
