import { execFileSync } from 'node:child_process';
import fs, {
  chmodSync,
  chownSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  bringBackFormer,
  forgetFormer,
  formerOf,
  freeBytesBeside,
  mayReplace,
  replaceProgram,
  watchNewProgram,
} from '../../../../app/hosts/updates/former-program.ts';
import { freshName } from '../../../../app/storage/names-beside.ts';
import { createManualClock } from '../../../support/manual-clock.ts';
import { temporaryDirectory } from '../../../support/temporary.ts';

function replaced(): { readonly place: string; readonly fetched: string } {
  const folder = temporaryDirectory();
  const [place, fetched] = [join(folder, 'Tillside.AppImage'), join(folder, 'fetched')];
  writeFileSync(place, 'old');
  writeFileSync(fetched, 'new');
  replaceProgram(fetched, place);
  return { place, fetched };
}

test('the former program stays beside the new one until that has answered (U10)', () => {
  const { place } = replaced();
  expect(readFileSync(place, 'utf8')).toBe('new');
  expect(readFileSync(formerOf(place), 'utf8')).toBe('old');
  if (process.platform !== 'win32') {
    expect(statSync(place).mode & 0o111).toBe(0o111);
  }
  expect(forgetFormer(place)).toBe(true);
  expect(existsSync(formerOf(place))).toBe(false);
  expect(forgetFormer(place)).toBe(false);
});

test('the program that has answered once is the one that is kept, over two updates', () => {
  const { place, fetched } = replaced();
  writeFileSync(fetched, 'newest');
  replaceProgram(fetched, place);
  expect(readFileSync(formerOf(place), 'utf8')).toBe('old');
  bringBackFormer(place);
  expect(readFileSync(place, 'utf8')).toBe('old');
  expect(existsSync(formerOf(place))).toBe(false);
});

test('where a folder cannot be flushed the program is replaced, and brought back, all the same', () => {
  vi.spyOn(fs, 'fsyncSync').mockImplementation((file) => {
    if (fs.fstatSync(file).isDirectory()) {
      throw new Error('EINVAL: invalid argument, fsync');
    }
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  syncBuiltinESMExports();
  const { place } = replaced();
  expect(readFileSync(place, 'utf8')).toBe('new');
  expect(readFileSync(formerOf(place), 'utf8')).toBe('old');
  bringBackFormer(place);
  expect(readFileSync(place, 'utf8')).toBe('old');
});

test('two that replace it at the same time put whole programs in its place (U10)', () => {
  const folder = temporaryDirectory();
  const [place, ones, others] = ['Tillside.AppImage', 'ones', 'others'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(place, 'old');
  writeFileSync(ones, "one's");
  writeFileSync(others, "other's");
  const otherPid = 3_999_999;
  const pid = vi.spyOn(process, 'pid', 'get');
  vi.spyOn(fs, 'fsyncSync').mockImplementationOnce(() => {
    // The copy is there, and not yet in its place. The other process is ended amid its own.
    const copy = join(folder, '.Tillside.AppImage.new');
    pid.mockReturnValueOnce(otherPid);
    expect(() => {
      replaceProgram(others, place, (wanted) => {
        const name = freshName(wanted);
        if (wanted.startsWith(copy)) {
          writeFileSync(name, 'half');
        }
        return name;
      });
    }).toThrow('EEXIST');
  });
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  syncBuiltinESMExports();
  replaceProgram(ones, place);
  expect(readFileSync(place, 'utf8')).toBe("one's");
  expect(readFileSync(formerOf(place), 'utf8')).toBe('old');
  // What the ended one has left goes with the next.
  replaceProgram(others, place);
  expect(readFileSync(place, 'utf8')).toBe("other's");
  expect(readdirSync(folder).toSorted()).toEqual(['Tillside.AppImage', 'Tillside.AppImage.former', 'ones', 'others']);
});

test('what ended processes have left beside the program takes no room from an update', () => {
  const folder = temporaryDirectory();
  const place = join(folder, 'Tillside.AppImage');
  writeFileSync(place, 'old');
  // What cannot be removed keeps nothing else.
  mkdirSync(join(folder, '.Tillside.AppImage.copy'));
  for (const name of ['new', 'new-3999999', 'new-3999999-2', `new-${process.pid}`, 'other']) {
    writeFileSync(join(folder, `.Tillside.AppImage.${name}`), 'half');
  }
  expect(freeBytesBeside(place)).toBeGreaterThan(0);
  expect(readdirSync(folder).toSorted()).toEqual(
    ['.copy', `.new-${process.pid}`, '.other'].map((name) => `.Tillside.AppImage${name}`).concat('Tillside.AppImage'),
  );
});

test('what cannot be put in place leaves the program as it was', () => {
  const folder = temporaryDirectory();
  const place = join(folder, 'Tillside.AppImage');
  mkdirSync(place);
  writeFileSync(join(folder, 'fetched'), 'new');
  linkSync(join(folder, 'fetched'), join(folder, 'other'));
  expect(() => {
    replaceProgram(join(folder, 'fetched'), place);
  }).toThrow(/EISDIR|EPERM|EACCES/);
  expect(statSync(place).isDirectory()).toBe(true);
  expect(readdirSync(folder).toSorted()).toEqual(['Tillside.AppImage', 'fetched', 'other']);
});

describe.skipIf(process.platform === 'win32')('where another user may put files beside the program', () => {
  function prepared() {
    const folder = temporaryDirectory();
    const [place, fetched, target] = ['Tillside.AppImage', 'fetched', 'target'].map((name) => join(folder, name));
    writeFileSync(place ?? '', 'old');
    writeFileSync(fetched ?? '', 'new');
    writeFileSync(target ?? '', 'precious');
    return { folder, place: place ?? '', fetched: fetched ?? '', target: target ?? '' };
  }

  const planted: readonly [string, (target: string, name: string) => void][] = [
    ['a link', (target, name) => symlinkSync(target, name)],
    ['a link to nowhere', (target, name) => symlinkSync(`${target}-2`, name)],
    ['another name of a file', (target, name) => linkSync(target, name)],
    ['a folder', (_target, name) => mkdirSync(name)],
  ];

  test.each(planted)('%s that is put in place of the copy is not written through', (_, plant) => {
    const { folder, place, fetched, target } = prepared();
    const before = readdirSync(folder);
    expect(() => {
      // Between the look at the name and the copying.
      replaceProgram(fetched, place, (wanted) => {
        const name = freshName(wanted);
        plant(target, name);
        return name;
      });
    }).toThrow(/EEXIST|EISDIR/);
    expect(readFileSync(target, 'utf8')).toBe('precious');
    expect(existsSync(`${target}-2`)).toBe(false);
    expect(statSync(target).mode & 0o111).toBe(0);
    expect(readFileSync(place, 'utf8')).toBe('old');
    expect(readdirSync(folder)).toEqual([...before, `.Tillside.AppImage.new-${process.pid}`].toSorted());
  });

  test.each(planted.slice(0, 2))('%s in the place of the former program is not taken for it', (_, plant) => {
    const { place, fetched, target } = prepared();
    plant(target, formerOf(place));
    replaceProgram(fetched, place);
    expect(lstatSync(formerOf(place)).isFile()).toBe(true);
    expect(readFileSync(formerOf(place), 'utf8')).toBe('old');
    bringBackFormer(place);
    expect(readFileSync(place, 'utf8')).toBe('old');
  });

  test('a link that took the place of the former program meanwhile does not come into that of the program', () => {
    const { place, fetched, target } = prepared();
    replaceProgram(fetched, place);
    forgetFormer(place);
    symlinkSync(target, formerOf(place));
    expect(() => {
      bringBackFormer(place);
    }).toThrow('no former program of ours');
    expect(readFileSync(place, 'utf8')).toBe('new');
  });

  test('a folder in the place of the former program is no program, and nothing is replaced', () => {
    const { place, fetched } = prepared();
    mkdirSync(formerOf(place));
    expect(() => {
      replaceProgram(fetched, place);
    }).toThrow(/EISDIR|directory/);
    expect(readFileSync(place, 'utf8')).toBe('old');
  });

  /** Whether its owner, another user and an administrator may, with these rights of the folder. */
  function mayThey(folder: string, place: string, mode: number): readonly boolean[] {
    const user = vi.spyOn(process, 'geteuid');
    onTestFinished(() => user.mockRestore());
    chmodSync(folder, mode);
    return [statSync(place).uid, 65_533, 0].map((uid) => {
      user.mockReturnValue(uid);
      return mayReplace(place);
    });
  }

  test('where all may write, but move only what is theirs, nobody else may replace it', () => {
    const { folder, place } = prepared();
    chmodSync(place, 0o777);
    expect(mayThey(folder, place, 0o777)).toEqual([true, true, true]);
    expect(mayThey(folder, place, 0o1777)).toEqual([true, false, true]);
  });

  test('nobody may replace it where its own user has made it read-only', () => {
    const { folder, place } = prepared();
    chmodSync(place, 0o555);
    expect(mayThey(folder, place, 0o777)).toEqual([false, false, false]);
  });

  test.skipIf(process.getuid?.() !== 0)('who may write a folder may replace the program of another member', () => {
    const { folder, place } = prepared();
    const group = 65_532;
    chownSync(folder, 0, group);
    chmodSync(folder, 0o770);
    chownSync(place, 65_534, group);
    chmodSync(place, 0o755);
    const module = join(import.meta.dirname, '../../../../app/hosts/updates/former-program.ts');
    // Another user may not read where the tests lie.
    const script = `
      import { mayReplace } from ${JSON.stringify(pathToFileURL(module))};
      const [place, uid, gid] = process.argv.slice(1);
      process.setgroups([]);
      process.setgid(Number(gid));
      process.setuid(Number(uid));
      console.log(mayReplace(place));`;
    const ask = (uid: number, gid: number): string =>
      execFileSync(process.execPath, ['--input-type=module', '-e', script, '--', place, String(uid), String(gid)], {
        encoding: 'utf8',
      }).trim();
    expect([ask(65_533, group), ask(65_533, 65_533), ask(65_534, group)]).toEqual(['true', 'false', 'true']);
  });

  test.skipIf(process.getuid?.() !== 0)("a former program of another user's is replaced by ours", () => {
    const { place, fetched } = prepared();
    writeFileSync(formerOf(place), 'evil', { mode: 0o755 });
    chownSync(formerOf(place), 65_534, 65_534);
    replaceProgram(fetched, place);
    expect(readFileSync(formerOf(place), 'utf8')).toBe('old');
  });

  test.skipIf(process.getuid?.() !== 0)("a program of another user's that we replace comes back (U10)", () => {
    const { folder, place, fetched } = prepared();
    chownSync(place, 65_534, 65_534);
    replaceProgram(fetched, place);
    expect(readFileSync(place, 'utf8')).toBe('new');
    bringBackFormer(place);
    expect(readFileSync(place, 'utf8')).toBe('old');
    expect(statSync(place).mode & 0o111).toBe(0o111);
    expect(readdirSync(folder).toSorted()).toEqual(['Tillside.AppImage', 'fetched', 'target']);
  });

  test.skipIf(process.getuid?.() !== 0)("of another user's two programs the one that has answered comes back", () => {
    const { folder, place, fetched } = prepared();
    writeFileSync(formerOf(place), 'has answered', { mode: 0o755 });
    chownSync(formerOf(place), 65_534, 65_534);
    chownSync(place, 65_534, 65_534);
    replaceProgram(fetched, place);
    expect(readFileSync(place, 'utf8')).toBe('new');
    bringBackFormer(place);
    expect(readFileSync(place, 'utf8')).toBe('has answered');
    expect(readdirSync(folder).toSorted()).toEqual(['Tillside.AppImage', 'fetched', 'target']);
  });

  test.skipIf(process.getuid?.() !== 0)(
    "what a third user has put there is not taken for another user's program",
    () => {
      const { place, fetched } = prepared();
      writeFileSync(formerOf(place), 'evil', { mode: 0o755 });
      chownSync(formerOf(place), 65_533, 65_533);
      chownSync(place, 65_534, 65_534);
      replaceProgram(fetched, place);
      expect(readFileSync(formerOf(place), 'utf8')).toBe('old');
      writeFileSync(formerOf(place), 'evil');
      chownSync(formerOf(place), 65_534, 65_534);
      expect(() => {
        bringBackFormer(place);
      }).toThrow('no former program of ours');
    },
  );
});

test('a new program that ends badly before it has answered has failed; one in order is left', async () => {
  const clock = createManualClock();
  const { place } = replaced();
  expect(await watchNewProgram(place, Promise.resolve(false), clock)).toBe('failed');
  expect(await watchNewProgram(place, Promise.resolve(true), clock)).toBe('left');
  forgetFormer(place);
  expect(await watchNewProgram(place, Promise.resolve(false), clock)).toBe('answered');
});

test('a new program that runs is waited for, two minutes at most', async () => {
  const clock = createManualClock();
  const { place } = replaced();
  const runs = new Promise<boolean>(() => undefined);
  const silent = watchNewProgram(place, runs, clock);
  await clock.advance(121_000);
  expect(await silent).toBe('left');
  const answers = watchNewProgram(place, runs, clock);
  await clock.advance(10_000);
  forgetFormer(place);
  await clock.advance(1000);
  expect(await answers).toBe('answered');
});
