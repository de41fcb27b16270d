import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { feedName, fileFor, isOlder, readFeed } from '../../../../app/hosts/updates/feed.ts';
import {
  decideInstall,
  hasRoomBeside,
  hasRoomFor,
  maxAttempts,
  nextCheckAfter,
  type InstallFacts,
} from '../../../../app/hosts/updates/policy.ts';

const minuteMs = 60_000;
const morning: InstallFacts = {
  now: 100 * minuteMs,
  ready: { attempts: 0 },
  lastOpenAt: 0,
  isRequestUnderWay: false,
  isUnattended: true,
  isInDate: true,
};

describe('an update that lies ready', () => {
  test.each<[string, Partial<InstallFacts>, ReturnType<typeof decideInstall>]>([
    ['is installed at the first start after a night (U2)', {}, 'install'],
    ['is not there', { ready: null }, 'nothingReady'],
    ['waits while a request is under way (U3)', { isRequestUnderWay: true }, 'underWay'],
    ['waits when Tillside was open fourteen minutes ago (U4)', { lastOpenAt: 86 * minuteMs }, 'inUse'],
    ['is installed when it was open a quarter of an hour ago (U4)', { lastOpenAt: 85 * minuteMs }, 'install'],
    ['waits when nobody knows when it was open (U4)', { lastOpenAt: null }, 'inUse'],
    ['is not held up by a clock that was set back (U4)', { lastOpenAt: 101 * minuteMs }, 'install'],
    ['is tried a second time (U5)', { ready: { attempts: 1 } }, 'install'],
    ['is not tried a third time (U5)', { ready: { attempts: maxAttempts } }, 'triedEnough'],
    ['is left to the administrator (U7)', { isUnattended: false }, 'needsAdministrator'],
    ['waits while its feed is not good for this day (U8)', { isInDate: false }, 'notInDate'],
  ])('%s', (_words, change, decision) => {
    expect(decideInstall({ ...morning, ...change })).toBe(decision);
  });

  test('is never installed but when all of it holds (U2 to U8)', () => {
    const facts = fc.record({
      now: fc.nat(10_000_000),
      ready: fc.option(fc.record({ attempts: fc.nat(4) }), { nil: null }),
      lastOpenAt: fc.option(fc.nat(10_000_000), { nil: null }),
      isRequestUnderWay: fc.boolean(),
      isUnattended: fc.boolean(),
      isInDate: fc.boolean(),
    });
    fc.assert(
      fc.property(facts, (some) => {
        const mayBe =
          some.ready !== null &&
          some.ready.attempts < 2 &&
          some.lastOpenAt !== null &&
          (some.now < some.lastOpenAt || some.now - some.lastOpenAt >= 15 * minuteMs) &&
          !some.isRequestUnderWay &&
          some.isUnattended &&
          some.isInDate;
        expect(decideInstall(some) === 'install').toBe(mayBe);
      }),
    );
  });
});

test('checks are spread: minutes after the start, hours after an answer, sooner after a failure', () => {
  const hours = (ms: number): number => ms / 3_600_000;
  expect([nextCheckAfter('none', 0), nextCheckAfter('none', 1)].map((ms) => ms / minuteMs)).toEqual([3, 15]);
  expect([nextCheckAfter('answered', 0), nextCheckAfter('answered', 1)].map(hours)).toEqual([5, 7]);
  expect([nextCheckAfter('failed', 0), nextCheckAfter('failed', 1)].map(hours)).toEqual([1, 2]);
});

test('nothing is fetched where it would leave the queue without room', () => {
  expect(hasRoomFor(100_000_000, 1_300_000_000)).toBe(true);
  expect(hasRoomFor(100_000_000, 1_299_999_999)).toBe(false);
});

test('nothing is installed where it would leave the disk without room', () => {
  expect(hasRoomBeside(100_000_000, 200_000_000)).toBe(true);
  expect(hasRoomBeside(100_000_000, 199_999_999)).toBe(false);
});

describe('a signed feed', () => {
  const file = {
    url: 'Tillside-1.2.3-linux-x64.AppImage',
    sha512: `${'A'.repeat(86)}==`,
    size: 1000,
    platform: 'linux',
    architecture: 'x64',
  };
  const expires = '2026-12-01T00:00:00.000Z';
  test('is a version, and files beside it with digest and size', () => {
    expect(readFeed({ version: '1.2.3', files: [file], expires, path: 'x', releaseDate: 'y' })).toEqual({
      version: '1.2.3',
      files: [file],
      expires: Date.parse(expires),
    });
  });
  test.each([
    ['no version', { expires, files: [file] }],
    ['a version that is none', { version: 'newest', expires, files: [file] }],
    ['no files', { version: '1.2.3', expires, files: [] }],
    [
      'a file of another host',
      { version: '1.2.3', expires, files: [{ ...file, url: 'https://elsewhere.example.com/x.AppImage' }] },
    ],
    ['a file of another folder', { version: '1.2.3', expires, files: [{ ...file, url: '../x.AppImage' }] }],
    ['a file without a digest', { version: '1.2.3', expires, files: [{ url: file.url, size: 1 }] }],
    ['a file without a size', { version: '1.2.3', expires, files: [{ ...file, size: undefined }] }],
    ['a file of no system', { version: '1.2.3', expires, files: [{ ...file, platform: undefined }] }],
    ['a file of an unknown processor', { version: '1.2.3', expires, files: [{ ...file, architecture: 'mips' }] }],
    ['a file without an end', { version: '1.2.3', expires, files: [{ ...file, size: 10_000_000_000 }] }],
    ['no day until which it is good', { version: '1.2.3', files: [file] }],
    ['such a day that is none', { version: '1.2.3', expires: 'soon', files: [file] }],
    ['a list', []],
    ['nothing', null],
  ])('with %s makes no sense', (_words, document) => {
    expect(readFeed(document)).toBeNull();
  });
  test('has one file for a machine: of two that fit, none is taken', () => {
    const machine = { platform: 'linux', architecture: 'x64' } as const;
    const other = { ...file, url: 'Tillside-1.2.3-b-linux-x64.AppImage' };
    const chosen = [[file], [file, { ...file, architecture: 'arm64' }], [file, other]].map((files) => {
      const feed = readFeed({ version: '1.2.3', files, expires });
      return feed === null ? 'none' : fileFor(feed, machine);
    });
    expect(chosen).toEqual([file, file, null]);
  });
  test('has the name that packaging gives it', () => {
    expect([
      feedName('win32', 'x64'),
      feedName('linux', 'x64'),
      feedName('linux', 'arm64'),
      feedName('darwin', 'arm64'),
    ]).toEqual(['latest.yml', 'latest-linux.yml', 'latest-linux-arm64.yml', 'latest-mac.yml']);
  });
  test('has a version that comes before others as electron-updater has it, also before it is released', () => {
    // Semantic Versioning 2.0.0 §11.4, whose own example these begin with.
    const inOrder = [
      'alpha',
      'alpha.1',
      'alpha.beta',
      'beta',
      'beta.2',
      'beta.11',
      'rc.1',
      'rc10',
      'rc2',
      'rc2.1',
      'rc2-a',
    ];
    const versions = ['9', '10', '-', '0a', 'RC.1', ...inOrder].map((early) => `1.10.0-${early}`);
    const all = ['1.9.9', ...versions, '1.10.0', '1.10.1-0', '2.0.0'];
    const wrong = all.flatMap((one, place) =>
      all.flatMap((other, otherPlace) => (isOlder(one, other) === place < otherPlace ? [] : `${one} ${other}`)),
    );
    expect(wrong).toEqual([]);
  });
});
