// Tests of all that every command does before its own code is read.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDirectory } from '../../../build/project.ts';

const { scripts } = JSON.parse(readFileSync(join(projectDirectory, 'package.json'), 'utf8')) as {
  readonly scripts: Readonly<Record<string, string>>;
};
// `format` is oxfmt's own command, with oxfmt's own --help.
const commands = Object.entries(scripts).filter(([name]) => name !== 'format');

/** Runs a command's line by this Node, as npm does, with these flags before and after it. */
function run(name: string, before: readonly string[], after: readonly string[]) {
  const [, ...line] = (scripts[name] ?? '').split(' ');
  return spawnSync(process.execPath, [...before, ...line, ...after], {
    cwd: projectDirectory,
    encoding: 'utf8',
    env: { ...process.env, npm_lifecycle_event: name },
  });
}

test('a Node that reads no TypeScript says so before any is read', () => {
  expect(commands.length).toBeGreaterThan(20);
  for (const [name, line] of commands) {
    expect(line, name).toMatch(/^node --import=\.\/build\/command\.mjs /);
  }
  const old = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "22.17.9" } })';
  const { status, stderr, stdout } = run('check', [`--import=data:text/javascript,${encodeURIComponent(old)}`], []);
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
  expect(stderr.trim().split('\n')).toEqual([
    `This is Node 22.17.9; Tillside's commands need 22.18 or newer. "npm ci" brings one along, but not with --ignore-scripts.`,
  ]);
});

test.for(commands.filter(([name]) => !['serve', 'platform', 'start'].includes(name)))(
  '--help of npm run %s says how it is used and does nothing else',
  ([name]) => {
    const { stdout, stderr } = run(name, [], ['--help']);
    expect(`${stdout}${stderr}`).toMatch(new RegExp(`^(?:Usage: )?(?:npm run )?(?:${name}|package:dir)\\b`));
  },
);

test.for([
  ['serve', 'tillside'],
  ['start', 'tillside'],
  ['platform', 'npm run platform'],
])('--help of npm run %s is the first that it says', ([name = '', program]) => {
  const { status, stdout, stderr } = run(name, [], ['--help']);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toMatch(new RegExp(`^Usage: ${program ?? ''} `));
});
