import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, onTestFinished, test } from 'vitest';
import { bundleProgram } from '../../support/bundle-program.ts';
import { bareEnvironment } from '../../support/child.ts';
import { makeTemporaryDirectory, temporaryDirectory } from '../../support/temporary.ts';

const isRoot = process.getuid?.() === 0;
/** "nobody": root is bound by no mark. */
const boundUser = isRoot ? { uid: 65_534, gid: 65_534 } : {};

/** Of the bound user's own, where a till finds what the one before has compiled: most of a start is that. */
const compiled = makeTemporaryDirectory();
if (isRoot) {
  chownSync(compiled.path, 65_534, 65_534);
}
let opener = '';
beforeAll(async () => {
  opener = await bundleProgram(compiled.path, 'test/support/open-till.ts');
  return () => compiled.remove();
});

interface Reported {
  readonly kind: string;
  readonly failure?: string;
  readonly words?: readonly string[];
  readonly notices?: readonly string[];
  readonly storage?: string;
}

function start(directory: string): Reported {
  const line =
    execFileSync(process.execPath, [opener, directory], {
      ...boundUser,
      env: { ...bareEnvironment(), HOME: directory, NODE_NO_WARNINGS: '1', NODE_COMPILE_CACHE: compiled.path },
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
      .at(-1) ?? '';
  return JSON.parse(line) as Reported;
}

/** A till that has been used once, in a folder of the bound user's own. */
function usedTill(parent = temporaryDirectory()): string {
  const directory = join(parent, 'till');
  mkdirSync(directory, { recursive: true });
  if (isRoot) {
    chmodSync(parent, 0o755);
    chownSync(directory, 65_534, 65_534);
  }
  expect(start(directory)).toMatchObject({ kind: 'opened' });
  return directory;
}

const queueOf = (directory: string): string => join(directory, 'store', 'queue.db');

const copyOf = (directory: string): string =>
  join(directory, 'store', readdirSync(join(directory, 'store')).find((name) => /^catalogue.*\.db$/.test(name)) ?? '');

const isMarkless = process.platform === 'win32';

const marks: readonly (readonly [string, (directory: string) => string, number, 'opened' | 'storageFailed'])[] = [
  ['queue.db may not be written to', queueOf, 0o444, 'opened'],
  ['queue.db may not be read', queueOf, 0o000, 'storageFailed'],
  ['the store may not be written to', (directory) => join(directory, 'store'), 0o555, 'opened'],
  ['the store may not be looked into', (directory) => join(directory, 'store'), 0o000, 'storageFailed'],
  ['the copy may not be written to', copyOf, 0o444, 'opened'],
];

test.skipIf(isMarkless).each(marks)('%s: told, and nothing is harmed', (_what, pathOf, mode, expected) => {
  const directory = usedTill();
  const path = pathOf(directory);
  const { mode: modeBefore } = statSync(path);
  // Files beside a marked one may be written to.
  const marked = [queueOf(directory), copyOf(directory)].filter((file) => file.startsWith(path));
  const before = marked.map((file) => readFileSync(file));
  chmodSync(path, mode);
  onTestFinished(() => {
    if (existsSync(path)) {
      chmodSync(path, modeBefore);
    }
  });
  const outcome = start(directory);
  if (expected === 'opened') {
    expect(outcome).toMatchObject({ kind: 'opened', notices: ['storageRefused'], storage: 'refusing' });
  } else {
    expect(outcome).toMatchObject({ kind: 'refused', failure: expected });
    expect(new Set(outcome.words).size).toBe(3);
    expect(outcome.words?.[0]).toContain(`Tillside cannot read or write its data folder ${directory}. Give this user`);
  }
  chmodSync(path, modeBefore);
  expect(marked.map((file, place) => before[place]?.equals(readFileSync(file)))).toEqual(marked.map(() => true));
  expect(start(directory)).toMatchObject({ kind: 'opened', notices: [], storage: 'fine' });
});
