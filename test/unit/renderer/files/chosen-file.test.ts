// The proof that a film which was chosen by mistake costs no memory, and that what cannot be read is no error of the page.
import { expect, test } from 'vitest';
import { isCalledList, readChosen, readChosenText } from '../../../../renderer/files/chosen-file.ts';

/** A file of this text that counts what is read of it. */
function counted(text: string) {
  const read: number[] = [];
  const of = (blob: Blob): Blob =>
    Object.assign(blob, {
      slice: (from: number, to: number) => of(Blob.prototype.slice.call(blob, from, to)),
      arrayBuffer: () => {
        read.push(blob.size);
        return Blob.prototype.arrayBuffer.call(blob);
      },
      text: () => {
        read.push(blob.size);
        return Blob.prototype.text.call(blob);
      },
    });
  return { file: of(new Blob([text])), read };
}

test('of a file that is too large, no more is read than shows it', async () => {
  const { file, read } = counted('x'.repeat(5000));
  expect((await readChosen(file, 100))?.length).toBe(101);
  expect(await readChosenText(file, 100)).toBe('x'.repeat(101));
  expect(read).toEqual([101, 101]);
});

test('one that is not is read whole, without a byte order mark', async () => {
  expect(await readChosenText(counted('\uFEFF{"é":1}').file, 100)).toBe('{"é":1}');
  expect(await readChosenText(new Blob([Buffer.from('\uFEFF{"é":1}', 'utf16le')]), 100)).toBe('{"é":1}');
});

test('one that is gone, or that another program holds, is null', async () => {
  const gone = Object.assign(new Blob(['x']), {
    slice: () => ({ arrayBuffer: () => Promise.reject(new DOMException('gone', 'NotReadableError')) }),
  }) as unknown as Blob;
  expect(await readChosen(gone, 100)).toBeNull();
  expect(await readChosenText(gone, 100)).toBeNull();
});

test('a list is known by the ending of its name, in any letters', () => {
  expect(['a.csv', 'A.TXT', 'b.c.Xlsx'].map(isCalledList)).toEqual([true, true, true]);
  const others = [
    'settings.json',
    'settings.json.damaged-2026-01-01',
    'queue.db',
    'tillside.log',
    'csv',
    'a.csv.new',
    '',
  ];
  expect(others.filter(isCalledList)).toEqual([]);
});
