import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDirectory } from '../../../build/project.ts';

interface FiguresTable {
  readonly head: string;
  /** From the heading above it to the next one. */
  readonly section: string;
}

const units = String.raw`(?:ms|µs|s|min|[kMG]i?B|frames|%)`;
const withUnit = new RegExp(String.raw`\d ${units}(?!\w)`);
const words = new RegExp(String.raw`\b(?:${units}|missed|never|to)(?!\w)`, 'g');
/** For a whole row or column: its cells may be bare numbers. */
const ofTime = /\b(?:ms|MB)\b/;

/** The tables of a document that hold measured figures: three cells or more of digits, with units and no other words. */
function tablesOfFigures(text: string): readonly FiguresTable[] {
  return text.split(/^(?=#{1,6} )/m).flatMap((section) =>
    [...section.matchAll(/^\|(.*)\|\n\|[-: |]+\|\n((?:\|.*\n?)+)/gm)].flatMap(([, head = '', body = '']) => {
      const figures = body.split('\n').flatMap((line) => {
        const [first = '', ...cells] = line.split('|').slice(1, -1);
        return [first, ...cells].filter(
          (cell) =>
            /\d/.test(cell) &&
            !/\p{L}/u.test(cell.replaceAll(words, '')) &&
            (withUnit.test(cell) || ofTime.test(head) || ofTime.test(first)),
        );
      });
      return figures.length >= 3 ? [{ head, section }] : [];
    }),
  );
}

/** The runtime by which a table was measured, such as "Node 24.21.0". */
const runtime = /\b(?:Electron|Node|Chromium) \d+(?:\.\d+)*\b/;

const documents = globSync(['*.md', '{app,build,docs,renderer,test}/**/*.md'], { cwd: projectDirectory }).map(
  (path) => ({ path, tables: tablesOfFigures(readFileSync(join(projectDirectory, path), 'utf8')) }),
);

test('every table of figures says in its section which runtime they were measured with', () => {
  expect(documents.flatMap(({ tables }) => tables).length).toBeGreaterThan(10);
  expect(
    documents.flatMap(({ path, tables }) =>
      tables.filter(({ section }) => !runtime.test(section)).map(({ head }) => `${path}: ${head.trim()}`),
    ),
  ).toEqual([]);
});

test('a table of figures without a runtime is found, and one of words is none', () => {
  const figures =
    '## Speed\n\n| | before | now |\n|---|---:|---:|\n| a scan | 3 ms | 2 ms |\n| a start | 1.2 s | 900 ms |\n';
  expect(tablesOfFigures(figures)).toHaveLength(1);
  expect(runtime.test(tablesOfFigures(figures)[0]?.section ?? '')).toBe(false);
  expect(tablesOfFigures('| key | does |\n|---|---|\n| F1 | help, in 2 s |\n| F2 | 3 things |\n| F3 | 4 |\n')).toEqual(
    [],
  );
});

test('one Electron is declared; any other that is named is the one that figures were taken with', () => {
  const { devDependencies } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8')) as {
    devDependencies: Record<string, string>;
  };
  const { packages } = JSON.parse(readFileSync(join(projectDirectory, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { readonly version?: string }>;
  };
  const declared = devDependencies['electron'] ?? '';
  expect(packages['node_modules/electron']?.version).toBe(declared);
  const evaluated = /^const version = '([\d.]+)';$/m.exec(
    readFileSync(join(projectDirectory, 'build/electron-from-registry.ts'), 'utf8'),
  )?.[1];
  expect(evaluated).toMatch(/^\d+\.\d+\.\d+$/);
  const reported = [
    ...globSync(['*.{md,yml,json}', '{app,build,docs,renderer,test}/**/*.{ts,tsx,md,json}', '.github/**/*'], {
      cwd: projectDirectory,
      exclude: (name) => /(?:package-lock\.json|node_modules)$/.test(name),
    }),
  ].filter((path) => /\.(?:ts|tsx|md|json|yml|sh)$/.test(path));
  const named = reported.flatMap((path) =>
    [
      ...readFileSync(join(projectDirectory, path), 'utf8').matchAll(
        /electron\W{1,10}(?:version\W{1,10})?(\d+\.\d+\.\d+)/gi,
      ),
    ].map(([, version = '']) => `${path}: ${version}`),
  );
  expect(named.length).toBeGreaterThan(0);
  expect(named.filter((one) => !one.endsWith(`: ${declared}`) && !one.endsWith(`: ${evaluated ?? ''}`))).toEqual([]);
});
