import { mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isStale, removeMain } from '../../../build/stale.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const part = { sources: ['source', 'single.ts'], output: 'dist/output.js' };

function makeProject(): string {
  const directory = temporaryDirectory();
  mkdirSync(join(directory, 'source', 'deep'), { recursive: true });
  mkdirSync(join(directory, 'dist'));
  writeFileSync(join(directory, 'source', 'deep', 'one.ts'), '');
  writeFileSync(join(directory, 'single.ts'), '');
  writeFileSync(join(directory, 'dist', 'output.js'), '');
  for (const path of ['source/deep/one.ts', 'source/deep', 'source', 'single.ts']) {
    utimesSync(join(directory, path), 1000, 1000);
  }
  utimesSync(join(directory, 'dist', 'output.js'), 2000, 2000);
  return directory;
}

test('what is newer than all of its sources is not stale', () => {
  expect(isStale(makeProject(), part)).toBe(false);
});

test.each(['source/deep/one.ts', 'single.ts', 'source/deep'])('a change of %s makes it stale', (path) => {
  const directory = makeProject();
  utimesSync(join(directory, path), 3000, 3000);
  expect(isStale(directory, part)).toBe(true);
});

test('what is missing is stale, and a missing source is a mistake', () => {
  const directory = makeProject();
  rmSync(join(directory, 'dist', 'output.js'));
  expect(isStale(directory, part)).toBe(true);
  expect(() => isStale(directory, { ...part, sources: ['none'] })).toThrow('none');
});

test('of the main process nothing is left that an earlier build made, and of all else everything', () => {
  const directory = temporaryDirectory();
  const others = ['checkpoint-worker.js', 'icons.txt', 'mainly.js', 'preload.cjs', 'renderer'];
  mkdirSync(join(directory, 'icons', 'deep'), { recursive: true });
  for (const name of [...others, 'main.js', 'main-stale.js', 'main-stale.js.map', 'icons/.env', 'icons/deep/old.png']) {
    writeFileSync(join(directory, name), '');
  }
  removeMain(directory);
  expect(readdirSync(directory).toSorted()).toEqual(others);
  removeMain(join(directory, 'none'));
});
