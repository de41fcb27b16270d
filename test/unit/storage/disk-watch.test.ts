import { expect, test } from 'vitest';
import { StorageError } from '../../../app/storage/database.ts';
import { createDiskWatch, type DiskState } from '../../../app/storage/disk-watch.ts';
import { createManualClock } from '../../support/manual-clock.ts';

const full = new StorageError({ kind: 'storageFull' });
const failed = new StorageError({ kind: 'storageFailed' });

function watch() {
  const clock = createManualClock();
  const reported: DiskState[] = [];
  const disk: { refusal: StorageError | null; tries: number } = { refusal: null, tries: 0 };
  const watched = createDiskWatch({
    clock,
    tryWriting: () => {
      disk.tries += 1;
      if (disk.refusal !== null) {
        throw disk.refusal;
      }
    },
    onChange: (state) => reported.push(state),
  });
  return { clock, reported, disk, watched };
}

test('a disk that is fine is looked at once, and nothing is told', async () => {
  const { clock, reported, disk, watched } = watch();
  watched.look();
  await clock.advance(3_600_000);
  expect([disk.tries, reported, watched.state(), clock.nextAlarmMs()]).toEqual([1, [], 'fine', null]);
});

test('a refusal is told once, tried again each minute, and taken back when the disk takes it', async () => {
  const { clock, reported, disk, watched } = watch();
  disk.refusal = full;
  watched.look();
  await clock.advance(180_000);
  expect([disk.tries, reported]).toEqual([4, ['full']]);
  disk.refusal = failed;
  await clock.advance(60_000);
  disk.refusal = null;
  await clock.advance(60_000);
  expect([reported, watched.state(), clock.nextAlarmMs()]).toEqual([['full', 'refusing', 'fine'], 'fine', null]);
});

test('what failed elsewhere is told at once; damage and another thread are no refusal', async () => {
  const { clock, reported, watched } = watch();
  watched.note(new StorageError({ kind: 'storageFailed' }, true));
  watched.note(new StorageError({ kind: 'alreadyRunning' }));
  expect(reported).toEqual([]);
  watched.note(failed);
  watched.note(failed);
  expect(reported).toEqual(['refusing']);
  await clock.advance(60_000);
  expect(reported).toEqual(['refusing', 'fine']);
});

test('while another program holds a file it is tried again each minute, and nothing is told', async () => {
  const { clock, reported, disk, watched } = watch();
  disk.refusal = new StorageError({ kind: 'alreadyRunning' });
  watched.look();
  await clock.advance(60_000);
  disk.refusal = null;
  await clock.advance(60_000);
  expect([disk.tries, reported, clock.nextAlarmMs()]).toEqual([3, [], null]);
});

test('nothing is tried or told once it is closed', async () => {
  const { clock, reported, disk, watched } = watch();
  disk.refusal = full;
  watched.look();
  watched.close();
  watched.note(failed);
  watched.look();
  await clock.advance(600_000);
  expect([disk.tries, reported]).toEqual([1, ['full']]);
});
