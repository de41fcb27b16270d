// The proof that a till starts on a disk that is full to any degree: it answers from its copy, says that the disk is
// full, loses nothing, and is what it was once there is room. On real file systems, where an index of a log that is
// mapped would end the process; and by a process each, for that is how one would be seen to end.
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { beforeAll, expect, onTestFinished, test, type TestContext } from 'vitest';
import { bundleProgram } from '../../support/bundle-program.ts';
import { nodeEnvironment } from '../../support/child.ts';
import { readKeptUpdates } from '../../support/kept-updates.ts';
import { leaveTills } from '../../support/left-tills.ts';
import { shareOf } from '../../support/night.ts';
import { makeTemporaryDirectory, temporaryDirectory } from '../../support/temporary.ts';

const waiting = 30;
const kibibyte = 1024;

const base = makeTemporaryDirectory();
let opener = '';
let till: Awaited<ReturnType<typeof leaveTills>>;

beforeAll(async () => {
  opener = await bundleProgram(base.path, 'test/support/open-till.ts');
  till = await leaveTills(base.path, waiting);
  expect(till.copied).toBeGreaterThan(50);
  return () => base.remove();
});

/** How the process that opens the till ends, and what it says at last. */
function start(directory: string): unknown {
  const { status, signal, stdout, stderr } = spawnSync(process.execPath, [opener, directory, till.product], {
    env: { ...nodeEnvironment(), HOME: directory, NODE_NO_WARNINGS: '1' },
    encoding: 'utf8',
  });
  return status === 0 ? lastLine(stdout) : { status, signal, stderr: stderr.slice(-2_000) };
}

function lastLine(stdout: string): unknown {
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '');
}

const opened = { kind: 'opened', found: 'found' };

type FileSystem = 'tmpfs' | 'ext4';

function isMounted(kind: FileSystem, place: string): boolean {
  if (process.getuid?.() !== 0) {
    return false;
  }
  if (kind === 'tmpfs') {
    return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', place]).status === 0;
  }
  const image = `${place}.image`;
  writeFileSync(image, Buffer.alloc(8 * kibibyte * kibibyte));
  // Blocks smaller than a page: one that has a byte on the disk may still lack room for the others.
  return (
    spawnSync('mkfs.ext4', ['-q', '-F', '-m', '0', '-b', String(kibibyte), image]).status === 0 &&
    spawnSync('mount', ['-o', 'loop', image, place]).status === 0
  );
}

/** A small file system of its own. */
function mountSmall(kind: FileSystem, context: TestContext): string {
  const place = join(temporaryDirectory(), 'disk');
  mkdirSync(place);
  if (!isMounted(kind, place)) {
    // Without a disk of its own it would have to fill the machine's.
    context.skip(`only root, with mount and mkfs, can make a small ${kind} here`);
  }
  onTestFinished(() => {
    spawnSync('umount', [place]);
  });
  return place;
}

/** Fills the disk but for so many bytes. Answers how to make room again. */
function fill(disk: string, spareBytes: number): () => void {
  const filler = join(disk, 'filler');
  execFileSync('sync', ['-f', disk]);
  const free = Number(
    execFileSync('df', ['--output=avail', '-B1', disk], { encoding: 'utf8' }).trim().split('\n').at(-1),
  );
  // Less than was said to be free may fit.
  spawnSync('sh', ['-c', `head -c ${Math.max(0, free - spareBytes)} /dev/zero > "$0"`, filler]);
  execFileSync('sync', ['-f', disk]);
  return () => rmSync(filler);
}

const kinds: readonly FileSystem[] = ['ext4', 'tmpfs'];

test.for(kinds)(
  'on %s with no room, or nearly none, a till starts, answers and says so; with room all is as before',
  { timeout: 240_000 },
  async (kind, context) => {
    const disk = mountSmall(kind, context);
    const seen = new Set<string>();
    for (const [from, spares] of [
      ['closed', shareOf([0, 10, 4, 8, 12], 2)],
      ['cut', shareOf([0, 8, 10, 100], 2)],
    ] as const) {
      for (const spare of spares) {
        const directory = join(disk, 'till');
        rmSync(directory, { recursive: true, force: true });
        cpSync(till[from], directory, { recursive: true });
        const makeRoom = fill(disk, spare * kibibyte);
        const reported = start(directory) as { readonly storage: string; readonly notices: readonly string[] };
        expect([from, spare, reported]).toMatchObject([from, spare, { ...opened, copied: till.copied }]);
        expect(reported.notices).toEqual(reported.storage === 'full' ? ['storageFull'] : []);
        expect(spare === 0 ? reported.storage : 'full').toBe('full');
        seen.add(reported.storage);
        makeRoom();
        expect([from, spare, start(directory)]).toMatchObject([
          from,
          spare,
          { ...opened, copied: till.copied, notices: [], storage: 'fine' },
        ]);
        expect(readdirSync(join(directory, 'store')).filter((name) => /damaged|-shm$/.test(name))).toEqual([]);
        const kept = await readKeptUpdates(directory);
        expect(kept.filter(({ status }) => status === 'pending' || status === 'inFlight')).toHaveLength(waiting);
      }
    }
    expect(seen).toContain('full');
  },
);

test.skipIf(process.platform === 'win32')(
  'with too few open files a till that opens keeps its copy, and one that does not says so',
  async () => {
    const seen = new Set<string>();
    for (let most = 22; !seen.has('opened') && most <= 60; most += 1) {
      const directory = join(temporaryDirectory(), 'till');
      cpSync(till.closed, directory, { recursive: true });
      const { stdout } = spawnSync(
        'sh',
        ['-c', `ulimit -n ${most}; exec "$0" "$1" "$2" "$3"`, process.execPath, opener, directory, till.product],
        { env: { ...nodeEnvironment(), HOME: directory, NODE_NO_WARNINGS: '1' }, encoding: 'utf8' },
      );
      const said = (stdout === '' ? { kind: 'did not start' } : lastLine(stdout)) as {
        readonly kind: string;
        readonly notices?: readonly string[];
      };
      seen.add([said.kind, ...(said.notices ?? [])].join(' '));
      const copy = new DatabaseSync(join(directory, 'store', 'catalogue.db'), { readOnly: true });
      expect([most, copy.prepare('SELECT count(*) AS rows FROM products').get()]).toEqual([
        most,
        { rows: till.copied },
      ]);
      copy.close();
      expect(await readKeptUpdates(directory)).toHaveLength(waiting);
    }
    expect(seen).toContain('opened');
    expect(seen).toContain('opened storageRefused');
  },
);
