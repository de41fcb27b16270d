import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';
import { searchNamedFoldersAlone } from '../../../../app/hosts/node/program-search.ts';

test('on Windows no program is looked for in the folder of the start, elsewhere nothing is changed', () => {
  for (const [system, left] of [
    ['win32', { Path: 'C:\\Windows\\System32', NoDefaultCurrentDirectoryInExePath: '1' }],
    ['linux', { Path: 'C:\\Windows\\System32' }],
    ['darwin', { Path: 'C:\\Windows\\System32' }],
  ] as const) {
    const environment: NodeJS.ProcessEnv = { Path: 'C:\\Windows\\System32' };
    searchNamedFoldersAlone(system, environment);
    expect([system, environment]).toEqual([system, left]);
  }
});

test('that holds before a start does anything else, in both hosts', () => {
  const start = readFileSync(join(resolve(import.meta.dirname, '../../../..'), 'app/hosts/start.ts'), 'utf8');
  expect(start).toMatch(
    /async function startTerminal\([^)]*\): Promise<StartedTerminal> \{\s+searchNamedFoldersAlone\(\);/,
  );
});
