// The proof that no folder, link or half of a file that lies where a host is about to write ends a start, is followed,
// or costs more than itself.
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { requireTemporaryFolder } from '../../../app/hosts/node/data-directory.ts';
import { openKeptJson } from '../../../app/hosts/node/kept-json.ts';
import { openLog } from '../../../app/hosts/node/log-file.ts';
import { openJsonFile, openSettings } from '../../../app/hosts/node/settings-file.ts';
import { temporaryDirectory } from '../../support/temporary.ts';

const isWindows = process.platform === 'win32';

/** The leftovers that may lie at a place; each answers what must still be so afterwards. */
const leftovers: readonly (readonly [string, (place: string) => () => void])[] = [
  ['a folder', (place) => (mkdirSync(place), () => expect(statSync(place).isDirectory()).toBe(true))],
  [
    'a folder with a file in it',
    (place) => {
      mkdirSync(place);
      writeFileSync(join(place, 'kept'), 'kept');
      return () => expect(readFileSync(join(place, 'kept'), 'utf8')).toBe('kept');
    },
  ],
  ['half of a file', (place) => (writeFileSync(place, '{"ha'), () => undefined)],
  ...(isWindows
    ? []
    : [
        [
          'a link to another file',
          (place: string) => {
            writeFileSync(`${place}.other`, 'kept');
            symlinkSync(`${place}.other`, place);
            return () => expect(readFileSync(`${place}.other`, 'utf8')).toBe('kept');
          },
        ] as const,
      ]),
];

test('nobody can take the names by which it is tried whether the system lets anything be written', () => {
  const folder = temporaryDirectory();
  // Other users may write among temporary files, too, and cannot be told to remove what they have put there.
  for (let count = 1; count <= 100; count += 1) {
    mkdirSync(join(folder, `.trial-${process.pid}${count === 1 ? '' : `-${count}`}`));
  }
  expect(() => requireTemporaryFolder(folder)).not.toThrow();
  expect(readdirSync(folder)).toHaveLength(100);
});

test.each(leftovers)('where a file is written before it takes its place lies %s', (_what, leave) => {
  const folder = temporaryDirectory();
  const path = join(folder, 'kept.json');
  const expectKept = leave(`${path}.new`);
  const schema = z.strictObject({ count: z.number() }).catch({ count: 0 });
  expect(openKeptJson(path, schema, 1_000).change({ count: 7 })).toBe(true);
  expect(openKeptJson(path, schema, 1_000).get()).toEqual({ count: 7 });
  expectKept();
});

test.each(leftovers)('where damaged settings are set aside lies %s', (_what, leave) => {
  const folder = temporaryDirectory();
  writeFileSync(join(folder, 'settings.json'), '{"cut');
  const expectKept = leave(join(folder, 'settings.json.damaged-2026-01-05T00-00-00.000Z'));
  const { setAside, settingsFile } = openSettings(folder, Date.UTC(2026, 0, 5), openJsonFile);
  expect(readFileSync(setAside ?? '', 'utf8')).toBe('{"cut');
  expect(settingsFile.read()).toBeNull();
  expectKept();
});

test('a file that could not take its place is not left behind', () => {
  const folder = temporaryDirectory();
  const path = join(folder, 'kept.json');
  mkdirSync(join(path, 'inside'), { recursive: true });
  const schema = z.strictObject({ count: z.number() }).catch({ count: 0 });
  expect(openKeptJson(path, schema, 1_000).change({ count: 7 })).toBe(false);
  expect(readdirSync(folder)).toEqual(['kept.json']);
});

test('a folder where the older log belongs does not let the log grow without end', () => {
  const dataDirectory = temporaryDirectory();
  const folder = join(dataDirectory, 'logs');
  mkdirSync(join(folder, 'tillside.older.log', 'inside'), { recursive: true });
  const { write, lines } = openLog({ dataDirectory, now: () => 0, maxBytes: 1_000 });
  for (let count = 0; count < 100; count += 1) {
    write('info', `line ${count}`);
  }
  expect(statSync(join(folder, 'tillside.log')).size).toBeLessThan(1_200);
  expect(lines().at(-1)).toContain('line 99');
  expect(existsSync(join(folder, 'tillside.older.log', 'inside'))).toBe(true);
});

test('of a log that has grown without end, as where it cannot be renamed, the newest lines alone are read', () => {
  const dataDirectory = temporaryDirectory();
  const { write, lines } = openLog({ dataDirectory, now: () => 0 });
  write('info', 'the first');
  const line = `${JSON.stringify({ message: 'é'.repeat(1000) })}\n`;
  appendFileSync(join(dataDirectory, 'logs', 'tillside.log'), line.repeat(5000));
  appendFileSync(join(dataDirectory, 'logs', 'tillside.log'), `${JSON.stringify({ message: 'the last' })}\n`);
  const read = lines();
  expect(read.at(-1)).toContain('the last');
  expect(new Set(read.slice(0, -1))).toEqual(new Set([line.trimEnd()]));
  expect(Buffer.byteLength(read.join('\n'))).toBeLessThanOrEqual(4_000_000);
});
