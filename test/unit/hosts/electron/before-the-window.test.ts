import { readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../../..');
const staticImport = /^(?:import|export)\s+(?!type\b)(?:[^'";]*?\sfrom\s+)?'([^']+)'/gm;

/** All that this file has read before it runs; types are gone by then. */
function readBefore(entry: string): { readonly files: readonly string[]; readonly packages: readonly string[] } {
  const files = new Set([join(root, entry)]);
  const packages = new Set<string>();
  for (const path of files) {
    if (!path.endsWith('.json')) {
      for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(staticImport)) {
        if (name.startsWith('.')) {
          files.add(resolve(dirname(path), name));
        } else if (!isBuiltin(name)) {
          packages.add(name);
        }
      }
    }
  }
  return { files: [...files].map((path) => relative(root, path).replaceAll('\\', '/')), packages: [...packages] };
}

test('the window is on its way before the terminal, or any package, is read', () => {
  const { files, packages } = readBefore('app/main.ts');
  expect(files).toContain('app/hosts/electron/window.ts');
  expect(packages).toEqual(['electron']);
  expect(files.filter((path) => /^app\/(?:terminal|queue|catalogue|session|platform|contract)\//.test(path))).toEqual(
    [],
  );
  expect(files.length).toBeLessThan(48);
  // The control: it sees what is read behind the window.
  expect(readBefore('app/main-terminal.ts').packages).toContain('zod');
});

test('what few starts need is not read with the terminal', () => {
  const { files, packages } = readBefore('app/main-terminal.ts');
  expect(packages).not.toContain('electron-updater');
  expect(packages).not.toContain('pg');
  expect(files).not.toContain('app/training/server.ts');
  // The controls: they are read by these.
  expect(readBefore('app/hosts/electron/updater.ts').packages).toContain('electron-updater');
  expect(readBefore('app/hosts/start.ts').files).toContain('app/training/second-till.ts');
});
