import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { findImports } from './boundaries.ts';

/** Digests by path. */
type Digests = Readonly<Record<string, string>>;

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('base64');
}

function read(path: string): Digests {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Digests;
  } catch {
    return {};
  }
}

/** The changed sources and all that import them, directly or not: their types may have changed, too. */
export function findAffected(sources: ReadonlyMap<string, string>, changed: Iterable<string>): Set<string> {
  const importers = new Map<string, string[]>();
  for (const [path, targets] of findImports(sources)) {
    for (const target of targets) {
      importers.set(target, [...(importers.get(target) ?? []), path]);
    }
  }
  const affected = new Set<string>();
  const left = [...changed];
  for (let path = left.pop(); path !== undefined; path = left.pop()) {
    if (!affected.has(path)) {
      affected.add(path);
      left.push(...(importers.get(path) ?? []));
    }
  }
  return affected;
}

/**
 * Remembers in a file which sources have passed a check. `settings` are texts on which every verdict depends.
 * `affected` are the sources to check now; `keep` is to be called when they have passed.
 */
export function watchSources(
  file: string,
  sources: ReadonlyMap<string, string>,
  settings: readonly string[],
): { readonly affected: readonly string[]; readonly keep: () => void } {
  const now: Digests = {
    settings: digestOf(settings.join('\0')),
    ...Object.fromEntries([...sources].map(([path, text]) => [path, digestOf(text)])),
  };
  const before = read(file);
  const isAnew = before['settings'] !== now['settings'];
  const paths = new Set([...sources.keys(), ...Object.keys(before)]);
  const changed = [...paths].filter((path) => path !== 'settings' && (isAnew || before[path] !== now[path]));
  // Reading all imports takes seconds; where nothing or everything has changed they say nothing.
  const affected = changed.length === 0 || isAnew ? changed : findAffected(sources, changed);
  return {
    affected: [...affected].filter((path) => sources.has(path)),
    keep: () => {
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, JSON.stringify(now));
    },
  };
}
