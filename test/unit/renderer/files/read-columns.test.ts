// The proof that no workbook, whatever somebody has made it of, takes the page's memory or its time.
import { expect, test } from 'vitest';
import { codeHeadings, readColumns } from '../../../../renderer/files/read-columns.ts';
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
