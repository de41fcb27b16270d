import { spawnSync } from 'node:child_process';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { temporaryDirectory } from '../../support/temporary.ts';

const root = resolve(import.meta.dirname, '../../..');

/** One of each that is counted, and of each that fails outside of a test: they are written to a folder of their own. */
const sample = {
  'states.test.ts': `
    it('is good', () => { expect(1).toBe(1); });
    it('is bad', () => { expect(1, 'the first line\\nanother').toBe(2); });
    it.skip('is left out', () => {});
    it.todo('comes later');
    describe('a suite', () => { afterAll(() => { throw new Error('after the last'); }); it('is good', () => { expect(1).toBe(1); }); });`,
  'outside.test.ts': `
    it('is good', async () => {
      void Promise.reject(new Error('left behind'));
      await new Promise((resolve) => setTimeout(resolve, 10));
      expect(1).toBe(1);
    });`,
  'unread.test.ts': "throw new Error('not to be read');",
};

it('counts each test once, and each error outside of the tests as a failure that is named', () => {
  const folder = temporaryDirectory();
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'), 'junction');
  for (const [name, text] of Object.entries(sample)) {
    writeFileSync(join(folder, name), `import { afterAll, describe, expect, it } from 'vitest';\n${text}`);
  }
  const counts = join(folder, 'counts.txt');
  writeFileSync(
    join(folder, 'vitest.config.mjs'),
    `import { CountReporter } from ${JSON.stringify(pathToFileURL(join(root, 'test/support/count-reporter.ts')).href)};
    export default { test: { reporters: [new CountReporter(${JSON.stringify(counts)})] } };`,
  );
  const { status } = spawnSync(process.execPath, [
    join(root, 'node_modules/vitest/vitest.mjs'),
    'run',
    '--root',
    folder,
  ]);
  expect(status).toBe(1);
  const [numbers, ...failures] = readFileSync(counts, 'utf8').trim().split('\n');
  expect(numbers).toBe('3 4 2');
  expect(failures.map((line) => line.replace(/ \(.*/, '')).toSorted()).toEqual([
    'FAILED: outside of any test: left behind',
    'FAILED: states.test.ts: after the last',
    'FAILED: states.test.ts: is bad: the first line',
    'FAILED: unread.test.ts: not to be read',
  ]);
});
