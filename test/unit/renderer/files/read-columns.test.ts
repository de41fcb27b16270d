// The proof that no file, whatever somebody has made it of, takes the page's memory or its time.
import { expect, test } from 'vitest';
import { codeHeadings, maxFileBytes, readColumns } from '../../../../renderer/files/read-columns.ts';
import { maxCells } from '../../../../renderer/files/workbook/read-workbook.ts';
import { workbookOf } from './workbook-parts.ts';

const read = async (bytes: Uint8Array) => {
  const file = await readColumns(bytes, [['code', codeHeadings]]);
  return typeof file === 'string' ? file : file.rows.map(({ fields }) => fields.code);
};

/** Sets a field of 32 bits in every entry of the archive's directory. */
function rewritten(bytes: Uint8Array, offset: number, value: number): Uint8Array {
  const changed = new Uint8Array(bytes);
  const view = new DataView(changed.buffer);
  for (let at = 0; at + 46 < changed.length; at += 1) {
    if (view.getUint32(at, true) === 0x02_01_4b_50) {
      view.setUint32(at + offset, value, true);
    }
  }
  return changed;
}

const sheet = '<row r="1"><c r="A1"><v>7891000100103</v></c></row>';

test('a workbook is read, and one that would unpack to more than any list has is not unpacked', async () => {
  const good = workbookOf(sheet);
  expect(await read(good)).toEqual(['7891000100103']);
  expect(await read(rewritten(good, 24, 30_000_000))).toBe('tooLarge');
});

test('nor one that does not say how large its parts are, or says it wrongly', async () => {
  const good = workbookOf(sheet);
  expect(await read(rewritten(good, 24, 0))).toBe('unreadable');
  expect(await read(rewritten(good, 24, 0xff_ff_ff_ff))).toBe('tooLarge');
  expect(await read(rewritten(good, 24, 40))).toBe('unreadable');
  expect(await read(good.slice(0, good.length - 30))).toBe('unreadable');
  expect(await read(good.slice(0, 200))).toBe('unreadable');
});

test('columns beyond those that anybody needs are left alone, and so are rows of nothing but such', async () => {
  const wide = (rows: number): string =>
    Array.from({ length: rows }, (_, at) => `<row r="${at + 2}"><c r="XFD${at + 2}"><v>1</v></c></row>`).join('');
  expect(await read(workbookOf(sheet + wide(700)))).toEqual(['7891000100103']);
});

const csv = (text: string): Uint8Array => new TextEncoder().encode(text);

test.for([',', '\n', ' ,\r\n', ',,,,,,,,,\n'])(
  'of CSV no more than two million cells are read, if it is all %j',
  async (piece) => {
    const most = Math.floor(maxFileBytes / piece.length);
    expect(await read(csv(`code,\n${piece.repeat(most - 10)}`))).toBe('tooLarge');
  },
);

test('a CSV file with as many cells as may be is read, and lets the page do other things meanwhile', async () => {
  let turns = 0;
  const taking = setInterval(() => {
    turns += 1;
  });
  try {
    expect(await read(csv(`code,\n7,${','.repeat(200)}\n${',\n'.repeat(maxCells / 2 - 200)}`))).toEqual(['7']);
  } finally {
    clearInterval(taking);
  }
  expect(turns).toBeGreaterThan(20);
});

test('a row of blanks before the headings, or behind the last row that a list may have, is none', async () => {
  expect(await read(csv(`\n ;\ncode;name\n${'7;a\n'.repeat(50_000)};\n`))).toHaveLength(50_000);
});
