import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/temporary.ts';

const script = resolve(import.meta.dirname, '../../../build/count-tests.ts');

/** Counts a report with these files, each a list of what became of its tests, of a run that ended with this code. */
function run(files: readonly (readonly string[])[] | null, exitCode: number): SpawnSyncReturns<string> {
  const path = join(temporaryDirectory(), 'report.json');
  if (files !== null) {
    const testResults = files.map((statuses, file) => ({
      name: resolve(`test/${String(file)}.test.ts`),
      status: statuses.length === 0 || statuses.includes('failed') ? 'failed' : 'passed',
      assertionResults: statuses.map((status, index) => ({ fullName: `test ${String(index)}`, status })),
    }));
    writeFileSync(path, JSON.stringify({ testResults }));
  }
  return spawnSync(process.execPath, [script, path, String(exitCode)], { encoding: 'utf8' });
}

it.each([
  [
    'a good run',
    [
      ['passed', 'passed'],
      ['passed', 'skipped', 'pending', 'todo'],
    ],
    0,
    '3 0 3',
  ],
  ['failed tests', [['passed', 'failed'], ['failed']], 1, '1 2 0'],
  ['a file that could not be loaded', [['passed'], []], 1, '1 1 0'],
  ['a bad end without a failed test', [['passed']], 1, '1 1 0'],
  ['a run that ran nothing', [['skipped']], 0, '0 1 1'],
  ['no report', null, 0, '0 1 0'],
])('counts %s truly', (_name, files, exitCode, counts) => {
  expect(run(files, exitCode).stdout.trim()).toBe(counts);
});

it('names what failed on standard error', () => {
  expect(run([['passed', 'failed'], [], ['passed']], 1).stderr).toBe(
    'FAILED: test/0.test.ts: test 1\nFAILED: test/1.test.ts: (whole file)\n',
  );
});
