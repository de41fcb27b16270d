import { join } from 'node:path';
import { expect, test } from 'vitest';
import { findAffected, watchSources } from '../../../build/changed-sources.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const sources = new Map([
  ['app/a.ts', 'export const a = 1;'],
  ['app/b.ts', "import { a } from './a.ts';"],
  ['renderer/c.ts', "export { b } from '../app/b.ts';"],
  ['renderer/d.ts', "const late = await import('./c.ts');"],
  ['renderer/e.ts', "import x from './other.ts';"],
]);

test('a change concerns all that import it, directly or not', () => {
  expect([...findAffected(sources, ['app/a.ts'])].toSorted()).toEqual([
    'app/a.ts',
    'app/b.ts',
    'renderer/c.ts',
    'renderer/d.ts',
  ]);
  expect([...findAffected(sources, ['renderer/e.ts'])]).toEqual(['renderer/e.ts']);
});

test('what has passed is not checked again until it, what it imports, or the settings change', () => {
  const file = join(temporaryDirectory(), 'kept/lint.json');
  const first = watchSources(file, sources, ['strict']);
  expect(first.affected).toHaveLength(5);
  expect(watchSources(file, sources, ['strict']).affected).toHaveLength(5);
  first.keep();
  expect(watchSources(file, sources, ['strict']).affected).toEqual([]);
  expect(watchSources(file, new Map([...sources, ['app/b.ts', '']]), ['strict']).affected.toSorted()).toEqual([
    'app/b.ts',
    'renderer/c.ts',
    'renderer/d.ts',
  ]);
  expect(watchSources(file, sources, ['loose']).affected).toHaveLength(5);
});

test('a source that has gone concerns those that import it', () => {
  const file = join(temporaryDirectory(), 'lint.json');
  watchSources(file, sources, []).keep();
  const fewer = new Map([...sources].filter(([path]) => path !== 'renderer/c.ts'));
  expect(watchSources(file, fewer, []).affected).toEqual(['renderer/d.ts']);
});
