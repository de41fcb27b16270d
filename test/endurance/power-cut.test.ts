// The share of the power cuts that every test run makes, with the negative control, and the proofs of the disk's model
// and of the reading of records.
import { describe, expect, it, test } from 'vitest';
import { isNight } from '../support/night.ts';
import { createSeededRandom } from '../support/seeded-random.ts';
import { Disk } from './disk.ts';
import { cutTerminal, runPowerCuts, summarizePowerCuts, type CutReport } from './power-cut-run.ts';
import { LineReader, readLiteral, whyNoRecording } from './recording.ts';
import type { MadePart } from './sittings.ts';

const missing = whyNoRecording();
const cuts = isNight ? 600 : 16;

describe.skipIf(missing !== null && process.env['CI'] !== 'true')(
  `power cuts${missing === null ? '' : ` (${missing})`}`,
  () => {
    test('take nothing that was acknowledged or sent (P1 to P5)', async () => {
      const made: MadePart<CutReport>[] = [];
      const startedAt = performance.now();
      await runPowerCuts(
        [{ seed: 1, count: cuts }],
        (terminal) => {
          made.push(terminal);
        },
        { switches: 400 },
      );
      console.log(summarizePowerCuts(made, (performance.now() - startedAt) / 1000));
      expect(made.flatMap(({ failures }) => failures)).toEqual([]);
      const [report] = made.map((terminal) => terminal.report);
      expect(report).toMatchObject({ cuts, losing: 0 });
      // Something must have been at stake.
      expect(report?.acknowledged).toBeGreaterThan(cuts * 50);
      expect(report?.sent).toBeGreaterThan(cuts * 10);
    });

    test('take what was acknowledged, sent and counted from a terminal that does not wait for the disk', async () => {
      const { losses, losing } = await cutTerminal({ seed: 1, count: 40, switches: 200, synchronous: 'NORMAL' });
      expect(losing).toBeGreaterThan(10);
      expect([...new Set(losses.map(({ rule }) => rule))]).toEqual(expect.arrayContaining(['P2', 'P3', 'P4']));
    });
  },
);

describe('the disk whose power fails', () => {
  const bytes = (text: string): Buffer => Buffer.from(text);
  /** Every outcome of a hundred cuts, as text by file. */
  function outcomes(disk: Disk): Set<string> {
    return new Set(
      Array.from({ length: 100 }, (_, seed) =>
        JSON.stringify(
          [...disk.cut(createSeededRandom(String(seed)))].map(([name, content]) => [name, content.toString()]),
        ),
      ),
    );
  }

  it('keeps what was synced, and of the rest each sector or none', () => {
    const disk = new Disk();
    disk.apply({ kind: 'open', file: 1, name: 'queue.db', mayCreate: true });
    disk.apply({ kind: 'write', file: 1, offset: 0, bytes: bytes('old') });
    expect(outcomes(disk)).toContain('[]');
    disk.apply({ kind: 'sync', file: 1 });
    disk.apply({ kind: 'syncFolder' });
    expect(outcomes(disk)).toEqual(new Set(['[["queue.db","old"]]']));
    disk.apply({ kind: 'write', file: 1, offset: 0, bytes: bytes('new') });
    disk.apply({ kind: 'truncate', file: 1, length: 2 });
    expect(outcomes(disk)).toEqual(new Set(['old', 'new', 'ol', 'ne'].map((text) => `[["queue.db","${text}"]]`)));
    disk.apply({ kind: 'sync', file: 1 });
    expect(outcomes(disk)).toEqual(new Set(['[["queue.db","ne"]]']));
  });

  it('may bring back a file that was removed, unless the folder was synced since', () => {
    const disk = new Disk();
    disk.apply({ kind: 'open', file: 1, name: 'queue.db-wal', mayCreate: true });
    disk.apply({ kind: 'syncFolder' });
    disk.apply({ kind: 'unlink', name: 'queue.db-wal' });
    expect(outcomes(disk)).toEqual(new Set(['[]', '[["queue.db-wal",""]]']));
    disk.apply({ kind: 'syncFolder' });
    expect(outcomes(disk)).toEqual(new Set(['[]']));
  });

  it('tears a write that crosses sectors', () => {
    const disk = new Disk();
    disk.apply({ kind: 'open', file: 1, name: 'queue.db', mayCreate: true });
    disk.apply({ kind: 'syncFolder' });
    disk.apply({ kind: 'write', file: 1, offset: 510, bytes: bytes('abcd') });
    const ends = new Set([...outcomes(disk)].map((text) => text.replaceAll('\\u0000', '')));
    expect(ends).toEqual(new Set(['', 'ab', 'cd', 'abcd'].map((text) => `[["queue.db","${text}"]]`)));
  });
});

describe('the record of system calls', () => {
  it('reads the bytes that strace writes', () => {
    expect(readLiteral('a\\0\\0012\\377\\n\\t\\\\\\"\\33x')).toEqual(
      Buffer.from([97, 0, 1, 50, 255, 10, 9, 92, 34, 27, 120]),
    );
    expect(() => readLiteral('\\q')).toThrow('escape');
  });

  it('reads calls on the watched files, passes over what changes nothing, and refuses to guess', () => {
    const reader = new LineReader('/data/store', '/data/marks');
    const read = (line: string): unknown => reader.read(line);
    expect(read('stat("/data/store/queue.db", 0x7ffc8570f490) = -1 ENOENT (No such file or directory)')).toEqual([]);
    expect(read('openat(AT_FDCWD, "/data/store/queue.db", O_RDWR|O_CREAT|O_NOFOLLOW|O_CLOEXEC, 0644) = 21')).toEqual([
      { kind: 'open', file: 1, name: 'queue.db', mayCreate: true },
    ]);
    expect(read('pwrite64(21, "ab\\0", 3, 4096)        = 3')).toEqual([
      { kind: 'write', file: 1, offset: 4096, bytes: Buffer.from('ab\0') },
    ]);
    expect(read('ftruncate(21, 8192)                     = 0')).toEqual([{ kind: 'truncate', file: 1, length: 8192 }]);
    expect(read('fdatasync(21)                           = 0')).toEqual([{ kind: 'sync', file: 1 }]);
    expect(read('openat(AT_FDCWD, "/data/store", O_RDONLY|O_CLOEXEC) = 23')).toEqual([]);
    expect(read('fsync(23)                               = 0')).toEqual([{ kind: 'syncFolder' }]);
    expect(read('close(23)                               = 0')).toEqual([]);
    expect(read('unlink("/data/store/queue.db-wal")      = 0')).toEqual([{ kind: 'unlink', name: 'queue.db-wal' }]);
    expect(read('rename("/data/store/queue.db.new", "/data/store/queue.db") = 0')).toEqual([
      { kind: 'rename', name: 'queue.db.new', to: 'queue.db' },
    ]);
    expect(read('openat(AT_FDCWD, "/data/marks", O_WRONLY|O_CREAT|O_APPEND|O_CLOEXEC, 0666) = 24')).toEqual([]);
    expect(read('write(24, "{\\"kind\\":\\"time\\",\\"uptimeMs\\":5,\\"now\\":7}\\n", 37) = 37')).toEqual([
      { kind: 'mark', mark: { kind: 'time', uptimeMs: 5, now: 7 } },
    ]);
    expect(() => read('pwrite64(21, "ab"..., 4096, 0) = 4096')).toThrow('the record has 2 of 4096');
    expect(() => read('link("/data/store/queue.db", "/data/store/old") = 0')).toThrow('never opened');
    expect(() => read('fallocate(21, 0, 0, 4096) = 0')).toThrow('does not know');
    expect(() => read('write(21, "a", 1) = 1')).toThrow('does not know');
  });
});
