import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { say } from '../../build/launch.ts';
import { startChild } from '../support/child.ts';
import { residentBytes } from './terminal-host.ts';

const searchPeer = fileURLToPath(new URL('./search-peer.ts', import.meta.url));
const maxBuildMs = 600_000;
const textsSearched = 500;
const heapMegabytes = 14_000;

const searchLibraries = ['MiniSearch', 'FlexSearch', 'SQLite FTS5'] as const;

export interface SearchPeer {
  readonly name: (typeof searchLibraries)[number];
  readonly buildMs: number;
  readonly p50: number;
  readonly p99: number;
  readonly memoryBytes: number;
}

/** A peer that never gets ready, or runs out of memory, is not a number. */
const unready: Omit<SearchPeer, 'name'> = {
  buildMs: Number.NaN,
  p50: Number.NaN,
  p99: Number.NaN,
  memoryBytes: Number.NaN,
};

async function measureLibrary(
  library: string,
  cardsPath: string,
  textsPath: string,
): Promise<Omit<SearchPeer, 'name'>> {
  const child = startChild(process.execPath, [
    '--expose-gc',
    `--max-old-space-size=${heapMegabytes}`,
    searchPeer,
    library,
    cardsPath,
    textsPath,
  ]);
  try {
    const [, measured = ''] = await child.waitForLine(/^measured (.*)$/, maxBuildMs);
    return {
      ...(JSON.parse(measured) as { readonly buildMs: number; readonly p50: number; readonly p99: number }),
      memoryBytes: residentBytes(child),
    };
  } catch (error) {
    say(`${library}: ${String(error).slice(0, 200)}`);
    return unready;
  } finally {
    await child.stop('SIGKILL');
  }
}

/** Measures them one after the other over a file of cards. */
export async function measureSearchPeers(
  directory: string,
  cardsPath: string,
  texts: readonly string[],
): Promise<readonly SearchPeer[]> {
  const textsPath = join(directory, 'texts.json');
  // Evenly from all of them, in an order in which any part is like the whole.
  writeFileSync(
    textsPath,
    JSON.stringify(Array.from({ length: textsSearched }, (_unused, place) => texts[(place * 7_919) % texts.length])),
  );
  const none = await measureLibrary('none', cardsPath, textsPath);
  const peers: SearchPeer[] = [];
  for (const name of searchLibraries) {
    const measured = await measureLibrary(name, cardsPath, textsPath);
    peers.push({ ...measured, name, memoryBytes: measured.memoryBytes - none.memoryBytes });
  }
  return peers;
}
