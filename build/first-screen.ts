import { gzipSync } from 'node:zlib';
import { build, type Rolldown } from 'vite';
import { projectDirectory } from './project.ts';
import { join } from 'node:path';

/** The first screen weighs less than this, in bytes after gzip. */
export const maxFirstScreenBytes = 300_000;

export interface FirstScreen {
  /** Scripts, the heaviest language's sentences among them, in bytes after gzip. */
  readonly scriptBytes: number;
  readonly styleBytes: number;
  readonly fontBytes: number;
  readonly bytes: number;
}

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

/** Weighs the first screen. Throws when the page cannot be built. */
export async function weighFirstScreen(): Promise<FirstScreen> {
  const built = await build({
    configFile: join(projectDirectory, 'vite.config.ts'),
    root: join(projectDirectory, 'renderer'),
    logLevel: 'error',
    build: { write: false },
  });
  const outputs = new Map<string, Output>(
    [built].flat().flatMap((one) => ('output' in one ? one.output : []).map((file) => [file.fileName, file])),
  );
  const chunkOf = (name: string): Rolldown.OutputChunk | null => {
    const one = outputs.get(name);
    return one?.type === 'chunk' ? one : null;
  };
  const chunks = [...outputs.values()].filter((one) => one.type === 'chunk');
  const page = outputs.get('index.html');
  if (page?.type !== 'asset') {
    throw new Error('the window’s page was not built');
  }
  const read = new Set<string>();
  const styles = new Set<string>();
  const follow = (name: string): void => {
    const chunk = chunkOf(name);
    if (chunk !== null && !read.has(name)) {
      read.add(name);
      chunk.viteMetadata?.importedCss.forEach((style) => styles.add(style));
      chunk.imports.forEach(follow);
    }
  };
  for (const [, name = ''] of String(page.source).matchAll(/(?:src|href)="\.\/([^"]+)"/g)) {
    follow(name);
    if (name.endsWith('.css')) {
      styles.add(name);
    }
  }
  const weigh = (text: string | Uint8Array): number => gzipSync(text, { level: 9 }).length;
  const sentences = chunks
    .filter(({ facadeModuleId }) => /[\\/]locales[\\/][a-zA-Z-]+\.json$/.test(facadeModuleId ?? ''))
    .map(({ code }) => weigh(code));
  const scriptBytes =
    [...read].reduce((sum, name) => sum + weigh(chunkOf(name)?.code ?? ''), 0) + Math.max(0, ...sentences);
  const styleBytes = [...styles].reduce((sum, name) => {
    const style = outputs.get(name);
    return sum + (style?.type === 'asset' ? weigh(style.source) : 0);
  }, 0);
  // Compressed as it is; the first screen waits for it.
  const fontBytes = [...outputs.values()].reduce(
    (sum, one) => sum + (one.type === 'asset' && one.fileName.endsWith('.woff2') ? one.source.length : 0),
    0,
  );
  return { scriptBytes, styleBytes, fontBytes, bytes: scriptBytes + styleBytes + fontBytes };
}
