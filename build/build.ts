import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build, type InlineConfig, type LogLevel, type Plugin, type Rolldown } from 'vite';
import { builtIn, leaveOut, withoutFetch } from './left-out.ts';
import { importedBy } from './page-chunks.ts';
import type { BuildPart } from './parts.ts';
import { projectDirectory, stopUnlessWritable } from './project.ts';
import { packageFolderOf } from './software.ts';
import { removeMain } from './stale.ts';

const outside = ['electron', 'keytar', ...builtIn];

/** One entry for Electron's Node 24, bundled whole. Its names stay, for the stacks in a log; comments do not. */
export function bundleOf(
  entry: string,
  output: string,
  format: 'es' | 'cjs',
  codeSplitting: Rolldown.OutputOptions['codeSplitting'] = false,
): InlineConfig {
  return {
    configFile: false,
    root: projectDirectory,
    publicDir: false,
    ssr: { noExternal: true, external: ['electron', 'keytar'] },
    build: {
      ssr: entry,
      outDir: 'dist',
      emptyOutDir: false,
      target: 'node24',
      minify: false,
      sourcemap: false,
      reportCompressedSize: false,
      rolldownOptions: {
        external: outside,
        output: {
          format,
          entryFileNames: output,
          chunkFileNames: ({ name }) => (name.startsWith('main-') ? '[name].js' : 'main-[name].js'),
          comments: false,
          charset: 'ascii',
          codeSplitting,
        },
      },
    },
  };
}

/** The window's and the tray's icons, which Electron reads as files. */
function copyIcons(outDir: string): void {
  const [from, to] = [join(projectDirectory, 'assets', 'icons'), join(outDir, 'icons')];
  cpSync(join(from, 'tray'), to, { recursive: true });
  cpSync(join(from, 'linux', '256x256.png'), join(to, 'icon.png'));
}

const terminalEntry = join(projectDirectory, 'app', 'main-terminal.ts').replaceAll('\\', '/');

const configurations: Readonly<Record<BuildPart, InlineConfig>> = {
  renderer: { configFile: join(projectDirectory, 'vite.config.ts'), root: join(projectDirectory, 'renderer') },
  main: bundleOf('app/main.ts', 'main.js', 'es', {
    // The entry stands alone: what others import from it would wait until it has ended. Beside it lies all else that is
    // read before the window is on its way; then what the terminal needs; then what few starts need.
    groups: [
      {
        name: (id) => (id.endsWith('/app/main.ts') ? null : 'main-window'),
        debugName: 'main-window',
        tags: ['$initial'],
        priority: 1,
      },
      {
        name: (id, context) =>
          id !== terminalEntry && importedBy([terminalEntry], context).has(id) ? 'main-parts' : null,
        debugName: 'main-parts',
      },
    ],
  }),
  worker: bundleOf('app/storage/checkpoint-worker.ts', 'checkpoint-worker.js', 'es'),
  preload: bundleOf('app/preload.ts', 'preload.cjs', 'cjs'),
  scannerPreload: bundleOf('app/hosts/electron/scanner-device/preload.ts', 'scanner-preload.cjs', 'cjs'),
};

/** Notes of which packages something has gone into the output. */
function noteFolders(folders: Set<string>): Plugin {
  return {
    name: 'note-packages',
    generateBundle: (_options, bundle) => {
      // Scripts, and files such as the font.
      for (const chunk of Object.values(bundle)) {
        for (const id of chunk.type === 'chunk' ? Object.keys(chunk.modules) : chunk.originalFileNames) {
          const folder = packageFolderOf(id);
          if (folder !== null) {
            folders.add(folder);
          }
        }
      }
    },
  };
}

/** One letter beyond Latin-1 would have V8 keep the whole text of a file in two bytes a letter. */
const oneByteLetters: Plugin = {
  name: 'one-byte-letters',
  generateBundle(_options, bundle) {
    for (const chunk of Object.values(bundle)) {
      const found = chunk.type === 'chunk' ? /.{0,40}[^\0-\u00ff]/.exec(chunk.code) : null;
      if (found !== null) {
        this.error(`${chunk.fileName} has a letter beyond Latin-1, write it as an escape: ${found[0]}`);
      }
    }
  },
};

/** Has main take its page from the dev server (dev-scheme.ts). */
const devScheme: Plugin = {
  name: 'dev-scheme',
  enforce: 'pre',
  resolveId: {
    filter: { id: /\/electron\/scheme\.ts$/ },
    handler: (_id, importer) => {
      const path = join(import.meta.dirname, 'dev-scheme.ts');
      return importer === path ? null : path;
    },
  },
};

/**
 * Builds these parts into dist/, or for `npm run dev` into another folder with source maps, and answers the folders of
 * the packages of which something went into them. Rejects when a source has a mistake.
 */
export async function buildApp(
  parts: readonly BuildPart[],
  logLevel: LogLevel = 'info',
  devFolder: string | null = null,
): Promise<ReadonlySet<string>> {
  const folders = new Set<string>();
  // Whoever asks may be a test, and Vite would then put React's slow development build into what people use.
  const { NODE_ENV: before } = process.env;
  process.env['NODE_ENV'] = 'production';
  if (parts.includes('main')) {
    const folder = devFolder ?? join(projectDirectory, 'dist');
    removeMain(folder);
    copyIcons(folder);
  }
  try {
    for (const part of parts) {
      const { build: options, ...configuration } = configurations[part];
      await build({
        ...configuration,
        build: devFolder === null ? { ...options } : { ...options, outDir: devFolder, sourcemap: true },
        plugins: [
          ...(part === 'main' ? [leaveOut(), withoutFetch()] : []),
          noteFolders(folders),
          oneByteLetters,
          ...(devFolder === null ? [] : [devScheme]),
        ],
        logLevel,
      });
    }
    return folders;
  } finally {
    if (before === undefined) {
      delete process.env['NODE_ENV'];
    } else {
      process.env['NODE_ENV'] = before;
    }
  }
}

if (import.meta.main) {
  stopUnlessWritable();
  await buildApp(['renderer', 'main', 'worker', 'preload', 'scannerPreload']);
}
