import { execFileSync, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DatabaseSync } from 'node:sqlite';
import { bareEnvironment } from '../../support/child.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const opener = resolve(import.meta.dirname, '../../support/open-till.ts');
const isRoot = process.getuid?.() === 0;
/** "nobody": root is bound by no mark. */
const boundUser = isRoot ? { uid: 65_534, gid: 65_534 } : {};

interface Told {
  readonly kind: string;
  readonly failure?: string;
  readonly words?: readonly string[];
  readonly notices?: readonly string[];
}

function start(directory: string): Told {
  const line =
    execFileSync(process.execPath, [opener, directory], {
      ...boundUser,
      env: { ...bareEnvironment(), HOME: directory, NODE_NO_WARNINGS: '1' },
      encoding: 'utf8',
    })
      .trim()
      .split('\n')
      .at(-1) ?? '';
  return JSON.parse(line) as Told;
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

const isMarkless = process.platform === 'win32';

const marks: readonly (readonly [string, (directory: string) => string, number, 'opened' | 'storageFailed'])[] = [
  ['queue.db may not be written to', queueOf, 0o444, 'storageFailed'],
  ['queue.db may not be read', queueOf, 0o000, 'storageFailed'],
  ['the store may not be written to', (directory) => join(directory, 'store'), 0o555, 'storageFailed'],
  ['the store may not be looked into', (directory) => join(directory, 'store'), 0o000, 'storageFailed'],
  [
    'the copy may not be written to',
    (directory) =>
      join(
        directory,
        'store',
        readdirSync(join(directory, 'store')).find((name) => /^catalogue.*\.db$/.test(name)) ?? '',
      ),
    0o444,
    'opened',
  ],
];

test.skipIf(isMarkless).each(marks)(
  '%s: told, and nothing is harmed',
  { timeout: 120_000 },
  (_what, pathOf, mode, expected) => {
    const directory = usedTill();
    const path = pathOf(directory);
    const before = readFileSync(queueOf(directory));
    const { mode: modeBefore } = statSync(path);
    chmodSync(path, mode);
    onTestFinished(() => {
      if (existsSync(path)) {
        chmodSync(path, modeBefore);
      }
    });
    const outcome = start(directory);
    if (expected === 'opened') {
      expect(outcome).toMatchObject({ kind: 'opened', notices: ['catalogueRebuilt'] });
      return;
    }
    expect(outcome).toMatchObject({ kind: 'refused', failure: expected });
    expect(new Set(outcome.words).size).toBe(3);
    expect(outcome.words?.[0]).toContain(`Tillside cannot read or write its data folder ${directory}.\n`);
    chmodSync(path, modeBefore);
    expect(readFileSync(queueOf(directory)).equals(before)).toBe(true);
    expect(start(directory)).toMatchObject({ kind: 'opened', notices: [] });
  },
);

function tryMount(path: string, size: string): boolean {
  return isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=755`, 'tmpfs', path]).status === 0;
}

test(
  'a full disk is told at the start, nothing is lost, and all goes on when there is room',
  { timeout: 120_000 },
  (context) => {
    const parent = temporaryDirectory();
    const disk = join(parent, 'disk');
    mkdirSync(disk);
    chmodSync(parent, 0o755);
    if (!tryMount(disk, '3m')) {
      // A disk that is really full needs a file system of its own; without the right to make one there is nothing to
      // test.
      context.skip('only root can make a small file system here');
      return;
    }
    onTestFinished(() => {
      spawnSync('umount', [disk]);
    });
    const directory = usedTill(disk);
    const rowsOf = (): unknown => {
      const database = new DatabaseSync(queueOf(directory));
      const count = database.prepare('SELECT count(*) AS n FROM updates').get()?.['n'];
      database.close();
      return count;
    };
    const filler = join(disk, 'filler');
    const fill = (spareBytes: number): void => {
      rmSync(filler, { force: true });
      const free = Number(
        execFileSync('df', ['--output=avail', '-B1', disk], { encoding: 'utf8' }).trim().split('\n').at(-1),
      );
      writeFileSync(filler, Buffer.alloc(Math.max(0, free - spareBytes)));
    };
    const before = rowsOf();
    const outcomes = new Set<string>();
    for (let spare = 0; spare <= 400_000; spare += 50_000) {
      fill(spare);
      const outcome = start(directory);
      expect(['opened', 'refused']).toContain(outcome.kind);
      outcomes.add(outcome.kind === 'refused' ? String(outcome.failure) : outcome.kind);
      if (outcome.kind === 'refused') {
        expect(outcome.failure).toBe('storageFull');
        expect(outcome.words?.[0]).toMatch(/^The disk is full/);
        expect(new Set(outcome.words).size).toBe(3);
      }
      expect(readdirSync(join(directory, 'store')).filter((name) => name.includes('damaged'))).toEqual([]);
    }
    expect([...outcomes].toSorted()).toEqual(['opened', 'storageFull']);
    rmSync(filler);
    expect(start(directory)).toMatchObject({ kind: 'opened', notices: [] });
    expect(rowsOf()).toBe(before);
  },
);
